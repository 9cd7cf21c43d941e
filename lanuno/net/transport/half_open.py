"""Connections that have not authenticated: which may begin a handshake, and which make room.

A connection first waits for its whole ClientHello (SILENT), then for its turn (WAITING), then it is
in the handshake (MEETING), which costs this computer work. Each address of a seated player has
reserved places in all of this. All other connections are strangers': they share places, counted by
IPv4 address or IPv6 /64, and take turns.

Rule: no sockets and no clock. An address is a hint and no proof: it only decides which places a
connection takes, never whether it is let in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from math import inf
from typing import Final

from lanuno.net.transport.addresses import canonical_address, network_of
from lanuno.net.transport.limits import Limits
from lanuno.net.transport.rate import TokenBucket

MOST_REMEMBERED: Final = 1024
"""Addresses, and networks, whose last turn is remembered; the oldest is forgotten first."""


class HandshakeStage(IntEnum):
    """How far a connection is."""

    SILENT = 0
    """Its ClientHello is not there, or not all of it."""

    WAITING = 1
    """It is there, and waits for its turn."""

    MEETING = 2
    """In the TLS handshake, or in the one of identities."""


@dataclass(slots=True, eq=False)
class PendingConnection:
    """A connection that has not authenticated."""

    address: str
    network: str
    """IPv4 address or IPv6 /64."""
    seated: bool
    """Whether this was a seated player's address when the connection came."""
    arrived: float
    stage: HandshakeStage
    spoke: bool
    """Whether any byte has come."""
    began: float = 0.0
    """When its handshake began."""


