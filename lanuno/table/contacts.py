"""The links of one computer to the others, and whom it should try to reach.

Bookkeeping only: what is said over a link, and which of them leads to the host, is decided in
`member.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from ipaddress import ip_address

from lanuno.table.messages import AtTable, Place
from lanuno.table.outputs import Dial, Output, Peer
from lanuno.table.searches import Searches, Ways

TRY_SECONDS = 1.0
"""Between two tries to reach the same computer, or to ask it whether it is the host."""

MEET_SECONDS = 5.0
"""Before somebody whom this computer could not meet is tried again; twice as long every time."""

MOST_LINKS = 2
"""Of one owner's computer, besides those that are in use: one that is new, and one that breaks."""
MOST_STRANGERS = 6
"""Connections of people without a seat who do not watch."""


@dataclass(frozen=True, slots=True)
class Link:
    """A connection to another computer."""

    seat: int | None
    """The owner's seat; None for somebody who watches."""
    address: str
    dialled: bool
    """Whether this computer made it."""
    identity: bytes = b""
    """The key at the other end."""


class Contacts:
    """Who is connected, who is being dialled, and what waits to be said to whom."""

    def __init__(self) -> None:
        """Nobody yet."""
        self.links: dict[Peer, Link] = {}
        self.places: dict[int, Place] = {}
        """Where the host last saw the owners' computers."""
        self._met: dict[int, str] = {}
        """Addresses at which this computer itself met them."""
        self._mail: dict[int, AtTable] = {}
        self._dialling: set[int] = set()
        self._tried: dict[int, float] = {}
        self._meets: dict[int, tuple[float, float]] = {}
        """Whom to try to meet: when next, and seconds until the time after that."""
        self.searches = Searches()
        """Own attempts to reach owners who are said to be lost."""

    @property
    def seats(self) -> frozenset[int]:
        """Owners whose computers are connected."""
        return frozenset(link.seat for link in self.links.values() if link.seat is not None)

    @property
    def addresses(self) -> frozenset[str]:
        """Where the owners' computers were met last, and where the host sees them."""
        told = {place.address for place in self.places.values()}
        return frozenset(told | {*self._met.values()})

    @property
    def people(self) -> list[tuple[Peer, Link]]:
        """The links to owners' computers."""
        return [(peer, link) for peer, link in self.links.items() if link.seat is not None]

    def link_of(self, seat: int) -> Peer | None:
        """The newest link to an owner's computer."""
        found = [peer for peer, link in self.links.items() if link.seat == seat]
        return found[-1] if found else None

    def linked(self, peer: Peer, link: Link) -> AtTable | None:
        """A link stands; what waited to be said over it."""
        self.links[peer] = link
        if link.seat is None:
            return None
        self._dialling.discard(link.seat)
        self._meets.pop(link.seat, None)
        if link.address:
            self._met[link.seat] = link.address
        return self._mail.pop(link.seat, None)

    def told(self, places: Iterable[Place]) -> None:
        """Where a host says that the others are; never names, which others would be asked about.

        The scope of a link-local address is the number of an adapter of the host's: here it would
        lead nowhere, or over another adapter.
        """
        self.places = {
            place.seat: Place(place.seat, place.address.partition("%")[0], place.port)
            for place in places
            if _is_number(place.address)
        }

    def crowd(self, peer: Peer, used: Callable[[Peer], bool]) -> list[Peer]:
        """The links that must end because of a new one: nobody takes the places of all others.

        `used`: whether something is said over a link. Those that go are the oldest of the same
        computer, or of strangers: there of the address that has most of them, so that no computer
        that comes again and again ends everybody who is slow to speak.
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

    def unreachable(self, seat: int) -> None:
        """A computer could not be dialled."""
        self._dialling.discard(seat)
        self.searches.failed(seat)

    @property
    def untried(self) -> tuple[int, ...]:
        """Owners who are said to be lost, and whom this computer has still to try to reach."""
        return tuple(sorted(self.searches.untried - self.seats))

    @property
    def reached(self) -> tuple[int, ...]:
        """Owners who were dropped, to whom there is a link, and who have not signed that yet."""
        return tuple(sorted(self.searches.unanswered.keys() & self.seats))

    def ways(self, ports: Collection[int], now: float) -> Ways:
        """How this computer stands to the others. `ports`: who has signed where it listens.

        A way of its own is an address at which it has met somebody: that was proven by the
        handshake there. Where somebody is said to be is the host's word.
        """
        return Ways(now, self.seats, self._met.keys() & set(ports))

    def leave_word(self, seat: int, message: AtTable) -> None:
        """Say this once there is a link; it replaces what was left before."""
        self._mail[seat] = message

    def forget_words(self) -> None:
        """Whatever waits to be said is out of date."""
        self._mail.clear()

    def absent(self, wanted: Iterable[int], me: int | None) -> tuple[int, ...]:
        """Those of these owners, and of those with mail, who are not connected."""
        here = self.seats
        return tuple(sorted({*wanted, *self._mail} - here - {me}))

    def next_try(self, seats: Iterable[int]) -> float | None:
        """When one of these is to be tried next."""
        moments = [
            self._tried[seat] + TRY_SECONDS if seat in self._tried else 0.0
            for seat in seats
            if seat not in self._dialling
        ]
        return min(moments, default=None)

    def may_try(self, seat: int, now: float) -> bool:
        """Whether to try this one now; then it is tried."""
        last = self._tried.get(seat)
        if seat in self._dialling or (last is not None and now < last + TRY_SECONDS):
            return False
        self._tried[seat] = now
        return True

    def meet(
        self, owners: Iterable[int], me: int, ports: dict[int, int], now: float
    ) -> list[Output]:
        """Make the acquaintance of these: have a link to each, made from either side.

        Of two computers that of the lower seat begins, so that it is one link as a rule.
        """
        out: list[Output] = []
        wanted = [seat for seat in self.absent(owners, me) if self._where(seat, ports)]
        for seat in self._meets.keys() - set(wanted):
            del self._meets[seat]
        for seat in wanted:
            first = now if me < seat else now + MEET_SECONDS
            moment, later = self._meets.setdefault(seat, (first, MEET_SECONDS))
            if now >= moment:
                self._meets[seat] = (now + later, 2 * later)
                out += self.dial((seat,), ports, now)
        return out

    @property
    def next_meeting(self) -> float | None:
        """When somebody is to be tried next of whom this computer knows nothing itself."""
        return min((moment for moment, _ in self._meets.values()), default=None)

    def dial(self, absent: Iterable[int], ports: dict[int, int], now: float) -> list[Output]:
        """Try those who were not tried just now. `ports`: where they said that they listen."""
        out: list[Output] = []
        for seat in absent:
            if not self.may_try(seat, now):
                continue
            self._dialling.add(seat)
            out.append(Dial(seat, self._where(seat, ports)))
        return out

    def known(self, ports: dict[int, int]) -> tuple[Place, ...]:
        """Where each of the others may be, for a program that starts again."""
        seats = sorted({*self.places, *self._met})
        where = [(seat, place) for seat in seats for place in self._where(seat, ports)[:1]]
        return tuple(Place(seat, address, port) for seat, (address, port) in where)

    def _where(self, seat: int, ports: dict[int, int]) -> tuple[tuple[str, int], ...]:
        place = self.places.get(seat)
        found = [] if place is None else [(place.address, ports.get(seat, place.port))]
        if seat in self._met and seat in ports:
            found.append((self._met[seat], ports[seat]))
        if place is not None:
            found.append((place.address, place.port))
        return tuple(dict.fromkeys(found))


def _is_number(address: str) -> bool:
    try:
        ip_address(address)
    except ValueError:
        return False
    return True
