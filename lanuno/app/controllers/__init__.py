"""One QObject for each screen, with the properties and slots to which its QML binds."""
