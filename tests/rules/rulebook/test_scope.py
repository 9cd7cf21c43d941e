"""The facts that decide which rules of the rulebook apply."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from lanuno.rules.cards import Rank
from lanuno.rules.presets import CLASSIC, DUEL, ELIMINATION, PAIRS
from lanuno.rules.rulebook import scope
from lanuno.rules.rulebook.scope import Scope, playable_seats
from lanuno.rules.ruleset import DrawnRule, DrawRule, Format, Ruleset, WildFour


@pytest.mark.parametrize(
    ("ruleset", "counts"),
    [
        (CLASSIC, tuple(range(2, 11))),
        (DUEL, (2,)),
        (ELIMINATION, tuple(range(3, 11))),
        (PAIRS, (4, 6, 8, 10)),
        (Ruleset(hand_size=20), (2, 3, 4, 5)),
        (Ruleset(format=Format.PAIRS, seats_max=3), ()),
    ],
)
def test_the_numbers_of_seats_that_can_play(ruleset: Ruleset, counts: tuple[int, ...]) -> None:
    assert playable_seats(ruleset) == counts


def test_house_rules_are_applied() -> None:
    found = Scope(Ruleset(no_bluff=True, forced_play=True), (3,))
    assert (found.wild_four, found.bluffing) == (WildFour.STRICT, False)
    assert found.drawn is DrawnRule.FORCED


@pytest.mark.parametrize(
    ("draw", "drawn", "told"),
    [
        (DrawRule.FREE, DrawnRule.STUCK, DrawnRule.STUCK),
        (DrawRule.STUCK, DrawnRule.STUCK, DrawnRule.FORCED),
        (DrawRule.STUCK, DrawnRule.FREE, DrawnRule.FREE),
        (DrawRule.FREE, DrawnRule.FORCED, DrawnRule.FORCED),
    ],
)
def test_a_card_drawn_without_a_choice_must_be_played(
    draw: DrawRule, drawn: DrawnRule, told: DrawnRule
) -> None:
    """If only a player who is stuck may draw, "if stuck" and "always" are one rule."""
    assert Scope(Ruleset(draw=draw, drawn=drawn), (3,)).drawn is told


@pytest.mark.parametrize(
    ("counts", "two", "more"),
    [((2,), True, False), ((2, 3), True, True), ((3,), False, True), ((4, 6), False, True)],
)
def test_two_or_more_may_play(counts: tuple[int, ...], two: bool, more: bool) -> None:
    found = Scope(CLASSIC, counts)
    assert (found.two_may_play, found.more_may_play) == (two, more)


@pytest.mark.parametrize("of", Format)
def test_teams_and_points_depend_on_the_format(of: Format) -> None:
    found = Scope(replace(CLASSIC, format=of), (4,))
    teams = of in (Format.PAIRS, Format.PARTNERS, Format.ROTATION)
    assert (found.teams, found.may_become_two) == (teams, not teams)
    assert found.scored is (of not in (Format.SINGLE, Format.LAPS))


def test_the_questions_of_the_cards_are_named_once() -> None:
    assert Scope(CLASSIC, (3,)).questions == ()
    assert Scope(Ruleset(seven_zero=True), (3,)).questions == ("swap",)


def test_ranks_that_the_general_sentences_name_are_usual(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Scope(CLASSIC, (3,)).unusual_ranks == ()
    usual = [rank for rank in Rank if rank not in (Rank.SKIP, Rank.WILD)]
    monkeypatch.setattr(scope, "_USUAL_RANKS", usual)
    assert Scope(CLASSIC, (3,)).unusual_ranks == (Rank.SKIP, Rank.WILD)
