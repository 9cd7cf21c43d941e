"""The host's side of a lobby, from the first seat to genesis. Sans I/O; time is passed in.

The runtime numbers the peers, and has checked the PIN (`lanuno.net.runtime.admission`). The host's
own seats use the same messages as all others. Nothing here is evidence: the first thing that binds
a player is the room that it signs to be ready.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

import msgspec
from msgspec import Struct, structs

from lanuno.dealing.identity import verify
from lanuno.log.format.bodies import Signature
from lanuno.log.format.genesis import (
    NO_NONCE,
    VERSION,
    Genesis,
    SeatInfo,
    TournamentBinding,
    may_begin,
    nonce_commitment,
    roster_digest,
)
from lanuno.log.format.names import clean_name, look_alike
from lanuno.rules.cards import MAX_SEATS
from lanuno.rules.ruleset import Ruleset
from lanuno.table import messages
from lanuno.table.chat import ChatBudget, NamedPlayer, displayable_line
from lanuno.table.lobby.readiness import RulesRefusal, room_roster, why_not_for
from lanuno.table.messages import MAX_SPECTATORS, AtTable, FromHost, LobbyPhase, LobbyRefusal
from lanuno.table.metadata import TableMetadata
from lanuno.table.outputs import (
    CloseLink,
    Link,
    LobbyHostOutput,
    Send,
    Spectator,
    SpectatorsChanged,
    StartBroken,
    TableBegan,
)

START_STEP_SECONDS = 5.0
"""Time limit of a seat to publish its nonce, or to commit to a new one after a broken start."""

KEPT_SECONDS = 60.0
"""Time for which a rematch reserves the seats of the match before."""


class _Seat(Struct):
    """A taken seat."""

    link: Link
    info: SeatInfo
    """As in the roster. The nonce commitment is `NO_NONCE` until the seat has sent a new one."""
    place: int = MAX_SEATS
    """Its reserved place; after all of these for a player without one."""
    signature: Signature | None = None
    """Its signature of the room as it is now, which makes it ready."""
    opened: bytes | None = None


@dataclass(frozen=True, slots=True)
class TableOffer:
    """The terms under which a host opens a table."""

    lobby: bytes
    """16 random bytes: the id of the table on the network until genesis."""
    name: str
    ruleset: Ruleset
    capacity: int
    host: bytes
    """Identity of the host."""
    pin: str = field(default="", repr=False)
    spectators: bool = True
    rounds: int | None = None
    """Number of counted rounds of play after which the host closes; None for the whole match."""
    start_when_full: bool = True
    """Whether to start automatically once every seat is taken and ready."""
    bots: frozenset[bytes] = frozenset()
    """Identities of the bots on the host's own node. No other bot gets a seat."""

    order: tuple[bytes, ...] = ()
    """The identities for which seats are reserved, in seat order, b"" for a bot."""
    invited_only: bool = True
    """Whether these seats are for nobody else; otherwise only for `KEPT_SECONDS`, for a rematch."""
    binding: TournamentBinding | None = None
    """For a table of a tournament: the tournament, and the table within it."""

    @property
    def metadata(self) -> TableMetadata:
        """The part of the offer that stays in force while the table plays."""
        return TableMetadata(
            name=self.name, pin=self.pin or None, rounds=self.rounds, spectators=self.spectators
        )


