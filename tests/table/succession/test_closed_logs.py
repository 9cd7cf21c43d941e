"""The end of a closed log reaches the nodes that lack it, though its host is gone."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import pairwise

import pytest
from msgspec.structs import replace

from lanuno.log.format.bodies import CloseReason
from lanuno.log.format.entries import Entry
from lanuno.log.replay.replay import Replay
from lanuno.table.messages import LogPage
from lanuno.table.succession.claimed_terms import LOOK_SECONDS, MOST_LOOK_SECONDS, MOST_PAGES
from lanuno.table.succession.closed_logs import ClosedLogs
from lanuno.table.succession.fork_choice import BetterFork, LocalLog, ReadFrom
from lanuno.table.succession.round_starts import RoundStarts
from tests.harness.adversaries.false_claims import FalseClaimant
from tests.harness.host_and_seats.small_table import SmallTable
from tests.harness.log_table.elections import signed_vote
from tests.harness.log_table.log_table import identity
from tests.harness.log_table.replaying import replayed
from tests.harness.node_world.watched_world import ended, finish, started_world, until
from tests.harness.node_world.world import SimulatedNode, World


def _table() -> World:
    """Return a table of four owners that can always find one another."""
    world = started_world(4)
    world.all_found = True
    return world


def _attested(node: SimulatedNode) -> bool:
    """Whether the next entries close the round and the log, after one round of play."""
    return any(each.counted for each in node.running.replay.summaries)


# ---- whole nodes ----------------------------------------------------------------------------


@pytest.mark.parametrize("lacking", [1, 3, 40])
def test_a_host_that_lost_its_last_entries_hears_of_the_end_from_a_guest(lacking: int) -> None:
    world = _table()
    host = world.nodes[0]
    until(world, ended(world))
    world.crash(host, power=True)
    del host.disk.entries[-lacking:]
    world.restart(host)
    assert host.running.replay.closed is None
    assert finish(world) is CloseReason.STOPPED


@pytest.mark.parametrize("asks_before", [False, True])
def test_a_guest_hears_of_the_end_from_another_one_when_the_host_is_gone(asks_before: bool) -> None:
    world = _table()
    host, guest, behind = world.nodes[:3]
    until(world, lambda: _attested(host))
    world.block(host, behind)
    if not asks_before:
        for other in world.nodes[1:]:
            world.block(behind, other)
    until(world, ended(world, 0, 1, 3))
    world.crash(host)
    assert asks_before or behind.running.replay.closed is None
    world.unblock_all()
    until(world, ended(world, 1, 2, 3))
    assert behind.running.replay.head == guest.running.replay.head


def test_an_old_host_gives_up_its_own_end_for_the_close_of_a_later_term() -> None:
    """While it was away, another host was elected, ended the match and disappeared as well."""
    world = _table()
    old = world.nodes[0]
    until(world, lambda: old.running.replay.seq > 60)
    for other in world.nodes[1:]:
        world.block(old, other)
    until(world, ended(world, 1, 2, 3))
    new = world.nodes[world.nodes[1].running.replay.host]
    assert new is not old
    own = len(old.disk.entries)
    assert old.running.hosts, "it rules on, and nothing of it is final"
    world.crash(new)
    world.unblock_all()
    left = [each.number for each in world.nodes if each is not new]
    until(world, ended(world, *left))
    assert len({world.nodes[number].running.replay.head for number in left}) == 1
    assert old.disk.entries != old.disk.entries[:own], "more than what it knew"


@pytest.mark.parametrize(
    ("shows", "lacks"),
    [
        (lambda copy: replace(copy, entries=copy.entries[:-1]), 1),
        (
            lambda copy: replace(
                copy, entries=tuple(replace(each, signature=bytes(64)) for each in copy.entries)
            ),
            None,
        ),
        (lambda copy: replace(copy, first=copy.first + 1), None),
        (lambda copy: replace(copy, entries=()), None),
    ],
    ids=["cut short", "signed by nobody", "another place", "nothing"],
)
def test_an_end_that_is_none_is_not_taken(
    shows: Callable[[LogPage], LogPage], lacks: int | None
) -> None:
    """`lacks`: how many entries of the whole log the host, which signed and lost some, still lacks.

    None: all that it has lost.
    """
    world = _table()
    host, liar = world.nodes[0], world.nodes[1]
    until(world, ended(world))
    liar.adversary = adversary = FalseClaimant(shows)
    world.crash(host, power=True)
    del host.disk.entries[-5:]
    for other in world.nodes[2:]:
        world.crash(other)
    world.restart(host)
    before, held = world.now, host.running.replay.seq
    world.run(lambda: world.now > before + 20, most=before + 21)
    assert adversary.shown
    whole = liar.running.replay.seq
    found = held if lacks is None else whole - lacks
    assert (host.running.replay.seq, host.running.replay.closed) == (found, None)
    assert host.running.replica.stopped is None
    world.restart(world.nodes[2])
    until(world, ended(world, 0))


# ---- what is handed on, looked at alone ---------------------------------------------------------


@cache
def _closed() -> tuple[SmallTable, tuple[Entry, ...]]:
    table = SmallTable(3, 1).run()
    return table, tuple(table.journal)


def _own(count: int, final: int = 0) -> LocalLog:
    held = _closed()[1][:count]
    genesis = _closed()[0].genesis
    return LocalLog(replayed(genesis, held), held, final, True, RoundStarts(genesis))


def _handed_on(own: LocalLog, first: int, most: int) -> tuple[object, int]:
    """Pass on the closed log in pages of `most` entries."""
    closed_logs, log = ClosedLogs(), _closed()[1]
    for pages in range(1, len(log) + 2):
        said = LogPage(first, log[first : first + most])
        found = closed_logs.take_page(5, 1, own, said, 100.0)
        if not isinstance(found, ReadFrom):
            return found, pages
        first = found.first
    raise AssertionError("there is no end to it")


@pytest.mark.parametrize("most", [1, 7, 1000])
@pytest.mark.parametrize("lacking", [1, 20])
def test_the_end_is_found_in_parts(most: int, lacking: int) -> None:
    log = _closed()[1]
    count = len(log) - lacking
    found, pages = _handed_on(_own(count), count - 3, most)
    assert isinstance(found, BetterFork)
    assert (found.first, found.entries) == (count, log[count:])
    assert pages == -(-(lacking + 3) // most)


def test_a_node_in_a_later_term_ignores_a_close_of_an_earlier_one() -> None:
    table, log = _closed()
    count = len(log) - 4
    replay = replayed(table.genesis, log[:count])
    mine = [*log[:count], _elected(replay)]
    own = LocalLog(replayed(table.genesis, mine), mine, 0, True, RoundStarts(table.genesis))
    assert ClosedLogs().take_page(5, 1, own, LogPage(count, log[count:]), 100.0) is None


def _elected(replay: Replay) -> Entry:
    """Return the first entry of the next term."""
    return replay.elect(
        [signed_vote(replay, seat) for seat in range(3)], replay.times.ms, identity(1)
    )[0]


def test_a_node_that_hands_on_nothing_is_asked_less_and_less_often() -> None:
    own, log = _own(9), _closed()[1]
    closed_logs, now, read = ClosedLogs(), 0.0, []
    while now < 1000:
        # The first page is valid, but leads to nothing.
        if isinstance(closed_logs.take_page(5, 1, own, LogPage(9, log[9:10]), now), ReadFrom):
            read.append(now)
            closed_logs.take_page(5, 1, own, LogPage(10, ()), now)
        now += LOOK_SECONDS / 5
    between = [after - before for before, after in pairwise(read)]
    assert between[:5] == [5, 10, 20, 40, 80]
    assert max(between) == MOST_LOOK_SECONDS


def test_no_reading_is_without_end() -> None:
    """Repeating the same known entry leads nowhere, and is not requested forever."""
    own, log = _own(9), _closed()[1]
    closed_logs, first, pages = ClosedLogs(), 0, 0
    while True:
        pages += 1
        found = closed_logs.take_page(5, 1, own, LogPage(first, log[:1]), 100.0)
        if not isinstance(found, ReadFrom):
            break
        first = found.first
    assert pages == MOST_PAGES


def test_nothing_is_read_on_over_another_link() -> None:
    own, log = _own(9), _closed()[1]
    closed_logs = ClosedLogs()
    assert closed_logs.take_page(5, 1, own, LogPage(9, log[9:12]), 100.0) == ReadFrom(12)
    assert closed_logs.take_page(6, 1, own, LogPage(12, log[12:]), 100.1) is None
    closed_logs.drop_link(5)
    assert closed_logs.take_page(5, 1, own, LogPage(12, log[12:]), 100.2) is None
    assert isinstance(closed_logs.take_page(5, 1, own, LogPage(9, log[9:]), 200.0), BetterFork)
