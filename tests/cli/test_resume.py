"""Killed programs that restart with the same seat, hand and log, so that the game continues.

Every kill is SIGKILL in the middle of a round. For a whole chaos run: `lanuno demo --chaos`.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from lanuno.log.format.transcript import read, write
from lanuno.net.discovery.table_listener import listen_for_tables
from lanuno.store.paths import Home
from lanuno.store.recovery import read_table
from lanuno.store.table_metadata import load_metadata, save_metadata
from lanuno.system.processes import KILLED
from tests.cli.matches import in_the_middle, played_on, run
from tests.harness.processes.programs import WAIT_SECONDS, Program, WorkingFolder
from tests.harness.sockets.running import until

SHORT = ("--set", "target=20")
"""Options for a match of one or two rounds."""


def kill(*programs: Program) -> None:
    for each in programs:
        each.process.kill()
    for each in programs:
        each.end(KILLED)


def again(room: WorkingFolder, command: str, *arguments: str, name: str) -> Program:
    """Start a program again in the home of a killed one."""
    return room.run(command, *arguments, "--adapter", "127.0.0.1", "--json", name=name)


def entries(room: WorkingFolder, name: str) -> int:
    """Return the number of log entries stored in a home."""
    table = bytes.fromhex(room.transcript(name).stem)
    return len(read_table(Home.at(room.folder / name), table).state.entries)


def metadata(room: WorkingFolder, name: str) -> dict[str, object]:
    (path,) = (room.folder / name / "private").glob("*.table.json")
    found: dict[str, object] = json.loads(path.read_text(encoding="utf-8"))
    return found


def test_the_host_of_two_comes_back(table: WorkingFolder) -> None:
    host = table.host("--seats", "2", "--bots", "0", "--pin", "q7X", "--rounds", "1")
    bot = table.bot("--json", "--pin", "q7X", name="Beto")
    in_the_middle(host)
    kill(host)
    held = entries(table, "Ana")
    bot.heard("waiting for Ana")
    back = again(table, "host", "--resume", name="Ana")
    back.heard(f"with {held} log entries")
    back.heard("this computer is the host of the table now")
    told = [back.end(0).json, bot.end(0).json]
    assert [each["verdict"] for each in told] == ["verified"] * 2
    assert told[0]["rounds"] == told[1]["rounds"] == 1, "the host still knows when to stop"
    assert told[0]["scores"] == told[1]["scores"]
    for name in ("Ana", "Beto"):
        kept = metadata(table, name)
        assert (kept["name"], kept["pin"], kept["rounds"]) == (table.table, "q7x", 1)
    assert table.transcript("Ana").read_bytes() == table.transcript("Beto").read_bytes()


def test_a_copied_profile_is_named(table: WorkingFolder) -> None:
    """Otherwise each program only says, again and again, that it has lost the host."""
    slowly = ("--bot-speed", "slow")
    host = table.host("--seats", "3", "--bots", "1", *slowly)
    bot = table.bot(*slowly, name="Beto")
    in_the_middle(host)
    shutil.copytree(table.folder / "Beto", table.folder / "Copy")
    copy = again(table, "bot", "--resume", *slowly, name="Copy")
    bot.heard("another program plays at this table with your profile")
    kill(host, bot, copy)


def test_a_table_that_everybody_lost_goes_on(table: WorkingFolder) -> None:
    """Resuming works from the first moment, at the old addresses, without an announced host."""
    host = table.host("--seats", "3", "--bots", "1", "--rounds", "1")
    bot = table.bot(name="Beto")
    bot.heard("safety hand")
    kill(bot)
    host.heard("waiting for Beto")
    kill(host)
    programs = [
        again(table, "host", "--resume", table.table.lower(), name="Ana"),
        again(table, "bot", "--resume", table.transcript("Beto").stem[:8], name="Beto"),
    ]
    for each in programs:
        assert each.end(0).json["verdict"] == "verified"
    played_on(table, "Ana", "Beto")


def test_the_others_have_a_new_host_and_the_old_one_plays(table: WorkingFolder) -> None:
    """The waiting room told the players what they need to host: name, PIN, rounds."""
    host = table.host("--seats", "3", "--pin", "q7X", "--rounds", "1")
    told_aloud = table.bot("--pin", "q7X", name="Beto")
    bot = table.bot("--json", "--pin", "q7X", name="Carla")
    in_the_middle(host)
    kill(host)
    told_aloud.heard("is the host now")
    run(until_hosted(table.table))
    (found,) = table.find()
    assert found["host"] in ("Beto", "Carla")
    assert (found["pin"], found["seats"], found["state"]) == (True, 3, "playing")
    back = again(table, "bot", "--table", table.table, "--name", "Ana", name="Ana")
    back.heard("in contact with the host")
    told = [each.end(0).json for each in (back, bot)]
    assert [(each["verdict"], each["rounds"]) for each in told] == [("verified", 1)] * 2
    assert told[0]["scores"] == told[1]["scores"]
    assert "VERIFIED" in told_aloud.end(0).out
    assert any(each["id"].startswith("table.caught_up.") for each in told[0]["notices"])
    played_on(table, "Ana", "Beto", "Carla")


@pytest.mark.parametrize("by", ["link", "address"])
def test_a_link_leads_back_to_the_own_seat(table: WorkingFolder, by: str) -> None:
    host = table.host("--seats", "2", "--rounds", "1")
    link = host.heard("link: ").removeprefix("link: ")
    address = link.removeprefix("lanuno://").partition("/")[0]
    bot = table.bot(link, name="Beto")
    in_the_middle(host, bot)
    kill(bot)
    back = again(table, "bot", link if by == "link" else address, name="Beto")
    back.heard("returning to the table")
    assert back.end(0).json["verdict"] == "verified"
    assert "Beto is back" in host.end(0).err
    played_on(table, "Ana", "Beto")


def test_a_port_that_is_taken(table: WorkingFolder) -> None:
    host = table.host("--seats", "2", "--rounds", "1")
    bot = table.bot("--json", name="Beto")
    in_the_middle(host)
    kill(host)
    with taken(table, "Ana"):
        back = again(table, "host", "--resume", name="Ana")
        assert [each.end(0).json["verdict"] for each in (back, bot)] == ["verified"] * 2


def test_nobody_is_where_they_were(table: WorkingFolder) -> None:
    """As after a power failure that changed every computer's address; no host is announced."""
    host = table.host("--seats", "2", "--rounds", "1")
    bot = table.bot(name="Beto")
    in_the_middle(host, bot)
    kill(host, bot)
    with taken(table, "Ana"), taken(table, "Beto"):
        host = again(table, "bot", "--resume", name="Ana")
        run(until_sought(table.table))
        bot = again(table, "bot", "--resume", name="Beto")
        assert [each.end(0).json["verdict"] for each in (host, bot)] == ["verified"] * 2


