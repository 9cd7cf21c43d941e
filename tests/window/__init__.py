"""Tests of the app as a process of its own, on a real X server, by mouse and keyboard.

The tests read the contents of the screen from the accessibility tree, as a screen reader does.
"""
