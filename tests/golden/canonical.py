"""One value as one line of text that is independent of the present names of classes and fields.

Messages are written as their bytes on the wire. Other values are the recorded name of their class
and their fields by position. Enum members keep their names, because texts and files use them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from datetime import timedelta
from enum import Enum
from hashlib import sha256
from pathlib import PurePath
from typing import cast

import msgspec

from lanuno.dealing.identity import Identity
from lanuno.table import messages
from tests.golden.names import RECORDED_MEMBERS, RECORDED_NAMES

SHORT = 16
"""Bytes up to this length are written in full; longer ones as their length and a digest."""


def text(value: object) -> str:
    """Return the line for a value. Raise `TypeError` for a type that was never recorded."""
    match value:
        case Enum():
            kind = name_of(type(value))
            return f"{kind}.{RECORDED_MEMBERS.get((kind, value.name), value.name)}"
        case float():
            return number(value)
        case None | bool() | int() | str():
            return repr(value)
        case bytes() | bytearray() | memoryview():
            return _bytes(bytes(value))
        case tuple() | list():
            return f"[{', '.join(map(text, value))}]"
        case frozenset() | set():
            return f"{{{', '.join(sorted(map(text, value)))}}}"
        case Mapping():
            pairs = (f"{text(key)}: {text(each)}" for key, each in value.items())
            return f"{{{', '.join(pairs)}}}"
        case Identity():
            return f"Identity({_bytes(value.public)})"
        case PurePath():
            return repr(value.name)
        case timedelta():
            return number(value.total_seconds())
        case messages._Message():
            wire = messages.to_bytes(cast(messages.AtTable, value))
            return f"{name_of(type(value))}({_bytes(wire)})"
        case msgspec.Struct():
            return _fields(value, value.__struct_fields__)
        case _ if dataclasses.is_dataclass(value):
            return _fields(value, tuple(field.name for field in dataclasses.fields(value)))
        case _ if callable(value):
            return "<work>"
    raise TypeError(f"no line for {type(value).__name__}")


def number(value: float) -> str:
    """Format a number to a millionth: the last bits of a logarithm differ between machines."""
    return f"{value:.6f}"


def name_of(kind: type) -> str:
    """Return the name of a class at the time of the recording."""
    return RECORDED_NAMES.get((kind.__module__, kind.__name__), kind.__name__)


def _fields(value: object, names: tuple[str, ...]) -> str:
    fields = ", ".join(text(getattr(value, name)) for name in names)
    return f"{name_of(type(value))}({fields})"


def _bytes(data: bytes) -> str:
    if len(data) <= SHORT:
        return data.hex()
    return f"{len(data)}:{sha256(data).hexdigest()[:16]}"
