"""The end of a tournament: for one of its players, and for a whole demo of eight."""

from __future__ import annotations

from pathlib import Path

import pytest

from lanuno.cli.exits import ExitCode
from lanuno.cli.output import Failure
from lanuno.cli.tournament import rebuilt_tournament, show_demo, show_end
from lanuno.client.tournament_breaks import BreakReason, TournamentBreak
from lanuno.client.tournament_run import TournamentRun
from lanuno.log.format.transcript import Transcript, write
from lanuno.log.tournament import TournamentReplay
from lanuno.net.errors import NetError, NetFault
from lanuno.net.runtime.config import OwnSeat
from lanuno.rules.match.tournament import TOURNAMENT_PLAYERS
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.paths import Home
from lanuno.store.tournament_records import TournamentFiles
from tests.cli.captured_output import CapturedOutput
from tests.harness.homes.played_games import new_home
from tests.harness.log_table.log_table import identity
from tests.harness.log_table.tournaments import play, tournament_genesis
from tests.harness.processes.programs import WAIT_SECONDS, WorkingFolder

LONG = 600.0
"""Seconds for fourteen tables of four programs each, far more than the slowest machine needs."""


@pytest.mark.timeout(LONG + 3 * WAIT_SECONDS)
def test_a_tournament_of_eight(table: WorkingFolder, tmp_path: Path) -> None:
    saved = tmp_path / "tournament"
    # Short hands: the test is about the pairings and the totals of fourteen tables.
    short = ("--hands-per-rotation", "1", "--set", "hand_size=2")
    arguments = ("--preset", "tournament", *short, "--save", str(saved))
    said = table.run("demo", *arguments, "--json", name="demo").end(0, LONG).json
    assert (said["verdict"], said["rotations"], said["copies"]) == (
        "verified",
        7,
        TOURNAMENT_PLAYERS,
    )
    assert len(said["tables"]) == 14
    assert {each["verdict"] for each in said["tables"]} == {"verified"}
    scores = said["scores"]
    assert len(said["players"]) == len(scores) == TOURNAMENT_PLAYERS
    winners = said["winner"].split(", ")
    assert {scores[name] for name in winners} == {max(scores.values())}
    totals = dict.fromkeys(scores, 0)
    for each in said["tables"]:
        for name, points in each["scores"].items():
            totals[name] += points
    assert totals == scores

    files = [str(path) for path in sorted(saved.iterdir())]
    assert len(files) == 15
    told = table.run("verify", "--json", *files, name="verifier").end(0).json
    assert told["verdict"] == "verified"
    assert told["tournament"]["scores"] == scores
    whole, last = (
        saved / f"{each}.lanuno" for each in (said["tournament_id"], said["tables"][-1]["table_id"])
    )
    without_one = [each for each in files if each != str(last)]
    cut = table.run("verify", "--json", *without_one, name="verifier").end(4).json
    assert (cut["verdict"], cut["tournament"]["verdict"]) == ("incomplete", "incomplete")
    # Without the genesis, the tables are separate games, and their expected number is unknown.
    tables = [each for each in files if each != str(whole)]
    alone = table.run("verify", "--json", *tables, name="verifier").end(0).json
    assert alone["verdict"] == "verified"
    assert "tournament" not in alone


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return new_home(tmp_path / "home")


@pytest.fixture(scope="module")
def tables() -> tuple[Transcript, ...]:
    """The tables of the first rotation."""
    replay = TournamentReplay(tournament_genesis())
    return tuple(play(replay.table(number)) for number in range(2))


def keep(home: Home, *transcripts: Transcript) -> None:
    """Write the genesis of the tournament and these tables into a home."""
    genesis = tournament_genesis()
    home.transcript(genesis.table_id).write_bytes(write(genesis, ()))
    for each in transcripts:
        path = home.transcript(each.genesis.table_id)
        path.write_bytes(write(each.genesis, each.entries))


def played(home: Home, *transcripts: Transcript) -> TournamentRun:
    """Return the tournament of player 5, after these tables."""
    genesis = tournament_genesis()
    own = OwnSeat(identity(5), "p5", None)
    run = TournamentRun(genesis, own, TournamentFiles(home, genesis), lambda _event: None)
    run.replay.add_all(transcripts)
    return run


def test_the_files_of_a_player_are_where_they_were_written(home: Home) -> None:
    captured = CapturedOutput()
    assert show_end(captured.out, played(home), None, None) is ExitCode.INCOMPLETE
    assert captured.lines[-1].endswith(str(home.games))
    assert captured.errors == []


def test_the_transcripts_are_saved_in_a_new_folder(home: Home, tmp_path: Path) -> None:
    save = tmp_path / "new" / "folder"
    captured = CapturedOutput(as_json=True)
    tournament = played(home)
    assert show_end(captured.out, tournament, None, save) is ExitCode.INCOMPLETE
    (copy,) = save.iterdir()
    assert copy.name == tournament.files.path.name
    assert copy.read_bytes() == tournament.files.path.read_bytes()
    assert captured.json(ExitCode.INCOMPLETE)["transcript"] == str(save)


