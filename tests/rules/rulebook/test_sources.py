"""The notes on which source is followed."""

from __future__ import annotations

import pytest

from lanuno.rules.presets import PRESETS
from lanuno.rules.rule import CheckedBy
from lanuno.rules.rulebook.rulebook import rulebook
from lanuno.rules.ruleset import DrawnRule, DrawRule, Format, Ruleset, UnoRule, WildFour


def notes(ruleset: Ruleset, seats: int | None = None) -> set[str]:
    """Return the names of the notes on sources."""
    return {rule.id.removeprefix("sources.") for rule in rulebook(ruleset, seats)[-1].rules}


def test_rules_of_an_unknown_name_follow_no_source_as_a_whole() -> None:
    """The host of a table can write any name into its log."""
    known, unknown = notes(Ruleset(preset="classic")), notes(Ruleset(preset="of my own"))
    assert known - unknown == {"small"}
    assert unknown <= known


@pytest.mark.parametrize(
    ("preset", "followed"),
    [
        ("classic", "small"),
        ("deck112", "large"),
        ("express", "online"),
        ("masters", "masters"),
        ("masters-short", "masters"),
        ("duel", "two"),
        ("pairs", "small"),
    ],
)
def test_a_preset_names_its_source(preset: str, followed: str) -> None:
    general = {"small", "large", "online", "masters", "two"}
    assert notes(PRESETS[preset]) & general == {followed}


@pytest.mark.parametrize(
    ("ruleset", "told"),
    [
        (Ruleset(), "four_bluff uno_catch draw_free drawn_free deck_small"),
        (Ruleset(deck=112), "deck_large"),
        (Ruleset(wild_four=WildFour.STRICT), "four_strict"),
        (Ruleset(wild_four=WildFour.STRICTEST), "four_strictest"),
        (Ruleset(uno=UnoRule.AUTOMATIC), "uno_automatic"),
        (Ruleset(draw=DrawRule.STUCK), "draw_stuck drawn_free"),
        (Ruleset(drawn=DrawnRule.STUCK), "draw_free drawn_stuck"),
        (Ruleset(drawn=DrawnRule.FORCED), "draw_free drawn_forced"),
        (Ruleset(draw=DrawRule.STUCK, drawn=DrawnRule.STUCK), "draw_stuck drawn_forced"),
        (Ruleset(format=Format.LAPS), "short_laps"),
        (Ruleset(format=Format.DEALS), "short_deals"),
    ],
)
def test_each_point_of_difference_has_one_note(ruleset: Ruleset, told: str) -> None:
    found = notes(ruleset)
    assert set(told.split()) <= found
    for point in ("deck_", "four_", "uno_", "draw_", "drawn_", "short_", "points_"):
        assert sum(name.startswith(point) for name in found) <= 1, point


@pytest.mark.parametrize(
    ("two", "more", "seats", "told"),
    [
        (500, 500, None, "points_sheets"),
        (100, 200, None, "points_online"),
        (100, 500, 4, "points_sheets"),
        (100, 500, 2, "points_online"),
        (100, 500, None, "points_own"),
        (300, 300, None, "points_own"),
    ],
)
def test_only_targets_that_can_be_played_are_compared(
    two: int, more: int, seats: int | None, told: str
) -> None:
    found = notes(Ruleset(target_two=two, target=more), seats)
    assert {name for name in found if name.startswith("points_")} == {told}
    assert ("seats_open" in found) is (seats is None)


def test_no_player_can_break_a_note() -> None:
    for preset in PRESETS.values():
        for rule in rulebook(preset)[-1].rules:
            assert rule.checked is CheckedBy.NOTE
