"""The list of games: built from transcripts, rebuilt from them, and deleted with them."""

from __future__ import annotations

import errno
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from lanuno.log.audit.audit import audit_bytes
from lanuno.log.faults import AuditVerdict
from lanuno.log.format.bodies import CloseReason
from lanuno.log.format.codec import encode
from lanuno.log.format.transcript import MAGIC, Transcript, read
from lanuno.log.format.transcript import record as framed
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.game_record import GameRecord, read_game
from lanuno.store.history import History
from lanuno.store.paths import Home
from lanuno.store.sidecar import Sidecar
from lanuno.store.table_metadata import save_metadata
from lanuno.store.table_records import TableRecords
from lanuno.table.metadata import TableMetadata
from tests.harness.homes.played_games import DAY, ME, home_of, keep, played
from tests.harness.log_table.log_table import LogTable, identity
from tests.harness.systems import is_private
from tests.store.failing_disk import failing


@pytest.fixture(scope="module")
def tables() -> tuple[LogTable, ...]:
    """Three games, of two, three and two players."""
    return played(1), played(2, 3), played(3)


@pytest.fixture
def home(tmp_path: Path, tables: tuple[LogTable, ...]) -> Home:
    return home_of(tmp_path / "home", tables)


@pytest.fixture
def history(home: Home) -> Iterator[History]:
    history = History(home)
    history.refresh()
    yield history
    history.close()


def test_a_game_is_what_its_transcript_says(history: History, tables: tuple[LogTable, ...]) -> None:
    table = tables[1]
    game = history.game(table.genesis.table_id)
    assert game is not None
    report = table.audit()
    assert game.record == read_game(read(table.file))
    assert [each.name for each in game.record.players] == list(report.players)
    assert [each.identity for each in game.record.players] == [
        identity(number).public for number in range(3)
    ]
    assert tuple(each.score for each in game.record.players) == report.scores
    assert tuple(e.seat for e in game.record.players if e.won) == report.winners
    assert game.record.reason is report.closed is CloseReason.STOPPED
    assert game.record.rounds == 1
    assert game.record.entries == report.entries
    assert game.ended == 2 * DAY
    assert game.verdict is None
    assert game.path == history.home.transcript(table.genesis.table_id)
    me = game.seat_of(ME)
    assert me is not None
    assert me.seat == 0
    assert game.seat_of(b"x" * 32) is None
    assert history.game(b"x" * 32) is None


def test_newest_first_and_by_pages(history: History) -> None:
    page = history.games(ME)
    assert [game.ended / DAY for game in page.games] == [3, 2, 1]
    assert page.total == 3
    second = history.games(ME, offset=1, limit=1)
    assert [game.ended / DAY for game in second.games] == [2]
    assert second.total == 3
    assert history.games(ME, offset=9).games == ()
    assert history.games(ME, offset=9).total == 3
    assert history.games(ME, offset=-5, limit=-1).games == ()


def test_an_audit_is_remembered_while_the_file_is_the_same(
    history: History, home: Home, tables: tuple[LogTable, ...]
) -> None:
    table = tables[0].genesis.table_id
    path = home.transcript(table)
    history.add(table, audit_bytes(path.read_bytes()).verdict)
    os.utime(path, (9 * DAY, 9 * DAY))
    assert history.refresh() == 1
    game = history.game(table)
    assert game is not None
    assert (game.verdict, game.ended) == (AuditVerdict.VERIFIED, DAY)
    keep(home, tables[0], 9 * DAY, upto=30)
    assert history.refresh() == 1
    game = history.game(table)
    assert game is not None
    assert (game.verdict, game.ended, game.record.reason) == (None, 9 * DAY, None)
    assert history.refresh() == 0


def test_a_game_without_its_file_leaves_the_list(
    history: History, home: Home, tables: tuple[LogTable, ...]
) -> None:
    home.transcript(tables[1].genesis.table_id).unlink()
    assert history.games(ME).total == 3
    assert history.refresh() == 0
    assert history.games(ME).total == 2
    for path in home.games.iterdir():
        path.unlink()
    home.games.rmdir()
    history.refresh()
    assert history.games(ME) == history.games(ME, offset=1)
    assert history.games(ME).total == 0


