"""One player's way through a tournament: seven tables, found, hosted or joined, played, verified.

Whoever comes first in a table's order hosts it; the others find it by multicast DNS and know it by
the host's key and by the lobby id that follows from the tournament. The other table's log is
fetched from its host as anybody may who watches. Nobody is in charge: the logs decide what follows.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Final, Protocol

from lanuno.bots.autoplay import Player
from lanuno.dealing.identity import Identity, fingerprint
from lanuno.log.bodies import SignedBody
from lanuno.log.entries import Entry
from lanuno.log.genesis import Genesis
from lanuno.log.tournament import Tournament, TournamentTable
from lanuno.log.transcript import Transcript
from lanuno.net.browse import Browser, browse
from lanuno.net.channel import Channel
from lanuno.net.client import connect
from lanuno.net.endings import Observer
from lanuno.net.errors import Fault, NetError
from lanuno.net.member_driver import MemberDriver, PlayedSeat, Setup
from lanuno.net.records import Records
from lanuno.net.surroundings import Surroundings
from lanuno.net.table_host import OwnSeat, TableHost
from lanuno.net.table_peer import TablePeer
from lanuno.net.txt import TableAdvert, TableState
from lanuno.rules.tournament import PLAYERS, TABLES
from lanuno.table.lobby import TableOffer
from lanuno.table.lobby_peer import Entropy, Seating

PATIENCE: Final = 60.0
"""Seconds to wait for a table of the tournament to appear, and for others to fetch its log."""

RETRY: Final = 0.3
"""Seconds between two tries to reach a table that was announced."""

TABLE_NAMES: Final = ("R{rotation} A", "R{rotation} B")


class TournamentRecords(Protocol):
    """Makes what keeps the tables of a tournament on disk."""

    def played(self) -> Records:
        """For a table that this player plays at, or hosts: transcript and secrets."""

    def watched(self) -> Records:
        """For the log of the other table."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who plays a tournament, and how."""

    identity: Identity
    name: str
    player: Player | None
    """A program that decides; None for a person."""
    entropy: Entropy
    adapter: str | None = None
    pause: float = 0.0
    """Seconds between two rotations, for people who look at the result."""
    slow_clock: bool = False


@dataclass(frozen=True, slots=True)
class OtherTable:
    """The own table of a rotation is done, and the other one's log is waited for."""

    rotation: int


@dataclass(frozen=True, slots=True)
class RotationDone:
    """The logs of both tables are here, and verified."""

    rotation: int


class TournamentBroken(Exception):
    """A table was not played to its end, or its log cannot be had: the tournament ends here."""


class Memory:
    """Records that are also remembered, to be audited at once."""

    def __init__(self, behind: Records) -> None:
        """Pass everything on to the records on disk."""
        self._behind = behind
        self._genesis: Genesis | None = None
        self._entries: list[Entry] = []

    @property
    def transcript(self) -> Transcript | None:
        """The log so far; None before it begins."""
        if self._genesis is None:
            return None
        return Transcript(self._genesis, tuple(self._entries), torn=False)

    def begin(self, genesis: Genesis) -> None:
        """The table has begun."""
        self._behind.begin(genesis)
        self._genesis = genesis

    def entry(self, entry: Entry) -> None:
        """The next entry of the log."""
        self._behind.entry(entry)
        self._entries.append(entry)

    def sync(self) -> None:
        """Every entry so far is to survive a loss of power."""
        self._behind.sync()

    def cut(self, count: int) -> None:
        """The log goes on behind its first `count` entries."""
        self._behind.cut(count)
        del self._entries[count:]

    def secret(self, seat: int, opened: bytes, label: str, secret: bytes) -> None:
        """A seed; not remembered here."""
        self._behind.secret(seat, opened, label, secret)

    def body(self, seat: int, counter: int, signed: SignedBody) -> None:
        """Own signed bytes."""
        self._behind.body(seat, counter, signed)

    def bot(self, seat: int, seed: bytes) -> None:
        """The key of a bot that fills a chair."""
        self._behind.bot(seat, seed)

    def vote(self, term: int, data: bytes) -> None:
        """An own vote."""
        self._behind.vote(term, data)

    def close(self) -> None:
        """Nothing more will come."""
        self._behind.close()


