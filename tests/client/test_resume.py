"""Interrupted tables of a real home: how they are chosen, listed and recovered."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from lanuno.bots.pace import BOTS_ONLY_PACE, PACES
from lanuno.bots.sensible import SensiblePlayer
from lanuno.client.places import TablePlace
from lanuno.client.resume import (
    ROTATION_SECONDS,
    Interrupted,
    ResumableTables,
    ResumeRequest,
    find_resumable,
    interrupted_tournament,
    recovered_table,
)
from lanuno.dealing.hashing import H, u32
from lanuno.dealing.identity import fingerprint
from lanuno.log.format.bodies import HOST, CloseReason
from lanuno.log.format.transcript import Transcript, write
from lanuno.log.tournament import TournamentReplay
from lanuno.rules.match.tournament import SCHEDULE
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.paths import Home
from lanuno.store.profile import Profile, load_profile
from lanuno.store.recovery import UnfinishedTable
from lanuno.store.table_metadata import load_metadata, save_metadata
from lanuno.store.table_records import TableRecords
from lanuno.store.tournament_records import TournamentFiles
from lanuno.table.messages import PeerAddress
from lanuno.table.metadata import TableMetadata
from lanuno.table.recovery import RecoveredState
from tests.harness.homes.played_games import new_home
from tests.harness.log_table.log_table import LogTable, identity, make_roster, new_table
from tests.harness.log_table.tournaments import play, table_genesis, tournament_genesis

ENTRIES = 6
SEED = H("test-player", u32(2))
"""The private key of `identity(2)`."""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """The home of player 0, without tables."""
    home = new_home(tmp_path / "home")
    profile = load_profile(home)
    assert profile.identity.public != identity(0).public
    return home


@pytest.fixture
def profile(home: Home) -> Profile:
    """The profile of that home, with the key of player 0."""
    return replace(load_profile(home), identity=identity(0))


@pytest.fixture(scope="module")
def played() -> LogTable:
    """A closed log of two players, shared, so it must not be changed."""
    return new_table(2).run()


def interrupt(home: Home, table: LogTable, *, bots: tuple[bytes, ...] = ()) -> bytes:
    """Leave the files of a program that was killed in the first round; return the table's id."""
    records = TableRecords(home, bots=bots)
    records.begin(table.genesis)
    for entry in table.entries[:ENTRIES]:
        records.entry(entry)
    records.close()
    return table.genesis.table_id


TABLE = Interrupted(
    UnfinishedTable(
        bytes.fromhex("ab12cd34") + bytes(28),
        Path("kept.lanuno"),
        ("p0", "p1"),
        0.0,
        make_roster(2),
    ),
    "Straße",
)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("ab12", True),
        ("AB12CD", True),
        ("ab12cd34" + "00" * 28, True),
        ("ab1", False),
        ("b12c", False),
        ("ab12ff", False),
        ("straße", True),
        ("STRASSE", True),
        ("\uff33traße\ufe0f", True),
        ("Stra", False),
        ("", False),
    ],
)
def test_a_table_is_chosen_by_its_name_or_the_beginning_of_its_id(wanted: str, found: bool) -> None:
    assert TABLE.matches(wanted) == found


def test_the_shown_id_chooses_the_table() -> None:
    assert TABLE.shown_id == "ab12cd34"
    assert TABLE.matches(TABLE.shown_id)


def test_a_table_is_at_its_own_id_and_at_that_of_its_waiting_room() -> None:
    assert TABLE.is_at(TABLE.id)
    assert TABLE.is_at(TABLE.table.roster.lobby)
    assert not TABLE.is_at(bytes(16))
    assert not TABLE.is_at(None)


def test_the_owner_at_a_place_has_the_fingerprint_of_its_link() -> None:
    place = TablePlace(("10.0.0.7", "10.0.0.8"), 4000, fingerprint(identity(1).public))
    assert TABLE.owner_at(place) == PeerAddress(1, "10.0.0.7", 4000)
    stranger = TablePlace(("10.0.0.7",), 4000, fingerprint(identity(7).public))
    assert TABLE.owner_at(stranger) is None
    # The key that has answered there counts more than the link.
    key = identity(0).public
    assert TABLE.owner_at(place, key) == PeerAddress(0, "10.0.0.7", 4000)
    assert TABLE.owner_at(place, identity(7).public) is None


def test_interrupted_tables_are_listed_with_their_names(
    home: Home, profile: Profile, played: LogTable
) -> None:
    named = interrupt(home, played)
    unnamed = interrupt(home, new_table(3, salt=4).run())
    save_metadata(home, named, TableMetadata(name="Kitchen"))
    found = find_resumable(home, profile)
    assert {each.id: each.name for each in found.tables} == {named: "Kitchen", unnamed: ""}
    assert found.damaged == ()
    stranger = replace(profile, identity=identity(9))
    assert find_resumable(home, stranger) == ResumableTables((), ())


