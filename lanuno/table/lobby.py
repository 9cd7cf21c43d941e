"""The host's waiting room, from the first seat to genesis. Sans I/O; time is passed in.

Peers are numbers given by the driver; the host's own seats come through the same messages. Nothing
here is evidence: the first thing that binds anybody is the roster that all seats sign.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from hmac import compare_digest

from lanuno.dealing.identity import verify
from lanuno.log.bodies import MAX_SEATS, Signature
from lanuno.log.genesis import (
    VERSION,
    Binding,
    Genesis,
    Roster,
    SeatInfo,
    clean_name,
    encode_roster,
    look_alike,
    may_begin,
    nonce_commitment,
    roster_digest,
)
from lanuno.rules.ruleset import Ruleset
from lanuno.table import messages
from lanuno.table.arrangements import Arrangements
from lanuno.table.chat import Talk, spoken, taken
from lanuno.table.messages import FromHost, FromPeer, LobbyPhase, LobbyRefusal
from lanuno.table.outputs import (
    Disconnect,
    Output,
    Peer,
    Spectator,
    SpectatorsChanged,
    TableBegan,
    ToPeer,
)
from lanuno.table.readiness import RulesRefusal, offer_digest, why_not_for

START_STEP_SECONDS = 5.0
"""How long a seat may take to sign the roster, and then to publish its nonce; and to commit to a
new one if the start was broken off."""

KEPT_SECONDS = 60.0
"""How long a seat is kept for somebody who was at the previous table."""

MAX_SPECTATORS = 20


@dataclass(slots=True)
class _Seat:
    """A taken seat."""

    peer: Peer
    identity: bytes
    name: str
    owner: bytes
    bot: bool
    slow_clock: bool
    nonce: bytes
    avatar: int | None
    place: int = MAX_SEATS
    """Where it was at the previous table; behind all others if it was not there."""
    ready: bool = False
    signature: Signature | None = None
    opened: bytes | None = None


@dataclass(frozen=True, slots=True)
class TableOffer:
    """What a host offers."""

    lobby: bytes
    """16 random bytes: the table's name on the network until genesis."""
    name: str
    ruleset: Ruleset
    capacity: int
    host: bytes
    """Identity of the host."""
    pin: str = field(default="", repr=False)
    spectators: bool = True
    rounds: int | None = None
    """Counted rounds of play after which the host will close; None: the match decides."""
    start_when_full: bool = True
    """Begin by itself once every seat is taken and ready."""
    bots: frozenset[bytes] = frozenset()
    """Identities of the programs on the host's own computer: no other bot may sit down."""

    order: tuple[bytes, ...] = ()
    """If only certain people may sit down: their identities, in the order of the seats."""
    binding: Binding | None = None
    """At a table of a tournament: what it is bound to."""
    kept: tuple[bytes, ...] = ()
    """For another match of the same people: whose each seat was, b"" that of a bot. Seats of people
    are kept for a while; everybody sits in this order."""

    @property
    def arrangements(self) -> Arrangements:
        """What of it holds while the table plays."""
        return Arrangements(
            name=self.name, pin=self.pin or None, rounds=self.rounds, spectators=self.spectators
        )

    def pin_is(self, pin: str) -> bool:
        """Whether this is the PIN; says nothing by the time it takes. Always, if there is none."""
        return not self.pin or compare_digest(self.pin.encode(), pin.encode())


