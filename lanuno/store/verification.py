"""Checks transcripts, and compares them: the one way of the command `verify` and of the window.

All that depends on what a file holds is done in a bounded process: reading it, the audit, the
story, the comparison of copies, the assembly of a tournament. Words for people are the caller's.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from typing import Final

from lanuno.log.audit import Report, audit, fork, no_game
from lanuno.log.copies import Log, Parting, part
from lanuno.log.faults import Blame, LogError, Unreadable, Verdict
from lanuno.log.genesis import Genesis
from lanuno.log.story import Story, tell
from lanuno.log.tournament import Tournament
from lanuno.log.transcript import MAX_FILE_BYTES, Transcript, salvage
from lanuno.store.bounded_process import (
    MEMORY,
    SECONDS,
    BoundedProcess,
    Limit,
    LimitReached,
    Tell,
)
from lanuno.store.durable import read_bounded
from lanuno.store.errors import Problem, StoreError

AUDIT_SHARE: Final = 0.9
"""Of the whole work on a file that is also told; the rest is telling it."""


@dataclass(frozen=True, slots=True)
class Verified:
    """What a file holds."""

    report: Report
    story: Story | None
    """None where there is nothing to tell, or it was not asked for."""
    mine: int | None
    """The seat of the player who asked; None without a story."""
    size: int
    """Bytes of the file."""
    digest: bytes = b""
    """SHA-256 of the file: what is compared later is what was checked."""
    tournament: bytes = b""
    """Id of the tournament that the file belongs to, if it does."""
    opens: bool = False
    """Whether its genesis is that of the tournament itself."""
    bare: bool = False
    """Whether it holds a genesis and nothing else."""


@dataclass(frozen=True, slots=True)
class Unchecked:
    """Why there is no verdict."""

    problem: Problem | None
    """What is wrong with the file on the disk; None if a limit was reached."""
    limit: Limit | None = None
    """What checking it would have taken too much of."""
    detail: str = ""
    """What the system says of the problem; empty if there is no such file."""


Outcome = Verified | Unchecked


@dataclass(frozen=True, slots=True)
class Checked:
    """A file that was verified, to be compared with others."""

    path: Path
    found: Verified


@dataclass(frozen=True, slots=True)
class Apart:
    """Two copies of one table's log that do not go on alike."""

    first: int
    """Index of the file."""
    second: int
    parting: Parting


@dataclass(frozen=True, slots=True)
class Comparison:
    """What several files show together. Files are named by their index."""

    forks: tuple[tuple[int, Blame], ...] = ()
    """Faults that two copies of one log prove."""
    apart: tuple[Apart, ...] = ()
    tournament: Tournament | None = None
    """The tournament whose genesis is among the files, as far as its tables are."""


Progress = Callable[[float, int, int], None]
"""Called with a share from 0 to 1, and with (entries, of how many) of the present part."""


class Verifier:
    """Checks files one after the other, in one bounded process as long as that goes well."""

    def __init__(self, *, seconds: float = SECONDS, memory: int = MEMORY) -> None:
        """`seconds`: of the processor's time, for each file and for the comparison."""
        self._process = BoundedProcess(seconds=seconds, memory=memory)

    def __enter__(self) -> Verifier:
        """For `with`."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the process."""
        self._process.close()

    def give_up(self) -> None:
        """Have what is running raise `GivenUp` soon. From any thread."""
        self._process.give_up()

    def check(
        self, path: Path, progress: Progress, *, story: bool = False, me: bytes | None = None
    ) -> Outcome:
        """Check a file. `story`: tell the game too; `me`: the public key whose seat is "mine"."""

        def told(word: tuple[float, int, int]) -> None:
            progress(*word)

        try:
            return self._process.run(partial(_check, path=path, story=story, me=me), told)
        except LimitReached as reached:
            return Unchecked(None, reached.limit)

    def compare(self, files: Sequence[Checked]) -> Comparison | Unchecked:
        """Compare copies of one table's log, and put the tables of a tournament together."""
        wanted = _wanted(files)
        if not wanted:
            return Comparison()
        try:
            found = self._process.run(
                partial(_compare, files=[files[each] for each in wanted]), lambda _: None
            )
        except LimitReached as reached:
            return Unchecked(None, reached.limit)
        if isinstance(found, Unchecked):
            return found
        return Comparison(
            tuple([(wanted[each], blame) for each, blame in found.forks]),
            tuple([Apart(wanted[a.first], wanted[a.second], a.parting) for a in found.apart]),
            found.tournament,
        )


def _wanted(files: Sequence[Checked]) -> list[int]:
    """The files that have to be looked at together, if any."""
    opened = next((each.found.tournament for each in files if each.found.opens), None)
    copies: dict[bytes, set[bytes]] = {}
    for each in files:
        copies.setdefault(each.found.report.table_id, set()).add(each.found.digest)
    return [
        number
        for number, each in enumerate(files)
        if (opened is not None and each.found.tournament == opened)
        or (_is_a_log(each.found.report) and len(copies[each.found.report.table_id]) > 1)
    ]


