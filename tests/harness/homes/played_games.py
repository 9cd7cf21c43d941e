"""Homes with games in them, for the tests of the list of games."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from lanuno.log.faults import AuditVerdict
from lanuno.log.format.bodies import CloseReason
from lanuno.log.replay.course import Decided
from lanuno.rules.ruleset import Format
from lanuno.store import game_rows
from lanuno.store.database import Database
from lanuno.store.game_record import GameRecord, PlayerRecord
from lanuno.store.game_rows import SCHEMA, VERSION
from lanuno.store.paths import Home
from tests.harness.log_table.log_table import LogTable, identity, new_table

ME = identity(0).public
DAY = 86_400.0


def new_home(folder: Path) -> Home:
    home = Home.at(folder)
    home.create()
    return home


def keep(home: Home, table: LogTable, ended: float = DAY, upto: int | None = None) -> Path:
    """Put the transcript of a table into a home, with this time of writing."""
    path = home.transcript(table.genesis.table_id)
    path.write_bytes(table.file if upto is None else table.fork(upto).file)
    os.utime(path, (ended, ended))
    return path


def home_of(folder: Path, tables: Sequence[LogTable]) -> Home:
    """Return a home with the transcripts of these tables, each written on another day from 1 on."""
    home = new_home(folder)
    for day, table in enumerate(tables, 1):
        keep(home, table, day * DAY)
    return home


def played(salt: int, players: int = 2) -> LogTable:
    """Return a table of one round, played to its close."""
    return new_table(players, salt=salt).run()


def record(
    number: int,
    players: Sequence[str],
    *,
    won: Sequence[str] = (),
    gone: Sequence[str] = (),
    scores: Sequence[int] = (),
    preset: str = "classic",
    format_: Format = Format.POINTS,
    reason: CloseReason | None = CloseReason.FINISHED,
    played_ms: int = 1000,
    rounds: int = 1,
    decided: Decided | None = Decided.CARDS,
) -> GameRecord:
    """Return an invented game with named players. "me" is ME; names with "bot" are bots."""
    return GameRecord(
        table_id=number.to_bytes(32, "big"),
        preset=preset,
        format=format_,
        players=tuple(
            PlayerRecord(
                seat=seat,
                name=name.partition("/")[0],
                identity=person(name),
                owner=person(name),
                bot="bot" in name,
                score=scores[seat] if scores else 0,
                won=name in won,
                gone=name in gone,
            )
            for seat, name in enumerate(players)
        ),
        rounds=rounds,
        entries=10,
        played_ms=played_ms,
        reason=reason,
        decided=decided,
    )


def person(name: str) -> bytes:
    """Return the identity for a name; "Ana/7" is number 7 and calls herself Ana."""
    if name == "me":
        return ME
    return name.rpartition("/")[2].encode().ljust(32, b".")


def put(
    home: Home, records: Sequence[GameRecord], verdicts: Sequence[AuditVerdict | None] = ()
) -> None:
    """Write the rows of these games, one game a day."""
    base = Database(home.history, SCHEMA, VERSION)
    with base.writing() as link:
        for day, each in enumerate(records):
            changed = int((day + 1) * DAY * 1e9)
            game_rows.write_game(link, each.table_id.hex() + ".lanuno", each, 100, changed)
            verdict = verdicts[day] if day < len(verdicts) else None
            if verdict is not None:
                link.execute(
                    "UPDATE games SET verdict = ? WHERE table_id = ?",
                    (verdict.value, each.table_id),
                )
    base.close()
