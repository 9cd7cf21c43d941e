"""Announces a table for as long as this computer is the host, from the log's beginning on."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace

from lanuno.dealing.identity import Identity, fingerprint
from lanuno.log.genesis import VERSION, Genesis
from lanuno.net.errors import NetError
from lanuno.net.presence import Presence
from lanuno.net.surroundings import Surroundings
from lanuno.net.to_the_end import to_the_end
from lanuno.net.txt import TableAdvert, TableState, with_rules
from lanuno.table.arrangements import Arrangements

_log = logging.getLogger(__name__)


class Hosting:
    """The advert of one table that plays, while it is this computer's to announce."""

    def __init__(
        self,
        surroundings: Surroundings,
        genesis: Genesis,
        identity: Identity,
        arrangements: Arrangements,
        port: int,
        presence: Presence | None = None,
        *,
        state: TableState = TableState.PLAYING,
    ) -> None:
        """`arrangements`: as told to all players. `presence`: the waiting room's, to go on with.

        `state`: what this computer is announced as.
        """
        roster = genesis.read()
        mine = next(seat for seat in roster.seats if seat.identity == identity.public)
        self._surroundings = surroundings
        self._presence = presence
        advert = TableAdvert(
            id=genesis.table_id,
            name=arrangements.name or mine.name,
            host=mine.name,
            fp=fingerprint(identity.public),
            preset=roster.ruleset.preset,
            seats=len(roster.seats),
            taken=len(roster.seats),
            state=state,
            pin=bool(arrangements.pin),
            version=VERSION,
            addresses=(),
            port=port,
        )
        self._advert = with_rules(advert, roster.ruleset)
        self._wanted = presence is not None
        self._closed = False
        self._turning: asyncio.Task[None] | None = None
        self._late: list[Presence] = []
        if presence is not None:
            self._refresh(presence)

    def turn(self, on: bool) -> None:
        """This computer is the host from now on, or no longer."""
        # Whoever is elected while everything here is being closed is never asked to withdraw.
        self._wanted = on and not self._closed
        if self._turning is None or self._turning.done():
            self._turning = asyncio.get_running_loop().create_task(self._turn())

    def take(self, presence: Presence) -> None:
        """The waiting room was announced when the log had begun: go on with that, or end it."""
        self._refresh(presence)
        self._late.append(presence)
        self.turn(self._wanted)

    def over(self) -> None:
        """The match has ended."""
        self._advert = replace(self._advert, state=TableState.OVER)
        if self._presence is not None:
            self._refresh(self._presence)

    def _refresh(self, presence: Presence) -> None:
        """What is so by now, where it is announced."""
        presence.update(replace(self._advert, addresses=presence.table.addresses))

    async def _turn(self) -> None:
        """Announce or withdraw until it is as it should be."""
        while self._late or self._wanted != (self._presence is not None):
            if self._late and self._wanted and self._presence is None:
                self._presence = self._late.pop()
                self._refresh(self._presence)
                continue
            if self._late:
                # Once is enough; and who is no host any more is not announced as one.
                await self._late.pop().withdraw()
                continue
            if self._presence is not None:
                presence, self._presence = self._presence, None
                await presence.withdraw()
                continue
            said = self._advert
            try:
                self._presence = await self._surroundings.announce(said)
                # That takes a second, in which the match may have ended. Else nothing is said once
                # more: that would put out the beacon, which may be all that anybody hears.
                if said != self._advert:
                    self._refresh(self._presence)
            except NetError as error:
                # The others know where this computer is; only newcomers do not find the table.
                _log.warning("the table is not announced: %s", error)
                return

    async def close(self) -> None:
        """Say goodbye."""
        self._wanted, self._closed = False, True
        await to_the_end(self._close())

    async def _close(self) -> None:
        if self._turning is not None:
            await asyncio.wait((self._turning,))
        if self._presence is not None:
            self._late.append(self._presence)
            self._presence = None
        while self._late:
            await self._late.pop().withdraw()
