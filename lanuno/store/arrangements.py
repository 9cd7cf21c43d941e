"""Keeps what a host agreed with people before a table began and the log does not tell.

A private file beside the sidecar, replaced as a whole. What is in it: `lanuno.table.arrangements`.
"""

from __future__ import annotations

import msgspec

from lanuno.store.durable import read_bounded, write_private
from lanuno.store.errors import Problem, StoreError
from lanuno.store.paths import Home
from lanuno.table.arrangements import Arrangements

_LARGEST = 64 * 1024


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
