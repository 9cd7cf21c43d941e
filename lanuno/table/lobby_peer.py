"""One seat's way through the waiting room: join, ready, sign the roster, publish the nonce.

Sans I/O. It signs a roster only if that says of itself what it said, for the table it joined and
the rules for which it said "ready"; otherwise it refuses. Somebody who never asks for a seat
watches, and signs nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from lanuno.dealing.identity import Identity, verify
from lanuno.log.codec import decode
from lanuno.log.faults import Unreadable
from lanuno.log.genesis import (
    VERSION,
    Binding,
    Genesis,
    Roster,
    check_roster,
    clean_name,
    is_possible,
    nonce_commitment,
    read_roster,
    roster_digest,
    sign_roster,
)
from lanuno.rules.ruleset import Ruleset
from lanuno.table import messages
from lanuno.table.chat import heard, shown
from lanuno.table.messages import FromHost, LobbyRefusal
from lanuno.table.outputs import Happened, Output, TableBegan, ToHost, TurnedAway
from lanuno.table.readiness import offer_digest

Offer = tuple[Ruleset, int]
"""Rules, and the number of seats."""

Entropy = Callable[[int], bytes]
"""Gives so many fresh random bytes."""

MOST_STARTS = 32
"""So many starts may be broken off before a peer leaves: each is another try at the table id."""


@dataclass(frozen=True, slots=True)
class Expected:
    """The rules, rounds and seats of a rematch, as they were before."""

    ruleset: Ruleset
    rounds: int | None
    seats: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Seating:
    """How somebody sits down."""

    name: str
    lobby: bytes
    """Id of the lobby, as the handshake proved it."""
    host: bytes
    """Identity of the host, as the handshake proved it."""
    owner: bytes | None = None
    """For a bot: the identity of the person on whose computer it runs."""
    slow_clock: bool = False
    """Ask for twice the time."""
    avatar: int | None = None
    """The colour under which everybody is to see this player."""
    pin: str = field(default="", repr=False)
    binding: Binding | None = None
    """At a table of a tournament: what its roster must be bound to."""
    order: tuple[bytes, ...] = ()
    """If it is known: who sits where, by identity."""
    auto_ready: bool = True
    """Say "ready" as soon as one sits."""
    expected: Expected | None = None
    """For a rematch: "ready" is said by itself for these only."""


class LobbyPeer:
    """One seat before genesis."""

    def __init__(self, identity: Identity, seating: Seating, entropy: Entropy) -> None:
        """`entropy`: where the nonce comes from."""
        self._identity = identity
        self._seating = seating
        self._entropy = entropy
        self._owner = seating.owner or identity.public
        self._nonce = b""
        self._roster = b""
        self._starts = 0
        self._ready_for: Offer | None = None
        """The rules and seats for which this seat is ready; None if it is not."""
        self._wants = False
        """What was said last: ready or not."""
        self.state: messages.LobbyState | None = None
        """The waiting room as last heard."""

    def join(self) -> list[Output]:
        """Ask for a seat."""
        return [ToHost(self._join())]

    def watch(self) -> list[Output]:
        """Ask to watch."""
        return [ToHost(messages.Watch(VERSION, self._seating.name, self._seating.pin))]

    def ready(self, ready: bool = True, shown: Offer | None = None) -> list[Output]:
        """Say that this seat may begin, or not yet.

        `shown`: the rules and seats that the player saw when they said so. If others hold by now,
        nothing is said; None means those of now.
        """
        offer = self._offer()
        if offer is None or (ready and shown not in (None, offer)):
            return []
        self._wants = ready
        if ready:
            self._ready_for = offer
        return [ToHost(messages.Ready(ready, offer_digest(*offer)))]

    def _offer(self) -> Offer | None:
        """What the waiting room says of rules and seats."""
        return None if self.state is None else (self.state.ruleset, self.state.capacity)

    def take_seat(self, place: int) -> list[Output]:
        """Ask for another place at the table."""
        return [ToHost(messages.TakeSeat(place))]

    def say(self, text: str) -> list[Output]:
        """Chat."""
        return [ToHost(messages.Say(text[: messages.LONGEST_CHAT]))]

    def receive(self, message: FromHost) -> list[Output]:
        """Take a message of the host."""
        match message:
            case messages.LobbyState():
                return self._hear(message)
            case messages.Refused():
                return [TurnedAway(message.why)]
            case messages.RosterOffered():
                return self._sign(message.roster)
            case messages.NoncesWanted():
                return self._open_nonce(message)
            case messages.Reopened():
                return self._join_again()
            case messages.Began():
                return self._begin(message)
            case messages.Said():
                return [] if self.state is None else heard(message, self.state.seats)
            case _:
                return []

    def _join(self) -> messages.Join:
        self._nonce = self._entropy(32)
        return self._join_message()

    def _join_message(self) -> messages.Join:
        return messages.Join(
            VERSION,
            self._seating.name,
            nonce_commitment(self._identity.public, self._nonce),
            self._owner,
            self._owner != self._identity.public,
            self._seating.slow_clock,
            self._seating.pin,
            self._seating.avatar,
        )

    @property
    def _seated(self) -> bool:
        """Whether a seat was ever asked for; else this is somebody who watches."""
        return bool(self._nonce)

    def _hear(self, state: messages.LobbyState) -> list[Output]:
        names = [state.table, *(seat.name for seat in state.seats)]
        possible = is_possible(state.ruleset, state.capacity)
        strange = any(shown(name) != name for name in names) or not possible
        if state.lobby != self._seating.lobby or strange:
            return [TurnedAway(LobbyRefusal.BAD_ROSTER)]
        before, self.state = self.state, state
        heard: list[Output] = [Happened(state)]
        if before is None or _expected(before) != _expected(state):
            # Ready for other rules: that does not count for these, nor for those of before again.
            self._ready_for, self._wants = None, False
            known = self._seating.expected in (None, _expected(state))
            if self._seated and self._seating.auto_ready and known:
                return heard + self.ready()
        elif not self._wants and self._is_open_and_not_ready(state):
            self._ready_for = None
        return heard

    def _is_open_and_not_ready(self, state: messages.LobbyState) -> bool:
        """Whether the host knows that this seat is not ready: then it does not begin with it."""
        return state.phase is messages.LobbyPhase.OPEN and not any(
            seat.ready for seat in state.seats if seat.identity == self._identity.public
        )

    def _sign(self, data: bytes) -> list[Output]:
        if not self._seated:
            return []
        if self._roster or not self._is_as_agreed(data):
            return [TurnedAway(LobbyRefusal.BAD_ROSTER)]
        self._roster = data
        return [ToHost(messages.Agree(sign_roster(data, self._identity)))]

    def _open_nonce(self, wanted: messages.NoncesWanted) -> list[Output]:
        """Publish the nonce once everybody has signed the roster that this seat signed."""
        if not self._roster:
            return []
        seats, digest = decode(self._roster, Roster).seats, roster_digest(self._roster)
        signed = len(wanted.signatures) == len(seats) and all(
            verify(seat.identity, signature, digest)
            for seat, signature in zip(seats, wanted.signatures, strict=True)
        )
        if not signed:
            return [TurnedAway(LobbyRefusal.BAD_ROSTER)]
        return [ToHost(messages.NonceOut(self._nonce))]

    def _join_again(self) -> list[Output]:
        """The start was broken off: commit to another nonce."""
        if not self._seated:
            return []
        self._roster = b""
        self._starts += 1
        if self._starts > MOST_STARTS:
            return [TurnedAway(LobbyRefusal.BAD_ROSTER)]
        return [ToHost(self._join()), *self.ready(self._wants)]

    def _is_as_agreed(self, data: bytes) -> bool:
        """Whether a roster says of this seat and table what was agreed on."""
        try:
            roster = decode(data, Roster)
            check_roster(roster)
        except Unreadable:
            return False
        return (
            self._is_ready_for(roster)
            and self._is_here(roster)
            and self._is_bound(roster)
            and self._is_mine(roster)
        )

    def _is_ready_for(self, roster: Roster) -> bool:
        """Whether "ready" was said for these rules, and for as many seats or more."""
        if self._ready_for is None:
            return False
        ruleset, capacity = self._ready_for
        return roster.ruleset == ruleset and len(roster.seats) <= capacity

    def _is_here(self, roster: Roster) -> bool:
        """Whether a roster is of this table and host."""
        return (
            roster.lobby == self._seating.lobby
            and roster.seats[roster.host].identity == self._seating.host
        )

    def _is_bound(self, roster: Roster) -> bool:
        """Whether a roster is of the table of the tournament that it should be, or of none."""
        order = self._seating.order
        seated = tuple(seat.identity for seat in roster.seats)
        return roster.binding == self._seating.binding and order in ((), seated)

    def _is_mine(self, roster: Roster) -> bool:
        """Whether a roster says of this seat what it said of itself, and hangs no bot on it."""
        public, wanted = self._identity.public, self._join_message()
        mine = [seat for seat in roster.seats if seat.identity == public]
        bots = [seat for seat in roster.seats if seat.owner == public and seat.identity != public]
        if len(mine) != 1 or (bots and public != self._seating.host):
            return False
        seat = mine[0]
        return (seat.name, seat.owner, seat.bot, seat.slow_clock, seat.nonce, seat.avatar) == (
            clean_name(wanted.name),
            wanted.owner,
            wanted.bot,
            wanted.slow_clock,
            wanted.nonce,
            wanted.avatar,
        )

    def _begin(self, message: messages.Began) -> list[Output]:
        genesis = message.genesis
        fits = genesis.roster == self._roster if self._seated else self._may_watch(genesis)
        try:
            genesis.read()
        except Unreadable:
            fits = False
        return [TableBegan(genesis)] if fits else [TurnedAway(LobbyRefusal.BAD_ROSTER)]

    def _may_watch(self, genesis: Genesis) -> bool:
        """Whether this is the table to be watched; once it plays, it has another name."""
        try:
            roster = read_roster(genesis.roster)
            check_roster(roster)
        except Unreadable:
            return False
        named = self._seating.lobby in (roster.lobby, genesis.table_id)
        return named and roster.seats[roster.host].identity == self._seating.host


def _expected(state: messages.LobbyState) -> Expected:
    """What a waiting room says that is going to be played."""
    return Expected(state.ruleset, state.rounds, state.capacity)
