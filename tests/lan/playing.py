"""Whole games between two isolated computers, run as `python -m tests.lan.playing NAME`.

The commands are started as people start them, without network options. One computer hosts; the
other finds the table, takes a seat and plays. Both verify their logs.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Coroutine, Sequence
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from tests.harness.processes.programs import warnings_in
from tests.harness.sockets.running import run
from tests.lan.network import (
    HERE_ADAPTER,
    PEER_ADAPTER,
    PEER_ADDRESS,
    Program,
    lay_cable,
    on_peer,
    program,
    python,
    tool,
)

TABLE = "Over the cable"
COMMAND = python("lanuno.cli.main")
HOST = on_peer(*COMMAND)


def write(computer: Callable[..., tuple[str, ...]], setting: str, value: str) -> None:
    """Change a kernel setting on one of the computers."""
    tool(*computer("sh", "-c", f"echo {value} >/proc/sys/{setting}"))


def here(*command: str) -> tuple[str, ...]:
    """Return the command line that runs a command on this computer."""
    return command


def with_errors(*command: str) -> tuple[str, ...]:
    """Return the command line that also sends standard error to standard output."""
    return ("sh", "-c", 'exec "$@" 2>&1', "sh", *command)


async def said(running: Program) -> dict[str, Any]:
    """Return the JSON object that a program prints at its end, and check that it succeeded."""
    found: dict[str, Any] = json.loads(await running.line_with('"exit"'))
    assert found["exit"] == 0, found
    return found


async def a_game(
    folder: Path, host: Sequence[str] = HOST, player: Sequence[str] = COMMAND
) -> dict[str, Any]:
    """Host with one command on one computer, find and play with another on the other one.

    Return the table that was found. Both computers verify both logs.
    """
    homes = [str(folder / name) for name in ("host", "bot", "find", "verify")]
    host_command = (*host, "host", "--table", TABLE, "--name", "Ana", "--seats", "2")
    host_command += ("--rounds", "1", "--home", homes[0], "--json")
    async with program(*with_errors(*host_command)) as opened:
        await opened.line_with("is open on port")
        async with program(*player, "find", "--home", homes[2], "--json") as find:
            (found,) = (await said(find))["tables"]
        bot_command = (*player, "bot", "--table", TABLE, "--name", "Beto", "--home", homes[1])
        async with program(*bot_command, "--json") as bot:
            told = await said(bot)
        assert (await said(opened))["scores"] == told["scores"]
    assert (told["verdict"], told["players"], told["rounds"]) == ("verified", ["Ana", "Beto"], 1)
    files = [str(next((folder / name / "games").iterdir())) for name in ("host", "bot")]
    for command in {tuple(host), tuple(player)}:
        async with program(*command, "verify", *files, "--home", homes[3], "--json") as verify:
            assert [each["verdict"] for each in (await said(verify))["files"]] == ["verified"] * 2
    assert isinstance(found, dict)
    return found


async def over_ipv4(folder: Path) -> None:
    for computer, adapter in ((here, HERE_ADAPTER), (on_peer, PEER_ADAPTER)):
        write(computer, f"net/ipv6/conf/{adapter}/disable_ipv6", "1")
    found = await a_game(folder)
    assert (found["address"], found["confirmed"]) == (PEER_ADDRESS, True)


async def over_ipv6_link_local_only(folder: Path) -> None:
    tool("ip", "-4", "address", "flush", "dev", HERE_ADAPTER)
    tool("ip", "-n", "peer", "-4", "address", "flush", "dev", PEER_ADAPTER)
    found = await a_game(folder)
    assert ip_address(found["address"]).is_link_local
    assert ip_address(found["address"]).version == 6
    assert found["confirmed"]


GAMES: dict[str, Callable[[Path], Coroutine[object, object, None]]] = {
    game.__name__: game for game in (over_ipv4, over_ipv6_link_local_only)
}


def main(name: str) -> None:
    """Set up the cable, and play one game."""
    lay_cable()
    with tempfile.TemporaryDirectory() as folder:
        run(GAMES[name](Path(folder)))
        for log in Path(folder).glob("*/lanuno.log"):
            assert not warnings_in(log.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main(sys.argv[1])
