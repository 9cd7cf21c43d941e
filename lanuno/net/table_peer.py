"""A player's side of a table on the network: one channel to the host, one seat."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from lanuno.dealing.identity import Identity
from lanuno.log.faults import Unreadable
from lanuno.log.genesis import VERSION
from lanuno.net.channel import Channel
from lanuno.net.errors import Fault, NetError
from lanuno.net.seat_driver import Ending, Observer, SeatDriver, SeatFiles
from lanuno.table.lobby_peer import Seating
from lanuno.table.messages import FromPeer, from_host, to_bytes

LEAVE_SECONDS = 3.0
"""How long leaving on purpose may take before the connection is closed all the same."""

LAST_ENTRY_SECONDS = 10.0
"""How long a host may keep the connection after the log is closed: it waits for the others."""


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
        self._watch = watch
        self.seat = SeatDriver(identity, seating, files, self._send, observe, watch=watch)
        self.broken: NetError | None = None
        """What ended the connection, unless somebody said goodbye."""

    async def run(self) -> Ending:
        """Play until the table is over for this seat; closes everything.

        Raises what made it impossible to go on: a `StoreError`, or a mistake of the program.
        """
        listening = asyncio.create_task(self._listen())
        ended = asyncio.create_task(self.seat.ended.wait())
        try:
            self.seat.begin(VERSION)
            await asyncio.wait((listening, ended), return_when=asyncio.FIRST_COMPLETED)
            if self.seat.ending is Ending.CLOSED and not self._watch:
                await asyncio.wait((listening,), timeout=LAST_ENTRY_SECONDS)
        except asyncio.CancelledError:
            self._channel.abort()
            raise
        finally:
            for task in (listening, ended):
                task.cancel()
            try:
                await asyncio.wait((listening, ended))
                await self._channel.close()
            finally:
                await self.seat.close()
        if self.seat.failure is not None:
            raise self.seat.failure
        return self.seat.ending or Ending.LOST

    async def leave(self) -> None:
        """Leave on purpose: say so in the log, wait a moment until it is written there, and go."""
        self.seat.leave()
        if self.seat.session is not None:
            with suppress(TimeoutError):
                await asyncio.wait_for(self.seat.parted.wait(), LEAVE_SECONDS)
        await self._channel.close()

    async def _listen(self) -> None:
        """Hear the host until it says goodbye; a message that makes no sense ends it."""
        try:
            async for data in self._channel:
                self.seat.hear(from_host(data))
        except NetError as error:
            self.broken = error
        except Unreadable as error:
            self.broken = NetError(Fault.PROTOCOL, str(error))
        self.seat.lost()

    def _send(self, message: FromPeer) -> None:
        try:
            self._channel.send(to_bytes(message))
        except NetError:
            # The reader learns of it too, and ends.
            return