async def until_hosted(name: str) -> None:
    """Wait until the table's host has announced it, which takes some time."""
    async with (
        asyncio.timeout(WAIT_SECONDS),
        await listen_for_tables(adapter="127.0.0.1") as listener,
    ):
        await until(lambda: name in {each.name for each in listener.tables.values()})


async def until_sought(name: str) -> None:
    """Wait until a node of this table searches for it, which must not list a table to join."""
    async with (
        asyncio.timeout(WAIT_SECONDS),
        await listen_for_tables(adapter="127.0.0.1") as listener,
    ):
        heard = set[str]()
        while name not in heard:
            await asyncio.sleep(0.05)
            heard = {each.name for each in listener.adverts}
        assert name not in {each.name for each in listener.tables.values()}


@contextmanager
def taken(room: WorkingFolder, name: str) -> Iterator[None]:
    """Occupy the port that a program listened on.

    A table of another test may have taken that port by now, and may release it at any moment. So
    the stored metadata is changed to a port that this test holds meanwhile.
    """
    home, table = Home.at(room.folder / name), bytes.fromhex(room.transcript(name).stem)
    kept = load_metadata(home, table)
    assert kept is not None
    assert kept.port is not None
    with socket.create_server(("127.0.0.1", 0)) as ours, ExitStack() as besides:
        with suppress(OSError):
            besides.enter_context(socket.create_server(("127.0.0.1", kept.port)))
        port = ours.getsockname()[1]
        save_metadata(home, table, replace(kept, port=port))
        yield
    assert metadata(room, name)["port"] != port


