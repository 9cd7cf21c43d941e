"""Who is in contact with the host, and how far each of them was told of the log. Sans I/O.

What is told, never what happens: entries as they come and pages of those that were missed, how much
is firm, chat, and where the others are. Whether somebody may hear of an entry before it is firm
`firmness.py` says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lanuno.log.entries import Entry
from lanuno.log.genesis import clean_name
from lanuno.log.replay import Replay
from lanuno.table import messages
from lanuno.table.firmness import Firmness
from lanuno.table.lobby import MAX_SPECTATORS
from lanuno.table.messages import FromHost
from lanuno.table.outputs import Disconnect, Output, Peer, ToPeer
from lanuno.table.pages import page


@dataclass(slots=True)
class _Watcher:
    """Somebody without a seat."""

    name: str
    told: int | None = None
    """So many entries went there, and all that follow are sent as they come; None while the other
    end still asks for what it missed."""


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

    # ---- who is here ------------------------------------------------------------------------

    @property
    def seats(self) -> frozenset[int]:
        """Owners whose computers are in contact."""
        return frozenset(member.seat for member in self._members.values())

    @property
    def watchers(self) -> int:
        """How many watch."""
        return len(self._watchers)

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
            del self._members[old]
        self._watchers.pop(peer, None)
        before = self._members.get(peer)
        member = self._members[peer] = _Member(seat)
        if before is not None:
            member.address, member.port = before.address, before.port
        if count >= self._limit(member):
            member.told = count
        return [Disconnect(old) for old in older]

    def watch(self, peer: Peer, name: str) -> list[Output]:
        """Let somebody watch; the driver has checked PIN and limits."""
        clean = clean_name(name)
        if clean is None:
            return [ToPeer(peer, messages.Refused(messages.LobbyRefusal.BAD_NAME))]
        if peer in self._members:
            return []
        if peer not in self._watchers and self.watchers >= MAX_SPECTATORS:
            return [ToPeer(peer, messages.Refused(messages.LobbyRefusal.NO_SPECTATORS))]
        self._watchers[peer] = _Watcher(clean)
        return [ToPeer(peer, messages.Began(self._replay.genesis))]

    def left(self, peer: Peer) -> int | None:
        """A connection ended; the owner whose it was."""
        self._watchers.pop(peer, None)
        gone = self._members.pop(peer, None)
        return None if gone is None else gone.seat

    # ---- the log ----------------------------------------------------------------------------

    def acknowledge(self, peer: Peer, count: int) -> None:
        """An owner's computer says that so many entries are on its disk."""
        member = self._members.get(peer)
        if member is not None and count <= self._replay.seq:
            member.acknowledged = max(member.acknowledged, count)
            self._firm.acknowledge(member.seat, count)

    def page(self, peer: Peer, first: int) -> list[Output]:
        """Entries that somebody missed; none at all say that it has caught up."""
        there = self._listener(peer)
        if there is None or first > len(self._entries):
            return []
        limit = self._limit(there)
        entries = page(self._entries, first, limit)
        told = first + len(entries)
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

    def say(self, peer: Peer, text: str) -> list[Output]:
        """Somebody says something: pass it on."""
        clean = clean_name(text, messages.LONGEST_CHAT, 4 * messages.LONGEST_CHAT)
        there = self._listener(peer)
        if clean is None or there is None:
            return []
        if isinstance(there, _Member):
            said = messages.Said(self._replay.roster.seats[there.seat].name, there.seat, clean)
        else:
            said = messages.Said(there.name, -1, clean)
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
