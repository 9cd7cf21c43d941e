"""List models for the views of QML."""
