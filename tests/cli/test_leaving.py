"""Programs that are interrupted, killed or cut off: all others end soon and report why.

No player is blamed for being cut off, and everything played so far can be verified.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from collections.abc import Callable

import pytest

from lanuno.net.discovery.mdns_browse import Browser, browse
from lanuno.system.processes import KILLED
from tests.cli.host_crash import crash_host
from tests.cli.matches import SOON, in_the_middle, played_on, run
from tests.harness.processes.programs import WAIT_SECONDS, WorkingFolder
from tests.harness.sockets.changes import TableFound, TableGone, changes
from tests.harness.systems import needs_signals, not_on_windows

BOTS_ONLY_PACE = 8.0
"""Seconds that an end without a wait for another player may take; a wait would take longer."""

GONE = 20.0
"""Seconds after which a closed table must no longer be listed; usually it vanishes immediately."""


async def until_listed(browser: Browser, table: str) -> None:
    async for change in changes(browser):
        if isinstance(change, TableFound) and change.advert.name == table:
            return


async def until_gone(browser: Browser, table: str) -> None:
    async for change in changes(browser):
        if isinstance(change, TableGone) and change.advert.name == table:
            return


def watched(room: WorkingFolder, story: Callable[[], None]) -> None:
    """Run the story while a browser watches: it sees the table, and then the table's goodbye.

    Without a goodbye it would list the table for another minute.
    """

    async def look() -> None:
        async with asyncio.timeout(WAIT_SECONDS), await browse(adapter="127.0.0.1") as browser:
            await until_listed(browser, room.table)
            await asyncio.to_thread(story)
            async with asyncio.timeout(GONE):
                await until_gone(browser, room.table)

    run(look())


def nobody_is_blamed(room: WorkingFolder, *names: str) -> None:
    for report in room.verify(*names):
        assert (report["verdict"], report["blame"]) == ("incomplete", [])


@needs_signals
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_the_host_goes_before_the_game(table: WorkingFolder, how: signal.Signals) -> None:
    host = table.host("--seats", "3", "--json")
    host.heard("is open on port")
    bot = table.bot("--json", name="Beto")
    host.heard("seats 2/3")

    def go() -> None:
        host.process.send_signal(how)
        assert host.end(130, SOON).json["error"]["id"] == "error.interrupted"

    watched(table, go)
    said = bot.end(5, SOON).json
    assert said["error"]["id"] == "lobby.host_left"
    assert "verdict" not in said


def test_a_bot_goes_before_the_game(table: WorkingFolder) -> None:
    host = table.host("--seats", "3")
    host.heard("is open on port")
    bot = table.bot(name="Beto")
    host.heard("seats 2/3")
    bot.interrupt()
    bot.end(130, SOON)
    host.heard("seats 1/3")
    host.interrupt()
    host.end(130, SOON)


def test_a_bot_that_looks_for_a_table_is_interrupted(table: WorkingFolder) -> None:
    bot = table.bot("--json", name="Beto")
    bot.heard("looking for")
    bot.interrupt()
    assert bot.end(130, SOON).json["error"]["id"] == "error.interrupted"


def test_the_host_of_two_goes_in_the_middle(table: WorkingFolder) -> None:
    host = table.host("--seats", "2")
    bot = table.bot("--json", name="Beto")

    def go() -> None:
        in_the_middle(host)
        host.interrupt()
        assert "Ana is gone and forfeits the match: Beto wins it" in host.end(0, SOON).out

    watched(table, go)
    said = bot.end(0, SOON).json
    assert (said["verdict"], said["winner"]) == ("verified", "Beto")
    assert "error" not in said
    played_on(table, "Ana", "Beto")


@needs_signals
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_the_host_of_three_goes_in_the_middle(table: WorkingFolder, how: signal.Signals) -> None:
    """The host hands over, so the other players continue without waiting."""
    host = table.host("--seats", "3", "--set", "target=20")
    bots = [table.bot("--json", name="Beto"), table.bot("--json", name="Carla")]
    in_the_middle(host)
    host.process.send_signal(how)
    host.end(130, SOON)
    for bot in bots:
        said = bot.end(0).json
        assert said["verdict"] == "verified"
        notices = [each["id"] for each in said["notices"]]
        assert notices.count("table.new_host") == 1
        assert "table.dropped" in notices
    played_on(table, "Beto", "Carla")
    nobody_is_blamed(table, "Ana")


def test_a_bot_goes_in_the_middle(table: WorkingFolder) -> None:
    host = table.host("--seats", "3", "--rounds", "1", "--json")
    leaver, other = table.bot(name="Beto"), table.bot(name="Carla")
    in_the_middle(leaver, other)
    leaver.interrupt()
    leaver.end(130, SOON)
    assert host.end(0).json["verdict"] == "verified"
    assert "Beto is gone" in other.end(0).out
    played_on(table, "Ana", "Carla")
    nobody_is_blamed(table, "Beto")


@not_on_windows("a test cannot make a terminal")
@pytest.mark.parametrize("who", ["Ana", "Beto"])
def test_a_terminal_is_closed(table: WorkingFolder, who: str) -> None:
    """The player leaves as with Ctrl-C, although the closed output can show nothing."""
    window, terminal = os.openpty()
    place = {who: terminal}
    host = table.host("--seats", "3", "--rounds", "1", terminal=place.get("Ana"))
    bot = table.bot(name="Beto", terminal=place.get("Beto"))
    other = table.bot(name="Carla")
    os.close(terminal)
    in_the_middle(other)
    os.close(window)
    {"Ana": host, "Beto": bot}[who].end(130, SOON)
    stays = "Beto" if who == "Ana" else "Ana"
    for each in (other, {"Ana": host, "Beto": bot}[stays]):
        assert f"{who} is gone" in each.end(0, SOON).out
    played_on(table, stays, "Carla")
    nobody_is_blamed(table, who)


def test_a_bot_is_killed(table: WorkingFolder) -> None:
    host = table.host("--seats", "3", "--rounds", "1", "--set", "grace_first_s=1")
    killed, other = table.bot(name="Beto"), table.bot("--json", name="Carla")
    in_the_middle(host, killed)
    killed.process.kill()
    killed.end(KILLED)
    host.heard("waiting for Beto", "1 s")
    assert "Beto is gone" in host.end(0).out
    assert other.end(0).json["verdict"] == "verified"
    played_on(table, "Ana", "Carla")
    nobody_is_blamed(table, "Beto")


@pytest.mark.parametrize(("seats", "moment"), [(3, "score"), (4, "deal")])
def test_the_host_is_killed(table: WorkingFolder, seats: int, moment: str) -> None:
    """The others elect a new host and continue; `host_crash.py` tries other sizes of table."""
    assert crash_host(table, seats, moment, "--set", "hand_size=3").void == ()


@needs_signals
def test_two_interruptions_do_not_wait(table: WorkingFolder) -> None:
    host = table.host("--seats", "2", "--set", "grace_first_s=6", "--set", "grace_total_s=6")
    bot = table.bot("--json", name="Beto")
    in_the_middle(host)
    # The bot is stopped but not gone, so a host that leaves cleanly waits for it for some time.
    bot.process.send_signal(signal.SIGSTOP)
    host.interrupt()
    host.heard("leaving the table")
    host.interrupt()
    host.end(130, BOTS_ONLY_PACE)
    bot.process.send_signal(signal.SIGCONT)
    bot.end(4)  # it searches for its host for longer than the table's grace time
    nobody_is_blamed(table, "Ana", "Beto")


@not_on_windows("a test cannot limit the files of a program")
@pytest.mark.parametrize("full", ["Ana", "Beto"])
def test_a_disk_that_fills_up(table: WorkingFolder, full: str) -> None:
    """With two players, the one who cannot continue forfeits, if the host is there to record it."""
    import resource

    waits = ["--set", "grace_first_s=1", "--set", "grace_total_s=2"]
    host = table.host("--seats", "2", "--json", *waits)
    bot = table.bot("--json", name="Beto")
    host.heard("seats 2/2")
    loser, other = (host, bot) if full == "Ana" else (bot, host)
    # Limit the files of this program to their size after the first shuffles.
    resource.prlimit(loser.process.pid, resource.RLIMIT_FSIZE, (40_000, 40_000))
    said = loser.end(6, SOON).json
    assert said["error"]["id"] == "store.not_writable"
    assert said["error"]["path"].endswith(".lanuno")
    if full == "Ana":
        assert other.end(4, SOON).json["error"]["id"] == "table.lost"
        nobody_is_blamed(table, "Ana", "Beto")
    else:
        assert other.end(0, SOON).json["winner"] == "Ana"
        played_on(table, "Ana")


@not_on_windows("it has no grep")
def test_the_host_ends_if_nobody_reads_its_output(table: WorkingFolder) -> None:
    """The host leaves as if it had been asked to."""
    command = ["grep", "--max-count=1", "--line-buffered", " plays "]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as reader:
        host = table.host("--seats", "3", "--rounds", "1", stdout=reader.stdin)
        bots = table.bot(name="Beto"), table.bot(name="Carla")
        out, _ = reader.communicate()
        assert b" plays " in out
    host.heard("leaving the table")
    host.end(130, SOON)
    for bot in bots:
        assert "Ana is gone" in bot.end(0, SOON).out
    played_on(table, "Beto", "Carla")
    nobody_is_blamed(table, "Ana")
