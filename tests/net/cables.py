"""Cables between the computers of a test that can be pulled out: what passes over them stops.

Nobody is told that a cable is out. What was under way is lost, and a connection that lost something
carries nothing any more, as both ends find out by the silence.
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
    """Everybody's cable; every connection goes over a relay."""

    tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def pull(self, *who: bytes) -> None:
        """The computers of these identities reach nobody, and nobody reaches them."""
        self.apart |= {fingerprint(each) for each in who}

    def put_back(self, *who: bytes) -> None:
        """They do again."""
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
            # `async with` waits for the end of its connections, too, from Python 3.12 on.
            server.close()

    async def close(self) -> None:
        """End what is left of the relays."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


@dataclass
class _Relay:
    """One connection."""

    cables: Cables
    ends: set[str]
    """Fingerprints of both."""
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
        """From one end to the other, until the first of them ends it."""
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
    """Cables that are gone in the end."""
    try:
        yield cables
    finally:
        await cables.close()
