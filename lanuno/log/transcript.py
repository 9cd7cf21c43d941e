"""The `.lanuno` format: a magic number with a version, the genesis, then entries.

Journal, replay and evidence are this one format. Pure bytes in and out: files are
`lanuno.store`'s. A record is a u32 big-endian length and that many bytes; the first record is the
genesis, every other one an entry. Nothing may follow the closing entry.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lanuno.log.codec import decode, encode
from lanuno.log.entries import Entry
from lanuno.log.faults import NoTranscript, Unfit, Unreadable
from lanuno.log.genesis import Genesis
from lanuno.log.limits import MAX_ENTRIES, MAX_LOG_BYTES

MAGIC = b"LANUNO\x00\x02"
"""Seven bytes that name the format and one for its version."""

LENGTH_BYTES = 4
MAX_RECORD_BYTES = 65_536
MAX_FILE_BYTES = MAX_LOG_BYTES + 1024 * 1024
"""A match closes before it reaches the first; the rest is room for framing and the genesis."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """A transcript as far as its records could be told apart."""

    genesis: Genesis
    entries: tuple[Entry, ...]
    torn: bool
    """Whether the file stops inside a record, as after a crash or a cut."""
    damaged: str = ""
    """Why a record is none, for developers; neither it nor what follows it is in `entries`."""


def record(data: bytes) -> bytes:
    """One framed record."""
    return len(data).to_bytes(LENGTH_BYTES, "big") + data


def write(genesis: Genesis, entries: Iterable[Entry]) -> bytes:
    """A whole transcript."""
    parts = [MAGIC, record(encode(genesis))]
    parts += [record(encode(entry)) for entry in entries]
    return b"".join(parts)


def read(data: bytes) -> Transcript:
    """Tell the records apart and parse them; raises `Unreadable`, also for one damaged record.

    Only the outermost shape is looked at: what the entries say is for `audit.py`.
    """
    found = salvage(data)
    if found.damaged:
        raise Unreadable(found.damaged)
    return found


def salvage(data: bytes) -> Transcript:
    """The same as far as the records are sound: what a file still proves must not be lost.

    Raises `NoTranscript` where there is no game, and `Unreadable` for a damaged genesis.
    """
    if len(data) > MAX_FILE_BYTES:
        raise NoTranscript(Unfit.TOO_LONG, "longer than any match can be")
    if data[: len(MAGIC) - 1] != MAGIC[:-1]:
        raise NoTranscript(Unfit.FOREIGN, "not a LanUNO transcript")
    if data[: len(MAGIC)] != MAGIC:
        raise NoTranscript(Unfit.VERSION, "a transcript of another version")
    records, torn, damaged = _records(data)
    if not records:
        if damaged:
            raise Unreadable(damaged)
        raise NoTranscript(Unfit.EMPTY, "no genesis")
    genesis = decode(records[0], Genesis)
    entries: list[Entry] = []
    for number, each in enumerate(records[1:]):
        try:
            entries.append(decode(each, Entry))
        except Unreadable as error:
            return Transcript(genesis, tuple(entries), False, f"entry {number}: {error}")
    return Transcript(genesis, tuple(entries), torn, damaged)


def _records(data: bytes) -> tuple[list[bytes], bool, str]:
    """The records before the first that is none; whether they are torn; what is wrong with it."""
    found: list[bytes] = []
    place = len(MAGIC)
    while place < len(data):
        start = place + LENGTH_BYTES
        length = int.from_bytes(data[place:start], "big")
        if start > len(data):
            return found, True, ""
        if length > MAX_RECORD_BYTES:
            return found, False, "a record longer than any can be"
        if start + length > len(data):
            return found, True, ""
        if len(found) > MAX_ENTRIES:
            raise NoTranscript(Unfit.TOO_LONG, "more entries than any match can have")
        found.append(data[start : start + length])
        place = start + length
    return found, False, ""