class HalfOpenConnections:
    """All of them."""

    def __init__(self, limits: Limits, now: float) -> None:
        """Empty at first."""
        self._limits = limits
        self._connections: dict[PendingConnection, None] = {}
        self._seated: frozenset[str] = frozenset()
        self._bucket = TokenBucket(limits.handshakes, limits.handshakes_at_once, now)
        self._buckets: dict[str, TokenBucket] = {}
        """Those of the addresses of seated players."""
        self._networks: dict[str, float] = {}
        """When a stranger of a network last had a turn."""
        self._addresses: dict[str, float] = {}
        """The same of an address."""

    def __len__(self) -> int:
        return len(self._connections)

    def reserve(self, addresses: Iterable[str]) -> None:
        """Reserve places for these addresses, in place of earlier reservations."""
        self._seated = frozenset(canonical_address(each) for each in addresses)
        self._buckets = {each: self._buckets[each] for each in self._seated & self._buckets.keys()}

    @property
    def waiting(self) -> bool:
        """Whether there is a connection whose handshake has not begun."""
        return any(each.stage is not HandshakeStage.MEETING for each in self._connections)

    @property
    def partial(self) -> list[PendingConnection]:
        """Those that have sent a part of a ClientHello."""
        return [
            each for each in self._connections if each.stage is HandshakeStage.SILENT and each.spoke
        ]

    # ---- coming and going -------------------------------------------------------------------

    def arrive(
        self, address: str, now: float, *, spoke: bool, whole: bool
    ) -> tuple[PendingConnection, PendingConnection | None]:
        """Add a connection. Returns it, and the one that must end for it, which may be the same."""
        canonical = canonical_address(address)
        stage = HandshakeStage.WAITING if whole else HandshakeStage.SILENT
        connection = PendingConnection(
            canonical, network_of(address), canonical in self._seated, now, stage, spoke
        )
        self._connections[connection] = None
        queue = self._queue(connection)
        most = self._limits.reserved if connection.seated else self._limits.queue_places
        return connection, self._first_to_end(queue, now) if len(queue) > most else None

    def shed(self, now: float) -> PendingConnection | None:
        """The stranger's connection that must end because no descriptor is left."""
        queue = [
            each
            for each in self._connections
            if each.stage is not HandshakeStage.MEETING and not each.seated
        ]
        return self._first_to_end(queue, now) if queue else None

    def remove(self, connection: PendingConnection) -> None:
        """Remove a connection that was let in or has ended."""
        self._connections.pop(connection, None)

    def expired(self, now: float) -> list[PendingConnection]:
        """Those that have waited, or have not sent their ClientHello, for too long."""
        return [each for each in self._connections if now >= self._deadline(each)]

    # ---- turns ------------------------------------------------------------------------------

    def admit(self, now: float) -> tuple[list[PendingConnection], list[PendingConnection]]:
        """Those whose handshake begins now, and those in a handshake that must end for them.

        Seated players' addresses first, each with its own places; then the network, and in it the
        address, whose last turn is longest ago.
        """
        begin, end = list[PendingConnection](), list[PendingConnection]()
        waiting = [each for each in self._connections if each.stage is HandshakeStage.WAITING]
        while waiting:
            connection = min(waiting, key=self._turn_order)
            in_handshake = self._in_handshake_beside(connection)
            mates = [each for each in in_handshake if each.network == connection.network]
            crowded = len(mates) >= self._handshake_limit(connection)
            victim = None
            if crowded or (not connection.seated and len(in_handshake) >= self._limits.half_open):
                victim = self._handshake_to_end(mates if crowded else in_handshake, now)
                if victim is None:
                    waiting = _without(waiting, connection, mates_only=crowded)
                    continue
            if not self._bucket_of(connection, now).take(now):
                waiting = _without(waiting, connection, mates_only=False)
                continue
            if victim is not None:
                self.remove(victim)
                end.append(victim)
            self._begin(connection, now)
            waiting.remove(connection)
            begin.append(connection)
        return begin, end

    # ---- inside -----------------------------------------------------------------------------

    def _first_to_end(self, queue: list[PendingConnection], now: float) -> PendingConnection:
        """Which connection ends when a queue is too long: of the most crowded network and address.

        Connections without a ClientHello end before those with one, once they have had time for
        it: an honest one comes a moment after its connection. Of those with one, the next in turn
        ends last: otherwise a flood of connections that have had their turn would push out all
        others before theirs.
        """
        by_network = Counter(each.network for each in queue)
        by_address = Counter(each.address for each in queue)

        def place(each: PendingConnection) -> tuple[int, int, bool, float, float, float]:
            late = each.stage is HandshakeStage.SILENT and now - each.arrived >= self._limits.turn
            last = self._last_turn(each)
            crowded = -by_network[each.network], -by_address[each.address]
            return *crowded, not late, -last[0], -last[1], each.arrived

        return min(queue, key=place)

    def _queue(self, connection: PendingConnection) -> list[PendingConnection]:
        """The waiting connections that compete with this one."""
        return [
            each
            for each in self._connections
            if each.stage is not HandshakeStage.MEETING and _share_places(each, connection)
        ]

    def _in_handshake_beside(self, connection: PendingConnection) -> list[PendingConnection]:
        """The connections in the handshake that compete with this one."""
        in_handshake = (each for each in self._connections if each.stage is HandshakeStage.MEETING)
        return [each for each in in_handshake if _share_places(each, connection)]

    def _handshake_limit(self, connection: PendingConnection) -> int:
        """The number of connections of its network that may be in the handshake."""
        return self._limits.reserved if connection.seated else self._limits.half_open_each

    def _handshake_to_end(
        self, in_handshake: list[PendingConnection], now: float
    ) -> PendingConnection | None:
        """Which handshake makes room: only one that has had the time of an honest one."""
        settled = [each for each in in_handshake if now - each.began >= self._limits.turn]
        by_network = Counter(each.network for each in in_handshake)
        by_address = Counter(each.address for each in in_handshake)

        def place(each: PendingConnection) -> tuple[int, int, float]:
            return -by_network[each.network], -by_address[each.address], each.began

        return min(settled, key=place, default=None)

    def _begin(self, connection: PendingConnection, now: float) -> None:
        connection.stage, connection.began = HandshakeStage.MEETING, now
        _note(self._networks, connection.network, now)
        _note(self._addresses, connection.address, now)

    def _bucket_of(self, connection: PendingConnection, now: float) -> TokenBucket:
        limits = self._limits
        if not connection.seated or connection.address not in self._seated:
            return self._bucket
        fresh = TokenBucket(limits.reserved_handshakes, limits.handshakes_at_once, now)
        return self._buckets.setdefault(connection.address, fresh)

    def _turn_order(self, connection: PendingConnection) -> tuple[bool, float, float, float]:
        return (not connection.seated, *self._last_turn(connection), connection.arrived)

    def _last_turn(self, connection: PendingConnection) -> tuple[float, float]:
        """When its network, and its address, last had a turn; -inf if never."""
        return self._networks.get(connection.network, -inf), self._addresses.get(
            connection.address, -inf
        )

    def _deadline(self, connection: PendingConnection) -> float:
        if connection.stage is HandshakeStage.MEETING:
            return inf  # the handshake has a time limit of its own
        limits = self._limits
        patient = connection.spoke or connection.seated
        return connection.arrived + (limits.tls if patient else min(limits.first_byte, limits.tls))


def _share_places(one: PendingConnection, other: PendingConnection) -> bool:
    """Whether two compete: two strangers, or two at one seated player's address."""
    return one.seated == other.seated and (not one.seated or one.address == other.address)


def _without(
    waiting: list[PendingConnection], connection: PendingConnection, *, mates_only: bool
) -> list[PendingConnection]:
    """Those that may still have a turn now, without this one and those blocked like it."""
    return [
        each
        for each in waiting
        if not _share_places(each, connection)
        or (mates_only and each.network != connection.network)
    ]


def _note(times: dict[str, float], key: str, now: float) -> None:
    """Remember a turn, the newest last."""
    times.pop(key, None)
    times[key] = now
    if len(times) > MOST_REMEMBERED:
        del times[next(iter(times))]
