"""Whose turn it is: order of play, beginning, losing and ending turns, and owing "UNO"."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from lanuno.rules.cards import NO_COLOUR, Colour
from lanuno.rules.engine.events import (
    DrawReason,
    GameEvent,
    PenaltyPending,
    RoundEnding,
    RoundOver,
    Skipped,
    TurnStarted,
    UnoLapsed,
    UnoMissed,
)
from lanuno.rules.engine.round import Round
from lanuno.rules.engine.state import NOBODY, AgendaItem, AgendaStep, RoundPhase
from lanuno.rules.engine.turns import (
    ask_penalty_answer,
    begin_turn,
    finish,
    insert_after_judging,
    insert_first,
    laps_played,
    lose_turn,
    next_seat,
    start_turn,
)
from lanuno.rules.presets import CLASSIC, MASTERS_SHORT
from lanuno.rules.ruleset import UnoRule
from tests.rules.engine.small_tables import lay, small_table

ONE_LAP = replace(MASTERS_SHORT, laps=1)
JUDGE: AgendaItem = (AgendaStep.JUDGE, 1, 0, 0)
DRAW: AgendaItem = (AgendaStep.DRAW, 2, 2, DrawReason.UNO)
TURN: AgendaItem = (AgendaStep.TURN, 0, 0, 0)


def held(value: int | None) -> int | None:
    """Return the value; a call stops mypy from narrowing an attribute."""
    return value


@pytest.mark.parametrize(
    ("direction", "following"), [(1, {0: 2, 1: 2, 2: 3, 3: 0}), (-1, {0: 3, 1: 0, 2: 0, 3: 2})]
)
def test_seats_that_left_are_skipped_in_both_directions(
    direction: int, following: dict[int, int]
) -> None:
    game = Round(CLASSIC, (0, 1, 2, 3), 3)
    game.set_seats((0, 2, 3))
    game.direction = direction
    assert {seat: next_seat(game, seat) for seat in range(4)} == following


def test_a_turn_forgets_the_drawn_card_and_asks_a_new_decision() -> None:
    game = Round(CLASSIC, (0, 1), 1)
    game.drawn, game.decision, game.turns = 7, 4, 2
    events: list[GameEvent] = []
    start_turn(game, 1, events)
    assert events == [TurnStarted(1)]
    assert (game.phase, game.decider) == (RoundPhase.TURN, 1)
    assert (game.decision, game.turns) == (5, 3)
    assert held(game.drawn) is None


@pytest.mark.parametrize(("turns", "played"), [(0, False), (2, False), (3, True), (4, True)])
def test_no_turn_starts_after_the_last_lap(turns: int, played: bool) -> None:
    game = Round(ONE_LAP, (0, 1, 2), 2)
    game.turns = turns
    assert laps_played(game) is played
    events: list[GameEvent] = []
    start_turn(game, 0, events)
    assert events == [RoundOver(RoundEnding.LAPS, None) if played else TurnStarted(0)]
    assert game.over is played


def test_laps_never_end_a_round_without_a_limit() -> None:
    game = Round(CLASSIC, (0, 1, 2), 2)
    game.turns = 1000
    assert not laps_played(game)


def test_a_lost_turn_counts_for_the_laps() -> None:
    game = Round(ONE_LAP, (0, 1, 2), 2)
    game.turns = 2
    events: list[GameEvent] = []
    lose_turn(game, 1, events)
    assert events == [Skipped(1)]
    assert laps_played(game)


@pytest.mark.parametrize(
    ("uno", "event", "agenda"),
    [
        (UnoRule.CATCH, UnoLapsed(1), []),
        (UnoRule.AUTOMATIC, UnoMissed(1, None), [(AgendaStep.DRAW, 1, 3, DrawReason.UNO)]),
    ],
)
def test_a_turn_that_begins_ends_the_time_to_say_uno(
    uno: UnoRule, event: GameEvent, agenda: list[AgendaItem]
) -> None:
    game = Round(replace(CLASSIC, uno=uno, uno_penalty=3), (0, 1, 2), 2)
    game.uno_owed = 1
    events: list[GameEvent] = []
    begin_turn(game, 1, events)
    assert (events, game.agenda) == ([event], agenda)
    assert held(game.uno_owed) is None


def test_first_steps_keep_their_order() -> None:
    game = Round(CLASSIC, (0, 1, 2), 2)
    game.agenda = [TURN]
    insert_first(game, JUDGE, DRAW)
    assert game.agenda == [JUDGE, DRAW, TURN]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([], [DRAW]),
        ([TURN], [DRAW, TURN]),
        ([JUDGE, JUDGE, TURN], [JUDGE, JUDGE, DRAW, TURN]),
        ([TURN, JUDGE], [DRAW, TURN, JUDGE]),
    ],
)
def test_open_hands_are_judged_before_a_draw(
    before: list[AgendaItem], after: list[AgendaItem]
) -> None:
    game = Round(CLASSIC, (0, 1, 2), 2)
    game.agenda = before
    insert_after_judging(game, DRAW)
    assert game.agenda == after


@pytest.mark.parametrize("accused", [NOBODY, 0])
def test_a_pending_penalty_says_whether_it_can_be_challenged(accused: int) -> None:
    game = Round(CLASSIC, (0, 1, 2), 2)
    game.penalty, game.accused = 4, accused
    events: list[GameEvent] = []
    ask_penalty_answer(game, 1, events)
    assert events == [PenaltyPending(1, 4, accused == 0)]
    assert (game.phase, game.decider) == (RoundPhase.PENALTY, 1)


def test_the_end_drops_everything_that_was_pending() -> None:
    table = small_table({0: "w4 b1"})
    lay(table, 0, "w4", Colour.BLUE)
    game = table.round
    game.agenda = [TURN]
    assert (game.penalty, game.accused, game.uno_owed) == (4, 0, 0)
    events: list[GameEvent] = []
    finish(game, RoundEnding.VOID, None, events)
    assert events == [RoundOver(RoundEnding.VOID, None)]
    assert (game.phase, game.decider, game.ending) == (RoundPhase.OVER, None, RoundEnding.VOID)
    assert (game.agenda, game.penalty, game.uno_owed) == ([], 0, None)
    assert (game.accused, game.accused_colour, game.accused_hand) == (NOBODY, NO_COLOUR, ())