def test_without_room_for_copies_the_result_is_shown_all_the_same(
    home: Home, tmp_path: Path
) -> None:
    save = tmp_path / "in the way"
    save.write_bytes(b"a file")
    captured = CapturedOutput(as_json=True)
    assert show_end(captured.out, played(home), None, save) is ExitCode.FILES
    said = captured.json(ExitCode.FILES)
    assert (said["transcript"], said["verdict"]) == (str(home.games), "incomplete")
    assert (said["error"]["id"], said["error"]["path"]) == ("store.not_writable", str(save))


def test_the_reason_for_a_broken_tournament_is_shown(home: Home) -> None:
    tournament = played(home)
    error = NetError(NetFault.UNREACHABLE, "gone")
    captured = CapturedOutput()
    show_end(captured.out, tournament, error, None)
    assert captured.errors == [f"lanuno: the tournament cannot continue ({error})"]
    tournament.broken = TournamentBreak(BreakReason.LEFT, ("p3", "p4"))
    captured = CapturedOutput()
    show_end(captured.out, tournament, error, None)
    (line,) = captured.errors
    assert "p3, p4" in line
    assert str(error) not in line, "the break is the cause"
    tournament.broken = TournamentBreak(BreakReason.AWAY, ("p3",), "p7")
    captured = CapturedOutput()
    show_end(captured.out, tournament, None, None)
    assert "according to p7, p3 is missing" in captured.errors[0]


def test_a_tournament_is_rebuilt_from_the_files_alone(
    home: Home, tables: tuple[Transcript, ...]
) -> None:
    assert rebuilt_tournament(home.data) is None
    home.transcript(tables[0].genesis.table_id).write_bytes(
        write(tables[0].genesis, tables[0].entries)
    )
    assert rebuilt_tournament(home.data) is None, "without its genesis"
    keep(home, *tables)
    found = rebuilt_tournament(home.data)
    assert found is not None
    assert (found.id, found.rotation, len(found.reports)) == (
        tournament_genesis().table_id,
        1,
        2,
    )


def test_a_demo_without_any_tournament_is_a_failure(home: Home, tmp_path: Path) -> None:
    with pytest.raises(Failure) as caught:
        show_demo(CapturedOutput().out, [home.data], tmp_path / "save", 1.0)
    assert (caught.value.code, caught.value.key) == (ExitCode.NETWORK, "tournament.none")


def test_players_with_the_same_files_agree(
    home: Home, tables: tuple[Transcript, ...], tmp_path: Path
) -> None:
    other = new_home(tmp_path / "other")
    for each in (home, other):
        keep(each, *tables)
    captured = CapturedOutput(as_json=True)
    save = tmp_path / "save"
    code = show_demo(captured.out, [home.data, other.data], save, 1.25)
    assert code is ExitCode.INCOMPLETE, "six rotations are missing"
    said = captured.json(code)
    assert (said["copies"], said["seconds"], said["transcript"]) == (2, 1.2, str(save))
    assert {each.name: each.read_bytes() for each in save.iterdir()} == {
        each.name: each.read_bytes() for each in home.games.iterdir()
    }


@pytest.mark.parametrize(
    ("kept", "copies", "code"),
    [(0, 1, ExitCode.INCOMPLETE), (1, 2, ExitCode.INCOMPLETE), (2, 2, ExitCode.OK)],
)
def test_a_whole_tournament_is_incomplete_if_players_do_not_agree(
    kept: int,
    copies: int,
    code: ExitCode,
    home: Home,
    tables: tuple[Transcript, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The other player has no copy, another one, or the same. One rotation is a whole match here,
    because seven would take long.
    """
    monkeypatch.setattr(TournamentReplay, "over", property(lambda replay: replay.rotation == 1))
    other = new_home(tmp_path / "other")
    keep(home, *tables)
    if kept:
        keep(other, *tables[:kept])
    captured = CapturedOutput(as_json=True)
    assert show_demo(captured.out, [home.data, other.data], tmp_path / "save", 1.0) is code
    said = captured.json(code)
    assert said["verdict"] == ("verified" if code is ExitCode.OK else "incomplete")
    assert said["copies"] == copies


def test_a_demo_that_cannot_save_its_files_names_the_folder(home: Home, tmp_path: Path) -> None:
    keep(home)
    save = tmp_path / "in the way"
    save.write_bytes(b"a file")
    with pytest.raises(StoreError) as caught:
        show_demo(CapturedOutput().out, [home.data], save, 1.0)
    assert (caught.value.problem, caught.value.path) == (FileProblem.NOT_WRITABLE, save)
