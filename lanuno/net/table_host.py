"""A table opened on this computer: the door, the advert, the waiting room, and its own seats in it.

One event loop runs everything. The host's own seats speak to its waiting room by the same messages
as everybody else, without a socket; nothing is decided here. Once the log begins everything is the
`MemberDriver`'s, which stays the host for as long as the owners want.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from functools import partial
from typing import Final

from msgspec import structs

from lanuno.dealing.identity import fingerprint
from lanuno.log.faults import Unreadable
from lanuno.log.genesis import VERSION, Genesis
from lanuno.net.allowance import Allowance
from lanuno.net.channel import Channel
from lanuno.net.doorkeeper import Doorkeeper
from lanuno.net.endings import Ending, Observer
from lanuno.net.errors import Goodbye, NetError
from lanuno.net.goodbyes import depart, see_out
from lanuno.net.hosting import Hosting
from lanuno.net.member_driver import MemberDriver
from lanuno.net.presence import Presence
from lanuno.net.server import Server
from lanuno.net.setup import OwnSeat, PlayedSeat, Setup
from lanuno.net.surroundings import Surroundings
from lanuno.net.table_log import WaitingRoomLog, by, ended, short
from lanuno.net.txt import TableAdvert, TableState, with_rules
from lanuno.net.waiting_seat import WaitingSeat
from lanuno.rules.ruleset import Ruleset
from lanuno.table import messages, outputs
from lanuno.table.contacts import MOST_STRANGERS
from lanuno.table.lobby import Lobby, TableOffer
from lanuno.table.lobby_peer import Seating
from lanuno.table.messages import FromHost, FromPeer, from_peer, to_bytes
from lanuno.table.outputs import Output, Peer
from lanuno.table.readiness import RulesRefusal

IDLE_SECONDS: Final = 10.0
"""After which somebody in the waiting room who neither sits nor watches may have to go."""

_log = logging.getLogger(__name__)


class TableHost:
    """One table, opened here. `serve` is the handler for `lanuno.net.server.listen`."""

    def __init__(
        self,
        offer: TableOffer,
        own: Sequence[OwnSeat],
        setup: Setup,
        observe: Observer,
    ) -> None:
        """`own`: the host's seat first, then its bots'.

        `setup.seats` and `setup.arrangements` follow from these two.
        """
        bots = frozenset(seat.identity.public for seat in own if seat.bot)
        self.lobby = Lobby(replace(offer, bots=bots))
        self.driver: MemberDriver | None = None
        """What runs once the log has begun."""
        self.tournament: Genesis | None = None
        """Set when the waiting room was that of a tournament, and all have signed."""
        self.server: Server | None = None
        self._advert: Presence | None = None
        self._host, self._name = own[0].identity, own[0].name
        self._setup = replace(setup)
        self._players: dict[Peer, PlayedSeat] = {}
        """Who decides for the own seats."""
        self._observe = observe
        self._loop = asyncio.get_running_loop()
        self._guests: dict[Peer, Channel] = {}
        self._links: dict[Peer, Peer] = {}
        """Numbers of guests, as the driver knows them."""
        self._own: dict[Peer, WaitingSeat] = {}
        self._next_peer = len(own)
        self._to_do: deque[Callable[[], None]] = deque()
        self._pumping = False
        self._timer: asyncio.TimerHandle | None = None
        self._over = asyncio.Event()
        self._went_after: set[bytes] = set()
        self._somebody_went = asyncio.Event()
        self._failure: Exception | None = None
        self._closing = False
        self._hurried = False
        self._hosting: Hosting | None = None
        self.doorkeeper = Doorkeeper(offer.arrangements)
        self._partings: set[asyncio.Task[None]] = set()
        self._sent_away: set[Peer] = set()
        for peer, seat in enumerate(own):
            self._own[peer] = self._seat(peer, seat)

    # ---- what it stands at ------------------------------------------------------------------

    @property
    def advert(self) -> Presence | None:
        """How the table is announced; None before `announce`."""
        return self._advert

    async def announce(self, surroundings: Surroundings) -> TableAdvert:
        """Let everybody find the table, once its door is open; how it is announced.

        Raises `NetError`.
        """
        assert self.server is not None
        offer = self.lobby.offer
        advert = TableAdvert(
            id=offer.lobby,
            name=offer.name,
            host=self._name,
            fp=fingerprint(offer.host),
            preset=offer.ruleset.preset,
            seats=offer.capacity,
            taken=self.lobby.taken,
            state=TableState.OPEN,
            pin=bool(offer.pin),
            version=VERSION,
            addresses=(),
            port=self.server.port,
        )
        _log.info("this computer hosts %s on port %d", offer.name, self.server.port)
        self._advert = presence = await surroundings.announce(self.describe(advert))
        if self._hosting is not None:
            # The bots had filled the table before it was announced.
            self._hosting.take(presence)
        else:
            self._refresh_advert()
        return presence.table

    @property
    def refusal(self) -> messages.LobbyRefusal | None:
        """Why the host itself could not stay in the waiting room."""
        return self._own[0].refusal

    @property
    def ending(self) -> Ending | None:
        """How it ended for this computer; None before."""
        return self._own[0].ending if self.driver is None else self.driver.ending

    def describe(self, advert: TableAdvert) -> TableAdvert:
        """The advert of the waiting room as it is now; names and addresses stay."""
        offer = self.lobby.offer
        now = replace(advert, seats=offer.capacity, taken=self.lobby.taken, state=TableState.OPEN)
        return with_rules(now, offer.ruleset)

    # ---- the waiting room -------------------------------------------------------------------

    @property
    def own_seat(self) -> WaitingSeat:
        """The host's own."""
        return self._own[0]

    def ready(self, ready: bool) -> None:
        """Say whether the host itself may begin."""
        self._own[0].ready(ready)
        self._pump()

    def seat_bot(self, bot: OwnSeat) -> bool:
        """Let another bot of this computer sit down; whether there was room for it."""
        if self.driver is not None or self.lobby.taken >= self.lobby.offer.capacity:
            return False
        peer = self._next_peer
        self._next_peer += 1
        self.lobby.expect(bot.identity.public)
        self._own[peer] = self._seat(peer, bot)
        self._own[peer].begin(VERSION)
        self._pump()
        return self.lobby.seat_of(peer) is not None

    def send_away(self, seat: int) -> bool:
        """Free a seat of the waiting room, a bot's or a guest's; whether that was done."""
        peer = self.lobby.peer_at(seat)
        if self.driver is not None or not peer:
            return False
        if peer in self._own:
            del self._own[peer]
            self._room(lambda: self.lobby.left(peer, self._loop.time()))
        else:
            self._room(lambda: self.lobby.kick(peer, self._loop.time()))
        return True

    def send_spectator_away(self, identity: bytes) -> None:
        """Let this person not watch any more, nor come back; while it plays too."""
        if self.driver is not None:
            self.driver.send_spectator_away(identity)
            return
        for peer, each in self.lobby.watching.items():
            if each.identity == identity:
                now = self._loop.time()
                self.doorkeeper.send_away(identity, self._guests[peer].address, now)
                self._room(partial(self.lobby.kick, peer, now))

    def allow_spectators(self, allowed: bool) -> None:
        """Let people watch from now on, or nobody; while it plays too."""
        if self.driver is not None:
            self.driver.allow_spectators(allowed)
        else:
            self.doorkeeper.allow_spectators(allowed)
            self._room(lambda: self.lobby.allow_spectators(allowed, self._loop.time()))

    def move_up(self, seat: int) -> None:
        """Let a seat of the waiting room and the one before it change places."""
        self._room(lambda: self.lobby.move_up(seat))

    def change_rules(self, ruleset: Ruleset, capacity: int) -> RulesRefusal | None:
        """Change rules and seats of the waiting room. Returns why not, or None.

        Everybody has to be ready again.
        """
        why = self.lobby.why_not_rules(ruleset, capacity)
        if why is None:
            self._room(lambda: self.lobby.change_rules(ruleset, capacity))
        return why

    def start(self) -> None:
        """Begin with those who are here, if the rules can be played so and all are ready."""
        self._room(lambda: self.lobby.start(self._loop.time()))

    def _room(self, work: Callable[[], list[Output]]) -> None:
        def do() -> None:
            if self.driver is None:
                self._do(work())
                self._refresh_advert()

        self._to_do.append(do)
        self._pump()

    # ---- life -------------------------------------------------------------------------------

    def begin(self) -> None:
        """Seat the host and its bots."""
        for seat in self._own.values():
            seat.begin(VERSION)
        self._pump()

    async def wait(self) -> None:
        """Until the log is closed and everybody has it, or has had time for it.

        Also returns when the waiting room closed: then no transcript was begun. Raises what made
        it impossible to go on: a `StoreError`, or a mistake of the program.
        """
        try:
            await self._over.wait()
            if self.driver is not None:
                await see_out(self.driver)
        except asyncio.CancelledError:
            self._hurried = True
            raise
        failure = self._failure or (None if self.driver is None else self.driver.failure)
        if failure is not None:
            raise failure

    async def leave(self) -> None:
        """Leave the table, which goes on under another host where it can; else it ends."""
        if self.driver is None:
            self.stop()
            return
        await depart(self.driver)

    def dismiss_players(self) -> None:
        """Say goodbye to everybody with a seat; whoever watches may stay."""
        for peer in list(self._guests):
            if self.lobby.seat_of(peer) is not None:
                self._part(peer)

    async def watched_by(self, identities: frozenset[bytes]) -> None:
        """Until all of these have come, and gone again after the log was closed."""
        while not identities <= self._went_after:
            self._somebody_went.clear()
            await self._somebody_went.wait()

    def stop(self) -> None:
        """End the table, as cleanly as it can be ended now."""
        self._to_do.append(self._stop)
        self._pump()

    async def close(self) -> None:
        """End everything that runs, whatever goes wrong on the way; say goodbye to everybody.

        Takes a few seconds at most; less if `wait` was cancelled: then connections are cut.
        """
        self._closing = True
        if self._hurried:
            for channel in self._guests.values():
                channel.abort()
            if self.driver is not None:
                self.driver.cut()
        if self._timer is not None:
            self._timer.cancel()
        async with AsyncExitStack() as last_first:
            if self.driver is not None:
                last_first.push_async_callback(self.driver.close)
            else:
                last_first.callback(self._setup.records.close)
            last_first.push_async_callback(self._part_from_all)
            if self._hosting is not None:
                if self.server is not None:
                    last_first.push_async_callback(self.server.close)
                last_first.push_async_callback(self._hosting.close)
            else:
                last_first.push_async_callback(self._close_door)

    async def _close_door(self) -> None:
        """Close a waiting room: after the goodbye the host answers no probe any more."""
        closing = [] if self.server is None else [self.server.close()]
        if self.advert is not None:
            closing.append(self.advert.withdraw())
        # All of it is waited for, whatever fails.
        for result in await asyncio.gather(*closing, return_exceptions=True):
            if isinstance(result, BaseException):
                raise result

    async def _part_from_all(self) -> None:
        await asyncio.gather(*self._partings, return_exceptions=True)

    async def serve(self, channel: Channel) -> None:
        """One guest, from its handshake to its goodbye."""
        peer = self._next_peer
        self._next_peer += 1
        self._guests[peer] = channel
        self._reserve()
        allowance = Allowance(channel.limits, self._loop.time(), plays=False)
        idle: asyncio.TimerHandle | None = None
        if self.driver is not None:
            self._links[peer] = self.driver.linked(channel)
        else:
            _log.info(
                "in from %s (%s)", channel.address, short(channel.identity), extra=by(channel)
            )
            idle = self._loop.call_later(IDLE_SECONDS, self._thin_out, peer)
        try:
            async for data in channel:
                goodbye = self._hear(peer, data, allowance)
                if goodbye is not None:
                    why = channel.address, goodbye.name
                    _log.info("ended with %s: %s", *why, extra=by(channel))
                    await channel.close(goodbye)
                    return
        except Unreadable:
            _log.info("ended with %s: no message", channel.address, extra=by(channel))
            await channel.close(Goodbye.PROTOCOL)
        finally:
            if idle is not None:
                idle.cancel()
            # Behind what it said before it went.
            self._to_do.append(lambda: self._left(peer))
            self._pump()

    # ---- inside -----------------------------------------------------------------------------

    def _reserve(self) -> None:
        """Keep places at the door for those who sit in the waiting room."""
        if self.driver is None and self.server is not None:
            seated = [
                channel
                for peer, channel in self._guests.items()
                if self.lobby.seat_of(peer) is not None
            ]
            identities = [each.identity for each in seated]
            self.server.reserve(identities, [each.address for each in seated], self._is_idle)

    def _is_idle(self, channel: Channel) -> bool:
        """Whether a connection belongs to nobody who sits or watches."""
        strangers = self._strangers()
        return any(each is channel and peer in strangers for peer, each in self._guests.items())

    def _strangers(self) -> list[Peer]:
        here = self.lobby.watching
        return [
            each
            for each in self._guests.keys() - self._sent_away
            if each not in here and self.lobby.seat_of(each) is None
        ]

    def _thin_out(self, peer: Peer) -> None:
        """Somebody has been here for a while: nobody takes the connections of all others."""
        strangers = self._strangers()
        # Once it plays, the machines of the table do the same in their own way.
        if self.driver is None and peer in strangers and len(strangers) > MOST_STRANGERS:
            self._part(peer)

    def _hear(self, peer: Peer, data: bytes, allowance: Allowance) -> Goodbye | None:
        """Take a message of a guest; what to say goodbye with if it must go."""
        if self.driver is not None and peer in self._links:
            return self.driver.hear(self._links[peer], data)
        message = from_peer(data)
        if not allowance.take(message, self._loop.time()):
            return Goodbye.FLOOD
        self._to_do.append(partial(self._receive, peer, message))
        self._pump()
        return None

    def _seat(self, peer: Peer, own: OwnSeat) -> WaitingSeat:
        seating = Seating(
            name=own.name,
            lobby=self.lobby.offer.lobby,
            host=self._host.public,
            owner=self._host.public if own.bot else None,
            slow_clock=own.slow_clock,
            avatar=own.avatar,
            pin=self.lobby.offer.pin,
            binding=own.binding,
            order=own.order,
            auto_ready=own.auto_ready,
        )

        def send(message: FromPeer) -> None:
            self._to_do.append(lambda: self._receive(peer, message))
            self._loop.call_soon(self._pump)

        self._players[peer] = PlayedSeat(own.identity, own.player)
        observe = _nothing if own.bot or peer > 0 else WaitingRoomLog(self._observe).see
        return WaitingSeat(
            own.identity,
            seating,
            self._setup.entropy,
            send,
            observe,
            on_end=lambda: self._own_ended(peer),
        )

    def _own_ended(self, peer: Peer) -> None:
        """Without the host's own seat there is no table."""
        seat = self._own[peer]
        if seat.failure is not None:
            self._fail(seat.failure)
        elif peer == 0 and seat.ending is Ending.TURNED_AWAY:
            self._over.set()

    def _pump(self) -> None:
        """Do what waits, one thing after the other, however deep the call that asked for it."""
        if self._pumping or self._failure is not None:
            return
        self._pumping = True
        try:
            while self._to_do and self._failure is None:
                self._to_do.popleft()()
        except Exception as error:  # noqa: BLE001 - timers and guests must not bear it: see `wait`
            self._fail(error)
        finally:
            self._pumping = False
        self._wake_later()

    def _fail(self, error: Exception) -> None:
        """Do nothing more: what could not be kept must not be told to anybody."""
        if self._failure is None:
            self._failure = error
        self._to_do.clear()
        if self.driver is not None:
            self.driver.fail(error)
        self._over.set()

    def _wake_later(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        idle = self.driver is not None or self._failure is not None or self._closing
        if self.lobby.deadline is not None and not idle:
            self._timer = self._loop.call_at(self.lobby.deadline, self._tick)

    def _tick(self) -> None:
        self._to_do.append(lambda: self._do(self.lobby.tick(self._loop.time())))
        self._pump()

    def _receive(self, peer: Peer, message: FromPeer) -> None:
        now = self._loop.time()
        if self.driver is not None:
            return
        if peer not in self._own and (peer not in self._guests or self._locked_out(peer, message)):
            return
        self._do(self.lobby.receive(peer, self._identity(peer), message, now))
        self._refresh_advert()

    def _identity(self, peer: Peer) -> bytes:
        if peer in self._own:
            return self._own[peer].identity
        return self._guests[peer].identity

    def _left(self, peer: Peer) -> None:
        channel = self._guests.pop(peer, None)
        self._sent_away.discard(peer)
        link = self._links.pop(peer, None)
        if self.driver is None:
            if channel is not None:
                who = channel.address, short(channel.identity)
                _log.info("lost %s (%s): %s", *who, ended(channel), extra=by(channel))
            self._do(self.lobby.left(peer, self._loop.time()))
            self._refresh_advert()
            return
        if link is not None:
            self.driver.unlinked(link)
        if channel is not None and self.driver.member.replay.closed is not None:
            self._went_after.add(channel.identity)
            self._somebody_went.set()

    def _stop(self) -> None:
        if self.driver is not None:
            self.driver.stop()
        else:
            self._do(self.lobby.close())
            self._over.set()

    def _locked_out(self, peer: Peer, message: FromPeer) -> bool:
        """Whether somebody was sent away, or gave too many wrong PINs, and is told so."""
        if not isinstance(message, messages.Join | messages.Watch):
            return False
        guest, now = self._guests[peer], self._loop.time()
        who, where, here = guest.identity, guest.address, self.lobby.watching.values()
        why = self.doorkeeper.turns_away(who, where, message, here, now)
        if why is not None:
            self._do([outputs.ToPeer(peer, messages.Refused(why))])
        return why is not None

    # ---- outputs ----------------------------------------------------------------------------

    def _do(self, todo: list[Output]) -> None:
        encoded: dict[int, bytes] = {}
        for output in todo:
            match output:
                case outputs.ToPeer():
                    self._deliver(output.peer, output.message, encoded)
                case outputs.Disconnect():
                    self._part(output.peer)
                case outputs.TableBegan():
                    self._begin_log(output)
                case outputs.SpectatorsChanged():
                    self._observe(output)
                case _:
                    pass
        self._reserve()

    def _deliver(self, peer: Peer, message: FromHost, encoded: dict[int, bytes]) -> None:
        own = self._own.get(peer)
        if own is not None:
            self._to_do.append(lambda: own.hear(message))
            return
        channel = self._guests.get(peer)
        if channel is None:
            return
        if isinstance(message, messages.Refused):
            who = channel.address, short(channel.identity)
            _log.info("refused (%s): %s (%s)", message.why.name, *who, extra=by(channel))
        data = encoded.get(id(message))
        if data is None:
            data = encoded[id(message)] = to_bytes(message)
        with suppress(NetError):  # its reader learns of it too, and ends
            channel.send(data)

    def _part(self, peer: Peer) -> None:
        channel = self._guests.get(peer)
        if channel is not None:
            self._sent_away.add(peer)
            parting = self._loop.create_task(channel.close(Goodbye.REMOVED))
            self._partings.add(parting)
            parting.add_done_callback(self._partings.discard)

    def _begin_log(self, began: outputs.TableBegan) -> None:
        if began.genesis.read().is_tournament:
            # Its tables are opened by those who host them: see tournament_run.py.
            self.tournament = began.genesis
            self._over.set()
            return
        # After everybody was told the genesis, which is in the list being carried out.
        self._to_do.append(lambda: self._begin_play(began.genesis))

    def _begin_play(self, genesis: Genesis) -> None:
        """Hand everybody over to the machines of a table that plays."""
        if self.server is not None:
            self.server.context = genesis.table_id
        self._setup.seats = tuple(
            self._players[peer] for peer in self._own if self.lobby.seat_of(peer) is not None
        )
        self._setup.door, self._setup.doorkeeper = self.server, self.doorkeeper
        port = None if self.server is None else self.server.port
        arrangements = structs.replace(self.lobby.offer.arrangements, port=port)
        self._setup.arrangements = arrangements
        around = self._setup.surroundings or (None if self.advert is None else Surroundings())
        if around is not None and self.server is not None:
            self._hosting = Hosting(
                around,
                genesis,
                self._host,
                arrangements,
                self.server.port,
                self.advert,
            )
            self._setup.hosting = self._hosting.turn
        driver = MemberDriver(genesis, self._setup, self._observe, on_end=self._play_ended)
        watching = self.lobby.watching
        self.driver = driver
        for peer, channel in self._guests.items():
            self._links[peer] = driver.linked(channel)
        driver.begin()
        for peer, each in watching.items():
            driver.watches(self._links[peer], each.name)
        self._over.set()

    def _play_ended(self) -> None:
        if self._hosting is not None:
            self._hosting.over()

    def _refresh_advert(self) -> None:
        if self.advert is not None and self.driver is None:
            self.advert.update(self.describe(self.advert.table))


def _nothing(_event: object) -> None:
    """The host's bots have nobody who looks on."""
