"""The list of games and what they amount to, read on a thread of its own. No Qt and no words.

The list is an index that is made from the transcripts: it is brought up to date before every look,
and begun anew where it is damaged.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import Final, TypeVar

from lanuno.log.faults import AuditVerdict
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.game_rows import LONGEST_PAGE, Game, GameQuery
from lanuno.store.history import History
from lanuno.store.paths import Home
from lanuno.store.statistics import Statistics, statistics

T = TypeVar("T")

SHORT_ID: Final = 12
"""Characters of a table's id in a line of the log."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class GameHistory:
    """What there is to show."""

    games: tuple[Game, ...]
    total: int
    """Games that fit what was asked for, shown or not."""
    statistics: Statistics
    unusable: int
    """Files that are no games."""


async def read_games(home: Home, me: bytes, query: GameQuery, most: int) -> GameHistory:
    """The newest games that match the query, at most `most`. Raises `StoreError`."""

    def read(history: History) -> GameHistory:
        history.refresh()
        games: list[Game] = []
        while True:
            limit = min(LONGEST_PAGE, most - len(games))
            page = history.games(me, query, offset=len(games), limit=limit)
            games += page.games
            if not page.games or len(games) >= min(most, page.total):
                break
        numbers = statistics(history, me)
        return GameHistory(tuple(games), page.total, numbers, len(history.unusable()))

    return await asyncio.to_thread(_with_history, home, read)


async def delete_game(home: Home, table_id: bytes) -> None:
    """Delete a game for good. Raises `StoreError`: IN_USE while it is being played."""
    await asyncio.to_thread(_with_history, home, lambda history: history.delete(table_id))


async def conclude(home: Home, table_id: bytes, verdict: AuditVerdict) -> None:
    """Remember what an audit of one of these games concluded. Raises `StoreError`."""
    _log.info("checked table %s: %s", table_id.hex()[:SHORT_ID], verdict.value)
    await asyncio.to_thread(_with_history, home, lambda history: history.add(table_id, verdict))


def _with_history(home: Home, work: Callable[[History], T]) -> T:
    """Do this with the index; rebuild the index and try once more if it is damaged."""
    with closing(History(home)) as history:
        try:
            return work(history)
        except StoreError as error:
            if error.problem is not FileProblem.DAMAGED or error.path != home.history:
                raise
            history.recover()
            return work(history)
