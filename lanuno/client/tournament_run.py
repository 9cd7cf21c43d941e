"""Plays a whole tournament for one player: seven tables, found, hosted or joined, and verified.

The first player in a table's order hosts it. The other players find it by multicast DNS and
recognise it by the host's key and by the lobby id, which is derived from the tournament. Meanwhile
every player follows the log of the other table as a spectator. No node is in charge: the logs
determine what follows. A node stops as soon as they show that a table cannot be played to its end.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from asyncio import FIRST_COMPLETED
from collections.abc import Callable, Coroutine, Iterator, Sequence, Set
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from lanuno.client.connect import ALL_FAULTS, RetryPolicy, connect_with_retries
from lanuno.client.events import TournamentStanding
from lanuno.client.find import TableFinder
from lanuno.client.places import TablePlace
from lanuno.client.tournament_breaks import (
    Attendance,
    BreakReason,
    TournamentBreak,
    TournamentBroken,
)
from lanuno.dealing.identity import fingerprint
from lanuno.log.format.genesis import Genesis, avatars
from lanuno.log.tournament import TournamentReplay, TournamentTable
from lanuno.net.discovery.advert import TableAdvert, TableState
from lanuno.net.discovery.network_context import NetworkContext
from lanuno.net.runtime.config import OwnSeat, PlayedSeat, RuntimeConfig
from lanuno.net.runtime.endings import Observer, RuntimeEvent
from lanuno.net.runtime.lobby_guest import LobbyGuest
from lanuno.net.runtime.lobby_host import LobbyHost
from lanuno.net.runtime.node_runtime import NodeRuntime
from lanuno.net.runtime.records import TraceRecords
from lanuno.net.runtime.resume import ResumedTable
from lanuno.net.runtime.transcript_records import TranscriptRecords
from lanuno.net.transport.channel import Channel
from lanuno.rules.match.tournament import SCHEDULE, TABLES, TOURNAMENT_PLAYERS
from lanuno.store.errors import StoreError
from lanuno.store.tournament_records import TournamentFiles
from lanuno.table.lobby.host import TableOffer
from lanuno.table.lobby.peer import Seating
from lanuno.table.lobby.readiness import MatchTerms, match_terms
from lanuno.table.metadata import TableMetadata
from lanuno.table.outputs import Spectator, SpectatorsChanged
from lanuno.table.recovery import RecoveredState

ABSENCE_SECONDS: Final = 60.0
"""How long a table waits at its beginning for all players, and later for an absent host."""

SPECTATOR_SYNC_SECONDS: Final = 15.0
"""Time for spectators to receive the last entry of a table after its players have it."""

LAST_SYNC_SECONDS: Final = 3.0
"""The same when a tournament is broken off or left; some spectators may still be connecting."""

HOST_CLOSE_SECONDS: Final = 35.0
"""Time for a host to end a table and to send a goodbye on every connection."""

GUEST_CLOSE_SECONDS: Final = 6.0
"""Time for the guests to learn of that end before they leave."""

BETTER_REASON_SECONDS: Final = 2.0
"""Time to learn from the other table why a table was ended too early."""

OTHER_TABLE_FACTOR: Final = 1.25
"""Multiplies the wait for the other table, whose own start may have used up its full wait."""

FOLLOW_ATTEMPTS: Final = 5
"""Number of attempts to connect to the other table before giving up."""

CONNECT_SECONDS: Final = 5.0
"""Limit for one attempt to connect to a table whose host has proved its key."""

CONNECT_RETRY_SECONDS: Final = 0.3
"""Average time between two attempts to connect to an announced table."""

_log = logging.getLogger(__name__)


class InterruptedTournament(Struct, frozen=True):
    """A tournament that an earlier program of this player has played, up to a table."""

    replay: TournamentReplay
    """The tables of the rotations before."""
    files: TournamentFiles
    table: RecoveredState
    """This player's table of the present rotation."""
    metadata: TableMetadata
    """What was saved of that table besides."""


TournamentObserver = Callable[[RuntimeEvent | TournamentStanding], None]
"""Receives the events of this player's table in each rotation, and each new standing."""


