"""What the windows of simulated tables are told: each picture, and what happened before it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import replace

import msgspec

from lanuno.app.worker.follower import Seen, Told
from lanuno.app.worker.snapshot import TableShot
from lanuno.log.genesis import VERSION
from lanuno.rules.presets import PRESETS
from lanuno.rules.ruleset import Ruleset
from lanuno.table import messages
from lanuno.table.clocks import Pace
from lanuno.table.computer import Stay
from lanuno.table.member import Member
from tests.golden.canonical import text
from tests.golden.recording import Golden
from tests.golden.told import Hear, listening
from tests.harness.node_world import faults
from tests.harness.node_world.repeatable import repeatable
from tests.harness.node_world.world import Computer, World

WATCHING = "watching"
"""A table that somebody watches, at which people talk and one goes to sleep."""
CLAIMING = "claiming"
"""Two people of whom one falls silent for good: the other is asked whether to wait on."""


def play(case: str, hear: Hear) -> None:
    """Play a case; `hear` is told what each window is told."""
    with listening(hear):
        scene, _, seed = case.rpartition("-")
        if not scene:
            faults.run(int(seed))
            return
        with repeatable(int(seed)):
            (_watched if scene == WATCHING else _claimed)(int(seed))


def _watched(seed: int) -> None:
    world = World(3, seed, bots=(0,), ruleset=_short(), rounds=2)
    world.start()
    host = world.computers[0]
    watcher = Computer(9, Stay(identities=(), entropy=host.stay.entropy), "10.0.0.9", idle=True)
    watcher.member = Member(world.genesis, watcher.stay)
    here, there = 1_000_000, 1_000_001  # no link of the world has such a number
    watcher.links[here], host.links[there] = (host, there), (watcher, here)
    identity = bytes(range(32))
    world.do(host, host.up.linked(there, None, world.now, address="10.0.0.9", identity=identity))
    world.do(host, host.up.heard(there, messages.Watch(VERSION, "Eve"), world.now))
    world.do(watcher, watcher.up.linked(here, 0, world.now, dialled=True))
    world.do(watcher, watcher.up.begin(world.now))

    def talk() -> None:
        for computer in (*world.computers, watcher):
            if computer.member is not None:
                world.do(computer, computer.up.say(f"Hello from {computer.number}", world.now))
        guest = world.computers[1]
        world.do(guest, guest.up.react(messages.Reaction.WELL_PLAYED, world.now))

    world.after(2.0, talk)
    world.after(3.0, lambda: setattr(world.computers[2], "idle", True))
    world.after(5.0, lambda: world.crash(world.computers[1]))
    world.after(8.0, lambda: world.restart(world.computers[1]))
    world.after(60.0, lambda: world.touch(world.computers[2]))
    everybody = (*world.computers, watcher)
    world.run(lambda: all(computer.up.over for computer in everybody), most=2000.0, every=16)


def _claimed(seed: int) -> None:
    world = World(2, seed, ruleset=_short(), rounds=1)
    for computer in world.computers:
        computer.stay = replace(computer.stay, pace=Pace(claim=None))
    world.start()
    host = world.computers[0]
    world.after(1.0, lambda: world.crash(world.computers[1], power=True))
    world.after(30.0, lambda: world.do(host, host.up.claim(world.now)))
    world.run(lambda: host.up.over, most=100.0)


def _short() -> Ruleset:
    return msgspec.structs.replace(
        PRESETS["classic"], hand_size=3, grace_first_s=10, grace_total_s=30, turn_clock_s=30
    )


def _lines(case: str) -> Iterator[str]:
    lines: list[str] = []
    before: dict[int | None, TableShot] = {}

    def hear(seat: int | None, told: Told, at: float) -> None:
        if not isinstance(told, Seen):
            lines.append(f"{at!r} {seat} {text(told)}")
            return
        lines.append(f"{at!r} {seat} sees")
        lines.extend(f"  {text(event)}" for event in told.happened)
        lines.extend(changes(before.get(seat), told.shot))
        before[seat] = told.shot

    play(case, hear)
    yield from lines


def changes(before: TableShot | None, shot: TableShot) -> Iterator[str]:
    """What of a picture is not as in the one before: fields by position."""
    for place, field in enumerate(dataclasses.fields(shot)):
        value = getattr(shot, field.name)
        if before is None or getattr(before, field.name) != value:
            yield f"  {place}: {text(value)}"


SHOTS = Golden(
    "shots",
    (
        *(f"{scene}-{seed}" for scene in (WATCHING, CLAIMING) for seed in range(3)),
        *map(str, range(200)),
    ),
    _lines,
    tested=10,
)
