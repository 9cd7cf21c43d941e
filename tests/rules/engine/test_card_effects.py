"""The table of effects has every card that is more than a number, and the rulebook has each."""

from __future__ import annotations

import pickle
from copy import deepcopy

import msgspec
import pytest

from lanuno.rules.cards import Rank
from lanuno.rules.decks import DECKS
from lanuno.rules.engine.actions import Play
from lanuno.rules.engine.card_effects import EFFECTS
from lanuno.rules.engine.effects import Effect
from lanuno.rules.engine.events import HandsMoved
from lanuno.rules.engine.house_rules.registry import HOUSE_RULES
from lanuno.rules.engine.rules_in_force import rules_in_force
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.presets import PRESETS
from lanuno.rules.rulebook.rulebook import rulebook
from lanuno.rules.ruleset import Manners, Ruleset
from tests.harness.rounds.table_of_cards import CardTable, card, stacked


def test_every_rank_that_is_no_number_has_an_effect() -> None:
    assert set(EFFECTS) == {rank for rank in Rank if not rank.traits.is_number}


@pytest.mark.parametrize("deck", DECKS)
def test_the_rulebook_tells_of_every_effect(deck: int) -> None:
    told = {rule.id for section in rulebook(Ruleset(deck=deck)) for rule in section.rules}
    for rank in DECKS[deck].keys() & EFFECTS.keys():
        assert {f"actions.{rank.name.lower()}", f"start.{rank.name.lower()}"} <= told


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


@pytest.mark.parametrize("rank", ["0", "7"])
def test_hands_stay_if_their_mover_leaves_before_the_card_takes_effect(rank: str) -> None:
    """On honour the effect waits for objections; a right card stays when its player leaves."""
    rules = Ruleset(hand_size=3, seven_zero=True, manners=Manners.HONOUR)
    deck = stacked({0: f"r{rank} b1 b2"}, "r5", order=(0, 1, 2, 3), size=3)
    table = CardTable.deal(rules, 4, deck=deck)
    table.act(0, Play(0, card(f"r{rank}")))
    held = {seat: list(table.round.hands[seat]) for seat in (1, 2, 3)}
    events = table.drop(0)
    assert not any(isinstance(event, HandsMoved) for event in events)
    assert table.round.hands == held
    assert (table.round.phase, table.round.decider) == (RoundPhase.TURN, 1)
