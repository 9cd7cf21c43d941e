"""The network on which the computers of a test find and reach each other, or do not.

The network is loopback. Announced adverts are on a board; a node that is apart reaches nobody and
is reached by nobody. No assertions are here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

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
"""Where everybody is at first, and an address that is only pretended."""


@dataclass
class Network:
    """Who can reach whom, and what is announced."""

    apart: set[str] = field(default_factory=set)
    """Fingerprints of those who are cut off."""
    addresses: dict[str, str] = field(default_factory=dict)
    """Where somebody is, if not at home."""
    board: list[Note] = field(default_factory=list)
    refused: int = 0
    """Dials that led nowhere."""

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


@dataclass(frozen=True, slots=True)
class Here(NetworkContext):
    """The network context of one node on this network."""

    network: Network = field(default_factory=Network)

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


class Outward(Adapter):
    """Loopback that counts as an adapter to others."""

    @property
    def loopback(self) -> bool:
        return False


OUTWARD = Outward("near", 1, ("127.0.0.1",), (), "", ("127.255.255.255",))
