"""Whether an act is legal, with none, some or all of the hidden cards known."""

from __future__ import annotations

import pytest

from lanuno.rules.cards import Colour
from lanuno.rules.engine.actions import (
    Accuse,
    Action,
    Catch,
    Challenge,
    Draw,
    Keep,
    NameColour,
    Object,
    Play,
    SayUno,
    Show,
    Verdict,
    Vote,
)
from lanuno.rules.engine.legality import current_lap, guilty, holds_playable
from lanuno.rules.engine.round import Round
from lanuno.rules.presets import CLASSIC
from lanuno.rules.refusals import ActRefusal
from lanuno.rules.ruleset import DrawnRule, DrawRule, Manners, Ruleset, UnoRule, WildFour
from tests.harness.rounds.table_of_cards import CardTable, card, stacked
from tests.rules.engine.small_tables import judged, lay, play_of, small_table


def test_a_play_must_name_the_card_in_its_slot() -> None:
    """A card is refused if the deck does not have it, or the slot is known to hold another."""
    table = CardTable.deal(CLASSIC, 2, deck=stacked({0: "r5"}, "r0", order=(0, 1)))
    slot = table.slot_of(0, card("r5"))
    game = table.round
    assert game.refusal(0, Play(slot, 108)) is ActRefusal.NO_SUCH_CARD
    assert game.refusal(0, Play(slot, -1)) is ActRefusal.NO_SUCH_CARD
    assert game.refusal(0, Play(slot, card("r6")), table.cards) is ActRefusal.WRONG_CARD
    assert game.refusal(0, Play(slot, card("r6"))) is None


def test_nothing_is_legal_before_the_round_after_it_and_without_a_seat() -> None:
    game = Round(CLASSIC, (0, 1), 1)
    assert game.refusal(0, Draw()) is ActRefusal.WAITING
    table = small_table(seats=4)
    table.drop(2)
    assert table.round.refusal(2, Draw()) is ActRefusal.NOT_SEATED
    assert table.round.refusal(9, Draw()) is ActRefusal.NOT_SEATED
    for seat in (0, 1):
        table.drop(seat)
    assert table.round.over
    assert table.round.refusal(3, Draw()) is ActRefusal.ROUND_OVER


def test_only_acts_about_uno_are_legal_while_the_table_shuffles() -> None:
    table = small_table({0: "r1 b1"}, rules=Ruleset(advice=True))
    lay(table, 0, "r1")
    table.run_down(0, None)
    table.act_unserved(2, Catch(0))
    table.round.uno_owed = 0
    game = table.round
    assert game.shuffle is not None
    assert (game.refusal(0, SayUno()), game.refusal(1, Catch(0))) == (None, None)
    for act in (Draw(), Accuse(0), Vote(True)):
        assert game.refusal(1, act) is ActRefusal.WAITING


@pytest.mark.parametrize(
    ("name", "colour", "why"),
    [
        ("w", None, ActRefusal.COLOUR_MISSING),
        ("w", -1, ActRefusal.COLOUR_MISSING),
        ("w", 4, ActRefusal.COLOUR_MISSING),
        ("w", 0, None),
        ("w", 3, None),
        ("r1", 0, ActRefusal.COLOUR_UNWANTED),
        ("r1", None, None),
        ("b5", None, None),
        ("b2", None, ActRefusal.UNPLAYABLE),
    ],
)
def test_a_card_must_fit_and_only_a_wild_card_names_a_colour(
    name: str, colour: int | None, why: ActRefusal | None
) -> None:
    table = small_table({0: "r1 w b5 b2"})
    play = play_of(table, 0, name)
    assert table.round.refusal(0, Play(play.slot, play.card, colour)) is why


def test_a_card_of_another_hand_cannot_be_played() -> None:
    table = small_table({1: "r1 y2 y3"})
    assert table.round.refusal(0, play_of(table, 1, "r1")) is ActRefusal.NOT_YOUR_CARD
    assert table.round.refusal(1, play_of(table, 1, "r1")) is ActRefusal.NOT_YOUR_TURN


def test_uno_is_said_with_the_last_card_but_one_only() -> None:
    table = small_table({0: "r1 b1 b2"})
    play = play_of(table, 0, "r1", uno=True)
    assert table.round.refusal(0, play) is ActRefusal.NOTHING_TO_SAY
    table = small_table({0: "r1 b1"})
    assert table.round.refusal(0, play_of(table, 0, "r1", uno=True)) is None
    assert table.round.refusal(0, SayUno()) is ActRefusal.NOTHING_TO_SAY


