"""The `.lanuno` format: a magic number with a version, the genesis, then entries.

Journals, saved games and evidence all use this format. This module is pure; `lanuno.store` handles
files. A record is a u32 big-endian length and that number of bytes. The first record is the
genesis, every other one an entry. Nothing may follow the closing entry.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from lanuno.log.faults import NoGameReason, NoTranscript, Unreadable
from lanuno.log.format.codec import decode, encode
from lanuno.log.format.entries import Entry
from lanuno.log.format.genesis import Genesis
from lanuno.log.format.limits import MAX_ENTRIES, MAX_LOG_BYTES

MAGIC = b"LANUNO\x00\x02"
"""Seven bytes for the name of the format and one for its version."""

LENGTH_BYTES = 4
MAX_RECORD_BYTES = 65_536
MAX_FILE_BYTES = MAX_LOG_BYTES + 1024 * 1024
"""A match closes before its entries exceed `MAX_LOG_BYTES`; the rest is for framing and genesis."""


class Transcript(Struct, frozen=True):
    """A transcript, as far as its records could be separated."""

    genesis: Genesis
    entries: tuple[Entry, ...]
    torn: bool
    """Whether the file ends inside a record, as after a crash or truncation."""
    damaged: str = ""
    """Why a record is invalid, for developers; `entries` ends before that record."""


def record(data: bytes) -> bytes:
    """Frame bytes as one record."""
    return len(data).to_bytes(LENGTH_BYTES, "big") + data


def write(genesis: Genesis, entries: Iterable[Entry]) -> bytes:
    """Return the bytes of a whole transcript."""
    parts = [MAGIC, record(encode(genesis))]
    parts += [record(encode(entry)) for entry in entries]
    return b"".join(parts)


def read(data: bytes) -> Transcript:
    """Separate and parse the records; raises `Unreadable`, even for a single damaged record.

    Only the outermost shape is checked; `audit/audit.py` checks the entries.
    """
    found = salvage(data)
    if found.damaged:
        raise Unreadable(found.damaged)
    return found


def salvage(data: bytes) -> Transcript:
    """Do what `read` does, but return the valid records before a damaged one: they may be proof.

    Raises `NoTranscript` if there is no game, and `Unreadable` for a damaged genesis.
    """
    if len(data) > MAX_FILE_BYTES:
        raise NoTranscript(NoGameReason.TOO_LONG, "longer than any match can be")
    if data[: len(MAGIC) - 1] != MAGIC[:-1]:
        raise NoTranscript(NoGameReason.FOREIGN, "not a LanUNO transcript")
    if data[: len(MAGIC)] != MAGIC:
        raise NoTranscript(NoGameReason.VERSION, "a transcript of another version")
    records, torn, damaged = _records(data)
    if not records:
        if damaged:
            raise Unreadable(damaged)
        raise NoTranscript(NoGameReason.EMPTY, "no genesis")
    genesis = decode(records[0], Genesis)
    entries: list[Entry] = []
    for number, each in enumerate(records[1:]):
        try:
            entries.append(decode(each, Entry))
        except Unreadable as error:
            return Transcript(genesis, tuple(entries), False, f"entry {number}: {error}")
    return Transcript(genesis, tuple(entries), torn, damaged)


def _records(data: bytes) -> tuple[list[bytes], bool, str]:
    """Return the records before the first invalid one, whether the file is torn, and the fault."""
    found: list[bytes] = []
    place = len(MAGIC)
    while place < len(data):
        start = place + LENGTH_BYTES
        length = int.from_bytes(data[place:start], "big")
        if start > len(data):
            return found, True, ""
        if length > MAX_RECORD_BYTES:
            return found, False, "a record above the size limit"
        if start + length > len(data):
            return found, True, ""
        if len(found) > MAX_ENTRIES:
            raise NoTranscript(NoGameReason.TOO_LONG, "more entries than any match can have")
        found.append(data[start : start + length])
        place = start + length
    return found, False, ""
