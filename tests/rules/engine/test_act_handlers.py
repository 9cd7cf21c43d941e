"""What each act does: its events, in order, and what it leaves for later."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from lanuno.rules.cards import NO_COLOUR, Colour
from lanuno.rules.engine.actions import Catch, Draw, Keep, NameColour, SayUno
from lanuno.rules.engine.events import (
    ColourNamed,
    DrawReason,
    Drew,
    Kept,
    Played,
    RoundEnding,
    RoundOver,
    Skipped,
    TurnStarted,
    UnoLapsed,
    UnoMissed,
    UnoSaid,
)
from lanuno.rules.engine.state import NOBODY, RoundPhase
from lanuno.rules.ruleset import Ruleset, UnoRule, WildFour
from tests.rules.engine.small_tables import lay, play_of, seen, small_table


def test_a_play_names_its_colour_and_says_uno_before_its_effect() -> None:
    table = small_table({0: "w b1", 1: "y1 y2", 2: "g1 g2"})
    play = play_of(table, 0, "w", Colour.BLUE, uno=True)
    assert table.act(0, play) == [
        Played(0, play.slot, play.card, 1),
        ColourNamed(0, Colour.BLUE),
        UnoSaid(0),
        TurnStarted(1),
    ]
    game = table.round
    assert (game.top, game.colour, game.uno_owed) == (play.card, Colour.BLUE, None)
    assert game.face_up[play.slot] == play.card


def test_a_missed_uno_lapses_when_the_next_player_begins() -> None:
    table = small_table({0: "r1 b1", 1: "r2 y2", 2: "g1 g2"})
    lay(table, 0, "r1")
    assert table.round.uno_owed == 0
    play = play_of(table, 1, "r2", uno=True)
    assert table.act(1, play) == [
        UnoLapsed(0),
        Played(1, play.slot, play.card, 1),
        UnoSaid(1),
        TurnStarted(2),
    ]


def test_the_automatic_penalty_is_drawn_before_the_effect_of_the_card() -> None:
    rules = Ruleset(uno=UnoRule.AUTOMATIC)
    table = small_table({0: "r1 b1", 1: "rs y2", 2: "g1 g2"}, rules=rules)
    lay(table, 0, "r1")
    first = table.round.pile_next
    play = play_of(table, 1, "rs", uno=True)
    assert seen(table.act(1, play)) == [
        UnoMissed(0, None),
        Played(1, play.slot, play.card, 1),
        UnoSaid(1),
        Drew(0, (first, first + 1), DrawReason.UNO),
        Skipped(2),
        TurnStarted(0),
    ]


@pytest.mark.parametrize(
    ("rules", "hand", "accused"),
    [
        (Ruleset(), "w4 b1 b2", 0),
        (Ruleset(wild_four=WildFour.STRICT), "w4 b1 b2", NOBODY),
        (Ruleset(), "r+2 b1 b2", NOBODY),
        (Ruleset(), "w b1 b2", NOBODY),
    ],
)
def test_only_a_wild_four_that_may_be_a_bluff_can_be_challenged(
    rules: Ruleset, hand: str, accused: int
) -> None:
    table = small_table({0: hand}, rules=rules)
    name = hand.split(maxsplit=1)[0]
    lay(table, 0, name, Colour.BLUE if name.startswith("w") else None)
    game = table.round
    rest = tuple(game.hands[0]) if accused == 0 else ()
    colour = Colour.RED if accused == 0 else NO_COLOUR
    assert (game.accused, game.accused_colour, game.accused_hand) == (accused, colour, rest)


def test_a_last_wild_four_ends_the_round_without_a_challenge() -> None:
    table = small_table({0: "r1 w4", 1: "y1 y2", 2: "g1 g2"})
    lay(table, 0, "r1", uno=True)
    table.act(1, Draw())
    table.act(1, table.round.clock_action())
    table.act(2, Draw())
    table.act(2, table.round.clock_action())
    table.run_down(0, None)
    table.act_unserved(0, play_of(table, 0, "w4", Colour.GREEN))
    assert (table.round.phase, table.round.accused) == (RoundPhase.SHUFFLE, NOBODY)
    events = table.serve()
    assert events[-1] == RoundOver(RoundEnding.OUT, 0)
    drew = [event for event in events if isinstance(event, Drew)]
    assert [(event.seat, len(event.slots)) for event in drew] == [(1, 4)]


def test_passing_a_penalty_on_takes_a_turn() -> None:
    rules = Ruleset(stack_draw_two=True)
    table = small_table({0: "r+2 y1 y4", 1: "b+2 g4 g5"}, rules=rules)
    lay(table, 0, "r+2")
    assert table.round.turns == 1
    lay(table, 1, "b+2")
    assert table.round.turns == 2


def test_a_drawn_card_waits_for_a_decision() -> None:
    table = small_table()
    first = table.round.pile_next
    assert seen(table.act(0, Draw())) == [Drew(0, (first,), DrawReason.TURN)]
    assert (table.round.phase, table.round.drawn) == (RoundPhase.DRAWN, first)
    assert table.act(0, Keep()) == [Kept(0), TurnStarted(1)]
    assert table.round.drawn is None


def test_a_draw_from_an_empty_pile_waits_for_the_shuffle() -> None:
    table = small_table()
    table.run_down(0, None)
    table.act_unserved(0, Draw())
    assert table.round.phase is RoundPhase.SHUFFLE
    assert len(table.round.hands[0]) == 3
    table.serve()
    assert (table.round.phase, table.round.decider) == (RoundPhase.DRAWN, 0)
    assert len(table.round.hands[0]) == 4


def test_the_seat_that_names_the_colour_begins() -> None:
    table = small_table(start="w")
    assert table.round.phase is RoundPhase.COLOUR
    assert table.act(0, NameColour(Colour.GREEN)) == [ColourNamed(0, Colour.GREEN), TurnStarted(0)]
    assert table.round.colour == Colour.GREEN


def test_uno_may_be_said_after_the_card() -> None:
    table = small_table({0: "r1 b1", 1: "r2 y2", 2: "g1 g2"})
    lay(table, 0, "r1")
    decision = table.round.decision
    assert table.act(0, SayUno()) == [UnoSaid(0)]
    assert (table.round.uno_owed, table.round.decision) == (None, decision)


def test_a_caught_seat_draws_and_the_turn_stays() -> None:
    rules = replace(Ruleset(), uno_penalty=3)
    table = small_table({0: "r1 b1", 1: "r2 y2", 2: "g1 g2"}, rules=rules)
    lay(table, 0, "r1")
    first = table.round.pile_next
    assert seen(table.act(2, Catch(0))) == [
        UnoMissed(0, 2),
        Drew(0, (first, first + 1, first + 2), DrawReason.UNO),
    ]
    assert (table.round.phase, table.round.decider) == (RoundPhase.TURN, 1)
