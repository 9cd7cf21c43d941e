"""The app as people have it: processes of their own, a real X server, a real mouse and keyboard.

What is on the screen is read from the accessibility tree, as a screen reader reads it.
"""