class TournamentRun:
    """A tournament, as one of its players plays it."""

    def __init__(
        self,
        genesis: Genesis,
        own: OwnSeat,
        files: TournamentFiles,
        observe: TournamentObserver,
        *,
        adapter: str | None = None,
        trace: TraceRecords | None = None,
        pause: float = 0.0,
        wait_seconds: float = ABSENCE_SECONDS,
    ) -> None:
        """`genesis`: a tournament genesis that this player has signed. Raises `Unreadable`.

        `own`: this player's seat, without a table. `pause`: seconds between two rotations, so that
        people can see the result. `wait_seconds`: how long to wait for the other players at the
        beginning of a table.
        """
        self.replay = TournamentReplay(genesis)
        """The verified tables so far."""
        self.files = files
        self.broken: TournamentBreak | None = None
        """Why the tournament was broken off, or None."""
        self._own = own
        self._me = own.identity.public
        self._observe = observe
        self._adapter = adapter
        self._trace = trace
        self._pause = pause
        self._wait_seconds = wait_seconds
        self._names = {seat.identity: seat.name for seat in self.replay.roster.seats}
        self._seat: LobbyHost | LobbyGuest | ResumedTable | None = None
        self._interrupted: InterruptedTournament | None = None
        """The table to which this player returns; None once it has."""
        self._leaving = False
        self._quit = asyncio.Event()
        """Set when play has to stop: a player left, or something failed."""
        self._failure: Exception | None = None
        self._other_over = asyncio.Event()
        """Set once this node holds the closed log of the other table, or play has to stop."""
        self._other_records: TranscriptRecords | None = None
        """The log of the other table."""

    @property
    def runtime(self) -> NodeRuntime | None:
        """The runtime of this player's table in this rotation, once its log has begun."""
        return None if self._seat is None else self._seat.runtime

    @property
    def at_resumed_table(self) -> bool:
        """Whether this player has returned to its present table after an interruption."""
        return isinstance(self._seat, ResumedTable)

    def resume(self, interrupted: InterruptedTournament) -> None:
        """Begin with the table that was interrupted, after the rotations before it."""
        self.replay, self._interrupted = interrupted.replay, interrupted

    def standing(self, *, awaiting_other_table: bool = False) -> TournamentStanding:
        """Return the present standing of the tournament."""
        seats, results = self.replay.roster.seats, self.replay.results
        colours = avatars(seats)
        return TournamentStanding(
            names=tuple(seat.name for seat in seats),
            avatars=tuple(colours[seat.identity] for seat in seats),
            totals=tuple(results.totals),
            mine=next(n for n, seat in enumerate(seats) if seat.identity == self._me),
            rotation=self.replay.rotation,
            rotations=len(SCHEDULE),
            winners=tuple(results.winners),
            awaiting_other_table=awaiting_other_table,
            broken=self.broken,
            decided=self.replay.decided,
        )

    async def run(self) -> None:
        """Play all rotations, or until the tournament is `broken` off, or until `leave`.

        Raises `NetError` and `StoreError` for problems on this computer.
        """
        while not (self.replay.over or self._quit.is_set()):
            await self._rotation()
            if self._quit.is_set():
                return
            self._observe(self.standing())
            if self._pause and not self.replay.over:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._quit.wait(), self._pause)

    def leave(self) -> None:
        """Leave the present table, and with it the tournament. `run` returns soon afterwards."""
        self._leaving = True
        self._mark_end()
        self._stop()

    def _mark_end(self) -> None:
        """Note on the disk that the tournament does not go on."""
        try:
            self.files.end()
        except StoreError as error:
            self._failure = self._failure or error

    def _stop(self) -> None:
        self._quit.set()
        self._other_over.set()

    # ---- one rotation -----------------------------------------------------------------------

    async def _rotation(self) -> None:
        """Play this player's table and follow the other; add both logs to the tournament."""
        mine = self.replay.table_of(self._me)
        other, missing = self.replay.table(1 - mine.table), self.replay.missing()
        _log.info("rotation %d begins, at table %s", mine.rotation + 1, _name(mine))
        self._seat = None
        self._other_over.clear()
        interrupted, self._interrupted, self._other_records = self._interrupted, None, None
        if interrupted is None:
            played = TranscriptRecords(self.files.played())
            play = (self._host if mine.host == self._me else self._join)(mine, played)
        else:
            disk = self.files.played(resumed=True)
            played = TranscriptRecords(disk, interrupted.table.entries)
            play = self._return(mine, played, interrupted)
        playing = asyncio.create_task(self._run_part(play))
        following = asyncio.create_task(self._run_part(self._follow(other)))
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
        if self._quit.is_set():
            return
        for table, records in ((mine, played), (other, self._other_records)):
            if table.table not in missing:
                continue  # it was read from the disk
            transcript = None if records is None else records.transcript
            # An audit is slow. On a thread, it does not stop this node from answering.
            if transcript is None or await asyncio.to_thread(self.replay.add, transcript) is None:
                self._break(TournamentBreak(BreakReason.UNFINISHED))
                return
        if self.replay.over:
            self.files.end()

    async def _run_part(self, work: Coroutine[object, object, None]) -> None:
        """Run one part of a rotation. Its failure ends the other part too."""
        try:
            await work
        except TournamentBroken as error:
            self._break(error.broken)
        except Exception as error:  # noqa: BLE001 - raised by `_rotation`, once both parts have ended
            self._failure = self._failure or error
            self._stop()

    async def _end_table(self, playing: asyncio.Task[None]) -> None:
        """End the table early: its host closes it, and a guest waits for that or leaves."""
        seat, runtime = self._seat, self.runtime
        if isinstance(seat, LobbyHost):
            seat.stop()
            await asyncio.wait((playing,), timeout=HOST_CLOSE_SECONDS)
        elif runtime is not None and runtime.node.hosts:
            runtime.stop()
            await asyncio.wait((playing,), timeout=HOST_CLOSE_SECONDS)
        elif seat is not None:
            if self._leaving:
                await seat.leave()
            await asyncio.wait((playing,), timeout=GUEST_CLOSE_SECONDS)

    def _break(self, broken: TournamentBreak) -> None:
        """End the tournament. Only the first reason counts, and none after `leave`."""
        if self.broken is None and not self._leaving:
            self.broken = broken
            _log.info("the tournament breaks off: %s", broken.why.name)
            self._mark_end()
            self._stop()
            # Now: a host stays for another moment, so that the other players learn the reason.
            self._observe(self.standing())

    async def _unfinished(self, broken: TournamentBreak) -> None:
        """Break off because a table ended too early; the other table may show a better reason."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._quit.wait(), BETTER_REASON_SECONDS)
        raise TournamentBroken(broken)

    def terms(self, table: TournamentTable) -> MatchTerms:
        """Return the only match to which the player has agreed at a table, with the tournament."""
        return match_terms(self.replay.roster_of(table))

    # ---- this player's table ----------------------------------------------------------------

    async def _host(self, table: TournamentTable, records: TranscriptRecords) -> None:
        """Host a table, and stay until the players of the other table have its log."""
        offer = TableOffer(
            table.lobby,
            _name(table),
            self.replay.roster.ruleset,
            TOURNAMENT_PLAYERS // TABLES,
            self._me,
            order=table.order,
            binding=table.binding,
        )
        own = replace(
            self._own, binding=table.binding, order=table.order, expected=self.terms(table)
        )
        attendance = Attendance(table, self._me, self._names, self._break)
        readers = _Readers(self._players_elsewhere(table), lambda: self.runtime)
        observe = self._observer(attendance, readers)
        host = LobbyHost(offer, [own], self._config(records), observe)
        try:
            network = NetworkContext(self._adapter)
            host.listener = await network.open_listener(own.identity, offer.lobby, host.serve)
            self._seat = host
            host.admission.reserve(Spectator(self._names[each], each) for each in readers.wanted)
            with self._start_deadline(attendance):
                host.begin()
                await host.announce(network)
                await host.wait()
            host.dismiss_players()
            await self._check_end(attendance, host.runtime)
            self._report_other_table()
            await self._other_over.wait()
        finally:
            try:
                if host.runtime is not None:
                    await self._serve(readers)
            finally:
                await host.close()

    async def _join(self, table: TournamentTable, records: TranscriptRecords) -> None:
        attendance = Attendance(table, self._me, self._names, self._break)
        with self._start_deadline(attendance):
            channel = await self._connect(table, watch=False)
            guest = self._guest(table, channel, records, self._observer(attendance))
            self._seat = guest
            await guest.run()
        await self._check_end(attendance, guest.runtime)
        self._report_other_table()

    async def _return(
        self,
        table: TournamentTable,
        records: TranscriptRecords,
        interrupted: InterruptedTournament,
    ) -> None:
        """Return to a table, as its host, which others have to find again, or as a guest."""
        attendance = Attendance(table, self._me, self._names, self._break)
        readers = _Readers(self._players_elsewhere(table), lambda: self.runtime)
        config = self._config(records)
        config.metadata = replace(interrupted.metadata, name=_name(table))
        config.listens = table.host == self._me
        observe = self._observer(attendance, readers)

        async def stay(runtime: NodeRuntime) -> None:
            if runtime.node.hosts:
                await self._stay_for(readers, attendance, runtime)

        self._seat = seat = ResumedTable(interrupted.table, self._own.identity, config, observe)
        await seat.run(stay)
        await self._check_end(attendance, seat.runtime)
        self._report_other_table()

    async def _stay_for(
        self, readers: _Readers, attendance: Attendance, runtime: NodeRuntime
    ) -> None:
        """As a host that was interrupted: stay until the other table's players have the log."""
        try:
            await self._check_end(attendance, runtime)
            self._report_other_table()
            await self._other_over.wait()
        finally:
            await self._serve(readers)

    async def _serve(self, readers: _Readers) -> None:
        """Wait until the players of the other table have the last entry, or have had the time."""
        with contextlib.suppress(TimeoutError):
            seconds = LAST_SYNC_SECONDS if self._quit.is_set() else SPECTATOR_SYNC_SECONDS
            await asyncio.wait_for(readers.served.wait(), seconds)

    def _observer(self, *others: Attendance | _Readers) -> Observer:
        def observe(event: RuntimeEvent) -> None:
            self._observe(event)
            for each in others:
                each.observe(event)

        return observe

    async def _check_end(self, attendance: Attendance, runtime: NodeRuntime | None) -> None:
        """Raise `TournamentBroken` unless this player's table was played to its end."""
        broken = attendance.break_at_end(None if runtime is None else runtime.node.replay)
        if broken is not None and not self._leaving:
            await self._unfinished(broken)

    def _report_other_table(self) -> None:
        if not self._other_over.is_set():
            self._observe(self.standing(awaiting_other_table=True))

    @contextlib.contextmanager
    def _start_deadline(self, attendance: Attendance) -> Iterator[None]:
        """Break the tournament off, naming absent players, if the table does not begin in time."""

        def give_up() -> None:
            if not attendance.begun:
                self._break(attendance.absent)

        timer = asyncio.get_running_loop().call_later(self._wait_seconds, give_up)
        try:
            yield
        finally:
            timer.cancel()

    def _players_elsewhere(self, table: TournamentTable) -> frozenset[bytes]:
        return frozenset(self._names) - set(table.order)

    # ---- the other table --------------------------------------------------------------------

    async def _follow(self, table: TournamentTable) -> None:
        """Watch the other table as a spectator, from its first entry to its last.

        Every player therefore sees immediately if that table will not be played to its end.
        """
        if table.table not in self.replay.missing():
            self._other_over.set()
            return
        for _ in range(FOLLOW_ATTEMPTS):
            attendance = Attendance(table, self._me, self._names, self._break)
            try:
                async with asyncio.timeout(self._wait_seconds * OTHER_TABLE_FACTOR):
                    channel = await self._connect(table, watch=True)
            except TimeoutError:
                break
            records = TranscriptRecords(self.files.watched())
            guest = self._guest(table, channel, records, attendance.observe, watch=True)
            await guest.run()
            replay = None if guest.runtime is None else guest.runtime.node.replay
            if replay is not None and replay.closed is not None:
                broken = attendance.break_at_end(replay)
                if broken is not None:
                    await self._unfinished(broken)
                self._other_records = records
                self._other_over.set()
                return
            await asyncio.sleep(CONNECT_RETRY_SECONDS)
        host = self._names[table.host]
        raise TournamentBroken(TournamentBreak(BreakReason.UNREACHABLE, (host,)))

    # ---- connections ------------------------------------------------------------------------

    def _config(self, records: TranscriptRecords, *, watch: bool = False) -> RuntimeConfig:
        """Return the config of this player's node.

        A guest does not listen, so no other node can become host: the players of the other table
        rely on the host that the order names. Wherever that returns to, it is searched for.
        """
        return RuntimeConfig(
            seats=() if watch else (PlayedSeat(self._own.identity, self._own.player),),
            records=records,
            entropy=os.urandom,
            network=NetworkContext(self._adapter),
            listens=False,
            save_metadata=None if watch else self.files.save_metadata,
            search_seconds=0.0 if watch else self._wait_seconds,
            trace=self._trace,
        )

    def _guest(
        self,
        table: TournamentTable,
        channel: Channel,
        records: TranscriptRecords,
        observe: Observer,
        *,
        watch: bool = False,
    ) -> LobbyGuest:
        own = self._own
        seating = Seating(
            name=own.name,
            lobby=channel.context,
            host=table.host,
            binding=table.binding,
            order=table.order,
            expected=self.terms(table),
            slow_clock=own.slow_clock,
            avatar=own.avatar,
        )
        config = self._config(records, watch=watch)
        return LobbyGuest(channel, own.identity, seating, config, observe, watch=watch)

    async def _connect(self, table: TournamentTable, *, watch: bool) -> Channel:
        """Find a table by its host's key and its state, and connect; retry while it is busy.

        Anybody may announce such a table, so all candidates are probed, side by side.
        """

        async def find_places(_left: float) -> Sequence[TablePlace]:
            return finder.find_proven(lambda advert: _is(advert, table, watch=watch))

        policy = RetryPolicy(
            retried=ALL_FAULTS,
            attempt_seconds=CONNECT_SECONDS,
            pause_seconds=CONNECT_RETRY_SECONDS,
        )
        async with contextlib.AsyncExitStack() as unless_reached:
            async with TableFinder(adapter=self._adapter) as finder:
                await finder.listen()
                channel, _ = await connect_with_retries(self._own.identity, find_places, policy)
                unless_reached.callback(channel.abort)
            unless_reached.pop_all()
        return channel


