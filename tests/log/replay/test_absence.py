"""Absent players: who may leave and return, expulsion, forfeits, and partners."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count

import pytest

from lanuno.log.faults import AuditVerdict, BodyRefused, RefusalReason, VoidReason
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST, CloseReason, DropReason
from lanuno.log.replay.absence import Absence
from lanuno.log.round import events
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.engine.actions import Draw
from lanuno.rules.engine.results import RoundResult
from lanuno.rules.match.match import Match
from lanuno.rules.ruleset import Format, Ruleset
from tests.harness.log_table.leaving import PAIRS, THREE
from tests.harness.log_table.log_table import SHORT, LogTable, make_roster, new_table
from tests.harness.log_table.moments import playing

BOTS: Mapping[int, int] = {4: 1}


@pytest.fixture(scope="module")
def five() -> LogTable:
    """Four people and a bot of the second person, in the middle of a round."""
    return new_table(5, THREE, bots=BOTS).run(playing)


def test_only_people_leave_and_are_dropped(five: LogTable) -> None:
    assert five.refusal_of(4, bodies.Leave()) is RefusalReason.NOT_A_SEAT
    assert five.refusal_of(HOST, bodies.Drop(4, DropReason.LOST)) is RefusalReason.NOT_A_SEAT
    table = five.fork()
    table.add(1, bodies.Leave())
    assert table.replay.owners == (0, 2, 3)
    table.drop(1, DropReason.LEFT)
    assert table.replay.leaving == set()


def test_coming_back_in_the_middle_of_a_round(five: LogTable) -> None:
    table = five.fork()
    assert table.refusal_of(1, bodies.Return()) is RefusalReason.NOT_NOW
    table.rounds = 2
    table.drop(1)
    assert table.refusal_of(4, bodies.Return()) is RefusalReason.NOT_NOW
    assert table.add(1, bodies.Return()) == [events.SeatReturned(1)]
    assert table.add(4, bodies.Return()) == [events.SeatReturned(4)]
    assert table.replay.owners == (0, 1, 2, 3)
    table.run(lambda each: not each.log.recovering)
    # The seat has lost its hand of this round.
    assert table.refusal_of(1, table.act(1, Draw())) is RefusalReason.NOT_A_SEAT
    table.run(lambda each: each.replay.number == 2)
    assert table.log.seats == (0, 1, 2, 3, 4)
    table.run()
    assert table.audit().verdict is AuditVerdict.VERIFIED


def test_an_owner_whose_leaving_voids_two_rounds_is_expelled() -> None:
    """After the first one it returns, but sits out the round that replaces it."""
    table = new_table(3, SHORT, rounds=3).run(playing)
    for times in (1, 2):
        table.drop(2)
        assert table.log.void is VoidReason.LOST
        table.run(lambda each: each.replay.between_rounds)
        assert table.replay.absence.voided_rounds == {2: times}
        if times == 1:
            assert table.add(2, bodies.Return()) == [events.SeatReturned(2)]
            assert table.replay.match.absent == {2}
            table.run(lambda each: each.replay.match.rounds == 1 and playing(each))
            assert table.engine.seats == (0, 1, 2)
    assert events.SeatExpelled(2, cheated=False) in table.happened
    assert table.replay.match.playing == (0, 1)
    assert table.refusal_of(2, bodies.Return()) is RefusalReason.NOT_NOW
    table.run()
    assert table.audit().verdict is AuditVerdict.VERIFIED


@pytest.mark.parametrize("reason", [DropReason.LEFT, DropReason.LOST])
def test_a_void_round_names_who_was_gone_and_whether_on_purpose(reason: DropReason) -> None:
    table = new_table(3, THREE).run(playing)
    assert not table.log.void_without
    table.drop(2, reason)
    assert table.log.void_without == ((2, reason is DropReason.LEFT),)
    pairs = new_table(4, PAIRS).run(playing)
    pairs.drop(3, reason)
    pairs.run(lambda each: each.log.void is not None)
    assert pairs.log.void_without == ((3, reason is DropReason.LEFT),)


def test_who_spoils_the_choice_of_the_dealer_misses_a_round_of_play() -> None:
    """A choice of the dealer that counts is no round of play."""
    table = new_table(3, SHORT, rounds=9).run(lambda each: each.replay.round is not None)
    table.drop(2)
    table.run(lambda each: each.replay.between_rounds)
    table.add(2, bodies.Return())
    table.run(playing)
    assert table.engine.seats == (0, 1)


def test_a_host_does_not_play_alone_with_its_bots() -> None:
    """It drops the others in turn, who return and sit out; no cards are dealt to one owner alone.

    Otherwise the host would know all seeds of a round that counts, and so choose every card.
    """
    table = new_table(4, SHORT, rounds=9, bots={3: 0})
    for seat in (1, 2):
        table.run(playing)
        assert seat in table.engine.seats
        table.drop(seat, DropReason.SILENT)
        table.run(lambda each: each.replay.between_rounds)
        table.add(seat, bodies.Return())
    plan = table.replay.next_plan()
    assert plan is not None
    assert plan.seats == (0, 1, 2, 3)


def test_partners_do_not_play_without_each_other() -> None:
    table = new_table(4, PAIRS, rounds=9).run(playing)
    table.drop(3)
    table.run(lambda each: each.replay.between_rounds)
    assert table.log.void is VoidReason.LOST
    assert table.log.voided_by == {3}
    assert table.replay.next_plan() is None
    assert table.replay.can_continue


# ---- two owners -----------------------------------------------------------------------------


@pytest.mark.parametrize("reason", list(DropReason))
def test_the_drop_of_one_of_two_players_makes_the_other_win(reason: DropReason) -> None:
    table = new_table(3, SHORT, bots={2: 0}).run(playing)
    table.drop(1, reason)
    assert table.log.void is VoidReason.LOST
    assert table.refusal_of(1, bodies.Return()) is RefusalReason.NOT_NOW
    table.run()
    assert events.Forfeited(1, 0) in table.happened
    assert table.replay.match.winners == (0,)
    assert table.replay.closed is CloseReason.FINISHED
    assert table.audit().verdict is AuditVerdict.VERIFIED


def test_a_host_may_give_the_match_to_the_only_other() -> None:
    table = new_table(2).run(playing)
    assert table.refusal_of(HOST, bodies.Drop(0, DropReason.LEFT)) is RefusalReason.NOT_NOW
    assert table.refusal_of(HOST, bodies.Drop(0, DropReason.LOST)) is RefusalReason.NOT_A_SEAT
    table.add(0, bodies.Leave())
    table.drop(0, DropReason.LEFT)
    table.run()
    assert table.replay.match.winners == (1,)
    assert table.audit().verdict is AuditVerdict.VERIFIED


def won_by(table: LogTable) -> tuple[int, ...]:
    assert isinstance(table.log.result, RoundResult)
    return table.log.result.winners


def test_a_match_that_the_last_round_decided_is_not_given_away() -> None:
    rules = Ruleset(hand_size=2, format=Format.SINGLE)

    def decided(table: LogTable) -> bool:
        return table.replay.number == 1 and table.log.phase is ProtocolPhase.ATTEST

    tables = (new_table(2, rules, salt=salt).run(decided) for salt in count())
    table = next(each for each in tables if won_by(each) == (1,))
    table.drop(1)
    table.run()
    assert table.replay.match.winners == (1,)
    assert not any(isinstance(each, events.Forfeited) for each in table.happened)


def test_an_expelled_owner_does_not_win() -> None:
    """One of three is expelled and another is gone for good: the last has nobody to win against."""
    table = new_table(3).run(lambda each: each.replay.between_rounds and each.replay.number == 0)
    table.replay.match.expel(1)
    table.drop(2)
    table.add(0, bodies.Leave())
    table.drop(0, DropReason.LEFT)
    assert not any(isinstance(each, events.Forfeited) for each in table.happened)
    assert table.replay.match.winners == ()


# ---- the rules of absence alone --------------------------------------------------------------


def absence(players: int = 5, bots: Mapping[int, int] | None = None) -> Absence:
    """Return the absence of a table that has just begun; its host is seat 0."""
    roster = make_roster(players, SHORT, bots)
    return Absence(Match(SHORT, players), roster)


def refusal_of(call: Callable[[], object], here: Absence) -> RefusalReason:
    """Return the reason for a refusal; check that it changes nothing."""
    before = here.public_state()
    with pytest.raises(BodyRefused) as raised:
        call()
    assert here.public_state() == before
    return raised.value.refusal


def test_a_drop_takes_an_owner_and_its_bots() -> None:
    here = absence(bots=BOTS)
    assert (here.owners, here.present_owners) == ((0, 1, 2, 3), (0, 1, 2, 3))
    assert (here.seats_of(1), here.original_seats(1), here.owner_of(4)) == ((1, 4), (1, 4), 1)
    assert here.drop(1, DropReason.SILENT, host=0) == (1, 4)
    assert here.dropped == {1: DropReason.SILENT, 4: DropReason.SILENT}
    assert (here.owners, here.present_owners) == ((0, 2, 3), (0, 2, 3))
    assert here.people == {0, 1, 2, 3}
    for may_not in (here.may_not_sign, here.is_gone):
        assert [may_not(seat) for seat in range(5)] == [False, True, False, False, True]


def test_a_leaving_owner_is_present_and_does_not_count() -> None:
    here = absence()
    assert here.leave(2) == [events.LeaveAnnounced(2)]
    assert (here.owners, here.present_owners) == ((0, 1, 3, 4), (0, 1, 2, 3, 4))
    assert refusal_of(lambda: here.leave(2), here) is RefusalReason.ALREADY_DONE
    here.drop(2, DropReason.LEFT, host=0)
    assert here.leaving == set()
    assert refusal_of(lambda: here.leave(2), here) is RefusalReason.NOT_A_SEAT


def test_drops_that_no_honest_host_makes() -> None:
    here = absence(bots=BOTS)

    def refused(seat: int, reason: DropReason) -> RefusalReason:
        return refusal_of(lambda: here.drop(seat, reason, host=0), here)

    assert refused(4, DropReason.LOST) is RefusalReason.NOT_A_SEAT  # a bot goes with its owner
    assert refused(1, DropReason.LEFT) is RefusalReason.NOT_NOW  # without a signed Leave
    assert refused(0, DropReason.LOST) is RefusalReason.NOT_A_SEAT  # the host itself
    here.leave(0)
    assert refused(0, DropReason.LEFT) is RefusalReason.NOT_A_SEAT  # while two others play
    here.drop(1, DropReason.LOST, host=0)
    assert refused(1, DropReason.LOST) is RefusalReason.ALREADY_DONE


def test_a_leaving_host_forfeits_to_the_only_other_owner() -> None:
    here = absence(2)
    here.leave(0)
    assert here.drop(0, DropReason.LEFT, host=0) == (0,)
    assert refusal_of(lambda: here.return_seat(0, 0, between_rounds=True), here) is (
        RefusalReason.NOT_NOW
    )
    assert here.settle() == [events.Forfeited(0, 1)]


def test_a_bot_returns_only_after_its_owner() -> None:
    here = absence(bots=BOTS)
    here.drop(1, DropReason.LOST, host=0)

    def back(seat: int) -> list[events.LogEvent]:
        return here.return_seat(seat, 0, between_rounds=False)

    assert refusal_of(lambda: back(4), here) is RefusalReason.NOT_NOW
    assert back(1) == [events.SeatReturned(1)]
    assert back(4) == [events.SeatReturned(4)]
    assert here.dropped == {}
    assert refusal_of(lambda: back(1), here) is RefusalReason.NOT_NOW


def test_a_return_counts_in_the_match_only_between_rounds() -> None:
    match = Match(SHORT, 5)
    here = Absence(match, make_roster(5, SHORT))
    absent = []
    for between_rounds in (False, True):
        here.drop(1, DropReason.LOST, host=0)
        here.settle()
        here.return_seat(1, 0, between_rounds=between_rounds)
        absent.append(set(match.absent))
    assert absent == [{1}, set()]


def test_an_owner_that_one_host_dropped_twice_although_reachable_waits_for_another_host() -> None:
    here = absence()
    here.round_void((), [(1, 0)])
    assert not here.return_blocked(1, 0)
    here.round_void((), [(1, 0), (2, 0)])
    assert [here.return_blocked(owner, 0) for owner in range(5)] == [False, True, *[False] * 3]
    assert not here.return_blocked(1, 2)
    here.drop(1, DropReason.LOST, host=0)
    assert refusal_of(lambda: here.return_seat(1, 0, between_rounds=True), here) is (
        RefusalReason.NOT_NOW
    )
    assert here.return_seat(1, 2, between_rounds=True) == [events.SeatReturned(1)]


def test_the_second_round_that_an_owner_voids_expels_it_and_its_bots() -> None:
    here = absence(bots=BOTS)
    assert here.round_void({1, 2}) == []
    assert here.round_void({1}) == [
        events.SeatExpelled(1, cheated=False),
        events.SeatExpelled(4, cheated=False),
    ]
    assert here.voided_rounds == {1: 2, 2: 1}
    # An expelled seat is expelled once.
    assert here.round_void({1}) == []


def test_the_public_state_shows_every_change() -> None:
    here = absence(bots=BOTS)
    changes: list[Callable[[], object]] = [
        lambda: here.leave(2),
        lambda: here.drop(2, DropReason.LEFT, host=0),
        lambda: here.round_void({2}),
        lambda: here.round_void((), [(1, 0)]),
        lambda: here.drop(3, DropReason.ATTACK, host=0),
        lambda: here.drop(1, DropReason.SILENT, host=0),
    ]
    states: list[tuple[object, ...]] = [here.public_state()]
    for change in changes:
        change()
        states.append(here.public_state())
    assert len(set(states)) == len(states)
    assert states[-1] == (
        ((1, DropReason.SILENT), (2, DropReason.LEFT), (3, DropReason.ATTACK), (4, 2)),
        (),
        (),
        ((2, 1), (1, 0, 1)),
        (1, 2),
        (1, 0),
    )
