"""The state that the app saves automatically: the window, the last table, the known hosts.

The file is not meant for editing and is replaced as a whole. Its content is expendable: an
unreadable file is moved aside and reported, and the app starts without it.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from lanuno.store.durable import make_private_folder, read_text, set_aside, write_private
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.paths import Home

VERSION = 1
"""The version of the file; other versions are not read."""

MOST_PLACES = 20
MOST_FORGOTTEN = 100
_LARGEST = 256 * 1024

Pixels = Annotated[int, Meta(ge=-100_000, le=100_000)]
Extent = Annotated[int, Meta(ge=1, le=100_000)]
ShortText = Annotated[str, Meta(max_length=64)]


class WindowPlace(Struct, frozen=True, kw_only=True):
    """The last position of the window. The window checks whether it is still on a screen."""

    x: Pixels
    y: Pixels
    width: Extent
    height: Extent
    maximized: bool = False
    full_screen: bool = False
    screen: ShortText = ""
    """The name of the screen."""


class TableWishes(Struct, frozen=True, kw_only=True):
    """How a table was last opened, without its PIN."""

    name: ShortText = ""
    preset: ShortText = "classic"
    rules: Annotated[dict[ShortText, bool | int | ShortText], Meta(max_length=100)] = {}
    """Settings that differ from those of the preset."""
    seats: Annotated[int, Meta(ge=2, le=10)] = 4
    bots: Annotated[int, Meta(ge=0, le=9)] = 0
    asks_pin: bool = False
    spectators: bool = True
    rounds: Annotated[int, Meta(ge=1)] | None = None
    """The number of rounds after which the match stops; None plays it to its end."""


class KnownPlace(Struct, frozen=True, kw_only=True):
    """The address of an earlier host, to probe where no advert arrives."""

    host: Annotated[str, Meta(min_length=1, max_length=255)]
    """The host's address. From outside."""
    port: Annotated[int, Meta(ge=1, le=65535)]
    fingerprint: ShortText
    """The fingerprint of the host's identity."""
    name: ShortText = ""
    """The name that the host last used. From outside."""


class AppState(Struct, frozen=True, kw_only=True):
    """The whole state. The defaults are those of a new installation."""

    window: WindowPlace | None = None
    table: TableWishes | None = None
    practice: TableWishes | None = None
    places: Annotated[tuple[KnownPlace, ...], Meta(max_length=MOST_PLACES)] = ()
    """Most recent first."""
    forgotten: Annotated[tuple[ShortText, ...], Meta(max_length=MOST_FORGOTTEN)] = ()
    """The ids of interrupted tables that the app does not offer to resume any more."""

    def with_place(self, place: KnownPlace) -> AppState:
        """Return the state with this place first, replacing an earlier one of the same host."""
        others = [each for each in self.places if each.fingerprint != place.fingerprint]
        return msgspec.structs.replace(self, places=(place, *others)[:MOST_PLACES])


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    version: Annotated[int, Meta(ge=VERSION, le=VERSION)]
    remembered: AppState


class _Version(Struct, frozen=True):
    version: int


# Created on import: concurrent creation crashes (see `prepare` in lanuno/log/format/codec.py).
_decoder, _version_decoder = msgspec.json.Decoder(_File), msgspec.json.Decoder(_Version)


def load_app_state(home: Home) -> tuple[AppState, StoreError | None]:
    """Return the saved state, and the error to show if it could not be read.

    An unreadable file is kept under another name (`remembered.json.aside0`).
    """
    try:
        return read_app_state(home), None
    except StoreError as error:
        if error.problem in (FileProblem.DAMAGED, FileProblem.FOREIGN, FileProblem.TOO_LARGE):
            try:
                set_aside(home.app_state)
            except StoreError as worse:
                return AppState(), worse
        return AppState(), error


def save_app_state(home: Home, state: AppState) -> None:
    """Save the state, replacing the earlier one.

    Raise `StoreError`, or ValueError if the saved state could not be read again.
    """
    data = msgspec.json.encode(_File(VERSION, state))
    try:
        _decoder.decode(data)
    except msgspec.ValidationError as error:
        raise ValueError(f"cannot be kept: {error}") from None
    make_private_folder(home.app_state.parent)
    write_private(home.app_state, data + b"\n")


def read_app_state(home: Home) -> AppState:
    """Return the saved state; an unreadable file stays where it is.

    Raise `StoreError`: DAMAGED, FOREIGN, TOO_LARGE, NOT_READABLE.
    """
    data = read_text(home.app_state, _LARGEST)
    if data is None:
        return AppState()
    try:
        version = _version_decoder.decode(data).version
        if version > VERSION:
            raise StoreError(FileProblem.FOREIGN, home.app_state, f"version {version}")
        return _decoder.decode(data).remembered
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise StoreError(FileProblem.DAMAGED, home.app_state, str(error)) from None
