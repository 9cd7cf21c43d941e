"""Scenarios of the kind `tournament`: eight players at two tables.

This module carries out their lines. The rounds at a table are a `match`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from itertools import combinations

from lanuno.rules.match.tournament import SCHEDULE, Tournament
from lanuno.rules.presets import TOURNAMENT
from tests.harness.rounds.scenario_language.files import Scenario
from tests.harness.rounds.scenario_language.words import listed, numbered

PLAYERS = "ABCDEFGH"


class TournamentStage:
    """A tournament being played, one line for each table."""

    def __init__(self, scenario: Scenario) -> None:
        assert not scenario.given, f"unknown entries: {sorted(scenario.given)}"
        self.tournament = Tournament()

    def do(self, line: str) -> None:
        """Carry out one line; raise AssertionError, with the difference, if it does not hold."""
        for pattern, check in _LINES:
            match = pattern.fullmatch(line)
            if match is not None:
                check(self.tournament, *match.groups())
                return
        raise AssertionError(f"not in the language of scenarios: {line}")


def _seated(tournament: Tournament, table: str, names: str) -> None:
    seated = [PLAYERS[player] for player in tournament.tables()[int(table) - 1]]
    assert seated == listed(names), seated


def _whole_schedule(tournament: Tournament, rotation: str, names: str) -> None:
    tables = [sorted(_pairs(table)) for table in SCHEDULE[int(rotation) - 1]]
    expected = [
        sorted("".join(sorted(pair)) for pair in part.split(" v ")) for part in names.split(", ")
    ]
    assert tables == expected, tables


def _pairs(table: tuple[int, ...]) -> list[str]:
    first, second, third, fourth = (PLAYERS[player] for player in table)
    return ["".join(sorted(first + third)), "".join(sorted(second + fourth))]


def _ends(tournament: Tournament, table: str, words: str) -> None:
    points = numbered(words)
    seated = [PLAYERS[player] for player in tournament.tables()[int(table) - 1]]
    assert set(points) <= set(seated), f"at this table sit {seated}"
    tournament.finish(int(table) - 1, tuple(points.get(name, 0) for name in seated))


def _all_end(tournament: Tournament, words: str) -> None:
    points = numbered(words)
    while not tournament.over:
        for table, seated in enumerate(tournament.tables()):
            tournament.finish(table, tuple(points.get(PLAYERS[player], 0) for player in seated))


def _rotation(tournament: Tournament, number: str) -> None:
    assert tournament.rotation == int(number) - 1, tournament.rotation + 1


def _totals(tournament: Tournament, words: str) -> None:
    found = dict(zip(PLAYERS, tournament.totals, strict=True))
    assert found == {**dict.fromkeys(PLAYERS, 0), **numbered(words)}, found


def _tally(tournament: Tournament, name: str, points: str, partner: str) -> None:
    found = tournament.tally[PLAYERS.index(name)][PLAYERS.index(partner)]
    assert found == int(points), f"it is {found}"


def _won(tournament: Tournament, names: str) -> None:
    winners = [PLAYERS[player] for player in tournament.winners] or ["nobody"]
    expected = list(PLAYERS) if names == "everybody" else listed(names)
    assert winners == expected, winners


def _partners(tournament: Tournament) -> None:
    met = Counter(pair for rotation in SCHEDULE for table in rotation for pair in _pairs(table))
    assert met == Counter("".join(pair) for pair in combinations(PLAYERS, 2))


def _opponents(tournament: Tournament) -> None:
    met: Counter[str] = Counter()
    for rotation in SCHEDULE:
        for table in rotation:
            one, other = _pairs(table)
            met.update("".join(sorted(a + b)) for a in one for b in other)
    assert met == Counter({"".join(pair): 2 for pair in combinations(PLAYERS, 2)})


def _hands(tournament: Tournament, each: str, together: str) -> None:
    tables = [table for rotation in SCHEDULE for table in rotation]
    played = Counter(player for table in tables for player in table)
    assert {count * TOURNAMENT.hands for count in played.values()} == {int(each)}
    assert len(tables) * TOURNAMENT.hands == int(together)


_LINES: list[tuple[re.Pattern[str], Callable[..., None]]] = [
    (re.compile(r"table (\d) ends; (.+)"), _ends),
    (re.compile(r"all other tables end; (.+)"), _all_end),
    (re.compile(r"expect table (\d): (.+)"), _seated),
    (re.compile(r"expect in rotation (\d): (.+)"), _whole_schedule),
    (re.compile(r"expect rotation (\d)"), _rotation),
    (re.compile(r"expect totals (.+)"), _totals),
    (re.compile(r"expect (\w) with (\d+) points won beside (\w)"), _tally),
    (re.compile(r"expect (.+) to have won"), _won),
    (re.compile(r"expect everybody to partner everybody once"), _partners),
    (re.compile(r"expect everybody to oppose everybody twice"), _opponents),
    (re.compile(r"expect (\d+) hands for each player and (\d+) in all"), _hands),
]
