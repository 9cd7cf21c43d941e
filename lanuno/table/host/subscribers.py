"""The peers in contact with the host, and how much of the log each one was sent. Sans I/O.

This module only sends: new entries, pages of missed ones, chat, and the addresses of other nodes.
`finality.py` decides whether a peer may get an entry before it is final.

Requested pages are sent as far as a budget allows, to owners first; the rest waits for `serve`. A
spectator gets every entry once, and is disconnected for requests out of order.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from msgspec import Struct

from lanuno.log.format.entries import Entry
from lanuno.log.format.names import clean_name
from lanuno.log.replay.replay import Replay
from lanuno.table import messages
from lanuno.table.budget import (
    LOG_RATE,
    OWNER_LOG_BURST,
    PAGE_COST,
    SPECTATORS_LOG_BURST,
    Budget,
)
from lanuno.table.chat import ChatBudget, displayable_line
from lanuno.table.host.finality import Finality
from lanuno.table.lobby.host import why_not_watch
from lanuno.table.log_pages import log_page, page_size
from lanuno.table.messages import FromHost, LobbyRefusal
from lanuno.table.outputs import OWN, CloseLink, HostOutput, Link, Send, Spectator


class _Watching(Struct):
    """A peer that watches, without a seat."""

    spectator: Spectator
    sent_count: int | None = None
    """Number of entries sent, after which new ones are sent as they come; None while the peer still
    fetches what it missed."""
    asked: int = -1
    """Number of the first entry of the peer's last request; -1 before the first request."""
    sent: int = 0
    """Like `sent_count`, but also set while the peer fetches: no entry is sent twice."""


class _OwnerNode(Struct):
    """The node of an owner, for all seats that are played on it."""

    seat: int
    """The owner's seat."""
    sent_count: int | None = None
    address: str = ""
    port: int = 0


