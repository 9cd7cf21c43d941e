"""The rulebook follows the ruleset: which rules appear, with which numbers, checked by whom."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from lanuno.rules.engine.house_rules.registry import HOUSE_RULES
from lanuno.rules.errors import RulesError
from lanuno.rules.presets import PRESETS
from lanuno.rules.rule import CheckedBy
from lanuno.rules.rulebook.rulebook import rulebook
from lanuno.rules.rulebook.scope import playable_seats
from lanuno.rules.ruleset import Format, Ruleset
from tests.harness.rounds.any_rules import any_ruleset
from tests.harness.rounds.audited_settings import checked_at_audit
from tests.rules.told_rules import rules_by_id

AT_AUDIT = {
    "wild_four": {"four.strict", "four.strictest"},
    "draw": {"turn.draw_stuck", "turn.draw_stuck_until"},
    "drawn": {"turn.drawn_stuck", "turn.drawn_forced"},
    "draw_until_playable": {"house.draw_until_playable"},
    "forced_play": {"house.forced_play"},
    "no_bluff": {"house.no_bluff"},
}
"""By setting that only the audit can check: the rules that say so."""


def some_rulesets(count: int) -> list[Ruleset]:
    """Return rulesets that can be played with at least one number of seats."""
    every = (any_ruleset(Random(seed)) for seed in range(count))
    return [*PRESETS.values(), *(each for each in every if playable_seats(each))]


def test_every_section_says_something_under_its_own_name() -> None:
    for ruleset in some_rulesets(300):
        for section in rulebook(ruleset):
            assert section.rules
            assert all(rule.id.startswith(f"{section.id}.") for rule in section.rules)


def test_a_rule_always_needs_the_same_numbers() -> None:
    needed: dict[str, set[str]] = {}
    for ruleset in some_rulesets(1000):
        for rule in rules_by_id(ruleset).values():
            assert needed.setdefault(rule.id, set(rule.values)) == set(rule.values), rule.id


def test_rules_that_only_the_audit_can_check_are_marked() -> None:
    for ruleset in some_rulesets(500):
        rules = rules_by_id(ruleset)
        for setting in checked_at_audit(ruleset):
            marked = [rules[name].checked for name in AT_AUDIT[setting] if name in rules]
            assert marked == [CheckedBy.AUDIT], setting


@pytest.mark.parametrize("preset", PRESETS)
def test_house_rules_appear_where_they_are_on(preset: str) -> None:
    usual = rules_by_id(PRESETS[preset])
    assert "house.none" in usual
    assert "actions.no_stacking" in usual
    for name in HOUSE_RULES:
        changed = msgspec.structs.replace(PRESETS[preset], **{name: True})
        if playable_seats(changed):
            rules = rules_by_id(changed)
            assert f"house.{name}" in rules
            assert "house.none" not in rules
            assert ("actions.no_stacking" in rules) == (not name.startswith("stack"))


def test_the_numbers_are_those_of_the_ruleset() -> None:
    ruleset = Ruleset(hand_size=5, uno_penalty=3, challenge_penalty=1, deck=112, uno_hold_ms=4000)
    rules = rules_by_id(ruleset)
    assert rules["deal.hands"].values["hand"] == 5
    assert rules["uno.catch"].values["penalty"] == 3
    assert rules["four.innocent"].values["total"] == 5
    assert dict(rules["cards.deck"].values) == {"cards": 112, "wild": 8, "wild_four": 4}
    assert rules["uno.hold"].values["hold"] == 4000


@pytest.mark.parametrize(
    ("ruleset", "seats"),
    [
        (Ruleset(), 11),
        (PRESETS["duel"], 3),
        (PRESETS["classic"], 1),
        (Ruleset(format=Format.PAIRS, seats_max=3), None),
    ],
)
def test_the_rulebook_refuses_rules_that_cannot_be_played(
    ruleset: Ruleset, seats: int | None
) -> None:
    with pytest.raises(RulesError):
        rulebook(ruleset, seats)
