"""The list of games and its statistics, read on a worker thread. No Qt and no user-visible texts.

The list is an index built from the transcripts. It is updated before every use, and rebuilt if it
is damaged.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import closing
from time import monotonic
from typing import Final, TypeVar

from msgspec import Struct

from lanuno.log.faults import AuditVerdict
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.game_rows import LONGEST_PAGE, Game, GameQuery
from lanuno.store.history import History
from lanuno.store.paths import Home
from lanuno.store.statistics import Statistics, statistics

T = TypeVar("T")

SHOW_SECONDS: Final = 0.5
"""Seconds after which the games read so far are shown, while others are still being read."""
SHORT_ID: Final = 12
"""Characters of a table id shown in a log line."""

_log = logging.getLogger(__name__)


class GameHistory(Struct, frozen=True):
    """Games that match a query, and the player's statistics."""

    games: tuple[Game, ...]
    total: int
    """Number of games that match the query, including those beyond the limit."""
    statistics: Statistics
    unusable: int
    """Number of files that contain no game."""
    unread: int = 0
    """Number of files that are still to be read."""


async def read_games(
    home: Home,
    me: bytes,
    query: GameQuery,
    most: int,
    show: Callable[[GameHistory], None] | None = None,
    *,
    pause: float = SHOW_SECONDS,
) -> GameHistory:
    """Return the newest games that match the query, at most `most`. Raises `StoreError`.

    If new files take longer than `pause` seconds to read, `show` receives what there is so far, on
    any thread, and again after each such pause.
    """

    def read(history: History) -> GameHistory:
        shown = monotonic()

        def progress(left: int) -> None:
            nonlocal shown
            if show is not None and left and monotonic() - shown >= pause:
                show(found(history, left))
                # A long list takes a while itself, which must not slow the reading of the files.
                shown = monotonic()

        history.refresh(progress)
        return found(history, 0)

    def found(history: History, unread: int) -> GameHistory:
        games: list[Game] = []
        while True:
            limit = min(LONGEST_PAGE, most - len(games))
            page = history.games(me, query, offset=len(games), limit=limit)
            games += page.games
            if not page.games or len(games) >= min(most, page.total):
                break
        numbers = statistics(history, me)
        return GameHistory(tuple(games), page.total, numbers, len(history.unusable()), unread)

    return await asyncio.to_thread(_with_history, home, read)


async def delete_game(home: Home, table_id: bytes) -> None:
    """Delete a game permanently. Raises `StoreError`: IN_USE while it is being played."""
    await asyncio.to_thread(_with_history, home, lambda history: history.delete(table_id))


async def conclude(home: Home, table_id: bytes, verdict: AuditVerdict) -> None:
    """Store the verdict of an audit of a game. Raises `StoreError`."""
    _log.info("checked table %s: %s", table_id.hex()[:SHORT_ID], verdict.value)
    await asyncio.to_thread(_with_history, home, lambda history: history.add(table_id, verdict))


def _with_history(home: Home, work: Callable[[History], T]) -> T:
    """Run `work` on the index; if the index is damaged, rebuild it and try once more."""
    with closing(History(home)) as history:
        try:
            return work(history)
        except StoreError as error:
            if error.problem is not FileProblem.DAMAGED or error.path != home.history:
                raise
            history.recover()
            return work(history)
