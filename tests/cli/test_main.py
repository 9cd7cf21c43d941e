"""The frame of the command line: exit codes, lines and JSON, and what must never reach a user."""

from __future__ import annotations

import argparse
import json
import os
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
from lanuno.cli import parser as parsing
from lanuno.cli.exits import ExitCode
from lanuno.cli.main import main
from lanuno.cli.options import LOG_LEVELS
from lanuno.cli.output import CommandOutput, Failure
from lanuno.cli.parser import COMMANDS, early_options
from lanuno.client.languages import catalogue, languages
from lanuno.dealing.identity import fingerprint
from lanuno.net.discovery.table_link import TableLink
from lanuno.store import logfile
from lanuno.store.errors import FileProblem, StoreError

pytestmark = pytest.mark.usefixtures("own_home")

ROOT = Path(__file__).resolve().parents[2]
Run = Callable[[argparse.Namespace, CommandOutput], ExitCode]


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> Callable[[Run], None]:
    """Replace `lanuno find` by a function."""

    def put(run: Run) -> None:
        fake = types.ModuleType("lanuno.cli.find")
        vars(fake).update(add=lambda parser, text: None, run=run)
        monkeypatch.setitem(sys.modules, "lanuno.cli.find", fake)

    return put


def fails(error: BaseException) -> Run:
    def run(_args: argparse.Namespace, _out: CommandOutput) -> ExitCode:
        raise error

    return run


@pytest.fixture
def no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)


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


@pytest.mark.usefixtures("no_display")
@pytest.mark.parametrize(
    ("arguments", "instead"),
    [
        (["join", "R2M-021-850"], "lanuno bot R2M-021-850"),
        (["open", "game.lanuno"], "lanuno verify game.lanuno"),
    ],
)
def test_without_a_display_another_command_is_named(
    arguments: list[str], instead: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == ExitCode.NO_WINDOW
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith(f"{instead}\n")


def test_no_window_is_opened_for_what_is_no_place(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["join", "nowhere"]) == ExitCode.USAGE
    assert "nowhere" in capsys.readouterr().err


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr() == (f"LanUNO {__version__}\n", "")


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", [None, *COMMANDS])
def test_help_has_examples_and_no_gaps(
    name: str | None, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--lang", language, "--help"] if name is None else [name, "-h", "--lang", language]
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert {"en": "examples:", "es": "ejemplos:"}.get(language, "lanuno ") in out
    assert catalogue(language).pgettext("argparse", "usage: ") in out
    choices = (f"{{{','.join(languages())}}}", f"{{{','.join(LOG_LEVELS)}}}")
    assert "{" not in out.replace(choices[0], "").replace(choices[1], "")
    for code in ExitCode if name is None else ():
        assert f" {int(code)} " in out
    if language == "es":
        assert "show" not in out
        assert "options" not in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nonsense"], "elige entre"),
        (["host", "--nonsense"], "argumentos desconocidos: --nonsense"),
        (["host", "--seats"], "se esperaba un argumento"),
        (["host", "--seats", "11"], "'11' no es un número de 2 a 10"),
        (["host", "--port", "٣"], "no es un número de 1 a 65535"),
        (["host", "--set", "x"], "no tiene la forma clave=valor"),
        (["find", "--seconds", "nan"], "'nan' no es un número de 0.1 a 3600"),
        (["find", "--lang", "fr"], "elige entre"),
        (["verify"], "faltan estos argumentos: ARCHIVO"),
        (["bot"], "falta uno de estos argumentos"),
        (["bot", "--table", "x", "y"], "no se permite junto con"),
        (["demo", "--play", "4"], "argumentos desconocidos"),
    ],
)
def test_wrong_use_is_explained_in_the_language(
    arguments: list[str],
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("LANG", "es_MX.UTF-8")
    assert main(arguments) == ExitCode.USAGE
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert main(["--json", *arguments]) == ExitCode.USAGE
    found = json.loads(capsys.readouterr().out)
    assert found["exit"] == ExitCode.USAGE
    assert found["error"]["id"] == "usage"
    assert words in found["error"]["text"]


def test_values_arrive(command: Callable[[Run], None], tmp_path: Path) -> None:
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


def test_arguments_of_the_commands() -> None:
    from lanuno.client.texts import Texts

    def parse(line: str) -> argparse.Namespace:
        words = line.split()
        return parsing.build(Texts("en"), early_options(words).command).parse_args(words)

    host = parse("host --table T --seats 4 --bots 3 --set a=1 --set b=x=y --port 47474 --save f")
    assert (host.table, host.seats, host.bots, host.port) == ("T", 4, 3, 47474)
    assert host.settings == [("a", "1"), ("b", "x=y")]
    assert host.save == Path("f")
    assert parse("host").settings == []
    assert parse("find --seconds 2.5 --adapter eth0").seconds == 2.5
    assert parse("bot lanuno://h:1/x#y").where == "lanuno://h:1/x#y"
    assert parse("bot --table T --name N").table == "T"
    assert parse("verify a b").files == [Path("a"), Path("b")]
    demo = parse("demo --players 10 --rounds 2 --preset p --set a=b --save f")
    assert (demo.players, demo.rounds, demo.preset) == (10, 2, "p")


@pytest.mark.parametrize("as_json", [False, True])
def test_the_two_voices(
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
    assert error["path"] == "the/file"
    assert "the/file" in error["text"]
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


def test_a_terminal_without_our_letters() -> None:
    with lanuno("--help", "--lang", "es", PYTHONIOENCODING="ascii", LC_ALL="C") as process:
        out, err = process.communicate()
    assert process.returncode == 0
    assert err == b""
    assert "códigos".encode("ascii", "replace") in out


FAKE = """
import sys, types
fake = types.ModuleType("lanuno.cli.find")
def run(args, out):
    BODY
vars(fake).update(add=lambda parser, text: None, run=run)
sys.modules["lanuno.cli.find"] = fake
from lanuno.cli.main import main
sys.exit(main(["find", *sys.argv[1:]]))
"""


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
    from lanuno.cli import running
    async def leave():
        pass
    async def main(stop):
        stop.leave_on_stop(out, leave, lambda: False)
    running.run(main)
    out.show("many words " * 10_000)
    return 0"""
    ended_unread(play, *arguments, "--home", str(tmp_path))


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
    [(None, NETWORK | CRYPTOGRAPHY | {"logging", "msgspec"}), ("verify", NETWORK), ("find", set())],
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


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_a_module_of_the_right_shape(name: str) -> None:
    command = parsing.command_module(name)
    assert callable(command.add)
    assert callable(command.run)


@pytest.mark.parametrize(
    ("arguments", "command", "language", "as_json"),
    [
        ([], None, None, False),
        (["--home", "find", "host"], "host", None, False),
        (["--home=x", "host", "find"], "host", None, False),
        (["--lang", "es", "--json", "bot"], "bot", "es", True),
        (["bot", "--lang=en"], "bot", "en", False),
        (["nonsense", "bot"], None, None, False),
        (["verify", "--", "--json", "--lang", "es"], "verify", None, False),
        (["--lang"], None, "", False),
        (["--log", "debug", "bot"], "bot", None, False),
    ],
)
def test_the_glance(
    arguments: list[str], command: str | None, language: str | None, as_json: bool
) -> None:
    seen = early_options(arguments)
    assert (seen.command, seen.language, seen.as_json) == (command, language, as_json)
