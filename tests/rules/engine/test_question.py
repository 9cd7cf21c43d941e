"""What a card asks its player before the turn passes on."""

from __future__ import annotations

import pytest

from lanuno.rules.engine.actions import Action, Draw, SayUno, Swap
from lanuno.rules.engine.question import open_question, question_answered
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.refusals import ActRefusal
from lanuno.rules.ruleset import Ruleset
from tests.harness.rounds.table_of_cards import CardTable
from tests.rules.engine.small_tables import lay, small_table

RULES = Ruleset(seven_zero=True)


@pytest.fixture
def asked() -> CardTable:
    """A table on which seat 0 has played a 7 and has to choose a hand."""
    table = small_table({0: "r7 b1 b2"}, rules=RULES)
    lay(table, 0, "r7")
    return table


def test_the_top_card_asks_its_player(asked: CardTable) -> None:
    assert (asked.round.phase, asked.round.decider) == (RoundPhase.QUESTION, 0)
    assert open_question(asked.round).name == "swap"


@pytest.mark.parametrize(
    ("seat", "act", "answers"),
    [(0, Swap(1), True), (0, Swap(0), True), (1, Swap(0), False), (0, Draw(), False)],
)
def test_only_an_act_of_its_kind_by_the_seat_that_is_asked_answers(
    asked: CardTable, seat: int, act: Action, answers: bool
) -> None:
    question = question_answered(asked.round, seat, act)
    assert (question is open_question(asked.round)) is answers
    assert (question is None) is not answers


def test_nothing_is_answered_before_the_question() -> None:
    table = small_table({0: "r7 b1 b2"}, rules=RULES)
    assert question_answered(table.round, 0, Swap(1)) is None


@pytest.mark.parametrize(
    ("seat", "act", "why"),
    [
        (0, Draw(), ActRefusal.WRONG_MOMENT),
        (0, SayUno(), ActRefusal.NOTHING_TO_SAY),
        (1, Swap(0), ActRefusal.NOT_YOUR_TURN),
        (1, Draw(), ActRefusal.NOT_YOUR_TURN),
    ],
)
def test_other_acts_are_refused_meanwhile(
    asked: CardTable, seat: int, act: Action, why: ActRefusal
) -> None:
    assert asked.round.refusal(seat, act) is why


def test_the_answers_are_listed_and_the_clock_gives_one_of_them(asked: CardTable) -> None:
    acts = asked.round.legal(0)
    assert acts == (Swap(1), Swap(2))
    assert asked.round.clock_action() in acts
