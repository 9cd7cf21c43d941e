"""The rules of a round: a ruleset with its house rules applied."""

from __future__ import annotations

import pickle
from copy import deepcopy

import msgspec
import pytest
from msgspec.structs import replace

from lanuno.rules.cards import Rank
from lanuno.rules.decks import deck_tables
from lanuno.rules.engine.actions import Draw, Keep
from lanuno.rules.engine.card_effects import EFFECTS
from lanuno.rules.engine.effects import Effect
from lanuno.rules.engine.house_rules.registry import HOUSE_RULES
from lanuno.rules.engine.round import Round
from lanuno.rules.engine.rules_in_force import rules_in_force
from lanuno.rules.presets import CLASSIC, PRESETS
from lanuno.rules.ruleset import Ruleset, WildFour


def test_house_rules_replace_effects() -> None:
    usual = rules_in_force(Ruleset())
    seven_zero = rules_in_force(Ruleset(seven_zero=True))
    changed = [rank for rank in Rank if usual.effects[rank] is not seven_zero.effects[rank]]
    assert changed == [Rank.ZERO, Rank.SEVEN]
    assert (usual.hands_move, seven_zero.hands_move) == (False, True)


@pytest.mark.parametrize(("held", "moving"), [(True, True), (False, False)])
def test_only_cards_of_the_deck_move_hands(
    monkeypatch: pytest.MonkeyPatch, held: bool, moving: bool
) -> None:
    module = "lanuno.rules.engine.rules_in_force"
    effects = {**EFFECTS, Rank.SKIP: Effect(moves_hands=True)}
    monkeypatch.setattr(
        f"{module}._USUAL_EFFECTS", tuple(effects.get(rank, Effect()) for rank in Rank)
    )
    usual = deck_tables(108)
    without = tuple(frozenset() if rank is Rank.SKIP else usual.of_rank[rank] for rank in Rank)
    deck = usual if held else replace(usual, of_rank=without)
    monkeypatch.setattr(f"{module}.deck_tables", lambda _size: deck)
    assert rules_in_force(CLASSIC).hands_move is moving


@pytest.mark.parametrize("name", [*PRESETS, *HOUSE_RULES])
def test_a_copy_of_the_rules_is_the_rules(name: str) -> None:
    ruleset = PRESETS.get(name) or msgspec.structs.replace(Ruleset(), **{name: True})
    rules = rules_in_force(ruleset)
    assert rules.ruleset == ruleset
    assert deepcopy(rules) == pickle.loads(pickle.dumps(rules)) == rules


def test_rulesets_that_are_equal_are_played_apart() -> None:
    """An enum member equals its number, but one round must not change the other."""
    odd: Ruleset = msgspec.structs.replace(CLASSIC, wild_four=0)
    rules_in_force(odd)
    assert Round(CLASSIC, (0, 1, 2), 0).ruleset.wild_four is WildFour.BLUFF


def test_a_ruleset_without_house_rules_has_no_further_checks() -> None:
    rules = rules_in_force(CLASSIC)
    assert (rules.house_rules, rules.checks) == ((), {})
    assert (rules.penalty_cards, rules.out_of_turn_cards) == ((), ())
    assert rules.amended == CLASSIC
    assert not rules.draws_again


def test_the_fields_of_the_house_rules_are_collected() -> None:
    on = ("stack_draw_two", "stack_cross", "jump_in", "draw_until_playable", "no_bluff")
    rules = rules_in_force(msgspec.structs.replace(CLASSIC, **dict.fromkeys(on, True)))
    assert tuple(rule.name for rule in rules.house_rules) == on
    assert rules.penalty_cards == (
        HOUSE_RULES["stack_draw_two"].penalty_cards,
        HOUSE_RULES["stack_cross"].penalty_cards,
    )
    assert rules.out_of_turn_cards == (HOUSE_RULES["jump_in"].out_of_turn_cards,)
    assert rules.checks.keys() == {Draw, Keep}
    assert rules.draws_again
    assert rules.amended.wild_four is WildFour.STRICT
    assert rules.ruleset.wild_four is WildFour.BLUFF


def test_the_rank_says_what_a_card_asks() -> None:
    usual, seven_zero = rules_in_force(CLASSIC), rules_in_force(Ruleset(seven_zero=True))
    asked = {rank: seven_zero.effects[rank].question for rank in Rank}
    assert [rank for rank, question in asked.items() if question is not None] == [Rank.SEVEN]
    assert all(usual.effects[rank].question is None for rank in Rank)
