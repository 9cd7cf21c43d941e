"""A session: one player's time at a table, or at the tables of a tournament, from start to end.

The window, the commands and the tests all play through this class. `run` lasts for the whole
session, until the last file is closed. The other methods are the player's actions meanwhile. The
session emits the events of `events.py`.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Coroutine
from contextlib import nullcontext, suppress
from functools import partial
from pathlib import Path
from random import SystemRandom
from typing import Final, TypeVar, assert_never

from msgspec import Struct

from lanuno.bots.pace import PACES, BotPace
from lanuno.bots.sensible import SensiblePlayer
from lanuno.client.connect import Route
from lanuno.client.events import (
    HostReached,
    LobbyOpened,
    SessionEvent,
    TableResumed,
    TournamentBegan,
    TournamentStanding,
)
from lanuno.client.observer import TableObserver
from lanuno.client.places import TablePlace
from lanuno.client.reach import PinRefused, reach, reach_successor
from lanuno.client.requests import HostRequest, JoinRequest, SessionRequest
from lanuno.client.resume import (
    Interrupted,
    ResumeRequest,
    find_resumable,
    interrupted_tournament,
    recovered_table,
)
from lanuno.client.tournament_run import InterruptedTournament, TournamentRun
from lanuno.dealing.identity import Identity, fingerprint
from lanuno.log.faults import HostFault, Unreadable
from lanuno.log.format.genesis import LOBBY_ID_BYTES, Genesis
from lanuno.log.format.names import look_alike
from lanuno.net.discovery.invitations import invitations
from lanuno.net.discovery.network_context import NetworkContext
from lanuno.net.errors import NetError, NetFault
from lanuno.net.runtime.config import OwnSeat, PlayedSeat, RuntimeConfig
from lanuno.net.runtime.endings import RuntimeEvent, TableEnding
from lanuno.net.runtime.lobby_guest import LobbyGuest
from lanuno.net.runtime.lobby_host import LobbyHost
from lanuno.net.runtime.lobby_seat import LobbySeatRuntime
from lanuno.net.runtime.node_runtime import NodeRuntime
from lanuno.net.runtime.records import TraceRecords
from lanuno.net.runtime.resume import ResumedTable
from lanuno.rules.engine.actions import Action
from lanuno.rules.ruleset import Ruleset
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.paths import Home
from lanuno.store.profile import Profile, load_profile
from lanuno.store.table_metadata import save_metadata
from lanuno.store.table_records import TableRecords
from lanuno.store.tournament_records import TournamentFiles
from lanuno.table.errors import TableError
from lanuno.table.leave_effect import LeaveEffect
from lanuno.table.lobby.host import TableOffer
from lanuno.table.lobby.peer import Seating
from lanuno.table.lobby.readiness import MatchTerms, RulesRefusal, match_terms
from lanuno.table.messages import LobbyRefusal, LobbyState, Reaction
from lanuno.table.metadata import TableMetadata
from lanuno.table.outputs import TableBegan, TurnedAway
from lanuno.table.recovery import RecoveredState

T = TypeVar("T")

ROTATION_RESULT_SECONDS: Final = 10.0
"""Seconds for which people see the result of a rotation before the next tables open."""

PRACTICE_STOP_SECONDS: Final = 3.0
"""Seconds that a practice match has to close its log after its player leaves."""

_log = logging.getLogger(__name__)


class SessionResult(Struct, frozen=True, kw_only=True):
    """How a session ended."""

    transcript: Path | None = None
    """None if no game began."""
    ending: TableEnding | None = None
    """None if the table was never reached, and for a tournament."""
    refusal: LobbyRefusal | None = None
    """Why the waiting room rejected or removed the player."""
    leave_requested: bool = False
    """Whether the user asked to leave."""


class TableSession:
    """A session of one player, as its request describes."""

    def __init__(
        self,
        home: Home,
        request: SessionRequest,
        emit: Callable[[SessionEvent], None],
        *,
        snapshots: bool = True,
    ) -> None:
        """Store the request. `run` opens the files and connections.

        `snapshots`: whether to emit table events as `TableUpdated`, with a snapshot for a screen.
        Otherwise each event is emitted separately, and a `SessionNotice` says what it means.
        """
        self.home = home
        self.request = request
        self.identity = b""
        """This player's public key, once it is known."""
        self.host_identity = b""
        """The public key of the host that was reached, once it is known."""
        self.host_place: TablePlace | None = None
        """Where that host was reached."""
        self.leave_requested = False
        """Whether the user asked to leave."""
        self.bot_pace = PACES["normal"]
        """The speed of this computer's bots."""
        self.trace: TraceRecords | None = None
        """Receives traces of this player's nodes. None: no traces."""
        self._emit = emit
        self._snapshots = snapshots
        self._table: LobbyHost | LobbyGuest | ResumedTable | TournamentRun | None = None
        """The present lobby, table or tournament, once there is one."""
        self._connecting: asyncio.Timeout | None = None
        """Ends the search for a table when the player leaves."""
        self._leaving: asyncio.Task[None] | None = None
        self._bot_seeds: list[bytes] = []
        """The private keys of this computer's bots."""
        self._names: tuple[str, ...] = ()
        """The names in the waiting room."""
        self._observer = self._new_observer()

    @property
    def hosts(self) -> bool:
        """Whether this computer opened the waiting room."""
        return isinstance(self.request, HostRequest)

    @property
    def runtime(self) -> NodeRuntime | None:
        """The runtime of the present table, once its log has begun."""
        return None if self._table is None else self._table.runtime

    @property
    def tournament(self) -> TournamentRun | None:
        """The tournament being played, up to its present state."""
        return self._table if isinstance(self._table, TournamentRun) else None

    @property
    def at_table(self) -> bool:
        """Whether there is a table to leave; False while it is still being searched for."""
        return self._table is not None or isinstance(self.request, HostRequest)

    @property
    def lobby_seat(self) -> LobbySeatRuntime | None:
        """This player's seat in the waiting room; None if there is no waiting room."""
        match self._table:
            case LobbyHost():
                return self._table.own_seat
            case LobbyGuest():
                return self._table.lobby_seat
            case _:
                return None

    # ---- life -------------------------------------------------------------------------------

    async def run(self) -> SessionResult:
        """Take part until the session is over for this computer.

        Raises `NetError`, `StoreError`, `SeveralTables`, `TableNotFound`, or any other error that
        ends the session.
        """
        request, profile = self.request, load_profile(self.home)
        self.identity = profile.identity.public
        _log.info("a session begins: %s", _about(request))
        only_watches = isinstance(request, JoinRequest) and request.watch
        with nullcontext() if only_watches else self.home.locked():
            match request:
                case HostRequest():
                    result = await self._host(request, profile)
                case JoinRequest():
                    result = await self._join(request, profile)
                case ResumeRequest():
                    result = await self._resume(request, profile)
                case _:
                    assert_never(request)
        _log.info("the session is over: %s", _about_end(result))
        return result

    async def _host(self, request: HostRequest, profile: Profile) -> SessionResult:
        """Open a table, wait for players, and play."""
        self.host_identity = self.identity
        name = request.player_name or profile.name
        self._names = (name,)
        own = [
            OwnSeat(
                profile.identity,
                name,
                request.player,
                slow_clock=request.slow_clock,
                avatar=request.avatar,
                auto_ready=request.practice or request.player is not None,
                expected=_expected(request),
            )
        ]
        for _ in range(min(request.bots, request.seats - 1)):
            bot = self._new_bot(request)
            if bot is not None:
                own.append(bot)
                self._names = (*self._names, bot.name)
        offer = TableOffer(
            os.urandom(LOBBY_ID_BYTES),
            request.name,
            request.ruleset,
            request.seats,
            self.identity,
            request.pin,
            spectators=request.spectators and not request.practice,
            rounds=request.rounds,
            order=request.order,
            invited_only=False,
        )
        records = TableRecords(self.home, bots=self._bot_seeds)
        network = None if request.practice else NetworkContext(request.adapter)
        config = RuntimeConfig(
            seats=(),
            records=records,
            entropy=os.urandom,
            network=network,
            bot_pace=self.bot_pace,
            trace=self.trace,
            save_metadata=partial(save_metadata, self.home),
            awaits_rematch=request.stays_for_rematch,
        )
        host = LobbyHost(offer, own, config, self._observe)
        try:
            if network is None:
                self._table = host
                host.begin()
            else:
                await self._open(host, network, request, profile.identity)
            if self.leave_requested:
                host.stop()
            await host.wait()
            await self._wait_for_leaving()
        finally:
            await host.close()
        if host.tournament is not None and not self.leave_requested:
            return await self._play_tournament(host.tournament, request, profile)
        return SessionResult(
            transcript=records.path,
            ending=host.ending,
            refusal=host.refusal,
            leave_requested=self.leave_requested,
        )

    async def _open(
        self, host: LobbyHost, network: NetworkContext, request: HostRequest, me: Identity
    ) -> None:
        """Listen for players and announce the table."""
        open_listener = partial(network.open_listener, me, host.lobby.offer.lobby, host.serve)
        if request.likely_port is not None and request.port is None:
            with suppress(NetError):
                host.listener = await open_listener(port=request.likely_port)
        if host.listener is None:
            host.listener = await open_listener(port=request.port)
        self._table = host
        host.begin()
        if not self.leave_requested:
            advert = await host.announce(network)
            links, codes = invitations(advert)
            fault = None if host.advert is None else host.advert.multicast_fault
            self._emit(LobbyOpened(links, codes, advert.name, advert.port, fault))

    async def _join(self, request: JoinRequest, profile: Profile) -> SessionResult:
        """Reach a table of another host, take a seat or watch, and play."""
        interrupted: tuple[Interrupted, ...] = ()
        if request.resumes:
            interrupted = (await asyncio.to_thread(find_resumable, self.home, profile)).tables
            if self.leave_requested:
                return SessionResult(leave_requested=True)
        try:
            reached = await self._until_left(reach(request, profile.identity, interrupted))
        except PinRefused as refused:
            self._host_reached(refused.route)
            self._observe(TurnedAway(refused.why))
            return SessionResult(
                ending=TableEnding.TURNED_AWAY,
                refusal=refused.why,
                leave_requested=self.leave_requested,
            )
        if reached is None:
            return SessionResult(leave_requested=True)
        if isinstance(reached, ResumeRequest):
            return await self._resume(reached, profile)
        if self.leave_requested:
            # The player left just as the connection was made.
            await reached.channel.close()
            return SessionResult(leave_requested=True)
        guest, records = await self._take_part(request, profile, reached)
        while request.watch and _has_lost_host(guest) and not self.leave_requested:
            again = await self._reach_successor(request, profile, guest)
            if again is None:
                break
            guest, records = await self._take_part(request, profile, again, guest)
        await self._wait_for_leaving()
        if guest.ending is TableEnding.LOST and records.path is None and not self.leave_requested:
            raise guest.connection_error or NetError(NetFault.LOST)
        if guest.tournament is not None and not request.watch and not self.leave_requested:
            return await self._play_tournament(guest.tournament, request, profile)
        return SessionResult(
            transcript=records.path,
            ending=guest.ending,
            refusal=guest.refusal,
            leave_requested=self.leave_requested,
        )

    async def _take_part(
        self,
        request: JoinRequest,
        profile: Profile,
        route: Route,
        before: LobbyGuest | None = None,
    ) -> tuple[LobbyGuest, TableRecords]:
        """Take a seat or watch, until that ends; return how.

        `before`: a spectator's visit to the same table under an earlier host.
        """
        channel = route.channel
        self._host_reached(route)
        seen = None if before is None else before.seen
        records = TableRecords(self.home, private=not request.watch, resumed=seen is not None)
        seating = Seating(
            name=request.player_name or profile.name,
            lobby=channel.context,
            host=channel.identity,
            slow_clock=request.slow_clock,
            avatar=request.avatar,
            pin=request.pin,
            auto_ready=request.player is not None,
            expected=_expected(request),
        )
        config = RuntimeConfig(
            seats=() if request.watch else (PlayedSeat(profile.identity, request.player),),
            records=records,
            entropy=os.urandom,
            network=None if request.watch else NetworkContext(request.adapter),
            save_metadata=None if request.watch else partial(save_metadata, self.home),
            search_seconds=0.0 if request.watch else None,
            bot_pace=self.bot_pace,
            trace=self.trace,
            awaits_rematch=request.stays_for_rematch,
        )
        if before is not None:
            config.metadata = before.metadata
        guest = self._table = LobbyGuest(
            channel,
            profile.identity,
            seating,
            config,
            self._observe,
            watch=request.watch,
            recovered=seen,
        )
        await guest.run()
        return guest, records

    async def _reach_successor(
        self, request: JoinRequest, profile: Profile, guest: LobbyGuest
    ) -> Route | None:
        """Reach the table that a spectator has lost; None if it is not found or the user leaves."""
        assert guest.seen is not None
        self._table = None
        looking = reach_successor(request, profile.identity, guest.seen.genesis)
        try:
            return await self._until_left(looking)
        except (NetError, PinRefused) as error:
            _log.info("the table is not found under another host: %s", error)
            return None

    def _host_reached(self, route: Route) -> None:
        channel = route.channel
        key = self.host_identity = channel.identity
        self.host_place = route.place
        self._emit(
            HostReached(channel.address, route.place.port, fingerprint(key), key, channel.context)
        )

    async def _until_left(self, looking: Coroutine[None, None, T]) -> T | None:
        """Return what is reached; None if the player leaves first."""
        try:
            async with asyncio.timeout(None) as self._connecting:
                return await looking
        except TimeoutError:
            # `_leave_table` ends the wait.
            if not self.leave_requested:
                raise
            return None
        finally:
            self._connecting = None

    async def _resume(self, request: ResumeRequest, profile: Profile) -> SessionResult:
        """Resume a table that was interrupted here, and play until it is over."""
        chosen = request.chosen
        recovered, config = recovered_table(
            self.home, profile, request, bot_pace=self.bot_pace, trace=self.trace
        )
        self._observer = self._new_observer(resumed=True)
        self._observer.set_name(chosen.name)
        table = chosen.name or chosen.shown_id
        self._emit(TableResumed(table, len(recovered.entries), over=chosen.table.closed))
        if chosen.table.roster.binding is not None:
            return await self._resume_tournament(request, profile, recovered, config.metadata)
        resumed = ResumedTable(recovered, profile.identity, config, self._observe)
        self._table = resumed
        if self.leave_requested:
            await resumed.leave()
        try:
            ending = await resumed.run()
        except (Unreadable, TableError, HostFault) as error:
            raise StoreError(FileProblem.DAMAGED, chosen.table.path, str(error)) from None
        await self._wait_for_leaving()
        return SessionResult(
            transcript=chosen.table.path, ending=ending, leave_requested=self.leave_requested
        )

    async def _resume_tournament(
        self,
        request: ResumeRequest,
        profile: Profile,
        table: RecoveredState,
        metadata: TableMetadata,
    ) -> SessionResult:
        """Resume the tournament of a table, at this table."""
        interrupted = await asyncio.to_thread(interrupted_tournament, self.home, table, metadata)
        if self.leave_requested:
            return SessionResult(leave_requested=True)
        return await self._play_tournament(
            interrupted.replay.genesis, request, profile, interrupted
        )

    async def _play_tournament(
        self,
        genesis: Genesis,
        request: SessionRequest,
        profile: Profile,
        interrupted: InterruptedTournament | None = None,
    ) -> SessionResult:
        """Play all rotations, as long as the tournament can continue."""
        files = TournamentFiles(self.home, genesis) if interrupted is None else interrupted.files
        seats = genesis.read().seats
        me = next(seat for seat in seats if seat.identity == self.identity)
        slow_clock, avatar = me.slow_clock, me.avatar
        run = self._table = TournamentRun(
            genesis,
            OwnSeat(
                profile.identity, me.name, request.player, slow_clock=slow_clock, avatar=avatar
            ),
            files,
            self._observe,
            adapter=request.adapter,
            trace=self.trace,
            pause=ROTATION_RESULT_SECONDS if request.player is None else 0.0,
        )
        if interrupted is not None:
            run.resume(interrupted)
        self._emit(TournamentBegan(genesis))
        await run.run()
        await self._wait_for_leaving()
        self._emit(run.standing())
        return SessionResult(transcript=files.transcripts[-1], leave_requested=self.leave_requested)

    async def _wait_for_leaving(self) -> None:
        """Wait until a leave that has begun is complete."""
        if self._leaving is not None:
            await asyncio.wait((self._leaving,))

    # ---- what happens -----------------------------------------------------------------------

    def _new_observer(self, *, resumed: bool = False) -> TableObserver:
        return TableObserver(
            self._emit, lambda: self.runtime, snapshots=self._snapshots, resumed=resumed
        )

    def _observe(self, event: RuntimeEvent | TournamentStanding) -> None:
        match event:
            case TournamentStanding():
                self._emit(event)
                return
            case LobbyState() if self.tournament is not None and self._snapshots:
                # Tables of a tournament begin automatically, so the window shows no waiting room.
                self._observer.set_name(event.table)
                return
            case LobbyState():
                self._names = tuple(seat.name for seat in event.seats)
            case TableBegan() if self.tournament is not None:
                # Each table of a tournament gets a new observer.
                name = self._observer.name
                self._observer = self._new_observer(resumed=self._is_back)
                self._observer.set_name(name)
            case _:
                pass
        self._observer(event)
        runtime = self.runtime
        if isinstance(event, TableBegan) and self._is_back and runtime is not None:
            self._observer.replay_past(runtime)

    @property
    def _is_back(self) -> bool:
        """Whether this player has returned to the present table after an interruption."""
        run = self.tournament
        return isinstance(self._table, ResumedTable) if run is None else run.at_resumed_table

    # ---- what the player does ---------------------------------------------------------------

    async def act(self, action: Action) -> str:
        """Perform an action. Return "", or why it was refused (in English, for a log)."""
        runtime = self.runtime
        if runtime is None:
            return "no game has begun"
        try:
            runtime.act(action)
        except TableError as error:
            return str(error)
        return ""

    async def let_bots_play(self, pace: BotPace) -> None:
        """Set the pace of this computer's bots."""
        self.bot_pace = pace
        if self.runtime is not None:
            self.runtime.set_bot_pace(pace)

    async def play_by_bot(self, on: bool, said: str) -> None:
        """Let a bot play this player's seat, or no longer, and tell everybody in the chat.

        No log shows who moves the hand of an honest player, so `said` tells it.
        """
        if self.runtime is not None:
            self.runtime.play_by_bot(on)
            self.runtime.send_chat(said)

    async def claim(self) -> None:
        """As host: end the wait for a missing player."""
        if self.runtime is not None:
            self.runtime.claim()

    async def say(self, text: str) -> None:
        """Send a chat message."""
        seat = self.runtime or self.lobby_seat
        if seat is not None:
            seat.send_chat(text)

    async def react(self, reaction: Reaction) -> None:
        """Send a reaction to everybody at the table."""
        if self.runtime is not None:
            self.runtime.react(reaction)

    async def read_score(self, number: int, *, reading: bool) -> None:
        """Let bots wait while this player looks at the score of a round."""
        if self.runtime is not None:
            self.runtime.read_score(number, reading=reading)

    async def play_again(self) -> bool:
        """Announce that this player wants a rematch; False if that is no longer possible."""
        return self.runtime is not None and self.runtime.play_again()

    async def leave_effect(self) -> LeaveEffect | None:
        """Return what happens if this player leaves now; None if nobody would learn of it."""
        return None if self.runtime is None else self.runtime.node.leave_effect()

    async def leave(self) -> None:
        """Leave the table or stop connecting. `run` returns soon afterwards."""
        self.leave_requested = True
        if self._leaving is None:
            self._leaving = asyncio.get_running_loop().create_task(self._leave_table())
        with suppress(asyncio.CancelledError):
            await asyncio.shield(self._leaving)

    async def _leave_table(self) -> None:
        """Leave as the protocol requires, so that a table can continue under another host."""
        match self._table:
            case LobbyHost() if isinstance(self.request, HostRequest) and self.request.practice:
                self._table.stop()
                if self._table.runtime is not None:
                    with suppress(TimeoutError):
                        ended = self._table.runtime.ended.wait()
                        await asyncio.wait_for(ended, PRACTICE_STOP_SECONDS)
            case LobbyHost() | LobbyGuest() | ResumedTable():
                await self._table.leave()
            case TournamentRun():
                self._table.leave()
            case None:
                if self._connecting is not None:
                    self._connecting.reschedule(asyncio.get_running_loop().time())

    # ---- in the waiting room ----------------------------------------------------------------

    async def ready(self, ready: bool, shown: LobbyState | None = None) -> None:
        """Send whether this player is ready to begin; `shown`: the room that the player saw."""
        if self.lobby_seat is not None:
            self.lobby_seat.ready(ready, shown)

    async def take_seat(self, place: int) -> None:
        """Swap seats with a bot, or with a player who is not ready."""
        if self.lobby_seat is not None:
            self.lobby_seat.take_seat(place)

    # ---- as host ----------------------------------------------------------------------------

    @property
    def _lobby_host(self) -> LobbyHost | None:
        """The `LobbyHost` of the table that this computer opened, if any; also during play."""
        return self._table if isinstance(self._table, LobbyHost) else None

    async def add_bot(self) -> bool:
        """Seat a bot of this computer. Return False if that is not possible."""
        host, request = self._lobby_host, self.request
        if host is None or not isinstance(request, HostRequest):
            return False
        bot = self._new_bot(request)
        return bot is not None and host.seat_bot(bot)

    def _new_bot(self, request: HostRequest) -> OwnSeat | None:
        """Return a bot with an unused name; None if all names are in use."""
        taken = (*self._names, *request.awaited)
        free = (
            name
            for name in request.bot_names
            if not any(look_alike(name, other) for other in taken)
        )
        name = next(free, None)
        if name is None:
            return None
        self._bot_seeds.append(os.urandom(32))
        identity = Identity.from_seed(self._bot_seeds[-1])
        return OwnSeat(identity, name, SensiblePlayer(SystemRandom()), bot=True)

    async def send_away(self, identity: bytes) -> bool:
        """Send a player or a bot away from the waiting room, or a spectator from the table.

        Returns False if that is not possible.
        """
        host = self._lobby_host or self.runtime
        return host is not None and host.send_away(identity)

    async def let_in(self, identity: bytes) -> None:
        """Let somebody sit or watch again who was sent away."""
        host = self._lobby_host or self.runtime
        if host is not None:
            host.let_in(identity)

    async def begin(self, shown: LobbyState | None = None) -> bool:
        """Begin with the present players; marks the host ready for the room that the player saw.

        Returns False if that is not possible.
        """
        host = self._lobby_host
        if host is None or host.runtime is not None:
            return False
        host.ready(shown)
        host.start()
        return True

    async def change_rules(self, ruleset: Ruleset, seats: int) -> RulesRefusal | None:
        """Change rules and seats of the waiting room. Return why that was refused, or None."""
        host = self._lobby_host
        return RulesRefusal.STARTED if host is None else host.change_rules(ruleset, seats)

    async def move_up(self, identity: bytes) -> bool:
        """Swap somebody's seat of the waiting room with the one before it. False: not possible."""
        if self._lobby_host is None:
            return False
        self._lobby_host.move_up(identity)
        return True

    async def allow_spectators(self, allowed: bool) -> None:
        """Allow spectators, or remove all of them and admit no more."""
        host = self._lobby_host or self.runtime
        if host is not None:
            host.allow_spectators(allowed)


def _expected(request: HostRequest | JoinRequest) -> MatchTerms | None:
    return None if request.expected is None else match_terms(request.expected)


def _about(request: SessionRequest) -> str:
    """Describe a request for the log, without its PIN."""
    match request:
        case HostRequest():
            kind = "practice" if request.practice else "a table"
            return f"open {kind} with {request.seats} seats, {request.bots} bots here"
        case JoinRequest():
            where = f"the table {request.table!r}" if request.place is None else "a known place"
            if request.after is not None:
                where = "the next table of a host"
            return f"{'watch' if request.watch else 'join'} {where}"
        case ResumeRequest():
            return f"resume table {request.chosen.shown_id}"
        case _:
            assert_never(request)


def _about_end(result: SessionResult) -> str:
    """Describe for the log how a session ended."""
    how = "no table was reached" if result.ending is None else result.ending.value
    refused = "" if result.refusal is None else f", {result.refusal.name}"
    return f"{how}{refused}{', left on purpose' if result.leave_requested else ''}"


def _has_lost_host(guest: LobbyGuest) -> bool:
    """Whether a spectator's table may go on under another host."""
    return guest.ending is TableEnding.LOST and guest.seen is not None and guest.refusal is None
