"""Lists that QML views show."""
