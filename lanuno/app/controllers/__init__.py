"""One QObject for each screen, with the properties and slots that its QML binds to."""
