"""A small table in memory whose seats can be killed, restarted and given another host at any step.

The seat sessions and the host role are real. The network and the disk are simulated here, in an
order that follows from a seed. Every body that a session signs is checked before it is delivered.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random

from lanuno.bots.autoplay import Autoplay
from lanuno.bots.sensible import SensiblePlayer
from lanuno.dealing.identity import Identity
from lanuno.log.audit.audit import Report, audit_bytes
from lanuno.log.format import bodies
from lanuno.log.format.bodies import SignedBody
from lanuno.log.format.entries import Entry
from lanuno.log.format.transcript import write
from lanuno.log.replay.due_steps import AutomaticStep, automatic_steps, steps_answered_by
from lanuno.log.replay.replay import Replay
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.engine.round import Round
from lanuno.rules.ruleset import Ruleset
from lanuno.table import messages, outputs
from lanuno.table.host.role import HostRole
from lanuno.table.log_pages import continues_at
from lanuno.table.messages import AtTable
from lanuno.table.outputs import Output
from lanuno.table.released_secrets import Released
from lanuno.table.replica.seat import SeatSession
from tests.harness.host_and_seats.acknowledging import Certificates, acknowledgement
from tests.harness.host_and_seats.moving import act_now
from tests.harness.host_and_seats.one_seat import one_seat
from tests.harness.host_and_seats.table_sim import Player
from tests.harness.log_table.audited_once import AuditedOnce
from tests.harness.log_table.elections import signed_vote
from tests.harness.log_table.log_table import SHORT, identity, make_genesis, make_roster
from tests.harness.log_table.replaying import replayed
from tests.harness.node_world.disk import Disk

SECRETS = (bodies.Escrow, bodies.Unlock, bodies.Reveal, bodies.Share, bodies.HandOver)


@dataclass
class SmallTableSeat:
    """One seat's node: its program, while it runs, and its disk."""

    number: int
    identity: Identity
    player: Player
    disk: Disk = field(default_factory=Disk)
    session: SeatSession | None = None
    autoplay: Autoplay | None = None
    link: int = -1
    to_host: deque[AtTable] = field(default_factory=deque)
    to_seat: deque[AtTable] = field(default_factory=deque)
    jobs: deque[outputs.RunJob] = field(default_factory=deque)
    syncs: deque[outputs.SyncJournal] = field(default_factory=deque)
    certificates: Certificates = field(default_factory=Certificates)
    awake: bool = False
    idle: bool = False
    """Whether no decision is made here."""
    outputs_done: list[Output] = field(default_factory=list)

    @property
    def running(self) -> SeatSession:
        """The running program."""
        assert self.session is not None
        return self.session


