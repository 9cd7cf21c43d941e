"""Statistics of a person's games, counted from the list of games and never stored.

A game counts if the person had a seat, its log was closed after whole rounds, and no audit proved
cheating in it. It is decided if a player won the match by the cards; wins, losses and streaks are
about decided games, so nobody wins by an absence. `game_rows.py` judges both for every screen. Of
games that do not count, only the number is given.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from itertools import groupby

import msgspec
from msgspec import Struct

from lanuno.log.faults import AuditVerdict
from lanuno.log.format.bodies import CloseReason
from lanuno.rules.match.formats import LOW_WINS
from lanuno.rules.ruleset import Format
from lanuno.store import game_rows
from lanuno.store.game_rows import Game
from lanuno.store.history import History

MOST_PEOPLE = 200
"""The maximum number of people listed: those with whom most games were played."""

_MINE = """
SELECT g.table_id, g.preset, g.format, g.rounds, g.played_ms, m.score,
    m.won AND g.won_by_cards AS won, g.won_by_cards AS decided,
    EXISTS (SELECT 1 FROM players b WHERE b.table_id = g.table_id AND b.bot) AS with_bots
FROM judged_games g JOIN players m ON m.table_id = g.table_id
WHERE m.identity = :me AND NOT m.bot AND g.counts
ORDER BY g.ended, g.table_id
"""
_OTHERS = """
SELECT count(*),
    total(g.verdict IS :cheating OR g.reason IS :proven),
    total(g.verdict IS NOT :cheating AND g.reason IS NULL)
FROM judged_games g JOIN players m ON m.table_id = g.table_id
WHERE m.identity = :me AND NOT m.bot AND g.tournament IS NOT g.table_id AND NOT g.counts
"""
_PEOPLE = """
SELECT p.identity, count(*) AS games, max(g.ended) AS last, sum(g.won_by_cards) AS decided,
    sum(g.won_by_cards AND m.won AND NOT p.won) AS won,
    sum(g.won_by_cards AND p.won AND NOT m.won) AS lost,
    sum(g.won_by_cards AND m.won AND p.won) AS together,
    (SELECT n.name FROM players n JOIN games h ON h.table_id = n.table_id
        WHERE n.identity = p.identity ORDER BY h.ended DESC, h.table_id LIMIT 1) AS name,
    (SELECT n.avatar FROM players n JOIN games h ON h.table_id = n.table_id
        WHERE n.identity = p.identity ORDER BY h.ended DESC, h.table_id LIMIT 1) AS avatar
FROM judged_games g
JOIN players m ON m.table_id = g.table_id AND m.identity = :me AND NOT m.bot
JOIN players p ON p.table_id = g.table_id AND p.identity <> :me AND NOT p.bot
WHERE g.counts
GROUP BY p.identity ORDER BY games DESC, max(g.ended) DESC, p.identity LIMIT :most
"""


class PresetStatistics(Struct, frozen=True):
    """The games played with one preset."""

    preset: str
    games: int
    decided: int
    wins: int
    points: int
    """This person's points in all of these games."""
    low_wins: bool
    """Whether the lowest score wins."""


class OpponentStatistics(Struct, frozen=True):
    """The games with one other person."""

    identity: bytes
    name: str
    """The name that they last used. Text from outside."""
    games: int
    decided: int
    won: int
    """Games won by this person and not by the other."""
    lost: int
    """Games won by the other and not by this person."""
    together: int
    """Games won by both, as partners or with equal points."""
    last: float
    """The last write to any of these games, in seconds since 1970."""
    avatar: int = 0
    """The colour that the other last had."""


class Statistics(Struct, frozen=True, kw_only=True):
    """The statistics of all games of one person."""

    games: int = 0
    decided: int = 0
    wins: int = 0
    points: int = 0
    """Points in the games in which more points are better."""
    rounds: int = 0
    played_ms: int = 0
    others: int = 0
    """Games that do not count: `cheated`, `unfinished`, or else broken off."""
    cheated: int = 0
    """Games in `others` in which cheating is proven."""
    unfinished: int = 0
    """The remaining games in `others` whose log was never closed on this computer."""
    with_bots: int = 0
    """Games with at least one bot."""
    longest: Game | None = None
    """The longest game by time."""
    most_rounds: Game | None = None
    streak: int = 0
    """The number of last decided games with the same result; negative if they were lost."""
    best_streak: int = 0
    """The most games won in a row."""
    presets: tuple[PresetStatistics, ...] = ()
    """Most played first."""
    people: tuple[OpponentStatistics, ...] = ()
    """Those with the most common games first; at most `MOST_PEOPLE`."""


def statistics(history: History, me: bytes) -> Statistics:
    """Return the statistics of the person with this identity. Raise `StoreError`."""
    values = {
        "me": me,
        "cheating": AuditVerdict.CHEATING.value,
        "proven": int(CloseReason.CHEATING),
        "most": MOST_PEOPLE,
    }
    with history.reading() as link:
        rows = link.execute(_MINE, values).fetchall()
        others, cheated, unfinished = map(int, link.execute(_OTHERS, values).fetchone())
        people = link.execute(_PEOPLE, values).fetchall()
        games = [_CountedGame(*row) for row in rows]
        longest = _first_of_most(history, link, games, lambda game: game.played_ms)
        most_rounds = _first_of_most(history, link, games, lambda game: game.rounds)
        runs = [
            (won, len(list(run)))
            for won, run in groupby(bool(game.won) for game in games if game.decided)
        ]
        return Statistics(
            games=len(games),
            decided=sum(game.decided for game in games),
            wins=sum(game.won for game in games),
            points=sum(game.score for game in games if Format(game.format) not in LOW_WINS),
            rounds=sum(game.rounds for game in games),
            played_ms=sum(game.played_ms for game in games),
            others=others,
            cheated=cheated,
            unfinished=unfinished,
            with_bots=sum(game.with_bots for game in games),
            longest=longest,
            most_rounds=most_rounds,
            streak=0 if not runs else runs[-1][1] if runs[-1][0] else -runs[-1][1],
            best_streak=max((length for won, length in runs if won), default=0),
            presets=_presets(games),
            people=tuple(game_rows.read_row(row, OpponentStatistics) for row in people),
        )


class _CountedGame(Struct, frozen=True):
    """A game that counts."""

    table_id: bytes
    preset: str
    format: int
    rounds: int
    played_ms: int
    score: int
    won: int
    decided: int
    with_bots: int


def _first_of_most(
    history: History,
    link: sqlite3.Connection,
    games: Sequence[_CountedGame],
    measure: Callable[[_CountedGame], int],
) -> Game | None:
    most = max(games, key=measure, default=None)
    return None if most is None else game_rows.game_by_id(link, history.home, most.table_id)


def _presets(games: list[_CountedGame]) -> tuple[PresetStatistics, ...]:
    by_preset: dict[str, list[_CountedGame]] = {}
    for game in games:
        by_preset.setdefault(game.preset, []).append(game)
    lines = [
        PresetStatistics(
            preset=preset,
            games=len(played),
            decided=sum(game.decided for game in played),
            wins=sum(game.won for game in played),
            points=sum(game.score for game in played),
            low_wins=Format(played[-1].format) in LOW_WINS,
        )
        for preset, played in by_preset.items()
    ]
    return tuple(sorted(lines, key=lambda line: (-line.games, line.preset)))


# Created on import: concurrent creation crashes (see `prepare` in lanuno/log/format/codec.py).
msgspec.json.Decoder(OpponentStatistics)
