"""Log pages: parts of a log, as nodes send them to each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lanuno.log.format.entries import Entry
from lanuno.log.replay.replay import Replay
from lanuno.table.messages import PAGE_BYTES, Rejoin

PAGE_ENTRIES = 1024


def log_page(entries: Sequence[Entry], first: int, last: int | None = None) -> tuple[Entry, ...]:
    """Return the entries from `first` on that fit into one message, all of them before `last`."""
    found: list[Entry] = []
    size = 0
    end = first + PAGE_ENTRIES if last is None else min(first + PAGE_ENTRIES, last)
    for entry in entries[first:end]:
        size += page_size((entry,))
        if found and size > PAGE_BYTES:
            break
        found.append(entry)
    return tuple(found)


def page_size(entries: Iterable[Entry]) -> int:
    """Return the approximate size of these entries in a message, in bytes."""
    return sum(len(entry.core) + len(entry.signature) + 16 for entry in entries)


def continues_at(replay: Replay, rejoin: Rejoin) -> int | None:
    """Return the number of the entry of this log from which to send to a node that rejoins.

    Returns None if its `Rejoin` cannot be true. A node that holds this log, or an earlier part of
    it, needs the entries after that part. A node that holds an end which was given up lacks a term
    of this log. Where that term begins, it holds a different entry or none. This entry therefore
    shows it that the two logs fork there or earlier.
    """
    if rejoin.count == 0:
        return 0
    if rejoin.count <= replay.seq and replay.hashes[rejoin.count - 1] == rejoin.head:
        return rejoin.count
    lacking = next((term.first for term in replay.terms if term.number > rejoin.term), None)
    return None if lacking is None else min(lacking, rejoin.count)
