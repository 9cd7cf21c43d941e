"""The links of one node to the others, and the owners that it should try to reach.

This is bookkeeping only: `node.py` decides what to send over a link, and which link leads to the
host.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from ipaddress import ip_address

from msgspec import Struct

from lanuno.table.messages import AtTable, PeerAddress
from lanuno.table.outputs import Connect, Link, NodeOutput
from lanuno.table.succession.reach_attempts import Reachability, ReachAttempts

TRY_SECONDS = 1.0
"""Pause between two attempts to reach the same node, or to ask it whether it is the host."""

DIRECT_TRY_SECONDS = 5.0
"""Pause between attempts at a direct link to the same node; doubled until a link outlasts it."""

MOST_LINKS = 2
"""At most this many idle links per owner's node: a new one and one that is breaking."""
MOST_STRANGERS = 6
"""At most this many connections that neither have a seat nor watch."""


class Peer(Struct, frozen=True):
    """The node at the other end of a link."""

    seat: int | None
    """The owner's seat; None for a spectator or a stranger."""
    address: str
    identity: bytes = b""
    """Its public key."""


class Links:
    """The links that are up, the nodes being dialled, and the messages that wait for a link."""

    def __init__(self) -> None:
        """Start without links."""
        self.links: dict[Link, Peer] = {}
        self.places: dict[int, PeerAddress] = {}
        """By owner: the address at which the host last saw the owner's node."""
        self._met_places: dict[int, str] = {}
        """By owner: the address at which this node itself was linked to the owner's node."""
        self._mail: dict[int, AtTable] = {}
        """By owner: the message to send once a link is up."""
        self._dialling: set[int] = set()
        self._tries: dict[int, float] = {}
        self._direct_tries: dict[int, tuple[float, float]] = {}
        """By owner: the time of the next attempt at a direct link, and the pause after it."""
        self.searches = ReachAttempts()
        """The searches for owners that are reported lost."""

    @property
    def seats(self) -> frozenset[int]:
        """The owners whose nodes are connected."""
        return frozenset(self.owners.values())

    @property
    def addresses(self) -> frozenset[str]:
        """The last known addresses of the owners' nodes, from this node's links and the host."""
        from_host = {place.address for place in self.places.values()}
        return frozenset(from_host | {*self._met_places.values()})

    @property
    def owners(self) -> dict[Link, int]:
        """The links to owners' nodes, with the seat of each."""
        return {link: peer.seat for link, peer in self.links.items() if peer.seat is not None}

    def seat_of(self, link: Link) -> int | None:
        """Return the owner at the other end of a link, if any."""
        return self.links[link].seat if link in self.links else None

    def link_of(self, seat: int) -> Link | None:
        """Return the newest link to an owner's node."""
        found = [link for link, peer in self.links.items() if peer.seat == seat]
        return found[-1] if found else None

    def link_up(self, link: Link, peer: Peer) -> AtTable | None:
        """Note a new link; return the message that waited for it."""
        self.links[link] = peer
        if peer.seat is None:
            return None
        self._dialling.discard(peer.seat)
        if peer.address:
            self._met_places[peer.seat] = peer.address
        return self._mail.pop(peer.seat, None)

    def set_places(self, places: Iterable[PeerAddress]) -> None:
        """Store the addresses of other nodes that the host reports.

        Only numeric addresses are accepted, to avoid lookups. The scope of a link-local address is
        dropped: it numbers an adapter of the host, which means nothing here.
        """
        self.places = {
            place.seat: PeerAddress(place.seat, place.address.partition("%")[0], place.port)
            for place in places
            if _is_number(place.address)
        }

    def surplus_links(self, link: Link, used: Callable[[Link], bool]) -> list[Link]:
        """Return the links to close because of a new one, so that no node uses up all links.

        `used`: whether a link is in use. Of the idle links of the same node the oldest are closed.
        Strangers count as one node; of theirs, links from the most frequent address are closed
        first, so that a node which connects repeatedly does not displace slow strangers.
        """
        seat = self.links[link].seat
        most = MOST_STRANGERS if seat is None else MOST_LINKS
        same = [each for each, peer in self.links.items() if peer.seat == seat]
        idle = [each for each in same if each != link and not used(each)]
        crowd = Counter(self.links[each].address for each in same)
        ended: list[Link] = []
        while len(idle) + 1 > most:
            fullest = max(idle, key=lambda each: crowd[self.links[each].address])
            crowd[self.links[fullest].address] -= 1
            idle.remove(fullest)
            ended.append(fullest)
        return ended

    def connect_failed(self, seat: int) -> None:
        """Note that an attempt to dial an owner's node failed."""
        self._dialling.discard(seat)
        self.searches.failed(seat)

    @property
    def untried(self) -> tuple[int, ...]:
        """Owners that are reported lost and that this node still has to try to reach."""
        return tuple(sorted(self.searches.untried - self.seats))

    @property
    def reached(self) -> tuple[int, ...]:
        """Owners that were dropped, are linked, and have not signed their presence yet."""
        return tuple(sorted(self.searches.unanswered.keys() & self.seats))

    def reachability(self, ports: Collection[int], now: float) -> Reachability:
        """Return which owners this node can reach. `ports`: the owners that signed their port.

        A node has a route of its own to such an owner if a handshake has proven the owner's
        identity at an address. All other addresses come from the host alone.
        """
        return Reachability(now, self.seats, self._met_places.keys() & set(ports))

    def post(self, seat: int, message: AtTable) -> None:
        """Keep a message until a link is up. It replaces an earlier one for the same seat."""
        self._mail[seat] = message

    def clear_mail(self) -> None:
        """Drop all messages that wait for a link, because they are out of date."""
        self._mail.clear()

    def unreached(self, wanted: Iterable[int], me: int | None) -> tuple[int, ...]:
        """Return the wanted owners, and those with waiting messages, that are not connected."""
        here = self.seats
        return tuple(sorted({*wanted, *self._mail} - here - {me}))

    def next_try(self, seats: Iterable[int]) -> float | None:
        """Return when the first of these owners may be tried; None if all are being dialled."""
        moments = [
            self._tries[seat] + TRY_SECONDS if seat in self._tries else 0.0
            for seat in seats
            if seat not in self._dialling
        ]
        return min(moments, default=None)

    def may_try(self, seat: int, now: float) -> bool:
        """Whether an owner may be tried now; if so, count this as an attempt."""
        last = self._tries.get(seat)
        if seat in self._dialling or (last is not None and now < last + TRY_SECONDS):
            return False
        self._tries[seat] = now
        return True

    def connect_directly(
        self, owners: Iterable[int], me: int, ports: dict[int, int], now: float
    ) -> list[NodeOutput]:
        """Dial the owners without a direct link whose next attempt is due.

        Either side may dial. The node with the lower seat begins, so that normally only one link
        is made.
        """
        out: list[NodeOutput] = []
        unreached = self.unreached(owners, me)
        for seat in self._direct_tries.keys() - set(unreached):
            if seat not in self.seats or now >= self._direct_tries[seat][0]:
                del self._direct_tries[seat]  # no owner any more, or its link outlasted the pause
        for seat in unreached:
            has_place = bool(self._places_of(seat, ports))
            # A host that takes an address back and names it again must not renew the pause.
            if not has_place and seat not in self._direct_tries:
                continue
            first = now if me < seat else now + DIRECT_TRY_SECONDS
            moment, later = self._direct_tries.setdefault(seat, (first, DIRECT_TRY_SECONDS))
            if now >= moment:
                self._direct_tries[seat] = (now + later, 2 * later)
                out += self.dial((seat,), ports, now) if has_place else []
        return out

    @property
    def next_direct_try(self) -> float | None:
        """When `connect_directly` is to be called again."""
        return min((moment for moment, _ in self._direct_tries.values()), default=None)

    def dial(self, absent: Iterable[int], ports: dict[int, int], now: float) -> list[NodeOutput]:
        """Dial the owners that may be tried now. `ports`: the port that each owner has signed."""
        out: list[NodeOutput] = []
        for seat in absent:
            if not self.may_try(seat, now):
                continue
            self._dialling.add(seat)
            out.append(Connect(seat, self._places_of(seat, ports)))
        return out

    def known_places(self, ports: dict[int, int]) -> tuple[PeerAddress, ...]:
        """Return the likeliest address of each of the other nodes, for a restart."""
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
