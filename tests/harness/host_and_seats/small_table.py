"""A small table in memory whose seats can be killed, recalled, and given another host, at any step.

Real sessions and a real office; what a network and a disk would do is done here, in an order that
follows from a seed. Whatever a session signs is looked at before it is delivered.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from random import Random

from lanuno.bots.autoplay import Autoplay
from lanuno.bots.sensible import SensiblePlayer
from lanuno.dealing.identity import Identity
from lanuno.log import bodies
from lanuno.log.audit import Report, audit_bytes
from lanuno.log.bodies import SignedBody
from lanuno.log.duties import Duty, answered_by, duties
from lanuno.log.entries import Entry
from lanuno.log.replay import Replay
from lanuno.log.round_record import Phase
from lanuno.log.transcript import write
from lanuno.rules.engine import Round
from lanuno.rules.ruleset import Ruleset
from lanuno.table import messages, outputs
from lanuno.table.messages import FromHost, FromPeer
from lanuno.table.outputs import Output
from lanuno.table.pages import goes_on_at
from lanuno.table.release import Released
from lanuno.table.sequencer import Sequencer
from lanuno.table.session import Session
from tests.harness.host_and_seats.moving import move
from tests.harness.host_and_seats.table_sim import Player
from tests.harness.log_table.audited_once import AuditedOnce
from tests.harness.log_table.elections import signed_vote
from tests.harness.log_table.following import followed
from tests.harness.log_table.log_table import SHORT, identity, make_genesis, make_roster
from tests.harness.node_world.disk import Disk

SECRETS = (bodies.Escrow, bodies.Unlock, bodies.Reveal, bodies.Share, bodies.HandOver)


@dataclass
class Place:
    """One seat's computer: its program, while that runs, and its disk."""

    number: int
    identity: Identity
    player: Player
    disk: Disk = field(default_factory=Disk)
    session: Session | None = None
    hand: Autoplay | None = None
    link: int = -1
    to_host: deque[FromPeer] = field(default_factory=deque)
    to_seat: deque[FromHost] = field(default_factory=deque)
    jobs: deque[outputs.Compute] = field(default_factory=deque)
    syncs: deque[outputs.Sync] = field(default_factory=deque)
    awake: bool = False
    idle: bool = False
    """Whether nobody decides anything here."""
    done: list[Output] = field(default_factory=list)

    @property
    def up(self) -> Session:
        """The running program."""
        assert self.session is not None
        return self.session


