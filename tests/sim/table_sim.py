"""A whole table in one process under one seed: real machines, a fake network and a fake clock.

Everything that a driver does with real sockets and files happens here in memory and in an order
that follows from the seed, so that a failure can be played again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from lanuno.bots.sensible import SensiblePlayer
from lanuno.dealing.identity import Identity
from lanuno.log.entries import Entry
from lanuno.log.genesis import Genesis
from lanuno.log.transcript import Transcript, write
from lanuno.rules.ruleset import Ruleset
from lanuno.table import outputs
from lanuno.table.errors import TableError
from lanuno.table.lobby import Lobby, TableOffer
from lanuno.table.lobby_peer import LobbyPeer, Seating
from lanuno.table.messages import FromHost, FromPeer, from_host, from_peer, to_bytes
from lanuno.table.sequencer import Sequencer
from lanuno.table.session import Session

Tamper = Callable[["SimPeer", FromPeer], list[FromPeer]]
"""What a dishonest peer sends instead of an honest message."""


@dataclass
class SimPeer:
    """One seat's program: identity, machine, player, and what it wrote to disk."""

    number: int
    name: str
    identity: Identity
    chance: Random
    lobby: LobbyPeer
    player: SensiblePlayer
    session: Session | None = None
    genesis: Genesis | None = None
    kept: list[Entry] = field(default_factory=list)
    secrets: list[bytes] = field(default_factory=list)
    events: list[object] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    stopped: outputs.Stopped | None = None
    turned_away: outputs.TurnedAway | None = None
    connected: bool = True
    tamper: Tamper | None = None
    acted: tuple[int, int] | None = None

    @property
    def transcript(self) -> Transcript:
        """What is in this peer's journal."""
        assert self.genesis is not None
        return Transcript(self.genesis, tuple(self.kept), torn=False)

    @property
    def file(self) -> bytes:
        """The same as the bytes of a file."""
        assert self.genesis is not None
        return write(self.genesis, self.kept)