class _Readers:
    """Tracks which spectators have read the log of a table to its end: they leave after it."""

    def __init__(self, wanted: Set[bytes], runtime: Callable[[], NodeRuntime | None]) -> None:
        self.wanted = wanted
        self.served = asyncio.Event()
        """Set once all that are wanted have."""
        self._here: frozenset[bytes] = frozenset()
        self._done: frozenset[bytes] = frozenset()
        self._runtime = runtime

    def observe(self, event: RuntimeEvent) -> None:
        """Process an event of the table."""
        runtime = self._runtime()
        if isinstance(event, SpectatorsChanged) and runtime is not None:
            here = frozenset(each.identity for each in event.spectators)
            if runtime.node.replay.closed is not None:
                self._done |= self._here - here
            self._here = here
            if self.wanted <= self._done:
                self.served.set()


def _is(advert: TableAdvert, table: TournamentTable, *, watch: bool) -> bool:
    """Whether an advert claims to be of this table. The roster and the binding prove it later."""
    if advert.fp != fingerprint(table.host) or advert.name != _name(table):
        return False
    if watch:
        return advert.state is not TableState.OPEN
    return advert.state is TableState.OPEN and advert.id == table.lobby


def _name(table: TournamentTable) -> str:
    return f"R{table.rotation + 1} {'AB'[table.table]}"
