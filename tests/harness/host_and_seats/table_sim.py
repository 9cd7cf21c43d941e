"""A whole table in one process under one seed: real machines, a fake network and a fake clock.

The work of a driver with sockets, threads and files happens in memory. Messages of one connection
keep their order. Which connection, job or player comes next follows from the seed, so that a
failure can be repeated. Only sealed boxes use the library's own randomness. Therefore a table with
four or more owners, or with shown hands, differs in each run from its second round on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Protocol

from lanuno.bots.sensible import SensiblePlayer
from lanuno.dealing.identity import Identity
from lanuno.log.faults import Unreadable
from lanuno.log.format.entries import Entry
from lanuno.log.format.genesis import Genesis
from lanuno.log.format.transcript import Transcript, write
from lanuno.log.replay.replay import Replay
from lanuno.rules.engine.actions import ANY_TIME, Action
from lanuno.rules.ruleset import Ruleset
from lanuno.rules.view import SeatView
from lanuno.table import messages, outputs
from lanuno.table.errors import TableError
from lanuno.table.host.role import HostRole
from lanuno.table.lobby.host import Lobby, TableOffer
from lanuno.table.lobby.peer import LobbyPeer, Seating
from lanuno.table.messages import AtTable, at_table, from_peer, to_bytes
from lanuno.table.replica.seat import SeatSession
from tests.harness.host_and_seats.acknowledging import Certificates, acknowledgement
from tests.harness.host_and_seats.one_seat import one_seat
from tests.harness.log_table.audited_once import AuditedOnce

Tamper = Callable[["SimPeer", AtTable], Iterable[AtTable | bytes]]
"""Returns the messages that a dishonest peer sends instead of an honest one."""

Rewrite = Callable[[int, AtTable], Iterable[AtTable | bytes]]
"""Returns the messages that a dishonest host sends to a peer instead of an honest one."""


class Player(Protocol):
    """Decides for a seat."""

    def choose(self, seen: SeatView) -> Action | None:
        """Return the act to do now, if any."""


@dataclass
class SimPeer:
    """One seat's program: identity, machine, player, and the data that it wrote."""

    number: int
    name: str
    identity: Identity
    chance: Random
    lobby: LobbyPeer
    player: Player
    session: SeatSession | None = None
    genesis: Genesis | None = None
    journal: list[Entry] = field(default_factory=list)
    """Its journal."""
    secrets: list[bytes] = field(default_factory=list)
    outputs_done: list[outputs.Output] = field(default_factory=list)
    """All outputs of its machines."""
    refused: list[str] = field(default_factory=list)
    stopped: outputs.NodeStopped | None = None
    turned_away: outputs.TurnedAway | None = None
    connected: bool = True
    tamper: Tamper | None = None
    acted: set[tuple[int, int, bool]] = field(default_factory=set)
    """The decisions answered, and whether by an act that answers no decision."""
    awake: bool = False
    """Whether its view has changed since its player last looked."""
    jobs: deque[outputs.RunJob] = field(default_factory=deque)
    certificates: Certificates = field(default_factory=Certificates)
    to_host: deque[bytes] = field(default_factory=deque)
    to_peer: deque[bytes] = field(default_factory=deque)

    @property
    def events(self) -> list[object]:
        """The events that this peer has received."""
        return [each.event for each in self.outputs_done if isinstance(each, outputs.Happened)]

    @property
    def transcript(self) -> Transcript:
        """The contents of this peer's journal."""
        assert self.genesis is not None
        return Transcript(self.genesis, tuple(self.journal), torn=False)

    @property
    def file(self) -> bytes:
        """The same as the bytes of a file."""
        assert self.genesis is not None
        return write(self.genesis, self.journal)

    @property
    def seat_session(self) -> SeatSession:
        """Its session, once the table has begun."""
        assert self.session is not None
        return self.session


