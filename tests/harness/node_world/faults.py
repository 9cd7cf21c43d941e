"""One simulated table under one seed: who plays what, what goes wrong and when, and how it ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from zlib import crc32

import msgspec

from lanuno.log import events
from lanuno.rules.presets import PRESETS
from lanuno.rules.ruleset import Format, Manners, Ruleset, validate
from lanuno.table import outputs
from tests.harness.adversaries.generated_host import GENERATED
from tests.harness.adversaries.lying_nodes import Crooked, Kind, choose
from tests.harness.host_and_seats.players import Doubter
from tests.harness.node_world.documented import documented
from tests.harness.node_world.ending import Ending
from tests.harness.node_world.invariants import Watch
from tests.harness.node_world.repeatable import repeatable
from tests.harness.node_world.world import Ambush, Computer, Weather, World

TROUBLE = 40.0
"""Simulated seconds in which things go wrong; then, a little later, everything is mended."""

QUIET = 6_000.0
"""Simulated seconds within which a table must end after that: some house rules make long rounds."""

SIZES = (2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 5, 5, 5, 6, 6)
LARGE = (7, 8, 9, 10)
"""Computers at a table: mostly few, because most things that go wrong need no more."""

SPANS = (3.0, 8.0, 20.0, TROUBLE)
"""Seconds within which everything goes wrong: all at once, or one thing after the other."""

WORK = (0.05, 0.05, 0.05, 1.0)
"""Seconds that a shuffle, or an audit, takes at most: on some computers more than on others."""

PLANNED = ("the host is cut off", "the candidate is struck")
"""Troubles that come only where a plan names them."""

TEAMS = (Format.PAIRS, Format.PARTNERS)
"""Formats in which a bot takes the chair of whoever left."""

HOUSE = (
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

WEATHERS = (
    Weather(),
    Weather(),
    Weather(0.001, 0.02),
    Weather(0.005, 0.3),
    Weather(0.002, 0.02, 0.02),
)


@dataclass(frozen=True)
class Plan:
    """What a run is about, where it is not left to chance."""

    owners: int | None = None
    honest: bool | None = None
    kind: Kind | None = None
    """How somebody is dishonest."""
    kinds: Sequence[str] | None = None
    """What may go wrong."""
    things: int | None = None
    """How much does."""
    span: float | None = None
    """Within how many seconds."""
    work: float | None = None
    """Seconds that a piece of work takes at most."""


@dataclass(frozen=True)
class Outcome:
    """What one run exercised."""

    seed: int
    seconds: float
    """Simulated."""
    seen: Counter[str]
    digest: int
    """Differs where anything at all went another way."""


def run(seed: int, *, trace: list[str] | None = None, plan: Plan | None = None) -> Outcome:
    """Play one table with faults to its end. Raises `Broken` if an invariant does not hold."""
    with repeatable(seed), documented():
        table = _Table(seed, plan or Plan(), trace)
        with table.watch.knowledge.listening():
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


class _Table:
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
        kind = plan.kind
        if not honest and kind is None:
            kind = choose(chance, self.owners) if chance.random() < 0.6 else GENERATED
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
        self.world.weather = chance.choice(WEATHERS)
        self.world.work = plan.work or chance.choice(WORK)
        doubting = rules.hand_size > 10 or chance.random() < 0.2
        if doubting:
            self.world.player = lambda session: Doubter(self)
        self.crook: Crooked | None = None
        if kind is not None:
            self.crook = kind.make(Random(chance.random()))
            at = 0 if self.crook.hosts else chance.randrange(self.owners)
            self.world.computers[at].crook = self.crook
            self.crook.recruit(self.world)
            self.seen[f"crook: {self.crook.name}"] += 1
            self.world.note(self.world.computers[at], f"is dishonest: {self.crook.name}")
        self.watch = Watch(self.world)
        if self.crook is not None:
            self.watch.leeway = self.crook.leeway
        self.world.note(self.world.computers[0], f"{self.owners} owners, bots of {bots}, {rules}")

    def play(self) -> Outcome:
        """From the first entry to the last."""
        world, chance, rules = self.world, self.chance, self.world.genesis.read().ruleset
        world.start()
        things = chance.randint(0, 7) if self.plan.things is None else self.plan.things
        span = self.plan.span or chance.choice(SPANS)
        for _ in range(things):
            world.after(chance.uniform(0.0, span), self._something)
        if rules.format in TEAMS and self.plan.kinds is None and chance.random() < 0.5:
            world.after(chance.uniform(0.0, span), partial(self._leave, self._anybody()))
        world.after(TROUBLE + 10.0, self._mend)
        over = world.run(self._ended, most=TROUBLE + QUIET, every=16)
        if self.crook is not None:
            self.seen["lies"] += self.crook.fired
            self.seen.update({f"host: {move}": count for move, count in self.crook.moves.items()})
        ending = Ending(world, self.watch, self.crook)
        ending.judge(over=over)
        self._count_what_happened()
        self.seen["crooks named"] += ending.named
        self.seen[f"{self.owners} owners"] += 1
        digest = crc32(repr([(at, who, repr(what)) for at, who, what in world.happened]).encode())
        return Outcome(self.seed, world.now, self.seen, digest)

    def _count_what_happened(self) -> None:
        """Each thing once, and not as often as there are computers that heard of it."""
        heard: dict[int, Counter[str]] = {}
        for _, number, event in self.world.happened:
            if isinstance(event, _COUNTED):
                heard.setdefault(number, Counter())[type(event).__name__] += 1
        for name in {name for counts in heard.values() for name in counts}:
            self.seen[name] += max(counts[name] for counts in heard.values())
            self.seen[f"tables with {name}"] += 1

    # ---- what goes wrong --------------------------------------------------------------------

    @property
    def _troubles(self) -> dict[str, Callable[[Computer], None]]:
        return {
            "kill": partial(self._crash, power=False),
            "power": partial(self._crash, power=True),
            "the host is struck": self._strike_the_host,
            "ambush": self._ambush,
            "ambush again": self._ambush,
            "cut": lambda computer: self.world.cut(computer, self._other(computer)),
            "wall": self._wall,
            "parted": self._part,
            "moved": self._move,
            "idle": self._idle,
            "leave": self._leave,
            "weather": self._weather,
            "the host is cut off": self._cut_off_the_host,
            "the candidate is struck": self._wait_for_a_candidate,
        }

    def _something(self) -> None:
        """Let one thing go wrong."""
        troubles = self._troubles
        usual = [what for what in troubles if what not in PLANNED]
        what = self.chance.choice(list(self.plan.kinds or usual))
        self.seen[what] += 1
        computer = self._anybody()
        self.world.note(computer, f"trouble: {what}")
        troubles[what](computer)

    def _anybody(self) -> Computer:
        return self.chance.choice(self.world.computers)

    def _other(self, computer: Computer) -> Computer:
        return self.chance.choice([each for each in self.world.computers if each is not computer])

    def _back_after(self) -> float:
        """Seconds until a program is started again; sometimes not before all is mended."""
        return self.chance.choice((0.2, 2.0, self.chance.uniform(0.2, 15.0), 60.0))

    def _crash(self, computer: Computer, *, power: bool) -> None:
        self.world.crash(computer, power=power)
        self.world.after(self._back_after(), partial(self._come_back, computer))

    def _strike_the_host(self, computer: Computer) -> None:
        hosts = [each for each in self.world.running if each.up.hosts]
        self._crash(hosts[-1] if hosts else computer, power=self.chance.random() < 0.5)

    def _cut_off_the_host(self, computer: Computer) -> None:
        """It lives, and nobody hears it."""
        for host in [each for each in self.world.running if each.up.hosts]:
            for other in self.world.computers:
                if other is not host:
                    self.world.wall(host, other)
        self.world.after(self.chance.uniform(4.3, 6.0), self.world.open_walls)

    def _wait_for_a_candidate(self, computer: Computer) -> None:
        """Whoever votes first, for itself, is struck once it has asked the others."""
        ambush = Ambush(outputs.KeepVote, "after")
        for each in self.world.computers:
            each.ambush = ambush

    def _ambush(self, computer: Computer) -> None:
        kind = self.chance.choice(
            (
                outputs.KeepBody,
                outputs.KeepVote,
                outputs.KeepEntry,
                outputs.KeepSecret,
                outputs.KeepBot,
                outputs.Sync,
                outputs.CutEntries,
                outputs.ToLink,
                outputs.Hosting,
            )
        )
        how = self.chance.choice(("before", "behind", "after"))
        computer.ambush = Ambush(kind, how, self.chance.choice((0, 0, 1, 3, 8)))

    def _wall(self, computer: Computer) -> None:
        self.world.wall(computer, self._other(computer))
        self.world.after(self.chance.uniform(1.0, 20.0), self.world.open_walls)

    def _part(self, computer: Computer) -> None:
        """Two parts of the network that do not see each other."""
        here = set(self.chance.sample(range(self.owners), self.chance.randint(1, self.owners - 1)))
        for one in self.world.computers:
            for two in self.world.computers:
                if one.number in here and two.number not in here:
                    self.world.wall(one, two)
        self.world.after(self.chance.uniform(1.0, 20.0), self.world.open_walls)

    def _move(self, computer: Computer) -> None:
        """Another address; where the program is started again meanwhile, another port as well."""
        if self.chance.random() < 0.5:
            self.world.crash(computer)
            self.world.after(self._back_after(), partial(self._come_back, computer))
        self.world.move(computer, port=50_000 + self.chance.randrange(1000))

    def _idle(self, computer: Computer) -> None:
        computer.idle = True
        self.world.after(self.chance.uniform(5.0, 60.0), partial(self.world.touch, computer))

    def _leave(self, computer: Computer) -> None:
        if computer.member is None or computer.gone:
            return
        computer.gone = True
        self.world.note(computer, "leaves")
        self.world.do(computer, computer.member.leave(self.world.now))
        if self.chance.random() < 0.5:
            self.world.after(self.chance.uniform(0.5, 20.0), partial(self._return, computer))

    def _return(self, computer: Computer) -> None:
        """Whoever left on purpose starts the program again to take the seat again."""
        if computer.member is None or not computer.member.over:
            computer.gone = False
            self.world.crash(computer)
            self.world.restart(computer)
            self._ask_for_seat(computer, 20)

    def _ask_for_seat(self, computer: Computer, tries: int) -> None:
        member = computer.member
        if member is None or computer.gone or member.over or not tries:
            return
        for session in member.sessions:
            if computer.member is member and session.caught_up:
                todo = session.take_seat_again()
                self.world.do(computer, member.carry_out(session, todo, self.world.now))
        self.world.after(1.0, partial(self._ask_for_seat, computer, tries - 1))

    def _weather(self, computer: Computer) -> None:
        self.world.weather = self.chance.choice(WEATHERS)

    def _come_back(self, computer: Computer) -> None:
        self.world.restart(computer)
        if computer.gone and computer.member is not None:
            self.world.do(computer, computer.member.leave(self.world.now))

    def _mend(self) -> None:
        """Everything works again: what is down comes up, nothing is in the way."""
        world = self.world
        world.note(world.computers[0], "everything is mended")
        world.open_walls()
        world.weather, world.found_by_name = Weather(), True
        for computer in world.computers:
            computer.ambush = None
            self._come_back(computer)
            world.touch(computer)

    def _ended(self) -> bool:
        return all(
            computer.member is not None and computer.member.over for computer in self.world.honest
        )


def _rules(chance: Random, seats: int, wanted: Ruleset | None) -> Ruleset:
    """Any preset that so many can play, with house rules, mostly with short hands."""
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
        # One that ends by its scores, and not because it was agreed to.
        chosen = msgspec.structs.replace(chosen, target=20, target_two=20, laps=2, hands=1)
    if chance.random() < 0.4:
        some = dict.fromkeys(chance.sample(HOUSE, chance.randint(1, 4)), True)
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
