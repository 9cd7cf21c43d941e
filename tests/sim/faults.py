"""One simulated table under one seed: who plays what, what goes wrong and when, and how it ends."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from random import Random
from zlib import crc32

import msgspec

from lanuno.log import events
from lanuno.log.audit import audit
from lanuno.log.faults import Verdict
from lanuno.rules.presets import PRESETS
from lanuno.rules.ruleset import Format, Ruleset, validate
from lanuno.table import outputs
from tests.sim.invariants import Broken, Watch
from tests.sim.world import Computer, World, sealing_from

TROUBLE = 40.0
"""Simulated seconds in which things go wrong; afterwards everything is mended."""

QUIET = 1_500.0
"""Simulated seconds within which a table must end after that."""


@dataclass(frozen=True)
class Outcome:
    """What one run exercised."""

    seed: int
    seconds: float
    """Simulated."""
    seen: Counter[str]
    digest: int
    """Differs where anything at all went another way."""


def run(seed: int, *, trace: list[str] | None = None) -> Outcome:
    """Play one table with faults to its end. Raises `Broken` if an invariant does not hold."""
    with sealing_from(seed):
        chance = Random(seed)
        owners = chance.choice((2, 3, 3, 4, 4, 5, 6))
        bots = chance.choice((0, 0, 1, 2)) if owners < 6 else 0
        ruleset = _rules(chance, owners + bots)
        world = World(owners, seed, bots=bots, ruleset=ruleset, rounds=chance.choice((1, 1, 2)))
        world.trace = trace
        Watch(world)
        seen: Counter[str] = Counter()
        world.start()
        for _ in range(chance.randint(0, 6)):
            world.after(chance.uniform(0.0, TROUBLE), partial(_something, world, chance, seen))
        world.after(TROUBLE + 10.0, partial(_mend, world))
        over = world.run(partial(_ended, world), most=TROUBLE + QUIET)
        _judge(world, seed, over)
        for _, _, event in world.happened:
            if isinstance(event, _COUNTED):
                seen[type(event).__name__] += 1
        digest = crc32(repr([(at, who, repr(what)) for at, who, what in world.happened]).encode())
        return Outcome(seed, world.now, seen, digest)


_COUNTED = (
    events.HostElected,
    events.SeatDropped,
    events.SeatRecovered,
    events.SeatReturned,
    events.RoundVoided,
    events.Forfeited,
)


def _rules(chance: Random, seats: int) -> Ruleset:
    """Any preset that so many can play, mostly with short hands."""
    fitting = [
        rules
        for rules in PRESETS.values()
        if validate(rules, seats) is None and rules.format is not Format.ROTATION
    ]
    chosen = chance.choice(fitting)
    size = chance.choice((2, 3, 7))
    return msgspec.structs.replace(
        chosen,
        hand_size=size,
        grace_first_s=chance.choice((2, 10)),
        grace_total_s=30,
        turn_clock_s=30,
    )


def _something(world: World, chance: Random, seen: Counter[str]) -> None:
    """Let one thing go wrong."""
    computer = chance.choice(world.computers)
    other = chance.choice([each for each in world.computers if each is not computer])
    what = chance.choice(("kill", "power", "ambush", "ambush", "cut", "wall", "idle", "leave"))
    seen[what] += 1
    match what:
        case "kill" | "power":
            world.crash(computer, power=what == "power")
            world.after(chance.uniform(0.2, 15.0), partial(_come_back, world, computer))
        case "ambush":
            moment = chance.choice(
                (outputs.KeepBody, outputs.KeepVote, outputs.KeepEntry, outputs.Sync)
            )
            computer.ambush = moment
        case "cut":
            world.cut(computer, other)
        case "wall":
            world.wall(computer, other)
            world.after(chance.uniform(1.0, 20.0), world.open_walls)
        case "idle":
            computer.idle = True
        case _:
            if computer.member is not None and not computer.gone:
                computer.gone = True
                world.note(computer, "leaves")
                world.do(computer, computer.member.leave(world.now))


def _come_back(world: World, computer: Computer) -> None:
    world.restart(computer)
    if computer.gone and computer.member is not None:
        world.do(computer, computer.member.leave(world.now))


def _mend(world: World) -> None:
    """Everything works again: what is down comes up, nothing is in the way."""
    world.open_walls()
    for computer in world.computers:
        computer.idle, computer.ambush = False, None
        _come_back(world, computer)


def _ended(world: World) -> bool:
    return all(
        computer.member is not None and computer.member.replay.closed is not None
        for computer in world.computers
    )


def _judge(world: World, seed: int, over: bool) -> None:
    """How it must have ended once nothing went wrong any more."""
    closed = [each for each in world.running if each.up.replay.closed is not None]
    if not over:
        where = [(each.number, each.up.replay.term, each.up.replay.seq) for each in world.running]
        raise Broken(f"the table did not end: {where}")
    longest = max(closed, key=lambda each: len(each.disk.entries))
    for computer in closed:
        if computer.up.replay.head != longest.up.replay.head:
            raise Broken(f"{computer.number} ends with another log")
    report = audit(world.transcript(longest))
    if report.verdict not in (Verdict.VERIFIED, Verdict.INCOMPLETE) or report.blame:
        raise Broken(f"seed {seed}: {report.verdict} {report.reason} {report.blame}")
