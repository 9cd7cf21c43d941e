"""One seat's way through the waiting room: join, ready, sign the roster, publish the nonce.

Sans I/O. It signs a roster only if that says of itself what it said, for the table it joined and
the rules it saw; whatever differs is refused and nothing is signed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lanuno.dealing.identity import Identity
from lanuno.log.codec import decode
from lanuno.log.faults import Unreadable
from lanuno.log.genesis import VERSION, Roster, check_roster, nonce_commitment, sign_roster
from lanuno.table import messages
from lanuno.table.messages import FromHost, LobbyRefusal
from lanuno.table.outputs import ChatHeard, Happened, Output, TableBegan, ToHost, TurnedAway

Entropy = Callable[[int], bytes]
"""Gives so many fresh random bytes."""


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
    pin: str = ""
    auto_ready: bool = True
    """Say "ready" as soon as one sits."""


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
        self.state: messages.LobbyState | None = None
        """The waiting room as last heard."""

    def join(self) -> list[Output]:
        """Ask for a seat."""
        return [ToHost(self._join())]

    def ready(self, ready: bool = True) -> list[Output]:
        """Say that this seat may begin."""
        return [ToHost(messages.Ready(ready))]

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
                return [ToHost(messages.NonceOut(self._nonce))] if self._roster else []
            case messages.Reopened():
                self._roster = b""
                return [ToHost(self._join()), ToHost(messages.Ready(True))]
            case messages.Began():
                return self._begin(message)
            case messages.Said():
                return [ChatHeard(message.name, message.seat, message.text)]
            case _:
                return []

    def _join(self) -> messages.Join:
        self._nonce = self._entropy(32)
        return messages.Join(
            VERSION,
            self._seating.name,
            nonce_commitment(self._identity.public, self._nonce),
            self._owner,
            self._owner != self._identity.public,
            self._seating.slow_clock,
            self._seating.pin,
        )

    def _hear(self, state: messages.LobbyState) -> list[Output]:
        if state.lobby != self._seating.lobby:
            return [TurnedAway(LobbyRefusal.BAD_ROSTER)]
        first = self.state is None
        self.state = state
        heard: list[Output] = [Happened(state)]
        return heard + self.ready() if first and self._seating.auto_ready else heard

    def _sign(self, data: bytes) -> list[Output]:
        if not self._agreed(data):
            return [TurnedAway(LobbyRefusal.BAD_ROSTER)]
        self._roster = data
        return [ToHost(messages.Agree(sign_roster(data, self._identity)))]

    def _agreed(self, data: bytes) -> bool:
        """Whether a roster says of this seat and table what was agreed on."""
        try:
            roster = decode(data, Roster)
            check_roster(roster)
        except Unreadable:
            return False
        mine = [seat for seat in roster.seats if seat.identity == self._identity.public]
        return (
            len(mine) == 1
            and self.state is not None
            and roster.lobby == self._seating.lobby
            and roster.seats[roster.host].identity == self._seating.host
            and roster.ruleset == self.state.ruleset
            and mine[0].owner == self._owner
            and mine[0].nonce == nonce_commitment(self._identity.public, self._nonce)
        )

    def _begin(self, message: messages.Began) -> list[Output]:
        genesis = message.genesis
        try:
            genesis.read()
        except Unreadable:
            return [TurnedAway(LobbyRefusal.BAD_ROSTER)]
        if not self._roster or genesis.roster != self._roster:
            return [TurnedAway(LobbyRefusal.BAD_ROSTER)]
        return [TableBegan(genesis)]
