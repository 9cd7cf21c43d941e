"""Points of a game that several tests of the log start from."""

from __future__ import annotations

from collections.abc import Callable

from lanuno.log.faults import Fault, Verdict
from lanuno.rules.actions import (
    Play,
)
from lanuno.rules.cards import deck_tables
from lanuno.rules.ruleset import Ruleset
from tests.log.log_table import Choose, LogTable, new_table

RANKS = deck_tables(108).ranks


def deciding(table: LogTable) -> bool:
    """Somebody has to decide and can read its cards."""
    current = table.replay.round
    if current is None or current.number == 0 or current.engine.decider is None:
        return False
    return current.reads_its_cards(current.engine.decider)


def blame_of(table: LogTable) -> list[tuple[int | None, Fault]]:
    report = table.run().audit()
    assert report.verdict is Verdict.CHEATING
    return [(each.seat, each.fault) for each in report.blame]


def plays(table: LogTable, seat: int) -> list[Play]:
    legal = table.engine.legal(seat, table.cards(seat))
    return [act for act in legal if isinstance(act, Play)]


def find(
    good: Callable[[LogTable], bool],
    ruleset: Ruleset,
    players: int = 2,
    choose: Choose | None = None,
) -> LogTable:
    """A table that comes to such a point; tries one after the other."""
    for salt in range(200):
        table = new_table(players, ruleset, salt=salt)
        table.choose = choose or table.choose
        for _ in range(400):
            if deciding(table) and good(table):
                return table
            if not table.step():
                break
    raise AssertionError("no such table among them")
