"""The release of a secret binds a node to the log with the entry that asked for it."""

from __future__ import annotations

from functools import cache

import pytest

from lanuno.log.replay.replay import Replay
from lanuno.table.outputs import StoreRelease
from lanuno.table.released_secrets import ReleaseBinding, Released
from tests.harness.log_table.elections import elect
from tests.harness.log_table.log_table import LogTable, new_table

COUNT = 6
"""Number of entries up to the one for which a secret is released."""


@cache
def played() -> LogTable:
    return new_table(4).run(lambda table: len(table.entries) == 10)


def log(count: int) -> Replay:
    """Return the log after its first `count` entries."""
    return played().fork(count).replay


def fork(count: int) -> LogTable:
    """Return a log that has another entry after its first `count`: an election."""
    table = played().fork(count)
    elect(table)
    assert table.replay.hashes[count] != log(10).hashes[count]
    return table


def released(count: int = COUNT) -> ReleaseBinding:
    binding = ReleaseBinding()
    binding.release(log(count), 1, 3, count)
    return binding


def test_a_node_that_has_released_nothing_may_follow_any_log() -> None:
    binding = ReleaseBinding()
    assert binding.count == 0
    for table in (played(), played().fork(0), fork(COUNT - 1)):
        assert binding.holds(table.replay)
        assert not binding.denied_by(table.replay)
    assert not binding.forbids(log(COUNT - 1), fork(COUNT - 1).entries[-1])


def test_a_release_is_stored_with_the_hash_of_the_entry_that_asked_for_it() -> None:
    binding = ReleaseBinding()
    stored = binding.release(log(10), 1, 3, COUNT)
    assert stored == [StoreRelease(1, 3, COUNT, played().entries[COUNT - 1].hash)]
    assert binding.count == COUNT


def test_a_release_for_an_earlier_or_the_same_entry_stores_nothing_and_keeps_the_binding() -> None:
    binding = released()
    assert binding.release(log(10), 2, 0, COUNT) == []
    assert binding.release(log(10), 2, 1, COUNT - 2) == []
    assert binding.count == COUNT
    assert not binding.holds(log(COUNT - 1))


def test_a_release_for_a_later_entry_binds_to_that_entry_too() -> None:
    binding = released()
    [stored] = binding.release(log(10), 2, 7, COUNT + 1)
    assert (stored.count, stored.head) == (COUNT + 1, played().entries[COUNT].hash)
    assert not binding.holds(log(COUNT))
    assert binding.denied_by(fork(COUNT).replay)


@pytest.mark.parametrize("count", [COUNT, COUNT + 1, 9])
def test_a_log_with_the_entry_is_held(count: int) -> None:
    for replay in (log(count), fork(count).replay):
        assert released().holds(replay)
        assert not released().denied_by(replay)


@pytest.mark.parametrize("count", [0, 1, COUNT - 1])
def test_a_log_that_may_still_get_the_entry_is_neither_held_nor_denied(count: int) -> None:
    assert not released().holds(log(count))
    assert not released().denied_by(log(count))


@pytest.mark.parametrize("count", [0, 1, COUNT - 1])
def test_a_log_with_another_entry_in_that_place_is_denied(count: int) -> None:
    table = fork(count)
    while table.replay.seq < COUNT:
        assert not released().denied_by(table.replay)
        table.step()
    assert released().denied_by(table.replay)
    assert not released().holds(table.replay)
    table.step()
    assert released().denied_by(table.replay)


def test_only_the_entry_of_the_release_may_be_appended_in_its_place() -> None:
    binding = released()
    other = fork(COUNT - 1).entries[-1]
    assert binding.forbids(log(COUNT - 1), other)
    assert not binding.forbids(log(COUNT - 1), played().entries[COUNT - 1])
    for count in (COUNT - 2, COUNT):
        assert not binding.forbids(log(count), fork(count).entries[-1]), "another place"


def test_a_release_that_was_read_from_disk_binds_as_before() -> None:
    [stored] = ReleaseBinding().release(log(10), 1, 3, COUNT)
    binding = ReleaseBinding(Released(stored.count, stored.head))
    assert binding.count == COUNT
    assert binding.holds(log(COUNT))
    assert binding.denied_by(fork(COUNT - 1).replay)
    assert binding.forbids(log(COUNT - 1), fork(COUNT - 1).entries[-1])
    assert binding.release(log(10), 2, 0, COUNT) == []