@dataclass(slots=True)
class Lobby:
    """The waiting room of one table."""

    offer: TableOffer
    phase: LobbyPhase = LobbyPhase.OPEN
    genesis: Genesis | None = None
    deadline: float | None = None
    """When `tick` must be called at the latest."""
    _seats: list[_Seat] = field(default_factory=list)
    _watching: dict[Peer, Spectator] = field(default_factory=dict)
    _announced: tuple[Spectator, ...] = ()
    """Who watches, as the host's own computer was told."""
    _talk: Talk = field(default_factory=Talk)
    _roster: bytes = b""
    _closed: bool = False
    _kept_until: float | None = None
    """Until when kept seats are refused to others; None before the first Join."""

    # ---- what it stands at ------------------------------------------------------------------

    @property
    def taken(self) -> int:
        """How many seats are taken."""
        return len(self._seats)

    def seat_of(self, peer: Peer) -> int | None:
        """The seat of a peer, in genesis order."""
        for number, seat in enumerate(self._seats):
            if seat.peer == peer:
                return number
        return None

    def peer_at(self, place: int) -> Peer | None:
        """Who has this seat."""
        return self._seats[place].peer if 0 <= place < len(self._seats) else None

    @property
    def watching(self) -> dict[Peer, Spectator]:
        """Peers who watch."""
        return dict(self._watching)

    def state(self) -> messages.LobbyState:
        """The waiting room as everybody may see it."""
        seats = tuple(
            messages.LobbySeat(
                seat.name, seat.identity, seat.owner, seat.bot, seat.ready, seat.avatar
            )
            for seat in self._seats
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
        )

    # ---- inputs -----------------------------------------------------------------------------

    def receive(self, peer: Peer, identity: bytes, message: FromPeer, now: float) -> list[Output]:
        """Take a message of an authenticated peer."""
        if self._closed:
            return []
        match message:
            case messages.Join():
                return self._join(peer, identity, message, now)
            case messages.Watch():
                return self._watch(peer, identity, message)
            case messages.Ready():
                return self._ready(peer, message, now)
            case messages.Agree():
                return self._agree(peer, message.signature, now)
            case messages.NonceOut():
                return self._nonce(peer, message.nonce, now)
            case messages.Say():
                return self._say(peer, message.text, now)
            case messages.TakeSeat():
                return self._take_seat(peer, message.place)
            case _:
                return []

    def left(self, peer: Peer, now: float) -> list[Output]:
        """A peer's connection ended."""
        if self._watching.pop(peer, None) is not None:
            return self._announce()
        return self._remove(peer, now)

    def kick(self, peer: Peer, now: float) -> list[Output]:
        """The host sends somebody away."""
        return self._turn_out(peer, LobbyRefusal.KICKED, now)

    def allow_spectators(self, allowed: bool, now: float) -> list[Output]:
        """The host lets people watch, or nobody any more: then those who do have to go."""
        self.offer = replace(self.offer, spectators=allowed)
        out: list[Output] = []
        for peer in () if allowed else self.watching:
            out += self._turn_out(peer, LobbyRefusal.NO_SPECTATORS, now)
        return out + self._announce()

    def move_up(self, place: int) -> list[Output]:
        """The host lets a seat and the one before it change places: partners follow from that."""
        if self.phase is not LobbyPhase.OPEN or not 0 < place < len(self._seats):
            return []
        seats = self._seats
        seats[place - 1], seats[place] = seats[place], seats[place - 1]
        return self._announce()

    def why_not_rules(self, ruleset: Ruleset, capacity: int) -> RulesRefusal | None:
        """What keeps the host from changing the rules and the number of seats to these."""
        if self._closed or self.phase is not LobbyPhase.OPEN:
            return RulesRefusal.STARTED
        if self.offer.binding is not None or self.offer.order:
            return RulesRefusal.BOUND
        bots = any(seat.bot for seat in self._seats)
        return why_not_for(ruleset, capacity, len(self._seats), bots=bots)

    def change_rules(self, ruleset: Ruleset, capacity: int) -> list[Output]:
        """The host changes the rules and the number of seats: nobody is ready for them yet."""
        same = (ruleset, capacity) == (self.offer.ruleset, self.offer.capacity)
        if same or self.why_not_rules(ruleset, capacity) is not None:
            return []
        self.offer = replace(self.offer, ruleset=ruleset, capacity=capacity)
        for seat in self._seats:
            seat.ready = False
        return self._announce()

    def expect(self, bot: bytes) -> None:
        """Another program on the host's own computer may sit down."""
        self.offer = replace(self.offer, bots=self.offer.bots | {bot})

    def close(self) -> list[Output]:
        """The host goes before the table began."""
        out: list[Output] = []
        for peer in self._everybody():
            out.append(ToPeer(peer, messages.Refused(LobbyRefusal.HOST_LEFT)))
            out.append(Disconnect(peer))
        self._seats.clear()
        self._watching.clear()
        self._closed = True
        self.deadline = None
        return out

    def start(self, now: float) -> list[Output]:
        """Lock the seats, if the rules can be played with those taken and all are ready."""
        if not self._may_start():
            return []
        if self.offer.order:
            self._seats.sort(key=lambda seat: self.offer.order.index(seat.identity))
        seats = tuple(
            SeatInfo(
                seat.name,
                seat.identity,
                seat.owner,
                seat.bot,
                seat.slow_clock,
                seat.nonce,
                seat.avatar,
            )
            for seat in self._seats
        )
        host = [seat.identity for seat in self._seats].index(self.offer.host)
        roster = Roster(
            VERSION, self.offer.lobby, host, self.offer.ruleset, seats, self.offer.binding
        )
        self._roster = encode_roster(roster)
        self.phase = LobbyPhase.SIGNING
        self.deadline = now + START_STEP_SECONDS
        return self._tell_seats(messages.RosterOffered(self._roster)) + self._announce()

    def tick(self, now: float) -> list[Output]:
        """Let time pass: seats that do not do their part of the start lose their place."""
        if self.deadline is None or now < self.deadline:
            return []
        self.deadline = None
        late = [seat.peer for seat in self._seats if not self._in_time(seat)]
        out: list[Output] = []
        for peer in late:
            out += self._turn_out(peer, LobbyRefusal.TOO_SLOW, now)
        return out

    def _in_time(self, seat: _Seat) -> bool:
        if self.phase is LobbyPhase.SIGNING:
            return seat.signature is not None
        return seat.opened is not None if self.phase is LobbyPhase.NONCES else bool(seat.nonce)

    def _may_start(self) -> bool:
        return (
            self.phase is LobbyPhase.OPEN
            and may_begin(self.offer.ruleset, len(self._seats), self.offer.capacity)
            and any(seat.identity == self.offer.host for seat in self._seats)
            and all(seat.ready and seat.nonce for seat in self._seats)
        )

    # ---- steps ------------------------------------------------------------------------------

    def _join(
        self, peer: Peer, identity: bytes, message: messages.Join, now: float
    ) -> list[Output]:
        place = self.seat_of(peer)
        if place is not None:
            return self._renew(self._seats[place], message, now)
        if self._kept_until is None:
            self._kept_until = now + KEPT_SECONDS
        why = self._turn_away(identity, message, now)
        if why is not None:
            return [ToPeer(peer, messages.Refused(why))]
        name = clean_name(message.name) or ""
        self._watching.pop(peer, None)
        seat = _Seat(
            peer,
            identity,
            name,
            message.owner,
            message.bot,
            message.slow_clock,
            message.nonce,
            message.avatar,
            place=self._previous_place(b"" if message.bot else identity),
        )
        behind = (at for at, each in enumerate(self._seats) if each.place > seat.place)
        self._seats.insert(next(behind, len(self._seats)), seat)
        return self._clear_name(name, identity, now) + self._announce()

    def _previous_place(self, wanted: bytes) -> int:
        """Where this person sat at the previous table; b"": the first free place of a bot."""
        taken = {each.place for each in self._seats}
        for place, whose in enumerate(self.offer.kept):
            if whose == wanted and place not in taken:
                return place
        return MAX_SEATS

    def _kept_for_others(self, identity: bytes, now: float) -> int:
        """How many seats are kept for people who are not here yet; none from those people."""
        known = identity in self.offer.kept
        if known or self._kept_until is None or now >= self._kept_until:
            return 0
        here = {seat.identity for seat in self._seats}
        return len({whose for whose in self.offer.kept if whose} - here)

    def _clear_name(self, name: str, identity: bytes, now: float) -> list[Output]:
        """Who watches has to give way to a seat: by its name, or as the same person."""
        out: list[Output] = []
        for peer, each in self.watching.items():
            if each.identity == identity:
                out += self._turn_out(peer, LobbyRefusal.ALREADY_SEATED, now)
            elif look_alike(each.name, name):
                out += self._turn_out(peer, LobbyRefusal.NAME_TAKEN, now)
        return out

    def _turn_away(
        self, identity: bytes, message: messages.Join, now: float
    ) -> LobbyRefusal | None:
        name = clean_name(message.name)
        mine = identity in (self.offer.host, *self.offer.bots)
        if message.version != VERSION:
            return LobbyRefusal.OTHER_VERSION
        if not mine and not self.offer.pin_is(message.pin):
            return LobbyRefusal.WRONG_PIN
        if self.phase is not LobbyPhase.OPEN:
            return LobbyRefusal.STARTED
        if self.offer.order and identity not in self.offer.order:
            return LobbyRefusal.NOT_INVITED
        if name is None or not self._owned(identity, message):
            return LobbyRefusal.BAD_NAME
        if any(seat.identity == identity for seat in self._seats):
            return LobbyRefusal.ALREADY_SEATED
        if any(look_alike(seat.name, name) for seat in self._seats):
            return LobbyRefusal.NAME_TAKEN
        kept = 0 if mine else self._kept_for_others(identity, now)
        if len(self._seats) + kept >= self.offer.capacity:
            return LobbyRefusal.FULL
        return None

    def _owned(self, identity: bytes, message: messages.Join) -> bool:
        """Whether a seat is whose it says: a person's own, or a bot of the seated host."""
        if not message.bot:
            return message.owner == identity
        seated = any(seat.identity == self.offer.host for seat in self._seats)
        return seated and message.owner == self.offer.host and identity in self.offer.bots

    def _renew(self, seat: _Seat, message: messages.Join, now: float) -> list[Output]:
        """A new nonce commitment, as after a start that was broken off."""
        if self.phase is not LobbyPhase.OPEN:
            return []
        seat.nonce = message.nonce
        return self._maybe_start(now)

    def _watch(self, peer: Peer, identity: bytes, message: messages.Watch) -> list[Output]:
        if peer in self._watching:
            return []
        name = clean_name(message.name)
        others = {old: each for old, each in self._watching.items() if each.identity != identity}
        why: LobbyRefusal | None = None
        if message.version != VERSION:
            why = LobbyRefusal.OTHER_VERSION
        elif not self.offer.pin_is(message.pin):
            why = LobbyRefusal.WRONG_PIN
        elif not self.offer.spectators or len(others) >= MAX_SPECTATORS:
            why = LobbyRefusal.NO_SPECTATORS
        elif any(seat.identity == identity for seat in self._seats):
            why = LobbyRefusal.ALREADY_SEATED
        elif name is not None and self._is_taken(name, identity):
            why = LobbyRefusal.NAME_TAKEN
        if why is not None or name is None:
            return [ToPeer(peer, messages.Refused(why or LobbyRefusal.BAD_NAME))]
        # The same person once more: the new connection is the one that they look at.
        out: list[Output] = [Disconnect(old) for old in self._watching.keys() - others.keys()]
        self._watching = {**others, peer: Spectator(name, identity)}
        return out + self._announce()

    def _is_taken(self, name: str, identity: bytes) -> bool:
        """Whether a seat or somebody else who watches is called so."""
        seated = any(look_alike(seat.name, name) for seat in self._seats)
        return seated or taken(name, identity, self._watching.values())

    def _ready(self, peer: Peer, said: messages.Ready, now: float) -> list[Output]:
        place = self.seat_of(peer)
        if place is None or self.phase is not LobbyPhase.OPEN:
            return []
        if said.ready and said.offer != offer_digest(self.offer.ruleset, self.offer.capacity):
            # Said about rules that have been changed meanwhile.
            return []
        self._seats[place].ready = said.ready
        return self._announce() + self._maybe_start(now)

    def _maybe_start(self, now: float) -> list[Output]:
        full = len(self._seats) == self.offer.capacity
        if self.offer.start_when_full and full and all(seat.nonce for seat in self._seats):
            return self.start(now)
        return []

    def _take_seat(self, peer: Peer, place: int) -> list[Output]:
        """Somebody changes places with a bot, or with somebody who is not ready; so pairs form."""
        mine = self.seat_of(peer)
        if mine is None or self.phase is not LobbyPhase.OPEN or self.offer.order:
            return []
        there = min(place, len(self._seats) - 1)
        other = self._seats[there]
        if there == mine or (other.ready and not other.bot):
            return []
        self._seats[mine], self._seats[there] = other, self._seats[mine]
        return self._announce()

    def _agree(self, peer: Peer, signature: bytes, now: float) -> list[Output]:
        place = self.seat_of(peer)
        if place is None or self.phase is not LobbyPhase.SIGNING:
            return []
        seat = self._seats[place]
        if not verify(seat.identity, signature, roster_digest(self._roster)):
            return self._turn_out(peer, LobbyRefusal.BAD_ROSTER, now)
        seat.signature = signature
        signatures = tuple(each.signature for each in self._seats if each.signature is not None)
        if len(signatures) < len(self._seats):
            return []
        self.phase = LobbyPhase.NONCES
        self.deadline = now + START_STEP_SECONDS
        return self._tell_seats(messages.NoncesWanted(signatures))

    def _nonce(self, peer: Peer, nonce: bytes, now: float) -> list[Output]:
        place = self.seat_of(peer)
        if place is None or self.phase is not LobbyPhase.NONCES:
            return []
        seat = self._seats[place]
        if nonce_commitment(seat.identity, nonce) != seat.nonce:
            return self._turn_out(peer, LobbyRefusal.BAD_ROSTER, now)
        seat.opened = nonce
        nonces = tuple(each.opened for each in self._seats if each.opened is not None)
        if len(nonces) < len(self._seats):
            return []
        signatures = tuple(each.signature for each in self._seats if each.signature is not None)
        self.genesis = Genesis(self._roster, signatures, nonces)
        self.phase = LobbyPhase.PLAYING
        self.deadline = None
        return [TableBegan(self.genesis), *self._tell(messages.Began(self.genesis))]

    def _say(self, peer: Peer, text: str, now: float) -> list[Output]:
        place, clean = self.seat_of(peer), spoken(text)
        there = self._watching.get(peer) if place is None else self._seats[place]
        if there is None or clean is None:
            return []
        if not self._talk.takes(there.identity, now, watches=place is None):
            return []
        if place is None:
            return self._tell(messages.Said(there.name, -1, clean, there.identity))
        return self._tell(messages.Said(there.name, place, clean))

    def _turn_out(self, peer: Peer, why: LobbyRefusal, now: float) -> list[Output]:
        """Send somebody away who sits or watches."""
        out: list[Output] = [ToPeer(peer, messages.Refused(why)), Disconnect(peer)]
        return out + self.left(peer, now)

    def _remove(self, peer: Peer, now: float) -> list[Output]:
        """Free a seat; a start that was under way is broken off and nonces are used up.

        With the host's seat the table closes: its bots have no owner, and nobody hosts.
        """
        place = self.seat_of(peer)
        if place is None or self.phase is LobbyPhase.PLAYING:
            return []
        gone = self._seats.pop(place)
        if gone.identity == self.offer.host:
            return self.close()
        out: list[Output] = []
        if self.phase is not LobbyPhase.OPEN:
            self.phase = LobbyPhase.OPEN
            self.deadline = now + START_STEP_SECONDS
            for seat in self._seats:
                seat.nonce, seat.signature, seat.opened = b"", None, None
            out += self._tell_seats(messages.Reopened())
        return out + self._announce()

    def _everybody(self) -> list[Peer]:
        return [seat.peer for seat in self._seats] + list(self._watching)

    def _tell(self, message: FromHost) -> list[Output]:
        return [ToPeer(peer, message) for peer in self._everybody()]

    def _tell_seats(self, message: FromHost) -> list[Output]:
        """What only those who sign need to hear."""
        return [ToPeer(seat.peer, message) for seat in self._seats]

    def _announce(self) -> list[Output]:
        here = tuple(self._watching.values())
        news = [SpectatorsChanged(here)] if here != self._announced else []
        self._announced = here
        return [*news, *self._tell(self.state())]
