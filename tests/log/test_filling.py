"""Bots that fill empty chairs where partners need somebody."""

from __future__ import annotations

import msgspec
import pytest

from lanuno.dealing.group import unpack
from lanuno.log import bodies, events
from lanuno.log.bodies import HOST, MAX_COUNTER, DropReason
from lanuno.log.codec import encode
from lanuno.log.duties import DutyKind, duties
from lanuno.log.events import SeatDropped
from lanuno.log.faults import Fault, Refusal, Verdict, VoidReason
from tests.harness.log_table.elections import elect, vote
from tests.harness.log_table.filling import BOT, again, comes_back, fill
from tests.harness.log_table.leaving import PAIRS
from tests.harness.log_table.log_table import SHORT, LogTable, identity, new_table
from tests.harness.log_table.moments import playing


@pytest.fixture(scope="module")
def waiting() -> LogTable:
    """Two pairs, of which one is not complete any more."""
    table = new_table(4, PAIRS, rounds=2).run(playing)
    table.drop(3)
    return table.run(lambda each: each.replay.between_rounds)


def test_a_bot_takes_an_empty_chair(waiting: LogTable) -> None:
    table = waiting.fork()
    assert table.say(HOST, fill(table, 3)) == [events.SeatFilled(3, 0)]
    replay = table.replay
    assert (replay.owner_of(3), replay.owners) == (0, (0, 1, 2))
    assert replay.roster.seats[3].bot
    assert replay.roster.seats[3].identity == BOT.public
    assert replay.genesis.read().seats[3].identity == identity(3).public
    assert table.refused(HOST, fill(table, 3, identity(78))) is Refusal.NOT_NOW
    plan = replay.next_plan()
    assert plan is not None
    assert plan.seats == (0, 1, 2, 3)
    table.identities[3] = BOT
    table.run(playing)
    assert not table.log.escrowed
    # Who left takes the seat again, in their own name; the bot plays this round to its end.
    back = table.signed(3, bodies.Return(), by=identity(3))
    assert table.refusal(table.signed(3, bodies.Return())) is Refusal.BAD_SIGNATURE
    table.append(back)
    assert replay.owners == (0, 1, 2, 3)
    table.run(lambda each: each.replay.between_rounds)
    assert replay.roster == replay.genesis.read()
    del table.identities[3]
    table.run()
    assert table.audit().verdict is Verdict.VERIFIED


def test_a_chair_is_empty_again_without_whoever_filled_it(waiting: LogTable) -> None:
    """The seat goes with the owner whose bot plays it."""
    table = waiting.fork()
    table.say(HOST, fill(table, 3))
    table.identities[3] = BOT
    table.run(playing)
    assert table.replay.absence.seats_of(0) == (0, 3)
    table.replay.absence.drop(0, DropReason.LOST, host=1)
    table.replay.absence.settle()
    assert table.replay.absence.filled == {}
    assert table.replay.match.absent == {0, 3}


@pytest.fixture(scope="module")
def filled(waiting: LogTable) -> LogTable:
    """The host's bot plays for the one who left, and somebody has to decide."""
    table = waiting.fork()
    table.say(HOST, fill(table, 3))
    table.identities[3] = BOT
    return table.run(playing)


def asked(table: LogTable, kind: DutyKind, seat: int = 3) -> bool:
    """Whether a step of a seat is due."""
    return (kind, seat) in [(due.kind, due.seat) for due in duties(table.replay)]


def test_whoever_plays_a_seat_uses_up_no_counters_of_another(waiting: LogTable) -> None:
    """The player who comes back, and the bot of the next host, could else say nothing any more."""
    table = waiting.fork()
    replay = table.replay
    mine = replay.next_counter(3)
    assert mine > 0
    table.say(HOST, fill(table, 3))
    table.identities[3] = BOT
    assert (replay.next_counter(3), replay.next_counter(3, identity(3).public)) == (0, mine)
    table.run(lambda each: asked(each, DutyKind.COMMIT))
    table.append(table.signed(3, table.commit(3), counter=MAX_COUNTER))
    old = table.signed(3, bodies.Return(), by=identity(3), counter=mine - 1)
    assert table.refusal(old) is Refusal.STALE_COUNTER
    table.append(table.signed(3, bodies.Return(), by=identity(3), counter=mine))
    assert replay.next_counter(3, identity(3).public) == mine + 1
    # Its own counters stay used up, whoever has played there meanwhile.
    assert replay.next_counter(3, BOT.public) == MAX_COUNTER + 1
    states = [encode(table.fork().replay.public()), encode(replay.public())]
    assert states[0] == states[1]