class SmallTable:
    """One table; seat 0's computer has the office at first."""

    def __init__(self, players: int = 3, seed: int = 0, ruleset: Ruleset = SHORT) -> None:
        self.chance = Random(seed)
        self.genesis = make_genesis(make_roster(players, ruleset, salt=seed), salt=seed)
        self.now = 0.0
        self.office = Sequencer.fresh(self.genesis, identity(0), 0.0, rounds=1)
        self.journal: list[Entry] = []
        """Of the office."""
        self.signed: dict[tuple[int, int], bytes] = {}
        """Everything that was ever delivered or kept, by seat and counter."""
        self.kept: set[tuple[int, int]] = set()
        self.due: dict[Duty, int] = {}
        """Behind how many entries a secret is asked for."""
        self.firm = 0
        self.deaf: Callable[[int, bodies.Body], bool] = lambda seat, body: False
        """Which bodies are lost on their way to the office."""
        self.audits = AuditedOnce()
        self.places = [
            Place(number, identity(number), SensiblePlayer(Random(seed + number)))
            for number in range(players)
        ]
        for place in self.places:
            self._start(place)
            place.link = place.number
            self._host(self.office.attach(place.link, place.number, 0, self.now))
            self.do(place, place.up.connected())
        self._links = players
        self._host(self.office.begin(self.now))

    # ---- driving ----------------------------------------------------------------------------

    def run(
        self, until: Callable[[SmallTable], bool] | None = None, steps: int = 20_000
    ) -> SmallTable:
        """Until something is so, or the log is closed and everybody has it."""
        for _ in range(steps):
            if until(self) if until is not None else self.office.settled:
                return self
            if not self.step():
                deadline = self.office.deadline
                assert deadline is not None, "nothing moves any more"
                self.now = max(self.now, deadline) + 0.001
                self._host(self.office.tick(self.now))
        raise AssertionError("that never came to be")

    def step(self) -> bool:
        """Let one thing happen; False if nothing can."""
        ready: list[Callable[[], None]] = []
        for place in self.places:
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
                ready.append(partial(self._play, place))
        if not ready:
            return False
        self.now += 0.0001
        self.chance.choice(ready)()
        return True

    def settle(self) -> SmallTable:
        """Let everything arrive; nobody decides anything."""
        for place in self.places:
            place.idle = True
        while self.step():
            pass
        for place in self.places:
            place.idle = False
            place.awake = True
        return self

    # ---- what goes wrong --------------------------------------------------------------------

    def kill(self, place: Place, *, power: bool = False) -> None:
        """Its program ends; with the power, what was not flushed may be lost as well."""
        place.session = place.hand = None
        place.jobs.clear()
        place.syncs.clear()
        if power:
            place.disk.lose_power(self.genesis, self.chance)
        self._cut(place)

    def recall(self, place: Place) -> Session:
        """Start its program again; it has no connection yet."""
        self._start(place, again=True)
        return place.up

    def connect(self, place: Place) -> list[Output]:
        """Connect to whoever is the host, as computers do."""
        self._links += 1
        place.link = self._links
        end = place.up.replay.end
        said = messages.Resume(end.term, end.count, end.head, 0)
        held = goes_on_at(self.office.replay, said)
        assert held is not None
        self._host(self.office.attach(place.link, place.number, held, self.now))
        if held < end.count:
            fetch = messages.Fetch(held)
            self._host(self.office.receive(place.link, fetch, self.now))
        out = place.up.connected()
        self.do(place, out)
        return out

    def disconnect(self, place: Place) -> None:
        """Its connection breaks; what was on its way is lost."""
        if place.session is not None:
            place.session.disconnected()
        self._cut(place)

    def elect(self, winner: Place, voters: list[Place]) -> None:
        """The host is lost, and these make another one of them the host."""
        for place in self.places:
            self.disconnect(place)
        replay = followed(self.genesis, winner.up.entries)
        term = 1 + self.office.replay.term
        votes = [
            signed_vote(each.up.replay, each.number, winner.number, term, by=each.identity)
            for each in voters
        ]
        entry, _ = replay.elect(votes, replay.times.ms, winner.identity)
        self.journal = [*winner.up.entries, entry]
        self.office = Sequencer(replay, self.journal, winner.identity, self.now, rounds=1)
        self.due.clear()
        again = followed(self.genesis, ())
        for each in self.journal:
            again.follow(each, trusted=True)
            self._note_duties(again)
        for place in self.places:
            self.connect(place)
        self._host(self.office.begin(self.now))

    def _cut(self, place: Place) -> None:
        place.to_host.clear()
        place.to_seat.clear()
        self._host(self.office.left(place.link, self.now))
        place.link = -1

    # ---- inside -----------------------------------------------------------------------------

    def _start(self, place: Place, *, again: bool = False) -> None:
        recalled = place.disk.recall(self.genesis) if again else None
        entropy = Random(self.chance.random()).randbytes
        place.session = Session(self.genesis, place.identity, entropy, recalled)
        place.hand = Autoplay(place.session, place.player)
        self.do(place, place.session.begin())

    def _host(self, todo: list[Output]) -> None:
        for output in todo:
            match output:
                case outputs.ToPeer():
                    for place in self.places:
                        if place.link == output.peer:
                            place.to_seat.append(output.message)
                case outputs.KeepEntry():
                    self.journal.append(output.entry)
                case _:
                    pass
        self._note_duties(self.office.replay)
        self.firm = max(self.firm, self.office.firm)

    def _note_duties(self, replay: Replay) -> None:
        for duty in duties(replay):
            self.due.setdefault(duty, replay.seq)

    def _to_host(self, place: Place) -> None:
        message = place.to_host.popleft()
        if isinstance(message, messages.Submit):
            body = message.body.read()
            if self.deaf(place.number, body):
                return
        self._host(self.office.receive(place.link, message, self.now))

    def deliver(self, place: Place) -> None:
        """Let a seat hear the next thing that was said to it."""
        self.do(place, place.up.receive(place.to_seat.popleft()))

    def _work(self, place: Place) -> None:
        job = place.jobs.popleft()
        self.do(place, place.up.computed(job.job, self.audits.result(job.work)))

    def _sync(self, place: Place) -> None:
        done = place.syncs.popleft()
        if done.count <= len(place.disk.entries):
            place.disk.durable = max(place.disk.durable, done.count)
        self.do(place, place.up.synced(done))

    def _play(self, place: Place) -> None:
        place.awake = False
        assert place.hand is not None
        self.do(place, move(place.hand))

    def do(self, place: Place, todo: list[Output]) -> None:
        """Carry out what a session wants."""
        place.done += todo
        disk, seat = place.disk, place.number
        for output in todo:
            match output:
                case outputs.KeepEntry():
                    disk.entries.append(output.entry)
                case outputs.CutEntries():
                    disk.cut(output.count)
                case outputs.KeepSecret():
                    disk.seeds.setdefault(seat, {})[output.open, output.label] = output.secret
                case outputs.KeepBody():
                    self._signed(seat, output.signed)
                    self.kept.add((seat, output.counter))
                    disk.bodies.setdefault(seat, {})[output.counter] = output.signed
                    disk.promise(seat, output.counter)
                case outputs.KeepRelease():
                    disk.released = Released(output.count, output.head)
                case outputs.ToHost():
                    self._says(place, output.message)
                case outputs.Sync():
                    place.syncs.append(output)
                case outputs.Compute():
                    place.jobs.append(output)
                case outputs.Changed():
                    place.awake = True
                case outputs.ActionRefused():
                    if place.hand is not None:
                        place.hand.refused()
                    place.awake = True
                case outputs.Stopped():
                    raise AssertionError(f"seat {seat} stopped: {output.blame}")
                case _:
                    pass

    def _signed(self, seat: int, signed: SignedBody) -> bodies.Body:
        body = signed.read()
        assert body.author == seat
        before = self.signed.setdefault((seat, body.counter), signed.body)
        assert before == signed.body, "one counter for two bodies"
        return body

    def _says(self, place: Place, message: FromPeer) -> None:
        if isinstance(message, messages.Ack):
            assert message.count <= place.disk.durable, "acknowledged what is on no disk"
        if isinstance(message, messages.Submit):
            body = self._signed(place.number, message.body)
            assert (place.number, body.counter) in self.kept, "sent before it was kept"
            assert place.up.caught_up, "signed before catching up"
            for duty in answered_by(place.up.replay, place.number, body.payload):
                assert duty.releases or not isinstance(body.payload, SECRETS)
                if duty.releases:
                    assert self.due[duty] <= self.firm, "a secret for what is not firm"
                    released = place.disk.released
                    assert released is not None, "a secret that nothing on the disk is about"
                    assert self.due[duty] <= released.count, "bound to less than what asked"
        if place.link >= 0:
            place.to_host.append(message)

    # ---- looking ----------------------------------------------------------------------------

    def audit(self) -> Report:
        """What the log of the office proves; every disk holds the same."""
        for place in self.places:
            assert place.disk.entries == self.journal
        return audit_bytes(write(self.genesis, self.journal))


def in_phase(number: int, phase: Phase) -> Callable[[SmallTable], bool]:
    def reached(table: SmallTable) -> bool:
        current = table.office.replay.round
        return current is not None and (current.number, current.phase) == (number, phase)

    return reached


def passes(number: int, count: int) -> Callable[[SmallTable], bool]:
    def reached(table: SmallTable) -> bool:
        current = table.office.replay.round
        if current is None or current.number != number:
            return False
        return sum(len(deal.taken) for deal in current.deals) >= count

    return reached


def unlocking(table: SmallTable) -> bool:
    current = table.office.replay.round
    return current is not None and current.number == 1 and bool(current.needs)


def turns(count: int) -> Callable[[SmallTable], bool]:
    def reached(table: SmallTable) -> bool:
        current = table.office.replay.round
        if current is None or current.phase is not Phase.PLAY or current.needs:
            return False
        return isinstance(current.engine, Round) and current.engine.turns >= count

    return reached
