"""A session played by a command: the ways in which it can end."""

from __future__ import annotations

import argparse
import logging
from pathlib import Path
from random import Random

import pytest

from lanuno.bots.sensible import SensiblePlayer
from lanuno.cli.console import ConsoleRenderer
from lanuno.cli.exits import ExitCode
from lanuno.cli.hand_notes import read_notes
from lanuno.cli.output import Failure
from lanuno.cli.playing import _show, play, show_outcome
from lanuno.client.places import TablePlace
from lanuno.client.requests import HostRequest, JoinRequest
from lanuno.client.session import SessionResult
from lanuno.log.format.transcript import write
from lanuno.net.runtime.endings import TableEnding
from lanuno.rules.ruleset import Format, Ruleset
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.paths import Home
from lanuno.table.messages import LobbyRefusal
from tests.cli.captured_output import CapturedOutput
from tests.cli.verify_cases import changed
from tests.harness.log_table.log_table import LogTable

PRACTICE = HostRequest(
    name="Practice",
    ruleset=Ruleset(hand_size=2, format=Format.SINGLE),
    seats=2,
    bots=1,
    player=SensiblePlayer(Random(1)),
    practice=True,
)
"""A table of bots that opens no socket."""


@pytest.fixture
def args(tmp_path: Path) -> argparse.Namespace:
    home = Home.at(tmp_path / "home")
    home.create()
    return argparse.Namespace(home=home, bot_speed=None, note_hand=None, trace=None, save=None)


def ended(args: argparse.Namespace, result: SessionResult, captured: CapturedOutput) -> ExitCode:
    return _show(args, result, ConsoleRenderer(captured.out), captured.out)


def test_a_match_is_played_saved_noted_and_traced(args: argparse.Namespace, tmp_path: Path) -> None:
    args.save, args.note_hand, args.trace = (
        tmp_path / name for name in ("copy.lanuno", "hand", "trace")
    )
    captured = CapturedOutput(as_json=True)
    assert play(args, PRACTICE, captured.out) is ExitCode.OK
    said = captured.json()
    assert (said["verdict"], said["transcript"]) == ("verified", str(args.save))
    (kept,) = args.home.games.iterdir()
    assert args.save.read_bytes() == kept.read_bytes()
    notes = read_notes(args.note_hand)
    assert {note.seat for note in notes} == {0}
    assert any(note.cards for note in notes)
    assert args.trace.read_bytes().endswith(b"\n")


def test_a_trace_is_not_overwritten(args: argparse.Namespace, tmp_path: Path) -> None:
    args.trace = tmp_path / "trace"
    args.trace.write_bytes(b"an earlier one")
    with pytest.raises(StoreError) as caught:
        play(args, PRACTICE, CapturedOutput().out)
    assert caught.value.problem is FileProblem.ALREADY_THERE
    assert list(args.home.games.iterdir()) == [], "nothing was played"


def test_nobody_at_a_place_is_a_failure_of_the_network(args: argparse.Namespace) -> None:
    request = JoinRequest(place=TablePlace(("127.0.0.1",), 1), seconds=0.0, adapter="127.0.0.1")
    with pytest.raises(Failure) as caught:
        play(args, request, CapturedOutput().out)
    assert (caught.value.code, caught.value.key) == (ExitCode.NETWORK, "net.unreachable")


def test_a_name_that_nobody_uses_is_not_found(args: argparse.Namespace) -> None:
    captured = CapturedOutput()
    request = JoinRequest(table="no such table", seconds=0.1, adapter="127.0.0.1")
    with pytest.raises(Failure) as caught:
        play(args, request, captured.out)
    assert (caught.value.code, caught.value.key) == (ExitCode.NETWORK, "bot.not_found")
    assert caught.value.values == {"table": "no such table"}
    assert captured.errors == ["looking for the table 'no such table'…"]


@pytest.mark.parametrize("refusal", [None, *LobbyRefusal])
def test_a_player_who_was_turned_away_is_told_why(
    refusal: LobbyRefusal | None, args: argparse.Namespace
) -> None:
    captured = CapturedOutput()
    result = SessionResult(ending=TableEnding.TURNED_AWAY, refusal=refusal)
    with pytest.raises(Failure) as caught:
        ended(args, result, captured)
    why = "host_left" if refusal is None else refusal.name.lower()
    assert (caught.value.code, caught.value.key) == (ExitCode.NETWORK, f"lobby.{why}")
    assert captured.out.text(caught.value.key, **caught.value.values)


@pytest.mark.parametrize("ending", [None, TableEnding.TURNED_AWAY, TableEnding.CLOSED])
def test_leaving_before_the_game_is_an_interruption(
    ending: TableEnding | None, args: argparse.Namespace
) -> None:
    result = SessionResult(ending=ending, leave_requested=True)
    with pytest.raises(KeyboardInterrupt):
        ended(args, result, CapturedOutput())


@pytest.mark.parametrize(
    ("ending", "left", "code", "told"),
    [
        (TableEnding.CLOSED, False, ExitCode.INCOMPLETE, False),
        (TableEnding.LOST, False, ExitCode.INCOMPLETE, True),
        (TableEnding.LOST, True, ExitCode.INTERRUPTED, False),
    ],
)
def test_a_game_that_was_cut_short(
    ending: TableEnding,
    left: bool,
    code: ExitCode,
    told: bool,
    args: argparse.Namespace,
    good: Path,
) -> None:
    """A player who left it is not told that the host was lost."""
    good.write_bytes(good.read_bytes()[:-1])
    captured = CapturedOutput()
    assert (
        ended(args, SessionResult(transcript=good, ending=ending, leave_requested=left), captured)
        is code
    )
    lost = f"lanuno: {captured.out.text('table.lost')}"
    assert captured.errors == ([lost] if told else [])


def test_leaving_after_the_end_is_a_success(args: argparse.Namespace, good: Path) -> None:
    result = SessionResult(transcript=good, ending=TableEnding.CLOSED, leave_requested=True)
    assert ended(args, result, CapturedOutput()) is ExitCode.OK


# ---- the outcome ---------------------------------------------------------------------------------


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
