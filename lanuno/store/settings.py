"""The settings of a person, in a JSON file that they may edit.

A setting that is missing has its default; a key that this version does not know is left in the
file. A file that cannot be understood is an error that names it (`load_settings`), or is moved
aside whole while what can be understood of it goes on (`open_settings`); it is never overwritten.
What the app saves by itself is in `app_state.py`, the display name in `profile.py`.
"""

from __future__ import annotations

import json
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from lanuno.log.format.genesis import Avatar
from lanuno.store.durable import make_private_folder, read_bounded, set_aside, write_private
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.paths import Home

VERSION = 1
"""Of the file: grows when an older program would misunderstand it, not for every new setting."""

_VERSION_KEY = "version"
_LARGEST = 1024 * 1024


class Settings(Struct, frozen=True, kw_only=True):
    """All settings, with the values they have before anybody sets them."""

    language: Annotated[str, Meta(max_length=32)] | None = None
    """Code of the language to speak (`es`). None or an unknown code: the system's language."""

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

    volume: Annotated[int, Meta(ge=0, le=100)] = 80
    """How loud they are, in percent."""

    hints: bool = True
    """Whether the app explains what can be played, and why a card cannot."""

    slow_clock: bool = False
    """Whether to ask tables for twice the time."""

    notifications: bool = True
    """Whether the system shows that it is the player's turn while the window is not in front."""

    reactions: bool = True
    """Whether the reactions of others are shown."""

    sorting: Literal["colour", "value", "hand"] = "hand"
    """How the own hand is laid out."""

    avatar: Avatar = 0
    """The colour under which the player is shown."""

    log: Literal["off", "warning", "info", "debug"] = "info"
    """How much the program logs; off: only crashes."""

    bot_speed: Literal["slow", "normal", "fast"] = "normal"
    """How fast the bots of this computer play where people watch."""

    auto_keep: bool = True
    """Whether a drawn card that does not fit is kept without asking."""

    auto_draw: bool = True
    """Whether one draws on without asking where the rules say so until something fits."""

    auto_accept: bool = True
    """Whether a penalty that has no answer is taken without asking."""

    practice_bots: Annotated[int, Meta(ge=1, le=9)] = 3
    """How many bots one practises against."""


def load_settings(home: Home) -> Settings:
    """The settings of these folders; all defaults if there is no file.

    Raises `StoreError`: DAMAGED with the place that was not understood, FOREIGN if only a newer
    program can, TOO_LARGE, NOT_READABLE.
    """
    known, _ = _load(home)
    return known


def open_settings(home: Home) -> tuple[Settings, StoreError | None]:
    """The settings as far as they can be understood, and the error to show if not all can.

    A file with something wrong in it is kept under another name (`settings.json.aside0`), and a
    new one holds the settings that were right, so that the next change can be saved.
    """
    try:
        return load_settings(home), None
    except StoreError as error:
        if error.problem not in (FileProblem.DAMAGED, FileProblem.FOREIGN, FileProblem.TOO_LARGE):
            return Settings(), error
        settings = (
            Settings() if error.problem is FileProblem.TOO_LARGE else _readable_settings(home)
        )
        try:
            set_aside(home.settings)
            save_settings(home, settings)
        except StoreError as worse:
            return settings, worse
        return settings, error


def save_settings(home: Home, settings: Settings) -> None:
    """Write the settings, and with them the keys that only another version knows.

    Raises `StoreError`; a file that cannot be understood is not overwritten.
    """
    _, everything = _load(home)
    make_private_folder(home.settings.parent)
    everything |= msgspec.to_builtins(settings) | {_VERSION_KEY: VERSION}
    text = json.dumps(everything, ensure_ascii=False, indent=2, sort_keys=True)
    write_private(home.settings, text.encode("utf-8") + b"\n")


def _load(home: Home) -> tuple[Settings, dict[str, object]]:
    data = read_bounded(home.settings, _LARGEST)
    if data is None:
        return Settings(), {}
    try:
        everything = msgspec.json.decode(data, type=dict[str, object])
        version = everything.get(_VERSION_KEY, VERSION)
        if isinstance(version, int) and version > VERSION:
            raise StoreError(FileProblem.FOREIGN, home.settings, f"version {version}")
        return msgspec.convert(everything, Settings), everything
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise StoreError(FileProblem.DAMAGED, home.settings, str(error)) from error


def _readable_settings(home: Home) -> Settings:
    """The settings that can be understood, each by itself."""
    data = read_bounded(home.settings, _LARGEST) or b""
    try:
        everything = msgspec.json.decode(data, type=dict[str, object])
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return Settings()
    right: dict[str, object] = {}
    for name in Settings.__struct_fields__:
        if name in everything:
            try:
                msgspec.convert({name: everything[name]}, Settings)
            except msgspec.ValidationError:
                continue
            right[name] = everything[name]
    return msgspec.convert(right, Settings)
