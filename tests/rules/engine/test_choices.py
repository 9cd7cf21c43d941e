"""The list of a seat's legal acts, and the act that the clock chooses.

`test_properties.py` checks in random rounds that the list and `refusal` agree.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lanuno.rules.cards import Colour
from lanuno.rules.engine.actions import (
    Accept,
    Accuse,
    Action,
    Catch,
    Challenge,
    Draw,
    Keep,
    NameColour,
    Object,
    OpenHand,
    RefuseShow,
    RefuseVerdict,
    SayUno,
    Show,
    Swap,
    Verdict,
    Vote,
)
from lanuno.rules.engine.round import Round
from lanuno.rules.presets import CLASSIC
from lanuno.rules.ruleset import Manners, Ruleset, UnoRule
from tests.harness.rounds.table_of_cards import CardTable
from tests.rules.engine.small_tables import lay, play_of, small_table


def acts(table: CardTable, seat: int) -> tuple[Action, ...]:
    """Return the legal acts of a seat that knows its hand."""
    return table.round.legal(seat, table.known_to(seat))


def test_no_act_is_legal_before_the_deal_and_after_the_end() -> None:
    game = Round(CLASSIC, (0, 1), 1)
    assert game.legal(0) == ()
    game.start()
    game.drop(0)
    assert game.over
    assert game.legal(1) == ()


def test_a_leaver_has_no_act() -> None:
    table = small_table(rules=Ruleset(advice=True), seats=4)
    assert Accuse(0) in acts(table, 2)
    table.drop(2)
    assert acts(table, 2) == ()


def test_only_known_cards_are_listed() -> None:
    table = small_table({0: "r1 b5 b2"})
    assert acts(table, 0) == (play_of(table, 0, "r1"), play_of(table, 0, "b5"), Draw())
    known = table.known_to(0)
    del known[play_of(table, 0, "r1").slot]
    assert table.round.legal(0, known) == (play_of(table, 0, "b5"), Draw())
    assert table.round.legal(0) == (Draw(),)


def test_a_wild_card_is_listed_with_every_colour() -> None:
    table = small_table({0: "w b1 b2"})
    assert acts(table, 0) == (*(play_of(table, 0, "w", colour) for colour in Colour), Draw())


def test_the_last_card_but_one_is_listed_with_and_without_uno() -> None:
    table = small_table({0: "r1 b1"})
    assert acts(table, 0) == (play_of(table, 0, "r1"), play_of(table, 0, "r1", uno=True), Draw())
    table = small_table({0: "w b1"})
    assert set(acts(table, 0)) == {
        Draw(),
        *(play_of(table, 0, "w", colour, uno=uno) for colour in Colour for uno in (True, False)),
    }


@pytest.mark.parametrize("uno", UnoRule)
def test_a_missing_uno_can_be_said_and_under_one_rule_be_caught(uno: UnoRule) -> None:
    table = small_table({0: "r1 b1"}, rules=Ruleset(uno=uno))
    lay(table, 0, "r1")
    assert acts(table, 0) == (SayUno(),)
    assert acts(table, 2) == ((Catch(0),) if uno is UnoRule.CATCH else ())


def test_while_the_table_shuffles_only_acts_about_uno_are_listed() -> None:
    table = small_table({0: "r1 b1"}, rules=Ruleset(advice=True))
    lay(table, 0, "r1")
    table.run_down(0, None)
    table.act_unserved(2, Catch(0))
    table.round.uno_owed = 0
    assert table.round.shuffle is not None
    assert acts(table, 0) == (SayUno(),)
    assert acts(table, 1) == acts(table, 2) == (Catch(0),)


def test_the_answers_to_a_wild_four_are_listed_step_by_step() -> None:
    table = small_table({0: "w4 r1 b2"})
    lay(table, 0, "w4", Colour.BLUE)
    assert acts(table, 1) == (Accept(), Challenge())
    table.act(1, Challenge())
    assert acts(table, 0) == (Show(), RefuseShow())
    table.act(0, Show())
    assert acts(table, 1) == (Verdict(False), Verdict(True), RefuseVerdict())
    # With the shown hand known, only the true verdict is left.
    assert table.round.legal(1, table.cards) == (Verdict(True), RefuseVerdict())
    table.act(1, RefuseVerdict())
    assert acts(table, 0) == (OpenHand(), RefuseShow())


def test_a_wrong_card_on_honour_may_be_laid_and_objected_to() -> None:
    table = small_table(rules=Ruleset(manners=Manners.HONOUR))
    assert play_of(table, 0, "b1") in acts(table, 0)
    lay(table, 0, "b1")
    assert acts(table, 0) == ()
    assert acts(table, 1) == acts(table, 2) == (Object(),)


def test_an_accusation_and_the_votes_on_it_are_listed_beside_the_turn() -> None:
    table = small_table(rules=Ruleset(advice=True), seats=4)
    assert acts(table, 1) == (Accuse(0), Accuse(2), Accuse(3))
    assert acts(table, 0) == (Draw(), Accuse(1), Accuse(2), Accuse(3))
    table.act(1, Accuse(2))
    assert acts(table, 3) == (Vote(False), Vote(True))
    assert acts(table, 1) == acts(table, 2) == ()


def at_turn() -> CardTable:
    return small_table()


def with_drawn_card() -> CardTable:
    table = small_table(pile="r9")
    table.act(0, Draw())
    return table


def at_penalty() -> CardTable:
    table = small_table({0: "w4 r1 b2"})
    lay(table, 0, "w4", Colour.BLUE)
    return table


def at_show() -> CardTable:
    table = at_penalty()
    table.act(1, Challenge())
    return table


def at_verdict() -> CardTable:
    table = at_show()
    table.act(0, Show())
    return table


def at_open_hand() -> CardTable:
    table = at_verdict()
    table.act(1, RefuseVerdict())
    return table


def at_question() -> CardTable:
    table = small_table({0: "r7 b1 b2"}, rules=Ruleset(seven_zero=True))
    lay(table, 0, "r7")
    return table


@pytest.mark.parametrize(
    ("moment", "act"),
    [
        (at_turn, Draw()),
        (with_drawn_card, Keep()),
        (at_penalty, Accept()),
        (at_show, RefuseShow()),
        (at_verdict, RefuseVerdict()),
        (at_open_hand, RefuseShow()),
        (at_question, Swap(1)),
    ],
)
def test_the_clock_chooses_an_act_that_breaks_no_rule(
    moment: Callable[[], CardTable], act: Action
) -> None:
    table = moment()
    assert table.round.clock_action() == table.round.clock_action(table.cards) == act
    decider = table.round.decider
    assert decider is not None
    assert table.round.refusal(decider, act) is None


@pytest.mark.parametrize(
    ("hand", "colour"),
    [
        ("b1 b2 y3", Colour.BLUE),
        ("b1 y2 g3", Colour.YELLOW),
        ("w w4 g3", Colour.GREEN),
        ("w w w4", Colour.RED),
    ],
)
def test_the_clock_names_the_most_frequent_colour_of_the_hand(hand: str, colour: Colour) -> None:
    """Among equals the first colour counts. A node that does not know the hand names red."""
    table = small_table({0: hand}, start="w")
    assert table.round.clock_action(table.known_to(0)) == NameColour(colour)
    assert table.round.clock_action() == NameColour(Colour.RED)
