"""Whole tables in one event loop, over real TLS on loopback, with records in memory.

`running.run` fails if anything that a table starts is left.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any, cast

from lanuno.bots.player import Player
from lanuno.bots.sensible import SensiblePlayer
from lanuno.dealing.identity import Identity
from lanuno.log.audit.audit import Report, audit
from lanuno.log.format.bodies import SignedBody
from lanuno.log.format.entries import Entry
from lanuno.log.format.genesis import Genesis
from lanuno.log.format.transcript import Transcript
from lanuno.net.discovery.network_context import NetworkContext
from lanuno.net.runtime.config import OwnSeat, PlayedSeat, RuntimeConfig
from lanuno.net.runtime.endings import RuntimeEvent, TableEnding
from lanuno.net.runtime.lobby_guest import LobbyGuest
from lanuno.net.runtime.lobby_host import LobbyHost
from lanuno.net.transport.channel import Channel
from lanuno.net.transport.connect import connect
from lanuno.net.transport.listener import listen
from lanuno.rules.ruleset import Ruleset
from lanuno.store.tournament_records import TournamentFiles
from lanuno.table.lobby.host import TableOffer
from lanuno.table.lobby.peer import Seating
from lanuno.table.messages import AtTable, from_host, to_bytes
from lanuno.table.metadata import TableMetadata
from tests.harness.sockets.running import until

SHORT = Ruleset(hand_size=2, grace_first_s=0, grace_total_s=1)
"""Rounds end soon, and a lost player is dropped immediately."""

LOBBY = b"lobby of a test!"


class DiskFull(Exception):
    """The error of a test's records."""


@dataclass
class Memory:
    """Records in memory."""

    fails_at: Callable[[str, int], bool] = lambda kind, number: False
    """Whether record `number` of a kind ("entry", "secret", "body") cannot be stored."""

    genesis: Genesis | None = None
    entries: list[Entry] = field(default_factory=list)
    aside: list[Entry] = field(default_factory=list)
    """Entries that were truncated."""
    counts: dict[str, int] = field(default_factory=dict)
    closed: int = 0

    def begin(self, genesis: Genesis) -> None:
        self._keep("begin")
        self.genesis = genesis

    def entry(self, entry: Entry) -> None:
        self._keep("entry")
        self.entries.append(entry)

    def sync(self) -> None:
        assert self.genesis is not None

    def flush(self) -> None: ...

    def needs_flush(self, seat: int, counter: int) -> bool:
        return False

    def truncate(self, count: int) -> None:
        self.aside += self.entries[count:]
        del self.entries[count:]

    def secret(self, seat: int, opened: bytes, label: str, secret: bytes) -> None:
        self._keep("secret")

    def body(self, seat: int, counter: int, signed: SignedBody) -> None:
        self._keep("body")

    def stand_in(self, seat: int, seed: bytes) -> None:
        self._keep("bot")

    def vote(self, term: int, data: bytes) -> None:
        self._keep("vote")

    def release(self, seat: int, counter: int, count: int, head: bytes) -> None:
        self._keep("release")

    def other_log(self, count: int, entries: tuple[Entry, ...]) -> None:
        self.aside += entries

    def close(self) -> None:
        self.closed += 1

    def _keep(self, kind: str) -> None:
        assert not self.closed
        number = self.counts.get(kind, 0)
        if self.fails_at(kind, number):
            raise DiskFull(kind, number)
        self.counts[kind] = number + 1

    @property
    def report(self) -> Report:
        assert self.genesis is not None
        return audit(Transcript(self.genesis, tuple(self.entries), torn=False))


def discarded_tournament() -> TournamentFiles:
    """Return the files of a tournament, in memory alone."""
    return cast("TournamentFiles", _DiscardedTournament())


class _DiscardedTournament:
    def played(self, *, resumed: bool = False) -> Memory:
        assert not resumed
        return Memory()

    def watched(self) -> Memory:
        return Memory()

    def save_metadata(self, table: bytes, metadata: TableMetadata) -> None: ...

    def end(self) -> None: ...


def failing(kind: str, number: int) -> Callable[[str, int], bool]:
    """Fails at one record of one kind."""
    return lambda now, count: (now, count) == (kind, number)


def identity(number: int) -> Identity:
    return Identity.from_seed(bytes([number]) * 32)


def player(number: int) -> SensiblePlayer:
    """A player that decides alone, and in the same way in every run."""
    return SensiblePlayer(Random(number))