class TableSim:
    """A table with a host (seat 0's program) and its peers."""

    def __init__(
        self,
        players: int,
        seed: int = 0,
        ruleset: Ruleset | None = None,
        rounds: int | None = 1,
        bots_of_host: int = 0,
    ) -> None:
        self.label = f"players={players} seed={seed}"
        """What it takes to play the same table again."""
        self.chance = Random(seed)
        self.now = 0.0
        self.rounds = rounds
        self.ruleset = ruleset or Ruleset()
        identities = [Identity.from_seed(self.chance.randbytes(32)) for _ in range(players)]
        host = identities[0]
        bots = frozenset(bot.public for bot in identities[1 : bots_of_host + 1])
        offer = TableOffer(
            self.chance.randbytes(16), "mesa", self.ruleset, players, host.public, bots=bots
        )
        self.host = host
        self.lobby = Lobby(offer)
        self.sequencer: Sequencer | None = None
        self.journal: list[Entry] = []
        self.peers: list[SimPeer] = []
        self.to_host: deque[tuple[int, bytes]] = deque()
        self.to_peers: deque[tuple[int, bytes]] = deque()
        self.rewrite: Callable[[int, FromHost], list[FromHost]] | None = None
        """What a dishonest host sends to a peer instead of an honest message."""
        for number, identity in enumerate(identities):
            chance = Random(self.chance.random())
            bot = 0 < number <= bots_of_host
            seating = Seating(
                name=f"player{number}",
                lobby=offer.lobby,
                host=host.public,
                owner=host.public if bot else None,
            )
            lobby = LobbyPeer(identity, seating, chance.randbytes)
            self.peers.append(
                SimPeer(
                    number,
                    f"player{number}",
                    identity,
                    chance,
                    lobby,
                    SensiblePlayer(Random(chance.random())),
                )
            )

    # ---- driving ----------------------------------------------------------------------------

    def start(self) -> None:
        """Everybody joins."""
        for peer in self.peers:
            self._do_peer(peer, peer.lobby.join())

    def run(self, steps: int = 200_000) -> None:
        """Until the table is settled or nothing moves any more, however long the clock runs."""
        if self.sequencer is None and not self.to_host:
            self.start()
        for _ in range(steps):
            if self.step():
                continue
            if self.sequencer is not None and self.sequencer.settled:
                return
            if not self._let_time_pass():
                return
        raise AssertionError(f"the table did not come to an end ({self.label})")

    def step(self) -> bool:
        """Deliver one message; False if none is under way."""
        if self.to_host:
            number, data = self.to_host.popleft()
            if self.peers[number].connected:
                self._host_receives(number, from_peer(data))
            return True
        if self.to_peers:
            number, data = self.to_peers.popleft()
            if self.peers[number].connected:
                self._peer_receives(self.peers[number], from_host(data))
            return True
        acted = [self._let_player_act(peer) for peer in self.peers]
        return any(acted)

    def disconnect(self, number: int) -> None:
        """A peer's connection breaks."""
        self.peers[number].connected = False
        if self.sequencer is None:
            self._do_host(self.lobby.left(number, self.now))
        else:
            self._do_host(self.sequencer.left(number, self.now))

    def _let_time_pass(self) -> bool:
        machine = self.sequencer if self.sequencer is not None else self.lobby
        if machine.deadline is None:
            return False
        self.now = max(self.now, machine.deadline) + 0.001
        self._do_host(machine.tick(self.now))
        return True

    def _host_receives(self, number: int, message: FromPeer) -> None:
        self.now += 0.0001
        if self.sequencer is not None:
            self._do_host(self.sequencer.receive(number, message, self.now))
        else:
            public = self.peers[number].identity.public
            self._do_host(self.lobby.receive(number, public, message, self.now))

    def _do_host(self, todo: list[outputs.Output]) -> None:
        began: Sequencer | None = None
        for output in todo:
            match output:
                case outputs.ToPeer():
                    messages = [output.message]
                    if self.rewrite is not None:
                        messages = self.rewrite(output.peer, output.message)
                    for message in messages:
                        self.to_peers.append((output.peer, to_bytes(message)))
                case outputs.Disconnect():
                    self.to_peers.append((output.peer, b""))
                    self.disconnect(output.peer)
                case outputs.KeepEntry():
                    self.journal.append(output.entry)
                case outputs.TableBegan():
                    seats = {
                        peer.number: seat
                        for peer in self.peers
                        if (seat := self.lobby.seat_of(peer.number)) is not None
                    }
                    self.sequencer = Sequencer(
                        output.genesis, self.host, seats, self.now, rounds=self.rounds
                    )
                    began = self.sequencer
                case _:
                    pass
        if began is not None:
            self._do_host(began.begin(self.now))

    def _peer_receives(self, peer: SimPeer, message: FromHost) -> None:
        if peer.session is not None:
            self._do_peer(peer, peer.session.receive(message))
        else:
            self._do_peer(peer, peer.lobby.receive(message))

    def _do_peer(self, peer: SimPeer, todo: list[outputs.Output]) -> None:
        for output in todo:
            match output:
                case outputs.ToHost():
                    messages = [output.message]
                    if peer.tamper is not None:
                        messages = peer.tamper(peer, output.message)
                    for message in messages:
                        self.to_host.append((peer.number, to_bytes(message)))
                case outputs.KeepGenesis():
                    peer.genesis = output.genesis
                case outputs.KeepEntry():
                    peer.kept.append(output.entry)
                case outputs.KeepSecret():
                    peer.secrets.append(output.secret)
                case outputs.Compute():
                    assert peer.session is not None
                    self._do_peer(peer, peer.session.computed(output.job, output.work()))
                case outputs.Happened():
                    peer.events.append(output.event)
                case outputs.ActionRefused():
                    peer.refused.append(output.refusal)
                    peer.acted = None
                case outputs.Stopped():
                    peer.stopped = output
                case outputs.TurnedAway():
                    peer.turned_away = output
                case outputs.TableBegan():
                    peer.session = Session(output.genesis, peer.identity, peer.chance.randbytes)
                    self._do_peer(peer, peer.session.begin())
                case _:
                    pass

    def _let_player_act(self, peer: SimPeer) -> bool:
        session = peer.session
        if session is None or not peer.connected:
            return False
        seen = session.view()
        if seen is None or (seen.decider == seen.seat and not session.to_move):
            return False
        moment = (seen.number, seen.decision)
        if peer.acted == moment:
            return False
        action = peer.player.choose(seen)
        if action is None:
            return False
        try:
            todo = session.act(action)
        except TableError:
            return False
        peer.acted = moment
        self._do_peer(peer, todo)
        return True
