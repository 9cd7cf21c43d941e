"""What the commands tell of simulated tables: line by line, and as the one JSON object of the end.

A narrator is fed what the driver of each computer would tell it. A program that was killed while it
carried something out has told all of that here, and a new host tells at once whom it misses.
"""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import cast
from unittest.mock import patch

from lanuno.cli.narrator import Narrator
from lanuno.cli.outcome import tell_outcome
from lanuno.cli.output import Output
from lanuno.log.audit import audit_bytes
from lanuno.log.genesis import Genesis
from lanuno.log.transcript import write
from lanuno.net.gaps import Gaps
from lanuno.table import outputs
from lanuno.table.member import Member
from tests.golden.recording import Golden
from tests.golden.roles import Role, watched
from tests.golden.voices import VOICES, Voice, texts_of
from tests.harness.node_world import faults
from tests.harness.node_world.repeatable import arithmetic_once, sealing_from
from tests.harness.node_world.world import World

TESTED_SEEDS = (1, 2, 6, 8, 22, 52, 55, 100)
"""Of the test command: short tables at which nearly everything is told that a table can make a
narrator tell. The others take longer."""
SEEDS = (*TESTED_SEEDS, *(seed for seed in range(120) if seed not in TESTED_SEEDS))

NOT_TOLD = (
    *(outputs.KeepGenesis, outputs.KeepEntry, outputs.KeepSecret, outputs.KeepBody),
    *(outputs.KeepBot, outputs.KeepVote, outputs.KeepRelease, outputs.KeepOtherEnd),
    *(outputs.Sync, outputs.Compute, outputs.Dial, outputs.HangUp),
    *(outputs.ToLink, outputs.ToHost, outputs.ToPeer, outputs.Disconnect),
)
"""Outputs that a driver carries out without telling anybody."""


@dataclass
class Program:
    """One run of the program of a computer."""

    seat: int
    run: int
    told: list[object] = field(default_factory=list)
    over: bool = False

    @property
    def name(self) -> str:
        """The seat of its owner, and how often it was started before."""
        return f"{self.seat}.{self.run}"


@dataclass(frozen=True)
class Played:
    """What a simulated table leaves for those who tell of it."""

    genesis: Genesis
    programs: tuple[Program, ...]
    files: tuple[bytes, ...]
    """The transcript on the disk of each computer."""


class Line(io.StringIO):
    """A stream whose lines are kept together with those of another one."""

    def __init__(self, lines: list[str], prefix: str) -> None:
        super().__init__()
        self._lines = lines
        self._prefix = prefix

    def write(self, text: str, /) -> int:
        """Take what a command writes at once."""
        self._lines += [f"{self._prefix}{line}" for line in text.removesuffix("\n").split("\n")]
        return len(text)


def speaker(voice: Voice, lines: list[str], name: str = "", *, as_json: bool = False) -> Output:
    """What says everything in this voice, into these lines."""
    out, err = Line(lines, f"{name}  "), Line(lines, f"{name}! ")
    return Output(texts_of(voice), as_json=as_json, stdout=out, stderr=err)


@lru_cache(maxsize=2)
def played(seed: int) -> Played:
    """What each program of a simulated table is told."""
    programs: dict[int, Program] = {}
    gaps: dict[int, tuple[Gaps, Member]] = {}  # with a member that is kept, no id comes again
    worlds: list[World] = []
    start = World.start

    def started(world: World) -> None:
        worlds.append(world)
        start(world)

    def hear(
        member: Member, name: str, roles: tuple[Role, Role], out: list[outputs.Output], now: float
    ) -> None:
        program = programs.get(id(member))
        if program is None:
            assert member.seat is not None
            runs = sum(each.seat == member.seat for each in programs.values())
            program = programs[id(member)] = Program(member.seat, runs)
            held = member.replay.seq if runs else None
            gaps[id(member)] = Gaps(program.told.append, held), member
        for output in out:
            _tell(program, output)
        gaps[id(member)][0].look(member)
        program.over = program.over or member.replay.closed is not None

    with patch.object(World, "start", started), watched(hear):
        faults.run(seed)
    (world,) = worlds
    return Played(
        world.genesis,
        tuple(programs.values()),
        tuple(write(world.genesis, tuple(each.disk.entries)) for each in world.computers),
    )


def _tell(program: Program, output: outputs.Output) -> None:
    match output:
        case outputs.Happened():
            program.told.append(output.event)
        case outputs.TableWaits() | outputs.TableFrozen() if program.over:
            pass  # nobody waits there any more
        case outputs.Stopped():
            program.told.append(output)
            program.over = True
        case _ if not isinstance(output, NOT_TOLD):
            program.told.append(output)


def narrated(told: Played, voice: Voice, seed: int) -> Iterator[str]:
    """Everything that the commands of a table say."""
    notices: dict[int, list[dict[str, object]]] = {}
    for program in told.programs:
        lines: list[str] = []
        narrator = Narrator(speaker(voice, lines, program.name), resumed=program.run > 0)
        narrator(outputs.TableBegan(told.genesis))
        for event in program.told:
            narrator(event)
        yield from lines
        yield f"{program.name} {json.dumps(narrator.notices)}"
        notices[program.seat] = narrator.notices
    with (
        sealing_from(seed),
        arithmetic_once(),
        patch("lanuno.cli.outcome.audit_bytes", cache(audit_bytes)),
        tempfile.TemporaryDirectory() as folder,
    ):
        for seat, file in enumerate(told.files):
            path = Path(folder, f"{seat}.lanuno")
            path.write_bytes(file)
            for as_json in (False, True):
                lines = []
                out = speaker(voice, lines, f"{seat}", as_json=as_json)
                code = tell_outcome(out, path, None, notices.get(seat, []))
                out.finish(code)
                yield from (line.replace(folder, "<folder>") for line in lines)
                yield f"{seat} exit {int(code)}"


def _lines(case: str) -> Iterator[str]:
    seed, _, voice = case.partition("-")
    yield from narrated(played(int(seed)), cast(Voice, voice), int(seed))


CASES = tuple(f"{seed}-{voice}" for seed in SEEDS for voice in VOICES)

NARRATION = Golden("narration", CASES, _lines, tested=len(TESTED_SEEDS) * len(VOICES))
