"""A whole demo: its promises, and that none of its programs outlives it."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from lanuno.cli.child_processes import ChildProgram
from lanuno.cli.exits import ExitCode
from lanuno.cli.main import main
from lanuno.system.processes import KILLED
from tests.cli.matches import PROMISED
from tests.harness.processes.programs import WAIT_SECONDS, Program, WorkingFolder
from tests.harness.systems import not_on_windows

SOON = 30.0
"""Seconds for all programs to end on a slow machine, ten of them for leaving the table."""


def test_two_players(table: WorkingFolder) -> None:
    said = table.run("demo", "--players", "2", "--rounds", "1", "--json", name="demo").end(0).json
    assert sorted(said) == PROMISED
    assert (said["command"], said["verdict"], said["copies"]) == ("demo", "verified", 2)
    assert (said["players"], said["rounds"], said["blame"]) == (["Ana", "Beto"], 1, [])
    assert (said["preset"], said["attestations"]) == ("classic", 4)
    assert sorted(said["scores"]) == ["Ana", "Beto"]
    # Not "a player has points": the loser may hold a Zero and no other card.
    assert min(said["scores"].values()) == 0
    assert Path(said["transcript"]) == table.transcript("demo")
    (report,) = table.verify("demo")
    for field in ("verdict", "table_id", "players", "entries", "scores", "attestations"):
        assert report[field] == said[field]


def test_files_in_the_current_folder_are_not_taken_for_modules(tmp_path: Path) -> None:
    (tmp_path / "random.py").write_text("raise SystemExit('taken for a module')")
    program = "import sys; from lanuno.cli.main import main; sys.exit(main())"
    done = subprocess.run(
        [
            *(sys.executable, "-P", "-c", program, "demo", "--players", "2", "--rounds", "1"),
            *("--home", str(tmp_path / "home"), "--lang", "en"),
        ],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "VERIFIED" in done.stdout


def test_four_players_and_a_saved_copy(table: WorkingFolder, tmp_path: Path) -> None:
    saved = tmp_path / "demo.lanuno"
    arguments = ("--players", "4", "--rounds", "1", "--save", str(saved), "--json")
    said = table.run("demo", *arguments, name="demo").end(0).json
    assert sorted(said) == PROMISED
    assert (said["copies"], len(said["players"]), said["attestations"]) == (4, 4, 8)
    assert said["transcript"] == str(saved)
    assert not list((table.folder / "demo" / "games").iterdir())
    told = table.run("verify", str(saved), "--json", name="verifier").end(0).json
    assert told["table_id"] == said["table_id"]


def test_four_players_in_rotation_play_one_match(table: WorkingFolder) -> None:
    """Only eight players play a tournament by these rules."""
    rules = ("--set", "format=rotation", "--hands-per-rotation", "1")
    said = table.run("demo", "--players", "4", *rules, "--json", name="demo").end(0).json
    assert sorted(said) == PROMISED
    assert (said["verdict"], said["copies"], len(said["players"])) == ("verified", 4, 4)


@pytest.mark.usefixtures("own_home")
def test_the_programs_log_as_the_demo_does(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Sequence[str]] = []

    def start(arguments: Sequence[str], *_: object) -> ChildProgram:
        started.append(arguments)
        raise OSError

    monkeypatch.setattr(ChildProgram, "start", start)
    main(["demo", "--players", "2", "--json", "--log", "debug"])
    main(["demo", "--players", "2", "--json", "--debug"])
    assert ["--log" in each for each in started] == [True, False]
    assert ["--debug" in each for each in started] == [False, True]


def test_for_a_person(table: WorkingFolder) -> None:
    arguments = ("--players", "2", "--rounds", "1")
    ended = table.run("demo", *arguments, name="demo").end(0)
    assert "2 programs started" in ended.err
    lines = ended.out.splitlines()
    assert "safety hand" in lines[0]
    assert any(re.fullmatch(r"(Ana|Beto) plays .+ \(\d+ left\)", line) for line in lines)
    ended_at = next(at for at, line in enumerate(lines) if line.startswith("VERIFIED"))
    told = [line.partition(":")[0] for line in lines[ended_at + 1 : -2]]
    assert told[:2] == ["round 1", "scores"]
    assert told[2:] in ([], ["winner"]), "nobody is ahead if the loser holds only a Zero"
    assert lines[-2] == "2 players each verified their own copy"
    assert str(table.transcript("demo")) in lines[-1]


def test_no_bot_comes_to_a_host_that_has_failed(tmp_path: Path) -> None:
    script = """
import sys
from lanuno.cli import demo
from lanuno.cli.main import main
demo.PLAYER_NAMES = ("a name that is too long for a player", *demo.PLAYER_NAMES[1:])
sys.exit(main(sys.argv[1:]))
"""
    arguments = ("--home", str(tmp_path), "--lang", "en", "demo", "--players", "3")
    ended = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )
    assert ended.returncode == ExitCode.NETWORK
    assert "1 programs started" in ended.stderr
    assert "Traceback" not in ended.stderr


@contextmanager
def programs_of(demo: Program, number: int) -> Iterator[list[int]]:
    """Yield the programs of a demo, in order of start, once this number of them runs.

    They are file descriptors that become readable when the program ends, whether it is a child of
    this process or not.
    """
    demo.heard(f"{number} programs started")
    parent = demo.process.pid
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text("ascii").split()
    assert len(children) == number
    with ExitStack() as stack:
        found = [os.pidfd_open(int(child)) for child in children]
        for each in found:
            stack.callback(os.close, each)
        yield found


def all_end(programs: list[int]) -> None:
    left = set(programs)
    while left:
        ended, _, _ = select.select(left, (), (), SOON)
        assert ended, f"{len(left)} programs still run"
        left -= set(ended)


needs_list_of_children = not_on_windows("a test cannot list the programs of a program")


@needs_list_of_children
@pytest.mark.parametrize(
    ("number", "name"), [pytest.param(0, "Ana", id="host"), pytest.param(1, "Beto", id="bot")]
)
def test_a_program_dies_early(table: WorkingFolder, number: int, name: str) -> None:
    demo = table.run("demo", "--players", "3", "--json", name="demo")
    with programs_of(demo, 3) as programs:
        signal.pidfd_send_signal(programs[number], signal.SIGKILL)
        demo.heard(f"the program of {name} ended with code -9")
        said = demo.end(5, SOON).json
        all_end(programs)
    assert said["error"]["id"] == "demo.failed"
    assert name in said["error"]["text"]
    assert not list((table.folder / "demo" / "games").iterdir())


def kill(demo: Program) -> None:
    demo.process.kill()
    demo.end(KILLED)


def interrupt(demo: Program) -> None:
    demo.interrupt()
    assert demo.end(130, SOON).json["error"]["id"] == "error.interrupted"


def interrupt_twice(demo: Program) -> None:
    demo.interrupt()
    demo.interrupt()
    demo.process.wait(WAIT_SECONDS)
    demo.end(130)


@needs_list_of_children
@pytest.mark.parametrize("end", [kill, interrupt, interrupt_twice])
def test_no_program_outlives_the_demo(table: WorkingFolder, end: Callable[[Program], None]) -> None:
    demo = table.run("demo", "--players", "3", "--json", name="demo")
    with programs_of(demo, 3) as programs:
        end(demo)
        all_end(programs)
