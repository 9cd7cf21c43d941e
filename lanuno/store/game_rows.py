"""The tables of the list of games, and the conversion between their rows and values.

This module holds only statements and conversions; `history.py` runs them. Text from outside enters
statements as values, never as part of a statement.
"""

from __future__ import annotations

import sqlite3
from enum import Enum, auto
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from lanuno.log.audit.conclusion import Conclusion, conclude
from lanuno.log.faults import AuditVerdict
from lanuno.log.format.bodies import CloseReason
from lanuno.store.game_record import GameRecord, PlayerRecord
from lanuno.store.paths import Home

VERSION = 5
"""The version of the tables. An index of an older version is rebuilt."""


COUNTING = (CloseReason.FINISHED, CloseReason.STOPPED, CloseReason.TOO_LONG)
"""The close reasons of games that count."""
LONGEST_PAGE = 200
LONGEST_SEARCH = 64

SCHEMA = (
    """CREATE TABLE games (
    table_id BLOB PRIMARY KEY,
    size INTEGER NOT NULL,
    changed_ns INTEGER NOT NULL,
    ended REAL NOT NULL,
    preset TEXT NOT NULL,
    format INTEGER NOT NULL,
    rounds INTEGER NOT NULL,
    entries INTEGER NOT NULL,
    played_ms INTEGER NOT NULL,
    reason INTEGER,
    closed_whole INTEGER NOT NULL,
    decided TEXT,
    cheated INTEGER NOT NULL,
    tournament BLOB,
    verdict TEXT
) WITHOUT ROWID""",
    """CREATE TABLE players (
    table_id BLOB NOT NULL REFERENCES games ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    name TEXT NOT NULL,
    folded TEXT NOT NULL,
    identity BLOB NOT NULL,
    owner BLOB NOT NULL,
    bot INTEGER NOT NULL,
    score INTEGER NOT NULL,
    won INTEGER NOT NULL,
    avatar INTEGER NOT NULL,
    gone INTEGER NOT NULL,
    PRIMARY KEY (table_id, seat)
) WITHOUT ROWID""",
    """CREATE TABLE unusable (
    file TEXT PRIMARY KEY,
    size INTEGER NOT NULL,
    changed_ns INTEGER NOT NULL,
    problem TEXT NOT NULL,
    detail TEXT NOT NULL
) WITHOUT ROWID""",
    """CREATE VIEW judged_games AS
    SELECT g.*, g.counts AND g.decided IS 'cards' AND EXISTS (
        SELECT 1 FROM players p WHERE p.table_id = g.table_id AND p.won) AS won_by_cards
    FROM (SELECT *, closed_whole AND verdict IS NOT 'cheating' AS counts FROM games) g""",
    "CREATE INDEX games_by_time ON games (ended, table_id)",
    "CREATE INDEX players_by_identity ON players (identity, table_id)",
)

_PAGE = """
WITH chosen AS (
    SELECT * FROM judged_games g
    WHERE (:preset IS NULL OR g.preset = :preset)
    AND (:person IS NULL OR EXISTS (
        SELECT 1 FROM players p WHERE p.table_id = g.table_id AND p.identity = :person))
    AND (:text = '' OR EXISTS (
        SELECT 1 FROM players p WHERE p.table_id = g.table_id AND instr(p.folded, :text)))
    AND CASE :show
        WHEN 'WON' THEN g.won_by_cards AND EXISTS (
            SELECT 1 FROM players p
            WHERE p.table_id = g.table_id AND p.identity = :me AND p.won)
        WHEN 'LOST' THEN g.won_by_cards AND EXISTS (
            SELECT 1 FROM players p
            WHERE p.table_id = g.table_id AND p.identity = :me AND NOT p.won)
        WHEN 'UNDECIDED' THEN NOT g.won_by_cards AND g.verdict IS NOT :cheating
        WHEN 'WATCHED' THEN NOT EXISTS (
            SELECT 1 FROM players p WHERE p.table_id = g.table_id AND p.identity = :me)
        WHEN 'CHEATED' THEN g.verdict IS :cheating
        ELSE 1
    END
)
SELECT counted.total, page.* FROM (SELECT count(*) AS total FROM chosen) AS counted
LEFT JOIN (
    SELECT * FROM chosen ORDER BY ended DESC, table_id LIMIT :limit OFFSET :offset
) AS page
ORDER BY page.ended DESC, page.table_id
"""
_PLAYERS = "SELECT * FROM players WHERE table_id = ? ORDER BY seat"
_WRITE_GAME = """
INSERT INTO games VALUES (:table_id, :size, :changed_ns, :ended, :preset, :format, :rounds,
    :entries, :played_ms, :reason, :closed_whole, :decided, :cheated, :tournament, :verdict)
"""
_WRITE_PLAYER = """
INSERT INTO players VALUES (:table_id, :seat, :name, :folded, :identity, :owner, :bot, :score, :won,
    :avatar, :gone)
"""

T = TypeVar("T")


