"""Bots that fill in for absent players in formats with partners."""

from __future__ import annotations

import msgspec
import pytest

from lanuno.dealing.group import unpack
from lanuno.log.faults import AuditVerdict, Fault, RefusalReason, VoidReason
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST, MAX_COUNTER, DropReason
from lanuno.log.format.codec import encode
from lanuno.log.replay.due_steps import AutomaticStepKind, automatic_steps
from lanuno.log.round import events
from lanuno.log.round.events import SeatDropped
from tests.harness.log_table.elections import elect, vote
from tests.harness.log_table.filling import (
    BOT,
    fill_in_payload,
    fork_with_bot,
    incomplete_pairs,
    take_seat_back,
)
from tests.harness.log_table.leaving import PAIRS
from tests.harness.log_table.log_table import SHORT, LogTable, identity, new_table
from tests.harness.log_table.moments import playing


@pytest.fixture(scope="module")
def waiting() -> LogTable:
    """Two pairs, one of which is incomplete."""
    return incomplete_pairs()


def test_a_bot_takes_an_empty_seat(waiting: LogTable) -> None:
    table = waiting.fork()
    assert table.add(HOST, fill_in_payload(table, 3)) == [events.SeatFilled(3, 0)]
    replay = table.replay
    assert (replay.owner_of(3), replay.owners) == (0, (0, 1, 2))
    assert replay.roster.seats[3].bot
    assert replay.roster.seats[3].identity == BOT.public
    assert replay.genesis.read().seats[3].identity == identity(3).public
    assert table.refusal_of(HOST, fill_in_payload(table, 3, identity(78))) is RefusalReason.NOT_NOW
    plan = replay.next_plan()
    assert plan is not None
    assert plan.seats == (0, 1, 2, 3)
    table.identities[3] = BOT
    table.run(playing)
    assert not table.log.escrowed
    # The player who left takes the seat again and signs for it; the bot finishes this round.
    back = table.signed(3, bodies.Return(), by=identity(3))
    assert table.refusal(table.signed(3, bodies.Return())) is RefusalReason.BAD_SIGNATURE
    table.append(back)
    assert replay.owners == (0, 1, 2, 3)
    table.run(lambda each: each.replay.between_rounds)
    assert replay.roster == replay.genesis.read()
    del table.identities[3]
    table.run()
    assert table.audit().verdict is AuditVerdict.VERIFIED


def test_a_filled_seat_is_empty_again_without_the_bots_owner(waiting: LogTable) -> None:
    """The seat is dropped with the owner whose bot plays it."""
    table = waiting.fork()
    table.add(HOST, fill_in_payload(table, 3))
    table.identities[3] = BOT
    table.run(playing)
    assert table.replay.absence.seats_of(0) == (0, 3)
    table.replay.absence.drop(0, DropReason.LOST, host=1)
    table.replay.absence.settle()
    assert table.replay.absence.filled == {}
    assert table.replay.match.absent == {0, 3}


@pytest.fixture(scope="module")
def filled(waiting: LogTable) -> LogTable:
    """The host's bot plays for the player who left, and a seat has to decide."""
    table = waiting.fork()
    table.add(HOST, fill_in_payload(table, 3))
    table.identities[3] = BOT
    return table.run(playing)


def asked(table: LogTable, kind: AutomaticStepKind, seat: int = 3) -> bool:
    """Whether this step of a seat is due."""
    return (kind, seat) in [(due.kind, due.seat) for due in automatic_steps(table.replay)]


def test_players_of_one_seat_have_counters_of_their_own(waiting: LogTable) -> None:
    """Otherwise the returning player and the bot of the next host could sign nothing more."""
    table = waiting.fork()
    replay = table.replay
    mine = replay.next_counter(3)
    assert mine > 0
    table.add(HOST, fill_in_payload(table, 3))
    table.identities[3] = BOT
    assert (replay.next_counter(3), replay.next_counter(3, identity(3).public)) == (0, mine)
    table.run(lambda each: asked(each, AutomaticStepKind.COMMIT))
    table.append(table.signed(3, table.commit(3), counter=MAX_COUNTER))
    old = table.signed(3, bodies.Return(), by=identity(3), counter=mine - 1)
    assert table.refusal(old) is RefusalReason.STALE_COUNTER
    table.append(table.signed(3, bodies.Return(), by=identity(3), counter=mine))
    assert replay.next_counter(3, identity(3).public) == mine + 1
    # The bot's counters stay used even after another bot has played there.
    assert replay.next_counter(3, BOT.public) == MAX_COUNTER + 1
    states = [encode(table.fork().replay.public_state()), encode(replay.public_state())]
    assert states[0] == states[1]


