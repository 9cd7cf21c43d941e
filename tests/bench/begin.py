"""Flushes in a row from Begin to the first cards: until all seats can read their hands.

The tables consist of real parts (TLS channels, journals on disk), and every seat runs in a separate
process. On the slow disk each fsync of every process takes `SLOW_DISK` longer. No seat waits for a
person, and nothing is shown. `python -m tests.bench.begin` runs one of the seats.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, cast

from lanuno.dealing.identity import Identity
from lanuno.net.runtime.config import OwnSeat, PlayedSeat, RuntimeConfig
from lanuno.net.runtime.lobby_guest import LobbyGuest
from lanuno.net.runtime.lobby_host import LobbyHost
from lanuno.net.runtime.node_runtime import NodeRuntime
from lanuno.net.transport.connect import connect
from lanuno.net.transport.listener import listen
from lanuno.rules.ruleset import Ruleset
from lanuno.store.paths import Home
from lanuno.store.table_metadata import save_metadata
from lanuno.store.table_records import TableRecords
from lanuno.table.lobby.host import TableOffer
from lanuno.table.lobby.peer import Seating
from lanuno.table.messages import LobbyPhase
from tests.bench.children import environment
from tests.bench.row import Row

LOBBY = b"lobby of a bench"
SLOW_DISK = 0.040
"""Seconds that an fsync of a slow disk takes."""

IN_A_ROW = {2: 28, 4: 24, 10: 24}
"""By seats: how many times longer than one fsync the slow disk may delay the first cards. With two
seats, the host sends an entry only when it is on its own disk."""

REPEATS = 3
PATIENCE = 120.0
POLL = 0.05
"""Seconds between two attempts to begin."""


def run() -> list[Row]:
    """Measure tables of 2, 4 and 10 seats with both disks in turn; the medians count.

    Times differ from computer to computer, so the promise is the number of flushes in a row: what
    the slow disk adds, as a multiple of one fsync.
    """
    rows = []
    for seats, budget in IN_A_ROW.items():
        usual, slow = [], []
        for _ in range(REPEATS):
            usual.append(asyncio.run(begun(seats, 0.0)))
            slow.append(asyncio.run(begun(seats, SLOW_DISK)))
        added = (median(slow) - median(usual)) / SLOW_DISK
        note = f"{_ms(slow)} ms with {SLOW_DISK * 1e3:.0f} ms an fsync, else {_ms(usual)} ms"
        rows.append(
            Row(f"flushes in a row, Begin to first cards, {seats} seats", added, budget, note)
        )
    return rows


def _ms(took: list[float]) -> str:
    return "/".join(f"{each * 1e3:.0f}" for each in took)


async def begun(seats: int, delay: float) -> float:
    """Play one table up to its first cards; return the seconds since Begin."""
    with tempfile.TemporaryDirectory(prefix="lanuno-bench-") as folder:
        programs = [await _start(folder, 0, seats, delay)]
        try:
            first = programs[0].stdout
            assert first is not None
            port = int(await first.readline())
            guests = range(1, seats)
            programs += [await _start(folder, each, seats, delay, port) for each in guests]
            async with asyncio.timeout(PATIENCE):
                began = float(await first.readline())
                there = [float(await each.stdout.readline()) for each in programs if each.stdout]
        finally:
            for each in programs:
                if each.returncode is None:
                    each.kill()
                    await each.wait()
    return max(there) - began


async def _start(folder: str, *arguments: float) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.bench.begin",
        folder,
        *map(str, arguments),
        env=environment(),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
    )


class FirstHand:
    """Prints when its seat can read its first hand."""

    def __init__(self) -> None:
        self.runtime: Callable[[], NodeRuntime | None] = lambda: None
        self.seen = False

    def observe(self, _event: object) -> None:
        """Look at the seat's view after an event."""
        runtime = self.runtime()
        view = None if runtime is None or self.seen else runtime.seat_session.view()
        if view is not None and view.hand and len(view.hand) == view.ruleset.hand_size:
            self.seen = True
            print(perf_counter(), flush=True)


async def host(home: Home, seats: int) -> None:
    """Host the table; print the port, and the time of Begin."""
    first = FirstHand()
    me = Identity.from_seed(os.urandom(32))
    offer = TableOffer(LOBBY, "bench", Ruleset(), seats, me.public, start_when_full=False)
    config = RuntimeConfig(
        seats=(),
        records=TableRecords(home),
        entropy=os.urandom,
        save_metadata=lambda table, metadata: save_metadata(home, table, metadata),
    )
    table = LobbyHost(offer, [OwnSeat(me, "player0", None)], config, first.observe)
    first.runtime = lambda: table.runtime
    table.listener = await listen(me, LOBBY, table.serve, hosts=["127.0.0.1"], port=0)
    table.begin()
    print(table.listener.port, flush=True)
    clicked = perf_counter()
    while table.lobby.phase is LobbyPhase.OPEN:
        await asyncio.sleep(POLL)
        clicked = perf_counter()
        if table.lobby.taken == seats:
            table.start()  # does nothing until all of them are ready
    print(clicked, flush=True)
    await table.wait()


async def guest(home: Home, number: int, port: int) -> None:
    """Take a seat at the table."""
    first = FirstHand()
    me = Identity.from_seed(os.urandom(32))
    channel = await connect(["127.0.0.1"], port, me)
    config = RuntimeConfig(
        seats=(PlayedSeat(me, None),),
        records=TableRecords(home),
        entropy=os.urandom,
        save_metadata=lambda table, metadata: save_metadata(home, table, metadata),
    )
    seating = Seating(name=f"player{number}", lobby=channel.context, host=channel.identity)
    peer = LobbyGuest(channel, me, seating, config, first.observe)
    first.runtime = lambda: peer.runtime
    await peer.run()


def main() -> None:
    """`FOLDER NUMBER SEATS DELAY [PORT]`: run the host (which first prints its port) or a guest."""
    folder, number, seats, delay, *port = sys.argv[1:]
    real = os.fsync

    def slow(file: int) -> None:
        time.sleep(float(delay))
        real(file)

    os.fsync = cast("Any", slow)
    home = Home.at(Path(folder) / number)
    home.create()
    if port:
        asyncio.run(guest(home, int(number), int(port[0])))
    else:
        asyncio.run(host(home, int(seats)))


if __name__ == "__main__":
    main()
