"""Saving the metadata of a table: the agreements of the lobby that its log does not hold.

A private file beside the sidecar, replaced as a whole. `lanuno.table.metadata` defines its content.
"""

from __future__ import annotations

import msgspec

from lanuno.store.durable import read_bounded, write_private
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.paths import Home
from lanuno.table.metadata import TableMetadata

_LARGEST = 64 * 1024
# Created on import: concurrent creation crashes (see `prepare` in lanuno/log/format/codec.py).
_decoder = msgspec.json.Decoder(TableMetadata)


def save_metadata(home: Home, table_id: bytes, metadata: TableMetadata) -> None:
    """Save the metadata; it is on the disk when this returns. Raise `StoreError`."""
    write_private(home.table_metadata(table_id), msgspec.json.encode(metadata) + b"\n")


def load_metadata(home: Home, table_id: bytes) -> TableMetadata | None:
    """Return the metadata of a table, or None if none was saved.

    Raise `StoreError`: DAMAGED, TOO_LARGE, NOT_PRIVATE, NOT_OURS, NOT_READABLE.
    """
    path = home.table_metadata(table_id)
    data = read_bounded(path, _LARGEST, private=True)
    if data is None:
        return None
    try:
        return _decoder.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        # Do not chain the cause: its message could quote the PIN.
        raise StoreError(FileProblem.DAMAGED, path) from None
