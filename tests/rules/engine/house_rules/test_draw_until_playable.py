"""Draw until playable: a seat that draws continues until a card fits or nothing is left."""

from __future__ import annotations

import pytest

from lanuno.rules.engine.actions import Draw, Keep
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.refusals import ActRefusal
from lanuno.rules.rule import CheckedBy
from lanuno.rules.ruleset import DrawnRule, DrawRule, Ruleset
from tests.harness.rounds.table_of_cards import card
from tests.rules.engine.small_tables import judged, play_of, small_table
from tests.rules.told_rules import rules_by_id

RULES = Ruleset(draw_until_playable=True)


def test_a_card_that_does_not_fit_is_followed_by_another() -> None:
    table = small_table(pile="g1 r9", rules=RULES)
    table.act(0, Draw())
    assert judged(table, 0, Keep()) == (None, ActRefusal.MUST_DRAW)
    assert judged(table, 0, Draw()) == (None, None)
    table.act(0, Draw())
    assert (table.round.phase, table.round.decider) == (RoundPhase.DRAWN, 0)
    assert judged(table, 0, Draw()) == (None, ActRefusal.DRAWN_FITS)
    assert judged(table, 0, Keep()) == (None, None)
    assert table.round.legal(0, table.known_to(0)) == (play_of(table, 0, "r9"), Keep())


def test_drawing_ends_with_the_last_card() -> None:
    table = small_table(rules=RULES)
    table.run_down(1, 1)
    # Exchange the last card for one that does not fit; seat 1 holds all others.
    last, green = table.round.pile_next, table.slot_of(1, card("g4"))
    table.cards[last], table.cards[green] = table.cards[green], table.cards[last]
    table.act(0, Draw())
    assert judged(table, 0, Draw()) == (ActRefusal.WRONG_MOMENT, ActRefusal.WRONG_MOMENT)
    assert judged(table, 0, Keep()) == (None, None)


def test_only_the_seat_that_draws_continues() -> None:
    table = small_table(pile="g1", rules=RULES)
    assert judged(table, 1, Draw()) == (ActRefusal.NOT_YOUR_TURN, ActRefusal.NOT_YOUR_TURN)
    table.act(0, Draw())
    assert judged(table, 1, Draw()) == (ActRefusal.NOT_YOUR_TURN, ActRefusal.NOT_YOUR_TURN)


@pytest.mark.parametrize(
    ("draw", "told"), [(DrawRule.FREE, "draw"), (DrawRule.STUCK, "draw_stuck")]
)
def test_the_rulebook_tells_when_drawing_ends(draw: DrawRule, told: str) -> None:
    rules = rules_by_id(Ruleset(draw_until_playable=True, draw=draw))
    assert f"turn.{told}" not in rules
    assert rules[f"turn.{told}_until"].checked is CheckedBy.AUDIT


@pytest.mark.parametrize("drawn", DrawnRule)
def test_the_rulebook_tells_that_the_card_that_fits_must_be_played(drawn: DrawnRule) -> None:
    rules = rules_by_id(Ruleset(draw_until_playable=True, drawn=drawn))
    assert ("house.draw_until_forced" in rules) is (drawn is not DrawnRule.FREE)
