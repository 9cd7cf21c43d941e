"""A simulated network on loopback, on which a test decides who can find and reach whom.

Announced adverts are kept on a board. A node in `apart` cannot reach any other node, nor be
reached. No assertions live here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from lanuno.dealing.identity import Identity, fingerprint
from lanuno.net.discovery.advert import TableAdvert
from lanuno.net.discovery.announcer import Announcer
from lanuno.net.discovery.network_context import NetworkContext
from lanuno.net.errors import NetError, NetFault
from lanuno.net.transport.adapters import Adapter
from lanuno.net.transport.channel import Channel
from lanuno.net.transport.connect import connect
from lanuno.net.transport.listener import Listener, Serve, listen

HOME, AWAY = "127.0.0.1", "127.0.0.2"
"""The initial address of every node, and a simulated second address."""


@dataclass
class Network:
    """Which nodes can reach each other, and what is announced."""

    apart: set[str] = field(default_factory=set)
    """Fingerprints of the nodes that are cut off."""
    addresses: dict[str, str] = field(default_factory=dict)
    """Address by fingerprint, for nodes that are not at `HOME`."""
    board: list[Note] = field(default_factory=list)
    refused: int = 0
    """Number of failed connection attempts."""

    async def dial(self, hosts: tuple[str, ...], port: int, who: Identity, **more: Any) -> Channel:
        there = more["fingerprint"]
        parted = self.apart & {there, fingerprint(who.public)}
        if parted or tuple(hosts) != (self.addresses.get(there, HOME),):
            self.refused += 1
            raise NetError(NetFault.UNREACHABLE)
        return await connect((HOME,), port, who, **more)


class Note(Announcer):
    """An announcement on the board."""

    def __init__(self, network: Network, advert: TableAdvert) -> None:
        super().__init__(advert, None, None)
        self._network = network
        network.board.append(self)

    async def withdraw(self) -> None:
        self._network.board.remove(self)


class Here(NetworkContext, frozen=True):
    """The network context of one node on this network."""

    network: Network = msgspec.field(default_factory=Network)

    async def open_listener(
        self, identity: Identity, context: bytes, serve: Serve, *, port: int | None = None
    ) -> Listener:
        return await listen(identity, context, serve, hosts=(HOME,), port=port or 0)

    async def announce(self, advert: TableAdvert) -> Announcer:
        return Note(self.network, advert)

    async def find(
        self, patience: float, wanted: Callable[[TableAdvert], bool]
    ) -> TableAdvert | None:
        for note in self.network.board:
            where = self.network.addresses.get(note.table.fp, HOME)
            if wanted(note.table):
                return replace(note.table, addresses=(where,))
        return None


class Noted(Announcer):
    """An announcement that is recorded but not sent."""

    def __init__(self, table: TableAdvert) -> None:
        super().__init__(table, None, None)
        self.withdrawn = False

    async def withdraw(self) -> None:
        assert not self.withdrawn
        self.withdrawn = True


class Slow(NetworkContext, frozen=True):
    """A network on which announcing waits for `go_on`."""

    asked: asyncio.Event = msgspec.field(default_factory=asyncio.Event)
    go_on: asyncio.Event = msgspec.field(default_factory=asyncio.Event)
    said: list[Noted] = msgspec.field(default_factory=list)

    async def announce(self, advert: TableAdvert) -> Announcer:
        self.asked.set()
        await self.go_on.wait()
        self.said.append(Noted(advert))
        return self.said[-1]


class Outward(Adapter, frozen=True):
    """Loopback that claims to be a physical adapter."""

    @property
    def loopback(self) -> bool:
        return False


OUTWARD = Outward("near", 1, ("127.0.0.1",), (), "", ("127.255.255.255",))