@pytest.mark.parametrize("manners", Manners)
def test_after_a_draw_only_the_drawn_card_is_right(manners: Manners) -> None:
    table = small_table({0: "r1 b1 b2"}, pile="r9", rules=Ruleset(manners=manners))
    table.act(0, Draw())
    why = ActRefusal.ONLY_DRAWN_CARD if manners is Manners.ENFORCED else None
    assert table.round.refusal(0, play_of(table, 0, "r1")) is why
    assert table.round.refusal(0, play_of(table, 0, "r9")) is None
    assert table.round.refusal(0, Draw()) is ActRefusal.WRONG_MOMENT


@pytest.mark.parametrize(
    ("wild_four", "rest", "why"),
    [
        (WildFour.BLUFF, "r1 b2", None),
        (WildFour.STRICT, "r1 b2", ActRefusal.HOLDS_COLOUR),
        (WildFour.STRICT, "b5 b2", None),
        (WildFour.STRICT, "w b2", None),
        (WildFour.STRICTEST, "r1 b2", ActRefusal.HOLDS_PLAYABLE),
        (WildFour.STRICTEST, "b5 b2", ActRefusal.HOLDS_PLAYABLE),
        (WildFour.STRICTEST, "w b2", ActRefusal.HOLDS_PLAYABLE),
        (WildFour.STRICTEST, "w4 b2", None),
        (WildFour.STRICTEST, "b1 b2", None),
    ],
)
def test_the_rest_of_the_hand_may_forbid_a_wild_four(
    wild_four: WildFour, rest: str, why: ActRefusal | None
) -> None:
    """The start is the red 5. Without knowledge of the hand nothing can be refused."""
    table = small_table({0: f"w4 {rest}"}, rules=Ruleset(wild_four=wild_four))
    assert judged(table, 0, play_of(table, 0, "w4", Colour.BLUE)) == (None, why)


@pytest.mark.parametrize(
    ("hand", "playable"), [("b1 b2", False), ("r1 b2", True), ("w b2", True), ("w4 b2", True)]
)
@pytest.mark.parametrize("draw", DrawRule)
def test_a_draw_may_need_a_hand_without_a_playable_card(
    draw: DrawRule, hand: str, playable: bool
) -> None:
    table = small_table({0: hand}, rules=Ruleset(draw=draw))
    must = draw is DrawRule.STUCK and playable
    assert judged(table, 0, Draw()) == (None, ActRefusal.MUST_PLAY if must else None)
    assert holds_playable(table.round, 0, table.known_to(0)) is playable


def test_a_pass_needs_a_hand_without_a_playable_card() -> None:
    table = small_table({0: "r1 b2"})
    table.run_down(0, 1)
    assert judged(table, 0, Draw()) == (None, ActRefusal.MUST_PLAY)


@pytest.mark.parametrize(
    ("drawn", "hand", "pile", "must"),
    [
        (DrawnRule.FREE, "b1 b2", "r9", False),
        (DrawnRule.STUCK, "b1 b2", "r9", True),
        (DrawnRule.STUCK, "r1 b2", "r9", False),
        (DrawnRule.FORCED, "r1 b2", "r9", True),
        (DrawnRule.FORCED, "b1 b2", "g9", False),
        (DrawnRule.FORCED, "r1 b2", "w4", False),
        (DrawnRule.FORCED, "b1 b2", "w4", True),
    ],
)
def test_a_drawn_card_may_have_to_be_played(
    drawn: DrawnRule, hand: str, pile: str, must: bool
) -> None:
    """Nobody has to bluff: a Wild Draw Four may be kept with the current colour in hand."""
    table = small_table({0: hand}, pile=pile, rules=Ruleset(drawn=drawn))
    table.act(0, Draw())
    assert judged(table, 0, Keep()) == (None, ActRefusal.MUST_PLAY_DRAWN if must else None)


def test_guilt_needs_one_card_and_innocence_needs_all() -> None:
    table = small_table({0: "w4 b1 r1 b2"})
    lay(table, 0, "w4", Colour.BLUE)
    game = table.round
    red, blue = table.slot_of(0, card("r1")), table.slot_of(0, card("b1"))
    assert guilty(game, {}) is None
    assert guilty(game, {blue: card("b1")}) is None
    assert guilty(game, {red: card("r1")}) is True
    innocent = dict.fromkeys(game.accused_hand, card("b1"))
    assert guilty(game, innocent) is False


@pytest.mark.parametrize("truth", [False, True])
def test_a_verdict_that_contradicts_the_hand_is_false(truth: bool) -> None:
    table = small_table({0: f"w4 {'r1' if truth else 'b1'} b2"})
    lay(table, 0, "w4", Colour.BLUE)
    table.act(1, Challenge())
    table.act(0, Show())
    game = table.round
    assert game.refusal(1, Verdict(truth), table.cards) is None
    assert game.refusal(1, Verdict(not truth), table.cards) is ActRefusal.FALSE_VERDICT
    assert game.refusal(1, Verdict(not truth)) is None


