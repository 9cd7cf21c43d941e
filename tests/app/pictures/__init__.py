"""Pictures of the app: rendering of QML files without a screen, and the scenes to render."""
