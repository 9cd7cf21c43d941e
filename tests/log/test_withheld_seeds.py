"""Seeds that are missing from a void round: against whom the round counts, and who is not named."""

from __future__ import annotations

import msgspec
import pytest

from lanuno.dealing.deal import StepKind
from lanuno.log.faults import BodyRefused, Fault, VoidReason
from lanuno.log.format import bodies
from lanuno.log.format.bodies import DropReason, HaltReason
from lanuno.log.round import events
from lanuno.log.round.round_audit import is_proof
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.ruleset import Ruleset
from tests.harness.log_table.elections import elect
from tests.harness.log_table.log_table import SHORT, LogTable, new_table
from tests.harness.log_table.moments import playing

SEAT = 1
SWAPS = Ruleset(hand_size=7, seven_zero=True)


def dealt_in(table: LogTable) -> bool:
    """Whether the seat plays a round; it sits out the one that replaces a void round of its own."""
    return playing(table) and SEAT in table.engine.seats


def with_a_box(table: LogTable) -> bool:
    """Whether a hand was sealed to the seat in this round, and the round is still played."""
    return playing(table) and any(shown.to == SEAT for shown in table.log.shown)


def break_round(table: LogTable, reason: DropReason, *, halts: bool = True) -> None:
    """End the round by a halt of the seat, whose seeds then never come."""
    table.run(with_a_box if table.replay.roster.ruleset.seven_zero else dealt_in)
    if halts:
        table.add(SEAT, bodies.Halt(HaltReason.BAD_SEAL, None))
    table.drop(SEAT, reason)
    table.run(lambda each: each.replay.between_rounds)
    assert table.log.void is (VoidReason.HALTED if halts else VoidReason.LOST)


def proven(table: LogTable) -> list[tuple[int | None, Fault]]:
    return [(each.seat, each.fault) for each in table.audit().blame if is_proof(each)]


@pytest.mark.parametrize(("players", "rules"), [(3, SHORT), (4, SWAPS)])
def test_who_halts_leaves_and_reveals_nothing_is_out_the_second_time(
    players: int, rules: Ruleset
) -> None:
    """Otherwise a player that is losing voids every round, and comes back unpunished.

    Of four owners the shares give its round seed, but not the view seed that opens its box.
    """
    table = new_table(players, rules, rounds=9)
    for times in (1, 2):
        break_round(table, DropReason.LEFT)
        assert table.replay.absence.voided_rounds == {SEAT: times}
        assert table.audit().rounds[-1].voided_by == (SEAT,)
        if times == 1:
            table.add(SEAT, bodies.Return())
    assert events.SeatExpelled(SEAT, cheated=False) in table.happened
    assert SEAT not in table.replay.match.playing
    assert proven(table) == [], "whether its halts were true, nobody can know"


def test_a_wrong_lock_hidden_by_leaving_counts() -> None:
    """The same without a halt: a wrong lock voids the round, and its author leaves unproven."""
    table = new_table(3, SHORT, rounds=9)
    table.run(lambda each: bool(each.replay.number) and locks_next(each))
    right = table.take_pass(SEAT)
    shifted = right.points[33:] + right.points[:33]
    table.add(SEAT, msgspec.structs.replace(right, points=shifted))
    table.run(lambda each: each.log.void is not None)
    assert table.log.void is VoidReason.NO_CARD
    table.drop(SEAT, DropReason.LEFT)
    table.run(lambda each: each.replay.between_rounds)
    assert table.replay.absence.voided_rounds == {SEAT: 1}


def locks_next(table: LogTable) -> bool:
    deal = table.log.deal
    return deal is not None and deal.expected == (StepKind.LOCK, SEAT)


@pytest.mark.parametrize("reason", [each for each in DropReason if each is not DropReason.LEFT])
@pytest.mark.parametrize(("players", "rules"), [(3, SHORT), (4, SWAPS)])
def test_a_host_that_withholds_reveals_expels_and_names_nobody(
    players: int, rules: Ruleset, reason: DropReason
) -> None:
    """The host gives a seat a reason to halt, withholds its Reveal and drops it: twice."""
    table = new_table(players, rules, rounds=9)
    for again in (False, True):
        break_round(table, reason)
        assert table.audit().rounds[-1].voided_by == ()
        assert table.replay.absence.return_blocked(SEAT, table.replay.host) is again
        if not again:
            table.add(SEAT, bodies.Return())
    assert SEAT in table.replay.match.playing
    assert table.replay.absence.voided_rounds == {}
    assert (proven(table), table.audit().expelled) == ([], ())
    with pytest.raises(BodyRefused, match="not while this host is the host"):
        table.add(SEAT, bodies.Return())
    elect(table, 2, 1, *table.replay.owners)
    table.add(SEAT, bodies.Return())
    assert SEAT not in table.replay.dropped


@pytest.mark.parametrize(("players", "rules"), [(3, SHORT), (4, SWAPS)])
def test_who_halts_and_falls_silent_misses_a_round(players: int, rules: Ruleset) -> None:
    """Otherwise silence, unlike a Leave, would give a second deal whenever a round goes badly.

    A simulated player of three won 50 instead of 33 of 120 matches in this way.
    """
    table = new_table(players, rules, rounds=9)
    break_round(table, DropReason.SILENT)
    table.add(SEAT, bodies.Return())
    table.run(playing)
    assert SEAT not in table.engine.seats
    table.run(dealt_in)
    assert table.replay.match.rounds == 1


def test_a_host_that_withholds_the_reveal_of_a_whole_round_expels_nobody() -> None:
    table = new_table(3, SHORT, rounds=9)
    for _ in range(2):
        if SEAT in table.replay.dropped:
            table.add(SEAT, bodies.Return())
        table.run(dealt_in)
        table.run(lambda each: each.log.phase is ProtocolPhase.REVEAL)
        table.drop(SEAT, DropReason.SILENT)
        table.run(lambda each: each.replay.between_rounds)
        assert table.log.void is VoidReason.LOST
    assert SEAT in table.replay.match.playing
    assert table.replay.absence.return_blocked(SEAT, table.replay.host)


def test_leaving_once_and_falling_silent_once_is_twice() -> None:
    """Otherwise each of the two ways would give two void rounds."""
    table = new_table(3, SHORT, rounds=9)
    break_round(table, DropReason.LEFT)
    table.add(SEAT, bodies.Return())
    break_round(table, DropReason.SILENT)
    assert table.replay.absence.return_blocked(SEAT, table.replay.host)
    assert SEAT in table.replay.match.playing


def test_a_halt_is_counted_only_where_missing_seeds_keep_it_from_being_judged() -> None:
    """Of four owners the shares give all that a halt without a box depends on."""
    table = new_table(4, SHORT, rounds=9)
    break_round(table, DropReason.LEFT)
    assert table.log.voided_by == set()
    assert proven(table) == [(SEAT, Fault.FALSE_HALT)]


def test_nobody_is_counted_whose_share_another_one_withholds() -> None:
    """The first leaver's seed could have been recovered; only the second one spoils the round."""
    table = new_table(4, SHORT, rounds=9).run(playing)
    table.add(0, bodies.Halt(HaltReason.NO_CARD, None))
    table.drop(2, DropReason.LEFT)
    table.drop(SEAT, DropReason.LEFT)
    table.run(lambda each: each.replay.between_rounds)
    assert table.replay.absence.voided_rounds == {SEAT: 1}
