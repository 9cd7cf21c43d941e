"""One seat's way through the lobby: join, be ready, sign the roster, publish the nonce. Sans I/O.

The peer signs a roster only if it contains its own seat as requested, the table that it joined and
the rules for which it was ready; otherwise it leaves (`TurnedAway`). A peer that never requests a
seat is a spectator and signs nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from lanuno.dealing.identity import Identity, verify
from lanuno.log.faults import Unreadable
from lanuno.log.format.codec import decode
from lanuno.log.format.genesis import (
    VERSION,
    Genesis,
    Roster,
    SeatInfo,
    TournamentBinding,
    check_roster,
    is_possible,
    nonce_commitment,
    read_roster,
    roster_digest,
    sign_roster,
)
from lanuno.log.format.names import clean_name
from lanuno.rules.ruleset import Ruleset
from lanuno.table import messages
from lanuno.table.chat import checked_chat, displayable_name
from lanuno.table.lobby.readiness import offer_digest
from lanuno.table.messages import FromHost, LobbyRefusal
from lanuno.table.outputs import Happened, LobbyPeerOutput, SendToHost, TableBegan, TurnedAway

Offer = tuple[Ruleset, int]
"""The rules and the number of seats."""

Entropy = Callable[[int], bytes]
"""Returns the given number of random bytes."""

MOST_ABORTED_STARTS = 32
"""Aborted starts after which a peer leaves. Each one gives the host another try at the table id."""


@dataclass(frozen=True, slots=True)
class Expected:
    """The rules, number of rounds and number of seats of the previous table, for a rematch."""

    ruleset: Ruleset
    rounds: int | None
    seats: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Seating:
    """The parameters with which a peer joins a lobby."""

    name: str
    lobby: bytes
    """Id of the lobby, as proven by the handshake."""
    host: bytes
    """Identity of the host, as proven by the handshake."""
    owner: bytes | None = None
    """For a bot: the identity of the owner whose node runs it."""
    slow_clock: bool = False
    """Whether to ask for twice the time in each turn."""
    avatar: int | None = None
    """The colour in which all nodes show this player."""
    pin: str = field(default="", repr=False)
    """The PIN that peer and host have proved to each other to know; "" if there is none."""
    binding: TournamentBinding | None = None
    """For a table of a tournament: the binding that the roster must have."""
    order: tuple[bytes, ...] = ()
    """The identities of the seats in order, if they are known in advance."""
    auto_ready: bool = True
    """Whether to be ready as soon as the peer has a seat."""
    expected: Expected | None = None
    """For a rematch: the only rules, rounds and seats to which `auto_ready` applies."""


class LobbyPeer:
    """A peer in a lobby, with or without a seat."""

    def __init__(self, identity: Identity, seating: Seating, entropy: Entropy) -> None:
        """`entropy`: the source of the nonce."""
        self._identity = identity
        self._seating = seating
        self._entropy = entropy
        self._owner = seating.owner or identity.public
        self._nonce = b""
        self._roster = b""
        self._starts = 0
        self._ready_for: Offer | None = None
        """The rules and seats for which this seat is ready; None if it is not ready."""
        self._wants = False
        """Whether the last `Ready` sent said that this seat is ready."""
        self.state: messages.LobbyState | None = None
        """The last state of the lobby from the host."""

    def join(self) -> list[LobbyPeerOutput]:
        """Request a seat."""
        return [SendToHost(self._join())]

    def watch(self) -> list[LobbyPeerOutput]:
        """Request to watch."""
        return [SendToHost(messages.Watch(VERSION, self._seating.name))]

    def ready(self, ready: bool = True, shown: Offer | None = None) -> list[LobbyPeerOutput]:
        """Announce that this seat is ready, or not ready yet.

        `shown`: the rules and seats that the player saw on the screen; None for the present ones.
        Sends nothing if they have changed since.
        """
        if self.state is None:
            return []
        offer = (self.state.ruleset, self.state.capacity)
        if ready and shown not in (None, offer):
            return []
        self._wants = ready
        if ready:
            self._ready_for = offer
        return [SendToHost(messages.Ready(ready, offer_digest(*offer)))]

    def take_seat(self, place: int) -> list[LobbyPeerOutput]:
        """Request another place at the table."""
        return [SendToHost(messages.TakeSeat(place))]

    def say(self, text: str) -> list[LobbyPeerOutput]:
        """Send a line of chat."""
        return [SendToHost(messages.Say(text[: messages.LONGEST_CHAT]))]

    def receive(self, message: FromHost) -> list[LobbyPeerOutput]:
        """Handle a message from the host."""
        match message:
            case messages.LobbyState():
                return self._take_state(message)
            case messages.Refused():
                return [TurnedAway(message.why)]
            case messages.RosterOffered():
                return self._sign(message.roster)
            case messages.NoncesWanted():
                return self._publish_nonce(message)
            case messages.Reopened():
                return self._join_again()
            case messages.Began():
                return self._begin(message)
            case messages.Said():
                return [] if self.state is None else [*checked_chat(message, self.state.seats)]
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
            self._seating.avatar,
        )

    @property
    def _seated(self) -> bool:
        """Whether this peer has requested a seat; otherwise it is a spectator."""
        return bool(self._nonce)

    def _take_state(self, state: messages.LobbyState) -> list[LobbyPeerOutput]:
        names = [state.table, *(seat.name for seat in state.seats)]
        possible = is_possible(state.ruleset, state.capacity)
        strange = any(displayable_name(name) != name for name in names) or not possible
        if state.lobby != self._seating.lobby or strange:
            return [TurnedAway(LobbyRefusal.BAD_ROSTER)]
        before, self.state = self.state, state
        out: list[LobbyPeerOutput] = [Happened(state)]
        if before is None or _expected(before) != _expected(state):
            # Readiness for other rules does not count here, nor for those if they come back.
            self._ready_for, self._wants = None, False
            known = self._seating.expected in (None, _expected(state))
            if self._seated and self._seating.auto_ready and known:
                return out + self.ready()
        elif not self._wants and self._is_open_and_not_ready(state):
            self._ready_for = None
        return out

    def _is_open_and_not_ready(self, state: messages.LobbyState) -> bool:
        """Whether the host has this seat as not ready, and therefore cannot start."""
        return state.phase is messages.LobbyPhase.OPEN and not any(
            seat.ready for seat in state.seats if seat.identity == self._identity.public
        )

    def _sign(self, data: bytes) -> list[LobbyPeerOutput]:
        if not self._seated:
            return []
        if self._roster or not self._is_as_agreed(data):
            return [TurnedAway(LobbyRefusal.BAD_ROSTER)]
        self._roster = data
        return [SendToHost(messages.Agree(sign_roster(data, self._identity)))]

    def _publish_nonce(self, wanted: messages.NoncesWanted) -> list[LobbyPeerOutput]:
        """Publish the nonce, once everybody has signed the roster that this seat signed."""
        if not self._roster:
            return []
        seats, digest = decode(self._roster, Roster).seats, roster_digest(self._roster)
        signed = len(wanted.signatures) == len(seats) and all(
            verify(seat.identity, signature, digest)
            for seat, signature in zip(seats, wanted.signatures, strict=True)
        )
        if not signed:
            return [TurnedAway(LobbyRefusal.BAD_ROSTER)]
        return [SendToHost(messages.RevealNonce(self._nonce))]

    def _join_again(self) -> list[LobbyPeerOutput]:
        """Commit to another nonce after an aborted start."""
        if not self._seated:
            return []
        self._roster = b""
        self._starts += 1
        if self._starts > MOST_ABORTED_STARTS:
            return [TurnedAway(LobbyRefusal.BAD_ROSTER)]
        return [SendToHost(self._join()), *self.ready(self._wants)]

    def _is_as_agreed(self, data: bytes) -> bool:
        """Whether a roster matches what this seat agreed to."""
        try:
            roster = decode(data, Roster)
            check_roster(roster)
        except Unreadable:
            return False
        return (
            self._is_ready_for(roster)
            and self._is_of_this_table(roster)
            and self._is_bound(roster)
            and self._is_mine(roster)
        )

    def _is_ready_for(self, roster: Roster) -> bool:
        """Whether this seat is ready for these rules and for at least as many seats."""
        if self._ready_for is None:
            return False
        ruleset, capacity = self._ready_for
        return roster.ruleset == ruleset and len(roster.seats) <= capacity

    def _is_of_this_table(self, roster: Roster) -> bool:
        """Whether a roster names this lobby and this host."""
        return (
            roster.lobby == self._seating.lobby
            and roster.seats[roster.host].identity == self._seating.host
        )

    def _is_bound(self, roster: Roster) -> bool:
        """Whether a roster has the expected tournament binding, or none, and seat order."""
        order = self._seating.order
        seated = tuple(seat.identity for seat in roster.seats)
        return roster.binding == self._seating.binding and order in ((), seated)

    def _is_mine(self, roster: Roster) -> bool:
        """Whether a roster has this seat as requested, and bots of it only if it is the host."""
        public, wanted = self._identity.public, self._join_message()
        agreed = SeatInfo(
            clean_name(wanted.name) or "",
            public,
            wanted.owner,
            wanted.bot,
            wanted.slow_clock,
            wanted.nonce,
            wanted.avatar,
        )
        mine = [seat for seat in roster.seats if seat.identity == public]
        has_bots = any(seat.owner == public and seat.identity != public for seat in roster.seats)
        return mine == [agreed] and (not has_bots or public == self._seating.host)

    def _begin(self, message: messages.Began) -> list[LobbyPeerOutput]:
        genesis = message.genesis
        fits = genesis.roster == self._roster if self._seated else self._may_watch(genesis)
        try:
            genesis.read()
        except Unreadable:
            fits = False
        return [TableBegan(genesis)] if fits else [TurnedAway(LobbyRefusal.BAD_ROSTER)]

    def _may_watch(self, genesis: Genesis) -> bool:
        """Whether this is the table to watch. Once it plays, its id is the table id."""
        try:
            roster = read_roster(genesis.roster)
            check_roster(roster)
        except Unreadable:
            return False
        named = self._seating.lobby in (roster.lobby, genesis.table_id)
        return named and roster.seats[roster.host].identity == self._seating.host


def _expected(state: messages.LobbyState) -> Expected:
    """Return the rules, rounds and seats of a lobby's state."""
    return Expected(state.ruleset, state.rounds, state.capacity)