def test_only_a_wild_four_can_be_challenged() -> None:
    table = small_table({0: "r+2 b1 b2"}, rules=Ruleset(stack_draw_two=True))
    assert table.round.refusal(0, Challenge()) is ActRefusal.WRONG_MOMENT
    lay(table, 0, "r+2")
    assert table.round.refusal(1, Challenge()) is ActRefusal.NOT_CHALLENGEABLE
    assert table.round.refusal(2, Challenge()) is ActRefusal.NOT_YOUR_TURN


@pytest.mark.parametrize("colour", [-1, 4])
def test_a_starting_wild_card_needs_one_of_the_four_colours(colour: int) -> None:
    table = small_table(start="w")
    assert table.round.refusal(0, NameColour(colour)) is ActRefusal.COLOUR_MISSING
    assert table.round.refusal(0, NameColour(3)) is None
    assert table.round.refusal(1, NameColour(3)) is ActRefusal.NOT_YOUR_TURN


@pytest.mark.parametrize(
    ("uno", "seat", "act", "why"),
    [
        (UnoRule.CATCH, 1, Catch(0), None),
        (UnoRule.CATCH, 0, Catch(0), ActRefusal.NOT_ONESELF),
        (UnoRule.CATCH, 1, Catch(2), ActRefusal.NOTHING_TO_CATCH),
        (UnoRule.CATCH, 1, Catch(3), ActRefusal.NO_SUCH_SEAT),
        (UnoRule.CATCH, 1, SayUno(), ActRefusal.NOTHING_TO_SAY),
        (UnoRule.AUTOMATIC, 1, Catch(0), ActRefusal.NO_CATCHING),
        (UnoRule.AUTOMATIC, 0, SayUno(), None),
    ],
)
def test_the_legal_acts_about_a_missing_uno(
    uno: UnoRule, seat: int, act: Action, why: ActRefusal | None
) -> None:
    table = small_table({0: "r1 b1"}, rules=Ruleset(uno=uno))
    lay(table, 0, "r1")
    assert table.round.refusal(seat, act) is why


def test_only_the_others_object_and_only_to_a_wrong_card() -> None:
    table = small_table({0: "r1 b1 b2"}, rules=Ruleset(manners=Manners.HONOUR))
    assert table.round.refusal(1, Object()) is ActRefusal.WRONG_MOMENT
    wrong = table.copy()
    lay(table, 0, "r1")
    assert table.round.refusal(1, Object()) is ActRefusal.RIGHT_CARD
    lay(wrong, 0, "b1")
    assert wrong.round.refusal(1, Object()) is None
    assert wrong.round.refusal(0, Object()) is ActRefusal.NOT_ONESELF


@pytest.mark.parametrize(("turns", "lap"), [(0, 0), (1, 0), (3, 0), (4, 1), (6, 1), (7, 2)])
def test_a_lap_has_one_turn_for_each_seat_that_was_dealt_cards(turns: int, lap: int) -> None:
    game = Round(CLASSIC, (0, 1, 2), 2)
    game.set_seats((0, 1))
    game.turns = turns
    assert current_lap(game) == lap


def test_a_seat_accuses_once_a_lap_and_votes_once() -> None:
    game = small_table(rules=Ruleset(advice=True), seats=4).round
    assert game.refusal(1, Vote(True)) is ActRefusal.NO_VOTING
    assert game.refusal(1, Accuse(1)) is ActRefusal.NOT_ONESELF
    assert game.refusal(1, Accuse(4)) is ActRefusal.NO_SUCH_SEAT
    game.act(1, Accuse(2))
    assert game.refusal(3, Accuse(2)) is ActRefusal.VOTE_RUNNING
    assert game.refusal(2, Vote(False)) is ActRefusal.NOT_ONESELF
    assert game.refusal(1, Vote(True)) is ActRefusal.ALREADY_DONE
    for seat in (0, 3):
        game.act(seat, Vote(False))
    assert game.accusation is None
    assert game.refusal(1, Accuse(2)) is ActRefusal.ALREADY_DONE
    assert game.refusal(3, Accuse(2)) is None
    game.turns += len(game.dealt_seats)
    assert game.refusal(1, Accuse(2)) is None


@pytest.mark.parametrize(("advice", "seats"), [(False, 4), (True, 2)])
def test_two_players_and_tables_without_the_rule_do_not_vote(advice: bool, seats: int) -> None:
    # No table of two is opened with this rule: seats leave.
    table = small_table(rules=Ruleset(advice=advice), seats=4)
    for seat in range(seats, 4):
        table.drop(seat)
    assert table.round.refusal(1, Accuse(0)) is ActRefusal.NO_VOTING
