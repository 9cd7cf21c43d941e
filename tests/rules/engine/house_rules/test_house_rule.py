"""What a house rule can change: each field of `HouseRule` has its effect."""

from __future__ import annotations

import msgspec
import pytest

from lanuno.rules.cards import Seat
from lanuno.rules.engine.actions import Draw, Play
from lanuno.rules.engine.house_rules import registry
from lanuno.rules.engine.house_rules.house_rule import HouseRule
from lanuno.rules.engine.house_rules.registry import HOUSE_RULES
from lanuno.rules.engine.question import Known
from lanuno.rules.engine.state import RoundState
from lanuno.rules.presets import CLASSIC
from lanuno.rules.refusals import ActRefusal
from lanuno.rules.rule import CheckedBy, WhenChecked
from lanuno.rules.rulebook.rulebook import rulebook
from lanuno.rules.ruleset import DrawRule, Ruleset
from tests.harness.rounds.table_of_cards import CardTable

GAME_HOOKS = {
    "amend",
    "checks",
    "effects",
    "next_dealer",
    "out_of_turn_cards",
    "penalty_cards",
}
"""The fields that change the game itself, not the settings or the rulebook."""


def test_every_house_rule_changes_something() -> None:
    nothing = HouseRule("nothing", WhenChecked.LIVE)
    for rule in HOUSE_RULES.values():
        hooks = {
            name
            for name in HouseRule.__slots__
            if name in GAME_HOOKS and getattr(rule, name) != getattr(nothing, name)
        }
        assert hooks, rule.name


def with_rule(monkeypatch: pytest.MonkeyPatch, rule: HouseRule) -> Ruleset:
    """Return a ruleset that plays this rule in place of the house rule of the same name."""
    monkeypatch.setattr(registry, "HOUSE_RULES", {rule.name: rule})
    changed: Ruleset = msgspec.structs.replace(CLASSIC, **{rule.name: True})
    return changed


def no_plays(
    _r: RoundState, _seat: Seat, _act: Play, _cards: Known, _otherwise: ActRefusal | None
) -> ActRefusal:
    return ActRefusal.WRONG_MOMENT


def test_what_a_house_rule_refuses_is_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = HouseRule("no_bluff", WhenChecked.LIVE, checks={Play: no_plays})
    table = CardTable.deal(with_rule(monkeypatch, rule), 3, seed=1)
    game = table.round
    assert game.decider is not None
    acts = game.legal(game.decider, table.cards)
    assert acts
    assert not any(isinstance(act, Play) for act in acts)
    assert all(game.refusal(game.decider, act, table.cards) is None for act in acts)


def test_an_amended_setting_is_played_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def amend(rules: Ruleset) -> Ruleset:
        changed: Ruleset = msgspec.structs.replace(rules, uno_penalty=5, draw=DrawRule.STUCK)
        return changed

    ruleset = with_rule(monkeypatch, HouseRule("no_bluff", WhenChecked.LIVE, amend=amend))
    table = CardTable.deal(ruleset, 3, seed=1)
    game = table.round
    assert game.decider is not None
    acts = game.legal(game.decider, table.cards)
    assert any(isinstance(act, Play) for act in acts) != any(isinstance(act, Draw) for act in acts)
    told = {rule.id: rule for section in rulebook(ruleset) for rule in section.rules}
    assert told["uno.catch"].values == {"penalty": 5}
    assert "turn.draw_stuck" in told


@pytest.mark.parametrize("name", HOUSE_RULES)
def test_the_rulebook_marks_a_house_rule_as_the_engine_checks_it(name: str) -> None:
    ruleset = msgspec.structs.replace(CLASSIC, **{name: True})
    told = {rule.id: rule for section in rulebook(ruleset) for rule in section.rules}
    assert told[f"house.{name}"].checked == CheckedBy(HOUSE_RULES[name].checked)
