"""A short honest game, and its state at any moment, as the source of honest bytes."""

from __future__ import annotations

from functools import cache

from tests.harness.log_table.log_table import LogTable, new_table
from tests.harness.log_table.moments import starting_with_four

MOMENTS = 48


@cache
def played() -> LogTable:
    """Return a whole game of two players, closed by its host."""
    return new_table(2).run()


def moment(number: int) -> LogTable:
    """Return the game at a moment; the same object until a caller has changed it."""
    game = _moment(number)
    if len(game.entries) != _entries_at(number):
        _moment.cache_clear()
        return _moment(number)
    return game


def moment_of(entry: int) -> int:
    """Return the last moment before an entry."""
    return max(number for number in range(MOMENTS) if _entries_at(number) <= entry)


def _entries_at(number: int) -> int:
    return number * len(played().entries) // MOMENTS


@cache
def _moment(number: int) -> LogTable:
    return played().fork(_entries_at(number))


@cache
def reshuffled() -> LogTable:
    """Return a whole game of four, in which a Wild Draw Four goes back among locked slots."""
    return starting_with_four(4).run()