def test_a_player_whose_seat_was_filled_has_not_played(filled: LogTable) -> None:
    """A report that counted the seat would credit its player with a part in that shuffle."""
    table = fork_with_bot(filled)
    report = table.run().audit()
    assert [each.seats for each in report.rounds if each.void is None][-1] == (0, 1, 2)
    assert report.rounds[-1].filled == ((3, 0),)
    assert [each.filled for each in report.rounds if each.void is not None] == [()]


def test_the_owner_of_a_cheating_bot_is_blamed(waiting: LogTable) -> None:
    """The report names the player on whose node the bot ran, not the absent player."""
    table = waiting.fork()
    table.add(HOST, fill_in_payload(table, 3))
    table.identities[3] = BOT
    table.run(
        lambda each: (
            (AutomaticStepKind.PASS, 3)
            in [(due.kind, due.seat) for due in automatic_steps(each.replay)]
        )
    )
    honest = table.take_pass(3)
    points = unpack(honest.points, table.log.deals[-1].size)
    swapped = b"".join([points[1], points[0], *points[2:]])
    table.add(3, bodies.Pass(honest.deal, honest.step, swapped, honest.keys))
    table.run(lambda each: each.replay.between_rounds)
    table.add(HOST, table.close(bodies.CloseReason.CHEATING))
    report = table.audit()
    assert report.verdict is AuditVerdict.CHEATING
    assert [(each.seat, each.fault) for each in report.blame] == [(0, Fault.BAD_MASK)]
    assert [each.seat for found in report.rounds for each in found.blame] == [0]


def test_a_player_who_leaves_again_before_the_seat_is_free_delays_nobody(filled: LogTable) -> None:
    table = fork_with_bot(filled)
    take_seat_back(table)
    assert 3 in table.replay.owners
    assert table.drop(3) == [SeatDropped(3, DropReason.LOST)]
    assert table.replay.owners == (0, 1, 2)
    assert not table.replay.absence.may_not_sign(3), "the bot plays on"
    table.run(lambda each: each.replay.between_rounds)
    assert table.replay.summaries[-1].counted
    assert table.replay.absence.filled == {3: 0}
    assert table.replay.absence.voided_rounds == {3: 1}
    table.run()
    assert table.audit().verdict is AuditVerdict.VERIFIED


def test_a_bot_goes_with_its_owner_and_the_next_host_fills_both_seats(filled: LogTable) -> None:
    table = fork_with_bot(filled)
    elect(table, 1, 1, 1, 2)
    assert dropped(table.drop(0)) == [0, 3]
    assert table.replay.absence.may_not_sign(3)
    assert table.log.void is VoidReason.LOST
    assert table.refusal_of(3, table.reveal(3)) is RefusalReason.NOT_A_SEAT
    table.run(lambda each: each.replay.between_rounds)
    assert table.replay.dropped == {0: DropReason.LOST, 3: DropReason.LOST}
    assert table.replay.next_plan() is None
    for seat in (0, 3):
        table.add(HOST, fill_in_payload(table, seat, identity(80 + seat)))
        table.identities[seat] = identity(80 + seat)
    assert table.replay.absence.seats_of(1) == (0, 1, 3)
    table.run(playing)
    # The former host returns, is elected again, and gets its seat with the next round.
    take_seat_back(table, 0)
    table.identities.pop(0)
    elect(table, 0, 2, 0, 2)
    table.add(HOST, bodies.TimeOut(table.engine.decision))
    assert table.fork().replay.host == 0, "signed by the person and not by what plays the seat"
    # The bot in its seat stops with the bot's owner; the player stays.
    assert dropped(table.drop(1)) == [1, 3]
    assert table.replay.owners == (0, 2)
    assert table.replay.absence.may_not_sign(0), "until the round is over nobody plays it"
    assert not table.replay.absence.is_gone(0), "but its player is back, and can be missed"
    table.run(lambda each: each.replay.between_rounds)
    assert table.replay.roster == table.replay.genesis.read()
    assert not table.replay.absence.may_not_sign(0)
    table.run()
    assert table.audit().verdict is AuditVerdict.VERIFIED


def dropped(happened: list[events.LogEvent]) -> list[int]:
    return [each.seat for each in happened if isinstance(each, SeatDropped)]


def test_an_owner_whose_bot_played_too(filled: LogTable) -> None:
    """Two seats become empty together, and either both or none are filled."""
    table = new_table(4, PAIRS, bots={3: 0}, rounds=2).run(playing)
    elect(table, 1, 1, 1, 2)
    assert dropped(table.drop(0)) == [0, 3]
    table.run(lambda each: each.replay.between_rounds)
    for seat in (0, 3):
        table.add(HOST, fill_in_payload(table, seat, identity(80 + seat)))
        table.identities[seat] = identity(80 + seat)
    table.run(playing)
    assert table.refusal(table.signed(3, bodies.Return(), by=identity(3))) is RefusalReason.NOT_NOW
    take_seat_back(table, 0)
    take_seat_back(table, 3)
    # Dropped again before the round is over: both seats are away, and the bots continue.
    assert dropped(table.drop(0)) == [0, 3]
    table.run(lambda each: each.replay.between_rounds)
    assert table.replay.summaries[-1].counted
    assert table.replay.absence.owner_seats == (1, 1, 2, 1)
    table.run(playing)
    take_seat_back(table, 0)
    table.run(lambda each: each.replay.between_rounds)
    del table.identities[0]
    assert table.replay.absence.owner_seats == (0, 1, 2, 1)
    take_seat_back(table, 3)
    del table.identities[3]
    assert table.replay.roster == table.replay.genesis.read()
    table.run()
    assert table.audit().verdict is AuditVerdict.VERIFIED


