"""Queueing of connections that have not authenticated: which starts a handshake, which is dropped.

A connection first waits for its whole ClientHello (SILENT), then for its turn (WAITING). Then it is
in the handshake (MEETING), which costs this computer work. Each address of a seated player has
reserved places in all stages. All other connections are strangers': they share places and take
turns, counted by IPv4 address or IPv6 /64.

Rule: no sockets and no clock. An address proves nothing: it only decides which places a connection
uses, never whether the peer is admitted to the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import IntEnum
from math import inf
from typing import Final

from msgspec import Struct

from lanuno.net.transport.addresses import canonical_address, network_of
from lanuno.net.transport.limits import Limits, remember
from lanuno.table.budget import Budget

MOST_REMEMBERED: Final = 1024
"""Limit of addresses, and of networks, whose last turn is remembered. The oldest are forgotten."""


class HandshakeStage(IntEnum):
    """How far a connection has come."""

    SILENT = 0
    """Its ClientHello is missing or incomplete."""

    WAITING = 1
    """Its ClientHello is complete, and it waits for its turn."""

    MEETING = 2
    """It is in the TLS handshake or in the handshake of identities."""


class PendingConnection(Struct, eq=False):
    """A connection that has not authenticated."""

    address: str
    network: str
    """IPv4 address or IPv6 /64."""
    seated: bool
    """Whether the address was that of a seated player when the connection arrived."""
    arrived: float
    stage: HandshakeStage
    spoke: bool
    """Whether at least one byte has arrived."""
    began: float = 0.0
    """When its handshake began."""


class HalfOpenConnections:
    """The half-open connections of one listener."""

    def __init__(self, limits: Limits) -> None:
        """Start without connections and reservations."""
        self._limits = limits
        self._connections: dict[PendingConnection, None] = {}
        self._seated: frozenset[str] = frozenset()
        self._strangers = Budget[None](limits.handshakes, limits.handshakes_at_once)
        """The handshakes of all strangers together."""
        self._players = Budget[None](limits.reserved_handshakes, limits.handshakes_at_once)
        """The handshakes of all addresses of seated players together. They take turns, so no number
        of seats and addresses keeps another player from its turn, or renews the budget."""
        self._networks: dict[str, float] = {}
        """When a handshake of this network last began."""
        self._addresses: dict[str, float] = {}
        """When a handshake of this address last began."""

    def __len__(self) -> int:
        return len(self._connections)

    def reserve(self, addresses: Iterable[str]) -> None:
        """Reserve places for these addresses. Replaces earlier reservations."""
        self._seated = frozenset(canonical_address(each) for each in addresses)

    @property
    def waiting(self) -> bool:
        """Whether any connection has not begun its handshake."""
        return any(each.stage is not HandshakeStage.MEETING for each in self._connections)

    @property
    def partial(self) -> list[PendingConnection]:
        """The connections that have sent a part of a ClientHello."""
        return [
            each for each in self._connections if each.stage is HandshakeStage.SILENT and each.spoke
        ]

    # ---- arrival and removal ----------------------------------------------------------------

    def arrive(
        self, address: str, now: float, *, spoke: bool, whole: bool
    ) -> tuple[PendingConnection, PendingConnection | None]:
        """Add a connection. Return it, and the connection to drop for it (possibly the same)."""
        canonical = canonical_address(address)
        stage = HandshakeStage.WAITING if whole else HandshakeStage.SILENT
        connection = PendingConnection(
            canonical, network_of(address), canonical in self._seated, now, stage, spoke
        )
        self._connections[connection] = None
        queue = self._beside(connection, in_handshake=False)
        most = self._limits.reserved if connection.seated else self._limits.queue_places
        return connection, self._first_to_end(queue, now) if len(queue) > most else None

    def shed(self, now: float) -> PendingConnection | None:
        """Return the stranger's connection to drop when no descriptor is left, if any."""
        queue = [
            each
            for each in self._connections
            if each.stage is not HandshakeStage.MEETING and not each.seated
        ]
        return self._first_to_end(queue, now) if queue else None

    def remove(self, connection: PendingConnection) -> None:
        """Remove a connection that has authenticated or ended."""
        self._connections.pop(connection, None)

    def expired(self, now: float) -> list[PendingConnection]:
        """Return the connections whose ClientHello or turn did not come in time."""
        return [each for each in self._connections if now >= self._deadline(each)]

    # ---- turns ------------------------------------------------------------------------------

    def admit(self, now: float) -> tuple[list[PendingConnection], list[PendingConnection]]:
        """Return the connections that start a handshake, and those in a handshake to drop for them.

        Addresses of seated players come first, each with its own places. Strangers follow: the
        network whose last turn was longest ago, and within it the address.
        """
        begin, end = list[PendingConnection](), list[PendingConnection]()
        waiting = [each for each in self._connections if each.stage is HandshakeStage.WAITING]
        while waiting:
            connection = min(waiting, key=self._turn_order)
            in_handshake = self._beside(connection, in_handshake=True)
            mates = [each for each in in_handshake if each.network == connection.network]
            limit = self._limits.reserved if connection.seated else self._limits.half_open_each
            crowded = len(mates) >= limit
            victim = None
            if crowded or (not connection.seated and len(in_handshake) >= self._limits.half_open):
                victim = self._handshake_to_end(mates if crowded else in_handshake, now)
                if victim is None:
                    waiting = _without(waiting, connection, mates_only=crowded)
                    continue
            if not self._may_begin(connection, now):
                waiting = _without(waiting, connection, mates_only=False)
                continue
            if victim is not None:
                self.remove(victim)
                end.append(victim)
            connection.stage, connection.began = HandshakeStage.MEETING, now
            remember(self._networks, connection.network, now, MOST_REMEMBERED)
            remember(self._addresses, connection.address, now, MOST_REMEMBERED)
            waiting.remove(connection)
            begin.append(connection)
        return begin, end

    # ---- helpers ----------------------------------------------------------------------------

    def _first_to_end(self, queue: list[PendingConnection], now: float) -> PendingConnection:
        """Return the connection to drop from an overfull queue, of the most crowded network.

        Within that network, the most crowded address is chosen first. Connections without a
        ClientHello are dropped before those with one, once they have had time to send it: an honest
        client sends it a moment after connecting. Of those with one, the next in turn is dropped
        last. Otherwise a flood of connections from an address that has already had its turn would
        displace all others before theirs.
        """
        by_network = Counter(each.network for each in queue)
        by_address = Counter(each.address for each in queue)

        def place(each: PendingConnection) -> tuple[int, int, bool, float, float, float]:
            late = each.stage is HandshakeStage.SILENT and now - each.arrived >= self._limits.turn
            last = self._last_turn(each)
            crowded = -by_network[each.network], -by_address[each.address]
            return *crowded, not late, -last[0], -last[1], each.arrived

        return min(queue, key=place)

    def _beside(
        self, connection: PendingConnection, *, in_handshake: bool
    ) -> list[PendingConnection]:
        """Return the connections in or before the handshake that share places with this one."""
        return [
            each
            for each in self._connections
            if (each.stage is HandshakeStage.MEETING) is in_handshake
            and _share_places(each, connection)
        ]

    def _handshake_to_end(
        self, in_handshake: list[PendingConnection], now: float
    ) -> PendingConnection | None:
        """Return the handshake to drop: one that an honest client would have completed by now."""
        settled = [each for each in in_handshake if now - each.began >= self._limits.turn]
        by_network = Counter(each.network for each in in_handshake)
        by_address = Counter(each.address for each in in_handshake)

        def place(each: PendingConnection) -> tuple[int, int, float]:
            return -by_network[each.network], -by_address[each.address], each.began

        return min(settled, key=place, default=None)

    def _may_begin(self, connection: PendingConnection, now: float) -> bool:
        """Charge a handshake; return whether the budget allows it."""
        if connection.seated and connection.address in self._seated:
            return self._players.take(None, now)
        return self._strangers.take(None, now)

    def _turn_order(self, connection: PendingConnection) -> tuple[bool, float, float, float]:
        return (not connection.seated, *self._last_turn(connection), connection.arrived)

    def _last_turn(self, connection: PendingConnection) -> tuple[float, float]:
        """When its network, and its address, last had a turn; -inf for never."""
        return self._networks.get(connection.network, -inf), self._addresses.get(
            connection.address, -inf
        )

    def _deadline(self, connection: PendingConnection) -> float:
        if connection.stage is HandshakeStage.MEETING:
            return inf  # `start_tls` and the listener limit the time of the handshake
        limits = self._limits
        patient = connection.spoke or connection.seated
        return connection.arrived + (limits.tls if patient else min(limits.first_byte, limits.tls))


def _share_places(one: PendingConnection, other: PendingConnection) -> bool:
    """Whether two connections compete: both strangers', or both of one seated player's address."""
    return one.seated == other.seated and (not one.seated or one.address == other.address)


def _without(
    waiting: list[PendingConnection], connection: PendingConnection, *, mates_only: bool
) -> list[PendingConnection]:
    """Return the waiting connections that may still start now.

    Leaves out this connection and all that are blocked with it: its network if `mates_only`, or
    else all connections that share its places.
    """
    return [
        each
        for each in waiting
        if not _share_places(each, connection)
        or (mates_only and each.network != connection.network)
    ]
