"""Network outages at tables of real programs with the default settings, and what they cost.

Each table has its own isolated network (`box.py` lists the requirements): computers on a switch,
one program on each, all cables plugged in. Once cards are played, the cables of all computers, of
the host alone or of all guests are pulled, and later put back. The result is then read from the
journals, which the programs keep writing: all players must still be playing.

By hand: `python -m tests.lan.outages` runs all 27 tables in about a quarter of an hour; see
`--help`. It prints the state of every player, and exits with 1 if a player is missing without need.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Final

from lanuno.log.format.bodies import Drop
from lanuno.log.format.transcript import Transcript, read
from tests.harness.log_table.replaying import replayed
from tests.harness.processes.programs import WAIT_SECONDS, Program
from tests.lan import box
from tests.lan.switch import Computers, Wiring, computers

NAMES: Final = ("Ana", "Beto", "Carla", "Dora", "Eva")
OWNERS: Final = (2, 3, 5)
SECONDS: Final = (30, 66, 200)
CUTS: Final = ("all", "host", "guests")
THINKS: Final = "4"
"""Seconds that every bot thinks, so that no match ends before its outage does."""

THERE: Final = "there"
AGAIN: Final = "dropped, and there again"

SETTLED: Final = 45.0
"""Seconds from the end of an outage to the first check."""


@dataclass(frozen=True)
class Table:
    """One combination of players, outage and cut cables."""

    owners: int
    seconds: int
    cut: str

    @property
    def names(self) -> tuple[str, ...]:
        """The players; the first of them is the host."""
        return NAMES[: self.owners]

    @property
    def out(self) -> tuple[str, ...]:
        """The players whose cables are pulled."""
        return {"all": self.names, "host": self.names[:1], "guests": self.names[1:]}[self.cut]

    @property
    def may_be_dropped(self) -> tuple[str, ...]:
        """The players whom a majority misses for longer than the grace time."""
        others_go_on = self.cut == "host" and self.owners > 2
        return self.names[:1] if others_go_on and self.seconds >= 60 else ()

    def __str__(self) -> str:
        return f"{self.owners} owners, {self.seconds:3} s, {self.cut:6}"


def _seated(here: Computers, table: Table) -> dict[str, Program]:
    host, *guests = table.names
    usual = ("--lang", "en")

    def start(name: str, *command: str) -> Program:
        home = ("--home", str(here.folder / name), *usual)
        return here.module(name, "tests.lan.slow_bot", THINKS, *command, "--name", name, *home)

    length = ("--seats", str(table.owners), "--set", "target=9999")
    players = {host: start(host, "host", "--table", here.table, *length)}
    players[host].heard("is open on port")
    link = players[host].heard("lanuno://").split()[-1]
    players |= {name: start(name, "bot", link) for name in guests}
    for each in players.values():
        each.heard(" plays ")
    return players


def _logs(here: Computers, table: Table) -> dict[str, Transcript]:
    """Return the log that each player holds."""
    return {name: read(here.transcript(name).read_bytes()) for name in table.names}


def _ever_dropped(log: Transcript) -> set[int]:
    """Return the seats that the log drops, whether or not they returned."""
    said = (entry.read().signed_body.read().payload for entry in log.entries)
    return {payload.seat for payload in said if isinstance(payload, Drop)}


def _outage(here: Computers, table: Table, players: dict[str, Program]) -> dict[str, str]:
    """Cause an outage, and wait; return the state of each player after it."""
    for name in table.out:
        here.wiring.pull(name)
    time.sleep(table.seconds)
    before = max(len(log.entries) for log in _logs(here, table).values())
    for name in table.out:
        here.wiring.put_back(name)
    until = time.monotonic() + WAIT_SECONDS
    time.sleep(SETTLED)
    while True:
        logs = _logs(here, table)
        longest = max(logs.values(), key=lambda log: len(log.entries))
        gone = {
            table.names[seat]: why.name
            for seat, why in replayed(longest.genesis, longest.entries).dropped.items()
        }
        once = {table.names[seat] for seat in _ever_dropped(longest)}
        behind = {name for name, log in logs.items() if len(log.entries) <= before}
        if behind <= gone.keys() or time.monotonic() > until:
            break
        time.sleep(1.0)
    where = {}
    for name in table.names:
        where[name] = f"dropped ({gone[name]})" if name in gone else THERE
        where[name] = AGAIN if name in once and name not in gone else where[name]
        where[name] += ", hears of nothing" if name in behind and name not in gone else ""
        ended = players[name].process.poll()
        where[name] += "" if ended is None else f", ended with {ended}"
    return where


def play(table: Table) -> bool:
    """Run one table here, and print each player's state. Return whether all are as expected."""
    with tempfile.TemporaryDirectory(prefix="lanuno-outage-") as folder:
        homes = Path(folder, "homes")
        homes.mkdir()
        with computers(homes, Wiring(*table.names)) as here:
            where = _outage(here, table, _seated(here, table))
    told = "; ".join(f"{name} {what}" for name, what in where.items())
    sys.stdout.write(f"{table}: {told}\n")
    fine = {
        name: {THERE, AGAIN, "dropped (LOST)"} if name in table.may_be_dropped else {THERE}
        for name in table.names
    }
    return all(what in fine[name] for name, what in where.items())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the selected tables, several at a time."""
    parser = argparse.ArgumentParser(prog="python -m tests.lan.outages", description=__doc__)
    parser.add_argument("--owners", type=int, nargs="*", default=OWNERS, choices=OWNERS)
    parser.add_argument("--seconds", type=int, nargs="*", default=SECONDS, choices=SECONDS)
    parser.add_argument("--cuts", nargs="*", default=CUTS, choices=CUTS)
    parser.add_argument("--jobs", type=int, default=9, help="tables at a time")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args(arguments)
    found = sorted(product(asked.seconds, asked.cuts, asked.owners), reverse=True)
    tables = [Table(owners, seconds, cut) for seconds, cut, owners in found]
    if asked.here:
        return 0 if all(map(play, tables)) else 1
    if reason := box.why_not():
        sys.stdout.write(f"{reason}\n")
        return 1
    with ThreadPoolExecutor(asked.jobs) as jobs:
        return max(jobs.map(_boxed, tables))


def _boxed(table: Table) -> int:
    """Run a table on an isolated network."""
    one = ("--owners", str(table.owners), "--seconds", str(table.seconds), "--cuts", table.cut)
    command = box.box(sys.executable, "-m", "tests.lan.outages", "--here", *one)
    done = subprocess.run(command, cwd=box.ROOT, capture_output=True, text=True, check=False)
    word = "" if done.returncode == 0 else f"{table}: NOT AS IT SHOULD BE\n{done.stderr}"
    sys.stdout.write(f"{done.stdout}{word}")
    sys.stdout.flush()
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
