"""A waiting room for tests: players by number, and the messages of the host and of one peer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from msgspec import structs

from lanuno.dealing.identity import Identity
from lanuno.log.format.genesis import VERSION, nonce_commitment, sign_roster
from lanuno.rules.ruleset import Ruleset
from lanuno.table import messages
from lanuno.table.lobby.host import Lobby, TableOffer
from lanuno.table.lobby.peer import LobbyPeer, Seating
from lanuno.table.lobby.readiness import room_roster
from lanuno.table.messages import (
    AtTable,
    LobbyPhase,
    LobbyRefusal,
    LobbySeat,
    LobbyState,
)
from lanuno.table.outputs import CloseLink, LobbyHostOutput, Output, Send, TurnedAway
from tests.harness.host_and_seats.seat_outputs import sent_to_host

Message = TypeVar("Message")

LOBBY = b"L" * 16
HOST = 0
ME = 1


def identity(number: int) -> Identity:
    """Return a player's key; the host is number 0."""
    return Identity.from_seed(bytes([number + 1]) * 32)


def public(number: int) -> bytes:
    """Return a player's public key."""
    return identity(number).public


def nonce(number: int, turn: int = 0) -> bytes:
    """Return a player's nonce in one attempt to start."""
    return bytes([number, turn]) * 16


def offer(**changes: Any) -> TableOffer:
    """Return the host's offer."""
    usual = TableOffer(LOBBY, "mesa", Ruleset(), 3, public(HOST))
    return replace(usual, **changes)


def join(number: int, turn: int = 0, **changes: Any) -> messages.Join:
    """Return a request for a seat."""
    said: dict[str, Any] = {
        "version": VERSION,
        "name": f"player{number}",
        "nonce": nonce_commitment(public(number), nonce(number, turn)),
        "owner": public(number),
        "bot": False,
        "slow_clock": False,
    }
    return messages.Join(**{**said, **changes})


def ready(number: int, shown: LobbyState) -> messages.Ready:
    """Return a player's Ready for a room."""
    signature = sign_roster(room_roster(shown, public(HOST), None), identity(number))
    return messages.Ready(signature, shown.revision)


NOT_READY = messages.Ready(None)


class SimulatedLobby:
    """A lobby and its clock."""

    def __init__(self, **changes: Any) -> None:
        self.lobby = Lobby(offer(**changes))
        self.now = 100.0
        self.last_outputs: list[LobbyHostOutput] = []

    def send(self, number: int, *said: AtTable) -> list[LobbyHostOutput]:
        """Receive a message from a peer."""
        out: list[LobbyHostOutput] = []
        for message in said:
            out += self.lobby.receive(number, public(number), message, self.now)
        self.last_outputs = out
        return out

    def seat(self, *numbers: int, turn: int = 0) -> None:
        """Seat these players, or let them commit to new nonces."""
        for number in numbers:
            self.send(number, join(number, turn))

    def ready(self, *numbers: int) -> list[LobbyHostOutput]:
        """Let these players be ready for the present room."""
        out: list[LobbyHostOutput] = []
        for number in numbers:
            shown = self.lobby.state()
            signed = room_roster(shown, self.lobby.offer.host, self.lobby.offer.binding)
            signature = sign_roster(signed, identity(number))
            out += self.send(number, messages.Ready(signature, shown.revision))
        self.last_outputs = out
        return out

    def seat_and_ready(self, *numbers: int, turn: int = 0) -> None:
        """Seat these players and make them ready for the room that all of them make."""
        self.seat(*numbers, turn=turn)
        self.ready(*numbers)

    def reveal_nonces(self, *numbers: int, turn: int = 0) -> None:
        """Let these players publish their nonces."""
        for number in numbers:
            self.send(number, messages.RevealNonce(nonce(number, turn)))

    def tick(self, seconds: float) -> list[LobbyHostOutput]:
        """Let time pass."""
        self.now += seconds
        self.last_outputs = self.lobby.tick(self.now)
        return self.last_outputs

    def is_in(self, phase: LobbyPhase) -> bool:
        """Whether the lobby is in this phase."""
        return self.lobby.phase is phase

    @property
    def are_ready(self) -> list[bool]:
        """Return for each seat whether it is ready."""
        return [seat.ready for seat in self.lobby.state().seats]

    @property
    def names(self) -> list[str]:
        """Return the names of the seated players, in order."""
        return [seat.name for seat in self.lobby.state().seats]


