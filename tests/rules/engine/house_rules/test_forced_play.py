"""Forced play: a drawn card that fits has to be played."""

from __future__ import annotations

import pytest

from lanuno.rules.engine.actions import Draw, Keep
from lanuno.rules.engine.house_rules.registry import amended
from lanuno.rules.refusals import ActRefusal
from lanuno.rules.ruleset import DrawnRule, Ruleset
from tests.rules.engine.small_tables import judged, play_of, small_table


@pytest.mark.parametrize("drawn", DrawnRule)
@pytest.mark.parametrize("hand", ["b1 b2 b3", "r1 b2 b3"], ids=["stuck", "not_stuck"])
def test_a_drawn_card_that_fits_must_be_played(drawn: DrawnRule, hand: str) -> None:
    table = small_table({0: hand}, pile="r9", rules=Ruleset(forced_play=True, drawn=drawn))
    table.act(0, Draw())
    assert judged(table, 0, Keep()) == (None, ActRefusal.MUST_PLAY_DRAWN)
    assert judged(table, 0, play_of(table, 0, "r9")) == (None, None)


def test_a_drawn_card_that_does_not_fit_is_kept() -> None:
    table = small_table(pile="g9", rules=Ruleset(forced_play=True))
    table.act(0, Draw())
    assert judged(table, 0, Keep()) == (None, None)


def test_no_other_setting_is_amended() -> None:
    rules = Ruleset(forced_play=True, uno_penalty=3)
    assert amended(rules) == Ruleset(forced_play=True, uno_penalty=3, drawn=DrawnRule.FORCED)
