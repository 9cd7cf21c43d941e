"""Files are checked by a separate process, whatever they contain and however long it takes."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from multiprocessing import active_children
from pathlib import Path

import pytest

from lanuno.client.verification import verify_transcript
from lanuno.log.faults import AuditVerdict
from lanuno.rules.ruleset import Format, Ruleset
from lanuno.store.errors import FileProblem
from lanuno.store.verification import Unchecked, VerificationResult, Verified
from lanuno.system.bounded_process import WorkLimit
from tests.harness.log_table.log_table import identity, new_table
from tests.harness.systems import not_under_wine


@pytest.fixture(scope="module")
def game() -> bytes:
    """The file of a match of three players."""
    return new_table(3, Ruleset(hand_size=2, format=Format.SINGLE), salt=1).run().file


def checked(path: Path, me: bytes | None = None) -> VerificationResult:
    return asyncio.run(verify_transcript(path, me, lambda _: None))


def test_a_game_is_checked_and_told(game: bytes, tmp_path: Path) -> None:
    file = tmp_path / "game.lanuno"
    file.write_bytes(game)
    steps: list[float] = []
    outcome = asyncio.run(verify_transcript(file, identity(2).public, steps.append))
    assert isinstance(outcome, Verified)
    assert outcome.report.verdict is AuditVerdict.VERIFIED
    assert outcome.own_seat == 2
    assert outcome.size == len(game)
    assert outcome.story is not None
    assert [each.number for each in outcome.story.rounds] == [0, 1]
    assert steps == sorted(steps)
    assert all(0 <= step <= 1 for step in steps)
    assert active_children() == []


def test_a_stranger_has_no_seat_in_it(game: bytes, tmp_path: Path) -> None:
    file = tmp_path / "game.lanuno"
    file.write_bytes(game[:-40])
    outcome = checked(file, identity(7).public)
    assert isinstance(outcome, Verified)
    assert outcome.own_seat is None
    assert outcome.report.verdict is AuditVerdict.INCOMPLETE
    assert outcome.story is not None


@pytest.mark.parametrize(
    ("data", "verdict"),
    [
        (b"", AuditVerdict.UNREADABLE),
        (b"GIF89a", AuditVerdict.UNREADABLE),
        (b"LANUNO\x00\x01", AuditVerdict.UNREADABLE),
        (b"LANUNO\x00\x02\x00\x00\x00\x01\xc0", AuditVerdict.CHANGED),
    ],
)
def test_a_file_without_a_game_is_never_verified(
    data: bytes, verdict: AuditVerdict, tmp_path: Path
) -> None:
    file = tmp_path / "game.lanuno"
    file.write_bytes(data)
    outcome = checked(file)
    assert isinstance(outcome, Verified)
    assert outcome.report.verdict is verdict
    assert outcome.story is None


def test_only_regular_files_of_limited_size_are_read(tmp_path: Path) -> None:
    assert checked(tmp_path / "none.lanuno") == Unchecked(FileProblem.MISSING)
    assert checked(tmp_path) == Unchecked(FileProblem.NOT_A_FILE)
    if sys.platform != "win32":
        os.mkfifo(tmp_path / "pipe")
        assert checked(tmp_path / "pipe") == Unchecked(FileProblem.NOT_A_FILE)
    with (tmp_path / "big").open("wb") as file:
        file.truncate(40 * 1024 * 1024)
    big = checked(tmp_path / "big")
    assert isinstance(big, Unchecked)
    assert big.problem is FileProblem.TOO_LARGE


def test_what_takes_too_long_is_given_up(game: bytes, tmp_path: Path) -> None:
    file = tmp_path / "game.lanuno"
    file.write_bytes(game)
    slow = asyncio.run(verify_transcript(file, None, lambda _: None, seconds=0.05))
    assert slow == Unchecked(None, WorkLimit.TIME)
    assert active_children() == []


@not_under_wine("it does not limit the memory of a job")
def test_what_needs_too_much_memory_is_given_up(game: bytes, tmp_path: Path) -> None:
    file = tmp_path / "game.lanuno"
    file.write_bytes(game)
    small = 32 * 1024 * 1024
    large = asyncio.run(verify_transcript(file, None, lambda _: None, memory=small))
    assert large == Unchecked(None, WorkLimit.MEMORY)
    assert active_children() == []


def test_breaking_it_off_ends_it(game: bytes, tmp_path: Path) -> None:
    file = tmp_path / "game.lanuno"
    file.write_bytes(game)

    async def broken_off() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(verify_transcript(file, None, lambda _: None), 0.1)

    asyncio.run(broken_off())
    end = time.monotonic() + 10
    while active_children():
        assert time.monotonic() < end
