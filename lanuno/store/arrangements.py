"""What a host agreed with people before a table began and the log does not tell: to host again.

A private file beside the sidecar, replaced as a whole. Everything about the game is in the log.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from lanuno.store.durable import read_bounded, write_private
from lanuno.store.errors import Problem, StoreError
from lanuno.store.paths import Home

_LARGEST = 64 * 1024


class Arrangements(Struct, frozen=True, kw_only=True):
    """As far as this computer knows them; a player may have to host some day."""

    name: Annotated[str, Meta(max_length=64)] = ""
    """Of the table, as it is shown; "" if unknown."""
    pin: Annotated[str, Meta(max_length=64)] | None = None
    """None: the table asks for none, or it is not known here."""
    rounds: Annotated[int, Meta(ge=1)] | None = None
    """Rounds after which the host stops; None: the match goes on to its end."""
    spectators: bool = True
    """Whether people may watch."""
    port: Annotated[int, Meta(ge=1, le=65535)] | None = None
    """Port that this computer chose to listen on; None: the usual one, or the next free."""

    def __repr__(self) -> str:
        # Without the PIN.
        return f"Arrangements(name={self.name!r}, rounds={self.rounds}, port={self.port})"


def save_arrangements(home: Home, table_id: bytes, arrangements: Arrangements) -> None:
    """Keep them, on the disk itself when this returns. Raises `StoreError`."""
    write_private(home.arrangements(table_id), msgspec.json.encode(arrangements) + b"\n")


def load_arrangements(home: Home, table_id: bytes) -> Arrangements | None:
    """Those of a table; None if none were kept.

    Raises `StoreError`: DAMAGED, TOO_LARGE, NOT_PRIVATE, NOT_OURS, NOT_READABLE.
    """
    path = home.arrangements(table_id)
    data = read_bounded(path, _LARGEST, private=True)
    if data is None:
        return None
    try:
        return msgspec.json.decode(data, type=Arrangements)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        # Without the cause: its message could quote the PIN.
        raise StoreError(Problem.DAMAGED, path) from None
