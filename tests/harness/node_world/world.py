"""Whole tables of nodes under one seed: a simulated clock, network and disk.

Every simulated node has a real `Node`; what a node runtime does with sockets, threads and files
happens here in memory. Everything random follows from the seed but the boxes, which the library
seals at random: a run repeats where `deterministic_boxes` or `repeatable` replaces that.
`invariants.py` checks every output, `faults.py` chooses what goes wrong and when, and
`lying_nodes.py` has the nodes that lie.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Protocol

from msgspec.structs import replace

from lanuno.bots.autoplay import Autoplay
from lanuno.bots.player import Player
from lanuno.bots.sensible import SensiblePlayer
from lanuno.dealing.identity import Identity
from lanuno.log.format.genesis import (
    VERSION,
    Genesis,
    Roster,
    SeatInfo,
    encode_roster,
    nonce_commitment,
    sign_roster,
)
from lanuno.log.format.transcript import Transcript
from lanuno.rules.engine.actions import Action
from lanuno.rules.ruleset import Ruleset
from lanuno.table import inputs, outputs
from lanuno.table.messages import AtTable
from lanuno.table.node import Node, NodeConfig
from lanuno.table.released_secrets import Released
from lanuno.table.replica.seat import SeatSession
from tests.harness.log_table.audited_once import AuditedOnce
from tests.harness.node_world.disk import Disk

SILENCE_SECONDS = 4.0
"""Seconds after which a link that carries nothing is given up."""


class Adversary(Protocol):
    """Turns the honest program of a node into a dishonest one."""

    def program_started(self, world: World, node: SimulatedNode) -> None:
        """Called right after the node's program has started."""

    def outgoing(self, node: SimulatedNode, link: int, message: AtTable) -> Iterable[AtTable]:
        """Return the messages that the node sends instead of this one."""


@dataclass(frozen=True)
class NetworkFaults:
    """The delays of messages between nodes, in seconds."""

    min_delay: float = 0.002
    jitter: float = 0.0
    stall_chance: float = 0.0
    """The probability that a message, and all later ones on its connection, is delayed further."""
    max_stall: float = 2.5
    """The longest further delay; a link that is silent for 4 s is given up."""


@dataclass
class TargetedCrash:
    """A crash of a node at an output of a certain kind."""

    output: type
    moment: str
    """`before` the output, `behind` it, or `after` all outputs of the same call."""
    skipped: int = 0
    """The number of such outputs that are carried out first."""


@dataclass
class SimulatedNode:
    """One node: its identities, its disk, and its program while the program runs."""

    number: int
    """Also the owner's seat."""
    config: NodeConfig = field(repr=False)
    address: str = field(repr=False)
    disk: Disk = field(default_factory=Disk, repr=False)
    program: Node | None = None
    players: list[Autoplay] = field(default_factory=list)
    links: dict[int, tuple[SimulatedNode, int]] = field(default_factory=dict, repr=False)
    """By the number of a link at this node: the other node, and the link's number there."""
    adversary: Adversary | None = None
    """The dishonest part of this node, if it has one."""
    idle: bool = False
    """Whether the person at this node does nothing."""
    left: bool = False
    """Whether the owner has left on purpose and will not return."""
    run_number: int = 0
    """How often the program has crashed. Requests of an earlier run are void."""
    stopped: outputs.NodeStopped | None = None
    targeted_crash: TargetedCrash | None = None
    awake: bool = False
    due: tuple[int, float] | None = None
    """The run in which the program next looks at its clock, and the time."""

    @property
    def running(self) -> Node:
        """The running program."""
        assert self.program is not None
        return self.program

    @property
    def honest(self) -> bool:
        """Whether no adversary controls this node."""
        return self.adversary is None