def test_the_end_that_only_the_host_had(table: WorkingFolder) -> None:
    """As if the host had been killed immediately after its last entry."""
    host = table.host("--seats", "2", "--rounds", "1")
    bot = table.bot(name="Beto")
    for each in (host, bot):
        each.end(0)
    path = table.transcript("Beto")
    log = read(path.read_bytes())
    path.write_bytes(write(log.genesis, log.entries[:-1]))
    bot = again(table, "bot", "--resume", name="Beto")
    bot.heard("returning to the table")
    host = again(table, "host", "--resume", name="Ana")
    host.heard("staying for a moment to tell the other players")
    assert [each.end(0).json["verdict"] for each in (bot, host)] == ["verified"] * 2
    assert read(path.read_bytes()) == log


# No table to resume, or too many.


def refused(program: Program, code: int, name: str) -> dict[str, Any]:
    said = program.end(code).json
    assert said["error"]["id"] == name
    return said


def test_nothing_was_interrupted(table: WorkingFolder) -> None:
    for command in ("host", "bot"):
        refused(again(table, command, "--resume", name="Ana"), 2, "resume.none")


@pytest.mark.parametrize(
    "arguments",
    [
        ["host", "--resume", "--seats", "3"],
        ["host", "--resume", "--pin", "1"],
        ["host", "--resume", "x", "--table", "y"],
        ["bot", "--resume", "--name", "x"],
    ],
)
def test_what_was_agreed_on_is_not_said_anew(table: WorkingFolder, arguments: list[str]) -> None:
    said = refused(again(table, *arguments, name="Ana"), 2, "resume.options")
    assert "tables" not in said


def interrupted(room: WorkingFolder, *names: str) -> list[Path]:
    """Create interrupted tables of Ana, and return their transcripts."""
    for name in names:
        host = room.run(
            *("host", "--table", name, "--name", "Ana", "--seats", "2", "--adapter", "127.0.0.1"),
            name="Ana",
        )
        bot = room.bot("--table", name, name=f"Beto {name[-1]}")
        in_the_middle(host, bot)
        kill(host, bot)
    return sorted((room.folder / "Ana" / "games").glob("*.lanuno"))


def test_several_were_interrupted(table: WorkingFolder) -> None:
    first, second = f"{table.table} A", f"{table.table} B"
    journals = interrupted(table, first, second)
    said = again(table, "host", "--resume", name="Ana").end(2)
    assert said.json["error"]["id"] == "resume.which"
    assert [each["name"] for each in said.json["tables"]] == [second, first]
    assert said.json["tables"][0]["players"] == ["Ana", "Beto B"]
    assert first in said.err
    assert "Ana, Beto A" in said.err
    said = again(table, "bot", "--resume", "nowhere", name="Ana").end(2)
    assert said.json["error"]["id"] == "resume.unknown"
    assert len(said.json["tables"]) == 2
    journals[0].write_bytes(b"x" + journals[0].read_bytes())
    refused(again(table, "bot", "--resume", "nowhere", name="Ana"), 6, "store.foreign")
    # With one damaged table, the only table that can be resumed is chosen.
    back = again(table, "bot", "--resume", name="Ana")
    back.heard(str(journals[0]))
    back.heard("returning to the table")
    kill(back)


def test_a_journal_that_is_damaged_is_told_and_kept(table: WorkingFolder) -> None:
    (path,) = interrupted(table, table.table)
    whole = path.read_bytes()
    middle = len(whole) // 2
    bad = whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]
    path.write_bytes(bad)
    said = refused(again(table, "host", "--resume", name="Ana"), 6, "store.damaged")
    assert said["error"]["path"] == str(path)
    assert path.read_bytes() == bad
    path.write_bytes(whole)
    # Another player's journal under the same name does not belong to this profile.
    stranger = table.folder / "Eve" / "games"
    stranger.mkdir(parents=True, mode=0o700)
    shutil.copy(path, stranger / path.name)
    refused(again(table, "bot", "--resume", name="Eve"), 2, "resume.none")
    assert (stranger / path.name).read_bytes() == whole
