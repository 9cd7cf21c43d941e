"""Parts of a log as they are passed from one computer to another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lanuno.log.entries import Entry
from lanuno.log.replay import Replay
from lanuno.table.messages import PAGE_BYTES, Resume

PAGE_ENTRIES = 1024


def page(entries: Sequence[Entry], first: int, last: int | None = None) -> tuple[Entry, ...]:
    """As many entries from this number on as fit into one message, all of them before `last`."""
    found: list[Entry] = []
    size = 0
    end = first + PAGE_ENTRIES if last is None else min(first + PAGE_ENTRIES, last)
    for entry in entries[first:end]:
        size += size_of((entry,))
        if found and size > PAGE_BYTES:
            break
        found.append(entry)
    return tuple(found)


def size_of(entries: Iterable[Entry]) -> int:
    """Bytes that these take in a message, roughly."""
    return sum(len(entry.core) + len(entry.signature) + 16 for entry in entries)


def goes_on_at(replay: Replay, said: Resume) -> int | None:
    """With which entry of this log somebody has to go on; None if what is said cannot be.

    Whoever holds this log, or an earlier part of it, goes on behind what is held. Whoever holds an
    end that was given up lacks a term of this log, and has something else in the place of that
    term's first entry, or nothing yet: that entry shows it that the two ends part, here or further
    back.
    """
    if said.count == 0:
        return 0
    if said.count <= replay.seq and replay.hashes[said.count - 1] == said.head:
        return said.count
    lacking = next((term.first for term in replay.terms if term.number > said.term), None)
    return None if lacking is None else min(lacking, said.count)