def test_whose_chair_was_filled_has_not_played(filled: LogTable) -> None:
    """A report that counted the seat would promise its player a part in that shuffle."""
    table = again(filled)
    report = table.run().audit()
    assert [each.seats for each in report.rounds if each.void is None][-1] == (0, 1, 2)
    assert report.rounds[-1].filled == ((3, 0),)
    assert [each.filled for each in report.rounds if each.void is not None] == [()]


def test_a_bot_that_cheats_in_a_chair_is_the_fault_of_its_owner(waiting: LogTable) -> None:
    """The report names the player on whose computer the bot ran, not the one who was away."""
    table = waiting.fork()
    table.say(HOST, fill(table, 3))
    table.identities[3] = BOT
    table.run(
        lambda each: (DutyKind.PASS, 3) in [(due.kind, due.seat) for due in duties(each.replay)]
    )
    honest = table.take_pass(3)
    points = unpack(honest.points, table.log.deals[-1].size)
    swapped = b"".join([points[1], points[0], *points[2:]])
    table.say(3, bodies.Pass(honest.deal, honest.step, swapped, honest.keys))
    table.run(lambda each: each.replay.between_rounds)
    table.say(HOST, table.close(bodies.CloseReason.CHEATING))
    report = table.audit()
    assert report.verdict is Verdict.CHEATING
    assert [(each.seat, each.fault) for each in report.blame] == [(0, Fault.BAD_MASK)]
    assert [each.seat for found in report.rounds for each in found.blame] == [0]


def test_whoever_leaves_again_before_the_seat_is_free_holds_up_nobody(filled: LogTable) -> None:
    table = again(filled)
    comes_back(table)
    assert 3 in table.replay.owners
    assert table.drop(3) == [SeatDropped(3, DropReason.LOST)]
    assert table.replay.owners == (0, 1, 2)
    assert not table.replay.absence.silenced(3), "the bot plays on"
    table.run(lambda each: each.replay.between_rounds)
    assert table.replay.summaries[-1].counted
    assert table.replay.absence.filled == {3: 0}
    assert table.replay.absence.voided == {3: 1}
    table.run()
    assert table.audit().verdict is Verdict.VERIFIED


def test_a_bot_goes_with_its_owner_and_the_next_host_fills_both_chairs(filled: LogTable) -> None:
    table = again(filled)
    elect(table, 1, 1, 1, 2)
    assert dropped(table.drop(0)) == [0, 3]
    assert table.replay.absence.silenced(3)
    assert table.log.void is VoidReason.LOST
    assert table.refused(3, table.reveal(3)) is Refusal.NOT_A_SEAT
    table.run(lambda each: each.replay.between_rounds)
    assert table.replay.dropped == {0: DropReason.LOST, 3: DropReason.LOST}
    assert table.replay.next_plan() is None
    for seat in (0, 3):
        table.say(HOST, fill(table, seat, identity(80 + seat)))
        table.identities[seat] = identity(80 + seat)
    assert table.replay.absence.seats_of(1) == (0, 1, 3)
    table.run(playing)
    # The host before comes back, is host again, and gets its seat with the next round.
    comes_back(table, 0)
    table.identities.pop(0)
    elect(table, 0, 2, 0, 2)
    table.say(HOST, bodies.TimeOut(table.engine.decision))
    assert table.fork().replay.host == 0, "signed by the person and not by what plays the seat"
    # The bot in its chair stops with its owner; it stays.
    assert dropped(table.drop(1)) == [1, 3]
    assert table.replay.owners == (0, 2)
    assert table.replay.absence.silenced(0), "until the round is over nobody plays it"
    table.run(lambda each: each.replay.between_rounds)
    assert table.replay.roster == table.replay.genesis.read()
    assert not table.replay.absence.silenced(0)
    table.run()
    assert table.audit().verdict is Verdict.VERIFIED


def dropped(happened: list[events.Event]) -> list[int]:
    return [each.seat for each in happened if isinstance(each, SeatDropped)]


