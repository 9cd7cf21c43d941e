"""`lanuno simulate`: the same seed produces the same output, as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lanuno.bots.simulation import Simulation, SimulationError, Tally
from lanuno.cli import simulate
from lanuno.cli.exits import ExitCode
from lanuno.cli.main import main
from lanuno.client.languages import languages

pytestmark = pytest.mark.usefixtures("own_home")

TIMES = ("seconds", "moves_per_second")


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["simulate", *arguments, "--json"]) == ExitCode.OK
    said: dict[str, Any] = json.loads(capsys.readouterr().out)
    for name in TIMES:
        said.pop(name)
    return said


def test_the_same_seed_gives_the_same_answer(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("--preset", "express", "--players", "3", "--rounds", "6", "--seed", "7")
    first = answer(capsys, *arguments)
    assert first == answer(capsys, *arguments)
    assert first != answer(capsys, *arguments[:-1], "8")
    assert first["preset"] == "express"
    assert first["seed"] == 7
    assert first["rounds"] == 6
    assert [each["player"] for each in first["seats"]] == ["sensible", "random", "cautious"]
    assert sum(each["rounds_won"] for each in first["seats"]) == 6
    for name in ("matches", "moves", "longest", "reshuffles", "blocked"):
        assert first[name] >= 0
    for name in ("challenges_won", "challenges_lost", "uno_missed", "uno_caught"):
        assert first[name] >= 0


def test_a_seed_is_chosen_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "--rounds", "1")
    assert len(said["seats"]) == 4
    assert said == answer(capsys, "--rounds", "1", "--seed", str(said["seed"]))


@pytest.mark.parametrize(("preset", "seats"), [("duel", 2), ("pairs", 4), ("tournament", 4)])
def test_without_a_number_as_many_play_as_can(
    preset: str, seats: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(answer(capsys, "--preset", preset, "--rounds", "1")["seats"]) == seats


@pytest.mark.parametrize("language", languages())
def test_people_are_told_too(
    language: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # No progress lines, however slow the machine is.
    monkeypatch.setattr(simulate, "PROGRESS_SECONDS", float("inf"))
    arguments = ["--lang", language, "--rounds", "4", "--seed", "1"]
    changes = ["--set", "manners=honour", "--set", "advice=on"]
    assert main(["simulate", *arguments, *changes]) == ExitCode.OK
    out, err = capsys.readouterr()
    assert "{" not in out
    assert len(out.splitlines()) >= 2 + 4 + 3
    assert err == ""


def test_progress_is_told_meanwhile(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(simulate, "PROGRESS_SECONDS", 0.0)
    assert main(["simulate", "--rounds", "2", "--json"]) == ExitCode.OK
    out, err = capsys.readouterr()
    assert json.loads(out)["rounds"] == 2
    assert err.splitlines() == ["1 of 2 rounds", "2 of 2 rounds"]


def test_what_was_played_before_an_interruption_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    play = Simulation.play

    def interrupted(self: Simulation, rounds: int) -> Iterator[Tally]:
        yield from play(self, 3)
        raise KeyboardInterrupt

    monkeypatch.setattr(Simulation, "play", interrupted)
    assert main(["simulate", "--rounds", "100", "--json"]) == ExitCode.INTERRUPTED
    said = json.loads(capsys.readouterr().out)
    assert said["rounds"] == 3
    assert said["exit"] == ExitCode.INTERRUPTED


def test_a_mistake_of_the_engine_names_the_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def broken(self: Simulation, _rounds: int) -> Iterator[Tally]:
        if not self.tally.rounds:
            raise SimulationError("no legal act")
        yield self.tally

    monkeypatch.setattr(Simulation, "play", broken)
    arguments = ["simulate", "--seed", "5", "--home", str(tmp_path / "home")]
    assert main(arguments) == ExitCode.INTERNAL
    logs = [path.read_text() for path in (tmp_path / "home").rglob("*") if path.is_file()]
    assert any("seed 5, round 1: no legal act" in log for log in logs)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--preset", "nonesuch"], "nonesuch"),
        (["--preset", "duel", "--players", "4"], "4 players; choose one of: 2"),
        (["--preset", "tournament", "--players", "8"], "8 players; choose one of: 4"),
        (["--players", "1"], "1"),
        (["--rounds", "0"], "0"),
        (["--seed", "-1"], "-1"),
        (["--set", "hand_size=21"], "hand_size"),
    ],
)
def test_what_cannot_be_is_refused(
    arguments: list[str], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulate", *arguments]) == ExitCode.USAGE
    assert named in capsys.readouterr().err.splitlines()[-1]
