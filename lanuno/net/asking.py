"""Asking tables that are heard of whether their hosts are there: all at once, each once.

What is heard may be a stranger's word, said sooner and more often than the truth. Whoever proves
the key that was announced, for the table that was announced, is there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from lanuno.net.client import probe
from lanuno.net.errors import NetError
from lanuno.net.txt import TableAdvert

ANSWER: Final = 3.0
"""Seconds for an answer."""


class Asking:
    """Who has answered so far. Close it."""

    def __init__(self) -> None:
        """Nobody was asked yet."""
        self._asked: dict[str, tuple[TableAdvert, asyncio.Task[str | None]]] = {}

    @property
    def answers(self) -> dict[str, str | None]:
        """Of those whose answer is known, in the order of asking: where they are, or None."""
        return {key: task.result() for key, (_, task) in self._asked.items() if task.done()}

    def ask(self, tables: Mapping[str, TableAdvert]) -> None:
        """Ask those of these that were not asked yet, or not everywhere that they are said to be.

        `tables` by a name that each keeps. Who is none of them any more and has not answered is
        forgotten.
        """
        for key in tuple(self._asked):
            advert, task = self._asked[key]
            if task.done() and task.result() is None:
                newest = tables.get(key)
                if newest is None or set(newest.addresses) - set(advert.addresses):
                    del self._asked[key]
        for key, advert in tables.items():
            if key not in self._asked:
                self._asked[key] = advert, asyncio.create_task(_where(advert))

    async def settle(
        self, tables: Mapping[str, TableAdvert]
    ) -> list[tuple[TableAdvert, str | None]]:
        """All of these with where they are or None, once that is known.

        And those that have answered before and are said to be gone, if they still answer: it may be
        anybody who says so.
        """
        self.ask(tables)
        if self._asked:
            await asyncio.wait([task for _, task in self._asked.values()])
        # Of some, another address was heard while they were asked at those known before.
        self.ask(tables)
        found = []
        for key, (advert, task) in self._asked.items():
            address = await task
            if key in tables:
                found.append((tables[key], address))
            elif address is not None and await _where(advert) is not None:
                found.append((advert, address))
        return found

    async def close(self) -> None:
        """Ask no more."""
        tasks = [task for _, task in self._asked.values()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)


async def _where(advert: TableAdvert) -> str | None:
    """The address at which a table's host answers and proves who it is."""
    try:
        async with asyncio.timeout(ANSWER):
            met = await probe(
                advert.addresses, advert.port, fingerprint=advert.fp, context=advert.id
            )
    except (NetError, TimeoutError):
        return None
    return met.address


def met_at(advert: TableAdvert, address: str) -> TableAdvert:
    """The same with the address where its host has answered in front."""
    others = (each for each in advert.addresses if each != address)
    return replace(advert, addresses=(address, *others))
