"""Files are checked and compared in one bounded process, which returns complete results."""

from __future__ import annotations

from collections.abc import Iterator
from multiprocessing import active_children
from pathlib import Path

import pytest
from msgspec.structs import replace

from lanuno.log.faults import AuditVerdict, Fault
from lanuno.log.format.bodies import HOST, CloseReason
from lanuno.log.format.genesis import Genesis, TournamentBinding
from lanuno.log.format.transcript import Transcript, write
from lanuno.log.tournament import TournamentReplay
from lanuno.rules.engine.actions import Action, Draw, Play
from lanuno.store.errors import FileProblem
from lanuno.store.verification import ComparableFile, Comparison, Unchecked, Verified, Verifier
from lanuno.system.bounded_process import WorkLimit
from tests.harness.log_table.elections import elect
from tests.harness.log_table.log_table import (
    LogTable,
    identity,
    make_genesis,
    make_roster,
    new_table,
)
from tests.harness.log_table.tournaments import Seated, play, tournament_genesis
from tests.harness.systems import not_under_wine


@pytest.fixture(scope="module")
def played() -> LogTable:
    return new_table(3).run()


@pytest.fixture(scope="module")
def other_end(played: LogTable) -> LogTable:
    """Return a fork in which two of three owners elect a host after an old entry and continue."""
    table = played.fork(len(played.entries) // 2)
    elect(table, 1, 1, 1, 2)
    table.drop(0)
    return table.run()


@pytest.fixture(scope="module")
def tournament() -> tuple[Genesis, Transcript]:
    """Return the genesis of a tournament, and one of its tables."""
    genesis = tournament_genesis()
    return genesis, play(TournamentReplay(genesis).table(0))


@pytest.fixture
def verifier() -> Iterator[Verifier]:
    with Verifier() as made:
        yield made
    assert active_children() == []


def quiet(_share: float, _done: int, _total: int) -> None:
    """Ignore the progress."""


def kept(folder: Path, **files: bytes) -> list[Path]:
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return [folder / name for name in files]


def checked(verifier: Verifier, paths: list[Path]) -> list[ComparableFile]:
    found = []
    for path in paths:
        outcome = verifier.check(path, quiet)
        assert isinstance(outcome, Verified)
        found.append(ComparableFile(path, outcome))
    return found


def compared(verifier: Verifier, paths: list[Path]) -> Comparison:
    found = verifier.compare(checked(verifier, paths))
    assert isinstance(found, Comparison)
    return found


def test_the_story_is_told_only_if_it_is_asked_for(
    verifier: Verifier, played: LogTable, tmp_path: Path
) -> None:
    (path,) = kept(tmp_path, one=played.file)
    shares: list[float] = []
    short = verifier.check(path, lambda share, _done, _total: shares.append(share))
    whole = verifier.check(path, quiet, story=True, me=identity(1).public)
    assert isinstance(short, Verified)
    assert isinstance(whole, Verified)
    assert short.report == whole.report
    assert (short.story, short.own_seat, whole.own_seat) == (None, None, 1)
    assert whole.story is not None
    assert shares == sorted(shares)


def test_copies_that_part_are_found(
    verifier: Verifier, played: LogTable, other_end: LogTable, tmp_path: Path
) -> None:
    stranger = new_table(2, salt=7).run()
    paths = kept(
        tmp_path,
        stranger=stranger.file,
        text=b"no game",
        one=played.file,
        same=played.file,
        cut=played.file[:-1],
        other=other_end.file,
    )
    found = compared(verifier, paths)
    assert found.proven_faults == ()
    assert found.tournament is None
    # The truncated copy is a prefix of the first; it forks from the other where the whole one does.
    assert [(each.first, each.second) for each in found.forked_copies] == [(2, 5), (4, 5)]
    for each in found.forked_copies:
        assert {denial.seat for denial in each.fork.contradictions} == {1, 2}


def test_files_that_are_no_copies_are_not_even_read_again(
    verifier: Verifier, played: LogTable, tmp_path: Path
) -> None:
    paths = kept(tmp_path, one=played.file, same=played.file)
    files = checked(verifier, paths)
    paths[0].unlink()
    assert verifier.compare(files) == Comparison()
    assert verifier.compare([]) == Comparison()


def test_proof_against_a_host(verifier: Verifier, played: LogTable, tmp_path: Path) -> None:
    other = played.fork(len(played.entries) - 4)
    other.add(HOST, other.close(CloseReason.INCOMPLETE))
    stranger = new_table(2, salt=7).run()
    paths = kept(tmp_path, stranger=stranger.file, one=played.file, other=other.file)
    found = compared(verifier, paths)
    ((first, blame),) = found.proven_faults
    assert (first, blame.seat, blame.fault) == (1, 0, Fault.EQUIVOCATION)
    assert [(each.first, each.second) for each in found.forked_copies] == [(1, 2)]


def test_a_file_that_changes_meanwhile_is_not_compared(
    verifier: Verifier, played: LogTable, other_end: LogTable, tmp_path: Path
) -> None:
    paths = kept(tmp_path, one=played.file, other=other_end.file)
    files = checked(verifier, paths)
    paths[0].write_bytes(played.file[:-1])
    found = verifier.compare(files)
    assert isinstance(found, Unchecked)
    assert found.problem is FileProblem.CONTRADICTION
    paths[0].unlink()
    paths[0].mkdir()
    found = verifier.compare(files)
    assert isinstance(found, Unchecked)
    assert found.problem is FileProblem.NOT_A_FILE


def test_the_tables_of_a_tournament_are_put_together(
    verifier: Verifier, tournament: tuple[Genesis, Transcript], played: LogTable, tmp_path: Path
) -> None:
    genesis, table = tournament
    paths = kept(
        tmp_path,
        table=write(table.genesis, table.entries),
        other=played.file,
        genesis=write(genesis, ()),
    )
    files = checked(verifier, paths)
    assert [each.found.opens_tournament for each in files] == [False, False, True]
    assert [each.found.genesis_only for each in files] == [False, False, True]
    ids = [genesis.table_id, b"", genesis.table_id]
    assert [each.found.tournament for each in files] == ids
    found = verifier.compare(files)
    assert isinstance(found, Comparison)
    assert found.tournament is not None
    assert list(found.tournament.reports) == [(0, 0)]
    assert found.tournament.reports[0, 0].verdict is AuditVerdict.VERIFIED
    without = verifier.compare(files[:2])
    assert without == Comparison()


def test_a_table_that_ends_in_two_ways_is_not_counted(
    verifier: Verifier, tournament: tuple[Genesis, Transcript], tmp_path: Path
) -> None:
    """It counts only if a later table of the tournament is bound to one of the two ends."""
    genesis, table = tournament
    all_tables = TournamentReplay(genesis)
    told_again = Seated(
        table.genesis, choose=draws_first, players=all_tables.table(0).players
    ).run()
    other = play(all_tables.table(1))
    assert all_tables.add(table) is not None
    assert all_tables.add(other) is not None
    later = play(all_tables.table(0))
    paths = kept(
        tmp_path,
        again=told_again.file,
        table=write(table.genesis, table.entries),
        other=write(other.genesis, other.entries),
        genesis=write(genesis, ()),
        later=write(later.genesis, later.entries),
    )
    found = compared(verifier, paths[:4])
    assert [(each.first, each.second) for each in found.forked_copies] == [(0, 1)]
    assert found.tournament is not None
    assert list(found.tournament.reports) == [(0, 1)]
    found = compared(verifier, paths)
    assert found.tournament is not None
    assert sorted(found.tournament.reports) == [(0, 0), (0, 1), (1, 0)]
    assert found.tournament.reports[0, 0].entries == len(table.entries)
    # The attack: strangers sign a table of their own that is bound to the other end.
    ends = told_again.entries[-1].hash, other.entries[-1].hash
    binding = TournamentBinding(genesis.table_id, 1, 1, ends)
    strangers = make_genesis(replace(make_roster(2), binding=binding))
    [false] = kept(tmp_path, strangers=write(strangers, ()))
    for files, counted in (
        ((*paths, false), {(0, 0), (0, 1), (1, 0)}),
        ((*paths[:4], false), {(0, 1)}),
    ):
        found = compared(verifier, list(files))
        assert found.tournament is not None
        assert found.tournament.reports.keys() == counted


def draws_first(table: LogTable, _seat: int, acts: tuple[Action, ...]) -> Action:
    """Draw in the first turn, where the other game has a play."""
    wanted: type[Action] = Draw if table.engine.turns == 1 else Play
    return next((act for act in acts if isinstance(act, wanted)), acts[0])


@not_under_wine("it does not limit the memory of a job")
def test_comparing_is_limited_like_checking(
    played: LogTable, other_end: LogTable, tournament: tuple[Genesis, Transcript], tmp_path: Path
) -> None:
    genesis, table = tournament
    copies = kept(tmp_path, one=played.file, other=other_end.file)
    tables = kept(tmp_path, table=write(table.genesis, table.entries), all=write(genesis, ()))
    with Verifier() as verifier:
        found = [checked(verifier, copies), checked(verifier, tables)]
    for files in found:
        with Verifier(seconds=0.0) as verifier:
            assert verifier.compare(files) == Unchecked(None, WorkLimit.TIME)
        with Verifier(memory=2**20) as verifier:
            assert verifier.compare(files) == Unchecked(None, WorkLimit.MEMORY)
