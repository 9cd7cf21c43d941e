"""What a person has set, in a JSON file that they may edit.

A setting that is missing has its default; a key that this version does not know is left in the
file. A file that cannot be understood is an error that names it, and is never overwritten.
"""

from __future__ import annotations

import json
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from lanuno.store.durable import make_private_folder, read_bounded, write_private
from lanuno.store.errors import Problem, StoreError
from lanuno.store.paths import Home

_LARGEST = 1024 * 1024


class Settings(Struct, frozen=True, kw_only=True):
    """All settings, with the values they have before anybody sets them."""

    language: Literal["es", "en"] | None = None
    """None: the language of the system."""

    adapter: Annotated[str, Meta(max_length=64)] | None = None
    """Name of the network adapter to use; None: every real one."""

    port: Annotated[int, Meta(ge=1, le=65535)] | None = None
    """Port to host on; None: the usual one, or the next that is free."""

    theme: Literal["system", "light", "dark"] = "system"
    """Colours of the app."""

    text_scale: Annotated[float, Meta(ge=0.5, le=2.0)] = 1.0
    """Size of the app's text, 1 being the designed one."""

    motion: Annotated[float, Meta(ge=0.0, le=1.0)] = 1.0
    """How much moves: 1 as designed, 0 nothing but short fades."""

    sound: bool = True
    """Whether the app makes sounds, where it can."""

    hints: bool = True
    """Whether the app explains what can be played, and why a card cannot."""

    slow_clock: bool = False
    """Whether to ask tables for twice the time."""

    notifications: bool = True
    """Whether the system tells that it is one's turn while the window is not in front."""

    sorting: Literal["colour", "value", "hand"] = "hand"
    """How the own hand is laid out."""

    avatar: Annotated[int, Meta(ge=0, le=9)] = 0
    """The colour under which the player is shown."""


def load_settings(home: Home) -> Settings:
    """The settings of these folders; all defaults if there is no file.

    Raises `StoreError`: DAMAGED with the place that was not understood, TOO_LARGE, NOT_READABLE.
    """
    known, _ = _load(home)
    return known


def save_settings(home: Home, settings: Settings) -> None:
    """Write the settings, and with them the keys that only another version knows.

    Raises `StoreError`; a file that cannot be understood is not overwritten.
    """
    _, everything = _load(home)
    make_private_folder(home.settings.parent)
    everything |= msgspec.to_builtins(settings)
    text = json.dumps(everything, ensure_ascii=False, indent=2, sort_keys=True)
    write_private(home.settings, text.encode("utf-8") + b"\n")


def _load(home: Home) -> tuple[Settings, dict[str, object]]:
    data = read_bounded(home.settings, _LARGEST)
    if data is None:
        return Settings(), {}
    try:
        return (
            msgspec.json.decode(data, type=Settings),
            msgspec.json.decode(data, type=dict[str, object]),
        )
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise StoreError(Problem.DAMAGED, home.settings, str(error)) from error
