"""A player's side of a table on the network: one channel to the host, one seat."""

from __future__ import annotations

import asyncio

from lanuno.dealing.identity import Identity
from lanuno.log.faults import Unreadable
from lanuno.log.genesis import VERSION
from lanuno.net.channel import Channel
from lanuno.net.errors import NetError
from lanuno.net.seat_driver import Ending, Observer, SeatDriver, SeatFiles
from lanuno.table.lobby_peer import Seating
from lanuno.table.messages import FromPeer, from_host, to_bytes

GOODBYE_SECONDS = 3.0
"""How long leaving on purpose may take before the connection is closed all the same."""


class TablePeer:
    """One seat at somebody else's table."""

    def __init__(
        self,
        channel: Channel,
        identity: Identity,
        seating: Seating,
        files: SeatFiles,
        observe: Observer,
        *,
        watch: bool = False,
    ) -> None:
        """Take over an authenticated channel."""
        self._channel = channel
        self.seat = SeatDriver(identity, seating, files, self._send, observe, watch=watch)

    async def run(self) -> Ending:
        """Play until the table is over for this seat; closes everything."""
        try:
            self.seat.begin(VERSION)
            await self._listen()
        finally:
            await self._channel.close()
            await self.seat.close()
        return self.seat.ending or Ending.LOST

    async def leave(self) -> None:
        """Leave on purpose: say so in the log, wait a moment for the answer."""
        self.seat.leave()
        if self.seat.session is not None and self.seat.ending is None:
            try:
                await asyncio.wait_for(self.seat.ended.wait(), GOODBYE_SECONDS)
            except TimeoutError:
                return

    async def _listen(self) -> None:
        """Hear the host until it says goodbye; a message that makes no sense ends it."""
        try:
            async for data in self._channel:
                self.seat.hear(from_host(data))
                if self.seat.ending in (Ending.TURNED_AWAY, Ending.STOPPED):
                    return
        except (NetError, Unreadable):
            pass
        self.seat.lost()

    def _send(self, message: FromPeer) -> None:
        try:
            self._channel.send(to_bytes(message))
        except NetError:
            # The reader learns of it too, and ends.
            return
