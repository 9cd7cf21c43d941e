"""House rules: each in one place, off by default, and checked when its mark says so."""

from __future__ import annotations

import ast
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanuno.rules.engine.actions import Draw, Verdict
from lanuno.rules.engine.house_rules.registry import HOUSE_RULES
from lanuno.rules.presets import CLASSIC
from lanuno.rules.rule import WhenChecked
from lanuno.rules.rulebook.rulebook import rulebook
from lanuno.rules.ruleset import Ruleset
from tests.harness.rounds.audited_settings import checked_at_audit
from tests.harness.rounds.random_play import play_randomly, thinkable
from tests.harness.rounds.table_of_cards import CardTable

PRODUCT = Path(__file__).resolve().parents[4] / "lanuno"
OWN_MODULES = PRODUCT / "rules/engine/house_rules"


def test_only_its_own_module_asks_whether_a_house_rule_is_on() -> None:
    asked = [
        f"{path.relative_to(PRODUCT)}:{node.lineno}"
        for path in PRODUCT.glob("**/*.py")
        if OWN_MODULES not in path.parents
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in HOUSE_RULES
    ]
    assert asked == []


@pytest.mark.parametrize("name", HOUSE_RULES)
def test_a_rulebook_with_two_house_rules_tells_nothing_twice(name: str) -> None:
    for other in HOUSE_RULES:
        rules = msgspec.structs.replace(CLASSIC, **{name: True, other: True})
        told = [rule.id for section in rulebook(rules) for rule in section.rules]
        assert len(told) == len(set(told))


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
