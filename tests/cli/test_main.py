"""The frame of the command line: exit codes, lines and JSON, and what must never reach a user."""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from lanuno import __version__
from lanuno.cli import main as module
from lanuno.cli.exits import ExitCode
from lanuno.cli.main import main
from lanuno.cli.output import CommandOutput, Failure
from lanuno.cli.parser import COMMANDS
from lanuno.dealing.identity import fingerprint
from lanuno.net.discovery.table_link import TableLink
from lanuno.store import logfile
from lanuno.store.errors import FileProblem, StoreError
from tests.cli.replaced_command import FAKE, ROOT, Run
from tests.harness.systems import needs_signals, not_on_windows

pytestmark = pytest.mark.usefixtures("own_home")


def fails(error: BaseException) -> Run:
    def run(_args: argparse.Namespace, _out: CommandOutput) -> ExitCode:
        raise error

    return run


@pytest.mark.usefixtures("no_display")
def test_no_command_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == ExitCode.USAGE
    out, err = capsys.readouterr()
    assert out == ""
    assert all(name in err for name in COMMANDS)
    assert err.splitlines()[-1].startswith("lanuno: ")


def test_no_command_opens_the_window_where_there_is_a_display(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    started: list[list[str]] = []

    class App:
        @staticmethod
        def main(arguments: list[str]) -> int:
            started.append(arguments)
            return 0

    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "lanuno.app.main", cast("types.ModuleType", App))
    assert main([]) == ExitCode.OK
    assert main(["--home", str(tmp_path), "--lang", "es"]) == ExitCode.OK
    link = TableLink("192.168.1.20", 47474, bytes(16), fingerprint(bytes(32)))
    assert main(["join", str(link)]) == ExitCode.OK
    assert main(["open", "game.lanuno", "--lang", "en"]) == ExitCode.OK
    assert started == [
        [],
        [f"--home={tmp_path}", "--lang=es"],
        ["join", str(link)],
        ["--lang=en", "open", str(tmp_path / "game.lanuno")],
    ]
    monkeypatch.setitem(sys.modules, "lanuno.app.main", cast("types.ModuleType", None))
    assert main([]) == ExitCode.NO_WINDOW
    assert "packaging/run" in capsys.readouterr().err


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr() == (f"LanUNO {__version__}\n", "")


def test_a_command_receives_the_parsed_values(
    command: Callable[[Run], None], tmp_path: Path
) -> None:
    seen: list[argparse.Namespace] = []

    def run(args: argparse.Namespace, out: CommandOutput) -> ExitCode:
        seen.append(args)
        return ExitCode.OK

    command(run)
    for arguments in (["find", "--home", str(tmp_path)], ["--home", str(tmp_path), "find"]):
        assert main(arguments) == 0
    assert [args.home.data for args in seen] == [tmp_path, tmp_path]
    assert not seen[0].json
    assert main(["find"]) == 0
    assert seen[2].home.data == tmp_path / "xdg" / "lanuno"
    assert main(["--json", "find", "--lang", "es"]) == 0
    assert seen[3].json
    assert seen[3].command == "find"


