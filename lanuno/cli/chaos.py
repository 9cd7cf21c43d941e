"""The chaos run of `demo --chaos SEED`: kills child programs, the host's too, and restarts them.

The seed decides which programs are killed, when, and how long they stay down. It does not decide
what they are doing at that moment, because they are real processes on a real clock. Every kill is a
SIGKILL, and every restart uses `--resume`. When the match is over, all seeds are revealed, and the
hands that each program noted are compared with the transcript (`hand_notes.py`).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Final

from msgspec import Struct

from lanuno.cli.child_processes import ChildProgram
from lanuno.cli.exits import ExitCode
from lanuno.cli.hand_notes import check, read_notes
from lanuno.cli.output import CommandOutput, Failure
from lanuno.log.audit.audit import Report
from lanuno.log.format.bodies import Close
from lanuno.log.format.codec import decode
from lanuno.log.format.entries import Entry
from lanuno.log.format.transcript import MAGIC, read
from lanuno.log.replay.replay import Replay
from lanuno.store.errors import StoreError
from lanuno.store.journal import read_journal

FEWEST_KILLS, MOST_KILLS = 4, 14
"""Bounds of the number of kills in one match, if it lasts long enough."""

GAP_SECONDS: Final = (0.2, 4.0)
"""Seconds between two kills."""

SHORT_DOWN_SECONDS: Final = (0.1, 2.0)
"""Seconds down: short enough that the other nodes only wait."""

LONG_DOWN_SECONDS: Final = (5.0, 8.0)
"""Seconds down: long enough for the other nodes to elect another host."""

PROGRESS_BYTES: Final = 2_000
"""Log growth that counts as progress: a few moves, or a part of a deal."""

POLL_SECONDS: Final = 0.05
"""Seconds between two checks of the files."""

Arguments = Callable[[ChildProgram], Sequence[str]]
"""Returns the arguments to restart a program with."""


def notes_file(home: Path) -> Path:
    """Return the file, in a program's private folder, in which it notes its hand."""
    return home / "private" / "hand.notes"


class _PlannedKill(Struct, frozen=True):
    """One kill, as drawn from the seed."""

    after_progress: bool
    """Whether to wait first until all programs make progress; else they may still be starting."""
    gap_seconds: float
    kind: float
    victims: tuple[int, int]
    down_seconds: float


def _planned_kills(seed: int, players: int) -> list[_PlannedKill]:
    chance = Random(seed)
    found = []
    for _ in range(chance.randint(FEWEST_KILLS, MOST_KILLS)):
        first, second = chance.sample(range(players), 2)
        down = chance.uniform(*(LONG_DOWN_SECONDS if chance.random() < 0.3 else SHORT_DOWN_SECONDS))
        calm = chance.random() < 0.7
        found.append(
            _PlannedKill(calm, chance.uniform(*GAP_SECONDS), chance.random(), (first, second), down)
        )
    return found


