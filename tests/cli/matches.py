"""Helpers for tests of matches between programs, and the JSON fields that a command promises."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine

from tests.harness.processes.programs import Ended, Program, WorkingFolder

SOON = 30.0
"""Seconds that a clean end may take on a slow machine; on a usual one it takes one second. A
program that waits for a lost player takes a minute."""

PROMISED = [
    *(
        "attestations",
        "blame",
        "changed_settings",
        "clock",
        "clock_acts",
        "closed",
        "command",
        "copies",
        "decided",
    ),
    *("dropped", "entries", "exit", "expelled", "forfeited", "house_rules", "noted"),
    *("players", "preset"),
    *("reason", "rounds", "scores", "seconds", "table_id", "transcript", "verdict", "winner"),
]
"""The keys of a match in `--json`."""


def run(main: Coroutine[object, object, None]) -> None:
    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        runner.run(main)


def in_the_middle(host: Program, *bots: Program) -> None:
    """Wait until every program has seen a card played."""
    for each in (host, *bots):
        each.heard(" plays ")


def played_on(room: WorkingFolder, *names: str) -> None:
    """Assert that the remaining players have the whole match, and that it verifies."""
    for report in room.verify(*names):
        assert (report["verdict"], report["blame"]) == ("verified", [])


def link_of(line: str) -> str:
    """Return the link in a host's output line."""
    link = line.removeprefix("link: ")
    assert link.startswith("lanuno://127.0.0.1:")
    return link


def turned_away(program: Program, why: str) -> None:
    """Assert that the program was refused for this reason, by the host or on its own computer."""
    said = program.end(5).json
    assert said["error"]["id"] == why
    assert sorted(said) == ["command", "error", "exit"]


def all_go(*programs: Program) -> list[Ended]:
    """Let all programs leave simultaneously. The last one may win the match by that."""
    for each in programs:
        each.interrupt()
    ended = [each.end() for each in programs]
    assert {each.code for each in ended} <= {0, 130}
    return ended
