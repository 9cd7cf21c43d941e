"""Let the nodes of one table find each other again after their addresses have changed.

The host is announced (`host_announcer.py`). But after a power cut the table may have no host, and
every node may have a new address or port. So a node that has been out of contact for a moment
announces that it searches for its table. Clients that list tables ignore such adverts. An advert is
a hint: only the handshake proves an identity.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from lanuno.dealing.identity import Identity, fingerprint
from lanuno.log.format.genesis import Genesis
from lanuno.net.discovery.advert import TableAdvert, TableState
from lanuno.net.discovery.host_announcer import HostAnnouncer
from lanuno.net.discovery.network_context import NetworkContext
from lanuno.table.metadata import TableMetadata

ANNOUNCE_AFTER_SECONDS: Final = 2.0
"""Time without contact before a node announces itself. Usually the known addresses still work."""

_log = logging.getLogger(__name__)


class Rediscovery:
    """Announces one node while it is out of contact, and finds the other nodes of its table."""

    def __init__(
        self,
        network: NetworkContext,
        genesis: Genesis,
        identity: Identity,
        metadata: TableMetadata,
        port: int,
    ) -> None:
        """`port` is where this node listens. If it is 0, the node does not, and only searches."""
        self._network = network
        self._table = genesis.table_id
        self._fingerprints = {fingerprint(each.identity) for each in genesis.read().seats}
        self._active = False
        self._timer: asyncio.TimerHandle | None = None
        self._announcer: HostAnnouncer | None = None
        if port:
            state = TableState.SEEKING
            self._announcer = HostAnnouncer(network, genesis, identity, metadata, port, state=state)

    def set_active(self, active: bool) -> None:
        """Set whether this node is out of contact."""
        if active == self._active or self._announcer is None:
            return
        self._active = active
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if active:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(ANNOUNCE_AFTER_SECONDS, self._announcer.set_active, True)
        else:
            self._announcer.set_active(False)

    async def find(self, fingerprint: str, *, host: bool, seconds: float) -> TableAdvert | None:
        """Return the advert of the node with this fingerprint, or None after `seconds`.

        If `host` is true, the advert of any player announced as the host is accepted too.
        """

        def wanted(advert: TableAdvert) -> bool:
            hosts = advert.fp in self._fingerprints and advert.state is not TableState.SEEKING
            return advert.id == self._table and (advert.fp == fingerprint or (host and hosts))

        found = await self._network.find(seconds, wanted)
        what = "the host" if host else "a player"
        if found is None:
            _log.debug("%s of this table is not announced anywhere", what)
        else:
            _log.debug("%s of this table is announced at %s", what, ", ".join(found.addresses))
        return found

    async def close(self) -> None:
        """Withdraw the announcement."""
        if self._timer is not None:
            self._timer.cancel()
        if self._announcer is not None:
            await self._announcer.close()