class Lobby(Struct):
    """The lobby of one table."""

    offer: TableOffer
    phase: LobbyPhase = LobbyPhase.OPEN
    genesis: Genesis | None = None
    deadline: float | None = None
    """When `tick` must be called at the latest; None if no timer is running."""
    _seats: list[_Seat] = msgspec.field(default_factory=list)
    _watching: dict[Link, Spectator] = msgspec.field(default_factory=dict)
    _announced: tuple[Spectator, ...] = ()
    """The spectators as last reported to the user interface."""
    _chat_budget: ChatBudget = msgspec.field(default_factory=ChatBudget)
    _roster: bytes = b""
    _revision: int = 0
    """The number of changes of the roster."""
    _closed: bool = False
    _kept_until: float | None = None
    """When the seats of a rematch are free for others; None before the first Join."""

    # ---- state ------------------------------------------------------------------------------

    @property
    def taken(self) -> int:
        """The number of taken seats."""
        return len(self._seats)

    @property
    def _infos(self) -> list[SeatInfo]:
        return [seat.info for seat in self._seats]

    def _has_seat(self, identity: bytes) -> bool:
        return any(info.identity == identity for info in self._infos)

    def seat_of(self, link: Link) -> int | None:
        """Return the seat of a peer, in genesis order; None if it has none."""
        for number, seat in enumerate(self._seats):
            if seat.link == link:
                return number
        return None

    def _seat_in(self, phase: LobbyPhase, link: Link) -> _Seat | None:
        """Return the seat of a peer if the lobby is in this phase."""
        place = self.seat_of(link)
        return None if place is None or self.phase is not phase else self._seats[place]

    def link_of(self, identity: bytes) -> Link | None:
        """Return the link of the peer with this key that has a seat or watches, if any."""
        seated = [seat.link for seat in self._seats if seat.info.identity == identity]
        watching = [link for link, each in self._watching.items() if each.identity == identity]
        return next(iter(seated + watching), None)

    @property
    def watching(self) -> dict[Link, Spectator]:
        """The spectators, by link."""
        return dict(self._watching)

    def state(self) -> messages.LobbyState:
        """Return the state of the lobby, as it is sent to all peers."""
        seats = tuple(
            messages.LobbySeat(
                info.name,
                info.identity,
                info.owner,
                info.bot,
                seat.signature is not None,
                info.avatar,
                info.slow_clock,
                info.nonce,
            )
            for seat, info in zip(self._seats, self._infos, strict=True)
        )
        return messages.LobbyState(
            self.offer.lobby,
            self.offer.name,
            self.phase,
            self.offer.ruleset,
            self.offer.capacity,
            seats,
            len(self._watching),
            self.offer.rounds,
            self.offer.spectators,
            bool(self.offer.pin),
            self._revision,
        )

    # ---- inputs -----------------------------------------------------------------------------

    def receive(
        self, link: Link, identity: bytes, message: AtTable, now: float, address: str = ""
    ) -> list[LobbyHostOutput]:
        """Handle a message from an authenticated peer; `address` is "" for the host's own seats."""
        if self._closed:
            return []
        match message:
            case messages.Join():
                return self._join(link, identity, message, now)
            case messages.Watch():
                return self._watch(link, identity, message)
            case messages.Ready():
                return self._ready(link, message, now)
            case messages.RevealNonce():
                return self._nonce(link, message.nonce, now)
            case messages.Say():
                return self._chat(link, message.text, now, address)
            case messages.TakeSeat():
                return self._take_seat(link, message.place)
            case _:
                return []

    def link_down(self, link: Link, now: float) -> list[LobbyHostOutput]:
        """The connection of a peer has ended."""
        if self._watching.pop(link, None) is not None:
            return self._announce()
        return self._remove(link, now)

    def kick(self, link: Link, now: float) -> list[LobbyHostOutput]:
        """Send a peer away, as the host's decision."""
        return self._turn_out(link, LobbyRefusal.KICKED, now)

    def allow_spectators(self, allowed: bool, now: float) -> list[LobbyHostOutput]:
        """Allow spectators, or send all of them away; not once all have signed the room."""
        if self.phase is not LobbyPhase.OPEN:
            return self._announce()
        self.offer = replace(self.offer, spectators=allowed)
        out: list[LobbyHostOutput] = []
        for link in () if allowed else self.watching:
            out += self._turn_out(link, LobbyRefusal.NO_SPECTATORS, now)
        return out + self._announce()

    def move_up(self, identity: bytes) -> list[LobbyHostOutput]:
        """Swap somebody's seat with the one before it, which changes who are partners."""
        seats = self._seats
        place = next((at for at, seat in enumerate(seats) if seat.info.identity == identity), 0)
        if self.phase is not LobbyPhase.OPEN or place == 0:
            return []
        seats[place - 1], seats[place] = seats[place], seats[place - 1]
        return self._announce()

    def why_not_rules(self, ruleset: Ruleset, capacity: int) -> RulesRefusal | None:
        """Return why the rules and number of seats cannot change to these; None if they can."""
        if self._closed or self.phase is not LobbyPhase.OPEN:
            return RulesRefusal.STARTED
        if self.offer.binding is not None or self._is_by_invitation:
            return RulesRefusal.BOUND
        bots = any(info.bot for info in self._infos)
        return why_not_for(ruleset, capacity, len(self._seats), bots=bots)

    def change_rules(self, ruleset: Ruleset, capacity: int) -> list[LobbyHostOutput]:
        """Change the rules and the number of seats. All seats must then be ready again."""
        same = (ruleset, capacity) == (self.offer.ruleset, self.offer.capacity)
        if same or self.why_not_rules(ruleset, capacity) is not None:
            return []
        self.offer = replace(self.offer, ruleset=ruleset, capacity=capacity)
        # No signature covers the number of seats, but everybody sees another room.
        self._roster = b""
        return self._announce()

    def expect(self, bot: bytes) -> None:
        """Allow another bot of the host's own node to take a seat."""
        self.offer = replace(self.offer, bots=self.offer.bots | {bot})

    def close(self) -> list[LobbyHostOutput]:
        """Close the lobby, because the host leaves before the table has begun."""
        out: list[LobbyHostOutput] = []
        for link in self._everybody():
            out.append(Send(link, messages.Refused(LobbyRefusal.HOST_LEFT)))
            out.append(CloseLink(link))
        self._seats.clear()
        self._watching.clear()
        self._closed = True
        self.deadline = None
        return out

    def start(self, now: float) -> list[LobbyHostOutput]:
        """Lock the seats, if enough for the rules are taken and all have signed this room."""
        signatures = tuple(each.signature for each in self._seats if each.signature is not None)
        if not self._may_start() or len(signatures) < len(self._seats):
            return []
        self.phase = LobbyPhase.STARTING
        self.deadline = now + START_STEP_SECONDS
        return self._announce() + self._send_seats(messages.NoncesWanted(signatures))

    def tick(self, now: float) -> list[LobbyHostOutput]:
        """Remove the seats that are late with a step of the start."""
        if self.deadline is None or now < self.deadline:
            return []
        self.deadline = None
        late = [seat.link for seat in self._seats if not self._in_time(seat)]
        out: list[LobbyHostOutput] = []
        for link in late:
            if self.phase is LobbyPhase.OPEN:
                # It has not committed to a new nonce, after another one has broken off a start.
                out.append(StartBroken(link))
            out += self._turn_out(link, LobbyRefusal.TOO_SLOW, now)
        return out

    def _in_time(self, seat: _Seat) -> bool:
        if self.phase is LobbyPhase.STARTING:
            return seat.opened is not None
        return seat.info.nonce != NO_NONCE

    def _may_start(self) -> bool:
        return (
            self.phase is LobbyPhase.OPEN
            and may_begin(self.offer.ruleset, len(self._seats), self.offer.capacity)
            and self._has_seat(self.offer.host)
            and all(seat.info.nonce != NO_NONCE for seat in self._seats)
        )

    # ---- steps ------------------------------------------------------------------------------

    def _join(
        self, link: Link, identity: bytes, message: messages.Join, now: float
    ) -> list[LobbyHostOutput]:
        place = self.seat_of(link)
        if place is not None:
            return self._renew(self._seats[place], message, now)
        if self._kept_until is None:
            self._kept_until = now + KEPT_SECONDS
        why = self._turn_away(identity, message, now)
        if why is not None:
            return [Send(link, messages.Refused(why))]
        name = clean_name(message.name) or ""
        self._watching.pop(link, None)
        info = SeatInfo(
            name,
            identity,
            message.owner,
            message.bot,
            message.slow_clock,
            message.nonce,
            message.avatar,
        )
        seat = _Seat(link, info, self._reserved_place(b"" if message.bot else identity))
        behind = (at for at, each in enumerate(self._seats) if each.place > seat.place)
        self._seats.insert(next(behind, len(self._seats)), seat)
        return self._free_name(name, identity, now) + self._announce()

    @property
    def _is_by_invitation(self) -> bool:
        return bool(self.offer.order) and self.offer.invited_only

    def _reserved_place(self, wanted: bytes) -> int:
        """Return the place that is reserved for a person; b"" for the first free one of a bot."""
        taken = {each.place for each in self._seats}
        for place, whose in enumerate(self.offer.order):
            if whose == wanted and place not in taken:
                return place
        return MAX_SEATS

    def _reserved_seats(self, identity: bytes, now: float) -> int:
        """Return the number of seats reserved for absent people, which others cannot take."""
        known = identity in self.offer.order
        if known or self._kept_until is None or now >= self._kept_until:
            return 0
        here = {info.identity for info in self._infos}
        return len({whose for whose in self.offer.order if whose} - here)

    def _free_name(self, name: str, identity: bytes, now: float) -> list[LobbyHostOutput]:
        """Send away spectators that have the identity of a new seat, or a name like its name."""
        out: list[LobbyHostOutput] = []
        for link, each in self.watching.items():
            if each.identity == identity:
                out += self._turn_out(link, LobbyRefusal.ALREADY_SEATED, now)
            elif look_alike(each.name, name):
                out += self._turn_out(link, LobbyRefusal.NAME_TAKEN, now)
        return out

    def _turn_away(
        self, identity: bytes, message: messages.Join, now: float
    ) -> LobbyRefusal | None:
        name = clean_name(message.name)
        mine = identity in (self.offer.host, *self.offer.bots)
        if message.version != VERSION:
            return LobbyRefusal.OTHER_VERSION
        if self.phase is not LobbyPhase.OPEN:
            return LobbyRefusal.STARTED
        if self._is_by_invitation and identity not in self.offer.order:
            return LobbyRefusal.NOT_INVITED
        if name is None or not self._owned(identity, message):
            return LobbyRefusal.BAD_NAME
        if self._has_seat(identity):
            return LobbyRefusal.ALREADY_SEATED
        if any(look_alike(info.name, name) for info in self._infos):
            return LobbyRefusal.NAME_TAKEN
        free = self.offer.capacity - len(self._seats)
        if not free:
            return LobbyRefusal.FULL
        if not mine and free <= self._reserved_seats(identity, now):
            return LobbyRefusal.SEATS_KEPT
        return None

    def _owned(self, identity: bytes, message: messages.Join) -> bool:
        """Whether the stated owner is valid: the person itself, or the seated host for its bot."""
        if not message.bot:
            return message.owner == identity
        host = self.offer.host
        return self._has_seat(host) and message.owner == host and identity in self.offer.bots

    def _renew(self, seat: _Seat, message: messages.Join, now: float) -> list[LobbyHostOutput]:
        """Accept a new nonce commitment, which each seat sends after a start was broken off.

        At no other time: each one makes all signatures of the room void.
        """
        if seat.info.nonce != NO_NONCE:
            return []
        seat.info = structs.replace(seat.info, nonce=message.nonce)
        return self._announce() + self._maybe_start(now)

    def _watch(self, link: Link, identity: bytes, message: messages.Watch) -> list[LobbyHostOutput]:
        if link in self._watching:
            return []
        name = clean_name(message.name)
        others = {old: each for old, each in self._watching.items() if each.identity != identity}
        if message.version != VERSION:
            why: LobbyRefusal | None = LobbyRefusal.OTHER_VERSION
        elif not self.offer.spectators:
            why = LobbyRefusal.NO_SPECTATORS
        else:
            why = why_not_watch(name, identity, self._infos, others.values())
        if why is not None or name is None:
            return [Send(link, messages.Refused(why or LobbyRefusal.BAD_NAME))]
        # If the same person has connected again, the new connection replaces the old one.
        out: list[LobbyHostOutput] = [
            CloseLink(old) for old in self._watching.keys() - others.keys()
        ]
        self._watching = {**others, link: Spectator(name, identity)}
        return out + self._announce()

    def _ready(self, link: Link, message: messages.Ready, now: float) -> list[LobbyHostOutput]:
        """Make a seat ready by its signature of this room. One of an earlier room has no effect.

        That is also so if the room is as it was: its player has seen another one in between.
        """
        seat, signature = self._seat_in(LobbyPhase.OPEN, link), message.signature
        if seat is None:
            return []
        if signature is not None and not (
            message.revision == self._revision
            and verify(seat.info.identity, signature, roster_digest(self._roster))
        ):
            return []
        seat.signature = signature
        return self._announce() + self._maybe_start(now)

    def _maybe_start(self, now: float) -> list[LobbyHostOutput]:
        full = len(self._seats) == self.offer.capacity
        return self.start(now) if self.offer.start_when_full and full else []

    def _take_seat(self, link: Link, place: int) -> list[LobbyHostOutput]:
        """Swap places with a bot, or with a player who is not ready, to choose a partner."""
        mine = self.seat_of(link)
        if mine is None or self.phase is not LobbyPhase.OPEN or self._is_by_invitation:
            return []
        target = min(place, len(self._seats) - 1)
        other = self._seats[target]
        if target == mine or (other.signature is not None and not other.info.bot):
            return []
        self._seats[mine], self._seats[target] = other, self._seats[mine]
        return self._announce()

    def _nonce(self, link: Link, nonce: bytes, now: float) -> list[LobbyHostOutput]:
        seat = self._seat_in(LobbyPhase.STARTING, link)
        if seat is None:
            return []
        if nonce_commitment(seat.info.identity, nonce) != seat.info.nonce:
            return self._turn_out(link, LobbyRefusal.BAD_ROSTER, now)
        seat.opened = nonce
        nonces = tuple(each.opened for each in self._seats if each.opened is not None)
        if len(nonces) < len(self._seats):
            return []
        signatures = tuple(each.signature for each in self._seats if each.signature is not None)
        self.genesis = Genesis(self._roster, signatures, nonces)
        self.phase = LobbyPhase.PLAYING
        self.deadline = None
        return [TableBegan(self.genesis), *self._send(messages.Began(self.genesis))]

    def _chat(self, link: Link, text: str, now: float, address: str) -> list[LobbyHostOutput]:
        place, clean = self.seat_of(link), displayable_line(text)
        author = self._watching.get(link) if place is None else self._seats[place].info
        if author is None or clean is None:
            return []
        watches = place is None
        charged = "" if watches else address
        if not self._chat_budget.takes(author.identity, now, watches=watches, address=charged):
            return []
        if place is None:
            return self._send(messages.Said(author.name, -1, clean, author.identity))
        return self._send(messages.Said(author.name, place, clean))

    def _turn_out(self, link: Link, why: LobbyRefusal, now: float) -> list[LobbyHostOutput]:
        """Send away a peer that has a seat or watches."""
        out: list[LobbyHostOutput] = [Send(link, messages.Refused(why)), CloseLink(link)]
        return out + self.link_down(link, now)

    def _remove(self, link: Link, now: float) -> list[LobbyHostOutput]:
        """Free a seat, and break off a start that is under way, so that all commit to new nonces.

        Without the host's seat the table closes: it has no host, and its bots have no owner.
        """
        place = self.seat_of(link)
        if place is None or self.phase is LobbyPhase.PLAYING:
            return []
        gone = self._seats.pop(place)
        if gone.info.identity == self.offer.host:
            return self.close()
        out: list[LobbyHostOutput] = []
        if self.phase is not LobbyPhase.OPEN:
            out.append(StartBroken(link))
            self.phase = LobbyPhase.OPEN
            self.deadline = now + START_STEP_SECONDS
            for seat in self._seats:
                seat.info = structs.replace(seat.info, nonce=NO_NONCE)
                seat.opened = None
        return out + self._announce()

    def _everybody(self) -> list[Link]:
        return [seat.link for seat in self._seats] + list(self._watching)

    def _send(self, message: FromHost) -> list[LobbyHostOutput]:
        return [Send(link, message) for link in self._everybody()]

    def _send_seats(self, message: FromHost) -> list[LobbyHostOutput]:
        """Send a message to the seats only."""
        return [Send(seat.link, message) for seat in self._seats]

    def _announce(self) -> list[LobbyHostOutput]:
        """Send the state to everybody. Signatures of another room are void."""
        roster = room_roster(self.state(), self.offer.host, self.offer.binding)
        if roster != self._roster:
            self._roster = roster
            self._revision += 1
            for seat in self._seats:
                seat.signature = None
        spectators = tuple(self._watching.values())
        changed = [SpectatorsChanged(spectators)] if spectators != self._announced else []
        self._announced = spectators
        return [*changed, *self._send(self.state())]


def why_not_watch(
    name: str | None,
    identity: bytes,
    seats: Sequence[NamedPlayer],
    others: Collection[Spectator],
) -> LobbyRefusal | None:
    """Return why a person may not watch a table; None if it may. `others`: the other spectators."""
    if len(others) >= MAX_SPECTATORS:
        return LobbyRefusal.NO_SPECTATORS
    if any(seat.identity == identity for seat in seats):
        return LobbyRefusal.ALREADY_SEATED
    if name is None:
        return LobbyRefusal.BAD_NAME
    if any(look_alike(each.name, name) for each in (*seats, *others)):
        return LobbyRefusal.NAME_TAKEN
    return None