def test_a_table_with_damaged_metadata_is_listed_without_its_name(
    home: Home, profile: Profile, played: LogTable
) -> None:
    table = interrupt(home, played)
    save_metadata(home, table, TableMetadata(name="Kitchen"))
    path = home.table_metadata(table)
    path.write_bytes(b"?")
    resumable = find_resumable(home, profile)
    (found,) = resumable.tables
    assert (found.id, found.name) == (table, "")
    (error,) = resumable.damaged
    assert (error.problem, error.path) == (FileProblem.DAMAGED, path)
    assert path.read_bytes() == b"?"


def test_a_damaged_log_is_reported_and_kept(home: Home, profile: Profile, played: LogTable) -> None:
    table = interrupt(home, played)
    path = home.transcript(table)
    whole = bytearray(path.read_bytes())
    whole[-700] ^= 1
    path.write_bytes(whole)
    found = find_resumable(home, profile)
    assert found.tables == ()
    assert [error.path for error in found.damaged] == [path]
    assert path.read_bytes() == whole


def test_a_table_that_its_host_has_closed_is_listed_only_on_request(
    home: Home, profile: Profile, played: LogTable
) -> None:
    """Other nodes may lack the end of the log."""
    closed = played.fork(len(played.entries) - 1)
    closed.add(HOST, closed.close(CloseReason.INCOMPLETE))
    interrupt(home, played)
    path = home.transcript(closed.genesis.table_id)
    path.write_bytes(closed.file)
    written = path.stat().st_mtime
    assert find_resumable(home, profile).tables == ()
    assert find_resumable(home, profile, closed_since=written + 1).tables == ()
    (found,) = find_resumable(home, profile, closed_since=written - 1).tables
    assert found.table.closed


def test_the_profile_of_the_home_is_the_one_that_resumes(home: Home, played: LogTable) -> None:
    interrupt(home, played)
    found = find_resumable(home)
    assert (found.tables, found.damaged) == ((), ()), "another player's table"
    (home.games / f"{'0' * 64}.lanuno").write_bytes(b"GIF89a")
    (error,) = find_resumable(home).damaged
    assert error.problem is FileProblem.FOREIGN


def chosen(home: Home, profile: Profile) -> Interrupted:
    (found,) = find_resumable(home, profile).tables
    return found


def test_a_recovered_table_goes_on_with_its_log_seat_and_bots(home: Home, profile: Profile) -> None:
    table = new_table(3, bots={2: 0}).run()
    # The program also knows a bot that got no seat.
    interrupt(home, table, bots=(b"b" * 32, SEED))
    player = SensiblePlayer(Random(1))
    state, config = recovered_table(
        home,
        profile,
        ResumeRequest(chosen=chosen(home, profile), player=player, adapter="127.0.0.1", port=4711),
        bot_pace=PACES["slow"],
    )
    assert state.genesis == table.genesis
    assert state.entries == tuple(table.entries[:ENTRIES])
    own, *bots = config.seats
    assert (own.identity, own.player) == (profile.identity, player)
    assert [bot.identity.public for bot in bots] == [identity(2).public]
    assert all(isinstance(bot.player, SensiblePlayer) for bot in bots)
    assert (config.port, config.bot_pace) == (4711, PACES["slow"])
    assert len({config.entropy(32) for _ in range(3)}) == 3


def test_the_present_place_of_an_owner_is_added_to_the_places(
    home: Home, profile: Profile, played: LogTable
) -> None:
    """The place where the owner was before is kept, because it may have gone back."""
    before = PeerAddress(1, "10.0.0.1", 4000)
    table = interrupt(home, played)
    save_metadata(home, table, TableMetadata(places=(before,)))
    now = PeerAddress(1, "10.0.0.9", 5000)
    for owner_place, places in ((now, (before, now)), (None, (before,))):
        request = ResumeRequest(chosen=chosen(home, profile), owner_place=owner_place)
        state, config = recovered_table(home, profile, request)
        assert state.places == places
        assert config.metadata.places == (before,)


@pytest.mark.parametrize(
    ("bots", "port", "has_network"),
    [({}, None, True), ({1: 0}, None, False), ({1: 0}, 4000, True)],
)
def test_only_practice_gets_no_network(
    bots: dict[int, int], port: int | None, has_network: bool, home: Home, profile: Profile
) -> None:
    """A table of one owner that was open to others has a port, on which it is watched again."""
    table = interrupt(home, new_table(2, bots=bots).run())
    save_metadata(home, table, TableMetadata(port=port))
    _, config = recovered_table(
        home, profile, ResumeRequest(chosen=chosen(home, profile), adapter="127.0.0.1")
    )
    assert (config.network is not None) == has_network
    assert (config.port, config.bot_pace) == (None, BOTS_ONLY_PACE)