class TableSim:
    """A table with a host (seat 0's program) and its peers."""

    def __init__(
        self,
        players: int,
        seed: int = 0,
        ruleset: Ruleset | None = None,
        rounds: int | None = 1,
        bots_of_host: int = 0,
        spectators: int = 0,
        slow: frozenset[int] = frozenset(),
    ) -> None:
        """`spectators`: how many `admit_spectators` admits. `slow`: seats with the slow clock."""
        self.label = f"players={players} seed={seed}"
        """The arguments that play the same table again."""
        self.chance = Random(seed)
        self.now = 0.0
        self.rounds = rounds
        self.ruleset = ruleset or Ruleset()
        identities = [
            Identity.from_seed(self.chance.randbytes(32)) for _ in range(players + spectators)
        ]
        host = identities[0]
        bots = frozenset(bot.public for bot in identities[1 : bots_of_host + 1])
        self.offer = TableOffer(
            self.chance.randbytes(16), "mesa", self.ruleset, players, host.public, bots=bots
        )
        self.host = host
        self.lobby = Lobby(self.offer)
        self.host_role: HostRole | None = None
        self._certificates = Certificates()
        self.journal: list[Entry] = []
        self.peers: list[SimPeer] = []
        self.rewrite: Rewrite | None = None
        self.on_entry: Callable[[SimPeer, Entry], None] | None = None
        """Called after a peer has appended an entry."""
        for number, identity in enumerate(identities):
            chance = Random(self.chance.random())
            bot = 0 < number <= bots_of_host
            seating = Seating(
                name=f"player{number}",
                lobby=self.offer.lobby,
                host=host.public,
                owner=host.public if bot else None,
                slow_clock=number in slow,
            )
            lobby = LobbyPeer(identity, seating, chance.randbytes)
            player = SensiblePlayer(Random(chance.random()))
            name = f"player{number}"
            self.peers.append(SimPeer(number, name, identity, chance, lobby, player))
        self.seated = self.peers[:players]
        self.spectators = self.peers[players:]
        self.bots = self.peers[1 : bots_of_host + 1]
        self.every_audit = False
        """Whether each peer makes its own audit, as real ones do; else equal logs share one."""
        self.audits = AuditedOnce()
        self._started = False

    # ---- driving ----------------------------------------------------------------------------

    def start(self) -> None:
        """Let all peers join in turn: a peer's number is its seat."""
        self._started = True
        for peer in self.seated:
            self._do_peer(peer, peer.lobby.join())
            while peer.to_host:
                self._host_receives(peer)

    def admit_spectators(self) -> None:
        """Admit the spectators."""
        for peer in self.spectators:
            self._do_peer(peer, peer.lobby.watch())

    def run(self, steps: int = 200_000) -> None:
        """Run until the table is settled or nothing moves any more, however long that takes."""
        if not self._started:
            self.start()
        for _ in range(steps):
            if self.step():
                continue
            if self.host_role is not None and self.host_role.settled:
                return
            if not self.let_time_pass():
                return
        raise AssertionError(f"the table did not come to an end ({self.label})")

    def run_until(self, reached: Callable[[], bool], steps: int = 100_000) -> None:
        """Run until a condition holds; the clock advances only if nothing else moves."""
        if not self._started:
            self.start()
        for _ in range(steps):
            if reached():
                return
            if not self.step() and not self.let_time_pass():
                break
        raise AssertionError(f"that never came to be ({self.label})")

    def step(self) -> bool:
        """Carry out one random event; return False if nothing can happen."""
        ready: list[Callable[[], None]] = []
        for peer in self.peers:
            if peer.to_host:
                ready.append(partial(self._host_receives, peer))
            if peer.to_peer:
                ready.append(partial(self._peer_receives, peer))
            if peer.jobs:
                ready.append(partial(self._run_job, peer))
            if peer.awake:
                ready.append(partial(self._let_player_act, peer))
        if not ready:
            return False
        ready[self.chance.randrange(len(ready))]()
        return True

    def let_time_pass(self) -> bool:
        """Advance to the host's next deadline, if there is one."""
        machine = self.host_role if self.host_role is not None else self.lobby
        if machine.deadline is None:
            return False
        self.now = max(self.now, machine.deadline) + 0.001
        self.tick()
        return True

    def tick(self) -> None:
        """Let the host look at its clock."""
        machine = self.host_role if self.host_role is not None else self.lobby
        self._do_host(machine.tick(self.now))

    def disconnect(self, number: int) -> None:
        """Break a peer's connection."""
        peer = self.peers[number]
        if not peer.connected:
            return
        peer.connected, peer.awake = False, False
        peer.to_host.clear()
        peer.to_peer.clear()
        if self.host_role is None:
            self._do_host(self.lobby.link_down(number, self.now))
        else:
            self._do_host(self.host_role.link_down(number, self.now))

    def stop(self) -> None:
        """Let the host end the table."""
        assert self.host_role is not None
        self._do_host(self.host_role.stop(self.now))

    def act(self, number: int, todo: Sequence[outputs.Output]) -> None:
        """Carry out outputs that a test has caused."""
        self._do_peer(self.peers[number], todo)

    # ---- inside -----------------------------------------------------------------------------

    def _host_receives(self, peer: SimPeer) -> None:
        self.now += 0.0001
        data = peer.to_host.popleft()
        number = self._link_of(peer)
        try:
            message = from_peer(data)
        except Unreadable:
            self.disconnect(peer.number)
            return
        if self.host_role is not None and isinstance(message, messages.Watch):
            self._do_host(self.host_role.watch(number, message.name, peer.identity.public))
        elif self.host_role is not None and isinstance(message, messages.Statements):
            if number == peer.number:
                self._do_host(self._certificates.count(self.host_role, message, self.now))
                for link in range(len(self.peers)):
                    self._send(outputs.Send(link, message))
        elif self.host_role is not None:
            if number == peer.number or not isinstance(message, messages.Fetch):
                self._do_host(self.host_role.receive(number, message, self.now))
        else:
            public = peer.identity.public
            self._do_host(self.lobby.receive(peer.number, public, message, self.now))

    def _do_host(self, todo: Sequence[outputs.Output]) -> None:
        began: HostRole | None = None
        for output in todo:
            match output:
                case outputs.Send():
                    self._send(output)
                case outputs.CloseLink():
                    self._close_link(output.link)
                case outputs.AppendEntry():
                    self.journal.append(output.entry)
                case outputs.TableBegan():
                    self.host_role = HostRole(
                        Replay(output.genesis), (), self.host, self.now, rounds=self.rounds
                    )
                    began = self.host_role
                    for peer in self.seated:
                        seat = self.lobby.seat_of(peer.number)
                        if seat is not None and began.replay.owner_of(seat) == seat:
                            began.attach(peer.number, seat, 0, self.now)
                case _:
                    pass
        if began is not None:
            for spectator, who in self.lobby.watching.items():
                self._do_host(began.watch(spectator, who.name, who.identity))
            self._do_host(began.begin(self.now))

    def _link_of(self, peer: SimPeer) -> int:
        """Return whose link carries a peer's messages after genesis: the host's for its bots."""
        return 0 if peer in self.bots else peer.number

    def _send(self, output: outputs.Send) -> None:
        """Send to one node, that is to every peer on it."""
        if output.link >= len(self.peers):
            return
        here = [self.peers[output.link]]
        if output.link == 0 and self.host_role is not None:
            here += self.bots
        for peer in here:
            if peer.connected:
                self._send_to(peer, output.message)

    def _send_to(self, peer: SimPeer, said: AtTable) -> None:
        if self.rewrite is None:
            peer.to_peer.append(to_bytes(said))
            return
        for message in self.rewrite(peer.number, said):
            peer.to_peer.append(message if isinstance(message, bytes) else to_bytes(message))

    def _close_link(self, number: int) -> None:
        """Close a connection; messages sent earlier still arrive."""
        peer = self.peers[number]
        last = list(peer.to_peer)
        self.disconnect(number)
        peer.to_peer.extend(last)

    def _peer_receives(self, peer: SimPeer) -> None:
        try:
            message = at_table(peer.to_peer.popleft())
        except Unreadable:
            self.disconnect(peer.number)
            return
        if peer.session is not None and isinstance(message, messages.Statements):
            peer.certificates.hear(peer.session.replica, message)
            self._do_peer(peer, peer.certificates.note(peer.session.replica))
        elif peer.session is not None:
            self._do_peer(peer, peer.session.replica.receive(message))
            self._do_peer(peer, peer.certificates.note(peer.session.replica))
        else:
            self._do_peer(peer, peer.lobby.receive(message))

    def _run_job(self, peer: SimPeer) -> None:
        job = peer.jobs.popleft()
        result = job.work() if self.every_audit else self.audits.result(job.work)
        self._do_peer(peer, peer.seat_session.job_done(job.job, result))

    def _do_peer(self, peer: SimPeer, todo: Sequence[outputs.Output]) -> None:
        peer.outputs_done += todo
        for output in todo:
            match output:
                case outputs.Send():
                    self._send_to_host(peer, output.message)
                case outputs.EntriesOnDisk() if peer in self.seated and peer not in self.bots:
                    replay = peer.seat_session.replay
                    said = acknowledgement(replay, peer.number, peer.identity, output.count)
                    self._send_to_host(peer, said)
                case outputs.StoreGenesis():
                    peer.genesis = output.genesis
                case outputs.AppendEntry():
                    peer.journal.append(output.entry)
                    if self.on_entry is not None:
                        self.on_entry(peer, output.entry)
                case outputs.StoreSeed():
                    peer.secrets.append(output.secret)
                case outputs.SyncJournal():
                    self._do_peer(peer, peer.seat_session.replica.synced(output))
                case outputs.RunJob():
                    peer.jobs.append(output)
                case outputs.ViewChanged():
                    peer.awake = peer.connected
                case outputs.ActionRefused():
                    peer.refused.append(output.refusal)
                    peer.acted.clear()
                case outputs.NodeStopped():
                    peer.stopped = output
                    peer.connected, peer.awake = False, False
                    peer.to_peer.clear()
                    self._close_link_to_host(peer)
                case outputs.TurnedAway():
                    peer.turned_away = output
                case outputs.TableBegan():
                    identity = peer.identity if peer in self.seated else None
                    peer.session = one_seat(output.genesis, identity, peer.chance.randbytes)
                    self._do_peer(peer, peer.session.replica.begin())
                    self._do_peer(peer, peer.session.replica.connected())
                case _:
                    pass

    def _send_to_host(self, peer: SimPeer, message: AtTable) -> None:
        if not peer.connected:
            return
        if peer.tamper is None:
            peer.to_host.append(to_bytes(message))
            return
        for each in peer.tamper(peer, message):
            peer.to_host.append(each if isinstance(each, bytes) else to_bytes(each))

    def _close_link_to_host(self, peer: SimPeer) -> None:
        """A peer that stops closes its connection."""
        peer.to_host.clear()
        if self.host_role is not None:
            self._do_host(self.host_role.link_down(peer.number, self.now))

    def _let_player_act(self, peer: SimPeer) -> None:
        peer.awake = False
        session = peer.session
        seen = None if session is None else session.view()
        if session is None or seen is None or seen.seat is None:
            return
        if seen.decider == seen.seat and not session.to_move:
            return
        action = peer.player.choose(seen)
        moment = (seen.number, seen.decision, isinstance(action, ANY_TIME))
        if action is None or moment in peer.acted:
            return
        try:
            todo = session.act(action)
        except TableError:
            return
        peer.acted.add(moment)
        self._do_peer(peer, todo)
