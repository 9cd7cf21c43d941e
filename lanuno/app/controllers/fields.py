"""Properties that show a field of a frozen value."""

from __future__ import annotations

from operator import attrgetter
from typing import get_args, get_origin, get_type_hints

from msgspec import Struct
from PySide6.QtCore import Property, Signal

from lanuno.app.models.rows import camel


def view_property(kind: type, field: str, notify: Signal) -> Property:
    """Return a property that shows `self.view.<field>`."""
    return Property(kind, attrgetter(f"view.{field}"), notify=notify)


def view_properties(view: type, notify: Signal) -> dict[str, Property]:
    """Return a property for each field of `self.view`, under its name in QML.

    `Rows` show the fields that are tuples of structs, so these are left out.
    """
    properties = {}
    for field, hint in get_type_hints(view).items():
        if any(isinstance(each, type) and issubclass(each, Struct) for each in get_args(hint)):
            continue
        kind = get_origin(hint) or hint
        properties[camel(field)] = view_property(list if kind is tuple else kind, field, notify)
    return properties
