"""What the program remembers by itself: where its window was, what was played last, and where.

A file that no person edits, replaced as a whole. It is worth little: one that cannot be understood
is moved aside and told, and the program begins anew. Whom a person played with is not here: that
is read from the games themselves (`statistics.known_people`).
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from lanuno.store.durable import make_private_folder, read_bounded, set_aside, write_private
from lanuno.store.errors import Problem, StoreError
from lanuno.store.paths import Home

VERSION = 1
"""Of the file; one of another version is not understood."""

MOST_PLACES = 20
MOST_FORGOTTEN = 100
_LARGEST = 256 * 1024

Pixels = Annotated[int, Meta(ge=-100_000, le=100_000)]
Extent = Annotated[int, Meta(ge=1, le=100_000)]
Words = Annotated[str, Meta(max_length=64)]


class WindowPlace(Struct, frozen=True, kw_only=True):
    """Where the window was. Whether that is still on a screen is for the window to find out."""

    x: Pixels
    y: Pixels
    width: Extent
    height: Extent
    maximized: bool = False
    full_screen: bool = False
    screen: Words = ""
    """Name of the screen."""


class TableWishes(Struct, frozen=True, kw_only=True):
    """How a table was opened last. Without its PIN."""

    name: Words = ""
    preset: Words = "classic"
    rules: Annotated[dict[Words, bool | int | Words], Meta(max_length=100)] = {}
    """Settings that differ from those of the preset."""
    seats: Annotated[int, Meta(ge=2, le=10)] = 4
    bots: Annotated[int, Meta(ge=0, le=9)] = 0
    asks_pin: bool = False
    spectators: bool = True
    rounds: Annotated[int, Meta(ge=1)] | None = None
    """Rounds after which it stops; None: the match goes on to its end."""


class KnownPlace(Struct, frozen=True, kw_only=True):
    """A computer that hosted a table before, to look for where nothing is heard by itself."""

    host: Annotated[str, Meta(min_length=1, max_length=255)]
    """Its address. From outside."""
    port: Annotated[int, Meta(ge=1, le=65535)]
    fingerprint: Words
    """Of its owner's identity."""
    name: Words = ""
    """Of its owner, as they called themselves. From outside."""


class Remembered(Struct, frozen=True, kw_only=True):
    """Everything, as it is before anything happened."""

    window: WindowPlace | None = None
    table: TableWishes | None = None
    practice: TableWishes | None = None
    places: Annotated[tuple[KnownPlace, ...], Meta(max_length=MOST_PLACES)] = ()
    """Last one first."""
    forgotten: Annotated[tuple[Words, ...], Meta(max_length=MOST_FORGOTTEN)] = ()
    """Interrupted tables that the player does not want to be asked about again: their ids."""

    def with_place(self, place: KnownPlace) -> Remembered:
        """The same and this place, in front, instead of what was known of the same person."""
        others = [each for each in self.places if each.fingerprint != place.fingerprint]
        return msgspec.structs.replace(self, places=(place, *others)[:MOST_PLACES])


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    version: Annotated[int, Meta(ge=VERSION, le=VERSION)]
    remembered: Remembered


class _Version(Struct, frozen=True):
    version: int


def load_remembered(home: Home) -> tuple[Remembered, StoreError | None]:
    """What is remembered, and what to tell a person if not all could be read.

    A file that cannot be understood is kept under another name (`remembered.json.aside0`).
    """
    try:
        return read_remembered(home), None
    except StoreError as error:
        if error.problem in (Problem.DAMAGED, Problem.FOREIGN, Problem.TOO_LARGE):
            try:
                set_aside(home.remembered)
            except StoreError as worse:
                return Remembered(), worse
        return Remembered(), error


def save_remembered(home: Home, remembered: Remembered) -> None:
    """Keep it, in place of what was remembered before.

    Raises `StoreError`, or ValueError if it could not be read again.
    """
    data = msgspec.json.encode(_File(VERSION, remembered))
    try:
        msgspec.json.decode(data, type=_File)
    except msgspec.ValidationError as error:
        raise ValueError(f"cannot be kept: {error}") from None
    make_private_folder(home.remembered.parent)
    write_private(home.remembered, data + b"\n")


def read_remembered(home: Home) -> Remembered:
    """The same, and a file that cannot be understood stays where it is.

    Raises `StoreError`: DAMAGED, FOREIGN, TOO_LARGE, NOT_READABLE.
    """
    data = read_bounded(home.remembered, _LARGEST)
    if data is None:
        return Remembered()
    try:
        version = msgspec.json.decode(data, type=_Version).version
        if version > VERSION:
            raise StoreError(Problem.FOREIGN, home.remembered, f"version {version}")
        return msgspec.json.decode(data, type=_File).remembered
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise StoreError(Problem.DAMAGED, home.remembered, str(error)) from None
