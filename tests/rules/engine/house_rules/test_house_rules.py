"""House rules: each in one place, off by default, and checked when its mark says so."""

from __future__ import annotations

import ast
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanuno.rules.cards import Seat
from lanuno.rules.engine.actions import Draw, Play, Verdict
from lanuno.rules.engine.house_rules import registry
from lanuno.rules.engine.house_rules.house_rule import HouseRule
from lanuno.rules.engine.house_rules.registry import HOUSE_RULES
from lanuno.rules.engine.question import Known
from lanuno.rules.engine.round import Round
from lanuno.rules.engine.state import RoundState
from lanuno.rules.presets import CLASSIC, PRESETS
from lanuno.rules.refusals import ActRefusal
from lanuno.rules.rule import WhenChecked
from lanuno.rules.rulebook.rulebook import rulebook
from lanuno.rules.ruleset import DrawRule, Ruleset, WildFour
from tests.harness.rounds.audited_settings import checked_at_audit
from tests.harness.rounds.random_play import play_randomly, thinkable
from tests.harness.rounds.table_of_cards import CardTable

PRODUCT = Path(__file__).resolve().parents[4] / "lanuno"
OWN_MODULES = PRODUCT / "rules/engine/house_rules"
GAME_HOOKS = {
    "amend",
    "checks",
    "effects",
    "next_dealer",
    "out_of_turn_cards",
    "penalty_cards",
}
"""The fields that change the game itself, not the settings or the rulebook."""


def test_every_house_rule_is_a_setting_that_is_off() -> None:
    assert len(HOUSE_RULES) == 9
    assert {getattr(CLASSIC, name) for name in HOUSE_RULES} == {False}
    assert {name: rule.name for name, rule in HOUSE_RULES.items()} == {
        name: name for name in HOUSE_RULES
    }


def test_only_its_own_module_asks_whether_a_house_rule_is_on() -> None:
    asked = [
        f"{path.relative_to(PRODUCT)}:{node.lineno}"
        for path in PRODUCT.glob("**/*.py")
        if OWN_MODULES not in path.parents
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in HOUSE_RULES
    ]
    assert asked == []


def test_every_house_rule_changes_something() -> None:
    nothing = HouseRule("nothing", WhenChecked.LIVE)
    for rule in HOUSE_RULES.values():
        hooks = {
            name
            for name in HouseRule.__slots__
            if name in GAME_HOOKS and getattr(rule, name) != getattr(nothing, name)
        }
        assert hooks, rule.name


@pytest.mark.parametrize("name", HOUSE_RULES)
def test_a_rulebook_with_two_house_rules_tells_nothing_twice(name: str) -> None:
    for other in HOUSE_RULES:
        rules = msgspec.structs.replace(CLASSIC, **{name: True, other: True})
        told = [rule.id for section in rulebook(rules) for rule in section.rules]
        assert len(told) == len(set(told))


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


def test_rulesets_that_are_equal_are_played_apart() -> None:
    """An enum member equals its number, but one round must not change the other."""
    odd: Ruleset = msgspec.structs.replace(CLASSIC, wild_four=0)
    rulebook(odd)
    assert Round(CLASSIC, (0, 1, 2), 0).ruleset.wild_four is WildFour.BLUFF


def test_what_the_presets_leave_to_the_audit() -> None:
    assert checked_at_audit(CLASSIC) == ()
    assert checked_at_audit(PRESETS["deck112"]) == ("drawn",)
    assert checked_at_audit(PRESETS["express"]) == ("wild_four", "draw")
    assert checked_at_audit(Ruleset(forced_play=True, jump_in=True)) == ("forced_play",)


live = [name for name, rule in HOUSE_RULES.items() if rule.checked is WhenChecked.LIVE]


@given(st.sets(st.sampled_from(live)), st.integers(2, 5), st.integers(0, 2**32))
def test_rules_checked_live_need_no_audit(names: set[str], seats: int, seed: int) -> None:
    """With only such rules, every act that is legal live is also legal with all hands known.

    The exceptions are the verdict on a shown hand, and passing when nothing is left to draw.
    """
    ruleset: Ruleset = msgspec.structs.replace(CLASSIC, **dict.fromkeys(names, True))
    assert checked_at_audit(ruleset) == ()

    def check(table: CardTable) -> None:
        game = table.round
        for seat in game.seats:
            for action in thinkable(table, seat):
                if not isinstance(action, Verdict | Draw) and game.refusal(seat, action) is None:
                    assert game.refusal(seat, action, table.cards) is None

    play_randomly(CardTable.deal(ruleset, seats, seed=seed), seed, check, moves=60)