def test_of_two_owners_the_one_who_stays_wins_and_not_its_bot(
    filled: LogTable,
) -> None:
    table = fork_with_bot(filled)
    elect(table, 1, 1, 1, 2)
    table.drop(0)
    table.run(lambda each: each.replay.between_rounds)
    for seat in (0, 3):
        table.add(HOST, fill_in_payload(table, seat, identity(80 + seat)))
    assert events.Forfeited(2, 1) in table.drop(2)
    assert table.replay.match.winners == (1,)


def test_only_ones_own_seats_are_lost_by_leaving_twice(filled: LogTable) -> None:
    table = fork_with_bot(filled)
    absence = table.replay.absence
    assert absence.round_void([0]) == []
    assert [each.seat for each in expelled(absence.round_void([0]))] == [0]
    assert table.replay.match.playing == (1, 3)


def expelled(happened: list[events.LogEvent]) -> list[events.SeatExpelled]:
    return [each for each in happened if isinstance(each, events.SeatExpelled)]


def test_equivocation_by_a_stand_in_expels_its_owner_and_not_the_player(waiting: LogTable) -> None:
    table = waiting.fork()
    elect(table, 1, 1, 1, 2)
    table.add(HOST, fill_in_payload(table, 3))
    table.identities[3] = BOT
    elect(table, 2, 2, 0, 2)
    first, second = (table.signed(3, payload, counter=900) for payload in twice(table))
    happened = table.add(
        HOST, bodies.Expose(first.body, first.signature, second.body, second.signature)
    )
    assert [each.seat for each in expelled(happened)] == [1]
    assert [each.seat for each in table.replay.exposed] == [1]
    assert table.replay.absence.filled == {}
    # The bot's key no longer signs for the seat.
    assert table.replay.roster == table.replay.absence.signed_roster
    assert table.replay.dropped == {3: DropReason.LOST}


def twice(table: LogTable) -> tuple[bodies.Payload, bodies.Payload]:
    return bodies.Leave(), bodies.Listen(4711)


def test_what_a_person_did_is_not_proven_while_a_bot_plays_there(filled: LogTable) -> None:
    table = fork_with_bot(filled)
    both = [vote(table, 3, candidate) for candidate in (1, 2)]
    payload = bodies.ExposeVotes(*both)
    assert table.refusal_of(HOST, payload) is RefusalReason.NOT_NOW
    take_seat_back(table)
    table.run(lambda each: each.replay.between_rounds)
    del table.identities[3]
    happened = table.add(HOST, payload)
    assert [each.seat for each in expelled(happened)] == [3]
    assert table.replay.exposed[0].fault is Fault.DOUBLE_VOTE


def test_the_seats_of_an_owner_include_the_ones_that_it_fills(filled: LogTable) -> None:
    absence = filled.replay.absence
    assert [absence.original_seats(0), absence.original_seats(3)] == [(0,), (3,)]
    assert [absence.seats_of(0), absence.seats_of(3)] == [(0, 3), ()]
    assert new_table(5, SHORT, bots={1: 2, 4: 2}).replay.absence.original_seats(2) == (2, 1, 4)


def test_which_bots_may_not_fill_a_seat(waiting: LogTable) -> None:
    right = fill_in_payload(waiting, 3)
    for wrong, why in (
        (msgspec.structs.replace(right, signature=bytes(64)), RefusalReason.BAD_SIGNATURE),
        (msgspec.structs.replace(right, seat=2), RefusalReason.NOT_NOW),
        (fill_in_payload(waiting, 3, identity(1)), RefusalReason.ILLEGAL),
        (msgspec.structs.replace(right, identity=bytes(32)), RefusalReason.ILLEGAL),
    ):
        assert waiting.refusal_of(HOST, wrong) is why
    table = new_table(4, PAIRS).run(playing)
    table.drop(3)
    assert table.refusal_of(HOST, fill_in_payload(table, 3)) is RefusalReason.NOT_NOW
    other = new_table(4, SHORT)
    other.drop(3)
    assert other.refusal_of(HOST, fill_in_payload(other, 3)) is RefusalReason.NOT_NOW