def test_the_files_of_a_recovered_table_go_on(
    home: Home, profile: Profile, played: LogTable
) -> None:
    table = interrupt(home, played)
    save_metadata(home, table, TableMetadata(name="Kitchen", pin="4711"))
    _, config = recovered_table(home, profile, ResumeRequest(chosen=chosen(home, profile)))
    assert (config.metadata.name, config.metadata.pin) == ("Kitchen", "4711")
    assert config.records is not None
    config.records.begin(played.genesis)
    config.records.entry(played.entries[ENTRIES])
    config.records.close()
    assert home.transcript(table).read_bytes() == played.fork(ENTRIES + 1).file
    assert config.save_metadata is not None
    config.save_metadata(table, msgspec.structs.replace(config.metadata, name="Garden"))
    kept = load_metadata(home, table)
    assert kept is not None
    assert (kept.name, kept.pin) == ("Garden", "4711")


# ---- tournaments -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def rotation() -> tuple[Transcript, ...]:
    """The tables of the first rotation of a tournament."""
    replay = TournamentReplay(tournament_genesis())
    return tuple(play(replay.table(number)) for number in range(2))


def write_tournament(home: Home, rotation: Sequence[Transcript]) -> RecoveredState:
    """Write a tournament's genesis and first rotation; return a table of the second rotation."""
    replay = TournamentReplay(tournament_genesis())
    replay.add_all(rotation)
    for each in (Transcript(replay.genesis, (), torn=False), *rotation):
        home.transcript(each.genesis.table_id).write_bytes(write(each.genesis, each.entries))
    return RecoveredState(table_genesis(replay.table(1)), (), {})


def test_the_tournament_of_a_table_is_found_in_its_files(
    home: Home, rotation: tuple[Transcript, ...]
) -> None:
    """Also if the log of the other table goes on in a file beside it; other files are ignored."""
    table = write_tournament(home, rotation)
    watched = home.transcript(rotation[1].genesis.table_id)
    aside = watched.with_name(f"{watched.name}.aside0")
    watched.rename(aside)
    watched.write_bytes(write(rotation[1].genesis, rotation[1].entries[:ENTRIES]))
    (home.games / "other.lanuno").write_bytes(b"something else")
    found = interrupted_tournament(home, table, TableMetadata())
    assert (found.replay.id, found.replay.rotation) == (tournament_genesis().table_id, 1)
    assert found.files.path == home.transcript(found.replay.id)
    played = home.transcript(rotation[0].genesis.table_id)
    assert {found.files.path, played, aside} <= {*found.files.transcripts}


@pytest.mark.parametrize("wrong", ["no genesis", "another genesis", "no log", "another log"])
def test_a_tournament_whose_files_do_not_lead_to_the_table_is_refused(
    home: Home, rotation: tuple[Transcript, ...], wrong: str
) -> None:
    table = write_tournament(home, rotation)
    path = home.transcript(tournament_genesis().table_id)
    if wrong.endswith("log"):
        path = home.transcript(rotation[0].genesis.table_id)
    if wrong.startswith("no"):
        path.unlink()
    else:
        other = play(TournamentReplay(tournament_genesis()).table(0), salt=1)
        path.write_bytes(write(other.genesis, other.entries))
    with pytest.raises(StoreError) as caught:
        interrupted_tournament(home, table, TableMetadata())
    assert caught.value.problem is FileProblem.NO_TOURNAMENT


def test_the_last_table_of_a_tournament_can_be_resumed_while_it_goes_on(
    home: Home, profile: Profile, rotation: tuple[Transcript, ...]
) -> None:
    """The others wait for this player after a closed table too, but not for long."""
    replay = TournamentReplay(tournament_genesis())
    replay.add_all(rotation)
    me = replace(profile, identity=identity(SCHEDULE[0][0][0]))

    def tables() -> list[tuple[bytes, bool]]:
        resumable = find_resumable(home, me)
        assert resumable.damaged == ()
        return [(each.id, each.table.closed) for each in resumable.tables]

    first = write_table(home, rotation[0])
    assert tables() == [(rotation[0].genesis.table_id, True)]
    written = first.stat().st_mtime
    os.utime(first, times=(written, written - 2 * ROTATION_SECONDS))
    assert tables() == []
    os.utime(first, times=(written, written))
    second = table_genesis(replay.table(0))
    write_table(home, Transcript(second, (), torn=False))
    assert tables() == [(second.table_id, False)]
    TournamentFiles(home, tournament_genesis()).end()
    assert tables() == []


def write_table(home: Home, table: Transcript) -> Path:
    """Write a table that was played here; return the path of its log."""
    records = TableRecords(home)
    records.begin(table.genesis)
    for entry in table.entries:
        records.entry(entry)
    records.close()
    assert records.path is not None
    return records.path
