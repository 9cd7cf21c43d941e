"""One player's way through a tournament: seven tables, found, hosted or joined, played, verified.

Whoever comes first in a table's order hosts it; the others find it by multicast DNS and know it by
the host's key and by the lobby id that follows from the tournament. The other table's log is
followed meanwhile as anybody may who watches. Nobody is in charge: the logs decide what follows,
and whoever sees in them that a table will not be played to its end is out at once.
"""

from __future__ import annotations

import asyncio
import contextlib
from asyncio import FIRST_COMPLETED
from collections.abc import Coroutine, Iterator
from dataclasses import dataclass
from typing import Final, Protocol

from lanuno.bots.autoplay import Player
from lanuno.dealing.identity import Identity, fingerprint
from lanuno.log.genesis import Genesis
from lanuno.log.tournament import Tournament, TournamentTable
from lanuno.log.transcript import Transcript
from lanuno.net.browse import Browser, browse
from lanuno.net.channel import Channel
from lanuno.net.client import connect
from lanuno.net.endings import Observer
from lanuno.net.errors import NetError
from lanuno.net.member_driver import MemberDriver
from lanuno.net.records import Records
from lanuno.net.remembering import Memory
from lanuno.net.setup import OwnSeat, PlayedSeat, Setup
from lanuno.net.surroundings import Surroundings
from lanuno.net.table_host import TableHost
from lanuno.net.table_peer import TablePeer
from lanuno.net.tournament_breaks import Attendance, Break, TournamentBroken, Why
from lanuno.net.txt import TableAdvert, TableState
from lanuno.rules.tournament import PLAYERS, TABLES
from lanuno.table.lobby import TableOffer
from lanuno.table.lobby_peer import Entropy, Seating
from lanuno.table.outputs import Spectator

PATIENCE: Final = 60.0
"""Seconds for which everybody is waited for at the beginning of a table, and a host who is away."""

WATCHERS_SECONDS: Final = 15.0
"""For the others to have the last entry of a table, once everybody has it who played there."""

FAREWELL_SECONDS: Final = 3.0
"""The same where the tournament ends: some may just be coming to look on."""

HOST_SECONDS: Final = 35.0
"""For a host to end a table, and to say goodbye to everybody."""

GUEST_SECONDS: Final = 6.0
"""For the others to hear of that; then they go."""

BETTER_REASON_SECONDS: Final = 2.0
"""For hearing from the other table why a table was ended too early."""

OTHER_TABLE: Final = 1.25
"""So many times as long as at the own table: there they may just have begun in time."""

CONNECTIONS: Final = 5
"""How often the other table may be lost and found again while it is followed."""

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
    avatar: int | None = None
    """The colour under which everybody is to see this player."""
    patience: float = PATIENCE
    """Seconds for which the others are waited for at the beginning of a table."""


@dataclass(frozen=True, slots=True)
class OtherTable:
    """The own table of a rotation is done, and the other one is still played."""

    rotation: int


