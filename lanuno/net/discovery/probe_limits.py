"""Where adverts may lead this computer, and how often.

Anybody on the network can announce any address, and every computer that lists tables then connects
to it. So only addresses on the networks of the chosen adapters are probed, few at a time in all,
and fewer still at one address. Probes wait in the order in which they arrive, and each table has
one probe waiting at most. So false adverts delay the probe of a table, but not for long.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from ipaddress import IPv6Address
from typing import Final

from lanuno.net.errors import NetError
from lanuno.net.transport.adapters import Adapter, chosen, scoped
from lanuno.net.transport.addresses import canonical_address, parse_address
from lanuno.net.transport.limits import remember
from lanuno.net.transport.nearness import on_network

PROBES_PER_SECOND: Final = 16.0
"""Rate limit of connections that probe announced addresses, in all."""
ADDRESS_PROBES_PER_SECOND: Final = 4.0
"""Rate limit of those to one address, at any of its ports."""
SEARCH_BURST: Final = 64
"""Probes of one address without a pause in a search for one table, which lasts seconds: as many as
tables are listed. Four times as many in all."""
RESCAN_SECONDS: Final = 1.0
"""Time after which the adapters are scanned again."""
MOST_ADDRESSES: Final = 1024
"""Limit of addresses whose last probe is remembered. The oldest are forgotten."""


class _Interval:
    """Lets one after the other pass, with a pause in between that a burst may save up."""

    def __init__(self, rate: float, burst: int) -> None:
        """`rate`: how many pass in a second. `burst`: how many without a pause."""
        self.lock = asyncio.Lock()
        self._pause = 1 / rate
        self._saved = (burst - 1) * self._pause
        self._free_at = 0.0

    async def wait(self) -> None:
        """Wait for the end of the pause. The caller holds `lock`, whose waiters take turns."""
        await asyncio.sleep(self._free_at - asyncio.get_running_loop().time())

    def passed(self) -> None:
        """Begin the next pause."""
        now = asyncio.get_running_loop().time()
        self._free_at = max(self._free_at, now - self._saved) + self._pause


class ProbeLimits:
    """The limits on the probes of announced addresses."""

    def __init__(self, adapter: str | None, *, search: bool = False) -> None:
        """`adapter`: the only adapter on which games are played; None for every physical one.

        `search`: whether one table is searched for, with a burst of `SEARCH_BURST`.
        """
        self._adapter = adapter
        self._burst = SEARCH_BURST if search else 1
        self._adapters: tuple[Adapter, ...] = ()
        self._scanned_at: float | None = None
        self._all = _Interval(PROBES_PER_SECOND, 4 * self._burst if search else 1)
        self._each: dict[str, _Interval] = {}

    def nearby(self, addresses: Iterable[str]) -> tuple[str, ...]:
        """Return the addresses that are on the networks of the adapters.

        A link-local address without a scope is on the network of each adapter, so it is returned
        with each scope.
        """
        now = asyncio.get_running_loop().time()
        if self._scanned_at is None or now - self._scanned_at >= RESCAN_SECONDS:
            self._scanned_at = now
            try:
                self._adapters = chosen(self._adapter)
            except (NetError, OSError):
                self._adapters = ()
        nearby = (one for each in addresses for one in self._with_scope(each))
        return tuple(dict.fromkeys(each for each in nearby if on_network(each, self._adapters)))

    async def turn(self, address: str) -> None:
        """Wait until a probe may connect to an address."""
        key = canonical_address(address)
        each = self._each.get(key) or _Interval(ADDRESS_PROBES_PER_SECOND, self._burst)
        remember(self._each, key, each, MOST_ADDRESSES)
        async with each.lock:
            await each.wait()
            async with self._all.lock:
                await self._all.wait()
                self._all.passed()
            each.passed()

    def _with_scope(self, address: str) -> Iterator[str]:
        parsed = parse_address(address)
        if isinstance(parsed, IPv6Address) and parsed.is_link_local and "%" not in address:
            yield from (scoped(str(parsed), each.index) for each in self._adapters)
        else:
            yield address
