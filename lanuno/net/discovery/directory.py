"""The tables on this network, and which of their hosts answer.

Every announced table is probed. A table stays in the list while it is announced or its host
answers, because anybody can forge a withdrawal or an advert.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct

from lanuno.net.discovery.advert import TableAdvert, TableState
from lanuno.net.discovery.probe_limits import ProbeLimits
from lanuno.net.discovery.prober import (
    PROBE_SECONDS,
    ProbeAnswer,
    Prober,
    ProbeTarget,
    as_answered,
)

MOST_UNANNOUNCED: Final = 64
"""Limit of tables that are still probed after their adverts have ended."""


class DirectoryEntry(Struct, frozen=True):
    """A table, and the last probe of its host."""

    advert: TableAdvert
    """The last advert. If its host answers, it has only the address at which that is proved."""
    answer: ProbeAnswer


class TableDirectory:
    """Probes the announced tables. Close it after use."""

    def __init__(self, on_answer: Callable[[str, bool], None], limits: ProbeLimits) -> None:
        """`on_answer` is called with the `table_key` of a probed table and whether it answered."""
        self._prober = Prober(on_answer, limits)
        self._tables: dict[str, TableAdvert] = {}

    def update(self, adverts: Mapping[str, TableAdvert]) -> dict[str, DirectoryEntry]:
        """Return entries, by `table_key`, for tables that are announced or still answer.

        Starts probes of tables whose last probe is too old, or that are new or have new addresses.
        """
        gone = [
            key for key in self._tables if key not in adverts and self._prober.answer(key).reached
        ]
        still_there = {key: self._tables[key] for key in gone[:MOST_UNANNOUNCED]}
        self._tables = dict(adverts) | still_there
        entries = {
            key: self._entry(key, advert, gone=key in still_there)
            for key, advert in self._tables.items()
        }
        self._prober.forget_all_but(self._tables)
        return entries

    async def settle(self, adverts: Mapping[str, TableAdvert]) -> dict[str, DirectoryEntry]:
        """Like `update`, but give every host time to answer."""
        # Twice, because some may be announced at another address while they are being probed.
        for _ in range(2):
            self.update(adverts)
            await self._prober.wait(PROBE_SECONDS)
        return self.update(adverts)

    async def close(self) -> None:
        """Cancel all probes."""
        await self._prober.close()

    def _entry(self, key: str, advert: TableAdvert, *, gone: bool) -> DirectoryEntry:
        hosts = advert.addresses
        if gone:
            # Probe only the address that answered; most withdrawn tables are really gone.
            hosts = (self._prober.answer(key).address,)
        target = ProbeTarget(
            hosts,
            advert.port,
            advert.fp,
            advert.id,
            must_host=advert.state is not TableState.SEEKING,
            doubtful=gone,
        )
        answer = self._prober.probe(key, target)
        return DirectoryEntry(as_answered(advert, answer), answer)
