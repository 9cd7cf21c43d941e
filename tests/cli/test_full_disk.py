"""A disk that fills up under a running game, and how the game resumes once there is room.

A node must not send anything that it cannot store. So a program whose disk is full stops
immediately: it signs, acknowledges and promises nothing more, and the other nodes treat it as lost.
It reports why, keeps every file, and resumes from its last state once there is room.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from lanuno.store.paths import Home
from lanuno.store.recovery import read_table
from tests.cli.matches import SOON, played_on
from tests.harness.homes.small_disk import SmallDisk, small_disk
from tests.harness.processes.programs import Program, WorkingFolder
from tests.harness.systems import skip_module_on_windows

if sys.platform != "win32":
    import resource

skip_module_on_windows("a test can limit neither a disk nor the files of a program")

ROOM = 80
"""Room in KiB for the files of a new profile and for the first deals."""

SHORT = ("--rounds", "2", "--set", "hand_size=3")


def fills_up(program: Program, disk: SmallDisk) -> None:
    """Limit the size of this program's files, if the disk is not a real small one."""
    if not disk.real:
        limit = ROOM * 500
        resource.prlimit(program.process.pid, resource.RLIMIT_FSIZE, (limit, limit))


def stopped(program: Program, disk: SmallDisk) -> None:
    """Assert that the program ended and named the problem, the file and what to do."""
    error = program.end(6).json["error"]
    assert error["id"] == f"store.{disk.full.name.lower()}"
    assert error["path"].startswith(str(disk.folder))
    assert not disk.real or "nothing is lost: make room" in error["text"]


def again(room: WorkingFolder, disk: SmallDisk, command: str) -> Program:
    """Make room, resume, and check that the whole log on the disk is used."""
    disk.resize(4096)
    name = disk.folder.name
    table = bytes.fromhex(room.transcript(name).stem)
    held = len(read_table(Home.at(disk.folder), table).state.entries)
    back = room.run(command, "--resume", "--adapter", "127.0.0.1", "--json", name=name)
    back.heard(f"with {held} log entries")
    return back


def verified(room: WorkingFolder, **programs: Program) -> None:
    """Assert that all programs hold the same whole match, with no void round, and it verifies."""
    told = [each.end(0).json for each in programs.values()]
    assert [each["verdict"] for each in told] == ["verified"] * len(told)
    assert {str(each["scores"]) for each in told} == {str(told[0]["scores"])}
    assert not any("table.void" in str(each["notices"]) for each in told)
    played_on(room, *programs)


def test_a_player_of_three(table: WorkingFolder) -> None:
    with small_disk(table.folder / "Beto", ROOM) as disk:
        host = table.host("--seats", "3", *SHORT, "--json")
        beto, carla = table.bot("--json", name="Beto"), table.bot("--json", name="Carla")
        fills_up(beto, disk)
        stopped(beto, disk)
        host.heard("waiting for Beto")
        verified(table, Ana=host, Beto=again(table, disk, "bot"), Carla=carla)


def test_the_host_of_two(table: WorkingFolder) -> None:
    with small_disk(table.folder / "Ana", ROOM) as disk:
        host = table.host("--seats", "2", *SHORT, "--json")
        beto = table.bot("--json", name="Beto")
        fills_up(host, disk)
        stopped(host, disk)
        beto.heard("waiting for Ana")
        verified(table, Ana=again(table, disk, "host"), Beto=beto)


def test_the_host_of_three(table: WorkingFolder) -> None:
    """The others elect a new host, and the old one comes back as a player."""
    with small_disk(table.folder / "Ana", ROOM) as disk:
        host = table.host("--seats", "3", *SHORT, "--json")
        beto, carla = table.bot("--json", name="Beto"), table.bot("--json", name="Carla")
        fills_up(host, disk)
        stopped(host, disk)
        beto.heard("host")  # either it is now the host, or it has found the new one
        verified(table, Ana=again(table, disk, "host"), Beto=beto, Carla=carla)


def test_no_room_to_begin(table: WorkingFolder) -> None:
    """Without room, no table is opened and no player waits in vain."""
    with small_disk(table.folder / "Ana", ROOM) as disk, disk.filled():
        error = table.host("--json", "--seats", "2", language="es").end(6, SOON).json["error"]
        assert error["id"] == f"store.{disk.full.name.lower()}"
        assert not disk.real or "el disco está lleno" in error["text"]


def test_a_disk_that_cannot_be_written(table: WorkingFolder) -> None:
    """An existing profile does not help, because the table could not be stored."""
    with small_disk(table.folder / "Ana", ROOM) as disk:
        host = table.host("--json", "--seats", "2")
        host.heard("is open on port")
        host.interrupt()
        host.end(130, SOON)
        before = contents(disk.folder)
        with disk.read_only():
            error = table.host("--json", "--seats", "2").end(6, SOON).json["error"]
            assert contents(disk.folder) == before
        assert error["id"] == f"store.{disk.protected.name.lower()}"
        assert not disk.real or "on a read-only disk" in error["text"]


@pytest.mark.parametrize(("place", "name"), [("", "not_writable"), ("private/identity", "damaged")])
def test_a_folder_that_is_damaged(table: WorkingFolder, place: str, name: str) -> None:
    """If something else is where LanUNO's file should be, it is named and left unchanged."""
    odd, wrong = table.folder / "Ana" / place, b"lanuno identity 1\n" + 31 * b"0f" + b"\n"
    odd.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    odd.write_bytes(wrong)
    odd.chmod(0o600)
    error = table.host("--json", "--seats", "2", language="es").end(6, SOON).json["error"]
    assert error["id"] == f"store.{name}"
    assert str(odd) in error["text"]
    assert odd.read_bytes() == wrong


def contents(folder: Path) -> dict[Path, bytes]:
    """Return the contents of every file below a folder."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