def runtime_config(
    records: Memory,
    number: int,
    *,
    watch: bool = False,
    network: NetworkContext | None = None,
) -> RuntimeConfig:
    """Return the configuration of a node whose bot plays no faster than a host accepts.

    With `network` the node has its own listener, and connects to the others.
    """
    return RuntimeConfig(
        seats=() if watch else (PlayedSeat(identity(number), player(number)),),
        records=records,
        entropy=Random(number).randbytes,
        network=network,
    )


@dataclass
class Table:
    """A host whose listener is open, and its guests."""

    host: LobbyHost
    host_records: Memory
    port: int
    events: list[object]
    network: NetworkContext | None = None
    peers: list[LobbyGuest] = field(default_factory=list)
    records: list[Memory] = field(default_factory=list)
    heard: list[list[RuntimeEvent]] = field(default_factory=list)
    """What each peer's observer received."""

    async def channel(self, number: int) -> Channel:
        return await connect(["127.0.0.1"], self.port, identity(number))

    async def peer(self, number: int, records: Memory | None = None, **more: Any) -> LobbyGuest:
        """Return a connected guest that takes a seat (or watches) once it runs."""
        kept = Memory() if records is None else records
        channel = await self.channel(number)
        seating = Seating(name=f"guest {number}", lobby=LOBBY, host=channel.identity)
        watch, network = more.get("watch", False), self.network
        mine = runtime_config(kept, number, watch=watch, network=network)
        heard: list[RuntimeEvent] = []
        peer = LobbyGuest(channel, identity(number), seating, mine, heard.append, **more)
        self.peers.append(peer)
        self.heard.append(heard)
        self.records.append(kept)
        return peer

    async def sit_down(self, *guests: LobbyGuest) -> list[asyncio.Task[TableEnding]]:
        """Start the guests in turn, so that their seats are in this order."""
        return [await self._sit_down(guest) for guest in guests]

    async def play(self, *guests: int) -> list[TableEnding]:
        """Seat guests, and play to the end."""
        running = [asyncio.create_task((await self.peer(number)).run()) for number in guests]
        await self.host.wait()
        await self.host.close()
        return list(await asyncio.gather(*running))

    async def _sit_down(self, guest: LobbyGuest) -> asyncio.Task[TableEnding]:
        before = self.host.lobby.taken
        running = asyncio.create_task(guest.run())
        await until(lambda: self.host.lobby.taken > before)
        return running


@asynccontextmanager
async def table(
    seats: int,
    *,
    host_records: Memory | None = None,
    bots: int = 0,
    name: str = "host",
    pin: str = "",
    rounds: int | None = 1,
    observe: Callable[[object], None] | None = None,
    ruleset: Ruleset = SHORT,
    who: int = 0,
    network: NetworkContext | None = None,
    decides: Player | None = None,
) -> AsyncIterator[Table]:
    """Open a table and close it at the end; `who` is the host, `decides` plays its seat."""
    mine = [OwnSeat(identity(who), name, decides or player(0))]
    mine += [
        OwnSeat(identity(200 + number), f"bot {number}", player(number), bot=True)
        for number in range(1, bots + 1)
    ]
    offer = TableOffer(
        LOBBY,
        "table",
        ruleset,
        seats,
        identity(who).public,
        pin,
        rounds=rounds,
        bots=frozenset(each.identity.public for each in mine[1:]),
    )
    records = Memory() if host_records is None else host_records
    events: list[object] = []
    own = runtime_config(records, 0, network=network)
    host = LobbyHost(offer, mine, own, observe or events.append)
    host.listener = await listen(identity(who), LOBBY, host.serve, hosts=("127.0.0.1",), port=0)
    try:
        host.begin()
        yield Table(host, records, host.listener.port, events, network)
    finally:
        await host.close()


async def say(channel: Channel, message: AtTable) -> None:
    channel.send(to_bytes(message))


async def hear(channel: Channel, kind: type[AtTable]) -> AtTable:
    """Return the next message of a kind."""
    async for data in channel:
        message = from_host(data)
        if isinstance(message, kind):
            return message
    raise AssertionError(f"no {kind.__name__} before the end: {channel.end!r}")


async def until_end(channel: Channel) -> None:
    """Read messages until the connection ends."""
    async for _ in channel:
        await asyncio.sleep(0)
