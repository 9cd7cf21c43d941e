"""Listen, announce and find tables on the network of one node, on the adapter that it uses.

Every node of a table has a context, because every node may become the host.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from msgspec import Struct

from lanuno.dealing.identity import Identity
from lanuno.net.discovery.advert import TableAdvert
from lanuno.net.discovery.announcer import Announcer, announce
from lanuno.net.discovery.dedupe import merge_adverts
from lanuno.net.discovery.directory import TableDirectory
from lanuno.net.discovery.probe_limits import ProbeLimits
from lanuno.net.discovery.table_listener import listen_for_tables
from lanuno.net.errors import NetError
from lanuno.net.transport.adapters import chosen, listen_hosts
from lanuno.net.transport.listener import Listener, Serve, listen

POLL_SECONDS = 0.1
"""Interval between two checks of the received adverts."""

_log = logging.getLogger(__name__)


class NetworkContext(Struct, frozen=True):
    """The network as one node uses it."""

    adapter: str | None = None
    """Name of the only adapter to use; None for every physical one."""

    async def open_listener(
        self, identity: Identity, context: bytes, serve: Serve, *, port: int | None = None
    ) -> Listener:
        """Listen for connections of other nodes. Raises `NetError` (`ADAPTER`, `PORT`)."""
        adapters = chosen(self.adapter)
        hosts = listen_hosts(adapters, self.adapter)
        listener = await listen(identity, context, serve, hosts=hosts, port=port)
        _log.debug("listening at port %d of %s", listener.port, ", ".join(hosts) or "every address")
        return listener

    async def announce(self, advert: TableAdvert) -> Announcer:
        """Announce a table. Raises the errors of `announcer.announce`."""
        return await announce(advert, adapter=self.adapter)

    async def find(
        self, seconds: float, wanted: Callable[[TableAdvert], bool]
    ) -> TableAdvert | None:
        """Return the first wanted advert whose host proves it, or None after `seconds`.

        Strangers may announce the same table, sooner and more often, so every wanted advert is
        probed. The advert has only the address at which that was proved.
        """
        try:
            listener = await listen_for_tables(adapter=self.adapter)
        except NetError:
            return None
        directory = TableDirectory(listener.host_probed, ProbeLimits(self.adapter, search=True))
        try:
            async with asyncio.timeout(seconds):
                while True:
                    found = merge_adverts(each for each in listener.adverts if wanted(each))
                    for key, entry in directory.update(found).items():
                        if entry.answer.reached and key in found:
                            return entry.advert
                    await asyncio.sleep(POLL_SECONDS)
        except TimeoutError:
            return None
        finally:
            try:
                await directory.close()
            finally:
                await listener.close()