def _is_a_log(report: Report) -> bool:
    return report.verdict is not Verdict.UNREADABLE and bool(report.table_id)


# ---- in the bounded process -------------------------------------------------------------------


def _check(say: Tell, path: Path, *, story: bool, me: bytes | None) -> Outcome:
    try:
        data = read_bounded(path, MAX_FILE_BYTES)
    except StoreError as error:
        return Unchecked(error.problem, detail=error.detail)
    if data is None:
        return Unchecked(Problem.NOT_READABLE)
    digest = sha256(data).digest()
    try:
        transcript = salvage(data)
    except Unreadable as error:
        return Verified(no_game(error), None, None, len(data), digest)
    share = AUDIT_SHARE if story else 1.0
    report = audit(transcript, _part_of(say, 0.0, share))
    told, mine = None, None
    if story and (report.verdict is not Verdict.UNREADABLE or report.entries):
        with contextlib.suppress(LogError):
            told = tell(transcript, report.entries, _part_of(say, share, 1.0 - share))
            mine = _seat_of(transcript, me)
    belongs, genesis = _tournament_of(transcript.genesis)
    bare = not (transcript.entries or transcript.torn or transcript.damaged)
    return Verified(report, told, mine, len(data), digest, belongs, genesis, bare)


def _part_of(say: Tell, base: float, share: float) -> Callable[[int, int], None]:
    """For one of the parts of the work."""
    return lambda done, total: say((base + share * done / max(1, total), done, total))


def _seat_of(transcript: Transcript, me: bytes | None) -> int | None:
    seats = transcript.genesis.read().seats
    return next((number for number, seat in enumerate(seats) if seat.identity == me), None)


def _tournament_of(genesis: Genesis) -> tuple[bytes, bool]:
    """The id of the tournament that a genesis belongs to, and whether it is the tournament's."""
    try:
        roster = genesis.read()
    except Unreadable:
        return b"", False
    if roster.is_tournament:
        return genesis.table_id, True
    return (b"" if roster.binding is None else roster.binding.tournament), False


def _compare(say: Tell, files: Sequence[Checked]) -> Comparison | Unchecked:
    transcripts: list[Transcript] = []
    for each in files:
        say(None)
        try:
            data = read_bounded(each.path, MAX_FILE_BYTES)
        except StoreError as error:
            return Unchecked(error.problem, detail=error.detail)
        if data is None or sha256(data).digest() != each.found.digest:
            return Unchecked(Problem.CONTRADICTION, detail="changed while it was checked")
        transcripts.append(salvage(data))
    forks: dict[tuple[bytes, Blame], int] = {}
    apart: list[Apart] = []
    for first, second in _pairs(files):
        say(None)
        one, two = transcripts[first], transcripts[second]
        blame = fork((one.genesis, one.entries), (two.genesis, two.entries))
        if blame is not None:
            forks.setdefault((one.genesis.table_id, blame), first)
        parting = part(
            _in_order(one, files[first]),
            _in_order(two, files[second]),
            lambda done, total: say((done, total)),
        )
        if parting is not None:
            apart.append(Apart(first, second, parting))
    found = tuple([(first, blame) for (_, blame), first in forks.items()])
    unsure = {
        number
        for each in apart
        for number in (each.first, each.second)
        if all(files[copy].found.report.closed is not None for copy in (each.first, each.second))
    }
    return Comparison(found, tuple(apart), _tournament(say, files, transcripts, unsure))


def _pairs(files: Sequence[Checked]) -> Iterator[tuple[int, int]]:
    """Files that hold different copies of one table's log; of equal ones only the first."""
    seen: set[bytes] = set()
    by_table: dict[bytes, list[int]] = {}
    for number, each in enumerate(files):
        if each.found.digest not in seen and _is_a_log(each.found.report):
            seen.add(each.found.digest)
            by_table.setdefault(each.found.report.table_id, []).append(number)
    for numbers in by_table.values():
        yield from combinations(numbers, 2)


def _in_order(transcript: Transcript, file: Checked) -> Log:
    return transcript.genesis, transcript.entries[: file.found.report.entries]


def _tournament(
    say: Tell, files: Sequence[Checked], transcripts: Sequence[Transcript], unsure: Set[int]
) -> Tournament | None:
    """The tournament whose genesis is among the files, as far as its tables are.

    Of copies that end differently (`unsure`) only one to which a later table is bound counts.
    """
    reports = {id(log): each.found.report for log, each in zip(transcripts, files, strict=True)}

    def known(log: Transcript) -> Report:
        return reports[id(log)]

    genesis = next(
        (log.genesis for log, each in zip(transcripts, files, strict=True) if each.found.opens),
        None,
    )
    if genesis is None:
        return None
    bound: set[bytes] = set()
    for log in transcripts:
        say(None)
        binding = log.genesis.read().binding
        bound.update(() if binding is None else binding.before)
    sure = [
        log
        for number, log in enumerate(transcripts)
        if number not in unsure or log.entries[-1].hash in bound
    ]
    tournament = Tournament(genesis)
    tournament.gather(sure, known, partial(say, None))
    return tournament
