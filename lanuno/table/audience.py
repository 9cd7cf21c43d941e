"""Who is in contact with the host, and how far each of them was told of the log. Sans I/O.

What is told, never what happens: entries as they come and pages of those that were missed, how much
is firm, chat, and where the others are. Whether somebody may hear of an entry before it is firm
`firmness.py` says.

Pages that somebody asks for are sent as far as there is a budget for them, to owners first; what is
more waits (`serve`). A spectator is sent every entry once, and has to go for asking out of order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lanuno.log.entries import Entry
from lanuno.log.genesis import clean_name, look_alike
from lanuno.log.replay import Replay
from lanuno.table import messages
from lanuno.table.budget import (
    LOG_RATE,
    OWNER_LOG_BURST,
    PAGE_COST,
    SPECTATORS_LOG_BURST,
    Budget,
)
from lanuno.table.chat import Talk, spoken, taken
from lanuno.table.firmness import Firmness
from lanuno.table.lobby import MAX_SPECTATORS
from lanuno.table.messages import FromHost, LobbyRefusal
from lanuno.table.outputs import OWN, Disconnect, Output, Peer, Spectator, ToPeer
from lanuno.table.pages import page, size_of


@dataclass(slots=True)
class _Watcher:
    """Somebody without a seat."""

    who: Spectator
    told: int | None = None
    """So many entries went there, and all that follow are sent as they come; None while the other
    end still asks for what it missed."""
    asked: int = -1
    """The last entry that it has asked from."""
    sent: int = 0
    """The same as `told`, while it still asks: nothing is sent a second time."""


@dataclass(slots=True)
class _Member:
    """The computer of an owner, with all seats that are played there."""

    seat: int
    """The owner's."""
    told: int | None = None
    acknowledged: int = 0
    address: str = ""
    port: int = 0


