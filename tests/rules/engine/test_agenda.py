"""The steps that need no decision, and where they wait for the table."""

from __future__ import annotations

import pytest

from lanuno.rules.engine.actions import Draw, Keep
from lanuno.rules.engine.agenda import after_draw, run_agenda
from lanuno.rules.engine.events import (
    DrawReason,
    GameEvent,
    NothingToDraw,
    Passed,
    RoundEnding,
    RoundOver,
    ShuffleNeeded,
    Skipped,
    TurnStarted,
)
from lanuno.rules.engine.state import AgendaStep, RoundPhase
from lanuno.rules.ruleset import Ruleset
from tests.harness.rounds.table_of_cards import CardTable, stacked
from tests.rules.engine.small_tables import small_table


def test_a_seat_that_can_draw_nothing_passes() -> None:
    """An event reports the pass, and the turn continues."""
    rules = Ruleset(hand_size=20)
    deck = stacked({}, "r0", order=(0, 1, 2, 3, 4), size=20)
    table = CardTable.deal(rules, 5, deck=deck)
    game = table.round
    while game.pile_next < game.pile_end:
        assert game.decider is not None
        table.act(game.decider, Draw())
        table.act(game.decider, Keep())
    seat = game.decider
    assert seat is not None
    table.act(seat, Draw())
    following = (seat + 1) % 5
    assert table.last == [
        NothingToDraw(seat, 1, DrawReason.TURN),
        Passed(seat),
        TurnStarted(following),
    ]


def test_the_steps_wait_while_the_table_shuffles() -> None:
    table = small_table()
    table.run_down(0, None)
    game = table.round
    game.agenda = [
        (AgendaStep.DRAW, 1, 2, DrawReason.PENALTY),
        (AgendaStep.LOSE, 1, 0, 0),
        (AgendaStep.NEXT, 1, 0, 0),
    ]
    events: list[GameEvent] = []
    run_agenda(game, events)
    assert [type(event) for event in events] == [ShuffleNeeded]
    assert [step for step, *_ in game.agenda] == [
        AgendaStep.DRAW,
        AgendaStep.LOSE,
        AgendaStep.NEXT,
    ]
    run_agenda(game, events)
    assert [type(event) for event in events] == [ShuffleNeeded]
    assert table.serve()[-2:] == [Skipped(1), TurnStarted(2)]
    assert game.agenda == []


@pytest.mark.parametrize(
    ("passes", "forced", "over"),
    [(1, True, False), (2, True, True), (2, False, False), (1, False, False)],
)
def test_a_full_circle_of_forced_passes_ends_the_round(
    passes: int, forced: bool, over: bool
) -> None:
    """A pass is not forced if a penalty took the last cards after the seat chose to draw."""
    game = small_table().round
    game.passes = passes
    events: list[GameEvent] = []
    after_draw(game, 0, forced, events)
    following = RoundOver(RoundEnding.BLOCKED, None) if over else TurnStarted(1)
    assert events == [Passed(0), following]
    assert game.passes == passes + forced


def test_a_drawn_card_breaks_the_circle_of_passes() -> None:
    game = small_table().round
    game.passes, game.drawn = 2, game.hands[0][0]
    events: list[GameEvent] = []
    after_draw(game, 0, True, events)
    assert events == []
    assert (game.phase, game.decider, game.passes) == (RoundPhase.DRAWN, 0, 0)
