"""The tables on this network, and which of their hosts are there.

Every table that is heard of is asked, and stays in the list for as long as it is heard of or its
host goes on answering: anybody can say a goodbye, or something else, in somebody's name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from lanuno.net.asking import Answer, Asking, Target, met_at
from lanuno.net.txt import TableAdvert

MOST_UNHEARD: Final = 64
"""Tables that are heard of no more and go on being asked."""


@dataclass(frozen=True, slots=True)
class Called:
    """A table, and what came of asking its host."""

    advert: TableAdvert
    """As it was heard last; where its host has answered goes first among the addresses."""
    answer: Answer


class RollCall:
    """Asks the tables that are heard of. Close it."""

    def __init__(self, tell: Callable[[str, bool], None]) -> None:
        """`tell` gets the `key_of` of each table that was asked, and whether its host is there."""
        self._asking = Asking(tell)
        self._tables: dict[str, TableAdvert] = {}

    def hear(self, heard: Mapping[str, TableAdvert]) -> dict[str, Called]:
        """What is known of the tables that are heard of now, by `key_of`, and of those still there.

        Asks whoever of them was not asked yet, or is said to be somewhere else by now.
        """
        gone = [key for key in self._tables if key not in heard and self._asking.known(key).there]
        still_there = {key: self._tables[key] for key in gone[:MOST_UNHEARD]}
        self._tables = dict(heard) | still_there
        called = {
            key: self._call(key, advert, gone=key in still_there)
            for key, advert in self._tables.items()
        }
        self._asking.forget_all_but(self._tables)
        return called

    async def settle(self, heard: Mapping[str, TableAdvert]) -> dict[str, Called]:
        """The same once every host has answered or has had the time to."""
        # Twice: some became known at another place while they were asked.
        for _ in range(2):
            self.hear(heard)
            await self._asking.wait()
        return self.hear(heard)

    async def close(self) -> None:
        """Ask no more."""
        await self._asking.close()

    def _call(self, key: str, advert: TableAdvert, *, gone: bool) -> Called:
        hosts = advert.addresses
        if gone:
            # Where it was met, and at once: mostly it is really gone.
            hosts = (self._asking.known(key).address,)
        target = Target(hosts, advert.port, advert.fp, advert.id, doubtful=gone)
        answer = self._asking.ask(key, target)
        return Called(met_at(advert, answer.address), answer)
