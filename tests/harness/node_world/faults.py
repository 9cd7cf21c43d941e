"""One simulated table under one seed: its players, its faults and their times, and how it ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from zlib import crc32

import msgspec

from lanuno.log.round import events
from lanuno.rules.presets import PRESETS
from lanuno.rules.ruleset import Format, Manners, Ruleset
from lanuno.rules.validation import validate
from lanuno.table import inputs, outputs
from tests.harness.adversaries.generated_host import GENERATED
from tests.harness.adversaries.lying_nodes import AdversaryKind, LyingNode, choose_adversary
from tests.harness.host_and_seats.players import Doubter
from tests.harness.node_world.documented import documented
from tests.harness.node_world.ending import EndCheck
from tests.harness.node_world.invariants import InvariantChecker
from tests.harness.node_world.repeatable import repeatable
from tests.harness.node_world.world import NetworkFaults, SimulatedNode, TargetedCrash, World

FAULT_SECONDS = 40.0
"""Simulated seconds during which faults occur; soon afterwards everything is repaired."""

END_SECONDS = 6_000.0
"""Simulated seconds within which a table must end after that. Some house rules make long rounds."""

SIZES = (2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 5, 5, 5, 6, 6)
LARGE = (7, 8, 9, 10)
"""Large numbers of nodes. Most tables are small, because most faults need no more nodes."""

FAULT_SPANS = (3.0, 8.0, 20.0, FAULT_SECONDS)
"""Seconds within which all faults occur: at the same time, or one after the other."""

WORK_SECONDS = (0.05, 0.05, 0.05, 1.0)
"""The longest duration of a shuffle or an audit, in seconds: some nodes are slower than others."""

PLANNED_FAULTS = ("the host is cut off", "the candidate crashes")
"""Faults that occur only if a plan names them."""

TEAMS = (Format.PAIRS, Format.PARTNERS)
"""Formats in which a bot takes the seat of a player that left."""

HOUSE_RULES = (
    "stack_draw_two",
    "stack_wild_four",
    "stack_cross",
    "seven_zero",
    "jump_in",
    "draw_until_playable",
    "forced_play",
    "no_bluff",
    "winner_deals",
    "advice",
)

NETWORKS = (
    NetworkFaults(),
    NetworkFaults(),
    NetworkFaults(0.001, 0.02),
    NetworkFaults(0.005, 0.3),
    NetworkFaults(0.002, 0.02, 0.02),
)


@dataclass(frozen=True)
class Plan:
    """The parts of a run that are not random."""

    owners: int | None = None
    honest: bool | None = None
    adversary: AdversaryKind | None = None
    """How one node is dishonest."""
    faults: Sequence[str] | None = None
    """The possible faults."""
    fault_count: int | None = None
    """The number of faults."""
    fault_seconds: float | None = None
    """The seconds within which they occur."""
    work_seconds: float | None = None
    """The longest duration of a job, in seconds."""


@dataclass(frozen=True)
class RunResult:
    """What one run exercised."""

    seed: int
    seconds: float
    """Simulated seconds."""
    seen: Counter[str]
    digest: int
    """Differs if anything in the run differs."""


def run(seed: int, *, trace: list[str] | None = None, plan: Plan | None = None) -> RunResult:
    """Play one table with faults to its end. Raise `InvariantViolation` if an invariant fails."""
    with repeatable(seed), documented():
        table = _Run(seed, plan or Plan(), trace)
        with table.checker.knowledge.listening():
            return table.play()


_COUNTED = (
    events.HostElected,
    events.SeatDropped,
    events.SeatRecovered,
    events.SeatReturned,
    events.RoundVoided,
    events.Forfeited,
    events.SeatFilled,
    events.SeatExpelled,
    events.FaultFound,
)


class _Run:
    """One run."""

    def __init__(self, seed: int, plan: Plan, trace: list[str] | None) -> None:
        self.seed = seed
        self.chance = chance = Random(seed)
        self.plan = plan
        self.seen: Counter[str] = Counter()
        self.owners = plan.owners or chance.choice(LARGE if chance.random() < 0.06 else SIZES)
        bots = [
            chance.choice((0, 0, chance.randrange(self.owners)))
            for _ in range(chance.choice((0, 0, 0, 1, 2)) if self.owners < 7 else 0)
        ]
        honest = chance.random() < 0.65 if plan.honest is None else plan.honest
        kind = plan.adversary
        if not honest and kind is None:
            kind = choose_adversary(chance, self.owners) if chance.random() < 0.6 else GENERATED
        seats = self.owners + len(bots)
        rules = _rules(chance, seats, None if kind is None else kind.ruleset)
        self.world = World(
            self.owners,
            seed,
            bots=bots,
            slow=[seat for seat in range(seats) if chance.random() < 0.1],
            ruleset=rules,
            rounds=chance.choice((1, 1, 2)) if self.owners < 7 else 1,
        )
        self.world.trace = trace
        self.world.network_faults = chance.choice(NETWORKS)
        self.world.most_work_seconds = plan.work_seconds or chance.choice(WORK_SECONDS)
        doubting = rules.hand_size > 10 or chance.random() < 0.2
        if doubting:
            self.world.make_player = lambda session: Doubter(self)
        self.liar: LyingNode | None = None
        if kind is not None:
            self.liar = kind.make(Random(chance.random()))
            at = 0 if self.liar.hosts else chance.randrange(self.owners)
            self.world.nodes[at].adversary = self.liar
            self.liar.recruit(self.world)
            self.seen[f"adversary: {self.liar.name}"] += 1
            self.world.note(self.world.nodes[at], f"is dishonest: {self.liar.name}")
        self.checker = InvariantChecker(self.world)
        if self.liar is not None:
            self.checker.leeway = self.liar.leeway
        self.world.note(self.world.nodes[0], f"{self.owners} owners, bots of {bots}, {rules}")

    def play(self) -> RunResult:
        """Play from the first entry to the last."""
        world, chance, rules = self.world, self.chance, self.world.genesis.read().ruleset
        world.start()
        things = chance.randint(0, 7) if self.plan.fault_count is None else self.plan.fault_count
        span = self.plan.fault_seconds or chance.choice(FAULT_SPANS)
        for _ in range(things):
            world.after(chance.uniform(0.0, span), self._cause_fault)
        if rules.format in TEAMS and self.plan.faults is None and chance.random() < 0.5:
            world.after(chance.uniform(0.0, span), partial(self._leave, self._any_node()))
        world.after(FAULT_SECONDS + 10.0, self._end_faults)
        over = world.run(self._ended, most=FAULT_SECONDS + END_SECONDS, every=16)
        if self.liar is not None:
            self.seen["lies"] += self.liar.fired
            self.seen.update({f"host: {move}": count for move, count in self.liar.moves.items()})
        ending = EndCheck(world, self.checker, self.liar)
        ending.check(over=over)
        self._count_events()
        self.seen["adversaries named"] += ending.liar_named
        self.seen[f"{self.owners} owners"] += 1
        digest = crc32(repr([(at, who, repr(what)) for at, who, what in world.events]).encode())
        return RunResult(self.seed, world.now, self.seen, digest)

    def _count_events(self) -> None:
        """Count each event once, not once per node that received it."""
        heard: dict[int, Counter[str]] = {}
        for _, number, event in self.world.events:
            if isinstance(event, _COUNTED):
                heard.setdefault(number, Counter())[type(event).__name__] += 1
        for name in {name for counts in heard.values() for name in counts}:
            self.seen[name] += max(counts[name] for counts in heard.values())
            self.seen[f"tables with {name}"] += 1

    # ---- faults -----------------------------------------------------------------------------

    @property
    def _faults(self) -> dict[str, Callable[[SimulatedNode], None]]:
        return {
            "kill": partial(self._crash, power=False),
            "power": partial(self._crash, power=True),
            "the host crashes": self._crash_host,
            "targeted crash": self._target_crash,
            "targeted crash again": self._target_crash,
            "cut": lambda node: self.world.cut(node, self._other_node(node)),
            "wall": self._block_pair,
            "parted": self._partition,
            "moved": self._move,
            "idle": self._idle,
            "leave": self._leave,
            "weather": self._change_network,
            "the host is cut off": self._cut_off_host,
            "the candidate crashes": self._crash_candidate,
        }

    def _cause_fault(self) -> None:
        """Cause one fault."""
        troubles = self._faults
        usual = [what for what in troubles if what not in PLANNED_FAULTS]
        what = self.chance.choice(list(self.plan.faults or usual))
        self.seen[what] += 1
        node = self._any_node()
        self.world.note(node, f"trouble: {what}")
        troubles[what](node)

    def _any_node(self) -> SimulatedNode:
        return self.chance.choice(self.world.nodes)

    def _other_node(self, node: SimulatedNode) -> SimulatedNode:
        return self.chance.choice([each for each in self.world.nodes if each is not node])

    def _downtime(self) -> float:
        """Return the seconds until a program restarts; sometimes only after all repairs."""
        return self.chance.choice((0.2, 2.0, self.chance.uniform(0.2, 15.0), 60.0))

    def _crash(self, node: SimulatedNode, *, power: bool) -> None:
        self.world.crash(node, power=power)
        self.world.after(self._downtime(), partial(self._restart, node))

    def _crash_host(self, node: SimulatedNode) -> None:
        hosts = [each for each in self.world.running if each.running.hosts]
        self._crash(hosts[-1] if hosts else node, power=self.chance.random() < 0.5)

    def _cut_off_host(self, node: SimulatedNode) -> None:
        """Let the host run, but let no other node receive its messages."""
        for host in [each for each in self.world.running if each.running.hosts]:
            for other in self.world.nodes:
                if other is not host:
                    self.world.block(host, other)
        self.world.after(self.chance.uniform(4.3, 6.0), self.world.unblock_all)

    def _crash_candidate(self, node: SimulatedNode) -> None:
        """Crash the first candidate once it has requested votes."""
        crash = TargetedCrash(outputs.StoreVote, "after")
        for each in self.world.nodes:
            each.targeted_crash = crash

    def _target_crash(self, node: SimulatedNode) -> None:
        kind = self.chance.choice(
            (
                outputs.StoreBody,
                outputs.StoreVote,
                outputs.AppendEntry,
                outputs.StoreSeed,
                outputs.StoreStandIn,
                outputs.SyncJournal,
                outputs.TruncateJournal,
                outputs.Send,
                outputs.HostingChanged,
            )
        )
        how = self.chance.choice(("before", "behind", "after"))
        node.targeted_crash = TargetedCrash(kind, how, self.chance.choice((0, 0, 1, 3, 8)))

    def _block_pair(self, node: SimulatedNode) -> None:
        self.world.block(node, self._other_node(node))
        self.world.after(self.chance.uniform(1.0, 20.0), self.world.unblock_all)

    def _partition(self, node: SimulatedNode) -> None:
        """Split the network into two parts that cannot reach each other."""
        here = set(self.chance.sample(range(self.owners), self.chance.randint(1, self.owners - 1)))
        for one in self.world.nodes:
            for two in self.world.nodes:
                if one.number in here and two.number not in here:
                    self.world.block(one, two)
        self.world.after(self.chance.uniform(1.0, 20.0), self.world.unblock_all)

    def _move(self, node: SimulatedNode) -> None:
        """Give a node another address; if its program restarts meanwhile, also another port."""
        if self.chance.random() < 0.5:
            self.world.crash(node)
            self.world.after(self._downtime(), partial(self._restart, node))
        self.world.move(node, port=50_000 + self.chance.randrange(1000))

    def _idle(self, node: SimulatedNode) -> None:
        node.idle = True
        self.world.after(self.chance.uniform(5.0, 60.0), partial(self.world.end_idle, node))

    def _leave(self, node: SimulatedNode) -> None:
        if node.program is None or node.left:
            return
        node.left = True
        self.world.note(node, "leaves")
        self.world.do(node, node.program.step(inputs.LeaveRequested(), self.world.now))
        if self.chance.random() < 0.5:
            self.world.after(self.chance.uniform(0.5, 20.0), partial(self._return, node))

    def _return(self, node: SimulatedNode) -> None:
        """Let an owner that left on purpose restart the program and take the seat again."""
        if node.program is None or not node.program.over:
            node.left = False
            self.world.crash(node)
            self.world.restart(node)

    def _change_network(self, node: SimulatedNode) -> None:
        self.world.network_faults = self.chance.choice(NETWORKS)

    def _restart(self, node: SimulatedNode) -> None:
        self.world.restart(node)
        if node.left and node.program is not None:
            self.world.do(node, node.program.step(inputs.LeaveRequested(), self.world.now))

    def _end_faults(self) -> None:
        """Repair everything: start all programs, and unblock all connections."""
        world = self.world
        world.note(world.nodes[0], "everything is mended")
        world.unblock_all()
        world.network_faults, world.all_found = NetworkFaults(), True
        for node in world.nodes:
            node.targeted_crash = None
            self._restart(node)
            world.end_idle(node)

    def _ended(self) -> bool:
        return all(node.program is not None and node.program.over for node in self.world.honest)


def _rules(chance: Random, seats: int, wanted: Ruleset | None) -> Ruleset:
    """Return any preset for this number of seats, with house rules, mostly with short hands."""
    fitting = [
        rules
        for rules in PRESETS.values()
        if validate(rules, seats) is None and rules.format is not Format.ROTATION
    ]
    teams = [rules for rules in fitting if rules.format in TEAMS]
    chosen = chance.choice(teams if teams and chance.random() < 0.4 else fitting)
    size = chance.choice((2, 2, 3, 4, 7)) if seats < 7 else 2
    chosen = msgspec.structs.replace(
        chosen,
        hand_size=size,
        grace_first_s=chance.choice((2, 10)),
        grace_total_s=30,
        turn_clock_s=30,
    )
    if chance.random() < 0.3:
        # A match that ends by its scores, not by an agreed number of rounds.
        chosen = msgspec.structs.replace(chosen, target=20, target_two=20, laps=2, hands=1)
    if chance.random() < 0.4:
        some = dict.fromkeys(chance.sample(HOUSE_RULES, chance.randint(1, 4)), True)
        manners = chance.choice((Manners.ENFORCED, Manners.HONOUR))
        with_house = msgspec.structs.replace(chosen, manners=manners, **some)
        chosen = with_house if validate(with_house, seats) is None else chosen
    if wanted is not None and chance.random() < 0.7:
        times = ("grace_first_s", "grace_total_s", "turn_clock_s")
        asked = msgspec.structs.replace(wanted, **{name: getattr(chosen, name) for name in times})
        for size in (asked.hand_size, 8, 4):
            fits = msgspec.structs.replace(asked, hand_size=size)
            if validate(fits, seats) is None:
                return fits
    return chosen
