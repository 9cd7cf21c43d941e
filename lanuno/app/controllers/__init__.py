"""One QObject for each screen, with the properties and slots to which its QML binds.

Start with `application.py`, which makes all controllers, and `session_controller.py`, which runs a
session at a table. Sockets and files belong to `lanuno.client` and `lanuno.store`, the rows of
lists to `lanuno.app.models`, and layout and animation to the QML.
"""
