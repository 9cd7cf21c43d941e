"""Eight players at two tables: the seating of the seven rotations, and the running totals.

The rounds at a table are a match of the format ROTATION. This module does not help the tables find
each other.

Each player partners every other player in one rotation and opposes them in two. With four hands per
rotation, each player plays 28 hands, and both tables together play 56.
"""

from __future__ import annotations

from lanuno.rules.engine.state import Public
from lanuno.rules.errors import RulesError
from lanuno.rules.ruleset import Format, Ruleset

TOURNAMENT_PLAYERS = 8
TABLES = 2

SCHEDULE: tuple[tuple[tuple[int, int, int, int], tuple[int, int, int, int]], ...] = (
    ((7, 1, 0, 3), (2, 4, 6, 5)),
    ((7, 2, 1, 4), (3, 5, 0, 6)),
    ((7, 3, 2, 5), (4, 6, 1, 0)),
    ((7, 4, 3, 6), (5, 0, 2, 1)),
    ((7, 5, 4, 0), (6, 1, 3, 2)),
    ((7, 6, 5, 1), (0, 2, 4, 3)),
    ((7, 0, 6, 2), (1, 3, 5, 4)),
)
"""By rotation and table: the players on seats 0 to 3, clockwise. Seat 0 deals first; seats 0 and 2
are partners, and so are 1 and 3."""


def is_tournament(ruleset: Ruleset, seats: int) -> bool:
    """Whether this number of players plays a whole tournament by these rules."""
    return ruleset.format is Format.ROTATION and seats == TOURNAMENT_PLAYERS


class Tournament:
    """The public state of a tournament. Players are numbered from 0 to 7.

    >>> tournament = Tournament()
    >>> tournament.tables()
    ((7, 1, 0, 3), (2, 4, 6, 5))
    >>> tournament.finish(0, (10, 0, 10, 0))
    >>> tournament.rotation
    0
    >>> tournament.finish(1, (0, 45, 0, 45))
    >>> tournament.rotation, tournament.totals
    (1, [10, 0, 0, 0, 45, 45, 0, 10])
    """

    def __init__(self) -> None:
        self.rotation = 0
        """The rotation being played, from 0; 7 when all have been played."""
        self.totals = [0] * TOURNAMENT_PLAYERS
        """Points of each player in the rotations that both tables have finished."""
        self.tally = [[0] * TOURNAMENT_PLAYERS for _ in range(TOURNAMENT_PLAYERS)]
        """By player: the points won with each partner."""
        self._results: list[tuple[int, ...] | None] = [None] * TABLES

    @property
    def over(self) -> bool:
        """Whether all rotations are played."""
        return self.rotation == len(SCHEDULE)

    @property
    def winners(self) -> tuple[int, ...]:
        """The players with the most points, tied ones included; empty until all is played."""
        if not self.over:
            return ()
        best = max(self.totals)
        return tuple(
            [player for player in range(TOURNAMENT_PLAYERS) if self.totals[player] == best]
        )

    def tables(self) -> tuple[tuple[int, int, int, int], tuple[int, int, int, int]]:
        """Return the seating of the rotation being played. Raise RulesError if all are over."""
        if self.over:
            raise RulesError("the tournament is over")
        return SCHEDULE[self.rotation]

    def finish(self, table: int, totals: tuple[int, ...]) -> None:
        """Record a finished table's totals by seat; the next rotation waits for both tables."""
        if self.over or table not in range(TABLES) or self._results[table] is not None:
            raise RulesError("this table is not being played")
        if len(totals) != TOURNAMENT_PLAYERS // TABLES:
            raise RulesError("a table has four seats")
        self._results[table] = totals
        first, second = self._results
        if first is not None and second is not None:
            for players, points in zip(SCHEDULE[self.rotation], (first, second), strict=True):
                self._add(players, points)
            self._results = [None] * TABLES
            self.rotation += 1

    def public_state(self) -> Public:
        """Return the whole state as nested tuples of ints and None."""
        return (
            self.rotation,
            tuple(self.totals),
            tuple([tuple(row) for row in self.tally]),
            tuple(self._results),
        )

    def _add(self, players: tuple[int, int, int, int], points: tuple[int, ...]) -> None:
        for seat, player in enumerate(players):
            self.totals[player] += points[seat]
            self.tally[player][players[seat ^ 2]] += points[seat]
