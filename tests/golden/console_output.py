"""The output of the commands at simulated tables: line by line, and one JSON object at the end.

A console renderer receives the events that the runtime of each node would send it. There are two
differences: a program killed while carrying out outputs has sent all of them here, and a new host
reports missing players immediately.
"""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import cast
from unittest.mock import patch

from lanuno.cli.console import ConsoleRenderer
from lanuno.cli.output import CommandOutput
from lanuno.cli.playing import show_outcome
from lanuno.client.observer import TableObserver
from lanuno.log.audit.audit import audit_bytes
from lanuno.log.format.genesis import Genesis
from lanuno.log.format.transcript import write
from lanuno.net.runtime.endings import RuntimeEvent
from lanuno.net.runtime.missed_entries import MissedEntries
from lanuno.table import outputs
from lanuno.table.node import Node
from tests.golden.recording import Golden
from tests.golden.roles import Role, watched
from tests.golden.text_modes import TEXT_MODES, TextMode, texts_of
from tests.harness.node_world import faults
from tests.harness.node_world.repeatable import arithmetic_once, sealing_from
from tests.harness.node_world.world import World

TESTED_SEEDS = (1, 2, 6, 8, 22, 52, 55, 100)
"""Seeds of the test command: short tables that together cause nearly every message of the console
renderer. The others take longer."""
SEEDS = (*TESTED_SEEDS, *(seed for seed in range(120) if seed not in TESTED_SEEDS))

NOT_TOLD = (
    outputs.StoreGenesis,
    outputs.AppendEntry,
    outputs.StoreSeed,
    outputs.StoreBody,
    outputs.StoreStandIn,
    outputs.StoreVote,
    outputs.StoreRelease,
    outputs.StoreOtherEnd,
    outputs.ScoreReader,
    outputs.SyncJournal,
    outputs.RunJob,
    outputs.Connect,
    outputs.CloseLink,
    outputs.Send,
    outputs.StartBroken,
    outputs.EntriesOnDisk,
    outputs.HostDoubted,
)
"""Outputs that a driver carries out without reporting them."""


@dataclass
class Program:
    """One run of the program on one computer."""

    seat: int
    run: int
    told: list[RuntimeEvent] = field(default_factory=list)
    over: bool = False

    @property
    def name(self) -> str:
        """The owner's seat and the number of earlier starts."""
        return f"{self.seat}.{self.run}"


@dataclass(frozen=True)
class Played:
    """The events and files of a simulated table, from which the output is rendered."""

    genesis: Genesis
    programs: tuple[Program, ...]
    files: tuple[bytes, ...]
    """The transcript on the disk of each computer."""


class Line(io.StringIO):
    """A stream that writes its lines into a list shared with another stream."""

    def __init__(self, lines: list[str], prefix: str) -> None:
        super().__init__()
        self._lines = lines
        self._prefix = prefix

    def write(self, text: str, /) -> int:
        """Write a whole text to the shared list."""
        self._lines += [f"{self._prefix}{line}" for line in text.removesuffix("\n").split("\n")]
        return len(text)


def renderer_for(
    voice: TextMode, lines: list[str], name: str = "", *, as_json: bool = False
) -> CommandOutput:
    """Return a renderer that writes into these lines in this text mode."""
    out, err = Line(lines, f"{name}  "), Line(lines, f"{name}! ")
    return CommandOutput(texts_of(voice), as_json=as_json, stdout=out, stderr=err)


@lru_cache(maxsize=2)
def played(seed: int) -> Played:
    """Play a simulated table and return the events that each program received."""
    programs: dict[int, Program] = {}
    gaps: dict[
        int, tuple[MissedEntries, Node]
    ] = {}  # keeps the node alive, so that its id is not reused
    worlds: list[World] = []
    start = World.start

    def started(world: World) -> None:
        worlds.append(world)
        start(world)

    def hear(
        node: Node, name: str, roles: tuple[Role, Role], out: Sequence[outputs.Output], now: float
    ) -> None:
        program = programs.get(id(node))
        if program is None:
            assert node.seat is not None
            runs = sum(each.seat == node.seat for each in programs.values())
            program = programs[id(node)] = Program(node.seat, runs)
            held = node.replay.seq if runs else None
            gaps[id(node)] = MissedEntries(program.told.append, held), node
        for output in out:
            _tell(program, output)
        gaps[id(node)][0].check(node)
        program.over = program.over or node.replay.closed is not None

    with patch.object(World, "start", started), watched(hear):
        faults.run(seed)
    (world,) = worlds
    return Played(
        world.genesis,
        tuple(programs.values()),
        tuple(write(world.genesis, tuple(each.disk.entries)) for each in world.nodes),
    )


def _tell(program: Program, output: outputs.Output) -> None:
    match output:
        case outputs.Happened():
            program.told.append(output.event)
        case outputs.SeatsAwaited() | outputs.QuorumChanged() if program.over:
            pass  # no caller waits there any more
        case outputs.NodeStopped():
            program.told.append(output)
            program.over = True
        case _ if not isinstance(output, NOT_TOLD):
            program.told.append(output)


def rendered(told: Played, voice: TextMode, seed: int) -> Iterator[str]:
    """Yield the whole output of the commands at a table."""
    notices: dict[int, list[dict[str, object]]] = {}
    for program in told.programs:
        lines: list[str] = []
        renderer = ConsoleRenderer(renderer_for(voice, lines, program.name))
        observer = TableObserver(renderer, lambda: None, snapshots=False, resumed=program.run > 0)
        observer(outputs.TableBegan(told.genesis))
        for event in program.told:
            observer(event)
        yield from lines
        yield f"{program.name} {json.dumps(renderer.notices)}"
        notices[program.seat] = renderer.notices
    with (
        sealing_from(seed),
        arithmetic_once(),
        patch("lanuno.client.transcripts.audit_bytes", cache(audit_bytes)),
        tempfile.TemporaryDirectory() as folder,
    ):
        for seat, file in enumerate(told.files):
            path = Path(folder, f"{seat}.lanuno")
            path.write_bytes(file)
            for as_json in (False, True):
                lines = []
                out = renderer_for(voice, lines, f"{seat}", as_json=as_json)
                code = show_outcome(out, path, None, notices.get(seat, []))
                out.finish(code)
                yield from (line.replace(folder, "<folder>") for line in lines)
                yield f"{seat} exit {int(code)}"


def _lines(case: str) -> Iterator[str]:
    seed, _, voice = case.partition("-")
    yield from rendered(played(int(seed)), cast(TextMode, voice), int(seed))


CASES = tuple(f"{seed}-{voice}" for seed in SEEDS for voice in TEXT_MODES)

CONSOLE_OUTPUT = Golden("narration", CASES, _lines, tested=len(TESTED_SEEDS) * len(TEXT_MODES))