def sent_to_peers(
    out: Iterable[Output], kind: type[Message], peer: int | None = None
) -> list[Message]:
    """Return the outgoing messages of one kind, to one peer or to all."""
    return [
        output.message
        for output in out
        if isinstance(output, Send)
        and isinstance(output.message, kind)
        and (peer is None or output.link == peer)
    ]


def refusal_for(out: Iterable[Output], peer: int) -> messages.LobbyRefusal | None:
    """Return the reason for which a peer was refused, if it was."""
    found = sent_to_peers(out, messages.Refused, peer)
    return found[0].why if found else None


def disconnected(out: Iterable[Output]) -> set[int]:
    """Return the peers whose connections are to be closed."""
    return {output.link for output in out if isinstance(output, CloseLink)}


def receivers(out: Iterable[Output], kind: type[AtTable]) -> set[int]:
    """Return the peers that were sent such a message."""
    return {
        output.link
        for output in out
        if isinstance(output, Send) and isinstance(output.message, kind)
    }


class SimulatedLobbyPeer:
    """A peer in the waiting room, and the host's messages to it."""

    def __init__(self, number: int = ME, **seating: Any) -> None:
        usual: dict[str, Any] = {
            "name": f"player{number}",
            "lobby": LOBBY,
            "host": public(HOST),
        }
        self.number = number
        self.drawn = 0
        self.peer = LobbyPeer(
            identity(number),
            Seating(**{**usual, **seating}),
            self.entropy,
        )
        self.joined: messages.Join | None = None

    def entropy(self, count: int) -> bytes:
        self.drawn += 1
        return bytes([self.drawn]) * count

    def join(self) -> messages.Join:
        [asked] = sent_to_host(self.peer.join())
        assert isinstance(asked, messages.Join)
        self.joined = asked
        return asked

    def receive(self, *said: messages.AtTable) -> Sequence[Output]:
        out: list[Output] = []
        for message in said:
            out += self.peer.receive(message)
        return out

    def seat(self, **changes: object) -> LobbySeat:
        """Return this peer's seat as an honest host shows it."""
        joined = self.joined
        assert joined is not None
        mine = LobbySeat(
            joined.name,
            public(self.number),
            joined.owner,
            joined.bot,
            False,
            joined.avatar,
            joined.slow_clock,
            joined.nonce,
        )
        return structs.replace(mine, **changes)

    def room(self, **changes: object) -> LobbyState:
        """Return the room of three as an honest host shows it."""
        return state(**{"seats": (seat(HOST), self.seat(), seat(2)), **changes})


def seat(number: int, **changes: object) -> LobbySeat:
    """Return another player's seat."""
    committed = nonce_commitment(public(number), nonce(number))
    shown = LobbySeat(f"player{number}", public(number), public(number), False, False)
    return structs.replace(shown, **{"nonce": committed, **changes})


def turned_away_why(out: Sequence[Output]) -> LobbyRefusal | None:
    """Return the reason for which a peer leaves the waiting room, if it does."""
    found = [output.why for output in out if isinstance(output, TurnedAway)]
    return found[0] if found else None


def state(**changes: object) -> LobbyState:
    """Return the host's view of the waiting room."""
    usual = LobbyState(LOBBY, "mesa", LobbyPhase.OPEN, Ruleset(), 3, (), 0)
    return structs.replace(usual, **changes)