class Subscribers:
    """All peers to which one host sends its log."""

    def __init__(self, replay: Replay, entries: Sequence[Entry], finality: Finality) -> None:
        """Start without peers. The arguments are shared with the host role, which changes them."""
        self._replay = replay
        self._entries = entries
        self._finality = finality
        self._owner_nodes: dict[Link, _OwnerNode] = {}
        self._spectators: dict[Link, _Watching] = {}
        self._places: tuple[messages.PeerAddress, ...] = ()
        self._chat_budget = ChatBudget()
        self._page_requests: dict[Link, int] = {}
        """Peers that wait for a page, with its first entry; in the order of the requests."""
        self._owners_fetch = Budget[int](LOG_RATE, OWNER_LOG_BURST)
        """By owner, so that a new connection does not renew the budget."""
        self._spectators_fetch = Budget[None](LOG_RATE, SPECTATORS_LOG_BURST)
        """For all spectators together."""

    # ---- subscribed peers -------------------------------------------------------------------

    @property
    def seats(self) -> frozenset[int]:
        """Owners whose nodes are in contact."""
        return frozenset(node.seat for node in self._owner_nodes.values())

    @property
    def spectators(self) -> tuple[Spectator, ...]:
        """The spectators in contact."""
        return tuple(each.spectator for each in self._spectators.values())

    @property
    def acknowledged(self) -> dict[int, int]:
        """By owner in contact: the number of entries that it has acknowledged."""
        return {seat: self._finality.acknowledged(seat) for seat in self.seats}

    def seat_of(self, link: Link) -> int | None:
        """Return the owner of a peer's node; None for a spectator or a stranger."""
        return self._owner_nodes[link].seat if link in self._owner_nodes else None

    def has(self, link: Link) -> bool:
        """Whether the log is sent to a peer."""
        return self._subscriber(link) is not None

    def attach(self, link: Link, seat: int, count: int) -> list[HostOutput]:
        """Subscribe an owner's node that holds `count` entries, replacing an older link of it."""
        older = [
            old for old, each in self._owner_nodes.items() if each.seat == seat and old != link
        ]
        for old in older:
            self.remove(old)
        self._spectators.pop(link, None)
        before = self._owner_nodes.get(link)
        node = self._owner_nodes[link] = _OwnerNode(seat)
        if before is not None:
            node.address, node.port = before.address, before.port
        if count >= self._limit(node):
            node.sent_count = count
        return [CloseLink(old, replaced=True) for old in older]

    def watch(self, link: Link, name: str, identity: bytes) -> list[HostOutput]:
        """Let a spectator watch. Admission has checked the PIN and who was sent away."""
        if link in self._owner_nodes or link in self._spectators:
            return []
        others = {
            old: each
            for old, each in self._spectators.items()
            if each.spectator.identity != identity
        }
        clean, others_known = clean_name(name), [each.spectator for each in others.values()]
        why = why_not_watch(clean, identity, self._replay.roster.seats, others_known)
        if why is not None or clean is None:
            return [Send(link, messages.Refused(why or LobbyRefusal.BAD_NAME))]
        # If the same person has connected again, the new connection replaces the old one.
        out: list[HostOutput] = []
        for old in self._spectators.keys() - others.keys():
            out += self._dismiss(old)
        self._spectators[link] = _Watching(Spectator(clean, identity))
        return [*out, Send(link, messages.Began(self._replay.genesis))]

    def send_away(self, identity: bytes | None, why: LobbyRefusal) -> list[HostOutput]:
        """Send a spectator away, or all spectators for None."""
        out: list[HostOutput] = []
        for link, each in list(self._spectators.items()):
            if identity in (None, each.spectator.identity):
                out += [Send(link, messages.Refused(why)), *self._dismiss(link)]
        return out

    def _dismiss(self, link: Link) -> list[HostOutput]:
        """Disconnect a spectator."""
        self.remove(link)
        return [CloseLink(link)]

    def remove(self, link: Link) -> int | None:
        """Remove a peer whose connection ended; return the owner of its node, if any."""
        self._spectators.pop(link, None)
        self._page_requests.pop(link, None)
        gone = self._owner_nodes.pop(link, None)
        return None if gone is None else gone.seat

    # ---- the log ----------------------------------------------------------------------------

    def fetch(self, link: Link, first: int, now: float) -> list[HostOutput]:
        """Handle a peer's request for entries from this one on."""
        subscriber = self._subscriber(link)
        if subscriber is None:
            return []
        if isinstance(subscriber, _Watching):
            # An honest spectator requests a later entry each time, and none that it cannot know of.
            # At its first request it may already hold some, from an earlier host even more than are
            # final here.
            known = self._replay.seq if subscriber.asked < 0 else subscriber.sent
            if not subscriber.asked < first <= known:
                return self._dismiss(link)
            subscriber.sent = first if subscriber.asked < 0 else subscriber.sent
            subscriber.asked = first
        elif first > len(self._entries):
            return []
        self._page_requests[link] = first
        return self.serve(now)

    def serve(self, now: float) -> list[HostOutput]:
        """Send the requested pages, as far as the budgets allow now."""
        out: list[HostOutput] = []
        for link, first in sorted(
            self._page_requests.items(), key=lambda each: each[0] in self._spectators
        ):
            if now >= self._opens(link):
                del self._page_requests[link]
                out += self._page_for(link, first, now)
        return out

    @property
    def deadline(self) -> float | None:
        """When a budget allows the next requested page; None if no page is waiting."""
        return min((self._opens(link) for link in self._page_requests), default=None)

    def _opens(self, link: Link) -> float:
        """Return when the page budget of this peer allows a page."""
        if link == OWN:
            return -inf  # unlimited: nothing crosses the network
        node = self._owner_nodes.get(link)
        if node is None:
            return self._spectators_fetch.opens(None)
        return self._owners_fetch.opens(node.seat)

    def _spend(self, link: Link, amount: int, now: float) -> None:
        """Charge the page budget of this peer."""
        node = self._owner_nodes.get(link)
        if node is None:
            self._spectators_fetch.spend(None, amount, now)
        elif link != OWN:
            self._owners_fetch.spend(node.seat, amount, now)

    def _page_for(self, link: Link, first: int, now: float) -> list[HostOutput]:
        """Return a page of missed entries. An empty page means that the peer has caught up."""
        subscriber = self._everybody[link]
        limit = self._limit(subscriber)
        if isinstance(subscriber, _Watching):
            first = subscriber.sent
        entries = log_page(self._entries, first, limit)
        self._spend(link, max(PAGE_COST, page_size(entries)), now)
        sent = first + len(entries)
        if isinstance(subscriber, _Watching):
            subscriber.sent = sent
        if sent >= limit:
            subscriber.sent_count = sent
        return [Send(link, messages.Entries(first, entries))]

    def send_entries(self) -> list[HostOutput]:
        """Send every peer that has caught up the new entries that it may have by now."""
        pages: dict[tuple[int, int], messages.Entries] = {}
        out: list[HostOutput] = []
        for link, subscriber in self._up_to_date():
            limit = self._limit(subscriber)
            while subscriber.sent_count is not None and subscriber.sent_count < limit:
                key = subscriber.sent_count, limit
                if key not in pages:
                    entries = log_page(self._entries, subscriber.sent_count, limit)
                    pages[key] = messages.Entries(subscriber.sent_count, entries)
                out.append(Send(link, pages[key]))
                subscriber.sent_count += len(pages[key].entries)
                if isinstance(subscriber, _Watching):
                    subscriber.sent = subscriber.sent_count
        return out

    def send_all(self, message: FromHost) -> list[HostOutput]:
        """Send a message to every peer that has caught up."""
        return [Send(link, message) for link, _ in self._up_to_date()]

    def send_owners(self, message: FromHost) -> list[HostOutput]:
        """Send a message to every owner's node."""
        return [Send(link, message) for link in self._owner_nodes]

    @property
    def _everybody(self) -> dict[Link, _OwnerNode | _Watching]:
        return {**self._owner_nodes, **self._spectators}

    def _subscriber(self, link: Link) -> _OwnerNode | _Watching | None:
        return self._everybody.get(link)

    def _up_to_date(self) -> list[tuple[Link, _OwnerNode | _Watching]]:
        """Return the peers to which new entries are sent as they come."""
        return [each for each in self._everybody.items() if each[1].sent_count is not None]

    def _limit(self, subscriber: _OwnerNode | _Watching) -> int:
        """Return the number of entries that may be sent to a peer now."""
        seat = subscriber.seat if isinstance(subscriber, _OwnerNode) else None
        return self._finality.releasable(seat)

    # ---- chat and addresses -----------------------------------------------------------------

    def say(self, link: Link, text: str, now: float) -> list[HostOutput]:
        """Send a line of chat to everybody, within the chat budget."""
        clean, subscriber = displayable_line(text), self._subscriber(link)
        if clean is None or subscriber is None:
            return []
        if isinstance(subscriber, _OwnerNode):
            seat = self._replay.roster.seats[subscriber.seat]
            who, message = seat.identity, messages.Said(seat.name, subscriber.seat, clean)
        else:
            who = subscriber.spectator.identity
            message = messages.Said(subscriber.spectator.name, -1, clean, who)
        if not self._chat_budget.takes(who, now, watches=isinstance(subscriber, _Watching)):
            return []
        return [Send(other, message) for other in self._everybody]

    def react(self, link: Link, reaction: messages.Reaction, now: float) -> list[HostOutput]:
        """Send a player's reaction to everybody, within the budget. Spectators cannot react."""
        subscriber = self._owner_nodes.get(link)
        if subscriber is None or not self._chat_budget.shows(subscriber.seat, now):
            return []
        message = messages.Reacted(subscriber.seat, reaction)
        return [Send(other, message) for other in self._everybody]

    def place(self, link: Link, address: str, port: int) -> list[HostOutput]:
        """Note a node's address, as seen on its link, and the port that it reports."""
        node = self._owner_nodes.get(link)
        if node is None or not address or (node.address and node.port):
            return []  # a node's address does not change while its link lasts
        node.address, node.port = address, port
        return self.send_addresses()

    def send_addresses(self) -> list[HostOutput]:
        """Send every owner the addresses of the owners' nodes, to be used if the host is lost."""
        ports = self._replay.ports
        places = tuple(
            messages.PeerAddress(node.seat, node.address, ports.get(node.seat, node.port))
            for node in sorted(self._owner_nodes.values(), key=lambda each: each.seat)
            if node.address and ports.get(node.seat, node.port)
        )
        if places == self._places:
            return []
        self._places = places
        return self.send_owners(messages.PeerAddresses(places))