class ChaosRun(Struct):
    """A chaos run, and its counts so far."""

    seed: int
    out: CommandOutput
    children: Sequence[ChildProgram] = ()
    kills: int = 0
    host_kills: int = 0
    """Number of kills that hit the host of that moment."""

    async def run(self, children: Sequence[ChildProgram], resume_arguments: Arguments) -> None:
        """Kill and restart programs until all planned kills are done or the match is over."""
        self.children = children
        waiting = list(children)
        while waiting:
            await asyncio.sleep(POLL_SECONDS)
            waiting = [each for each in waiting if not _records(each)]
        async with asyncio.TaskGroup() as kill_tasks:
            for kill in _planned_kills(self.seed, len(self.children)):
                if kill.after_progress:
                    await self._wait_for_progress()
                await asyncio.sleep(kill.gap_seconds)
                if any(_is_over(each) for each in self.children):
                    return
                for victim in self._victims(kill):
                    if victim.is_running:
                        work = self._kill_and_restart(victim, kill.down_seconds, resume_arguments)
                        kill_tasks.create_task(work)

    async def _wait_for_progress(self) -> None:
        """Wait until every log has grown by `PROGRESS_BYTES`, or the match is over."""
        aim = max(_size(each) for each in self.children) + PROGRESS_BYTES
        while min(_size(each) for each in self.children) < aim:
            await asyncio.sleep(POLL_SECONDS)
            if any(_is_over(each) for each in self.children):
                return

    def _victims(self, kill: _PlannedKill) -> list[ChildProgram]:
        """Return one program (often the host's), two, or all as in a power failure."""
        hosts = [each for each in self.children if _is_host(each)]
        first, second = (self.children[number] for number in kill.victims)
        if kill.kind < 0.35 and hosts:
            return hosts
        if kill.kind < 0.8:
            return [first]
        return [first, second] if kill.kind < 0.92 else list(self.children)

    async def _kill_and_restart(
        self, child: ChildProgram, down: float, resume_arguments: Arguments
    ) -> None:
        host = _is_host(child)
        if not await child.kill():
            return
        self.kills += 1
        self.host_kills += host
        key = "chaos.killed_host" if host else "chaos.killed"
        self.out.progress(key, name=child.name, seconds=f"{down:.1f}")
        await asyncio.sleep(down)
        if _is_over(child) and (not host or all(_is_over(each) for each in self.children)):
            # The game is over. A host that has just closed the log may still have to send it.
            child.clear_killed(done=True)
            return
        child.restart(resume_arguments(child))


def _size(child: ChildProgram) -> int:
    return sum(file.stat().st_size for file in _journals(child))


def _journals(child: ChildProgram) -> list[Path]:
    """Return the program's journals: none before its table has begun, then one."""
    return list((child.home / "games").glob("*.lanuno"))


def _records(child: ChildProgram) -> tuple[bytes, ...]:
    """Return the records in a program's journal: the genesis, then entries."""
    for file in _journals(child):
        with contextlib.suppress(StoreError):  # the journal is being created
            return read_journal(file, MAGIC)[0]
    return ()


def _is_over(child: ChildProgram) -> bool:
    _, *entries = _records(child) or (b"",)
    if not entries:
        return False
    payload = decode(entries[-1], Entry).read().signed_body.read().payload
    return isinstance(payload, Close)


def _is_host(child: ChildProgram) -> bool:
    notes = read_notes(notes_file(child.home))
    return bool(notes) and notes[-1].hosts


def show_chaos(
    chaos_run: ChaosRun,
    homes: Sequence[Path],
    copies: Sequence[bytes],
    report: Report,
) -> None:
    """Show the kills, and whether every restarted program still had its hand.

    Raises `Failure` (INTERNAL) if a hand was wrong, or if two players' logs differ.
    """
    if any(copy != copies[0] for copy in copies):
        raise Failure(ExitCode.INTERNAL, "chaos.logs")
    out, transcript = chaos_run.out, read(copies[0])
    found = check(transcript, report.entries, [read_notes(notes_file(home)) for home in homes])
    replay = Replay(transcript.genesis)
    for entry in transcript.entries:
        replay.follow(entry, trusted=True)
    void = [each.number for each in replay.summaries if each.void is not None]
    resumed, hands = sum(each.resumed for each in found), sum(each.notes for each in found)
    wrong = [where for each in found for where in each.wrong]
    out.result(
        chaos={
            "seed": chaos_run.seed,
            "kills": chaos_run.kills,
            "host_kills": chaos_run.host_kills,
            "new_hosts": len(replay.terms) - 1,
            "void_rounds": void,
            "starts": sum(each.starts for each in found),
            "resumed": resumed,
            "empty_handed": sum(each.empty_handed for each in found),
            "hands": hands,
            "wrong_hands": len(wrong),
        }
    )
    if wrong:
        raise Failure(ExitCode.INTERNAL, "chaos.hand", where=wrong[0])
    out.line("chaos.struck", kills=chaos_run.kills, host=chaos_run.host_kills, seed=chaos_run.seed)
    out.line("chaos.hands", resumed=resumed, hands=hands)
    for number in void:
        out.line("chaos.void", number=number)
