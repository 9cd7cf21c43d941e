"""The rules of a round, as the rulebook tells them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from lanuno.rules.cards import Rank
from lanuno.rules.engine.card_effects import EFFECTS
from lanuno.rules.engine.moving_hands import SWAP_HANDS
from lanuno.rules.rule import CheckedBy
from lanuno.rules.rulebook import round as rounds
from lanuno.rules.rulebook import scope
from lanuno.rules.ruleset import DrawnRule, DrawRule, Format, Ruleset, UnoRule, WildFour
from tests.rules.told_rules import rules_by_id


def test_the_rule_in_force_appears() -> None:
    assert "four.strict" in rules_by_id(Ruleset(no_bluff=True))
    assert "four.strictest" in rules_by_id(Ruleset(no_bluff=True, wild_four=WildFour.STRICTEST))
    assert "turn.drawn_forced" in rules_by_id(Ruleset(forced_play=True))
    assert "turn.draw_stuck_until" in rules_by_id(
        Ruleset(draw=DrawRule.STUCK, draw_until_playable=True)
    )
    assert "out.owing" in rules_by_id(Ruleset(uno=UnoRule.AUTOMATIC))


def test_an_unusual_rank_has_sentences_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = rules_by_id(Ruleset())
    assert not {"cards.seven", "scoring.seven", "start.seven", "actions.seven"} & set(before)
    monkeypatch.setattr(
        scope, "_USUAL_RANKS", [rank for rank in Rank if rank not in (Rank.SEVEN, Rank.WILD_FOUR)]
    )
    monkeypatch.setattr(rounds, "EFFECTS", {Rank.SEVEN: SWAP_HANDS, **EFFECTS})
    told = rules_by_id(Ruleset())
    assert (told["cards.seven"].values, told["scoring.seven"].values) == (
        {"count": 2},
        {"points": 7},
    )
    assert told["cards.wild_four"].values == {"count": 4}
    assert told["scoring.wild_four"].values == {"points": 50}
    assert {"start.seven", "actions.seven", "cards.trade_seven"} < set(told)
    assert set(before) - set(told) == {"cards.trade_never"}


@pytest.mark.parametrize(
    ("ruleset", "told", "checked", "others"),
    [
        (Ruleset(), "turn.draw", CheckedBy.LIVE, {"turn.draw_stuck"}),
        (Ruleset(draw=DrawRule.STUCK), "turn.draw_stuck", CheckedBy.AUDIT, {"turn.draw"}),
        (Ruleset(), "turn.drawn", CheckedBy.LIVE, {"turn.drawn_stuck", "turn.drawn_forced"}),
        (
            Ruleset(drawn=DrawnRule.STUCK),
            "turn.drawn_stuck",
            CheckedBy.AUDIT,
            {"turn.drawn", "turn.drawn_forced"},
        ),
        (
            Ruleset(drawn=DrawnRule.FORCED),
            "turn.drawn_forced",
            CheckedBy.AUDIT,
            {"turn.drawn", "turn.drawn_stuck"},
        ),
        (Ruleset(), "four.bluff", CheckedBy.LIVE, {"four.strict", "four.strictest"}),
        (
            Ruleset(wild_four=WildFour.STRICT),
            "four.strict",
            CheckedBy.AUDIT,
            {"four.bluff", "four.strictest"},
        ),
        (
            Ruleset(wild_four=WildFour.STRICTEST),
            "four.strictest",
            CheckedBy.AUDIT,
            {"four.bluff", "four.strict"},
        ),
    ],
)
def test_one_rule_is_told_for_each_value_and_the_audit_checks_what_depends_on_a_hand(
    ruleset: Ruleset, told: str, checked: CheckedBy, others: set[str]
) -> None:
    rules = rules_by_id(ruleset)
    assert rules[told].checked is checked
    assert not others & set(rules)


@pytest.mark.parametrize("wild_four", WildFour)
def test_a_challenge_is_told_only_where_there_is_one(wild_four: WildFour) -> None:
    rules = rules_by_id(Ruleset(wild_four=wild_four, challenge_penalty=3))
    bluffing = wild_four is WildFour.BLUFF
    assert ("four.challenge" in rules) is bluffing
    assert ("four.no_challenge" in rules) is not bluffing
    if bluffing:
        assert rules["four.guilty"].values == {"four": 4}
        assert rules["four.innocent"].values == {"total": 7}


@pytest.mark.parametrize(
    ("ruleset", "told"),
    [
        (Ruleset(), {"catch", "hold", "catch_from"}),
        (Ruleset(uno_hold_ms=0, uno_catch_ms=0), {"catch", "no_hold", "catch_at_once"}),
        (Ruleset(uno=UnoRule.AUTOMATIC), {"automatic", "hold_automatic"}),
        (Ruleset(uno=UnoRule.AUTOMATIC, uno_hold_ms=0, uno_catch_ms=0), {"automatic", "no_hold"}),
    ],
)
def test_the_times_to_say_uno_and_to_catch_are_told(ruleset: Ruleset, told: set[str]) -> None:
    rules = rules_by_id(ruleset)
    found = {name.removeprefix("uno.") for name in rules if name.startswith("uno.")}
    assert found == told | {"due", "lapses", "order"}
    assert ("out.owing" in rules) is (ruleset.uno is UnoRule.AUTOMATIC)


@pytest.mark.parametrize("of", Format)
def test_the_deal_and_the_end_of_the_pile_depend_on_the_format(of: Format) -> None:
    rules = rules_by_id(replace(Ruleset(), format=of), 4)
    chosen = of is not Format.ROTATION
    assert ("deal.first" in rules, "deal.first_seat" in rules) == (chosen, not chosen)
    scored = of not in (Format.SINGLE, Format.LAPS)
    blocked = "deals" if of is Format.DEALS else "" if scored else "single"
    assert [name for name in rules if name.startswith("pile.blocked")] == [
        f"pile.blocked_{blocked}" if blocked else "pile.blocked"
    ]
    assert rules["out.last" if scored else "out.last_unscored"].values == {"two": 2, "four": 4}
    teams = of in (Format.PAIRS, Format.PARTNERS, Format.ROTATION)
    assert ("start.two" in rules, "actions.two" in rules) == (not teams, not teams)


def test_a_rule_about_drawing_names_the_number_of_cards() -> None:
    rules = rules_by_id(Ruleset())
    assert rules["actions.draw_two"].values == {"draws": 2}
    assert rules["actions.wild_four"].values == {"draws": 4}
    assert rules["start.draw_two"].values == {"draws": 2}
    # It cannot start the discard pile.
    assert rules["start.wild_four"].values == {}
    assert rules["actions.skip"].values == {}