def test_an_owner_whose_bot_played_too(filled: LogTable) -> None:
    """Two chairs are empty at once, and both are taken again or not at all."""
    table = new_table(4, PAIRS, bots={3: 0}, rounds=2).run(playing)
    elect(table, 1, 1, 1, 2)
    assert dropped(table.drop(0)) == [0, 3]
    table.run(lambda each: each.replay.between_rounds)
    for seat in (0, 3):
        table.say(HOST, fill(table, seat, identity(80 + seat)))
        table.identities[seat] = identity(80 + seat)
    table.run(playing)
    assert table.refusal(table.signed(3, bodies.Return(), by=identity(3))) is Refusal.NOT_NOW
    comes_back(table, 0)
    comes_back(table, 3)
    # Gone again before the round is over: both are away, and the bots play on.
    assert dropped(table.drop(0)) == [0, 3]
    table.run(lambda each: each.replay.between_rounds)
    assert table.replay.summaries[-1].counted
    assert table.replay.absence.owner_seats == (1, 1, 2, 1)
    table.run(playing)
    comes_back(table, 0)
    table.run(lambda each: each.replay.between_rounds)
    del table.identities[0]
    assert table.replay.absence.owner_seats == (0, 1, 2, 1)
    comes_back(table, 3)
    del table.identities[3]
    assert table.replay.roster == table.replay.genesis.read()
    table.run()
    assert table.audit().verdict is Verdict.VERIFIED


def test_of_two_the_one_who_stays_wins_and_not_the_chair_that_its_bot_plays(
    filled: LogTable,
) -> None:
    table = again(filled)
    elect(table, 1, 1, 1, 2)
    table.drop(0)
    table.run(lambda each: each.replay.between_rounds)
    for seat in (0, 3):
        table.say(HOST, fill(table, seat, identity(80 + seat)))
    assert events.Forfeited(2, 1) in table.drop(2)
    assert table.replay.match.winners == (1,)


def test_only_ones_own_seats_are_lost_by_leaving_twice(filled: LogTable) -> None:
    table = again(filled)
    absence = table.replay.absence
    assert absence.round_void([0]) == []
    assert [each.seat for each in expelled(absence.round_void([0]))] == [0]
    assert table.replay.match.playing == (1, 3)


def expelled(happened: list[events.Event]) -> list[events.SeatExpelled]:
    return [each for each in happened if isinstance(each, events.SeatExpelled)]


def test_who_cheats_through_a_bot_is_out_and_not_who_sat_there(waiting: LogTable) -> None:
    table = waiting.fork()
    elect(table, 1, 1, 1, 2)
    table.say(HOST, fill(table, 3))
    table.identities[3] = BOT
    elect(table, 2, 2, 0, 2)
    first, second = (table.signed(3, payload, counter=900) for payload in twice(table))
    happened = table.say(
        HOST, bodies.Expose(first.body, first.signature, second.body, second.signature)
    )
    assert [each.seat for each in expelled(happened)] == [1]
    assert [each.seat for each in table.replay.exposed] == [1]
    assert table.replay.absence.filled == {}
    # The bot's key signs for the chair no more.
    assert table.replay.roster == table.replay.absence.signed
    assert table.replay.dropped == {3: DropReason.LOST}


def twice(table: LogTable) -> tuple[bodies.Payload, bodies.Payload]:
    return bodies.Leave(), bodies.Listen(4711)


def test_what_a_person_did_is_not_proven_while_a_bot_plays_there(filled: LogTable) -> None:
    table = again(filled)
    both = [vote(table, 3, candidate) for candidate in (1, 2)]
    payload = bodies.ExposeVotes(*both)
    assert table.refused(HOST, payload) is Refusal.NOT_NOW
    comes_back(table)
    table.run(lambda each: each.replay.between_rounds)
    del table.identities[3]
    happened = table.say(HOST, payload)
    assert [each.seat for each in expelled(happened)] == [3]
    assert table.replay.exposed[0].fault is Fault.DOUBLE_VOTE


def test_what_is_an_owners_own(filled: LogTable) -> None:
    absence = filled.replay.absence
    assert [absence.own(0), absence.own(3)] == [(0,), (3,)]
    assert [absence.seats_of(0), absence.seats_of(3)] == [(0, 3), ()]
    assert new_table(5, SHORT, bots={1: 2, 4: 2}).replay.absence.own(2) == (2, 1, 4)


def test_who_may_not_fill_a_chair(waiting: LogTable) -> None:
    right = fill(waiting, 3)
    for wrong, why in (
        (msgspec.structs.replace(right, signature=bytes(64)), Refusal.BAD_SIGNATURE),
        (msgspec.structs.replace(right, seat=2), Refusal.NOT_NOW),
        (fill(waiting, 3, identity(1)), Refusal.ILLEGAL),
        (msgspec.structs.replace(right, identity=bytes(32)), Refusal.ILLEGAL),
    ):
        assert waiting.refused(HOST, wrong) is why
    table = new_table(4, PAIRS).run(playing)
    table.drop(3)
    assert table.refused(HOST, fill(table, 3)) is Refusal.NOT_NOW
    other = new_table(4, SHORT)
    other.drop(3)
    assert other.refused(HOST, fill(other, 3)) is Refusal.NOT_NOW
