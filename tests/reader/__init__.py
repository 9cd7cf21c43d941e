"""The app as somebody uses it who cannot see: by what AT-SPI tells of it, and by nothing else.

A session bus, an accessibility bus, an X server and the app are processes of their own. Nothing is
clicked and no key is pressed: elements are found by role, name and state, used by their actions,
and what happens is heard as announcements.
"""