def test_the_list_is_rebuilt_from_the_transcripts(history: History, home: Home) -> None:
    before = history.games(ME)
    assert history.rebuild() == 3
    assert history.games(ME) == before
    history.close()
    for path in home.data.glob("history*"):
        path.unlink()
    again = History(home)
    assert again.set_aside_reason is None
    again.refresh()
    assert again.games(ME) == before
    again.close()


def test_reading_may_be_ended_at_any_file(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    class Enough(Exception):
        pass

    transcripts: list[Transcript] = []

    def read_two(transcript: Transcript) -> GameRecord:
        if len(transcripts) == 2:
            raise Enough
        transcripts.append(transcript)
        return read_game(transcript)

    history = History(home)
    with monkeypatch.context() as ended:
        ended.setattr("lanuno.store.history.read_game", read_two)
        with pytest.raises(Enough):
            history.refresh()
    assert history.games(ME).total == 2
    assert history.refresh() == 1
    assert history.games(ME).total == 3
    history.close()


def test_files_that_are_no_games_are_told(
    history: History, home: Home, tables: tuple[LogTable, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    genesis = tables[0].genesis
    other = type(genesis)(genesis.roster, genesis.signatures[::-1], genesis.nonces)
    names = {number: home.transcript(bytes([number]) * 32) for number in range(5)}
    names[0].write_bytes(b"GIF89a")
    names[1].write_bytes(tables[0].file)
    names[2].write_bytes(MAGIC + framed(encode(other)))
    names[3].mkdir()
    names[4].write_bytes(b"")
    (home.games / "notes.lanuno").write_bytes(b"?")
    assert history.refresh() == 5
    told = {error.path: error.problem for error in history.unusable()}
    assert told == {
        names[0]: FileProblem.DAMAGED,
        names[1]: FileProblem.FOREIGN,
        names[2]: FileProblem.DAMAGED,
        names[3]: FileProblem.NOT_A_FILE,
    }
    assert history.games(ME).total == 3
    assert history.refresh() == 1  # a table that has not begun
    # One file is repaired, one is deleted, and one that was a game becomes unusable.
    names[0].unlink()
    names[1].unlink()
    good = keep(home, tables[0], 5 * DAY)
    good.write_bytes(b"?")
    history.refresh()
    assert history.games(ME).total == 2
    assert {error.path for error in history.unusable()} == {good, names[2], names[3]}
    names[4].unlink()
    keep(home, tables[0], 6 * DAY)
    with monkeypatch.context() as locked:
        locked.setattr(os, "open", failing(errno.EACCES))
        history.refresh()
    assert {error.problem for error in history.unusable()} >= {FileProblem.NOT_A_FILE}
    assert history.refresh() == 0
    history.add(tables[0].genesis.table_id)
    assert history.games(ME).total == 3


def test_a_folder_that_cannot_be_read(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "iterdir", failing(errno.EACCES))
    with pytest.raises(StoreError) as caught:
        history.refresh()
    assert caught.value.problem is FileProblem.NOT_READABLE
    assert history.games(ME).total == 3


# ---- deleting ---------------------------------------------------------------------------------


def everything_of(home: Home, table: LogTable) -> None:
    """Leave all that can be left of a table."""
    table_id = table.genesis.table_id
    with Sidecar(home.sidecar(table_id)) as sidecar:
        sidecar.put_vote(1, b"vote")
    save_metadata(home, table_id, TableMetadata(pin="4711"))
    for name in (".aside0", ".torn0"):
        home.transcript(table_id).with_name(f"{table_id.hex()}.lanuno{name}").write_bytes(b"?")


def test_deleting_leaves_nothing_of_a_game(
    home: Home, history: History, tables: tuple[LogTable, ...]
) -> None:
    for table in tables:
        everything_of(home, table)
    stem = tables[1].genesis.table_id.hex()
    before = {path for path in home.data.rglob("*") if stem in path.name}
    assert len(before) == 5
    history.delete(tables[1].genesis.table_id)
    assert not [path for path in before if path.exists()]
    assert history.games(ME).total == 2
    assert history.game(tables[1].genesis.table_id) is None
    for table in (tables[0], tables[2]):
        assert home.transcript(table.genesis.table_id).read_bytes() == table.file
        assert home.sidecar(table.genesis.table_id).exists()
    # Delete it again, and delete a game that never existed.
    history.delete(tables[1].genesis.table_id)
    history.delete(b"?" * 32)
    history.refresh()
    assert history.games(ME).total == 2
    # The database file keeps no name of a player who played only in the deleted game.
    history.close()
    assert b"p2" not in home.history.read_bytes()


def test_a_game_that_is_played_is_not_deleted(
    home: Home, history: History, tables: tuple[LogTable, ...]
) -> None:
    records = TableRecords(home, resumed=True)
    records.begin(tables[0].genesis)
    with pytest.raises(StoreError) as caught:
        history.delete(tables[0].genesis.table_id)
    assert caught.value.problem is FileProblem.IN_USE
    records.close()
    assert home.sidecar(tables[0].genesis.table_id).exists()
    assert history.games(ME).total == 3
    history.delete(tables[0].genesis.table_id)
    assert history.games(ME).total == 2


@pytest.mark.parametrize("call", ["unlink", "fsync"])
@pytest.mark.parametrize("number", range(1, 6))
def test_a_partly_deleted_game_is_still_listed(
    call: str,
    number: int,
    home: Home,
    history: History,
    tables: tuple[LogTable, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    everything_of(home, tables[0])
    path = home.transcript(tables[0].genesis.table_id)
    real, calls = getattr(os, call), 0

    def fail(*arguments: object, **named: object) -> object:
        nonlocal calls
        calls += 1
        if calls == number:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return real(*arguments, **named)

    with monkeypatch.context() as broken:
        broken.setattr(os, call, fail)
        try:
            history.delete(tables[0].genesis.table_id)
        except StoreError as error:
            assert error.problem is FileProblem.NOT_WRITABLE
            assert history.game(tables[0].genesis.table_id) is not None
            left = [each for each in home.data.rglob("*") if path.stem in each.name]
            assert path in left or left == []
    history.delete(tables[0].genesis.table_id)
    assert history.games(ME).total == 2
    assert not [each for each in home.data.rglob("*") if path.stem in each.name]


# ---- damaged and shared files -----------------------------------------------------------------


def damage(home: Home, how: str) -> None:
    path = home.history
    data = path.read_bytes()
    match how:
        case "something else":
            path.write_bytes(b"GIF89a" * 500)
        case "cut off":
            path.write_bytes(data[: len(data) // 2])
        case "overwritten":
            path.write_bytes(data[:4096] + b"\xff" * (len(data) - 4096))
        case "half a header":
            path.write_bytes(data[:50])
        case "another program's":
            path.unlink()
            with sqlite3.connect(path) as link:
                link.execute("CREATE TABLE photos (name TEXT)")
            link.close()
        case "a later version's":
            with sqlite3.connect(path) as link:
                link.execute("PRAGMA user_version = 99")
            link.close()
        case "a table is missing":
            with sqlite3.connect(path) as link:
                link.execute("DROP TABLE players")
            link.close()
        case "a trigger was put in":
            with sqlite3.connect(path) as link:
                link.execute(
                    "CREATE TRIGGER t AFTER INSERT ON games BEGIN DELETE FROM players; END"
                )
            link.close()


@pytest.mark.parametrize(
    ("how", "problem"),
    [
        ("something else", FileProblem.DAMAGED),
        ("cut off", FileProblem.DAMAGED),
        ("overwritten", FileProblem.DAMAGED),
        ("half a header", FileProblem.DAMAGED),
        ("another program's", FileProblem.FOREIGN),
        ("a later version's", FileProblem.FOREIGN),
        ("a table is missing", FileProblem.DAMAGED),
        ("a trigger was put in", FileProblem.DAMAGED),
    ],
)
def test_a_damaged_list_is_set_aside_and_made_again(
    how: str, problem: FileProblem, home: Home, history: History
) -> None:
    before = history.games(ME)
    history.close()
    damage(home, how)
    bytes_before = home.history.read_bytes()
    again = History(home)
    assert again.set_aside_reason is not None
    assert (again.set_aside_reason.problem, again.set_aside_reason.path) == (problem, home.history)
    kept = home.history.with_name(home.history.name + ".aside0")
    assert kept.read_bytes()[100:] == bytes_before[100:]
    assert again.games(ME).total == 0
    assert again.refresh() == 3
    assert again.games(ME) == before
    again.close()
    third = History(home)
    assert third.set_aside_reason is None
    assert third.games(ME) == before
    third.close()


def test_a_list_of_an_older_version_is_made_again(home: Home, history: History) -> None:
    history.close()
    with sqlite3.connect(home.history) as link:
        link.execute("PRAGMA user_version = 0")
        link.execute("DROP VIEW judged_games")
        for table in ("players", "games", "unusable"):
            link.execute(f"DROP TABLE {table}")
    link.close()
    again = History(home)
    assert again.set_aside_reason is None
    assert again.refresh() == 3
    again.close()


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE games SET format = 99",
        "UPDATE games SET verdict = 'perfect'",
        "UPDATE games SET reason = 'x'",
        "UPDATE games SET ended = 'never'",
        "UPDATE players SET score = 'many'",
        "UPDATE players SET identity = 7",
        "INSERT OR REPLACE INTO unusable VALUES ('a', 1, 1, 'WHO KNOWS', '')",
        "DROP TABLE players",
    ],
)
def test_damage_that_is_found_later(change: str, home: Home, history: History) -> None:
    with sqlite3.connect(home.history) as link:
        link.execute("PRAGMA foreign_keys = OFF")
        link.execute(change)
    link.close()
    look = history.unusable if "unusable" in change else partial(history.games, ME)
    with pytest.raises(StoreError) as caught:
        look()
    assert caught.value.problem is FileProblem.DAMAGED
    history.recover()
    assert history.set_aside_reason is not None
    assert history.set_aside_reason.problem is FileProblem.DAMAGED
    assert history.refresh() == 3
    assert history.games(ME).total == 3


def test_it_is_for_its_owner_only(home: Home, history: History) -> None:
    for path in home.data.glob("history*"):
        assert is_private(path)


def test_a_closed_list_says_so(history: History) -> None:
    history.close()
    history.close()
    with pytest.raises(StoreError) as caught:
        history.games(ME)
    assert caught.value.problem is FileProblem.CLOSED


_OTHER = """
import sys
from pathlib import Path
from lanuno.store.history import History
from lanuno.store.paths import Home
history = History(Home.at(Path(sys.argv[1])))
print("open", flush=True)
sys.stdin.readline()
for _ in range(20):
    history.rebuild()
print(history.games(b"").total, history.set_aside_reason, flush=True)
history.close()
"""


def test_two_programs_at_once(home: Home) -> None:
    """Both programs create the list, and both repeatedly discard and rebuild it."""
    with subprocess.Popen(
        [sys.executable, "-c", _OTHER, str(home.data)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).resolve().parents[2],
    ) as other:
        assert other.stdout is not None
        assert other.stdin is not None
        assert other.stdout.readline() == "open\n"
        history = History(home)
        other.stdin.write("go\n")
        other.stdin.flush()
        while other.poll() is None:
            history.rebuild()
            assert history.games(ME).total <= 3
        out, err = other.communicate()
    assert err == ""
    assert out.split()[1:] == ["None"]
    history.refresh()
    assert history.games(ME).total == 3
    assert history.set_aside_reason is None
    history.close()


def test_a_program_that_holds_it_too_long_is_told(
    home: Home, history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    with sqlite3.connect(home.history, isolation_level=None) as link:
        link.execute("BEGIN IMMEDIATE")
        history.close()
        monkeypatch.setattr("lanuno.store.database.BUSY_SECONDS", 0.05)
        impatient = History(home)
        assert impatient.games(ME).total == 3
        with pytest.raises(StoreError) as caught:
            impatient.rebuild()
        assert caught.value.problem is FileProblem.IN_USE
        link.execute("ROLLBACK")
        assert impatient.rebuild() == 3
        impatient.close()
    link.close()
