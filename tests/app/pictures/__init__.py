"""Pictures of the app: what renders QML files without a screen, and what is looked at."""
