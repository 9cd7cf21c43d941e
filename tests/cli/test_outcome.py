"""What a command shows when a table is over."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from lanuno.cli.exits import ExitCode
from lanuno.cli.outcome import show_outcome
from lanuno.log.format.transcript import write
from lanuno.store.errors import StoreError
from tests.cli.captured_output import CapturedOutput
from tests.cli.verify_cases import changed
from tests.harness.log_table.log_table import LogTable


def test_the_audit_and_the_place_of_the_transcript_are_shown(good: Path, played: LogTable) -> None:
    captured = CapturedOutput()
    assert show_outcome(captured.out, good, None, ()) is ExitCode.OK
    assert captured.lines[0].startswith("VERIFIED")
    assert str(good) in captured.lines[-1]
    assert captured.errors == []


def test_programs_get_the_report_and_the_notices(good: Path, played: LogTable) -> None:
    captured = CapturedOutput(as_json=True)
    notices: list[dict[str, object]] = [{"id": "table.dropped"}, {"id": "table.back"}]
    show_outcome(captured.out, good, None, notices)
    said = captured.json()
    assert (said["verdict"], said["transcript"]) == ("verified", str(good))
    assert said["notices"] == notices
    assert said["rounds"] == 1, "without the round that chooses the dealer"


def test_a_copy_is_saved_and_named_instead(good: Path, tmp_path: Path) -> None:
    captured = CapturedOutput()
    save = tmp_path / "copy.lanuno"
    assert show_outcome(captured.out, good, save, ()) is ExitCode.OK
    assert save.read_bytes() == good.read_bytes()
    assert str(save) in captured.lines[-1]


def test_without_a_copy_the_result_is_shown_all_the_same(good: Path, tmp_path: Path) -> None:
    save = tmp_path / "no folder" / "copy.lanuno"
    captured = CapturedOutput(as_json=True)
    assert show_outcome(captured.out, good, save, ()) is ExitCode.FILES
    said = captured.json(ExitCode.FILES)
    assert (said["verdict"], said["transcript"]) == ("verified", str(good))
    assert (said["error"]["id"], said["error"]["path"]) == ("store.not_writable", str(save))
    assert len(captured.errors) == 1


def test_the_verdict_decides_the_exit_code_and_is_logged(
    good: Path, played: LogTable, caplog: pytest.LogCaptureFixture
) -> None:
    good.write_bytes(write(played.genesis, changed(played, 5, state=bytes(32))))
    with caplog.at_level(logging.INFO):
        assert show_outcome(CapturedOutput().out, good, None, ()) is ExitCode.CHEATING
    (line,) = caplog.messages
    assert line.startswith(f"checked {good}: cheating; ")
    assert line.endswith(" by seat 0")


def test_a_transcript_that_is_gone_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(StoreError):
        show_outcome(CapturedOutput().out, tmp_path / "gone.lanuno", None, ())
