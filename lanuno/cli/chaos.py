"""The storm of `demo --chaos SEED`: players' programs and the host's are killed and started again.

Which programs, how long after one another and for how long they are down follows from the seed.
What they are doing at that moment does not: they are real programs on a real clock. Every kill is
SIGKILL, every start is `--resume`. When the match is over the seeds are out, and what each program
noted of its own hand is compared with what the transcript says (`hand_notes.py`).
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from lanuno.cli.exits import ExitCode
from lanuno.cli.hand_notes import Note, check, read_notes
from lanuno.cli.output import Failure, Output
from lanuno.cli.troupe import Actor
from lanuno.log.audit import Report
from lanuno.log.bodies import Close
from lanuno.log.codec import decode
from lanuno.log.entries import Entry
from lanuno.log.replay import Replay
from lanuno.log.transcript import MAGIC, read
from lanuno.store.errors import StoreError
from lanuno.store.journal import read_journal

FEWEST, MOST = 4, 14
"""Kills in one match, if it is long enough."""

GAP: Final = (0.2, 4.0)
"""Seconds between one kill and the next."""

SHORT: Final = (0.1, 2.0)
"""Seconds that a program is down: so soon that it is only waited for."""

LONG: Final = (5.0, 8.0)
"""Or long enough for the others to elect another host, if it was the host."""

MOVED_ON: Final = 2_000
"""Bytes of a log after which a table has gone on: a few moves, or a part of a deal."""

LOOK: Final = 0.05
"""Seconds between two looks at what is on the disks."""

Arguments = Callable[[Actor], Sequence[str]]
"""How a program is started again."""


def notes_of(home: Path) -> Path:
    """Where a program notes its own hand: in its private folder."""
    return home / "private" / "hand.notes"


@dataclass(slots=True)
class Storm:
    """What a storm has done so far."""

    seed: int
    began: float = field(default_factory=time.monotonic)
    kills: int = 0
    of_the_host: int = 0
    """How many of these were of whoever was the host at that moment."""


@dataclass(frozen=True, slots=True)
class _Blow:
    """One blow as the seed says it."""

    calm: bool
    """Whether the table has gone on before, with everybody; else they fall as they stand up."""
    gap: float
    kind: float
    who: tuple[int, int]
    down: float


def _blows(seed: int, players: int) -> list[_Blow]:
    chance = Random(seed)
    found = []
    for _ in range(chance.randint(FEWEST, MOST)):
        first, second = chance.sample(range(players), 2)
        down = chance.uniform(*(LONG if chance.random() < 0.3 else SHORT))
        calm = chance.random() < 0.7
        found.append(_Blow(calm, chance.uniform(*GAP), chance.random(), (first, second), down))
    return found


async def rage(actors: Sequence[Actor], storm: Storm, again: Arguments, out: Output) -> None:
    """Kill and start again until all blows are struck, or the match is over."""
    waiting = list(actors)
    while waiting:
        await asyncio.sleep(LOOK)
        waiting = [each for each in waiting if not _has_begun(each)]
    async with asyncio.TaskGroup() as falls:
        for blow in _blows(storm.seed, len(actors)):
            if blow.calm:
                await _have_moved_on(actors)
            await asyncio.sleep(blow.gap)
            if any(_is_over(each) for each in actors):
                return
            for victim in _victims(actors, blow):
                if victim.runs:
                    falls.create_task(_fall(victim, actors, blow.down, storm, again, out))


async def _have_moved_on(actors: Sequence[Actor]) -> None:
    """Until everybody's log is longer by some, or the match is over."""
    aim = max(_size(each) for each in actors) + MOVED_ON
    while min(_size(each) for each in actors) < aim:
        await asyncio.sleep(LOOK)
        if any(_is_over(each) for each in actors):
            return


def _victims(actors: Sequence[Actor], blow: _Blow) -> list[Actor]:
    """Mostly one program, often the host's; two at once; or all, as when the power fails."""
    hosts = [each for each in actors if _hosts(each)]
    first, second = (actors[number] for number in blow.who)
    if blow.kind < 0.35 and hosts:
        return hosts
    if blow.kind < 0.8:
        return [first]
    return [first, second] if blow.kind < 0.92 else list(actors)


async def _fall(
    actor: Actor,
    actors: Sequence[Actor],
    down: float,
    storm: Storm,
    again: Arguments,
    out: Output,
) -> None:
    host = _hosts(actor)
    if not await actor.kill():
        return
    storm.kills += 1
    storm.of_the_host += host
    key = "chaos.killed_host" if host else "chaos.killed"
    out.progress(key, name=actor.name, seconds=f"{down:.1f}")
    await asyncio.sleep(down)
    if _is_over(actor) and (not host or all(_is_over(each) for each in actors)):
        # Nobody needs it any more. A host that has just closed the log may have to tell others.
        actor.rest(done=True)
        return
    await actor.start_again(again(actor))


def _size(actor: Actor) -> int:
    return sum(file.stat().st_size for file in _journals(actor))


def _journals(actor: Actor) -> list[Path]:
    """None before its table has begun, then one."""
    return list((actor.home / "games").glob("*.lanuno"))


def _records(actor: Actor) -> tuple[bytes, ...]:
    """What is on an actor's disk of the log: the genesis, then entries."""
    for file in _journals(actor):
        with contextlib.suppress(StoreError):  # it is being made
            return read_journal(file, MAGIC)[0]
    return ()


def _has_begun(actor: Actor) -> bool:
    return bool(_records(actor))


def _is_over(actor: Actor) -> bool:
    _, *entries = _records(actor) or (b"",)
    if not entries:
        return False
    payload = decode(entries[-1], Entry).read().signed_body.read().payload
    return isinstance(payload, Close)


def _hosts(actor: Actor) -> bool:
    notes = read_notes(notes_of(actor.home))
    return bool(notes) and notes[-1].hosts


def tell_chaos(
    out: Output, storm: Storm, homes: Sequence[Path], copies: Sequence[bytes], report: Report
) -> None:
    """What the storm did, and whether every program that was started again had its own hand.

    A `Failure` (INTERNAL) if one had not, or if two players' logs are not the same.
    """
    if any(copy != copies[0] for copy in copies):
        raise Failure(ExitCode.INTERNAL, "chaos.logs")
    transcript = read(copies[0])
    notes: list[tuple[Note, ...]] = [read_notes(notes_of(home)) for home in homes]
    found = check(transcript, report.entries, notes)
    replay = Replay(transcript.genesis)
    for entry in transcript.entries:
        replay.follow(entry, trusted=True)
    void = [each.number for each in replay.summaries if each.void is not None]
    out.result(
        chaos={
            "seed": storm.seed,
            "kills": storm.kills,
            "host_kills": storm.of_the_host,
            "new_hosts": len(replay.terms) - 1,
            "void_rounds": void,
            "starts": sum(each.starts for each in found),
            "resumed": sum(each.resumed for each in found),
            "empty_handed": sum(each.empty_handed for each in found),
            "hands": sum(each.notes for each in found),
            "wrong_hands": sum(len(each.wrong) for each in found),
        }
    )
    wrong = [where for each in found for where in each.wrong]
    if wrong:
        raise Failure(ExitCode.INTERNAL, "chaos.hand", where=wrong[0])
    out.line("chaos.struck", kills=storm.kills, host=storm.of_the_host, seed=storm.seed)
    resumed, hands = sum(each.resumed for each in found), sum(each.notes for each in found)
    out.line("chaos.hands", resumed=resumed, hands=hands)
    for number in void:
        out.line("chaos.void", number=number)