class World:
    """One table and everything around it."""

    def __init__(
        self,
        owners: int,
        seed: int,
        *,
        bots: Collection[int] = (),
        slow: Collection[int] = (),
        ruleset: Ruleset | None = None,
        rounds: int = 1,
    ) -> None:
        """`bots`: the owner of each bot; bots sit after the people.

        `slow`: the seats with the slow clock.
        """
        self.chance = Random(seed)
        self.seed = seed
        self.now = 0.0
        self.network_faults = NetworkFaults()
        self.most_work_seconds = 0.05
        """The longest duration of a job, in seconds."""
        self.all_found = False
        """Whether every node can be found anywhere, not only the host."""
        self.events: list[tuple[float, int, object]] = []
        """The events of the nodes: time, number of the node, and event."""
        self.trace: list[str] | None = None
        self.on_output: Callable[[SimulatedNode, outputs.Output], None] | None = None
        self.make_player: Callable[[SeatSession], Player] = self._sensible_player
        """Returns the player that decides for a seat."""
        self.blocked: set[frozenset[int]] = set()
        """Pairs of nodes whose connections carry nothing."""
        self.failed_connects: set[tuple[int, int]] = (
            set()
        )  # nodes, and owners not reached from there
        self._heap: list[tuple[float, int, Callable[[], None]]] = []
        self._count = 0
        self._links = 0
        self._moves = 0
        self._last_arrival: dict[int, float] = {}
        """By link: the arrival time of the last message sent over it."""
        self._dead_links: set[int] = set()
        """Links that have lost a message: nothing sent later arrives either."""
        self.audits = AuditedOnce()
        people = [Identity.from_seed(self.chance.randbytes(32)) for _ in range(owners)]
        robots = [(Identity.from_seed(self.chance.randbytes(32)), owner) for owner in bots]
        seats = [(person, person) for person in people]
        seats += [(bot, people[owner]) for bot, owner in robots]
        self.genesis = _genesis(seats, frozenset(slow), ruleset or Ruleset(), self.chance)
        self.nodes = [
            SimulatedNode(
                number,
                NodeConfig(
                    identities=(person, *(bot for bot, owner in robots if owner == number)),
                    entropy=Random(self.chance.random()).randbytes,
                    rounds=rounds,
                    port=40_000 + number,
                ),
                f"10.0.0.{number}",
            )
            for number, person in enumerate(people)
        ]

    # ---- driving ----------------------------------------------------------------------------

    def start(self) -> None:
        """Begin the log, with every node connected to the host."""
        host = self.nodes[0]
        for node in self.nodes:
            node.program = Node(self.genesis, node.config)
            self._create_players(node)
        for guest in self.nodes[1:]:
            self._connect(guest, host)
        for node in self.nodes:
            self.do(node, node.running.step(inputs.NodeStarted(), self.now))

    def run(
        self,
        until: Callable[[], bool],
        most: float = 3_600.0,
        steps: int = 400_000,
        every: int = 1,
    ) -> bool:
        """Run until a condition holds; return False if time or steps run out.

        `every`: the number of steps between two checks of the condition.
        """
        for step in range(steps):
            if step % every == 0 and until():
                return True
            if not self._heap or self._heap[0][0] > most:
                return until()
            self.now, _, action = heapq.heappop(self._heap)
            action()
        return False

    def after(self, seconds: float, action: Callable[[], None]) -> None:
        """Schedule an action."""
        self._at(self.now + seconds, action)

    # ---- faults -----------------------------------------------------------------------------

    def crash(self, node: SimulatedNode, *, power: bool = False) -> None:
        """Kill the program, or cut the power of the node."""
        if node.program is None:
            return
        self.note(node, "loses power" if power else "is killed")
        node.program = None
        node.run_number += 1
        self.failed_connects = {each for each in self.failed_connects if each[0] != node.number}
        if power:
            node.disk.lose_power(self.genesis, self.chance)
        for link in list(node.links):
            # The operating system may still deliver what a killed program has sent.
            said = self._seconds_until_sent(link) if self.chance.random() < 0.5 else 0.0
            self._break(node, link, silent=SILENCE_SECONDS if power else 0.0, delay=said)

    def restart(self, node: SimulatedNode) -> None:
        """Start the program again."""
        if node.program is not None:
            return
        self.note(node, "starts again")
        node.awake = False
        node.program = Node(self.genesis, node.config, node.disk.recovered(self.genesis))
        self._create_players(node)
        self.do(node, node.running.step(inputs.NodeStarted(), self.now))

    def cut(self, node: SimulatedNode, other: SimulatedNode) -> None:
        """Break a connection between two nodes, if there is one."""
        for link, (there, _) in list(node.links.items()):
            if there is other:
                self._break(node, link, both=True)

    def block(self, node: SimulatedNode, other: SimulatedNode) -> None:
        """Let nothing pass between two nodes."""
        self.blocked.add(frozenset((node.number, other.number)))
        for link, (there, _) in list(node.links.items()):
            if there is other:
                self._lose_packets(node, link)

    def unblock_all(self) -> None:
        """Let everything pass again."""
        self.blocked.clear()

    def move(self, node: SimulatedNode, *, port: int | None = None) -> None:
        """Give a node another address, and its program another port at the next start."""
        self._moves += 1
        node.address = f"10.0.{self._moves}.{node.number}"
        self.note(node, f"is at {node.address} now")
        if port is not None and node.program is None:
            node.config = replace(node.config, port=port)
        for link in list(node.links):
            self._lose_packets(node, link)

    def _lose_packets(self, node: SimulatedNode, link: int) -> None:
        """Let nothing pass over a link; both sides notice only the silence."""
        self._dead_links |= {link, node.links[link][1]}
        self.after(SILENCE_SECONDS, partial(self._break_if_there, node, link))

    def _break_if_there(self, node: SimulatedNode, link: int) -> None:
        if link in node.links:
            self._break(node, link, both=True, silent=SILENCE_SECONDS)

    # ---- inside -----------------------------------------------------------------------------

    def _at(self, moment: float, action: Callable[[], None]) -> None:
        self._count += 1
        heapq.heappush(self._heap, (moment, self._count, action))

    def note(self, node: SimulatedNode, what: object) -> None:
        """Record something worth reading in a trace."""
        if self.trace is not None:
            self.trace.append(f"{self.now:9.3f} {node.number}: {what}")

    def _sensible_player(self, session: SeatSession) -> Player:
        return SensiblePlayer(Random(self.chance.random()))

    def _create_players(self, node: SimulatedNode) -> None:
        node.players = [
            Autoplay(session, self.make_player(session)) for session in node.running.sessions
        ]
        if node.adversary is not None:
            node.adversary.program_started(self, node)

    def _connect(self, one: SimulatedNode, two: SimulatedNode) -> None:
        """Connect two nodes; `one` makes the connection."""
        self._links += 2
        here, there = self._links, self._links + 1
        self.failed_connects -= {(one.number, two.number), (two.number, one.number)}
        one.links[here], two.links[there] = (two, there), (one, here)
        one.disk.places[two.number] = (two.address, two.config.port)
        self.do(
            two, two.running.step(inputs.LinkUp(there, one.number, address=one.address), self.now)
        )
        if here in one.links and one.program is not None:
            todo = one.program.step(
                inputs.LinkUp(here, two.number, address=two.address, dialled=True), self.now
            )
            self.do(one, todo)

    def _seconds_until_sent(self, link: int) -> float:
        """Return the seconds until everything sent over a link has arrived."""
        return max(0.0, self._last_arrival.get(link, 0.0) - self.now)

    def _break(
        self,
        node: SimulatedNode,
        link: int,
        *,
        both: bool = False,
        silent: float = 0.0,
        delay: float = 0.0,
    ) -> None:
        """The other side learns of it after `delay` seconds, or through silence."""
        other, there = node.links.pop(link)
        if both and node.program is not None:
            self.do(node, node.program.step(inputs.LinkDown(link, silent=silent), self.now))
        later = silent if silent and not both else delay
        self.after(later, partial(self._link_lost, other, there, silent))

    def _link_lost(self, node: SimulatedNode, link: int, silent: float) -> None:
        if node.links.pop(link, None) is not None and node.program is not None:
            self.do(node, node.program.step(inputs.LinkDown(link, silent=silent), self.now))

    def do(self, node: SimulatedNode, todo: Sequence[outputs.Output]) -> None:
        """Carry out the outputs of a node, in order."""
        run, crashes = node.run_number, False
        for output in todo:
            if node.run_number != run:
                return
            moment = self._targeted_crash_at(node, output)
            if moment == "before":
                self._crash_and_restart(node)
                return
            if self.on_output is not None:
                self.on_output(node, output)
            self._carry_out(node, output)
            if moment == "behind" and node.run_number == run:
                self._crash_and_restart(node)
                return
            crashes = crashes or moment == "after"
        if crashes and node.run_number == run:
            self._crash_and_restart(node)
        if node.program is not None:
            deadline = node.program.deadline
            if deadline is not None and node.due != (run, deadline):
                node.due = (run, deadline)
                self.after(max(0.0, deadline - self.now) + 0.001, partial(self._tick, node, run))

    def _targeted_crash_at(self, node: SimulatedNode, output: outputs.Output) -> str:
        """Return the moment of the crash if the node crashes at this output."""
        crash = node.targeted_crash
        if crash is None or not isinstance(output, crash.output):
            return ""
        crash.skipped -= 1
        if crash.skipped != -1:
            return ""  # not yet; or, of one that waits for several nodes, not any more
        node.targeted_crash = None
        return crash.moment

    def _crash_and_restart(self, node: SimulatedNode) -> None:
        self.crash(node, power=self.chance.random() < 0.7)
        self.after(self.chance.uniform(0.2, 6.0), partial(self.restart, node))

    def _tick(self, node: SimulatedNode, run: int) -> None:
        if node.run_number != run or node.program is None:
            return
        node.due = None
        deadline = node.program.deadline
        if deadline is not None and deadline <= self.now:
            self.do(node, node.program.step(inputs.TimePassed(), self.now))

    def _carry_out(self, node: SimulatedNode, output: outputs.Output) -> None:
        disk, run = node.disk, node.run_number
        match output:
            case outputs.Send():
                adversary, message = node.adversary, output.message
                for each in (
                    [message]
                    if adversary is None
                    else adversary.outgoing(node, output.link, message)
                ):
                    self.send(node, output.link, each)
            case outputs.Connect():
                self.after(
                    self.chance.uniform(0.001, 0.05),
                    partial(self._try_connect, node, output, run),
                )
            case outputs.CloseLink():
                if output.link in node.links:
                    later = self._seconds_until_sent(output.link) + 0.001
                    self.after(later, partial(self._close_link, node, output.link))
            case outputs.StoreGenesis():
                disk.begun = True
            case outputs.AppendEntry():
                assert disk.begun, "an entry before its genesis"
                disk.entries.append(output.entry)
            case outputs.TruncateJournal():
                disk.cut(output.count)
            case outputs.SyncJournal():
                self.after(
                    self.chance.uniform(0.0002, 0.02), partial(self._sync, node, output, run)
                )
            case outputs.StoreSeed():
                disk.seeds.setdefault(output.seat, {})[output.open, output.label] = output.secret
            case outputs.StoreBody():
                disk.bodies.setdefault(output.seat, {})[output.counter] = output.signed
                disk.promise(output.seat, output.counter)
            case outputs.StoreStandIn():
                assert disk.stand_ins.setdefault(output.seat, output.seed) == output.seed
            case outputs.StoreVote():
                disk.votes[output.term] = output.data
            case outputs.StoreRelease():
                disk.released = Released(output.count, output.head)
            case outputs.StoreOtherEnd():
                disk.aside.append(list(output.entries))
            case outputs.RunJob():
                self.after(
                    self.chance.uniform(0.001, self.most_work_seconds),
                    partial(self._compute, node, output, run),
                )
            case outputs.ViewChanged() | outputs.ActionRefused():
                if isinstance(output, outputs.ActionRefused):
                    for player in node.players:
                        player.retry()
                self._schedule_act(node)
            case outputs.Happened():
                self.events.append((self.now, node.number, output.event))
                if self.trace is not None and node.running.hosts:
                    self.note(node, output.event)
            case outputs.NodeStopped():
                node.stopped = output
                self.note(node, output)
            case outputs.HostingChanged() | outputs.QuorumChanged() | outputs.SeatsAwaited():
                self.note(node, output)
            case _:
                pass

    # ---- messages and links -----------------------------------------------------------------

    def send(self, node: SimulatedNode, link: int, message: AtTable) -> None:
        """Send a message over a link. A connection keeps the order of its messages."""
        ends = node.links.get(link)
        if ends is None or link in self._dead_links:
            return
        if frozenset((node.number, ends[0].number)) in self.blocked:
            self._dead_links.add(link)
            return
        delay = self.network_faults.min_delay + self.chance.uniform(0.0, self.network_faults.jitter)
        if (
            self.network_faults.stall_chance
            and self.chance.random() < self.network_faults.stall_chance
        ):
            delay += self.chance.uniform(0.0, self.network_faults.max_stall)
        # Not as a difference of times: rounding may make it smaller, and swap two messages.
        self._last_arrival[link] = max(self.now + delay, self._last_arrival.get(link, 0.0))
        self._at(self._last_arrival[link], partial(self._arrive, *ends, message))

    def _arrive(self, node: SimulatedNode, link: int, message: AtTable) -> None:
        if link not in node.links or node.program is None:
            return
        intercepts = getattr(
            node.adversary, "intercepts", None
        )  # some adversaries keep messages from their program
        if intercepts is None or not intercepts(node, link, message):
            self.do(node, node.program.step(inputs.MessageReceived(link, message), self.now))

    def _try_connect(self, node: SimulatedNode, dial: outputs.Connect, run: int) -> None:
        if node.run_number != run or node.program is None:
            return
        other = self._find(node, dial)
        if other is None or other.number != dial.seat:
            self.after(
                self.chance.choice((0.01, 2.0)),
                partial(self._connect_failed, node, dial.seat, run),
            )
        if other is not None:
            self._connect(node, other)

    def _find(self, node: SimulatedNode, dial: outputs.Connect) -> SimulatedNode | None:
        """Return the node at the owner's last address, or else the host that announces this."""
        there = [each for each in self.running if each is not node]
        there = [each for each in there if self._can_connect(node, each)]
        known = node.disk.places.get(dial.seat)
        for place in (*dial.places, *(() if known is None else (known,))):
            for each in there:
                if (each.address, each.config.port) == place and each.number == dial.seat:
                    return each
        if self.all_found:
            return next((each for each in there if each.number == dial.seat), None)
        hosts = [each for each in there if each.running.hosts]
        return hosts[-1] if hosts and self.chance.random() < 0.5 else None

    def _can_connect(self, one: SimulatedNode, two: SimulatedNode) -> bool:
        """Whether two nodes can connect."""
        return frozenset((one.number, two.number)) not in self.blocked

    def _connect_failed(self, node: SimulatedNode, seat: int, run: int) -> None:
        if node.run_number == run and node.program is not None:
            self.failed_connects.add((node.number, seat))
            self.do(node, node.program.step(inputs.ConnectFailed(seat), self.now))

    def _close_link(self, node: SimulatedNode, link: int) -> None:
        if link in node.links:
            self._break(node, link, both=True)

    # ---- disk, work, players ----------------------------------------------------------------

    def _sync(self, node: SimulatedNode, done: outputs.SyncJournal, run: int) -> None:
        if node.run_number == run and node.program is not None:
            # A sync makes everything in the file durable, also for other requests.
            node.disk.durable = max(node.disk.durable, min(done.count, len(node.disk.entries)))
            self.do(node, node.program.step(inputs.JournalSynced(done), self.now))

    def _compute(self, node: SimulatedNode, job: outputs.RunJob, run: int) -> None:
        if node.run_number == run and node.program is not None:
            self.do(
                node,
                node.program.step(inputs.JobDone(job.job, self.audits.result(job.work)), self.now),
            )

    def _schedule_act(self, node: SimulatedNode) -> None:
        if not node.awake:
            node.awake = True
            self.after(self.chance.uniform(0.02, 0.2), partial(self._act, node, node.run_number))

    def _act(self, node: SimulatedNode, run: int) -> None:
        node.awake = False
        if node.run_number != run or node.program is None or node.idle:
            return
        sessions = node.program.sessions
        for session in sessions[len(node.players) :]:  # bots that fill a seat by now
            node.players.append(Autoplay(session, self.make_player(session)))
        for number, player in enumerate(tuple(node.players)):
            action = player.next_action() if player.session.replica.caught_up else None
            if action is not None:
                player.act(action, partial(self._perform, node, number))
                if node.run_number != run:
                    return

    def _perform(self, node: SimulatedNode, session: int, action: Action) -> None:
        self.do(node, node.running.step(inputs.PlayerActed(session, action), self.now))

    def end_idle(self, node: SimulatedNode) -> None:
        """Let the person at a node act again."""
        node.idle = False
        if node.program is not None:
            self._schedule_act(node)

    # ---- queries ----------------------------------------------------------------------------

    @property
    def running(self) -> Iterator[SimulatedNode]:
        """Yield the nodes whose program runs."""
        return (node for node in self.nodes if node.program is not None)

    @property
    def honest(self) -> tuple[SimulatedNode, ...]:
        """The nodes that no adversary controls."""
        return tuple(node for node in self.nodes if node.honest)

    def transcript(self, node: SimulatedNode) -> Transcript:
        """Return the contents of a node's journal."""
        return Transcript(self.genesis, tuple(node.disk.entries), torn=False)


def _genesis(
    seats: list[tuple[Identity, Identity]], slow: frozenset[int], ruleset: Ruleset, chance: Random
) -> Genesis:
    nonces = tuple(chance.randbytes(32) for _ in seats)
    roster = Roster(
        VERSION,
        chance.randbytes(16),
        0,
        ruleset,
        tuple(
            SeatInfo(
                name=f"p{number}",
                identity=seat.public,
                owner=owner.public,
                bot=owner is not seat,
                slow_clock=number in slow,
                nonce=nonce_commitment(seat.public, nonces[number]),
            )
            for number, (seat, owner) in enumerate(seats)
        ),
    )
    data = encode_roster(roster)
    return Genesis(data, tuple(sign_roster(data, seat) for seat, _ in seats), nonces)
