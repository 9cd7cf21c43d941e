"""The limits of a log: where only elections or a close may follow, and where no round may begin."""

from __future__ import annotations

import pytest

from lanuno.log.format.bodies import MAX_BODY
from lanuno.log.format.limits import (
    ELECTION_BYTES,
    ELECTIONS,
    MAX_ENTRIES,
    MAX_LOG_BYTES,
    ROOM_BYTES,
    ROOM_ENTRIES,
    ROOM_TO_CLOSE,
    full,
    nearly_full,
    only_close,
)

LAST_ENTRIES = MAX_ENTRIES - 1
LAST_BYTES = MAX_LOG_BYTES - ROOM_TO_CLOSE


def test_the_last_entry_of_a_log_is_its_close() -> None:
    assert not only_close(LAST_ENTRIES - 1, LAST_BYTES - 1)
    assert only_close(LAST_ENTRIES, 0)
    assert only_close(0, LAST_BYTES)


def test_a_full_log_still_holds_every_reserved_election() -> None:
    """Every election may be as long as its reserve, and the close still follows the last one."""
    entries, size = LAST_ENTRIES - ELECTIONS, LAST_BYTES - ELECTIONS * ELECTION_BYTES
    assert not full(entries - 1, size - 1)
    for first in ((entries, 0), (0, size)):
        assert full(*first)
        count, length = first
        for _ in range(ELECTIONS):
            assert not only_close(count, length)
            count, length = count + 1, length + ELECTION_BYTES
        assert only_close(count, length)


def test_an_entry_of_any_length_and_the_close_fit_behind_the_last_bytes() -> None:
    """The entry below the limit may have the longest body; an entry adds its other fields."""
    others = 1_000
    assert LAST_BYTES - 1 + MAX_BODY + others + others < MAX_LOG_BYTES


@pytest.mark.parametrize(
    ("entries", "size", "near"),
    [
        (MAX_ENTRIES - ROOM_ENTRIES, MAX_LOG_BYTES - ROOM_BYTES, False),
        (MAX_ENTRIES - ROOM_ENTRIES + 1, 0, True),
        (0, MAX_LOG_BYTES - ROOM_BYTES + 1, True),
    ],
)
def test_a_round_begins_only_with_room_for_its_entries(
    entries: int, size: int, *, near: bool
) -> None:
    assert nearly_full(entries, size) == near


def test_a_log_without_room_for_a_round_is_not_yet_full() -> None:
    """The round that began last can be finished, except for what the elections reserve."""
    entries, size = MAX_ENTRIES - ROOM_ENTRIES, MAX_LOG_BYTES - ROOM_BYTES
    left_entries = ROOM_ENTRIES - ELECTIONS - 2
    left_bytes = ROOM_BYTES - ELECTIONS * ELECTION_BYTES - ROOM_TO_CLOSE - 1
    assert not nearly_full(entries, size)
    assert not full(entries + left_entries, size + left_bytes)
    assert full(entries + left_entries + 1, size)
    assert full(entries, size + left_bytes + 1)
