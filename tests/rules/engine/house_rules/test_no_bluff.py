"""No bluff: a Wild Draw Four is illegal with the current colour in hand, without any challenge."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from lanuno.rules.cards import Colour
from lanuno.rules.engine.actions import Challenge
from lanuno.rules.engine.events import DrawReason, Drew, PenaltyPending
from lanuno.rules.engine.house_rules.no_bluff import NO_BLUFF
from lanuno.rules.refusals import ActRefusal
from lanuno.rules.ruleset import Ruleset, WildFour
from tests.rules.engine.small_tables import judged, lay, play_of, small_table

RULES = Ruleset(no_bluff=True)


def test_a_bluff_is_illegal() -> None:
    table = small_table({0: "w4 r1 b2"}, rules=RULES)
    play = play_of(table, 0, "w4", Colour.BLUE)
    assert judged(table, 0, play) == (None, ActRefusal.HOLDS_COLOUR)


def test_a_wild_four_cannot_be_challenged() -> None:
    table = small_table({0: "w4 b1 b2"}, rules=RULES)
    play = play_of(table, 0, "w4", Colour.BLUE)
    assert judged(table, 0, play) == (None, None)
    events = lay(table, 0, "w4", Colour.BLUE)
    assert not any(isinstance(event, PenaltyPending) for event in events)
    drew = [event for event in events if isinstance(event, Drew)]
    assert [(event.seat, len(event.slots), event.why) for event in drew] == [
        (1, 4, DrawReason.PENALTY)
    ]
    assert table.round.refusal(1, Challenge()) is ActRefusal.NOT_YOUR_TURN


@pytest.mark.parametrize(
    ("chosen", "played"),
    [
        (WildFour.BLUFF, WildFour.STRICT),
        (WildFour.STRICT, WildFour.STRICT),
        (WildFour.STRICTEST, WildFour.STRICTEST),
    ],
)
def test_a_stricter_setting_is_played_instead(chosen: WildFour, played: WildFour) -> None:
    rules = replace(RULES, wild_four=chosen)
    assert NO_BLUFF.amend(rules) == replace(RULES, wild_four=played)
    assert NO_BLUFF.replaced(rules) is (chosen is played)
