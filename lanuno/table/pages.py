"""Parts of a log as they are passed from one computer to another."""

from __future__ import annotations

from collections.abc import Sequence

from lanuno.log.entries import Entry
from lanuno.log.replay import Replay
from lanuno.table.messages import PAGE_BYTES, Resume

PAGE_ENTRIES = 1024


def page(entries: Sequence[Entry], first: int) -> tuple[Entry, ...]:
    """As many entries from this number on as fit into one message."""
    found: list[Entry] = []
    size = 0
    for entry in entries[first : first + PAGE_ENTRIES]:
        size += len(entry.core) + len(entry.signature) + 16
        if found and size > PAGE_BYTES:
            break
        found.append(entry)
    return tuple(found)


def common(replay: Replay, said: Resume) -> int | None:
    """How many entries of this log somebody certainly holds; None if that cannot be.

    Who holds an end that was given up holds everything before the first term that it lacks.
    """
    if said.count == 0:
        return 0
    if said.count <= replay.seq and replay.hashes[said.count - 1] == said.head:
        return said.count
    later = (term.first for term in replay.terms if term.number > said.term)
    first = next(later, None)
    return None if first is None else min(first, said.count)
