"""Properties that show a field of a frozen value."""

from __future__ import annotations

from operator import attrgetter

from PySide6.QtCore import Property, Signal


def view_property(kind: type, field: str, notify: Signal) -> Property:
    """Return a property that shows `self.view.<field>`."""
    return Property(kind, attrgetter(f"view.{field}"), notify=notify)
