"""Checking and comparing transcripts, for the command `verify` and for the window.

All work on the content of a file runs in a bounded process: reading it, the audit, the story, the
comparison of copies, and the assembly of a tournament. The caller has the texts for people.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from typing import Final

from msgspec import Struct

from lanuno.log.audit.audit import Report, audit, no_game_report, prove_fork
from lanuno.log.audit.copies import CopyFork, Log, find_fork
from lanuno.log.audit.story import Story, build_story
from lanuno.log.faults import AuditVerdict, Blame, LogError, Unreadable
from lanuno.log.format.genesis import Genesis
from lanuno.log.format.transcript import MAX_FILE_BYTES, Transcript, salvage
from lanuno.log.tournament import TournamentReplay
from lanuno.store.durable import read_bounded
from lanuno.store.errors import FileProblem, StoreError
from lanuno.system.bounded_process import (
    MEMORY_BYTES,
    PROCESSOR_SECONDS,
    BoundedProcess,
    LimitReached,
    ReportProgress,
    WorkLimit,
)
from lanuno.system.forked_work import ForkedWork

AUDIT_SHARE: Final = 0.9
"""The audit's share of the work on a file; the rest builds the story."""


class Verified(Struct, frozen=True):
    """The result of checking a readable file."""

    report: Report
    story: Story | None
    """None if there is none, or if it was not requested."""
    own_seat: int | None
    """The seat of the given player; None without a story."""
    size: int
    """The size of the file in bytes."""
    digest: bytes = b""
    """SHA-256 of the file, to ensure that a later comparison reads what was checked."""
    tournament: bytes = b""
    """The id of the tournament that the file belongs to; empty if there is none."""
    opens_tournament: bool = False
    """Whether the genesis is that of the tournament itself."""
    genesis_only: bool = False
    """Whether the file holds a genesis and nothing else."""


class Unchecked(Struct, frozen=True):
    """The reason for the lack of a verdict."""

    problem: FileProblem | None
    """The problem with the file on the disk; None if a limit was reached."""
    limit: WorkLimit | None = None
    """The limit that was reached."""


VerificationResult = Verified | Unchecked


class ComparableFile(Struct, frozen=True):
    """A verified file, to be compared with others."""

    path: Path
    found: Verified


class ForkedCopies(Struct, frozen=True):
    """Two differing copies of one table's log."""

    first: int
    """The index of the file."""
    second: int
    fork: CopyFork


class Comparison(Struct, frozen=True):
    """What several files show together. Files are identified by their index."""

    proven_faults: tuple[tuple[int, Blame], ...] = ()
    """Faults that two copies of one log prove."""
    forked_copies: tuple[ForkedCopies, ...] = ()
    tournament: TournamentReplay | None = None
    """The tournament whose genesis is among the files, with those of its tables that are, too."""


VerificationProgress = Callable[[float, int, int], None]
"""Called with a share from 0 to 1, the entries done and all entries of the present part."""


class Verifier:
    """Checks files one after the other, in one bounded process until a limit is reached."""

    def __init__(self, *, seconds: float = PROCESSOR_SECONDS, memory: int = MEMORY_BYTES) -> None:
        """Limit the processor time, for each file and for the comparison, and the memory."""
        self._process = BoundedProcess(seconds=seconds, memory=memory)

    def __enter__(self) -> Verifier:
        """Return this object for `with`."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the process."""
        self._process.close()

    def cancel(self) -> None:
        """Make the running call raise `WorkCancelled` soon, and every later one. For any thread."""
        self._process.cancel()

    def check(
        self,
        path: Path,
        progress: VerificationProgress,
        *,
        story: bool = False,
        me: bytes | None = None,
    ) -> VerificationResult:
        """Check a file. `story` builds its story, too; `me` is the public key of one's own seat.

        Raise `WorkCancelled`, or `WorkFailed` for a bug.
        """
        work = partial(_check, path=path, story=story, me=me)
        try:
            return self._process.run(work, lambda values: progress(*values))
        except LimitReached as reached:
            return Unchecked(None, reached.limit)

    def compare(self, files: Sequence[ComparableFile]) -> Comparison | Unchecked:
        """Compare copies of one table's log, and assemble the tables of a tournament.

        Raise `WorkCancelled`, or `WorkFailed` for a bug.
        """
        wanted = _comparable(files)
        if not wanted:
            return Comparison()
        try:
            return self._process.run(
                partial(_compare, files={each: files[each] for each in wanted}), lambda _: None
            )
        except LimitReached as reached:
            return Unchecked(None, reached.limit)


def _comparable(files: Sequence[ComparableFile]) -> list[int]:
    """Return the indexes of the files that have to be compared."""
    opened = next((each.found.tournament for each in files if each.found.opens_tournament), None)
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
    return report.verdict is not AuditVerdict.UNREADABLE and bool(report.table_id)


