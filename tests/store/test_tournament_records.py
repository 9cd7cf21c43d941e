"""The files that a player keeps of a tournament."""

from __future__ import annotations

from pathlib import Path

import pytest

from lanuno.log.format.transcript import Transcript, read, write
from lanuno.log.tournament import TournamentReplay
from lanuno.store.paths import Home
from lanuno.store.table_records import TableRecords
from lanuno.store.tournament_records import TournamentFiles
from tests.harness.homes.played_games import new_home
from tests.harness.log_table.tournaments import play, tournament_genesis
from tests.harness.systems import is_private


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return new_home(tmp_path / "home")


@pytest.fixture(scope="module")
def tables() -> tuple[Transcript, Transcript]:
    """The two tables of the first rotation."""
    replay = TournamentReplay(tournament_genesis())
    return play(replay.table(0)), play(replay.table(1))


def write_log(records: TableRecords, transcript: Transcript) -> None:
    records.begin(transcript.genesis)
    for entry in transcript.entries:
        records.entry(entry)
    records.secret(0, b"o" * 32, "label", b"s" * 32)
    records.close()


def test_the_genesis_is_a_private_transcript_without_entries(home: Home) -> None:
    genesis = tournament_genesis()
    files = TournamentFiles(home, genesis)
    assert files.path == home.transcript(genesis.table_id)
    assert read(files.path.read_bytes()) == Transcript(genesis, (), torn=False)
    assert is_private(files.path)
    assert list(files.transcripts) == [files.path]


def test_a_tournament_can_be_resumed_over_its_own_files(home: Home) -> None:
    genesis = tournament_genesis()
    first = TournamentFiles(home, genesis)
    assert TournamentFiles(home, genesis).path == first.path
    assert first.path.read_bytes() == write(genesis, ())


def test_the_transcripts_are_those_of_tables_that_have_begun(
    home: Home, tables: tuple[Transcript, Transcript]
) -> None:
    files = TournamentFiles(home, tournament_genesis())
    played, watched = files.played(), files.watched()
    assert list(files.transcripts) == [files.path]
    write_log(watched, tables[1])
    assert list(files.transcripts) == [files.path, home.transcript(tables[1].genesis.table_id)]
    write_log(played, tables[0])
    paths = [home.transcript(each.genesis.table_id) for each in tables]
    assert list(files.transcripts) == [files.path, *paths]
    for path, table in zip(paths, tables, strict=True):
        assert read(path.read_bytes()) == table


def test_only_the_own_table_has_secrets(home: Home, tables: tuple[Transcript, Transcript]) -> None:
    files = TournamentFiles(home, tournament_genesis())
    write_log(files.played(), tables[0])
    write_log(files.watched(), tables[1])
    assert home.sidecar(tables[0].genesis.table_id).exists()
    assert not home.sidecar(tables[1].genesis.table_id).exists()