@dataclass(frozen=True, slots=True)
class RotationDone:
    """The logs of both tables are here, and verified."""

    rotation: int


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
        self._names = {seat.identity: seat.name for seat in self.tournament.roster.seats}
        self._seat: TableHost | TablePeer | None = None
        self._leaving = False
        self._quit = asyncio.Event()
        """Set when nothing is played any more: somebody leaves, or something failed."""
        self._broken: Break | None = None
        self._failure: Exception | None = None
        self._followed = asyncio.Event()
        """Set when the log of the other table is closed, and here."""
        self._watched: Memory | None = None
        """That log."""

    @property
    def driver(self) -> MemberDriver | None:
        """What runs at the own table of this rotation, once its log has begun."""
        return None if self._seat is None else self._seat.driver

    async def run(self) -> None:
        """Play all rotations, or until `leave`. Raises `TournamentBroken` if one cannot be played.

        Also raises `NetError` and `StoreError`, for what is wrong on this computer.
        """
        while not self.tournament.over and not self._leaving:
            mine = self.tournament.table_of(self._entrant.identity.public)
            await self._rotation(mine)
            if not self._leaving:
                self._observe(RotationDone(mine.rotation))
            if self._entrant.pause and not self.tournament.over:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._quit.wait(), self._entrant.pause)

    def leave(self) -> None:
        """Leave the table of the moment, and with it the tournament; `run` returns soon."""
        self._leaving = True
        self._quit.set()

    # ---- one rotation -----------------------------------------------------------------------

    async def _rotation(self, mine: TournamentTable) -> None:
        """Play the own table while the log of the other one is followed; take both."""
        other = self.tournament.table(1 - mine.table)
        self._seat = None
        self._followed.clear()
        played, self._watched = Memory(self._records.played()), None
        play = self._host if mine.host == self._entrant.identity.public else self._join
        playing = asyncio.create_task(self._try_to(play(mine, played)))
        following = asyncio.create_task(self._try_to(self._follow(other)))
        quitting = asyncio.create_task(self._quit.wait())
        parts = {playing, following}
        try:
            while parts and not self._quit.is_set():
                done, _ = await asyncio.wait((*parts, quitting), return_when=FIRST_COMPLETED)
                parts -= done
            if playing in parts:
                await self._end_table(playing)
        finally:
            for task in (*parts, quitting):
                task.cancel()
            await asyncio.gather(playing, following, return_exceptions=True)
        if self._failure is not None:
            raise self._failure
        if self._leaving:
            return
        if self._broken is None:
            for memory in (played, self._watched):
                transcript = None if memory is None else memory.transcript
                # An audit takes a while: meanwhile the next tables must not seem to be away.
                if transcript is None or not await asyncio.to_thread(self._takes, transcript):
                    self._break(Break(Why.UNFINISHED))
                    break
        if self._broken is not None:
            raise TournamentBroken(self._broken)

    def _takes(self, transcript: Transcript) -> bool:
        return self.tournament.add(transcript) is not None

    async def _try_to(self, work: Coroutine[object, object, None]) -> None:
        """Do the one part of a rotation; what goes wrong there ends the other part too."""
        try:
            await work
        except TournamentBroken as error:
            self._break(error.broken)
        except Exception as error:  # noqa: BLE001 - raised by `_rotation`, once both parts have ended
            self._failure = self._failure or error
            self._quit.set()

    async def _end_table(self, playing: asyncio.Task[None]) -> None:
        """Nobody plays any more: the host closes the table, the others wait for that or leave."""
        seat = self._seat
        if isinstance(seat, TableHost):
            seat.stop()
            await asyncio.wait((playing,), timeout=HOST_SECONDS)
        elif seat is not None:
            if self._leaving:
                await seat.leave()
            await asyncio.wait((playing,), timeout=GUEST_SECONDS)

    def _break(self, broken: Break) -> None:
        """The tournament ends here; what is noticed first counts."""
        if self._broken is None:
            self._broken = broken
            self._quit.set()
            if not self._leaving:
                self._observe(broken)

    async def _unfinished(self, broken: Break) -> None:
        """A table has ended too early, maybe only because of the other one: that is told then."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._quit.wait(), BETTER_REASON_SECONDS)
        raise TournamentBroken(broken)

    # ---- the own table ----------------------------------------------------------------------

    async def _host(self, table: TournamentTable, memory: Memory) -> None:
        """Host a table, and stay until the players of the other one have its log."""
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
        own = OwnSeat(
            entrant.identity,
            entrant.name,
            entrant.player,
            binding=table.binding,
            order=table.order,
            slow_clock=entrant.slow_clock,
            avatar=entrant.avatar,
        )
        attendance = Attendance(table, self._names, self._break)
        host = TableHost(offer, [own], self._setup(memory), self._hearing(attendance))
        try:
            around = Surroundings(entrant.adapter)
            host.server = await around.open_door(entrant.identity, offer.lobby, host.serve)
            self._seat = host
            others = self._others(table)
            host.doorkeeper.reserve(Spectator(self._names[each], each) for each in others)
            with self._patience(attendance):
                host.begin()
                await host.announce(around)
                await host.wait()
            host.dismiss_players()
            await self._done(attendance, host.driver)
            self._wait_for_the_other(table)
            await self._either(self._followed, self._quit)
        finally:
            await self._see_off(host, table)

    async def _see_off(self, host: TableHost, table: TournamentTable) -> None:
        """Stay until the players of the other table have the last entry, whatever it says."""
        try:
            if host.driver is not None:
                with contextlib.suppress(TimeoutError):
                    patience = FAREWELL_SECONDS if self._quit.is_set() else WATCHERS_SECONDS
                    await asyncio.wait_for(host.watched_by(self._others(table)), patience)
        finally:
            await host.close()

    async def _join(self, table: TournamentTable, memory: Memory) -> None:
        attendance = Attendance(table, self._names, self._break)
        with self._patience(attendance):
            channel = await self._reach(table, watch=False)
            peer = self._peer(table, channel, self._setup(memory), self._hearing(attendance))
            self._seat = peer
            await peer.run()
        await self._done(attendance, peer.driver)
        self._wait_for_the_other(table)

    def _hearing(self, attendance: Attendance) -> Observer:
        def hear(event: object) -> None:
            self._observe(event)
            attendance.see(event)

        return hear

    async def _done(self, attendance: Attendance, driver: MemberDriver | None) -> None:
        """The own table has ended here; raises `TournamentBroken` unless it was played out."""
        broken = attendance.end(None if driver is None else driver.member.replay)
        if broken is not None and not self._leaving:
            await self._unfinished(broken)

    def _wait_for_the_other(self, table: TournamentTable) -> None:
        if not self._followed.is_set() and not self._quit.is_set():
            self._observe(OtherTable(table.rotation))

    @contextlib.contextmanager
    def _patience(self, attendance: Attendance) -> Iterator[None]:
        """A table that does not begin in time breaks the tournament: it says who is missing."""

        def give_up() -> None:
            if not attendance.begun:
                self._break(attendance.absent)

        timer = asyncio.get_running_loop().call_later(self._entrant.patience, give_up)
        try:
            yield
        finally:
            timer.cancel()

    async def _either(self, *events: asyncio.Event) -> None:
        waiting = [asyncio.create_task(event.wait()) for event in events]
        try:
            await asyncio.wait(waiting, return_when=FIRST_COMPLETED)
        finally:
            for each in waiting:
                each.cancel()

    def _others(self, table: TournamentTable) -> frozenset[bytes]:
        return frozenset(self._names) - set(table.order)

    # ---- the other table --------------------------------------------------------------------

    async def _follow(self, table: TournamentTable) -> None:
        """Watch the other table from its first entry to its last, as anybody may.

        So everybody sees at once, and for themselves, when nothing will come of it.
        """
        unreachable = TournamentBroken(Break(Why.UNREACHABLE, (self._names[table.host],)))
        for _ in range(CONNECTIONS):
            attendance = Attendance(table, self._names, self._break)
            try:
                async with asyncio.timeout(self._entrant.patience * OTHER_TABLE):
                    channel = await self._reach(table, watch=True)
            except TimeoutError:
                break
            memory = Memory(self._records.watched())
            setup = self._setup(memory, watch=True)
            peer = self._peer(table, channel, setup, attendance.see, watch=True)
            await peer.run()
            replay = None if peer.driver is None else peer.driver.member.replay
            if replay is not None and replay.closed is not None:
                broken = attendance.end(replay)
                if broken is not None:
                    await self._unfinished(broken)
                self._watched = memory
                self._followed.set()
                return
            await asyncio.sleep(RETRY)
        raise unreachable

    # ---- connections ------------------------------------------------------------------------

    def _setup(self, memory: Memory, *, watch: bool = False) -> Setup:
        """How this player is at a table. Nobody else takes one over: the others count on the host
        that its order names.
        """
        entrant = self._entrant
        seats = () if watch else (PlayedSeat(entrant.identity, entrant.player),)
        return Setup(
            seats=seats,
            records=memory,
            entropy=entrant.entropy,
            patience=0.0 if watch else entrant.patience,
        )

    def _peer(
        self,
        table: TournamentTable,
        channel: Channel,
        setup: Setup,
        observe: Observer,
        *,
        watch: bool = False,
    ) -> TablePeer:
        entrant = self._entrant
        seating = Seating(
            name=entrant.name,
            lobby=channel.context,
            host=table.host,
            binding=table.binding,
            order=table.order,
            slow_clock=entrant.slow_clock,
            avatar=entrant.avatar,
        )
        return TablePeer(channel, entrant.identity, seating, setup, observe, watch=watch)

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
