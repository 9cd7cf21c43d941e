"""Cables between the computers of a test. Pulling a cable stops all traffic over it.

Neither end is notified that a cable is out. Data in transit is lost. A connection that has lost
data never carries any again, and both ends detect this by the silence.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from lanuno.dealing.identity import Identity, fingerprint
from lanuno.net.errors import NetError, NetFault
from lanuno.net.transport.channel import Channel
from lanuno.net.transport.connect import connect
from tests.net.loopback_network import Network


@dataclass
class Cables(Network):
    """The cable of each computer. Every connection goes through a relay."""

    tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def pull(self, *who: bytes) -> None:
        """Cut off the computers of these identities."""
        self.apart |= {fingerprint(each) for each in who}

    def put_back(self, *who: bytes) -> None:
        """Reconnect the computers of these identities."""
        self.apart -= {fingerprint(each) for each in who}

    async def dial(self, hosts: Sequence[str], port: int, who: Identity, **more: Any) -> Channel:
        ends = {fingerprint(who.public), *filter(None, [more.get("fingerprint")])}
        if ends & self.apart:
            self.refused += 1
            raise NetError(NetFault.UNREACHABLE)
        relay = _Relay(self, ends, port)
        server = await asyncio.start_server(relay.serve, hosts[0], 0)
        try:
            through = server.sockets[0].getsockname()[1]
            channel = await connect(tuple(hosts), through, who, **more)
            relay.ends.add(fingerprint(channel.identity))
            return channel
        finally:
            # From Python 3.12 on, `async with` also waits for the end of the connections.
            server.close()

    async def close(self) -> None:
        """End all remaining relays."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


@dataclass
class _Relay:
    """Relays one connection."""

    cables: Cables
    ends: set[str]
    """Fingerprints of both ends."""
    port: int
    dead: bool = False

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, to_there = await asyncio.open_connection("127.0.0.1", self.port)
        except ConnectionError:
            writer.transport.abort()
            return
        ways = ((reader, writer, to_there), (there, to_there, writer))
        for way in ways:
            task = asyncio.create_task(self._carry(*way))
            self.cables.tasks.add(task)
            task.add_done_callback(self.cables.tasks.discard)

    @property
    def _passes(self) -> bool:
        self.dead = self.dead or bool(self.ends & self.cables.apart)
        return not self.dead

    async def _carry(
        self,
        reader: asyncio.StreamReader,
        back: asyncio.StreamWriter,
        on: asyncio.StreamWriter,
    ) -> None:
        """Copy data in one direction until either end closes."""
        try:
            while data := await reader.read(65_536):
                if self._passes:
                    on.write(data)
        except ConnectionError:
            pass
        finally:
            if self._passes:
                on.transport.abort()
            back.transport.abort()


@asynccontextmanager
async def laid(cables: Cables) -> AsyncIterator[Cables]:
    """Yield the cables, and close them afterwards."""
    try:
        yield cables
    finally:
        await cables.close()
