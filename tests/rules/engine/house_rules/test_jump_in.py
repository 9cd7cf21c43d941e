"""Jump in: the twin of a card that was just played may be laid out of turn."""

from __future__ import annotations

import pytest

from lanuno.rules.cards import Colour
from lanuno.rules.engine.actions import Draw
from lanuno.rules.engine.events import Played, TurnStarted
from lanuno.rules.refusals import ActRefusal
from lanuno.rules.rule import CheckedBy
from lanuno.rules.ruleset import Ruleset
from tests.rules.engine.small_tables import lay, play_of, playable, small_table
from tests.rules.told_rules import rules_by_id

RULES = Ruleset(jump_in=True)


def test_only_the_twin_may_be_laid_and_the_turn_continues_behind_its_player() -> None:
    table = small_table({0: "r7 b1 b2", 2: "r7 b7 r8"}, rules=RULES)
    lay(table, 0, "r7")
    jump = play_of(table, 2, "r7")
    assert playable(table, 2) == {jump.card}
    events = table.act(2, jump)
    assert events == [Played(2, jump.slot, jump.card, 2, True), TurnStarted(0)]


def test_the_starting_card_has_no_twin() -> None:
    table = small_table({1: "r5 y2 y3"}, rules=RULES)
    assert playable(table, 1) == set()
    assert table.round.refusal(1, play_of(table, 1, "r5")) is ActRefusal.NOT_YOUR_TURN


def test_a_wild_card_has_no_twin() -> None:
    table = small_table({0: "w b1 b2", 2: "w g2 g3"}, rules=RULES)
    lay(table, 0, "w", Colour.RED)
    play = play_of(table, 2, "w", Colour.RED)
    assert table.round.refusal(2, play) is ActRefusal.NOT_YOUR_TURN


def test_it_is_too_late_once_the_next_player_has_drawn() -> None:
    table = small_table({0: "r7 b1 b2", 2: "r7 g2 g3"}, pile="y4", rules=RULES)
    lay(table, 0, "r7")
    assert playable(table, 2)
    table.act(1, Draw())
    assert playable(table, 2) == set()
    assert table.round.refusal(2, play_of(table, 2, "r7")) is ActRefusal.NOT_YOUR_TURN


@pytest.mark.parametrize("seven_zero", [False, True])
def test_the_rulebook_tells_who_may_lay_a_card(seven_zero: bool) -> None:
    rules = rules_by_id(Ruleset(jump_in=True, seven_zero=seven_zero))
    assert {"house.jump_in_not", "house.jump_in_turn"} <= set(rules)
    assert ("house.jump_in_seven_zero" in rules) is seven_zero
    assert "manners.turn" not in rules
    assert rules["manners.turn_jump"].checked is CheckedBy.LIVE