# ---- in the bounded process -------------------------------------------------------------------


def _check(
    progress: ReportProgress, path: Path, *, story: bool, me: bytes | None
) -> VerificationResult:
    try:
        data = read_bounded(path, MAX_FILE_BYTES)
    except StoreError as error:
        return Unchecked(error.problem)
    if data is None:
        return Unchecked(FileProblem.MISSING)
    digest = sha256(data).digest()
    try:
        transcript = salvage(data)
    except Unreadable as error:
        return Verified(no_game_report(error), None, None, len(data), digest)
    share = AUDIT_SHARE if story else 1.0
    report = audit(transcript, _part_of(progress, 0.0, share), ForkedWork().begin)
    built, mine = None, None
    if story and (report.verdict is not AuditVerdict.UNREADABLE or report.entries):
        with contextlib.suppress(LogError):
            built = build_story(transcript, report.entries, _part_of(progress, share, 1.0 - share))
            mine = _seat_of(transcript, me)
    belongs, genesis = _tournament_of(transcript.genesis)
    genesis_only = not (transcript.entries or transcript.torn or transcript.damaged)
    return Verified(report, built, mine, len(data), digest, belongs, genesis, genesis_only)


def _part_of(progress: ReportProgress, base: float, share: float) -> Callable[[int, int], None]:
    """Return the progress callback of one part of the work."""
    return lambda done, total: progress((base + share * done / max(1, total), done, total))


def _seat_of(transcript: Transcript, me: bytes | None) -> int | None:
    seats = transcript.genesis.read().seats
    return next((number for number, seat in enumerate(seats) if seat.identity == me), None)


def _tournament_of(genesis: Genesis) -> tuple[bytes, bool]:
    """Return the id of a genesis's tournament, and whether it is the tournament's own genesis."""
    try:
        roster = genesis.read()
    except Unreadable:
        return b"", False
    if roster.is_tournament:
        return genesis.table_id, True
    return (b"" if roster.binding is None else roster.binding.tournament), False


def _compare(
    progress: ReportProgress, files: Mapping[int, ComparableFile]
) -> Comparison | Unchecked:
    transcripts: dict[int, Transcript] = {}
    for number, each in files.items():
        progress(None)
        try:
            data = read_bounded(each.path, MAX_FILE_BYTES)
        except StoreError as error:
            return Unchecked(error.problem)
        if data is None or sha256(data).digest() != each.found.digest:
            return Unchecked(FileProblem.CONTRADICTION)
        transcripts[number] = salvage(data)
    faults: dict[tuple[bytes, Blame], int] = {}
    forked_copies: list[ForkedCopies] = []
    for first, second in _pairs(files):
        progress(None)
        one, two = transcripts[first], transcripts[second]
        blame = prove_fork((one.genesis, one.entries), (two.genesis, two.entries))
        if blame is not None:
            faults.setdefault((one.genesis.table_id, blame), first)
        fork = find_fork(
            _in_order(one, files[first]),
            _in_order(two, files[second]),
            lambda done, total: progress((done, total)),
        )
        if fork is not None:
            forked_copies.append(ForkedCopies(first, second, fork))
    found = tuple([(first, blame) for (_, blame), first in faults.items()])
    return Comparison(found, tuple(forked_copies), _tournament(progress, files, transcripts))


def _pairs(files: Mapping[int, ComparableFile]) -> Iterator[tuple[int, int]]:
    """Yield pairs of different copies of one table's log; of equal copies only the first counts."""
    seen: set[bytes] = set()
    by_table: dict[bytes, list[int]] = {}
    for number, each in files.items():
        if each.found.digest not in seen and _is_a_log(each.found.report):
            seen.add(each.found.digest)
            by_table.setdefault(each.found.report.table_id, []).append(number)
    for numbers in by_table.values():
        yield from combinations(numbers, 2)


def _in_order(transcript: Transcript, file: ComparableFile) -> Log:
    return transcript.genesis, transcript.entries[: file.found.report.entries]


def _tournament(
    progress: ReportProgress,
    files: Mapping[int, ComparableFile],
    transcripts: Mapping[int, Transcript],
) -> TournamentReplay | None:
    """Return the tournament whose genesis is among the files, with those of its tables that are."""
    openings = [number for number, each in files.items() if each.found.opens_tournament]
    if not openings:
        return None
    reports = {id(log): files[number].found.report for number, log in transcripts.items()}
    tournament = TournamentReplay(transcripts[openings[0]].genesis)
    tournament.add_all(transcripts.values(), lambda log: reports[id(log)], partial(progress, None))
    return tournament
