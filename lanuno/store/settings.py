"""The user's settings, in a JSON file that the user may edit.

A missing setting has its default. A key that this version does not know stays in the file. A file
that cannot be understood is never overwritten: `load_settings` raises an error that names the file,
and `open_settings` moves the whole file aside and continues with the settings that it can
understand. The state that the app saves automatically is in `app_state.py`, the display name in
`profile.py`.
"""

from __future__ import annotations

import json
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from lanuno.log.format.avatar import Avatar
from lanuno.store.durable import make_private_folder, read_text, set_aside, write_private
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.paths import Home

VERSION = 1
"""The version of the file. It grows when an older program would misunderstand the file, not for
every new setting."""

_VERSION_KEY = "version"
_LARGEST = 1024 * 1024


class Settings(Struct, frozen=True, kw_only=True):
    """All settings, with their defaults."""

    language: Annotated[str, Meta(max_length=32)] | None = None
    """The code of the language to use (`es`). None or an unknown code: the system's language."""

    adapter: Annotated[str, Meta(max_length=64)] | None = None
    """The name of the network adapter to use; None: every physical one."""

    port: Annotated[int, Meta(ge=1, le=65535)] | None = None
    """The port to host on; None: the usual one, or the next free one."""

    theme: Literal["system", "light", "dark"] = "system"
    """The colours of the app."""

    text_scale: Annotated[float, Meta(ge=0.5, le=2.0)] = 1.0
    """The size of the app's text, relative to the design."""

    motion: Annotated[float, Meta(ge=0.0, le=1.0)] = 1.0
    """The amount of motion: 1 as designed, 0 only short fades."""

    sound: bool = True
    """Whether the app plays sounds, where it can."""

    volume: Annotated[int, Meta(ge=0, le=100)] = 80
    """The volume of the sounds, in percent."""

    hints: bool = True
    """Whether the app explains which cards can be played, and why others cannot."""

    slow_clock: bool = False
    """Whether to ask tables for twice the time."""

    notifications: bool = True
    """Whether the system notifies the player of their turn while the window is not in front."""

    reactions: bool = True
    """Whether the reactions of other players are shown."""

    sorting: Literal["colour", "value", "hand"] = "colour"
    """The order of the cards in the player's hand."""

    avatar: Avatar | None = None
    """The player's colour; None until it is chosen."""

    log: Literal["off", "warning", "info", "debug"] = "info"
    """How much the program logs; off: only crashes."""

    bot_speed: Literal["slow", "normal", "fast"] = "normal"
    """How fast the bots of this computer play while people watch."""

    auto_keep: bool = True
    """Whether a drawn card that does not fit is kept without asking."""

    auto_draw: bool = True
    """Whether drawing continues without asking where the rules say to draw until a card fits."""

    auto_accept: bool = True
    """Whether a penalty that cannot be answered is accepted without asking."""

    practice_bots: Annotated[int, Meta(ge=1, le=9)] = 3
    """The number of bots in a practice game."""


def load_settings(home: Home) -> Settings:
    """Return the settings in these folders; the defaults if there is no file.

    Raise `StoreError`: DAMAGED with the place that was not understood, FOREIGN if only a newer
    program can read the file, TOO_LARGE, NOT_READABLE.
    """
    known, _ = _load(home)
    return known


def open_settings(home: Home) -> tuple[Settings, StoreError | None]:
    """Return the settings that can be understood, and the error to show if some cannot.

    A file with a mistake in it is kept under another name (`settings.json.aside0`), and a new file
    holds the valid settings, so that the next change can be saved.
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
    """Write the settings, together with the keys that only another version knows.

    Raise `StoreError`. A file that cannot be understood is not overwritten.
    """
    _, everything = _load(home)
    make_private_folder(home.settings.parent)
    everything |= msgspec.to_builtins(settings) | {_VERSION_KEY: VERSION}
    text = json.dumps(everything, ensure_ascii=False, indent=2, sort_keys=True)
    write_private(home.settings, text.encode("utf-8") + b"\n")


def _load(home: Home) -> tuple[Settings, dict[str, object]]:
    data = read_text(home.settings, _LARGEST)
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
    """Return the settings that can be understood, each checked alone."""
    data = read_text(home.settings, _LARGEST) or b""
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
