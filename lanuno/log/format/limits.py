"""The limits on the length of a log, and the space reserved for its last entries."""

from __future__ import annotations

MAX_ENTRIES = 50_000
MAX_LOG_BYTES = 16 * 1024 * 1024
"""Limit for the sum of the cores and signatures of all entries."""
ROOM_TO_CLOSE = 32 * 1024
"""Bytes reserved for one more entry of any length, and the close."""
ELECTIONS = 250
"""Entries reserved for elections. If a host fills the log and falls silent, another host can be
elected and close it, even if false candidates win some elections first."""
ELECTION_BYTES = 2 * 1024
"""Bytes reserved for each election; an election with ten votes is shorter."""
ROOM_ENTRIES = 6_000
ROOM_BYTES = 3 * 1024 * 1024
"""A round begins only if the log still has room for this many entries and bytes."""


def only_close(entries: int, size: int) -> bool:
    """Whether a log of this length accepts only its close. `size` is the bytes of all entries."""
    return entries >= MAX_ENTRIES - 1 or size >= MAX_LOG_BYTES - ROOM_TO_CLOSE


def full(entries: int, size: int) -> bool:
    """Whether a log of this length accepts only elections and its close."""
    return only_close(entries + ELECTIONS, size + ELECTIONS * ELECTION_BYTES)


def nearly_full(entries: int, size: int) -> bool:
    """Whether the rest of the log may be too short for another round."""
    return entries > MAX_ENTRIES - ROOM_ENTRIES or size > MAX_LOG_BYTES - ROOM_BYTES