class TournamentRun:
    """A tournament as one of its players plays it."""

    def __init__(
        self, genesis: Genesis, entrant: Entrant, records: TournamentRecords, observe: Observer
    ) -> None:
        """Play the tournament of a genesis that this player signed. Raises `Unreadable`."""
        self.tournament = Tournament(genesis)
        self._entrant = entrant
        self._records = records
        self._observe = observe
        self._stop: Callable[[], Coroutine[object, object, None]] | None = None
        self._stopped = False
        self._leaving = asyncio.Event()
        self._seat: TableHost | TablePeer | None = None

    @property
    def driver(self) -> MemberDriver | None:
        """What runs at the own table of this rotation, once its log has begun."""
        return None if self._seat is None else self._seat.driver

    async def run(self) -> None:
        """Play all rotations; raises `TournamentBroken` or `NetError` if one cannot be played."""
        while not self.tournament.over and not self._stopped:
            mine = self.tournament.table_of(self._entrant.identity.public)
            if mine.host == self._entrant.identity.public:
                await self._host(mine)
            else:
                self._take(await self._join(mine))
                await self._fetch(self.tournament_table(1 - mine.table, mine))
            if not self._stopped:
                self._observe(RotationDone(mine.rotation))
            if self._entrant.pause and not self.tournament.over:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._leaving.wait(), self._entrant.pause)

    def tournament_table(self, number: int, mine: TournamentTable) -> TournamentTable | None:
        """The other table of the same rotation, unless its log is in already."""
        same = self.tournament.rotation == mine.rotation
        return self.tournament.table(number) if same else None

    async def leave(self) -> None:
        """Leave the table of the moment, and with it the tournament."""
        self._stopped = True
        self._leaving.set()
        if self._stop is not None:
            await self._stop()

    def _take(self, memory: Memory) -> None:
        transcript = memory.transcript
        if transcript is None or self.tournament.add(transcript) is None:
            raise TournamentBroken("a table was not played to its end")

    # ---- hosting ----------------------------------------------------------------------------

    async def _host(self, table: TournamentTable) -> None:
        """Host a table, fetch the other one's log, and stay until the others have this one's."""
        entrant = self._entrant
        offer = TableOffer(
            table.lobby,
            _name(table),
            self.tournament.roster.ruleset,
            PLAYERS // TABLES,
            entrant.identity.public,
            order=table.order,
            binding=table.binding,
        )
        memory = Memory(self._records.played())
        seat = OwnSeat(
            entrant.identity,
            entrant.name,
            entrant.player,
            binding=table.binding,
            order=table.order,
            slow_clock=entrant.slow_clock,
        )
        host = self._seat = TableHost(offer, [seat], self._setup(memory), self._observe)

        async def stop() -> None:
            host.stop()

        self._stop = stop
        try:
            around = Surroundings(entrant.adapter)
            host.server = await around.open_door(entrant.identity, offer.lobby, host.serve)
            host.begin()
            await host.announce(around)
            await host.wait()
            host.dismiss_players()
            self._take(memory)
            await self._fetch(self.tournament_table(1 - table.table, table))
            if not self._stopped:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(host.watched_by(self._others(table)), PATIENCE)
        finally:
            self._stop = None
            await host.close()

    def _others(self, table: TournamentTable) -> frozenset[bytes]:
        seats = self.tournament.roster.seats
        return frozenset([seat.identity for seat in seats]) - set(table.order)

    # ---- joining and fetching ---------------------------------------------------------------

    def _setup(self, memory: Memory, *, watch: bool = False) -> Setup:
        """How this player is at a table. Nobody else takes one over: the others count on the host
        that its order names.
        """
        entrant = self._entrant
        seats = () if watch else (PlayedSeat(entrant.identity, entrant.player),)
        return Setup(seats=seats, records=memory, entropy=entrant.entropy)

    async def _join(self, table: TournamentTable) -> Memory:
        memory = Memory(self._records.played())
        await self._visit(table, self._setup(memory), watch=False)
        return memory

    async def _fetch(self, table: TournamentTable | None) -> None:
        """Watch the other table to its end, for its log."""
        if table is None or self._stopped:
            return
        self._observe(OtherTable(table.rotation))
        memory = Memory(self._records.watched())
        await self._visit(table, self._setup(memory, watch=True), watch=True)
        if not self._stopped:
            self._take(memory)

    async def _visit(self, table: TournamentTable, setup: Setup, *, watch: bool) -> None:
        """Sit down at a table of the tournament, or watch it, until its log is closed."""
        entrant = self._entrant
        try:
            async with asyncio.timeout(PATIENCE):
                channel = await self._reach(table, watch=watch)
        except TimeoutError:
            raise NetError(Fault.UNREACHABLE, _name(table)) from None
        seating = Seating(
            name=entrant.name,
            lobby=channel.context,
            host=table.host,
            binding=table.binding,
            order=table.order,
            slow_clock=entrant.slow_clock,
        )
        observe = _nothing if watch else self._observe
        peer = TablePeer(channel, entrant.identity, seating, setup, observe, watch=watch)
        self._stop = peer.leave
        if not watch:
            self._seat = peer
        try:
            await peer.run()
        finally:
            self._stop = None

    async def _reach(self, table: TournamentTable, *, watch: bool) -> Channel:
        """Find a table by its host's key and state, and connect; try again while it is crowded."""
        browser = await browse(adapter=self._entrant.adapter)
        async with contextlib.AsyncExitStack() as unless_reached:
            try:
                while True:
                    channel = await self._try(browser, table, watch=watch)
                    if channel is not None:
                        unless_reached.callback(channel.abort)
                        break
                    await asyncio.sleep(RETRY)
            finally:
                await browser.close()
            unless_reached.pop_all()
        return channel

    async def _try(
        self, browser: Browser, table: TournamentTable, *, watch: bool
    ) -> Channel | None:
        for advert in browser.tables.values():
            if _is(advert, table, watch=watch):
                try:
                    return await connect(
                        advert.addresses,
                        advert.port,
                        self._entrant.identity,
                        fingerprint=advert.fp,
                        context=advert.id,
                    )
                except NetError:
                    continue
        return None


def _is(advert: TableAdvert, table: TournamentTable, *, watch: bool) -> bool:
    """Whether an advert seems to be of this table; the roster and the binding prove it."""
    if advert.fp != fingerprint(table.host) or advert.name != _name(table):
        return False
    if watch:
        return advert.state is not TableState.OPEN
    return advert.state is TableState.OPEN and advert.id == table.lobby


def _name(table: TournamentTable) -> str:
    return TABLE_NAMES[table.table].format(rotation=table.rotation + 1)


def _nothing(_event: object) -> None:
    """Nobody looks on while the other table's log is fetched."""
