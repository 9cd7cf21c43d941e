"""The output of a command: lines or one JSON object, and streams that cannot be written."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lanuno.cli import main as main_module
from lanuno.cli.exits import ExitCode
from lanuno.cli.main import main
from lanuno.cli.output import CommandOutput
from tests.cli.replaced_command import FAKE, ROOT, Run
from tests.harness.systems import not_on_windows

pytestmark = pytest.mark.usefixtures("own_home")


@pytest.mark.parametrize("as_json", [False, True])
def test_lines_are_for_people_and_json_for_programs(
    as_json: bool, command: Callable[[Run], None], capsys: pytest.CaptureFixture[str]
) -> None:
    def run(_args: argparse.Namespace, out: CommandOutput) -> ExitCode:
        out.progress("host.link", link="1")
        out.line("host.link", link="2")
        out.show("composed")
        out.result(tables=[{"name": "ñ"}], count=1)
        return ExitCode.INCOMPLETE

    command(run)
    assert main(["find", *(["--json"] if as_json else [])]) == ExitCode.INCOMPLETE
    out, err = capsys.readouterr()
    assert err == "link: 1\n"
    if as_json:
        assert len(out.splitlines()) == 1
        expected = {"command": "find", "count": 1, "exit": 4, "tables": [{"name": "ñ"}]}
        assert json.loads(out) == expected
    else:
        assert out == "link: 2\ncomposed\n"


@pytest.mark.parametrize("value", [b"bytes", float("nan"), {1, 2}])
def test_a_field_that_is_not_json(
    value: object, command: Callable[[Run], None], capsys: pytest.CaptureFixture[str]
) -> None:
    def run(_args: argparse.Namespace, out: CommandOutput) -> ExitCode:
        out.result(value=value)
        return ExitCode.OK

    command(run)
    assert main(["find", "--json"]) == ExitCode.INTERNAL
    assert json.loads(capsys.readouterr().out)["exit"] == ExitCode.INTERNAL


def test_a_field_is_set_once(command: Callable[[Run], None]) -> None:
    def run(_args: argparse.Namespace, out: CommandOutput) -> ExitCode:
        for fields in ({"command": "x"}, {"exit": 0}, {"error": None}):
            with pytest.raises(ValueError, match="set already"):
                out.result(**fields)
        return ExitCode.OK

    command(run)
    assert main(["find", "--json"]) == 0


def lanuno(*arguments: str, **environment: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "lanuno.cli.main", *arguments],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **environment},
    )


@not_on_windows("its terminals have all letters")
def test_a_terminal_without_our_letters() -> None:
    with lanuno("--help", "--lang", "es", PYTHONIOENCODING="ascii", LC_ALL="C") as process:
        out, err = process.communicate()
    assert process.returncode == 0
    assert err == b""
    assert "códigos".encode("ascii", "replace") in out


@not_on_windows("it has no file for a full disk")
@pytest.mark.parametrize("arguments", [[], ["--json"]])
def test_a_full_disk_behind_the_output(arguments: list[str]) -> None:
    speak = 'out.show("words"); return 0'
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-c", FAKE.replace("BODY", speak), *arguments, "--lang", "en"],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith(b"lanuno: ")
    assert done.returncode == ExitCode.FILES


def ended_unread(body: str, *arguments: str) -> None:
    """Assert that a command without a reader ends silently, as if interrupted."""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-c", FAKE.replace("BODY", body), *arguments],
        cwd=ROOT,
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writing)
    assert done.stderr == b""
    assert done.returncode == ExitCode.INTERRUPTED


@pytest.mark.parametrize("arguments", [[], ["--json"]])
def test_nobody_reads_the_output(arguments: list[str]) -> None:
    ended_unread('out.show("many words " * 10_000); return 0', *arguments)


@pytest.mark.parametrize("arguments", [[], ["--json"]])
def test_nobody_reads_how_a_table_ended(arguments: list[str], tmp_path: Path) -> None:
    """Nothing is left to leave, and nothing went wrong in the program."""
    play = """
    from lanuno.cli import interruption
    async def leave():
        pass
    async def main(stop):
        stop.leave_on_stop(out, leave, lambda: False)
    interruption.run(main)
    out.show("many words " * 10_000)
    return 0"""
    ended_unread(play, *arguments, "--home", str(tmp_path))


@not_on_windows("it has no shell that closes streams")
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&-"])
@pytest.mark.parametrize("arguments", [[], ["--json"], ["--nonsense"], ["--help"], ["--version"]])
def test_standard_streams_that_are_closed(closed: str, arguments: list[str]) -> None:
    speak = 'out.show("words"); out.progress("find.none"); return 0'
    program = [sys.executable, "-c", FAKE.replace("BODY", speak), *arguments, "--lang", "en"]
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}', "sh", *program],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    assert done.returncode == (2 if "--nonsense" in arguments else 0)
    assert b"Traceback" not in done.stderr
    assert b"Exception" not in done.stderr


def test_a_message_that_no_terminal_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    """As Windows starts a program without a console."""
    shown: list[str] = []
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    monkeypatch.setattr(main_module, "show_message", lambda _title, text: shown.append(text))
    assert main(["--lang", "en", "join", "lanuno://nonsense"]) == ExitCode.USAGE
    (text,) = shown
    assert "lanuno://nonsense" in text
    assert main(["--version"]) == ExitCode.OK
    assert len(shown) == 1


def test_what_nobody_reads_does_not_grow() -> None:
    unseen = main_module.LastWords()
    for number in range(1000):
        assert unseen.write(f"line {number}\n") == len(f"line {number}\n")
    assert unseen.getvalue().endswith("line 998\nline 999\n")
    assert len(unseen.getvalue()) == unseen.MOST
