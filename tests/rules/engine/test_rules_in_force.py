"""The rules of a round: a ruleset with its house rules applied."""

from __future__ import annotations

import pickle
from copy import deepcopy

import msgspec
import pytest

from lanuno.rules.cards import Rank
from lanuno.rules.engine.card_effects import EFFECTS
from lanuno.rules.engine.effects import Effect
from lanuno.rules.engine.house_rules.registry import HOUSE_RULES
from lanuno.rules.engine.round import Round
from lanuno.rules.engine.rules_in_force import rules_in_force
from lanuno.rules.presets import CLASSIC, PRESETS
from lanuno.rules.rulebook.rulebook import rulebook
from lanuno.rules.ruleset import Ruleset, WildFour


def test_house_rules_replace_effects() -> None:
    usual = rules_in_force(Ruleset())
    seven_zero = rules_in_force(Ruleset(seven_zero=True))
    changed = [rank for rank in Rank if usual.effects[rank] is not seven_zero.effects[rank]]
    assert changed == [Rank.ZERO, Rank.SEVEN]
    assert (usual.hands_move, seven_zero.hands_move) == (False, True)


def test_only_cards_of_the_deck_move_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "lanuno.rules.engine.rules_in_force.EFFECTS",
        {**EFFECTS, Rank.SKIP: Effect(moves_hands=True)},
    )
    assert rules_in_force(Ruleset(hand_size=3)).hands_move


@pytest.mark.parametrize("name", [*PRESETS, *HOUSE_RULES])
def test_a_copy_of_the_rules_is_the_rules(name: str) -> None:
    ruleset = PRESETS.get(name) or msgspec.structs.replace(Ruleset(), **{name: True})
    rules = rules_in_force(ruleset)
    assert rules.ruleset == ruleset
    assert deepcopy(rules) == pickle.loads(pickle.dumps(rules)) == rules


def test_rulesets_that_are_equal_are_played_apart() -> None:
    """An enum member equals its number, but one round must not change the other."""
    odd: Ruleset = msgspec.structs.replace(CLASSIC, wild_four=0)
    rulebook(odd)
    assert Round(CLASSIC, (0, 1, 2), 0).ruleset.wild_four is WildFour.BLUFF
