"""Properties that show a field of a frozen value."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Property, Signal


def view_property(kind: type, field: str, notify: Signal) -> Property:
    """Return a property that shows `self.view.<field>`."""

    def fget(self: Any) -> Any:
        value = getattr(self.view, field)
        return list(value) if isinstance(value, tuple) else value

    return Property(kind, fget, notify=notify)
