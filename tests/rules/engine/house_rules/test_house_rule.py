"""What a house rule can change: each field of `HouseRule` has its effect."""

from __future__ import annotations

from collections.abc import Callable, Iterator

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
from lanuno.rules.rule import CheckedBy, Rule, WhenChecked, live
from lanuno.rules.ruleset import DrawRule, Ruleset
from tests.harness.rounds.random_play import everybodys_acts, play_randomly
from tests.harness.rounds.table_of_cards import CardTable
from tests.rules.engine.small_tables import play_of, small_table
from tests.rules.told_rules import rules_by_id

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


def with_rules(monkeypatch: pytest.MonkeyPatch, *rules: HouseRule) -> Ruleset:
    """Return a ruleset that plays these rules in place of the house rules of the same names."""
    monkeypatch.setattr(registry, "HOUSE_RULES", {rule.name: rule for rule in rules})
    changed: Ruleset = msgspec.structs.replace(CLASSIC, **{rule.name: True for rule in rules})
    return changed


def played(ruleset: Ruleset, seed: int) -> list[object]:
    """Return all events of a random round, and the legal acts at every moment."""
    seen: list[object] = []
    table = CardTable.deal(ruleset, 3, seed=seed)
    play_randomly(table, seed, lambda now: seen.append(everybodys_acts(now)), moves=80)
    return [*seen, *table.events]


def test_omitted_fields_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = rules_by_id(CLASSIC)
    ruleset = with_rules(monkeypatch, HouseRule("jump_in", WhenChecked.LIVE))
    for seed in range(4):
        assert played(ruleset, seed) == played(CLASSIC, seed)
    told = rules_by_id(ruleset)
    assert set(usual) ^ set(told) == {"house.none", "house.jump_in"}


def no_plays(
    _r: RoundState, _seat: Seat, _act: Play, _cards: Known, _otherwise: ActRefusal | None
) -> ActRefusal:
    return ActRefusal.WRONG_MOMENT


def test_acts_that_a_house_rule_refuses_are_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = HouseRule("no_bluff", WhenChecked.LIVE, checks={Play: no_plays})
    table = CardTable.deal(with_rules(monkeypatch, rule), 3, seed=1)
    game = table.round
    assert game.decider is not None
    acts = game.legal(game.decider, table.cards)
    assert acts
    assert not any(isinstance(act, Play) for act in acts)
    assert all(game.refusal(game.decider, act, table.cards) is None for act in acts)


def test_a_later_house_rule_receives_the_answer_of_the_earlier_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    received: list[ActRefusal | None] = []

    def look(
        _r: RoundState, _seat: Seat, _act: Play, _cards: Known, otherwise: ActRefusal | None
    ) -> ActRefusal | None:
        received.append(otherwise)
        return otherwise

    ruleset = with_rules(
        monkeypatch,
        HouseRule("jump_in", WhenChecked.LIVE, checks={Play: look}),
        HouseRule("forced_play", WhenChecked.LIVE, checks={Play: no_plays}),
        HouseRule("no_bluff", WhenChecked.LIVE, checks={Play: look}),
    )
    table = small_table({0: "r1 b2 b3"}, rules=ruleset)
    assert table.round.refusal(0, play_of(table, 0, "r1")) is ActRefusal.WRONG_MOMENT
    assert received == [None, ActRefusal.WRONG_MOMENT]


def test_a_check_leaves_other_acts_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = HouseRule("no_bluff", WhenChecked.LIVE, checks={Play: no_plays})
    table = small_table(rules=with_rules(monkeypatch, rule))
    assert table.round.refusal(0, Draw()) is None


def test_an_amended_setting_is_played_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def amend(rules: Ruleset) -> Ruleset:
        changed: Ruleset = msgspec.structs.replace(rules, uno_penalty=5, draw=DrawRule.STUCK)
        return changed

    ruleset = with_rules(monkeypatch, HouseRule("no_bluff", WhenChecked.LIVE, amend=amend))
    table = CardTable.deal(ruleset, 3, seed=1)
    game = table.round
    assert game.decider is not None
    acts = game.legal(game.decider, table.cards)
    assert any(isinstance(act, Play) for act in acts) != any(isinstance(act, Draw) for act in acts)
    told = rules_by_id(ruleset)
    assert told["uno.catch"].values == {"penalty": 5}
    assert "turn.draw_stuck" in told


@pytest.mark.parametrize("name", HOUSE_RULES)
def test_the_rulebook_marks_a_house_rule_as_the_engine_checks_it(name: str) -> None:
    ruleset = msgspec.structs.replace(CLASSIC, **{name: True})
    told = rules_by_id(ruleset)
    assert told[f"house.{name}"].checked == CheckedBy(HOUSE_RULES[name].checked)


def test_sentences_are_reworded_in_the_order_of_the_registry(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A rule can replace a sentence, add one to it, or leave it out."""

    def first(_rules: Ruleset, said: Rule) -> Iterator[Rule]:
        yield live("turn.first") if said.id == "turn.play" else said

    def second(_rules: Ruleset, said: Rule) -> Iterator[Rule]:
        if said.id == "turn.first":
            yield said
            yield live("turn.second")
        elif said.id != "turn.colour":
            yield said

    ruleset = with_rules(
        monkeypatch,
        HouseRule("jump_in", WhenChecked.LIVE, reword=first),
        HouseRule("no_bluff", WhenChecked.LIVE, reword=second),
    )
    turn = [name for name in rules_by_id(ruleset) if name.startswith("turn.")]
    assert turn[:3] == ["turn.first", "turn.second", "turn.draw"]


def test_details_follow_their_rule_and_shared_details_follow_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def shared(_rules: Ruleset) -> Iterator[Rule]:
        yield live("house.shared")

    def own(name: str) -> Callable[[Ruleset], Iterator[Rule]]:
        return lambda _rules: iter([live(f"house.{name}_detail")])

    ruleset = with_rules(
        monkeypatch,
        *(
            HouseRule(name, WhenChecked.LIVE, details=own(name), shared_details=shared)
            for name in ("jump_in", "no_bluff")
        ),
    )
    assert [name for name in rules_by_id(ruleset) if name.startswith("house.")] == [
        "house.jump_in",
        "house.jump_in_detail",
        "house.no_bluff",
        "house.no_bluff_detail",
        "house.shared",
    ]
