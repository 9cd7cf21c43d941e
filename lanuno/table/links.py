"""The links of one node to the others, and which owners it should try to reach.

Bookkeeping only: `node.py` decides what is sent over a link, and which link leads to the host.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from ipaddress import ip_address

from lanuno.table.messages import AtTable, PeerAddress
from lanuno.table.outputs import Connect, NodeOutput, Peer
from lanuno.table.succession.reach_attempts import Reachability, ReachAttempts

TRY_SECONDS = 1.0
"""Between two attempts to reach the same node, or to ask it whether it is the host."""

DIRECT_TRY_SECONDS = 5.0
"""Between two attempts at a direct link to the same node; doubled every time."""

MOST_LINKS = 2
"""Links of one owner's node besides those in use: one that is new, and one that breaks."""
MOST_STRANGERS = 6
"""Connections without a seat that do not watch."""


@dataclass(frozen=True, slots=True)
class PeerLink:
    """A connection to another node."""

    seat: int | None
    """The owner's seat; None for a spectator or a stranger."""
    address: str
    outgoing: bool
    """Whether this node made it."""
    identity: bytes = b""
    """The key at the other end."""


class Links:
    """The links that are up, the nodes being dialled, and messages that wait for a link."""

    def __init__(self) -> None:
        """Begin without links."""
        self.links: dict[Peer, PeerLink] = {}
        self.places: dict[int, PeerAddress] = {}
        """By owner: the address at which the host last saw its node."""
        self._met_places: dict[int, str] = {}
        """By owner: the address at which this node itself was linked to its node."""
        self._mail: dict[int, AtTable] = {}
        """By owner: the message to send once there is a link."""
        self._dialling: set[int] = set()
        self._tries: dict[int, float] = {}
        self._direct_tries: dict[int, tuple[float, float]] = {}
        """By owner without a direct link: when to try next, and the pause after that."""
        self.searches = ReachAttempts()
        """The searches for owners that are said to be lost."""

    @property
    def seats(self) -> frozenset[int]:
        """Owners whose nodes are connected."""
        return frozenset(link.seat for link in self.links.values() if link.seat is not None)

    @property
    def addresses(self) -> frozenset[str]:
        """The last addresses of the owners' nodes, as this node and as the host knows them."""
        from_host = {place.address for place in self.places.values()}
        return frozenset(from_host | {*self._met_places.values()})

    @property
    def people(self) -> list[tuple[Peer, PeerLink]]:
        """The links to owners' nodes."""
        return [(peer, link) for peer, link in self.links.items() if link.seat is not None]

    def link_of(self, seat: int) -> Peer | None:
        """The newest link to an owner's node."""
        found = [peer for peer, link in self.links.items() if link.seat == seat]
        return found[-1] if found else None

    def link_up(self, peer: Peer, link: PeerLink) -> AtTable | None:
        """A link is up; returns the message that waited for it."""
        self.links[peer] = link
        if link.seat is None:
            return None
        self._dialling.discard(link.seat)
        self._direct_tries.pop(link.seat, None)
        if link.address:
            self._met_places[link.seat] = link.address
        return self._mail.pop(link.seat, None)

    def set_places(self, places: Iterable[PeerAddress]) -> None:
        """Take the addresses of the others from the host: only numeric ones, so no lookups follow.

        The scope of a link-local address is the number of an adapter of the host: here it would
        mean no adapter, or another one.
        """
        self.places = {
            place.seat: PeerAddress(place.seat, place.address.partition("%")[0], place.port)
            for place in places
            if _is_number(place.address)
        }

    def surplus_links(self, peer: Peer, used: Callable[[Peer], bool]) -> list[Peer]:
        """The links that must end because of a new one, so that no node uses up all links.

        `used`: whether a link is in use. The oldest links of the same node end, or of strangers:
        there those of the address that has most of them, so that a node which connects repeatedly
        does not end the links of others that are slow.
        """
        seat = self.links[peer].seat
        most = MOST_STRANGERS if seat is None else MOST_LINKS
        same = [each for each, link in self.links.items() if link.seat == seat]
        idle = [each for each in same if each != peer and not used(each)]
        crowd = Counter(self.links[each].address for each in same)
        ended: list[Peer] = []
        while len(idle) + 1 > most:
            fullest = max(idle, key=lambda each: crowd[self.links[each].address])
            crowd[self.links[fullest].address] -= 1
            idle.remove(fullest)
            ended.append(fullest)
        return ended

    def connect_failed(self, seat: int) -> None:
        """A node could not be dialled."""
        self._dialling.discard(seat)
        self.searches.failed(seat)

    @property
    def untried(self) -> tuple[int, ...]:
        """Owners that are said to be lost, and that this node still has to try to reach."""
        return tuple(sorted(self.searches.untried - self.seats))

    @property
    def reached(self) -> tuple[int, ...]:
        """Owners that were dropped, are linked, and have not signed their presence yet."""
        return tuple(sorted(self.searches.unanswered.keys() & self.seats))

    def reachability(self, ports: Collection[int], now: float) -> Reachability:
        """Which owners this node can reach. `ports`: the owners that have signed their port.

        A route of its own is an address at which the handshake has proven the owner. Other
        addresses come from the host alone.
        """
        return Reachability(now, self.seats, self._met_places.keys() & set(ports))

    def post(self, seat: int, message: AtTable) -> None:
        """Keep a message until there is a link; it replaces an earlier one."""
        self._mail[seat] = message

    def clear_mail(self) -> None:
        """Forget all messages that wait for a link: they are out of date."""
        self._mail.clear()

    def unreached(self, wanted: Iterable[int], me: int | None) -> tuple[int, ...]:
        """Those of these owners, and of those with mail, who are not connected."""
        here = self.seats
        return tuple(sorted({*wanted, *self._mail} - here - {me}))

    def next_try(self, seats: Iterable[int]) -> float | None:
        """When the next of these may be tried."""
        moments = [
            self._tries[seat] + TRY_SECONDS if seat in self._tries else 0.0
            for seat in seats
            if seat not in self._dialling
        ]
        return min(moments, default=None)

    def may_try(self, seat: int, now: float) -> bool:
        """Whether to try an owner now; if so, this counts as an attempt."""
        last = self._tries.get(seat)
        if seat in self._dialling or (last is not None and now < last + TRY_SECONDS):
            return False
        self._tries[seat] = now
        return True

    def connect_directly(
        self, owners: Iterable[int], me: int, ports: dict[int, int], now: float
    ) -> list[NodeOutput]:
        """Try to have a direct link to each of these, made from either side.

        Of two nodes the one of the lower seat begins, so that normally only one link is made.
        """
        out: list[NodeOutput] = []
        wanted = [seat for seat in self.unreached(owners, me) if self._places_of(seat, ports)]
        for seat in self._direct_tries.keys() - set(wanted):
            del self._direct_tries[seat]
        for seat in wanted:
            first = now if me < seat else now + DIRECT_TRY_SECONDS
            moment, later = self._direct_tries.setdefault(seat, (first, DIRECT_TRY_SECONDS))
            if now >= moment:
                self._direct_tries[seat] = (now + later, 2 * later)
                out += self.dial((seat,), ports, now)
        return out

    @property
    def next_direct_try(self) -> float | None:
        """When the next attempt at a direct link is due."""
        return min((moment for moment, _ in self._direct_tries.values()), default=None)

    def dial(self, absent: Iterable[int], ports: dict[int, int], now: float) -> list[NodeOutput]:
        """Dial those owners that may be tried now. `ports`: the ports that they have signed."""
        out: list[NodeOutput] = []
        for seat in absent:
            if not self.may_try(seat, now):
                continue
            self._dialling.add(seat)
            out.append(Connect(seat, self._places_of(seat, ports)))
        return out

    def known_places(self, ports: dict[int, int]) -> tuple[PeerAddress, ...]:
        """The likeliest address of each of the others, for a program that starts again."""
        seats = sorted({*self.places, *self._met_places})
        where = [(seat, place) for seat in seats for place in self._places_of(seat, ports)[:1]]
        return tuple(PeerAddress(seat, address, port) for seat, (address, port) in where)

    def _places_of(self, seat: int, ports: dict[int, int]) -> tuple[tuple[str, int], ...]:
        place = self.places.get(seat)
        found = [] if place is None else [(place.address, ports.get(seat, place.port))]
        if seat in self._met_places and seat in ports:
            found.append((self._met_places[seat], ports[seat]))
        if place is not None:
            found.append((place.address, place.port))
        return tuple(dict.fromkeys(found))


def _is_number(address: str) -> bool:
    try:
        ip_address(address)
    except ValueError:
        return False
    return True
