"""A table opened on this computer: its listener, advert and lobby, and the host's own seats.

One event loop runs everything. The host's own seats send the lobby the same messages as guests, but
without a socket. No decision is made here. Once the log begins, a `NodeRuntime` takes over.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from functools import partial
from typing import Final, assert_never

from msgspec import structs

from lanuno.dealing.identity import fingerprint
from lanuno.log.faults import Unreadable
from lanuno.log.format.genesis import VERSION, Genesis
from lanuno.net.discovery.advert import TableAdvert, TableState, with_rules
from lanuno.net.discovery.announcer import Announcer
from lanuno.net.discovery.host_announcer import HostAnnouncer
from lanuno.net.discovery.network_context import NetworkContext
from lanuno.net.errors import Goodbye, NetError
from lanuno.net.runtime.admission import Admission
from lanuno.net.runtime.config import OwnSeat, PlayedSeat, RuntimeConfig
from lanuno.net.runtime.endings import Observer, TableEnding
from lanuno.net.runtime.lobby_seat import LobbySeatRuntime
from lanuno.net.runtime.message_budget import MessageBudget
from lanuno.net.runtime.node_runtime import NodeRuntime
from lanuno.net.runtime.shutdown import finish_table, leave_table
from lanuno.net.runtime.table_logger import LobbyLogger, caused_by, ending_text, short_key
from lanuno.net.transport.channel import Channel
from lanuno.net.transport.listener import Listener
from lanuno.rules.ruleset import Ruleset
from lanuno.table import messages, outputs
from lanuno.table.budget import Budget
from lanuno.table.links import MOST_STRANGERS
from lanuno.table.lobby.host import Lobby, TableOffer
from lanuno.table.lobby.peer import Seating
from lanuno.table.lobby.readiness import RulesRefusal, why_not_for
from lanuno.table.messages import AtTable, LobbyState, from_peer, to_bytes
from lanuno.table.outputs import Link, LobbyHostOutput

IDLE_SECONDS: Final = 10.0
"""Time after which a lobby connection that neither sits nor watches may be closed."""

STATES_RATE: Final = 10.0
STATES_BURST: Final = 40
"""Rate limit for states of the room to each guest. Each change of one guest is sent to all others;
of the states beyond the limit, the newest follows."""

_log = logging.getLogger(__name__)


class LobbyHost:
    """A table opened here. `serve` is the handler for `lanuno.net.transport.listener.listen`."""

    def __init__(
        self,
        offer: TableOffer,
        own: Sequence[OwnSeat],
        config: RuntimeConfig,
        observe: Observer,
    ) -> None:
        """`own` is the host's seat first, then its bots' seats.

        `config.seats` and `config.metadata` are replaced by values from `offer` and `own`.
        """
        bots = frozenset(seat.identity.public for seat in own if seat.bot)
        self.lobby = Lobby(replace(offer, bots=bots))
        self.runtime: NodeRuntime | None = None
        """Set once the log has begun."""
        self.tournament: Genesis | None = None
        """The genesis of a tournament, once all seats of its lobby have signed."""
        self.listener: Listener | None = None
        self.advert: Announcer | None = None
        """The announcer of the table; None before `announce`."""
        self._host, self._name, self._avatar = own[0].identity, own[0].name, own[0].avatar
        self._config = replace(config)
        self._players: dict[Link, PlayedSeat] = {}
        """The host's own seats, as passed to the runtime."""
        self._observe = observe
        self._loop = asyncio.get_running_loop()
        self._guests: dict[Link, Channel] = {}
        self._node_links: dict[Link, Link] = {}
        """The runtime's number for each guest's connection."""
        self._own_seats: dict[Link, LobbySeatRuntime] = {}
        self._budget = MessageBudget()
        self._states = Budget[Link](STATES_RATE, STATES_BURST)
        self._unsent_states: dict[Link, LobbyState] = {}
        """By guest: the newest state of the room, if it has to wait."""
        self._states_timer: asyncio.TimerHandle | None = None
        self._next_link = len(own)
        self._pending: deque[Callable[[], None]] = deque()
        self._running_pending = False
        self._timer: asyncio.TimerHandle | None = None
        self._over = asyncio.Event()
        self._failure: Exception | None = None
        self._closing = False
        self._cancelled = False
        self._network = config.network
        """Where the table is announced; None until `announce`, unless the config names it."""
        self._host_announcer: HostAnnouncer | None = None
        self.admission = Admission(offer.metadata, self._host.public, config.entropy)
        self._disconnecting: set[asyncio.Task[None]] = set()
        self._disconnected: set[Link] = set()
        for link, seat in enumerate(own):
            self._open_own_seat(link, seat)

    # ---- state and advert -------------------------------------------------------------------

    async def announce(self, network: NetworkContext) -> TableAdvert:
        """Announce the table, once its listener is open, and return the advert.

        Raises `NetError`.
        """
        assert self.listener is not None
        self._network = network
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
            port=self.listener.port,
            avatar=self._avatar,
        )
        _log.info("this computer hosts %s on port %d", offer.name, self.listener.port)
        self.advert = announcer = await network.announce(self.describe(advert))
        if self._host_announcer is not None:
            # The bots filled the table before it was announced.
            self._host_announcer.take_over(announcer)
        else:
            self._refresh_advert()
        return announcer.table

    @property
    def refusal(self) -> messages.LobbyRefusal | None:
        """Why the host's own seat was turned away from the lobby."""
        return self._own_seats[0].refusal

    @property
    def ending(self) -> TableEnding | None:
        """Why this node's time at the table has ended; None before."""
        return self._own_seats[0].ending if self.runtime is None else self.runtime.ending

    def describe(self, advert: TableAdvert) -> TableAdvert:
        """Update an advert to the current seats and rules of the lobby."""
        offer = self.lobby.offer
        current = replace(
            advert, seats=offer.capacity, taken=self.lobby.taken, state=TableState.OPEN
        )
        return with_rules(current, offer.ruleset)

    # ---- the lobby --------------------------------------------------------------------------

    @property
    def own_seat(self) -> LobbySeatRuntime:
        """The host's own seat in the lobby."""
        return self._own_seats[0]

    def ready(self, shown: LobbyState | None = None) -> None:
        """Make the host's own seat ready for the room that its player saw; None: as it is now."""
        self._own_seats[0].ready(True, shown)
        self._run_pending()

    def seat_bot(self, bot: OwnSeat) -> bool:
        """Seat another bot of this node. Return whether there was room, and the rules allow it."""
        offer = self.lobby.offer
        if self.runtime is not None or self.lobby.taken >= offer.capacity:
            return False
        if why_not_for(offer.ruleset, offer.capacity, self.lobby.taken, bots=True) is not None:
            return False
        link = self._next_link
        self._next_link += 1
        self.lobby.expect(bot.identity.public)
        self._open_own_seat(link, bot).begin(VERSION)
        self._run_pending()
        return self.lobby.seat_of(link) is not None

    def send_away(self, identity: bytes) -> bool:
        """Send away a person or a bot, in the lobby, or a spectator during the game.

        A person cannot sit or watch here again, unless let in. Returns False if that is not
        possible: the host itself, or a player once the log has begun.
        """
        if self.runtime is not None:
            return self.runtime.send_away(identity)
        link, now = self.lobby.link_of(identity), self._loop.time()
        if link == 0:
            return False
        if link in self._own_seats:
            self._own_seats.pop(link)
            self._change_lobby(lambda: self.lobby.link_down(link, now))
            return True
        watching = [self._guests[each].address for each in self.lobby.watching if each == link]
        self.admission.ban(identity, watching, now)
        if link is not None:
            self._change_lobby(lambda: self.lobby.kick(link, now))
        return True

    def let_in(self, identity: bytes) -> None:
        """Let a person sit or watch again who was sent away."""
        self.admission.let_in(identity)

    def allow_spectators(self, allowed: bool) -> None:
        """Set whether spectators are admitted, in the lobby or during the game."""
        if self.runtime is not None:
            self.runtime.allow_spectators(allowed)
        else:
            self._change_lobby(lambda: self._allow_spectators(allowed))

    def _allow_spectators(self, allowed: bool) -> list[LobbyHostOutput]:
        out = self.lobby.allow_spectators(allowed, self._loop.time())
        self.admission.allow_spectators(self.lobby.offer.spectators)
        return out

    def move_up(self, identity: bytes) -> None:
        """Swap the seat of a person or a bot with the previous one."""
        self._change_lobby(lambda: self.lobby.move_up(identity))

    def change_rules(self, ruleset: Ruleset, capacity: int) -> RulesRefusal | None:
        """Change the rules and the number of seats. Return why that is refused, or None.

        All players must declare themselves ready again.
        """
        refusal = self.lobby.why_not_rules(ruleset, capacity)
        if refusal is None:
            self._change_lobby(lambda: self.lobby.change_rules(ruleset, capacity))
        return refusal

    def start(self) -> None:
        """Start with the seated players, if the rules allow their number and all are ready."""
        self._change_lobby(lambda: self.lobby.start(self._loop.time()))

    def _change_lobby(self, work: Callable[[], list[LobbyHostOutput]]) -> None:
        def do() -> None:
            if self.runtime is None:
                self._carry_out(work())
                self._refresh_advert()

        self._run_soon(do)

    # ---- life -------------------------------------------------------------------------------

    def begin(self) -> None:
        """Seat the host and its bots."""
        for seat in self._own_seats.values():
            seat.begin(VERSION)
        self._run_pending()

    async def wait(self) -> None:
        """Wait until the log is closed and every node has it, or has had time to get it.

        Also returns when the lobby closes, without a transcript. Raises the failure of this node:
        a `StoreError`, or the exception of a bug.
        """
        try:
            await self._over.wait()
            if self.runtime is not None:
                await finish_table(self.runtime)
        except asyncio.CancelledError:
            self._cancelled = True
            raise
        failure = self._failure or (None if self.runtime is None else self.runtime.failure)
        if failure is not None:
            raise failure

    async def leave(self) -> None:
        """Leave the table. It continues under another host if possible, or else ends."""
        if self.runtime is None:
            self.stop()
            return
        await leave_table(self.runtime)

    def dismiss_players(self) -> None:
        """Say goodbye to all guests with a seat. Spectators may stay."""
        for link in list(self._guests):
            if self.lobby.seat_of(link) is not None:
                self._disconnect(link)

    def stop(self) -> None:
        """End the table as cleanly as possible now."""
        self._run_soon(self._stop)

    async def close(self) -> None:
        """Stop all work, even after errors, and say goodbye to everybody.

        Takes a few seconds at most. If `wait` was cancelled, connections are cut instead.
        """
        self._closing = True
        if self._cancelled:
            for channel in self._guests.values():
                channel.abort()
            if self.runtime is not None:
                self.runtime.cut_off()
        for timer in (self._timer, self._states_timer):
            if timer is not None:
                timer.cancel()
        async with AsyncExitStack() as last_first:
            if self.runtime is not None:
                last_first.push_async_callback(self.runtime.close)
            else:
                last_first.callback(self._config.records.close)
            last_first.push_async_callback(self._finish_disconnecting)
            if self._host_announcer is not None:
                if self.listener is not None:
                    last_first.push_async_callback(self.listener.close)
                last_first.push_async_callback(self._host_announcer.close)
            else:
                last_first.push_async_callback(self._close_lobby)
            if self.runtime is not None:
                last_first.push_async_callback(self.runtime.finish_writing)

    async def _close_lobby(self) -> None:
        """Close a lobby. After its goodbye the host must not answer a probe."""
        closing = [] if self.listener is None else [self.listener.close()]
        if self.advert is not None:
            closing.append(self.advert.withdraw())
        # Wait for both, even if one fails.
        for result in await asyncio.gather(*closing, return_exceptions=True):
            if isinstance(result, BaseException):
                raise result

    async def _finish_disconnecting(self) -> None:
        await asyncio.gather(*self._disconnecting, return_exceptions=True)

    async def serve(self, channel: Channel) -> None:
        """Serve one guest from the end of its handshake to its goodbye."""
        link = self._next_link
        self._next_link += 1
        self._guests[link] = channel
        self._reserve()
        idle: asyncio.TimerHandle | None = None
        if self.runtime is not None:
            self._node_links[link] = self.runtime.linked(channel)
        else:
            _log_guest(channel, "in from %s (%s)", *_who(channel))
            idle = self._loop.call_later(IDLE_SECONDS, self._drop_idle, link)
        try:
            async for data in channel:
                goodbye = await self._take(link, channel, data)
                if goodbye is not None:
                    closed = "closed the connection of %s: %s"
                    _log_guest(channel, closed, channel.address, goodbye.name)
                    await channel.close(goodbye)
                    return
        except Unreadable:
            closed = "closed the connection of %s: unreadable message"
            _log_guest(channel, closed, channel.address)
            await channel.close(Goodbye.PROTOCOL)
        finally:
            if idle is not None:
                idle.cancel()
            # Queued, because its last messages may still be pending.
            self._run_soon(lambda: self._guest_left(link))

    # ---- helpers ----------------------------------------------------------------------------

    def _reserve(self) -> None:
        """Reserve connections at the listener for guests with a seat in the lobby."""
        if self.runtime is None and self.listener is not None:
            guests = self._guests.items()
            seated = [each for link, each in guests if self.lobby.seat_of(link) is not None]
            identities = [each.identity for each in seated]
            self.listener.reserve(identities, [each.address for each in seated], self._is_idle)

    def _is_idle(self, channel: Channel) -> bool:
        """Whether a connection belongs to neither a player nor a spectator."""
        strangers = self._strangers()
        return any(each is channel and link in strangers for link, each in self._guests.items())

    def _strangers(self) -> list[Link]:
        spectators = self.lobby.watching
        return [
            each
            for each in self._guests.keys() - self._disconnected
            if each not in spectators and self.lobby.seat_of(each) is None
        ]

    def _drop_idle(self, link: Link) -> None:
        """Close a connection without a seat, if there are too many of them."""
        strangers = self._strangers()
        # Once the log has begun, the node limits such connections.
        if self.runtime is None and link in strangers and len(strangers) > MOST_STRANGERS:
            self._disconnect(link)

    async def _take(self, link: Link, channel: Channel, data: bytes) -> Goodbye | None:
        """Process a guest's message as soon as it may send one more.

        Returns the reason if the connection must be closed.
        """
        if self.runtime is not None and link in self._node_links:
            return await self.runtime.take(self._node_links[link], data)
        message = from_peer(data)
        goodbye = await self._budget.wait_for_turn(channel, message, plays=False)
        if goodbye is None:
            self._run_soon(partial(self._receive, link, message))
        return goodbye

    def _open_own_seat(self, link: Link, own: OwnSeat) -> LobbySeatRuntime:
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
            expected=own.expected,
        )

        def send(message: AtTable) -> None:
            self._pending.append(lambda: self._receive(link, message))
            self._loop.call_soon(self._run_pending)

        self._players[link] = PlayedSeat(own.identity, own.player)
        observe = _ignore if own.bot or link > 0 else LobbyLogger(self._observe).observe
        entropy, on_end = self._config.entropy, lambda: self._own_seat_ended(link)
        opened = LobbySeatRuntime(own.identity, seating, entropy, send, observe, on_end=on_end)
        self._own_seats[link] = opened
        return opened

    def _own_seat_ended(self, link: Link) -> None:
        """Close the table if an own seat failed or the host's seat was turned away."""
        seat = self._own_seats[link]
        if seat.failure is not None:
            self._fail(seat.failure)
        elif link == 0 and seat.ending is TableEnding.TURNED_AWAY:
            self._over.set()

    def _run_soon(self, work: Callable[[], None]) -> None:
        """Run this after the pending work."""
        self._pending.append(work)
        self._run_pending()

    def _run_pending(self) -> None:
        """Run pending work in order, never nested in other work."""
        if self._running_pending or self._failure is not None:
            return
        self._running_pending = True
        try:
            while self._pending and self._failure is None:
                self._pending.popleft()()
        except Exception as error:  # noqa: BLE001 - `wait` raises it, not a timer or a guest
            self._fail(error)
        finally:
            self._running_pending = False
        self._schedule_tick()

    def _fail(self, error: Exception) -> None:
        """Stop for good, because nothing may be sent that is not on this node's disk."""
        if self._failure is None:
            self._failure = error
        self._pending.clear()
        if self.runtime is not None:
            self.runtime.fail(error)
        self._over.set()

    def _schedule_tick(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        idle = self.runtime is not None or self._failure is not None or self._closing
        if self.lobby.deadline is not None and not idle:
            self._timer = self._loop.call_at(self.lobby.deadline, self._tick)

    def _tick(self) -> None:
        self._run_soon(lambda: self._carry_out(self.lobby.tick(self._loop.time())))

    def _receive(self, link: Link, message: AtTable) -> None:
        now = self._loop.time()
        guest = self._guests.get(link)
        if guest is not None and isinstance(message, messages.BeginPinProof | messages.ConfirmPin):
            self._deliver(link, self.admission.prove(guest, message, now))
            return
        if self.runtime is not None:
            return
        own = link in self._own_seats
        if not own and (link not in self._guests or self._is_refused(link, message)):
            return
        if guest is not None and isinstance(message, messages.Ready):
            # A guest gives a signature up only after a state that has it as ready.
            self._send_state(link, guest)
        sender = self._own_seats.get(link) or self._guests[link]
        address = "" if own else self._guests[link].address
        self._carry_out(self.lobby.receive(link, sender.identity, message, now, address))
        self._refresh_advert()

    def _let_wait(self, link: Link) -> None:
        """Keep a guest that has broken off a start away for a while."""
        guest = self._guests.get(link)
        if guest is not None:
            _log_guest(guest, "%s (%s) has broken off the start", *_who(guest))
            self.admission.let_wait(guest.identity, guest.address, self._loop.time())

    def _guest_left(self, link: Link) -> None:
        channel = self._guests.get(link)
        self._disconnected.discard(link)
        node_link = self._node_links.pop(link, None)
        if channel is not None:
            self.admission.left(channel, self._loop.time())
        if self.runtime is None:
            if channel is not None:
                _log_guest(channel, "lost %s (%s): %s", *_who(channel), ending_text(channel))
            self._carry_out(self.lobby.link_down(link, self._loop.time()))
            self._refresh_advert()
        # Only now: a guest that breaks off a start by leaving has to wait, too.
        self._guests.pop(link, None)
        self._unsent_states.pop(link, None)
        if self.runtime is not None and node_link is not None:
            self.runtime.unlinked(node_link)

    def _stop(self) -> None:
        if self.runtime is not None:
            self.runtime.stop()
        else:
            self._carry_out(self.lobby.close())
            self._over.set()

    def _is_refused(self, link: Link, message: AtTable) -> bool:
        """Refuse a guest that is banned or has not proved the PIN. Return whether it did."""
        if not isinstance(message, messages.Join | messages.Watch):
            return False
        if self.lobby.seat_of(link) is not None:
            return False  # it joins again because a start was broken off
        guest, now = self._guests[link], self._loop.time()
        identity, address, spectators = guest.identity, guest.address, self.lobby.watching.values()
        refusal = self.admission.refusal(identity, address, message, spectators, now)
        if refusal is not None:
            self._carry_out([outputs.Send(link, messages.Refused(refusal))])
        return refusal is not None

    # ---- outputs ----------------------------------------------------------------------------

    def _carry_out(self, todo: Sequence[LobbyHostOutput]) -> None:
        for output in todo:
            match output:
                case outputs.Send():
                    self._deliver(output.link, output.message)
                case outputs.CloseLink():
                    self._disconnect(output.link)
                case outputs.TableBegan():
                    self._begin_log(output)
                case outputs.SpectatorsChanged():
                    self._observe(output)
                case outputs.StartBroken():
                    self._let_wait(output.link)
                case _:
                    assert_never(output)
        self._reserve()

    def _deliver(self, link: Link, message: AtTable) -> None:
        own = self._own_seats.get(link)
        if own is not None:
            self._pending.append(lambda: own.receive(message))
            return
        channel = self._guests.get(link)
        if channel is None:
            return
        if isinstance(message, LobbyState):
            self._unsent_states[link] = message
            if self._states.open(link, self._loop.time()):
                self._send_state(link, channel)
            elif self._states_timer is None and not self._closing:
                self._states_timer = self._loop.call_later(1 / STATES_RATE, self._send_states)
            return
        # What follows a state may be about it.
        self._send_state(link, channel)
        if isinstance(message, messages.Refused):
            _log_guest(channel, "refused (%s): %s (%s)", message.why.name, *_who(channel))
        _send(channel, message)

    def _send_states(self) -> None:
        """Send the newest state to all guests to which it was not sent."""
        self._states_timer = None
        for link in list(self._unsent_states):
            self._send_state(link, self._guests[link])

    def _send_state(self, link: Link, channel: Channel) -> None:
        state = self._unsent_states.pop(link, None)
        if state is not None:
            self._states.spend(link, 1, self._loop.time())
            _send(channel, state)

    def _disconnect(self, link: Link) -> None:
        channel = self._guests.get(link)
        if channel is not None:
            self._disconnected.add(link)
            closing = self._loop.create_task(channel.close(Goodbye.REMOVED))
            self._disconnecting.add(closing)
            closing.add_done_callback(self._disconnecting.discard)

    def _begin_log(self, began: outputs.TableBegan) -> None:
        if began.genesis.read().is_tournament:
            # Each table of the tournament is opened by its own host: see tournament_run.py.
            self.tournament = began.genesis
            self._over.set()
            return
        # Queued until the genesis has been sent, which the current list of outputs does.
        self._pending.append(lambda: self._begin_play(began.genesis))

    def _begin_play(self, genesis: Genesis) -> None:
        """Pass all connections to the runtime of the table as its log begins."""
        if self.listener is not None:
            self.listener.context = genesis.table_id
        self._config.seats = tuple(
            self._players[link] for link in self._own_seats if self.lobby.seat_of(link) is not None
        )
        self._config.listener, self._config.admission = self.listener, self.admission
        port = None if self.listener is None else self.listener.port
        metadata = structs.replace(self.lobby.offer.metadata, port=port)
        self._config.metadata = metadata
        if self._network is not None and self.listener is not None:
            port = self.listener.port
            self._host_announcer = HostAnnouncer(
                self._network, genesis, self._host, metadata, port, self.advert
            )
            self._config.on_hosting_changed = self._host_announcer.set_active
        runtime = NodeRuntime(genesis, self._config, self._observe, on_end=self._play_ended)
        spectators = self.lobby.watching
        self.runtime = runtime
        for link, channel in self._guests.items():
            self._node_links[link] = runtime.linked(channel)
        runtime.begin()
        for link, each in spectators.items():
            runtime.add_spectator(self._node_links[link], each.name)
        self._over.set()

    def _play_ended(self) -> None:
        if self._host_announcer is not None:
            self._host_announcer.match_over()

    def _refresh_advert(self) -> None:
        if self.advert is not None and self.runtime is None:
            self.advert.update(self.describe(self.advert.table))


def _log_guest(channel: Channel, line: str, *details: str) -> None:
    """Log something that a guest can cause at will."""
    _log.info(line, *details, extra=caused_by(channel))


def _send(channel: Channel, message: AtTable) -> None:
    with suppress(NetError):  # its reader receives the same error, and ends
        channel.send(to_bytes(message))


def _who(channel: Channel) -> tuple[str, str]:
    return channel.address, short_key(channel.identity)


def _ignore(_event: object) -> None:
    """Discard the events of a bot."""
