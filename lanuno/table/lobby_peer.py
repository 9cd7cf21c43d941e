"""One seat's way through the waiting room: join, ready, sign the roster, publish the nonce.

Sans I/O. It signs a roster only if that says of itself what it said, for the table it joined and
the rules it saw; whatever differs is refused and nothing is signed.
"""

from __future__ import annotations

from collections.abc import Callable

from lanuno.dealing.identity import Identity
from lanuno.log.codec import decode
from lanuno.log.faults import Unreadable
from lanuno.log.genesis import VERSION, Roster, check_roster, nonce_commitment, sign_roster
from lanuno.table import messages
from lanuno.table.messages import FromHost, LobbyPhase, LobbyRefusal
from lanuno.table.outputs import ChatHeard, Happened, Output, TableBegan, ToHost, TurnedAway

Entropy = Callable[[int], bytes]
"""Gives so many fresh random bytes."""


class LobbyPeer:
    """One seat before genesis."""

    def __init__(
        self,
        identity: Identity,
        name: str,
        entropy: Entropy,
        *,
        lobby: bytes,
        host: bytes,
        owner: bytes | None = None,
        slow_clock: bool = False,
        pin: str = "",
    ) -> None:
        """`lobby` and `host`: what the handshake proved; `owner`: for a bot, its owner."""
        self._identity = identity
        self._name = name
        self._entropy = entropy
        self._lobby = lobby
        self._host = host
        self._owner = owner or identity.public
        self._slow_clock = slow_clock
        self._pin = pin
        self._nonce = b""
        self._roster = b""
        self._began = False
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
            self._name,
            nonce_commitment(self._identity.public, self._nonce),
            self._owner,
            self._owner != self._identity.public,
            self._slow_clock,
            self._pin,
        )

    def _hear(self, state: messages.LobbyState) -> list[Output]:
        if state.lobby != self._lobby:
            return [TurnedAway(LobbyRefusal.BAD_ROSTER)]
        first = self.state is None
        self.state = state
        heard: list[Output] = [Happened(state)]
        return heard + self.ready() if first and state.phase is LobbyPhase.OPEN else heard

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
            and roster.lobby == self._lobby
            and roster.seats[roster.host].identity == self._host
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