class GameFilter(Enum):
    """Which games to list."""

    ALL = auto()
    WON = auto()
    """This person won by the cards."""
    LOST = auto()
    """This person played, and another player won by the cards."""
    UNDECIDED = auto()
    """The cards gave no winner: the game was broken off or stopped, or an absence decided it."""
    WATCHED = auto()
    """This person had no seat."""
    CHEATED = auto()
    """An audit proved that a player cheated."""


class Game(Struct, frozen=True):
    """One game of the list."""

    record: GameRecord
    path: Path
    """The path of the transcript."""
    ended: float
    """The time of the last write, in seconds since 1970."""
    verdict: AuditVerdict | None
    """The verdict of the last audit here, or CHEATING if the log shows it without one.

    None if there was no audit since the last write."""
    counts: bool
    """Whether the game counts: it was closed after whole rounds, and no cheating is proven."""
    won_by_cards: bool
    """Whether it counts and the cards decided who won; an absence makes no winner here."""

    @property
    def conclusion(self) -> Conclusion | None:
        """What every screen says of the game; None before its audit."""
        return None if self.verdict is None else conclude(self.verdict, self.record.decided)

    def seat_of(self, identity: bytes) -> PlayerRecord | None:
        """Return the seat of this identity, or None."""
        return next((each for each in self.record.players if each.identity == identity), None)


class GamePage(Struct, frozen=True):
    """A consecutive part of the matching games."""

    games: tuple[Game, ...]
    total: int
    """The number of all matching games."""


class GameQuery(Struct, frozen=True, kw_only=True):
    """Which games to list."""

    show: GameFilter = GameFilter.ALL
    preset: str | None = None
    text: str = ""
    """Part of a player's name; case is ignored."""
    person: bytes | None = None
    """The identity of a player."""


def game_page(
    link: sqlite3.Connection, home: Home, me: bytes, query: GameQuery, offset: int, limit: int
) -> GamePage:
    """Return the games that match a query, newest first."""
    rows = link.execute(
        _PAGE,
        {
            "me": me,
            "show": query.show.name,
            "preset": query.preset,
            "person": query.person,
            "text": query.text.strip().casefold()[:LONGEST_SEARCH],
            "cheating": AuditVerdict.CHEATING.value,
            "limit": max(0, min(limit, LONGEST_PAGE)),
            "offset": max(0, offset),
        },
    ).fetchall()
    games = tuple(_game_of(link, home, row) for row in rows if row["table_id"])
    return GamePage(games, int(rows[0]["total"]))


def game_by_id(link: sqlite3.Connection, home: Home, table_id: bytes) -> Game | None:
    """Return one game, or None if it is not in the list."""
    row = link.execute("SELECT * FROM judged_games WHERE table_id = ?", (table_id,)).fetchone()
    return None if row is None else _game_of(link, home, row)


def write_game(
    link: sqlite3.Connection, name: str, record: GameRecord, size: int, changed: int
) -> None:
    """Write the rows of a game, replacing its earlier ones."""
    ended, verdict = changed / 1e9, None
    query = "SELECT size, entries, ended, verdict FROM games WHERE table_id = ?"
    old = link.execute(query, (record.table_id,)).fetchone()
    if old is not None and (old[0], old[1]) == (size, record.entries):
        # Only the file time has changed, for example by copying: keep the earlier end.
        ended, verdict = min(old[2], ended), old[3]
    if verdict is None and record.cheated:
        verdict = AuditVerdict.CHEATING.value
    link.execute("DELETE FROM unusable WHERE file = ?", (name,))
    link.execute("DELETE FROM games WHERE table_id = ?", (record.table_id,))
    row = asdict(record)
    row |= {"size": size, "changed_ns": changed, "ended": ended, "verdict": verdict}
    row["closed_whole"] = record.reason in COUNTING
    row["decided"] = None if record.decided is None else record.decided.value
    link.execute(_WRITE_GAME, row)
    for player in record.players:
        folded = player.name.casefold()
        link.execute(
            _WRITE_PLAYER, asdict(player) | {"table_id": record.table_id, "folded": folded}
        )


def read_row(row: sqlite3.Row | dict[str, Any], kind: type[T]) -> T:
    """Return a row as a struct whose fields are named like the columns.

    Raise `msgspec.ValidationError` for a value that this program does not write.
    """
    return msgspec.convert(dict(row), kind, strict=False, builtin_types=(bytes,))


def _game_of(link: sqlite3.Connection, home: Home, row: sqlite3.Row) -> Game:
    players = [dict(each) for each in link.execute(_PLAYERS, (row["table_id"],))]
    record = read_row({**dict(row), "players": players}, GameRecord)
    verdict = None if row["verdict"] is None else AuditVerdict(row["verdict"])
    path, ended = home.transcript(record.table_id), float(row["ended"])
    return Game(record, path, ended, verdict, bool(row["counts"]), bool(row["won_by_cards"]))


# Created on import: concurrent creation crashes (see `prepare` in lanuno/log/format/codec.py).
msgspec.json.Decoder(GameRecord)
