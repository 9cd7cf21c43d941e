"""Announce a table while this node is its host, from the start of the log."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace

from lanuno.dealing.identity import Identity, fingerprint
from lanuno.log.format.genesis import Genesis, avatars
from lanuno.net.discovery.advert import TableAdvert, TableState, with_rules
from lanuno.net.discovery.announcer import Announcer
from lanuno.net.discovery.network_context import NetworkContext
from lanuno.net.errors import NetError
from lanuno.net.transport.to_completion import to_completion
from lanuno.table.metadata import TableMetadata

_log = logging.getLogger(__name__)


class HostAnnouncer:
    """Announces a table in progress while this node is its host, and withdraws it afterwards."""

    def __init__(
        self,
        network: NetworkContext,
        genesis: Genesis,
        identity: Identity,
        metadata: TableMetadata,
        port: int,
        announcer: Announcer | None = None,
        *,
        state: TableState = TableState.PLAYING,
    ) -> None:
        """`metadata` is what all players received. `announcer` is the lobby's, which is kept.

        `state` is the table state in the advert.
        """
        roster = genesis.read()
        mine = next(seat for seat in roster.seats if seat.identity == identity.public)
        self._network = network
        self._announcer = announcer
        advert = TableAdvert(
            id=genesis.table_id,
            name=metadata.name or mine.name,
            host=mine.name,
            fp=fingerprint(identity.public),
            preset=roster.ruleset.preset,
            seats=len(roster.seats),
            taken=len(roster.seats),
            state=state,
            pin=bool(metadata.pin),
            port=port,
            avatar=avatars(roster.seats)[mine.identity],
        )
        self._advert = with_rules(advert, roster.ruleset)
        self._active = announcer is not None
        self._closed = False
        self._applying: asyncio.Task[None] | None = None
        self._handed_over: list[Announcer] = []
        if announcer is not None:
            self._refresh(announcer)

    def set_active(self, active: bool) -> None:
        """Set whether this node is the host."""
        # A node elected while it closes must not announce, because nothing would withdraw it.
        self._active = active and not self._closed
        if self._applying is None or self._applying.done():
            self._applying = asyncio.get_running_loop().create_task(self._apply())

    def take_over(self, announcer: Announcer) -> None:
        """Take over the lobby's announcer if it became ready only after the log had begun."""
        self._refresh(announcer)
        self._handed_over.append(announcer)
        self.set_active(self._active)

    def match_over(self) -> None:
        """Announce that the match has ended."""
        self._advert = replace(self._advert, state=TableState.OVER)
        if self._announcer is not None:
            self._refresh(self._announcer)

    def _refresh(self, announcer: Announcer) -> None:
        """Update the advert of this announcer to the current state."""
        announcer.update(replace(self._advert, addresses=announcer.table.addresses))

    async def _apply(self) -> None:
        """Announce or withdraw until the announcement matches the desired state."""
        while self._handed_over or self._active != (self._announcer is not None):
            if self._handed_over and self._active and self._announcer is None:
                self._announcer = self._handed_over.pop()
                self._refresh(self._announcer)
            elif self._handed_over:
                # The table is already announced, or this node is no longer the host.
                await self._handed_over.pop().withdraw()
            elif self._announcer is not None:
                announcer, self._announcer = self._announcer, None
                await announcer.withdraw()
            else:
                try:
                    await self._announce()
                except NetError as error:
                    # The players know this node's address; only newcomers cannot find the table.
                    _log.warning("the table is not announced: %s", error)
                    return

    async def _announce(self) -> None:
        announced = self._advert
        self._announcer = await self._network.announce(announced)
        # Announcing takes a second, and the match may have ended meanwhile. Update only on a
        # change: an update stops the beacon, which may be all that other nodes receive.
        if announced != self._advert:
            self._refresh(self._announcer)

    async def close(self) -> None:
        """Withdraw the announcement."""
        self._active, self._closed = False, True
        await to_completion(self._close())

    async def _close(self) -> None:
        if self._applying is not None:
            await asyncio.wait((self._applying,))
        if self._announcer is not None:
            self._handed_over.append(self._announcer)
            self._announcer = None
        while self._handed_over:
            await self._handed_over.pop().withdraw()
