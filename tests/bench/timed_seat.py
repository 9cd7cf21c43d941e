"""One seat of a real table that plays slowly and notes when its state had which action.

This module holds the host and the guests of `move.py`, with real channels and files, in any
process; `python -m tests.bench.timed_seat` runs one of them in a separate process. A seat looks at
its cards only after a quiet period, so that the measured time is that of the table and not of a
player. Times come from `perf_counter`, which all processes of a computer share.
"""

from __future__ import annotations

import asyncio
import json
import ssl
import sys
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from time import perf_counter

from lanuno.bots.sensible import SensiblePlayer
from lanuno.dealing.identity import Identity
from lanuno.log.round.events import ActionTaken
from lanuno.net.runtime.config import OwnSeat, PlayedSeat, RuntimeConfig
from lanuno.net.runtime.lobby_guest import LobbyGuest
from lanuno.net.runtime.lobby_host import LobbyHost
from lanuno.net.runtime.node_runtime import NodeRuntime
from lanuno.net.transport.connect import connect
from lanuno.net.transport.listener import listen
from lanuno.net.transport.tls import client_context
from lanuno.rules.cards import Rank
from lanuno.rules.decks import deck_tables
from lanuno.rules.engine.actions import Action, Play
from lanuno.rules.ruleset import Ruleset
from lanuno.store.paths import Home
from lanuno.store.table_records import TableRecords
from lanuno.table.lobby.host import TableOffer
from lanuno.table.lobby.peer import Seating

SEATS = 4
ROUNDS = 2
LOBBY = b"lobby of a bench"
QUIET = 0.015
"""Seconds without news before a seat moves: acknowledgements and keys have arrived by then."""

ECHOED = 400
"""Bytes of the bare message: an action is about 260 bytes to the host, and 460 from the host."""

PATIENCE = 120.0
"""Time limit in seconds for a whole table; no table takes a tenth of it."""

Echo = Callable[[], Awaitable[None]]


@dataclass(slots=True)
class Times:
    """The times that one seat noted. Actions are numbered in the order of the log."""

    seen: list[float] = field(default_factory=list)
    """For every action: when it was in this seat's state."""

    plays: dict[int, float] = field(default_factory=dict)
    """For this seat's plays after which no card is drawn: when they were submitted."""

    echoes: list[float] = field(default_factory=list)
    """Seconds of a bare echo, one before each of this seat's plays, after an equal quiet period."""


class Stopwatch:
    """Observes one seat, moves for it, and times both."""

    def __init__(self, number: int, echo: Echo | None) -> None:
        """`echo`: sends a bare message and returns when it is back."""
        self.times = Times()
        self.runtime: Callable[[], NodeRuntime | None] = lambda: None
        self._echo = echo
        self._player = SensiblePlayer(Random(number))
        self._timer: asyncio.TimerHandle | None = None
        self._echoing: asyncio.Task[None] | None = None
        self._echoed = -1

    def observe(self, event: object) -> None:
        """Receive an event of the seat."""
        if isinstance(event, ActionTaken):
            self.times.seen.append(perf_counter())
        self._wait()

    def _wait(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(QUIET, self._move)

    def _move(self) -> None:
        runtime = self.runtime()
        if runtime is None or not runtime.seat_session.to_move:
            return
        session = runtime.seat_session
        number = len(self.times.seen)
        if self._echo is not None and self._echoed != number:
            self._echoed = number
            self._echoing = asyncio.get_running_loop().create_task(self._time_echo(self._echo))
            return
        seen = session.view()
        action = None if seen is None else self._player.choose(seen)
        if action is None:
            return
        begin = perf_counter()
        runtime.act(action)
        if draws_nothing(action):
            self.times.plays[number] = begin

    async def _time_echo(self, echo: Echo) -> None:
        begin = perf_counter()
        await echo()
        self.times.echoes.append(perf_counter() - begin)
        self._wait()


def draws_nothing(action: Action) -> bool:
    """Whether an action is a play after which no player draws or challenges."""
    return isinstance(action, Play) and deck_tables(108).faces[action.card].rank <= Rank.REVERSE


async def bare_echo(port: int) -> tuple[Echo, asyncio.StreamWriter]:
    """Connect to the echo server; the caller closes the writer at the end."""
    reader, writer = await asyncio.open_connection(
        "127.0.0.1", port, ssl=client_context(), server_hostname="lanuno"
    )
    message = bytes(ECHOED)

    async def echo() -> None:
        writer.write(message)
        await reader.readexactly(ECHOED)

    return echo, writer


async def serve_echo(context: ssl.SSLContext) -> asyncio.Server:
    """Start a bare TLS server on loopback that sends back what it receives."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                writer.write(await reader.readexactly(ECHOED))
        except asyncio.IncompleteReadError:
            writer.close()

    return await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)


async def host(folder: Path, tell_port: Callable[[int], None]) -> Times:
    """Host the table and play its first seat."""
    watch = Stopwatch(0, None)
    identity = Identity.from_seed(bytes([0]) * 32)
    offer = TableOffer(LOBBY, "bench", Ruleset(), SEATS, identity.public, rounds=ROUNDS)
    home = _home(folder, 0)
    config = RuntimeConfig(seats=(), records=TableRecords(home), entropy=Random(0).randbytes)
    table = LobbyHost(offer, [OwnSeat(identity, "player0", None)], config, watch.observe)
    watch.runtime = lambda: table.runtime
    try:
        table.listener = await listen(identity, LOBBY, table.serve, hosts=["127.0.0.1"], port=0)
        table.begin()
        tell_port(table.listener.port)
        async with asyncio.timeout(PATIENCE):
            await table.wait()
    finally:
        await table.close()
    return watch.times


async def guest(folder: Path, number: int, port: int, echo_port: int) -> Times:
    """Join as a guest and play."""
    echo, writer = await bare_echo(echo_port)
    watch = Stopwatch(number, echo)
    identity = Identity.from_seed(bytes([number]) * 32)
    channel = await connect(["127.0.0.1"], port, identity)
    config = RuntimeConfig(
        seats=(PlayedSeat(identity, None),),
        records=TableRecords(_home(folder, number)),
        entropy=Random(number).randbytes,
    )
    seating = Seating(name=f"player{number}", lobby=channel.context, host=channel.identity)
    peer = LobbyGuest(channel, identity, seating, config, watch.observe)
    watch.runtime = lambda: peer.runtime
    try:
        async with asyncio.timeout(PATIENCE):
            await peer.run()
    finally:
        writer.close()
    return watch.times


def _home(folder: Path, number: int) -> Home:
    home = Home.at(folder / str(number))
    home.create()
    return home


def main() -> None:
    """`FOLDER NUMBER [PORT ECHO_PORT]`: run the host (which first prints its port) or a guest."""
    folder, number, *ports = sys.argv[1:]
    if ports:
        times = asyncio.run(guest(Path(folder), int(number), *map(int, ports)))
    else:
        times = asyncio.run(host(Path(folder), lambda port: print(port, flush=True)))
    print(json.dumps(asdict(times)))


if __name__ == "__main__":
    main()