@pytest.mark.parametrize(
    ("error", "code", "name"),
    [
        (
            Failure(ExitCode.NETWORK, "error.number", value="x", low=1, high=2),
            ExitCode.NETWORK,
            "error.number",
        ),
        (StoreError(FileProblem.IN_USE, Path("some", "file")), ExitCode.FILES, "store.in_use"),
        (KeyboardInterrupt(), ExitCode.INTERRUPTED, "error.interrupted"),
        (ValueError("x"), ExitCode.INTERNAL, "error.unexpected"),
        (RecursionError(), ExitCode.INTERNAL, "error.unexpected"),
        (MemoryError(), ExitCode.INTERNAL, "error.unexpected"),
    ],
)
def test_every_end_has_one_line_one_object_and_a_code(
    error: BaseException,
    code: ExitCode,
    name: str,
    command: Callable[[Run], None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    command(fails(error))
    assert main(["find"]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
    assert err.startswith("lanuno: ")
    assert main(["find", "--json"]) == code
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert found["exit"] == code
    assert found["command"] == "find"
    assert found["error"]["id"] == name
    assert f"lanuno: {found['error']['text']}\n" == err


def test_a_store_error_names_the_file_and_the_detail(
    command: Callable[[Run], None], capsys: pytest.CaptureFixture[str]
) -> None:
    command(fails(StoreError(FileProblem.DAMAGED, Path("the", "file"), "byte\x1b 7")))
    main(["find", "--json"])
    error = json.loads(capsys.readouterr().out)["error"]
    assert error["path"] == str(Path("the", "file"))
    assert error["path"] in error["text"]
    assert error["text"].endswith("(byte\ufffd 7)")


def test_a_mistake_of_the_program_is_logged_not_shown(
    command: Callable[[Run], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command(fails(ValueError("a detail")))
    assert main(["find", "--home", str(tmp_path / "h")]) == ExitCode.INTERNAL
    err = capsys.readouterr().err
    log = tmp_path / "h" / "lanuno.log"
    assert str(log) in err
    assert "Traceback" not in err
    assert "ValueError: a detail" in log.read_text(encoding="utf-8")


def test_a_failure_that_cannot_be_reported_is_a_mistake_of_the_program(
    command: Callable[[Run], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command(fails(Failure(ExitCode.USAGE, "no.such_text")))
    assert main(["find", "--json", "--home", str(tmp_path / "h")]) == ExitCode.INTERNAL
    out, err = capsys.readouterr()
    assert json.loads(out)["exit"] == ExitCode.INTERNAL
    assert "Traceback" not in err
    assert "no.such_text" in (tmp_path / "h" / "lanuno.log").read_text(encoding="utf-8")


def test_a_mistake_that_cannot_be_logged_is_said_all_the_same(
    command: Callable[[Run], None],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    command(fails(ValueError("a detail")))
    monkeypatch.setattr(logfile, "write_crash", lambda _home, _error: None)
    assert main(["find"]) == ExitCode.INTERNAL
    assert "ValueError" in capsys.readouterr().err


def test_an_installation_without_words_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(_language: str) -> None:
        raise StoreError(FileProblem.MISSING_RESOURCES, Path("messages"))

    monkeypatch.setattr(module, "Texts", broken)
    assert main(["find"]) == ExitCode.INTERNAL
    assert capsys.readouterr().err.startswith("lanuno: this installation is broken: ")


@pytest.mark.parametrize("answer", [None, 99, "0"])
def test_a_command_that_answers_nonsense(answer: object, command: Callable[[Run], None]) -> None:
    command(lambda _args, _out: cast("ExitCode", answer))
    assert main(["find"]) == ExitCode.INTERNAL


@not_on_windows("it has no file for a full disk")
@pytest.mark.parametrize("asked", ["--help", "--version"])
def test_an_answer_that_cannot_be_written(asked: str) -> None:
    """How argparse handles this depends on the version of Python."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "lanuno.cli.main", asked],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith(b"lanuno: ")
    assert done.returncode == ExitCode.FILES


@needs_signals
def test_control_c_ends_cleanly() -> None:
    wait = 'print("ready", file=sys.stderr, flush=True); sys.stdin.read()'
    with subprocess.Popen(
        [sys.executable, "-c", FAKE.replace("BODY", wait), "--json"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == b"ready\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert process.returncode == ExitCode.INTERRUPTED
    assert json.loads(out)["error"]["id"] == "error.interrupted"
    assert b"Traceback" not in err


NETWORK = {"asyncio", "ssl", "zeroconf"}
CRYPTOGRAPHY = {"coincurve", "cryptography"}


@pytest.mark.parametrize(
    ("command", "unneeded"),
    [
        (None, NETWORK | CRYPTOGRAPHY | {"logging", "msgspec"}),
        ("verify", NETWORK),
        ("find", {"spake2"}),
        ("bot", {"spake2"}),
    ],
)
def test_only_the_called_command_is_loaded(command: str | None, unneeded: set[str]) -> None:
    others = {f"lanuno.cli.{name}" for name in COMMANDS if name != command}
    arguments = ["--help"] if command is None else [command, "--help"]
    check = (
        "import sys\n"
        "from lanuno.cli.main import main\n"
        f"assert main({arguments!r}) == 0\n"
        f"loaded = {unneeded | others | {'PySide6'}!r} & set(sys.modules)\n"
        "assert not loaded, loaded\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", check], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
