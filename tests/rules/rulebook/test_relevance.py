"""Which settings matter: the same games are played with and without a change of each."""

from __future__ import annotations

import msgspec
import pytest

from lanuno.rules.engine.events import RoundEnding
from lanuno.rules.engine.results import DealerResult, RoundResult
from lanuno.rules.engine.round import Round
from lanuno.rules.match.match import Match
from lanuno.rules.presets import PRESETS
from lanuno.rules.rulebook.relevance import has_target, is_played, matters
from lanuno.rules.rulebook.scope import playable_seats
from lanuno.rules.ruleset import Format, Ruleset, WildFour
from lanuno.rules.settings import SETTINGS
from tests.harness.rounds.random_play import everybodys_acts, play_randomly
from tests.harness.rounds.table_of_cards import CardTable

ENDING = {"target": 40, "target_two": 40, "laps": 3, "hands": 3, "cycles": 2}
RULESETS = {
    **PRESETS,
    "deals": msgspec.structs.replace(PRESETS["masters-short"], format=Format.DEALS),
}
ROUNDS = 60


def course(ruleset: Ruleset, seats: int) -> list[object]:
    """Return the course of a match in which one seat wins every round, and the turn limit."""
    match = Match(ruleset, seats)
    seen: list[object] = [Round(ruleset, tuple(range(seats)), 0).turn_limit]
    for _ in range(ROUNDS):
        plan = match.next()
        if plan is None:
            break
        seen.append(plan)
        if plan.dealer is None:
            match.finish(DealerResult(plan.seats[0]))
            continue
        held = tuple(0 if seat == 0 else 10 + seat for seat in plan.seats)
        cards = tuple(seat for seat in plan.seats)
        match.finish(RoundResult(RoundEnding.OUT, plan.seats, (0,), held, cards))
    return [*seen, match.winners]


@pytest.mark.parametrize("setting", ENDING)
@pytest.mark.parametrize("name", RULESETS)
def test_a_setting_matters_where_a_match_goes_otherwise(name: str, setting: str) -> None:
    ruleset = RULESETS[name]
    changed = msgspec.structs.replace(ruleset, **{setting: ENDING[setting]})
    counts = playable_seats(ruleset)
    otherwise = {seats: course(ruleset, seats) != course(changed, seats) for seats in counts}
    assert otherwise == {seats: matters(setting, ruleset, seats) for seats in counts}
    assert matters(setting, ruleset) is any(otherwise.values())


@pytest.mark.parametrize("name", RULESETS)
def test_a_target_is_shown_where_points_end_a_match(name: str) -> None:
    ruleset = RULESETS[name]
    assert has_target(ruleset) is (matters("target", ruleset) or matters("target_two", ruleset))


ROUNDS_OF_CARDS = 12


def rounds(ruleset: Ruleset) -> list[object]:
    """Return all events of some rounds, and the legal acts at every moment."""
    seen: list[object] = []

    def look(table: CardTable) -> None:
        seen.append(everybodys_acts(table))

    for seed in range(ROUNDS_OF_CARDS):
        table = CardTable.deal(ruleset, seed=seed)
        play_randomly(table, seed, look, playing=0.7, moves=80)
        seen += table.events
    return seen


@pytest.mark.parametrize("setting", ["drawn", "stack_draw_two", "stack_wild_four", "no_bluff"])
@pytest.mark.parametrize(
    "ruleset",
    [
        Ruleset(),
        Ruleset(wild_four=WildFour.STRICT),
        Ruleset(wild_four=WildFour.STRICTEST, stack_cross=True),
        Ruleset(forced_play=True, stack_cross=True),
        Ruleset(forced_play=True, draw_until_playable=True),
    ],
)
def test_a_setting_is_played_where_rounds_go_otherwise(ruleset: Ruleset, setting: str) -> None:
    value = type(getattr(ruleset, setting))(1)
    changed = msgspec.structs.replace(ruleset, **{setting: value})
    assert (rounds(ruleset) != rounds(changed)) is is_played(setting, changed)


def test_no_other_setting_matters_less_with_other_numbers_of_players() -> None:
    for setting in SETTINGS.keys() - {"target", "target_two"}:
        for ruleset in RULESETS.values():
            at = {matters(setting, ruleset, seats) for seats in playable_seats(ruleset)}
            assert at == {matters(setting, ruleset)}
