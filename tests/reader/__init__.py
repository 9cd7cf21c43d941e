"""Tests of the app as a blind player uses it: through AT-SPI alone, without mouse or keyboard.

A session bus, an accessibility bus, an X server and the app run as separate processes. The tests
find elements by role, name and state, use them by their actions, and read the announcements.
"""
