"""One seat's way through the lobby: join, be ready, publish the nonce. Sans I/O.

To be ready is to sign the room exactly as this peer has shown it (`readiness.py`). The peer
publishes its nonce, without which no table begins, only for the room that it has signed and still
shows, and only once. A host that shows its seat otherwise than requested, or that begins with
another room, is left (`TurnedAway`). A peer that never requests a seat is a spectator and signs
nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from msgspec.structs import replace

from lanuno.dealing.identity import Identity, verify
from lanuno.log.faults import Unreadable
from lanuno.log.format.genesis import (
    NO_NONCE,
    VERSION,
    Genesis,
    TournamentBinding,
    check_roster,
    is_possible,
    nonce_commitment,
    read_roster,
    roster_digest,
    sign_roster,
)
from lanuno.log.format.names import clean_name
from lanuno.table import messages
from lanuno.table.chat import checked_chat, displayable_name
from lanuno.table.lobby.readiness import MatchTerms, match_terms, room_roster, terms
from lanuno.table.messages import AtTable, LobbyRefusal
from lanuno.table.outputs import TO_HOST, Happened, LobbyPeerOutput, Send, TableBegan, TurnedAway

Entropy = Callable[[int], bytes]
"""Returns the given number of random bytes."""


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
    """For a table of a tournament: the binding that the roster must have, also to be watched."""
    order: tuple[bytes, ...] = ()
    """The identities of the seats in order, if they are known in advance."""
    auto_ready: bool = True
    """Whether to be ready for any room, as a program is, or for any of the `expected` match."""
    expected: MatchTerms | None = None
    """The only match for which to be ready without a click; without `auto_ready` only once. A
    spectator watches no other."""


class LobbyPeer:
    """A peer in a lobby, with or without a seat."""

    def __init__(self, identity: Identity, seating: Seating, entropy: Entropy) -> None:
        """`entropy`: the source of the nonce."""
        self._identity = identity
        self._seating = seating
        self._entropy = entropy
        self._owner = seating.owner or identity.public
        self._nonce = b""
        self._revealed = False
        """Whether the nonce was published. Then nothing more is signed with it."""
        self._signed = b""
        """The roster that this seat has signed, as long as the host may begin with it."""
        self._wants = False
        """Whether this seat is ready for the room as it is shown."""
        self._clicked = seating.expected is not None
        """Whether the player has been ready for the expected match before it was shown."""
        self.state: messages.LobbyState | None = None
        """The last state of the lobby from the host."""

    def join(self) -> list[LobbyPeerOutput]:
        """Request a seat."""
        return [Send(TO_HOST, self._join())]

    def watch(self) -> list[LobbyPeerOutput]:
        """Request to watch."""
        return [Send(TO_HOST, messages.Watch(VERSION, self._seating.name))]

    def ready(
        self, ready: bool = True, shown: messages.LobbyState | None = None
    ) -> list[LobbyPeerOutput]:
        """Announce that this seat is ready, or not ready yet.

        `shown`: the room that the player saw on the screen; None for the present one. Sends nothing
        if it has changed since.
        """
        if self.state is None or (
            ready and shown is not None and terms(shown) != terms(self.state)
        ):
            return []
        self._wants = ready
        if not ready:
            self._clicked = False
            return [Send(TO_HOST, messages.Ready(None))]
        self._signed = b""
        return self._sign()

    def take_seat(self, place: int) -> list[LobbyPeerOutput]:
        """Request another place at the table."""
        return [Send(TO_HOST, messages.TakeSeat(place))]

    def say(self, text: str) -> list[LobbyPeerOutput]:
        """Send a line of chat."""
        return [Send(TO_HOST, messages.Say(text[: messages.LONGEST_CHAT]))]

    def receive(self, message: AtTable) -> list[LobbyPeerOutput]:
        """Handle a message from the host."""
        match message:
            case messages.LobbyState():
                return self._take_state(message)
            case messages.Refused():
                return [TurnedAway(message.why)]
            case messages.NoncesWanted():
                return self._publish_nonce(message)
            case messages.Began():
                return self._begin(message)
            case messages.Said():
                return [] if self.state is None else [*checked_chat(message, self.state.seats)]
            case _:
                return []

    def _join(self) -> messages.Join:
        self._nonce, self._revealed, self._signed = self._entropy(32), False, b""
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
        # No window has a place for more players than seats.
        possible = is_possible(state.ruleset, state.capacity) and len(state.seats) <= state.capacity
        strange = any(displayable_name(name) != name for name in names) or not possible
        if state.lobby != self._seating.lobby or strange or not self._is_right_about_me(state):
            return [TurnedAway(LobbyRefusal.BAD_ROSTER)]
        before, self.state = self.state, state
        if before is None or terms(before) != terms(state):
            # Readiness for another room does not count here, nor for that one if it comes back.
            self._wants, self._signed = self._is_ready_by_itself(state), b""
        elif before.revision != state.revision or self._has_withdrawn(before, state):
            # The host takes no signature of an earlier revision. Another one needs no click.
            self._signed = b""
        if self._is_start_broken_off(before, state):
            self._wants = self._seating.auto_ready and self._wants
            said: list[LobbyPeerOutput] = [Send(TO_HOST, self._join())]
        else:
            said = self._sign()
        return [Happened(self._as_known_here(state)), *said]

    def _is_ready_by_itself(self, state: messages.LobbyState) -> bool:
        """Whether this seat is ready for a room without a click on it."""
        if self._seating.expected not in (None, match_terms(state)):
            return False
        if self._seating.auto_ready:
            return True
        clicked, self._clicked = self._clicked, False
        return clicked

    def _as_known_here(self, state: messages.LobbyState) -> messages.LobbyState:
        """Return the state in which this seat is ready if the host may begin with its signature.

        It may also do so while it has not heard yet that the player takes it back.
        """
        mine, signed = self._seat_in(state), bool(self._signed)
        seats = (replace(each, ready=signed) if each is mine else each for each in state.seats)
        return replace(state, seats=tuple(seats))

    def _seat_in(self, state: messages.LobbyState | None) -> messages.LobbySeat | None:
        """Return this peer's seat."""
        seats = () if state is None or not self._seated else state.seats
        return next((each for each in seats if each.identity == self._identity.public), None)

    def _is_right_about_me(self, state: messages.LobbyState) -> bool:
        """Whether a state has this seat as requested, and bots of it only if it is the host."""
        if not self._seated:
            return True
        public, wanted = self._identity.public, self._join_message()
        agreed = messages.LobbySeat(
            clean_name(wanted.name) or "",
            public,
            wanted.owner,
            wanted.bot,
            False,
            wanted.avatar,
            wanted.slow_clock,
        )
        mine = [seat for seat in state.seats if seat.identity == public]
        has_bots = any(seat.owner == public and seat.identity != public for seat in state.seats)
        as_requested = all(replace(seat, ready=False, nonce=NO_NONCE) == agreed for seat in mine)
        return len(mine) <= 1 and as_requested and (not has_bots or public == self._seating.host)

    def _has_withdrawn(self, before: messages.LobbyState, state: messages.LobbyState) -> bool:
        """Whether the host cannot start any more, because it has heard that this seat is not ready.

        A state from before it heard of the signature has this seat as not ready, too.
        """
        mine, earlier = self._seat_in(state), self._seat_in(before)
        if self._wants or mine is None or earlier is None:
            return False
        return state.phase is messages.LobbyPhase.OPEN and earlier.ready and not mine.ready

    def _is_start_broken_off(
        self, before: messages.LobbyState | None, state: messages.LobbyState
    ) -> bool:
        """Whether the host has just asked all seats for new nonces."""
        mine, earlier = self._seat_in(state), self._seat_in(before)
        if mine is None or mine.nonce != NO_NONCE:
            return False
        return earlier is not None and earlier.nonce != NO_NONCE

    def _sign(self) -> list[LobbyPeerOutput]:
        """Sign the room if this seat is ready for it and has not signed it.

        A new nonce of another seat needs another signature, but no click of the player.
        """
        mine = self._seat_in(self.state)
        committed = nonce_commitment(self._identity.public, self._nonce)
        if self.state is None or mine is None or not self._wants:
            return []
        if self._revealed or mine.nonce != committed:
            return []
        roster = room_roster(self.state, self._seating.host, self._seating.binding)
        order = self._seating.order
        seated = tuple(seat.identity for seat in self.state.seats)
        if not roster or roster == self._signed or order not in ((), seated):
            return []
        self._signed = roster
        signature = sign_roster(roster, self._identity)
        return [Send(TO_HOST, messages.Ready(signature, self.state.revision))]

    def _publish_nonce(self, wanted: messages.NoncesWanted) -> list[LobbyPeerOutput]:
        """Publish the nonce, once all seats have signed the room that this seat signed."""
        if not self._seated or self._revealed:
            return []
        if not self._is_signed_by_all(wanted.signatures):
            return [TurnedAway(LobbyRefusal.BAD_ROSTER)]
        self._revealed = True
        return [Send(TO_HOST, messages.RevealNonce(self._nonce))]

    def _is_signed_by_all(self, signatures: tuple[bytes, ...]) -> bool:
        """Whether these sign the room that this seat has signed, and it makes a table."""
        try:
            roster = read_roster(self._signed)
            check_roster(roster)
        except Unreadable:
            return False
        digest = roster_digest(self._signed)
        return len(signatures) == len(roster.seats) and all(
            verify(seat.identity, signature, digest)
            for seat, signature in zip(roster.seats, signatures, strict=True)
        )

    def _begin(self, message: messages.Began) -> list[LobbyPeerOutput]:
        genesis = message.genesis
        mine = self._revealed and genesis.roster == self._signed
        fits = mine if self._seated else self._may_watch(genesis)
        try:
            genesis.read()
        except Unreadable:
            fits = False
        return [TableBegan(genesis)] if fits else [TurnedAway(LobbyRefusal.BAD_ROSTER)]

    def _may_watch(self, genesis: Genesis) -> bool:
        """Whether this is the table to watch, and its host may be the one that was reached.

        Once the table plays, its id is the table id, and every owner may have become the host.
        """
        try:
            roster = read_roster(genesis.roster)
            check_roster(roster)
        except Unreadable:
            return False
        seating = self._seating
        owners = {seat.owner for seat in roster.seats}
        first = roster.seats[roster.host].identity
        hosts = {roster.lobby: {first}, genesis.table_id: owners}
        return (
            seating.host in hosts.get(seating.lobby, ())
            and seating.binding in (None, roster.binding)
            and seating.expected in (None, match_terms(roster))
        )