class SmallTable:
    """One table; seat 0's node has the host role at first."""

    def __init__(self, players: int = 3, seed: int = 0, ruleset: Ruleset = SHORT) -> None:
        self.chance = Random(seed)
        self.genesis = make_genesis(make_roster(players, ruleset, salt=seed), salt=seed)
        self.now = 0.0
        """The clock of the host."""
        self.host_role = HostRole(Replay(self.genesis), (), identity(0), 0.0, rounds=1)
        self.journal: list[Entry] = []
        self.signed: dict[tuple[int, int], bytes] = {}
        """Everything ever delivered or stored, by seat and counter."""
        self.kept: set[tuple[int, int]] = set()
        self.due: dict[AutomaticStep, int] = {}
        """The number of entries after which each secret is asked for."""
        self.final_count = 0
        self._certificates = Certificates()
        self.acknowledged: dict[int, messages.Statements] = {}
        """By owner: its newest acknowledgement, for those who connect later."""
        self.loses: Callable[[int, bodies.Body], bool] = lambda seat, body: False
        """Decides which bodies are lost on the way to the host."""
        self.audits = AuditedOnce()
        self.seats = [
            SmallTableSeat(number, identity(number), SensiblePlayer(Random(seed + number)))
            for number in range(players)
        ]
        for place in self.seats:
            self._start(place)
            place.link = place.number
            self._do_host(self.host_role.attach(place.link, place.number, 0, self.now))
            self.do(place, place.running.replica.connected())
        self._links = players
        self._do_host(self.host_role.begin(self.now))

    # ---- driving ----------------------------------------------------------------------------

    def run(
        self, until: Callable[[SmallTable], bool] | None = None, steps: int = 20_000
    ) -> SmallTable:
        """Run until a condition holds, or the log is closed and every node has it."""
        for _ in range(steps):
            if until(self) if until is not None else self.host_role.settled:
                return self
            if not self.step():
                deadline = self.host_role.deadline
                assert deadline is not None, "nothing moves any more"
                self.now = max(self.now, deadline) + 0.001
                self._do_host(self.host_role.tick(self.now))
        raise AssertionError("that never came to be")

    def step(self) -> bool:
        """Carry out one event; return False if nothing can happen."""
        ready: list[Callable[[], None]] = []
        for place in self.seats:
            if place.session is None:
                continue
            if place.to_host:
                ready.append(partial(self._to_host, place))
            if place.to_seat:
                ready.append(partial(self.deliver, place))
            if place.jobs:
                ready.append(partial(self._work, place))
            if place.syncs:
                ready.append(partial(self._sync, place))
            if place.awake and not place.idle:
                ready.append(partial(self._act_now, place))
        if not ready:
            return False
        self.now += 0.0001
        self.chance.choice(ready)()
        return True

    def settle(self) -> SmallTable:
        """Deliver every message; no seat decides anything."""
        for place in self.seats:
            place.idle = True
        while self.step():
            pass
        for place in self.seats:
            place.idle = False
            place.awake = True
        return self

    # ---- faults -----------------------------------------------------------------------------

    def kill(self, place: SmallTableSeat, *, power: bool = False) -> None:
        """Stop the program; a power failure may also lose data that was not flushed."""
        place.session = place.autoplay = None
        place.jobs.clear()
        place.syncs.clear()
        if power:
            place.disk.lose_power(self.genesis, self.chance)
        self._close_link(place)

    def restart(self, place: SmallTableSeat) -> SeatSession:
        """Start its program again; it has no connection yet."""
        self._start(place, again=True)
        return place.running

    def connect(self, place: SmallTableSeat) -> Sequence[Output]:
        """Connect to the present host, as nodes do."""
        self._links += 1
        place.link = self._links
        end = place.running.replay.end
        said = messages.Rejoin(end.term, end.count, end.head, 0)
        held = continues_at(self.host_role.replay, said)
        assert held is not None
        self._do_host(self.host_role.attach(place.link, place.number, held, self.now))
        if held < end.count:
            fetch = messages.Fetch(held)
            self._do_host(self.host_role.receive(place.link, fetch, self.now))
        place.to_seat.extend(self.acknowledged.values())
        out = place.running.replica.connected()
        self.do(place, out)
        return out

    def disconnect(self, place: SmallTableSeat) -> None:
        """Break the connection; messages on their way are lost."""
        if place.session is not None:
            place.session.replica.disconnected()
        self._close_link(place)

    def elect(self, winner: SmallTableSeat, voters: list[SmallTableSeat]) -> None:
        """Lose the host, and let these seats elect another one of them."""
        for place in self.seats:
            self.disconnect(place)
        replay = replayed(self.genesis, winner.running.replica.entries)
        term = 1 + self.host_role.replay.term
        votes = [
            signed_vote(each.running.replay, each.number, winner.number, term, by=each.identity)
            for each in voters
        ]
        entry, _ = replay.elect(votes, replay.times.ms, winner.identity)
        self.journal = [*winner.running.replica.entries, entry]
        self.host_role = HostRole(replay, self.journal, winner.identity, self.now, rounds=1)
        self.due.clear()
        again = replayed(self.genesis, ())
        for each in self.journal:
            again.follow(each, trusted=True)
            self._note_due_steps(again)
        for place in self.seats:
            self.connect(place)
        self._do_host(self.host_role.begin(self.now))

    def _close_link(self, place: SmallTableSeat) -> None:
        place.to_host.clear()
        place.to_seat.clear()
        self._do_host(self.host_role.link_down(place.link, self.now))
        place.link = -1

    # ---- inside -----------------------------------------------------------------------------

    def _start(self, place: SmallTableSeat, *, again: bool = False) -> None:
        recovered = place.disk.recovered(self.genesis) if again else None
        entropy = Random(self.chance.random()).randbytes
        place.certificates = Certificates()
        place.session = one_seat(self.genesis, place.identity, entropy, recovered)
        place.autoplay = Autoplay(place.session, place.player)
        self.do(place, place.session.replica.begin())

    def _do_host(self, todo: Sequence[Output]) -> None:
        for output in todo:
            match output:
                case outputs.Send():
                    for place in self.seats:
                        if place.link == output.link:
                            place.to_seat.append(output.message)
                case outputs.AppendEntry():
                    self.journal.append(output.entry)
                case _:
                    pass
        self._note_due_steps(self.host_role.replay)
        self.final_count = max(self.final_count, self.host_role.final_count)

    def _note_due_steps(self, replay: Replay) -> None:
        for step in automatic_steps(replay):
            self.due.setdefault(step, replay.seq)

    def _to_host(self, place: SmallTableSeat) -> None:
        message = place.to_host.popleft()
        if isinstance(message, messages.Statements):
            self.acknowledged[place.number] = message
            self._do_host(self._certificates.count(self.host_role, message, self.now))
            for other in self.seats:
                if other.link >= 0:
                    other.to_seat.append(message)
            return
        if isinstance(message, messages.Submit):
            body = message.body.read()
            if self.loses(place.number, body):
                return
        self._do_host(self.host_role.receive(place.link, message, self.now))

    def deliver(self, place: SmallTableSeat) -> None:
        """Deliver the next message to a seat."""
        message, replica = place.to_seat.popleft(), place.running.replica
        if isinstance(message, messages.Statements):
            place.certificates.hear(replica, message)
        else:
            self.do(place, replica.receive(message))
        self.do(place, place.certificates.note(replica))

    def _work(self, place: SmallTableSeat) -> None:
        job = place.jobs.popleft()
        self.do(place, place.running.job_done(job.job, self.audits.result(job.work)))

    def _sync(self, place: SmallTableSeat) -> None:
        done = place.syncs.popleft()
        if done.count <= len(place.disk.entries):
            place.disk.durable = max(place.disk.durable, done.count)
        self.do(place, place.running.replica.synced(done))

    def _act_now(self, place: SmallTableSeat) -> None:
        place.awake = False
        assert place.autoplay is not None
        self.do(place, act_now(place.autoplay))

    def do(self, place: SmallTableSeat, todo: Sequence[Output]) -> None:
        """Carry out the outputs of a session."""
        place.outputs_done += todo
        disk, seat = place.disk, place.number
        for output in todo:
            match output:
                case outputs.AppendEntry():
                    disk.entries.append(output.entry)
                case outputs.TruncateJournal():
                    disk.cut(output.count)
                case outputs.StoreSeed():
                    disk.seeds.setdefault(seat, {})[output.open, output.label] = output.secret
                case outputs.StoreBody():
                    self._check_signed(seat, output.signed)
                    self.kept.add((seat, output.counter))
                    disk.bodies.setdefault(seat, {})[output.counter] = output.signed
                    disk.promise(seat, output.counter)
                case outputs.StoreRelease():
                    disk.released = Released(output.count, output.head)
                case outputs.Send():
                    self._send(place, output.message)
                case outputs.EntriesOnDisk():
                    assert output.count <= disk.durable, "acknowledged what is on no disk"
                    if place.link >= 0:
                        replay = place.running.replay
                        said = acknowledgement(replay, seat, place.identity, output.count)
                        place.to_host.append(said)
                case outputs.SyncJournal():
                    place.syncs.append(output)
                case outputs.RunJob():
                    place.jobs.append(output)
                case outputs.ViewChanged():
                    place.awake = True
                case outputs.ActionRefused():
                    if place.autoplay is not None:
                        place.autoplay.retry()
                    place.awake = True
                case outputs.NodeStopped():
                    raise AssertionError(f"seat {seat} stopped: {output.blame}")
                case _:
                    pass

    def _check_signed(self, seat: int, signed: SignedBody) -> bodies.Body:
        body = signed.read()
        assert body.author == seat
        before = self.signed.setdefault((seat, body.counter), signed.body)
        assert before == signed.body, "one counter for two bodies"
        return body

    def _send(self, place: SmallTableSeat, message: AtTable) -> None:
        if isinstance(message, messages.Submit):
            body = self._check_signed(place.number, message.body)
            assert (place.number, body.counter) in self.kept, "sent before it was kept"
            assert place.running.replica.caught_up, "signed before catching up"
            for step in steps_answered_by(place.running.replay, place.number, body.payload):
                assert step.releases or not isinstance(body.payload, SECRETS)
                if step.releases:
                    assert self.due[step] <= self.final_count, "a secret for what is not final"
                    released = place.disk.released
                    assert released is not None, "a secret that nothing on the disk is about"
                    assert self.due[step] <= released.count, "bound to less than what asked"
        if place.link >= 0:
            place.to_host.append(message)

    # ---- queries ----------------------------------------------------------------------------

    def audit(self) -> Report:
        """Audit the host's log, and check that every disk holds the same."""
        for place in self.seats:
            assert place.disk.entries == self.journal
        return audit_bytes(write(self.genesis, self.journal))


def in_phase(number: int, phase: ProtocolPhase) -> Callable[[SmallTable], bool]:
    def reached(table: SmallTable) -> bool:
        current = table.host_role.replay.round
        return current is not None and (current.number, current.phase) == (number, phase)

    return reached


def passes(number: int, count: int) -> Callable[[SmallTable], bool]:
    def reached(table: SmallTable) -> bool:
        current = table.host_role.replay.round
        if current is None or current.number != number:
            return False
        return sum(len(deal.accepted) for deal in current.deals) >= count

    return reached


def unlocking(table: SmallTable) -> bool:
    current = table.host_role.replay.round
    return current is not None and current.number == 1 and bool(current.needs)


def turns(count: int) -> Callable[[SmallTable], bool]:
    def reached(table: SmallTable) -> bool:
        current = table.host_role.replay.round
        if current is None or current.phase is not ProtocolPhase.PLAY or current.needs:
            return False
        return isinstance(current.engine, Round) and current.engine.turns >= count

    return reached
