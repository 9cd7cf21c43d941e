"""What the clock took from a player: a challenge, a last card, or the rest of the round."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count

import pytest

from lanuno.log.faults import AuditVerdict
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST
from lanuno.log.replay.course import Decided
from lanuno.log.round.round_record import ClockAct, ClockEffect, ProtocolPhase
from lanuno.rules.decks import deck_tables
from lanuno.rules.engine.actions import Action, Challenge, Draw, Keep, Play
from lanuno.rules.engine.legality import guilty
from lanuno.rules.engine.state import NOBODY, RoundPhase
from lanuno.rules.ruleset import Format, Ruleset
from tests.harness.log_table.log_table import LogTable, new_table
from tests.harness.log_table.moments import deciding, playing

FOURS = deck_tables(108).restricted
ONE_LAP = Ruleset(hand_size=5, format=Format.LAPS, laps=1)
LONG = Ruleset(hand_size=5, format=Format.SINGLE)


def bold(table: LogTable, _seat: int, acts: tuple[Action, ...]) -> Action:
    """Play Wild Draw Fours first, and challenge every one; if laps are counted, draw."""
    if table.replay.roster.ruleset == ONE_LAP:
        return next(act for act in acts if isinstance(act, Draw | Keep))
    fours = [act for act in acts if isinstance(act, Play) and act.card in FOURS]
    return next((act for act in acts if isinstance(act, Challenge)), (*fours, *acts)[0])


def is_guilty(table: LogTable) -> bool | None:
    return guilty(table.engine, table.all_cards())


def shows(table: LogTable, *, innocent: bool) -> bool:
    """Whether a seat has to show a challenged hand."""
    showing = table.engine.stage is RoundPhase.SHOW
    return showing and deciding(table) and is_guilty(table) is not innocent


def hit(table: LogTable, *, by_a_bluff: bool) -> bool:
    """Whether a seat may challenge a Wild Draw Four."""
    challenged = table.engine.stage is RoundPhase.PENALTY and table.engine.accused != NOBODY
    return challenged and deciding(table) and is_guilty(table) is by_a_bluff


def may_go_out(table: LogTable) -> bool:
    """Whether a seat holds one card only, which it may play."""
    seat = table.engine.decider
    if seat is None or not deciding(table) or table.engine.stage is not RoundPhase.TURN:
        return False
    acts = table.engine.legal(seat, table.cards(seat))
    return len(table.engine.hands[seat]) == 1 and any(isinstance(act, Play) for act in acts)


def last_turn(table: LogTable) -> bool:
    """Whether the round of laps ends with this decision."""
    engine = table.engine
    return engine.stage is RoundPhase.DRAWN and deciding(table) and engine.turns == 3


@pytest.mark.parametrize(
    ("moment", "rules", "effect"),
    [
        (partial(shows, innocent=True), LONG, ClockEffect.CHALLENGE),
        (partial(shows, innocent=False), LONG, None),
        (partial(hit, by_a_bluff=True), LONG, ClockEffect.CHALLENGE),
        (partial(hit, by_a_bluff=False), LONG, None),
        (may_go_out, LONG, ClockEffect.LAST_CARD),
        (last_turn, ONE_LAP, ClockEffect.END),
    ],
)
def test_one_act_of_the_clock_that_took_something_is_an_absence(
    moment: Callable[[LogTable], bool], rules: Ruleset, effect: ClockEffect | None
) -> None:
    """The attack: a lone host withholds what a player sent, and says that its time was up."""

    def reached(table: LogTable) -> bool:
        return table.replay.closed is not None or (playing(table) and moment(table))

    tables = (new_table(3, rules, salt=salt, choose=bold).run(reached) for salt in count())
    table = next(each for each in tables if each.replay.closed is None)
    seat = table.engine.decider
    assert seat is not None
    entry = table.replay.seq
    table.add(HOST, bodies.TimeOut(table.engine.decision))
    report = table.run().audit()
    assert report.verdict is AuditVerdict.VERIFIED
    assert dict(report.clock) == {seat: 1}
    if effect is None:
        assert (report.decided, report.clock_acts) == (Decided.CARDS, ())
    else:
        assert report.decided is Decided.ABSENCE
        assert report.clock_acts == (ClockAct(seat, 1, entry, effect),)


FULL_HANDS = Ruleset(hand_size=10, format=Format.LAPS, laps=1, stack_draw_two=True)


def hits_the_last(table: LogTable, _seat: int, acts: tuple[Action, ...]) -> Action:
    """Draw, until the last player but one can lay a Draw Two."""
    draws = table.engine.deck.draws
    late = table.engine.turns == 9
    twos = [act for act in acts if isinstance(act, Play) and late and draws[act.card] == 2]
    return (*twos, *[act for act in acts if isinstance(act, Draw | Keep)], *acts)[0]


def test_an_act_of_the_clock_ends_a_round_whose_last_draw_waits_for_a_shuffle() -> None:
    def hit_in_the_last_turn(table: LogTable) -> bool:
        if not playing(table):
            current = table.replay.round
            return current is not None and current.phase > ProtocolPhase.PLAY and current.number > 0
        engine = table.engine
        hit = engine.stage is RoundPhase.PENALTY and engine.accused == NOBODY
        short = engine.pile_end - engine.pile_next < engine.penalty
        return hit and short and engine.turns == 9 and deciding(table)

    tables = (
        new_table(10, FULL_HANDS, salt=salt, choose=hits_the_last).run(hit_in_the_last_turn)
        for salt in count(5)
    )
    table = next(each for each in tables if playing(each))
    seat, entry = table.engine.decider, table.replay.seq
    assert seat is not None
    table.add(HOST, bodies.TimeOut(table.engine.decision))
    assert table.engine.shuffle is not None
    table.run(lambda each: each.log.result is not None)
    assert table.log.clock_acts == (ClockAct(seat, 1, entry, ClockEffect.END),)
