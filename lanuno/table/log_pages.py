"""Log pages: parts of a log as nodes send them to each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lanuno.log.format.entries import Entry
from lanuno.log.replay.replay import Replay
from lanuno.table.messages import PAGE_BYTES, Rejoin

PAGE_ENTRIES = 1024


def log_page(entries: Sequence[Entry], first: int, last: int | None = None) -> tuple[Entry, ...]:
    """As many entries from this number on as fit into one message, all of them before `last`."""
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
    """Bytes that these take in a message, roughly."""
    return sum(len(entry.core) + len(entry.signature) + 16 for entry in entries)


def continues_at(replay: Replay, rejoin: Rejoin) -> int | None:
    """The entry of this log with which a node has to go on; None if its message cannot be true.

    A node that holds this log, or an earlier part of it, goes on behind that part. A node that
    holds an end which was given up lacks a term of this log, and has another entry in the place of
    that term's first entry, or none yet: that entry shows it that the two logs fork, here or
    further back.
    """
    if rejoin.count == 0:
        return 0
    if rejoin.count <= replay.seq and replay.hashes[rejoin.count - 1] == rejoin.head:
        return rejoin.count
    lacking = next((term.first for term in replay.terms if term.number > rejoin.term), None)
    return None if lacking is None else min(lacking, rejoin.count)
