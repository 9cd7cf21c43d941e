"""Entries that do not continue our log: which of them are examined at all."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest
from msgspec.structs import replace

from lanuno.log.faults import Blame, Fault
from lanuno.log.format import bodies
from lanuno.log.format.bodies import sign_body
from lanuno.log.format.entries import Entry, sign_entry
from lanuno.log.format.votes import SignedVote
from lanuno.log.replay.replay import Replay
from lanuno.table.succession.fork_choice import (
    AbandonedFork,
    BetterFork,
    ForkReader,
    InvalidFork,
    LocalLog,
    ReadFrom,
    _may_be,
    follow_on,
)
from lanuno.table.succession.round_starts import RoundStarts
from tests.harness.host_and_seats.small_table import SmallTable
from tests.harness.log_table.elections import signed_vote
from tests.harness.log_table.log_table import identity
from tests.harness.log_table.replaying import replayed


@cache
def _log() -> tuple[SmallTable, tuple[Entry, ...]]:
    table = SmallTable(3, 1).run(lambda each: len(each.journal) > 20)
    return table, tuple(table.journal[:20])


def _replay(entries: Sequence[Entry]) -> Replay:
    return replayed(_log()[0].genesis, entries)


def _elect(held: Sequence[Entry], *votes: SignedVote) -> Entry:
    """Return the first entry of term 1, with these votes, valid or not."""
    replay = _replay(held)
    true, _ = replay.elect(
        [signed_vote(_replay(held), seat) for seat in range(3)], replay.times.ms, identity(1)
    )
    core = true.read()
    body = replace(core.signed_body.read(), payload=bodies.Elect(votes))
    told = sign_body(body, identity(1))
    return sign_entry(replace(core, body=told.body, body_signature=told.signature), identity(1))


def test_only_a_log_that_two_owners_confirm_may_be_another_end() -> None:
    _, log = _log()
    replay = _replay(log)
    one, two = signed_vote(replay, 1), signed_vote(replay, 2)
    assert _may_be(replay, _elect(log, one, two))
    for wrong in (
        one,
        signed_vote(replay, 9),
        signed_vote(replay, 3),
        signed_vote(replay, 2, by=identity(1)),
        signed_vote(replay, 2, table=bytes(32)),
        SignedVote(b"?", bytes(64)),
    ):
        assert not _may_be(replay, _elect(log, one, wrong))
    assert not _may_be(replay, Entry(b"?", bytes(64)))
    assert _may_be(replay, log[3]), "signed by the host of its term"
    assert not _may_be(replay, replace(log[3], signature=bytes(64)))
    unknown = sign_entry(replace(log[3].read(), term=7), identity(0))
    assert not _may_be(replay, unknown), "nobody is known to be host then"


def _grown(count: int, term: int, winner: int) -> list[Entry]:
    held = _log()[1][:count]
    replay = _replay(held)
    votes = [signed_vote(replay, seat, winner, term) for seat in range(3)]
    return [*held, replay.elect(votes, replay.times.ms, identity(winner))[0]]


def _own(entries: Sequence[Entry], *, final: int = 0, catching_up: bool) -> LocalLog:
    return LocalLog(
        _replay(entries), list(entries), final, catching_up, RoundStarts(_log()[0].genesis)
    )


def test_an_earlier_fork_is_followed_only_on_request() -> None:
    log, ours = _log()[1], _grown(15, 1, 1)
    ends = ForkReader()
    assert ends.begin_fork(_own(ours, catching_up=True), 15, log[15:]) == ReadFrom(20)
    assert ends.following
    ends = ForkReader()
    found = ends.begin_fork(_own(ours, catching_up=False), 15, log[15:])
    assert isinstance(found, InvalidFork)
    assert not ends.following
    assert found.blame.fault is Fault.FORGED, "not by the host of our term"


def test_a_fork_further_back_is_fetched_only_on_request() -> None:
    log, ours = _log()[1], _grown(15, 1, 1)
    ends = ForkReader()
    assert ends.begin_fork(_own(ours, catching_up=True), 16, log[16:]) == ReadFrom(15)
    assert isinstance(ends.begin_fork(_own(ours, catching_up=False), 16, log[16:]), InvalidFork)
    assert ends.compare(_own(ours, catching_up=True), 16, log[16:]) == ReadFrom(15)
    assert not ends.following
    # And before the first of our terms there is only the beginning.
    theirs = _grown(3, 2, 2)
    one_more = sign_entry(replace(log[16].read(), term=2), identity(2))
    own = _own(ours, catching_up=True)
    assert ends.begin_fork(own, 15, (one_more,)) == ReadFrom(0)
    found = ends.begin_fork(own, 3, theirs[3:])
    assert isinstance(found, BetterFork)
    assert (found.first, found.term, found.host) == (3, 2, 2)


@pytest.mark.parametrize("final", [0, 14, 15, 16])
def test_final_entries_are_never_given_up(final: int) -> None:
    log, theirs = _log()[1], _grown(15, 1, 1)
    found = ForkReader().compare(_own(log, final=final, catching_up=True), 15, theirs[15:])
    assert isinstance(found, BetterFork if final <= 15 else AbandonedFork)


def test_only_an_election_shows_that_what_is_final_was_given_up() -> None:
    """A claim without its votes, or with other votes, stops no node."""
    log, theirs = _log()[1], _grown(15, 1, 1)
    replay = _replay(log[:15])
    unsigned = replace(theirs[15], signature=bytes(64))
    for lie in (
        unsigned,
        _elect(log[:15], signed_vote(replay, 1), signed_vote(replay, 2, by=identity(1))),
    ):
        for catching_up in (True, False):
            found = ForkReader().begin_fork(
                _own(log, final=20, catching_up=catching_up), 15, (lie,)
            )
            assert isinstance(found, InvalidFork)
            assert (found.blame.seat, found.blame.fault) == (None, Fault.FORGED)
    # It counts on any page of the other fork that contains the election.
    older = _grown(12, 2, 2)
    ends, own = ForkReader(), _own(ours := _grown(13, 1, 1), final=13, catching_up=True)
    assert ours[12].read().term == 0
    assert ends.begin_fork(own, 12, older[12:]) == AbandonedFork(
        Blame(
            None, Fault.BAD_ORDER, replay.number, 12, "an election that passes over final entries"
        ),
        12,
        tuple(older[12:]),
    )


def test_only_what_its_host_signed_for_this_place_goes_on_with_a_log() -> None:
    log = _log()[1]
    replay = _replay(log[:15])
    right = log[15:]
    assert follow_on(replay, right) == tuple(right)
    assert follow_on(replay, ()) == ()
    for wrong in (
        Entry(b"?", bytes(64)),
        log[14],
        replace(right[1], signature=bytes(64)),
        sign_entry(replace(right[1].read(), prev=bytes(32)), identity(0)),
        sign_entry(replace(right[1].read(), term=1), identity(0)),
        sign_entry(right[1].read(), identity(1)),
    ):
        assert follow_on(replay, (right[0], wrong, *right[2:])) == (right[0],)


def test_another_entry_proves_nothing_once_the_log_is_closed() -> None:
    table, _ = _log()
    whole = SmallTable(3, 1).run().journal
    lie = sign_entry(replace(whole[4].read(), ms=10**6), identity(0))
    own = LocalLog(
        replayed(table.genesis, whole),
        whole,
        0,
        catching_up=False,
        starts=RoundStarts(table.genesis),
    )
    assert own.replay.closed is not None
    assert ForkReader().begin_fork(own, 4, (lie,)) is None
    short = LocalLog(
        replayed(table.genesis, whole[:9]),
        whole[:9],
        0,
        catching_up=False,
        starts=RoundStarts(table.genesis),
    )
    found = ForkReader().begin_fork(short, 4, (lie,))
    assert isinstance(found, InvalidFork)
    assert found.blame.fault is Fault.EQUIVOCATION
