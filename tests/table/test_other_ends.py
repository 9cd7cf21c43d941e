"""Entries that do not go on where our own log ends: which of them are looked at at all."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest
from msgspec.structs import replace

from lanuno.log import bodies
from lanuno.log.bodies import sign_body
from lanuno.log.entries import Entry, sign_entry
from lanuno.log.faults import Blame, Fault
from lanuno.log.replay import Replay
from lanuno.log.votes import SignedVote
from lanuno.table.other_ends import (
    GivenUp,
    LookAt,
    Newer,
    OtherEnds,
    OwnEnd,
    Wrong,
    _may_be,
    follow_on,
)
from lanuno.table.round_starts import RoundStarts
from tests.harness.host_and_seats.small_table import SmallTable
from tests.harness.log_table.elections import signed_vote
from tests.harness.log_table.following import followed
from tests.harness.log_table.log_table import identity


@cache
def _log() -> tuple[SmallTable, tuple[Entry, ...]]:
    table = SmallTable(3, 1).run(lambda each: len(each.journal) > 20)
    return table, tuple(table.journal[:20])


def _replay(entries: Sequence[Entry]) -> Replay:
    return followed(_log()[0].genesis, entries)


def _elect(held: Sequence[Entry], *votes: SignedVote) -> Entry:
    """The first entry of term 1, with these votes in it, right or not."""
    replay = _replay(held)
    true, _ = replay.elect(
        [signed_vote(_replay(held), seat) for seat in range(3)], replay.times.ms, identity(1)
    )
    core = true.read()
    body = replace(core.signed_body.read(), payload=bodies.Elect(votes))
    told = sign_body(body, identity(1))
    return sign_entry(replace(core, body=told.body, body_signature=told.signature), identity(1))


def test_only_what_two_owners_speak_for_may_be_another_end() -> None:
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


def _own(entries: Sequence[Entry], *, firm: int = 0, catching_up: bool) -> OwnEnd:
    return OwnEnd(
        _replay(entries), list(entries), firm, catching_up, RoundStarts(_log()[0].genesis)
    )


def test_an_earlier_end_is_followed_only_by_whoever_has_asked() -> None:
    log, ours = _log()[1], _grown(15, 1, 1)
    ends = OtherEnds()
    assert ends.meet(_own(ours, catching_up=True), 15, log[15:]) == LookAt(20)
    assert ends.following
    ends = OtherEnds()
    found = ends.meet(_own(ours, catching_up=False), 15, log[15:])
    assert isinstance(found, Wrong)
    assert not ends.following
    assert found.blame.fault is Fault.FORGED, "not by the host of our term"


def test_an_end_that_parts_further_back_is_asked_for_only_by_whoever_has_asked() -> None:
    log, ours = _log()[1], _grown(15, 1, 1)
    ends = OtherEnds()
    assert ends.meet(_own(ours, catching_up=True), 16, log[16:]) == LookAt(15)
    assert isinstance(ends.meet(_own(ours, catching_up=False), 16, log[16:]), Wrong)
    assert ends.compare(_own(ours, catching_up=True), 16, log[16:]) == LookAt(15)
    assert not ends.following
    # And before the first of our terms there is only the beginning.
    theirs = _grown(3, 2, 2)
    one_more = sign_entry(replace(log[16].read(), term=2), identity(2))
    own = _own(ours, catching_up=True)
    assert ends.meet(own, 15, (one_more,)) == LookAt(0)
    found = ends.meet(own, 3, theirs[3:])
    assert isinstance(found, Newer)
    assert (found.first, found.term, found.host) == (3, 2, 2)


@pytest.mark.parametrize("firm", [0, 14, 15, 16])
def test_what_is_firm_is_given_up_for_nothing(firm: int) -> None:
    log, theirs = _log()[1], _grown(15, 1, 1)
    found = OtherEnds().compare(_own(log, firm=firm, catching_up=True), 15, theirs[15:])
    assert isinstance(found, Newer if firm <= 15 else GivenUp)


def test_only_an_election_shows_that_what_is_firm_was_given_up() -> None:
    """Whoever says so without its votes, or with others, stops nobody by it."""
    log, theirs = _log()[1], _grown(15, 1, 1)
    replay = _replay(log[:15])
    unsigned = replace(theirs[15], signature=bytes(64))
    for lie in (
        unsigned,
        _elect(log[:15], signed_vote(replay, 1), signed_vote(replay, 2, by=identity(1))),
    ):
        for catching_up in (True, False):
            found = OtherEnds().meet(_own(log, firm=20, catching_up=catching_up), 15, (lie,))
            assert isinstance(found, Wrong)
            assert (found.blame.seat, found.blame.fault) == (None, Fault.FORGED)
    # It counts on whatever page of the other end the election stands.
    older = _grown(12, 2, 2)
    ends, own = OtherEnds(), _own(ours := _grown(13, 1, 1), firm=13, catching_up=True)
    assert ours[12].read().term == 0
    assert ends.meet(own, 12, older[12:]) == GivenUp(
        Blame(
            None, Fault.BAD_ORDER, replay.number, 12, "an election that passes over firm entries"
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
    own = OwnEnd(
        followed(table.genesis, whole),
        whole,
        0,
        catching_up=False,
        starts=RoundStarts(table.genesis),
    )
    assert own.replay.closed is not None
    assert OtherEnds().meet(own, 4, (lie,)) is None
    short = OwnEnd(
        followed(table.genesis, whole[:9]),
        whole[:9],
        0,
        catching_up=False,
        starts=RoundStarts(table.genesis),
    )
    found = OtherEnds().meet(short, 4, (lie,))
    assert isinstance(found, Wrong)
    assert found.blame.fault is Fault.EQUIVOCATION
