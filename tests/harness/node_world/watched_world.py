"""Worlds that are watched for every invariant: how a test begins one, waits in it and ends it."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from lanuno.log.audit.audit import audit
from lanuno.log.faults import AuditVerdict, Fault
from lanuno.log.format.bodies import CloseReason
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.ruleset import Ruleset
from tests.harness.node_world.invariants import InvariantChecker
from tests.harness.node_world.world import SimulatedNode, World

QUICK = replace(Ruleset(), hand_size=2, grace_first_s=2, grace_total_s=30, turn_clock_s=30)

MOST_SECONDS = 900.0


def started_world(owners: int, seed: int = 1, *, bots: int = 0, rounds: int = 1) -> World:
    """Return a table that has just begun, watched for every invariant."""
    world = World(owners, seed, bots=[0] * bots, ruleset=QUICK, rounds=rounds)
    InvariantChecker(world)
    world.start()
    return world


def until(world: World, reached: Callable[[], bool]) -> None:
    assert world.run(reached, most=world.now + MOST_SECONDS), "that never came to be"


def in_phase(node: SimulatedNode, phase: ProtocolPhase, number: int = 1) -> Callable[[], bool]:
    def reached() -> bool:
        current = None if node.program is None else node.running.replay.round
        return current is not None and (current.number, current.phase) == (number, phase)

    return reached


def ended(world: World, *who: int) -> Callable[[], bool]:
    """Return the condition that the log is closed at these nodes, by default at all nodes."""
    some = [world.nodes[number] for number in who] or world.nodes
    return lambda: all(
        each.program is not None and each.running.replay.closed is not None for each in some
    )


def finish(
    world: World,
    *who: int,
    verdict: AuditVerdict = AuditVerdict.VERIFIED,
    behind: tuple[int, ...] = (),
) -> CloseReason | None:
    """Play to the end; check that these nodes (by default all) hold one log with this verdict.

    `behind`: seats that may miss the end, so that their seeds never come.
    """
    until(world, ended(world, *who))
    some = [world.nodes[number] for number in who] or world.nodes
    assert len({each.running.replay.head for each in some}) == 1
    report = audit(world.transcript(some[0]))
    blame = [
        each
        for each in report.blame
        if each.fault is not Fault.NO_REVEAL or each.seat not in behind
    ]
    assert (report.verdict, blame) == (verdict, [])
    return report.closed


def events_of(world: World, kind: type, who: int) -> list[object]:
    return [event for _, each, event in world.events if each == who and isinstance(event, kind)]


def hosts_of(world: World) -> list[int]:
    return [each.number for each in world.running if each.running.hosts]
