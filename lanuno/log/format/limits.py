"""How long a log may become, and the space that is reserved for its last entries."""

from __future__ import annotations

MAX_ENTRIES = 50_000
MAX_LOG_BYTES = 16 * 1024 * 1024
"""Of all entries together."""
ROOM_TO_CLOSE = 32 * 1024
"""Bytes that are reserved for one more entry of any length, and the close."""
ELECTIONS = 250
"""Entries that are reserved for elections. A host that fills the log and falls silent can be
replaced by one that closes it, even if false candidates win some elections first."""
ELECTION_BYTES = 2 * 1024
"""Bytes that are reserved for each of them; an election with ten votes has less."""
ROOM_ENTRIES = 6_000
ROOM_BYTES = 3 * 1024 * 1024
"""No round begins with less room than this in the log."""


def only_close(entries: int, size: int) -> bool:
    """Whether a log of this length accepts only its close. `size`: bytes of all entries."""
    return entries >= MAX_ENTRIES - 1 or size >= MAX_LOG_BYTES - ROOM_TO_CLOSE


def full(entries: int, size: int) -> bool:
    """Whether a log of this length accepts only elections and its close."""
    return only_close(entries + ELECTIONS, size + ELECTIONS * ELECTION_BYTES)


def nearly_full(entries: int, size: int) -> bool:
    """Whether the next round may be too long for the rest of the log."""
    return entries > MAX_ENTRIES - ROOM_ENTRIES or size > MAX_LOG_BYTES - ROOM_BYTES