class Audience:
    """Everybody whom one host tells of its log."""

    def __init__(self, replay: Replay, entries: Sequence[Entry], firm: Firmness) -> None:
        """Nobody is here yet. `replay`, `entries` and `firm` are the office's, and grow."""
        self._replay = replay
        self._entries = entries
        self._firm = firm
        self._members: dict[Peer, _Member] = {}
        self._watchers: dict[Peer, _Watcher] = {}
        self._places: tuple[messages.Place, ...] = ()
        self._talk = Talk()
        self._wanted: dict[Peer, int] = {}
        """Who waits for a page, and from which entry on; in the order in which they asked."""
        self._owners_fetch: dict[int, Budget] = {}
        """By owner: a new connection brings nobody more."""
        self._watchers_fetch = Budget(LOG_RATE, SPECTATORS_LOG_BURST)

    # ---- who is here ------------------------------------------------------------------------

    @property
    def seats(self) -> frozenset[int]:
        """Owners whose computers are in contact."""
        return frozenset(member.seat for member in self._members.values())

    @property
    def spectators(self) -> tuple[Spectator, ...]:
        """Who watches."""
        return tuple(each.who for each in self._watchers.values())

    @property
    def acknowledged(self) -> dict[int, int]:
        """How many entries each of these owners has acknowledged on its present link."""
        return {member.seat: member.acknowledged for member in self._members.values()}

    def seat_of(self, peer: Peer) -> int | None:
        """The owner whose computer is at the other end."""
        return self._members[peer].seat if peer in self._members else None

    def listens(self, peer: Peer) -> bool:
        """Whether somebody is told of the log."""
        return self._listener(peer) is not None

    def attach(self, peer: Peer, seat: int, count: int) -> list[Output]:
        """An owner's computer holds `count` entries; it replaces an older link of its."""
        older = [old for old, each in self._members.items() if each.seat == seat and old != peer]
        for old in older:
            self.left(old)
        self._watchers.pop(peer, None)
        before = self._members.get(peer)
        member = self._members[peer] = _Member(seat)
        if before is not None:
            member.address, member.port = before.address, before.port
        if count >= self._limit(member):
            member.told = count
        return [Disconnect(old) for old in older]

    def watch(self, peer: Peer, name: str, identity: bytes) -> list[Output]:
        """Let somebody watch; the driver has checked the PIN, and who was sent away."""
        if peer in self._members or peer in self._watchers:
            return []
        others = {
            old: each for old, each in self._watchers.items() if each.who.identity != identity
        }
        clean, seats = clean_name(name), self._replay.roster.seats
        why: LobbyRefusal | None = None
        if len(others) >= MAX_SPECTATORS:
            why = LobbyRefusal.NO_SPECTATORS
        elif any(seat.identity == identity for seat in seats):
            why = LobbyRefusal.ALREADY_SEATED
        elif clean is not None and (
            any(look_alike(seat.name, clean) for seat in seats)
            or taken(clean, identity, self.spectators)
        ):
            why = LobbyRefusal.NAME_TAKEN
        if why is not None or clean is None:
            return [ToPeer(peer, messages.Refused(why or LobbyRefusal.BAD_NAME))]
        # The same person once more: the new connection is the one that they look at.
        out: list[Output] = []
        for old in self._watchers.keys() - others.keys():
            out += self._end(old)
        self._watchers[peer] = _Watcher(Spectator(clean, identity))
        return [*out, ToPeer(peer, messages.Began(self._replay.genesis))]

    def send_away(self, identity: bytes | None, why: LobbyRefusal) -> list[Output]:
        """The host wants this person not to watch, or nobody."""
        out: list[Output] = []
        for peer, each in list(self._watchers.items()):
            if identity in (None, each.who.identity):
                out += [ToPeer(peer, messages.Refused(why)), *self._end(peer)]
        return out

    def _end(self, peer: Peer) -> list[Output]:
        """Somebody who watches has to go."""
        self.left(peer)
        return [Disconnect(peer)]

    def left(self, peer: Peer) -> int | None:
        """A connection ended; the owner whose it was."""
        self._watchers.pop(peer, None)
        self._wanted.pop(peer, None)
        gone = self._members.pop(peer, None)
        return None if gone is None else gone.seat

    # ---- the log ----------------------------------------------------------------------------

    def acknowledge(self, peer: Peer, count: int) -> None:
        """An owner's computer says that so many entries are on its disk."""
        member = self._members.get(peer)
        if member is not None and count <= self._replay.seq:
            member.acknowledged = max(member.acknowledged, count)
            self._firm.acknowledge(member.seat, count)

    def fetch(self, peer: Peer, first: int, now: float) -> list[Output]:
        """Somebody asks for entries from this one on."""
        there = self._listener(peer)
        if there is None:
            return []
        if isinstance(there, _Watcher):
            # An honest follower asks from a later entry each time, and from none that it
            # cannot know of. The first time it may hold some already.
            known = self._limit(there) if there.asked < 0 else there.sent
            if not there.asked < first <= known:
                return self._end(peer)
            there.sent = first if there.asked < 0 else there.sent
            there.asked = first
        elif first > len(self._entries):
            return []
        self._wanted[peer] = first
        return self.serve(now)

    def serve(self, now: float) -> list[Output]:
        """Send the pages that were asked for, as far as there is a budget for them now."""
        out: list[Output] = []
        for peer, first in sorted(self._wanted.items(), key=lambda each: each[0] in self._watchers):
            if self._pays(peer).open(now):
                del self._wanted[peer]
                out += self._page(peer, first, now)
        return out

    @property
    def deadline(self) -> float | None:
        """When there will be a budget for a page that somebody waits for."""
        return min((self._pays(peer).opens for peer in self._wanted), default=None)

    def _pays(self, peer: Peer) -> Budget:
        """What a page for somebody is paid from."""
        member = self._members.get(peer)
        if member is None:
            return self._watchers_fetch
        if peer == OWN:
            return Budget(LOG_RATE, OWNER_LOG_BURST)  # this computer's own memory
        return self._owners_fetch.setdefault(member.seat, Budget(LOG_RATE, OWNER_LOG_BURST))

    def _page(self, peer: Peer, first: int, now: float) -> list[Output]:
        """Entries that somebody missed; none at all say that it has caught up."""
        there = self._members.get(peer) or self._watchers[peer]
        limit = self._limit(there)
        if isinstance(there, _Watcher):
            first = there.sent
        entries = page(self._entries, first, limit)
        self._pays(peer).spend(max(PAGE_COST, size_of(entries)), now)
        told = first + len(entries)
        if isinstance(there, _Watcher):
            there.sent = told
        if told >= limit:
            there.told = told
        out: list[Output] = [ToPeer(peer, messages.Entries(first, entries))]
        if self._firm.count:
            out.append(ToPeer(peer, messages.Firm(self._firm.count)))
        return out

    def spread(self) -> list[Output]:
        """Tell everybody the entries that they may hear of by now and were not told."""
        news: dict[tuple[int, int], messages.Entries] = {}
        out: list[Output] = []
        for peer, there in self._listening():
            limit = self._limit(there)
            while there.told is not None and there.told < limit:
                key = there.told, limit
                if key not in news:
                    entries = page(self._entries, there.told, limit)
                    news[key] = messages.Entries(there.told, entries)
                out.append(ToPeer(peer, news[key]))
                there.told += len(news[key].entries)
                if isinstance(there, _Watcher):
                    there.sent = there.told
        return out

    def tell_firm(self) -> list[Output]:
        """Say how much is firm, if that is more than before."""
        if not self._firm.grew():
            return self.spread()  # more may be on the host's own disk
        return [*self.spread(), *self.tell(messages.Firm(self._firm.count))]

    def tell(self, message: FromHost) -> list[Output]:
        """Say something to everybody who has caught up."""
        return [ToPeer(peer, message) for peer, _ in self._listening()]

    def tell_members(self, message: FromHost) -> list[Output]:
        """Say something to every owner's computer."""
        return [ToPeer(peer, message) for peer in self._members]

    def _listener(self, peer: Peer) -> _Member | _Watcher | None:
        return self._members.get(peer) or self._watchers.get(peer)

    def _listening(self) -> Iterator[tuple[Peer, _Member | _Watcher]]:
        """Everybody to whom new entries are sent as they come."""
        everybody: dict[Peer, _Member | _Watcher] = {**self._members, **self._watchers}
        return ((peer, there) for peer, there in everybody.items() if there.told is not None)

    def _limit(self, there: _Member | _Watcher) -> int:
        """How many entries somebody may hear of now."""
        seat = there.seat if isinstance(there, _Member) else None
        return self._firm.tells(seat)

    # ---- besides ----------------------------------------------------------------------------

    def say(self, peer: Peer, text: str, now: float) -> list[Output]:
        """Somebody says something: pass it on, unless it is too much."""
        clean, there = spoken(text), self._listener(peer)
        if clean is None or there is None:
            return []
        if isinstance(there, _Member):
            seat = self._replay.roster.seats[there.seat]
            who, said = seat.identity, messages.Said(seat.name, there.seat, clean)
        else:
            who = there.who.identity
            said = messages.Said(there.who.name, -1, clean, who)
        if not self._talk.takes(who, now, watches=isinstance(there, _Watcher)):
            return []
        return [ToPeer(other, said) for other in [*self._members, *self._watchers]]

    def react(self, peer: Peer, reaction: messages.Reaction, now: float) -> list[Output]:
        """A player shows something: pass it on, unless it is too much. Spectators show nothing."""
        there = self._members.get(peer)
        if there is None or not self._talk.shows(there.seat, now):
            return []
        said = messages.Reacted(there.seat, reaction)
        return [ToPeer(other, said) for other in [*self._members, *self._watchers]]

    def place(self, peer: Peer, address: str, port: int) -> list[Output]:
        """Where a computer is, as its link says, and the port that it names."""
        member = self._members.get(peer)
        if member is None or not address or (member.address and member.port):
            return []  # a computer stays where it is for as long as its link lasts
        member.address, member.port = address, port
        return self.tell_places()

    def tell_places(self) -> list[Output]:
        """Everybody learns where the others are, for the day when the host is gone."""
        ports = self._replay.ports
        places = tuple(
            messages.Place(member.seat, member.address, ports.get(member.seat, member.port))
            for member in sorted(self._members.values(), key=lambda each: each.seat)
            if member.address and ports.get(member.seat, member.port)
        )
        if places == self._places:
            return []
        self._places = places
        return self.tell_members(messages.Whereabouts(places))
