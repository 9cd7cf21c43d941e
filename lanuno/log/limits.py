"""How long a log may become, and what is kept free at its end for what must still come into it."""

from __future__ import annotations

MAX_ENTRIES = 50_000
MAX_LOG_BYTES = 16 * 1024 * 1024
"""Of all entries together."""
ROOM_TO_CLOSE = 32 * 1024
"""Bytes that are kept for one more entry, however long, and the close."""
ELECTIONS = 250
"""Entries that are kept for elections. A host that fills the log and falls silent can be replaced
by one that closes it, even if false candidates win some elections first."""
ELECTION_BYTES = 2 * 1024
"""Bytes that are kept for each of them; one with ten votes has less."""
ROOM_ENTRIES = 6_000
ROOM_BYTES = 3 * 1024 * 1024
"""No round begins with less room than this in the log."""


def only_close(entries: int, size: int) -> bool:
    """Whether a log of this length takes only its close. `size`: bytes of all entries."""
    return entries >= MAX_ENTRIES - 1 or size >= MAX_LOG_BYTES - ROOM_TO_CLOSE


def full(entries: int, size: int) -> bool:
    """Whether a log of this length takes only elections and its close."""
    return only_close(entries + ELECTIONS, size + ELECTIONS * ELECTION_BYTES)


def nearly_full(entries: int, size: int) -> bool:
    """Whether the next round may be too long for what is left of the log."""
    return entries > MAX_ENTRIES - ROOM_ENTRIES or size > MAX_LOG_BYTES - ROOM_BYTES
