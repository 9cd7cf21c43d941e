"""The schedule of the tournament, and its totals."""

from __future__ import annotations

import doctest
from collections import Counter
from itertools import combinations

import pytest

from lanuno.rules.errors import RulesError
from lanuno.rules.match import tournament as module
from lanuno.rules.match.match import Match
from lanuno.rules.match.tournament import SCHEDULE, TOURNAMENT_PLAYERS, Tournament
from lanuno.rules.presets import TOURNAMENT

NAMES = "ABCDEFGH"
WRITTEN = (
    "HA v BD, CG v EF · HB v CE, DA v FG · HC v DF, EB v GA · HD v EG, FC v AB · "
    "HE v FA, GD v BC · HF v GB, AE v CD · HG v AC, BF v DE"
)


def test_examples() -> None:
    assert doctest.testmod(module).failed == 0


def test_the_schedule_is_the_one_that_was_checked() -> None:
    """The pairs XY and ZW sit X, Z, Y, W clockwise."""
    rotations = []
    for rotation in SCHEDULE:
        tables = []
        for table in rotation:
            x, z, y, w = (NAMES[player] for player in table)
            tables.append(f"{x}{y} v {z}{w}")
        rotations.append(", ".join(tables))
    assert " · ".join(rotations) == WRITTEN


def test_everybody_partners_everybody_once_and_opposes_everybody_twice() -> None:
    partners: Counter[frozenset[int]] = Counter()
    opponents: Counter[frozenset[int]] = Counter()
    for rotation in SCHEDULE:
        assert sorted(player for table in rotation for player in table) == list(
            range(TOURNAMENT_PLAYERS)
        )
        for a, b, c, d in rotation:
            partners.update(map(frozenset, [(a, c), (b, d)]))
            opponents.update(map(frozenset, [(a, b), (a, d), (c, b), (c, d)]))
    pairs = {frozenset(pair) for pair in combinations(range(TOURNAMENT_PLAYERS), 2)}
    assert partners == dict.fromkeys(pairs, 1)
    assert opponents == dict.fromkeys(pairs, 2)
    assert len(SCHEDULE) * TOURNAMENT.hands == 28


def test_seven_rotations_at_two_tables() -> None:
    tournament = Tournament()
    states = {tournament.public_state()}
    for rotation in range(7):
        assert tournament.rotation == rotation
        assert tournament.winners == ()
        assert len(tournament.tables()) == 2
        tournament.finish(1, (1, 2, 1, 2))
        states.add(tournament.public_state())
        with pytest.raises(RulesError, match="not being played"):
            tournament.finish(1, (0, 0, 0, 0))
        tournament.finish(0, (9, 0, 9, 0))
        states.add(tournament.public_state())
    assert len(states) == 15
    assert tournament.over
    # Player 7 sits on seat 0 of the first table in every rotation.
    assert tournament.totals[7] == 63
    assert tournament.tally[7] == [9] * 7 + [0]
    assert list(map(sum, tournament.tally)) == tournament.totals
    assert tournament.winners == (7,)
    with pytest.raises(RulesError, match="is over"):
        tournament.tables()
    with pytest.raises(RulesError, match="not being played"):
        tournament.finish(0, (0, 0, 0, 0))


def test_tied_leaders_share() -> None:
    tournament = Tournament()
    for _ in range(7):
        tournament.finish(0, (1, 1, 1, 1))
        tournament.finish(1, (1, 1, 1, 1))
    assert tournament.winners == tuple(range(8))


@pytest.mark.parametrize(
    ("table", "totals", "why"),
    [(2, (0, 0, 0, 0), "not being played"), (0, (0, 0, 0), "four seats")],
)
def test_a_result_needs_a_table_and_four_totals(
    table: int, totals: tuple[int, ...], why: str
) -> None:
    with pytest.raises(RulesError, match=why):
        Tournament().finish(table, totals)


def test_a_table_is_a_match_of_four_hands() -> None:
    plan = Match(TOURNAMENT, 4).next()
    assert plan is not None
    assert plan.dealer == 0
