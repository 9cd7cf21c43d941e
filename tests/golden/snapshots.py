"""The events that windows of simulated tables receive: each snapshot and the events before it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from lanuno.client.events import SessionEvent, TableUpdated
from lanuno.client.snapshot import TableSnapshot
from lanuno.log.format.genesis import VERSION
from lanuno.rules.presets import PRESETS
from lanuno.rules.ruleset import Ruleset
from lanuno.table import inputs, messages
from lanuno.table.host.clocks import Pace
from lanuno.table.node import Node, NodeConfig
from tests.golden.canonical import text
from tests.golden.recording import Golden
from tests.golden.window_events import OnEvent, observe_windows
from tests.harness.node_world import faults
from tests.harness.node_world.repeatable import repeatable
from tests.harness.node_world.world import SimulatedNode, World

WATCHING = "watching"
"""A table with a spectator, with chat and one idle player."""
CLAIMING = "claiming"
"""Two players, one of whom falls silent for good. The other is asked whether to keep waiting."""

NAMES_IN_SESSIONS = {
    "ChatHeard": "ChatSaid",
    "ReactionSeen": "Reacted",
    "ActionRefused": "Disagreed",
    "SpectatorsChanged": "Watched",
    "Stopped": "Halted",
    "TableBegan": "Began",
}
"""Outputs that had separate session classes when the golden outputs were recorded."""


def event_text(event: SessionEvent) -> str:
    """Return the line for an event of a session."""
    name, _, fields = text(event).partition("(")
    return f"{NAMES_IN_SESSIONS.get(name, name)}({fields}"


def play(case: str, on_event: OnEvent) -> None:
    """Play a case; `on_event` is called with every event of every window."""
    with observe_windows(on_event):
        scene, _, seed = case.rpartition("-")
        if not scene:
            faults.run(int(seed))
            return
        with repeatable(int(seed)):
            (_watched if scene == WATCHING else _claimed)(int(seed))


def _watched(seed: int) -> None:
    world = World(3, seed, bots=(0,), ruleset=_short(), rounds=2)
    world.start()
    host = world.nodes[0]
    spectator = SimulatedNode(
        9, NodeConfig(identities=(), entropy=host.config.entropy), "10.0.0.9", idle=True
    )
    spectator.program = Node(world.genesis, spectator.config)
    here, there = 1_000_000, 1_000_001  # numbers that no link of the simulated world has
    spectator.links[here], host.links[there] = (host, there), (spectator, here)
    identity = bytes(range(32))
    world.do(
        host,
        host.running.step(
            inputs.LinkUp(there, None, address="10.0.0.9", identity=identity), world.now
        ),
    )
    world.do(
        host,
        host.running.step(inputs.MessageReceived(there, messages.Watch(VERSION, "Eve")), world.now),
    )
    world.do(spectator, spectator.running.step(inputs.LinkUp(here, 0, dialled=True), world.now))
    world.do(spectator, spectator.running.step(inputs.NodeStarted(), world.now))

    def talk() -> None:
        for node in (*world.nodes, spectator):
            if node.program is not None:
                world.do(
                    node, node.running.step(inputs.ChatSent(f"Hello from {node.number}"), world.now)
                )
        guest = world.nodes[1]
        world.do(
            guest, guest.running.step(inputs.ReactionSent(messages.Reaction.WELL_PLAYED), world.now)
        )

    world.after(2.0, talk)
    world.after(3.0, lambda: setattr(world.nodes[2], "idle", True))
    world.after(5.0, lambda: world.crash(world.nodes[1]))
    world.after(8.0, lambda: world.restart(world.nodes[1]))
    world.after(60.0, lambda: world.end_idle(world.nodes[2]))
    everybody = (*world.nodes, spectator)
    world.run(lambda: all(node.running.over for node in everybody), most=2000.0, every=16)


def _claimed(seed: int) -> None:
    world = World(2, seed, ruleset=_short(), rounds=1)
    for node in world.nodes:
        node.config = replace(node.config, pace=Pace(claim=None))
    world.start()
    host = world.nodes[0]
    world.after(1.0, lambda: world.crash(world.nodes[1], power=True))
    world.after(30.0, lambda: world.do(host, host.running.step(inputs.ClaimMade(), world.now)))
    world.run(lambda: host.running.over, most=100.0)


def _short() -> Ruleset:
    return msgspec.structs.replace(
        PRESETS["classic"], hand_size=3, grace_first_s=10, grace_total_s=30, turn_clock_s=30
    )


def _lines(case: str) -> Iterator[str]:
    lines: list[str] = []
    before: dict[int | None, TableSnapshot] = {}

    def on_event(seat: int | None, told: SessionEvent, at: float) -> None:
        if not isinstance(told, TableUpdated):
            lines.append(f"{at!r} {seat} {event_text(told)}")
            return
        lines.append(f"{at!r} {seat} sees")
        lines.extend(f"  {text(event)}" for event in told.happened)
        lines.extend(changes(before.get(seat), told.snapshot))
        before[seat] = told.snapshot

    play(case, on_event)
    yield from lines


def changes(before: TableSnapshot | None, snapshot: TableSnapshot) -> Iterator[str]:
    """Yield the fields of a snapshot that differ from the previous one, by position."""
    for place, field in enumerate(snapshot.__struct_fields__):
        value = getattr(snapshot, field)
        if before is None or getattr(before, field) != value:
            yield f"  {place}: {text(value)}"


SNAPSHOTS = Golden(
    "shots",
    (
        *(f"{scene}-{seed}" for scene in (WATCHING, CLAIMING) for seed in range(3)),
        *map(str, range(200)),
    ),
    _lines,
    tested=10,
)
