"""Jump in: the twin of a card that was just played may be laid out of turn."""

from __future__ import annotations

from collections.abc import Iterator

from lanuno.rules.cards import CardId
from lanuno.rules.engine.house_rules.house_rule import HouseRule
from lanuno.rules.engine.state import RoundState
from lanuno.rules.rule import Rule, WhenChecked, live
from lanuno.rules.ruleset import Ruleset


def _twins(r: RoundState) -> frozenset[CardId]:
    """Return the twins of the top card; none while only the starting card lies."""
    return r.deck.twins[r.top] if r.played else frozenset()


def _details(rules: Ruleset) -> Iterator[Rule]:
    yield live("house.jump_in_not")
    yield live("house.jump_in_turn")
    if rules.seven_zero:
        yield live("house.jump_in_seven_zero")


def _reword(_rules: Ruleset, said: Rule) -> Iterator[Rule]:
    yield live("manners.turn_jump") if said.id == "manners.turn" else said


JUMP_IN = HouseRule(
    "jump_in",
    WhenChecked.LIVE,
    out_of_turn_cards=_twins,
    details=_details,
    reword=_reword,
)
