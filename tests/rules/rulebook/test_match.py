"""The rules around a round, as the rulebook tells them."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from lanuno.rules.presets import CLASSIC, MASTERS, MASTERS_SHORT, PAIRS, PARTNERS, PRESETS
from lanuno.rules.rule import CheckedBy
from lanuno.rules.rulebook.rulebook import rulebook
from lanuno.rules.ruleset import Format, Manners, Ruleset, WildFour
from tests.rules.told_rules import rules_by_id


def test_targets_depend_on_the_seats() -> None:
    express = PRESETS["express"]
    assert dict(rules_by_id(express)["ending.points_by_seats"].values) == {"two": 100, "more": 200}
    assert dict(rules_by_id(express, 2)["ending.points"].values) == {"target": 100}
    assert dict(rules_by_id(express, 3)["ending.points"].values) == {"target": 200}
    assert "seats.exactly" in rules_by_id(express, 3)


@pytest.mark.parametrize("of", [Format.POINTS, Format.LOW_SCORE])
def test_that_points_depend_on_the_seats_is_said_only_if_they_do(of: Format) -> None:
    assert "leaving.target" not in rules_by_id(Ruleset(format=of, target=300, target_two=300))
    differing = Ruleset(format=of, target=300, target_two=200)
    assert "leaving.target" in rules_by_id(differing)
    assert "leaving.target" not in rules_by_id(differing, 3)


def test_laps_are_counted_out_for_known_seats() -> None:
    short = PRESETS["masters-short"]
    assert "ending.laps_turns" not in rules_by_id(short)
    assert rules_by_id(short, 4)["ending.laps_turns"].values["turns"] == 40


def test_a_tournament_counts_its_rounds() -> None:
    rules = rules_by_id(PRESETS["tournament"])
    assert dict(rules["seats.tournament_fair"].values) == {"partners": 7, "own": 28, "all": 56}
    assert rulebook(PRESETS["tournament"], 8) == rulebook(PRESETS["tournament"], 4)


def test_partners_take_turns_as_often_as_the_cycles_say() -> None:
    partners = PRESETS["partners"]
    assert rules_by_id(partners)["ending.partners"].values["rounds"] == 12
    twice = msgspec.structs.replace(partners, cycles=2, hands=3)
    assert rules_by_id(twice)["ending.partners_cycles"].values["rounds"] == 18


@pytest.mark.parametrize(
    ("preset", "seats", "told", "values"),
    [
        ("classic", None, "seats.range", {"low": 2, "high": 10}),
        ("classic", 5, "seats.exactly", {"players": 5}),
        ("duel", None, "seats.exactly", {"players": 2}),
        ("pairs", None, "seats.even", {"low": 4, "high": 10}),
        ("partners", None, "seats.partners", {"hands": 4}),
        ("tournament", None, "seats.tournament", {"players": 8, "hands": 4}),
    ],
)
def test_the_number_of_players_is_told(
    preset: str, seats: int | None, told: str, values: dict[str, int]
) -> None:
    rules = rules_by_id(PRESETS[preset], seats)
    assert rules[told].values == values
    counts = {"seats.range", "seats.exactly", "seats.even", "seats.tournament"}
    assert len(counts & set(rules)) == 1


@pytest.mark.parametrize(
    ("of", "told"),
    [
        (Format.POINTS, {"scoring.winner"}),
        (Format.LOW_SCORE, {"scoring.own"}),
        (Format.SINGLE, {"scoring.none"}),
        (Format.LAPS, {"scoring.none"}),
        (Format.ELIMINATION, {"scoring.own"}),
        (Format.PAIRS, {"scoring.pair", "scoring.partner"}),
        (Format.PARTNERS, {"scoring.pair", "scoring.partner", "scoring.tally"}),
        (Format.ROTATION, {"scoring.pair", "scoring.partner", "scoring.tally"}),
        (Format.DEALS, {"scoring.deals"}),
    ],
)
def test_each_format_says_who_scores_and_what_the_aim_is(of: Format, told: set[str]) -> None:
    rules = rules_by_id(replace(CLASSIC, format=of), 4)
    assert {name for name in rules if name.startswith("scoring.")} == told | {"scoring.cards"}
    assert rules["scoring.cards"].values == {"action": 20, "wild": 50}
    assert {name for name in rules if name.startswith("aim.")} == {f"aim.{of.name.lower()}"}


@pytest.mark.parametrize(
    ("of", "told"),
    [
        (Format.POINTS, {"points", "one_scores"}),
        (Format.LOW_SCORE, {"low_score", "low_score_tie", "low_score_away"}),
        (Format.SINGLE, {"single", "single_none"}),
        (
            Format.LAPS,
            {"laps", "laps_turns", "laps_draws", "laps_fewest", "laps_out", "single_none"},
        ),
        (Format.ELIMINATION, {"elimination", "elimination_two", "elimination_together"}),
        (Format.PAIRS, {"pairs", "one_pair_scores"}),
        (Format.PARTNERS, {"partners", "most_points"}),
        (Format.ROTATION, {"tournament_table", "tournament", "most_points"}),
        (Format.DEALS, {"deals", "deals_tie", "low_score_away"}),
    ],
)
def test_each_format_says_how_a_match_ends(of: Format, told: set[str]) -> None:
    rules = rules_by_id(replace(CLASSIC, format=of), 4)
    endings = {name for name in rules if name.startswith("ending.")}
    assert endings == {f"ending.{name}" for name in told}


@pytest.mark.parametrize("of", [Format.LOW_SCORE, Format.DEALS])
def test_between_two_nobody_can_win_by_staying_away(of: Format) -> None:
    assert "ending.low_score_away" not in rules_by_id(replace(CLASSIC, format=of), 2)


@pytest.mark.parametrize(
    ("ruleset", "seats", "told", "not_told"),
    [
        (CLASSIC, 2, {"two", "out"}, {"hand", "few", "won", "target", "teams"}),
        (CLASSIC, 3, {"hand", "pending", "few", "two", "won"}, {"laps", "on_trial", "target"}),
        (MASTERS_SHORT, 3, {"laps"}, {"target"}),
        (MASTERS, 3, {"won"}, {"laps", "target"}),
        (PAIRS, 4, {"teams", "out_pair", "won"}, {"hand", "two", "out", "out_partner"}),
        (PARTNERS, 4, {"teams", "out_partner"}, {"hand", "two", "out", "out_pair"}),
        (Ruleset(manners=Manners.HONOUR), 3, {"on_trial"}, {"hands_moved"}),
        (Ruleset(seven_zero=True), 3, {"hands_moved"}, {"on_trial"}),
    ],
)
def test_the_consequences_of_leaving_are_told(
    ruleset: Ruleset, seats: int, told: set[str], not_told: set[str]
) -> None:
    rules = rules_by_id(ruleset, seats)
    found = {name.removeprefix("leaving.") for name in rules if name.startswith("leaving.")}
    assert told | {"host"} <= found
    assert not not_told & found


@pytest.mark.parametrize(("first", "total"), [(0, 180), (60, 0), (0, 0), (30, 90)])
def test_the_table_waits_only_if_both_times_are_set(first: int, total: int) -> None:
    rules = rules_by_id(Ruleset(grace_first_s=first, grace_total_s=total))
    if first and total:
        assert rules["leaving.pause"].values == {"first": first, "total": total}
        assert "leaving.no_pause" not in rules
    else:
        assert "leaving.no_pause" in rules
        assert "leaving.pause" not in rules


@pytest.mark.parametrize("wild_four", WildFour)
def test_honour_has_its_numbers_and_a_word_on_bluffs(wild_four: WildFour) -> None:
    ruleset = Ruleset(
        manners=Manners.HONOUR, objection_ms=4000, objection_penalty=3, wild_four=wild_four
    )
    rules = rules_by_id(ruleset)
    assert rules["manners.honour_time"].values == {"wait": 4000}
    assert rules["manners.honour_time"].checked is CheckedBy.AGREEMENT
    assert rules["manners.objection"].values == {"penalty": 3}
    assert ("manners.bluff" in rules) is (wild_four is WildFour.BLUFF)
    assert "manners.enforced" not in rules


@pytest.mark.parametrize("advice", [False, True])
def test_advice_is_told_where_it_can_be_accused(advice: bool) -> None:
    rules = rules_by_id(Ruleset(advice=advice, advice_penalty=4, vote_ms=9000), 4)
    assert ("manners.advice" in rules) is advice
    if advice:
        assert rules["manners.advice_vote"].values == {"penalty": 4}
        assert rules["manners.advice_time"].values == {"wait": 9000}


@pytest.mark.parametrize(
    ("ruleset", "told"),
    [
        (Ruleset(turn_clock_s=0), {"none"}),
        (Ruleset(turn_extra_ms=0), {"clock_only", "slow", "turn", "penalty", "colour"}),
        (Ruleset(), {"clock", "slow", "turn", "penalty", "colour"}),
        (Ruleset(wild_four=WildFour.STRICT), {"clock", "slow", "turn", "colour"}),
        (Ruleset(seven_zero=True), {"clock", "slow", "turn", "penalty", "colour", "swap"}),
    ],
)
def test_the_clock_is_told_for_each_decision_that_can_arise(
    ruleset: Ruleset, told: set[str]
) -> None:
    rules = rules_by_id(ruleset)
    expected = told if told == {"none"} else told | {"autopilot"}
    assert {name for name in rules if name.startswith("timers.")} == {
        f"timers.{name}" for name in expected
    }


def test_house_rules_are_told_in_the_order_of_the_registry() -> None:
    assert "house.none" in rules_by_id(CLASSIC)
    rules = rules_by_id(Ruleset(winner_deals=True, jump_in=True, stack_cross=True))
    house = [name for name in rules if name.startswith("house.")]
    own = ["house.stack_cross", "house.jump_in", "house.winner_deals"]
    assert [name for name in house if name in own] == own
    assert house[-1] == "house.stack_last"
