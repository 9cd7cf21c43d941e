"""Worlds that are watched for every invariant: how a test begins one, waits in it and ends it."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from lanuno.log.audit import audit
from lanuno.log.bodies import CloseReason
from lanuno.log.faults import Fault, Verdict
from lanuno.log.round_record import Phase
from lanuno.rules.ruleset import Ruleset
from tests.harness.node_world.invariants import Watch
from tests.harness.node_world.world import Computer, World

QUICK = replace(Ruleset(), hand_size=2, grace_first_s=2, grace_total_s=30, turn_clock_s=30)

SECONDS = 900.0


def begun(owners: int, seed: int = 1, *, bots: int = 0, rounds: int = 1) -> World:
    """A table that has just begun, watched for everything that must always hold."""
    world = World(owners, seed, bots=[0] * bots, ruleset=QUICK, rounds=rounds)
    Watch(world)
    world.start()
    return world


def until(world: World, reached: Callable[[], bool]) -> None:
    assert world.run(reached, most=world.now + SECONDS), "that never came to be"


def in_phase(computer: Computer, phase: Phase, number: int = 1) -> Callable[[], bool]:
    def reached() -> bool:
        current = None if computer.member is None else computer.up.replay.round
        return current is not None and (current.number, current.phase) == (number, phase)

    return reached


def ended(world: World, *who: int) -> Callable[[], bool]:
    """Whether the log is closed for these; for everybody, if none are named."""
    some = [world.computers[number] for number in who] or world.computers
    return lambda: all(
        each.member is not None and each.up.replay.closed is not None for each in some
    )


def finish(
    world: World, *who: int, verdict: Verdict = Verdict.VERIFIED, behind: tuple[int, ...] = ()
) -> CloseReason | None:
    """Play to the end; all of these hold one and the same log, and it proves this.

    `behind`: seats that may miss the end, so that their seeds never come.
    """
    until(world, ended(world, *who))
    some = [world.computers[number] for number in who] or world.computers
    assert len({each.up.replay.head for each in some}) == 1
    report = audit(world.transcript(some[0]))
    blame = [
        each
        for each in report.blame
        if each.fault is not Fault.NO_REVEAL or each.seat not in behind
    ]
    assert (report.verdict, blame) == (verdict, [])
    return report.closed


def heard(world: World, kind: type, who: int) -> list[object]:
    return [event for _, each, event in world.happened if each == who and isinstance(event, kind)]


def rulers(world: World) -> list[int]:
    return [each.number for each in world.running if each.up.hosts]
