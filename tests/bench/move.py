"""Time of a move on loopback, from its submission until it is in the state of all four peers.

The tables consist of real parts (TLS channels, sequencer, sessions, journals on disk). The four
peers run in separate processes or all on one event loop. The comparison is a bare asyncio TLS echo
of a message of the same size. One echo precedes every move of a guest, after an equally long quiet
period, so that both meet the same load. Only plays after which no card is drawn count.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from lanuno.net.transport.tls import host_credentials
from tests.bench.children import environment
from tests.bench.row import Row
from tests.bench.timed_seat import SEATS, Times, guest, host, serve_echo

REPEATS = 3
BUDGET = 11.0
"""A move is signed by its author and by the host, and every peer checks and stores it; the echo is
only copied. Quiet runs give 9.7 to 10.5, and no part stands out in a profile."""


@dataclass(frozen=True, slots=True)
class Result:
    """The times of one table, in seconds."""

    move: float
    """Median of the guests' moves."""

    own: float
    """Median of the moves of the host's own seat."""

    echo: float
    """Median of the bare echoes."""

    moves: int
    """The number of guests' moves, each preceded by an echo."""


def run() -> list[Row]:
    """Measure both kinds of table alternately; the best run of each part counts.

    The promise is about peers in separate processes, as players are. On one event loop a move takes
    as long as all peers together, while the echo waits for no other peer.
    """
    found: dict[str, list[Result]] = {"processes": [], "one process": []}
    for _ in range(REPEATS):
        found["processes"].append(measured(apart))
        found["one process"].append(measured(together))
    rows = []
    for kind, results in found.items():
        move, own, echo = (
            min(getattr(each, part) for each in results) for part in ("move", "own", "echo")
        )
        each_run = ", ".join(f"{each.move / each.echo:.1f}" for each in results)
        note = (
            f"{move * 1e3:.2f} ms (the host's own {own * 1e3:.2f}), echo {echo * 1e3:.2f} ms, "
            f"{sum(each.moves for each in results)} moves; run by run {each_run}"
        )
        budget = BUDGET if kind == "processes" else None
        rows.append(Row(f"move, 4 peers, {kind}", move / echo, budget, note))
    return rows


def measured(table: Callable[[Path], Awaitable[Sequence[Times]]]) -> Result:
    """Play one table and combine the times of its seats."""

    async def played(folder: Path) -> Sequence[Times]:
        return await table(folder)

    with tempfile.TemporaryDirectory(prefix="lanuno-bench-") as folder:
        seats = asyncio.run(played(Path(folder)))
    assert len({len(seat.seen) for seat in seats}) == 1, "all seats saw the same log"
    first, *guests = [
        [max(each.seen[number] for each in seats) - begin for number, begin in seat.plays.items()]
        for seat in seats
    ]
    moves = [time for times in guests for time in times]
    echoes = [time for seat in seats for time in seat.echoes]
    return Result(median(moves), median(first), median(echoes), len(moves))


async def together(folder: Path) -> Sequence[Times]:
    """Play with all seats and the echo on one event loop."""
    server = await serve_echo(host_credentials().context)
    port: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    host_task = asyncio.create_task(host(folder, port.set_result))
    door, echo = await port, server.sockets[0].getsockname()[1]
    guests = [guest(folder, number, door, echo) for number in range(1, SEATS)]
    seats = await asyncio.gather(host_task, *guests)
    server.close()
    await server.wait_closed()
    return seats


async def apart(folder: Path) -> Sequence[Times]:
    """Play with each seat in a separate process; the echo server is in this one."""
    server = await serve_echo(host_credentials().context)
    echo = server.sockets[0].getsockname()[1]
    programs = [await _start(folder, 0)]
    try:
        first = programs[0].stdout
        assert first is not None
        port = int(await first.readline())
        programs += [await _start(folder, number, port, echo) for number in range(1, SEATS)]
        outputs = await asyncio.gather(*(each.communicate() for each in programs))
    finally:
        for each in programs:
            if each.returncode is None:
                each.kill()
                await each.wait()
    server.close()
    await server.wait_closed()
    return [_read(stdout) for stdout, _ in outputs]


async def _start(folder: Path, *arguments: int) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.bench.timed_seat",
        str(folder),
        *map(str, arguments),
        env=environment(),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
    )


def _read(stdout: bytes) -> Times:
    said = json.loads(stdout)
    plays = {int(number): begin for number, begin in said["plays"].items()}
    return Times(said["seen"], plays, said["echoes"])
