"""The host's side of a table on the network: the door, the advert, the office, and its own seats.

One event loop runs everything. The host's own seats speak to its office by the same messages as
everybody else, without a socket; nothing is decided here.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from lanuno.dealing.identity import Identity
from lanuno.log import bodies
from lanuno.log.faults import Unreadable
from lanuno.log.genesis import VERSION, Binding, Genesis
from lanuno.net.channel import Channel
from lanuno.net.errors import Goodbye, NetError
from lanuno.net.presence import Presence
from lanuno.net.rate import TokenBucket
from lanuno.net.records import Records
from lanuno.net.seat_driver import Ending, Observer, SeatDriver, SeatFiles
from lanuno.net.server import Server
from lanuno.net.txt import TableAdvert, TableState
from lanuno.table import messages, outputs
from lanuno.table.lobby import MAX_SPECTATORS, Lobby, TableOffer
from lanuno.table.lobby_peer import Seating
from lanuno.table.messages import FromHost, FromPeer, LobbyPhase, from_peer, to_bytes
from lanuno.table.outputs import Output, Peer
from lanuno.table.sequencer import Sequencer

LAST_ENTRY_SECONDS: Final = 5.0
"""How long the host waits for everybody to have the closing entry."""

STEPS_RATE: Final = 400.0
STEPS_BURST: Final = 2_000
"""Automatic messages of one peer: what an honest client sends while cards are dealt, and room."""

PIN_TRIES: Final = 5
PIN_LOCK_SECONDS: Final = 60.0
PIN_ADDRESSES: Final = 1_024
"""So many addresses that gave a wrong PIN are remembered; then the oldest is forgotten."""


@dataclass(frozen=True, slots=True)
class OwnSeat:
    """A seat that is played on the host's computer."""

    identity: Identity
    name: str
    files: SeatFiles
    bot: bool = False
    slow_clock: bool = False
    binding: Binding | None = None
    """At a table of a tournament: what it is bound to."""
    order: tuple[bytes, ...] = ()
    """The same: who sits where."""


@dataclass(slots=True)
class _Guest:
    """A connected peer."""

    channel: Channel
    moves: TokenBucket
    steps: TokenBucket


class TableHost:
    """One table, hosted here. `serve` is the handler for `lanuno.net.server.listen`."""

    def __init__(
        self,
        offer: TableOffer,
        host: Identity,
        own: Sequence[OwnSeat],
        records: Records,
        observe: Observer,
        *,
        rounds: int | None = None,
    ) -> None:
        """`own`: the host's seat first. `records`: the table's transcript. `rounds`: how many."""
        bots = frozenset(seat.identity.public for seat in own if seat.bot)
        self.lobby = Lobby(replace(offer, bots=bots))
        self.sequencer: Sequencer | None = None
        self.tournament: Genesis | None = None
        """Set when the waiting room was that of a tournament, and all have signed."""
        self.server: Server | None = None
        self.advert: Presence | None = None
        self._host = host
        self._records = records
        self._observe = observe
        self._rounds = rounds
        self._loop = asyncio.get_running_loop()
        self._guests: dict[Peer, _Guest] = {}
        self._own: dict[Peer, SeatDriver] = {}
        self._next_peer = len(own)
        self._to_do: deque[Callable[[], None]] = deque()
        self._pumping = False
        self._timer: asyncio.TimerHandle | None = None
        self._over = asyncio.Event()
        self._went_after: set[bytes] = set()
        self._somebody_went = asyncio.Event()
        self._settled = asyncio.Event()
        self._failure: Exception | None = None
        self._closing = False
        self._hurried = False
        self._wrong_pins: dict[str, tuple[int, float]] = {}
        self._partings: set[asyncio.Task[None]] = set()
        for peer, seat in enumerate(own):
            self._own[peer] = self._seat(peer, seat)

    # ---- what it stands at ------------------------------------------------------------------

    @property
    def seats(self) -> tuple[SeatDriver, ...]:
        """The drivers of the host's own seats."""
        return tuple(self._own.values())

    def describe(self, advert: TableAdvert) -> TableAdvert:
        """The advert of the table as it is now; names and addresses stay."""
        closed = self.sequencer is not None and self.sequencer.replay.closed is not None
        if self.lobby.phase is not LobbyPhase.PLAYING:
            state = TableState.OPEN
        else:
            state = TableState.OVER if closed else TableState.PLAYING
        genesis = self.lobby.genesis
        identifier = self.lobby.offer.lobby if genesis is None else genesis.table_id
        return replace(advert, id=identifier, taken=self.lobby.taken, state=state)

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
            if self.sequencer is not None and self._failure is None:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._settled.wait(), LAST_ENTRY_SECONDS)
        except asyncio.CancelledError:
            self._hurried = True
            raise
        if self._failure is not None:
            raise self._failure

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
            for guest in self._guests.values():
                guest.channel.abort()
        if self._timer is not None:
            self._timer.cancel()
        async with AsyncExitStack() as last_first:
            last_first.callback(self._records.close)
            for seat in self._own.values():
                last_first.push_async_callback(seat.close)
            last_first.push_async_callback(self._part_from_all)
            if self.server is not None:
                last_first.push_async_callback(self.server.close)
            if self.advert is not None:
                last_first.push_async_callback(self.advert.withdraw)

    async def _part_from_all(self) -> None:
        await asyncio.gather(*self._partings, return_exceptions=True)

    async def serve(self, channel: Channel) -> None:
        """One guest, from its handshake to its goodbye."""
        peer = self._next_peer
        self._next_peer += 1
        limits, now = channel.limits, self._loop.time()
        guest = _Guest(
            channel,
            TokenBucket(limits.rate, limits.burst, now),
            TokenBucket(STEPS_RATE, STEPS_BURST, now),
        )
        self._guests[peer] = guest
        try:
            async for data in channel:
                message = from_peer(data)
                if not self._may_send(guest, message):
                    await channel.close(Goodbye.FLOOD)
                    return
                self._to_do.append(partial(self._receive, peer, message))
                self._pump()
        except Unreadable:
            await channel.close(Goodbye.PROTOCOL)
        finally:
            # Behind what it said before it went.
            self._to_do.append(lambda: self._left(peer))
            self._pump()

    # ---- inside -----------------------------------------------------------------------------

    def _seat(self, peer: Peer, own: OwnSeat) -> SeatDriver:
        seating = Seating(
            name=own.name,
            lobby=self.lobby.offer.lobby,
            host=self._host.public,
            owner=self._host.public if own.bot else None,
            slow_clock=own.slow_clock,
            pin=self.lobby.offer.pin,
            binding=own.binding,
            order=own.order,
        )

        def send(message: FromPeer) -> None:
            self._to_do.append(lambda: self._receive(peer, message))
            self._loop.call_soon(self._pump)

        quiet = own.bot or peer > 0
        observe = _nothing if quiet else self._observe
        return SeatDriver(own.identity, seating, own.files, send, observe, on_end=self._own_ended)

    def _own_ended(self, seat: SeatDriver) -> None:
        """Without the host's own seat there is no table."""
        if seat.failure is not None:
            self._fail(seat.failure)
        elif seat is self._own[0] and seat.ending is Ending.TURNED_AWAY:
            self._over.set()
        elif seat is self._own[0] and seat.ending is Ending.STOPPED:
            self.stop()

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
        if self.sequencer is not None and self.sequencer.settled:
            self._settled.set()

    def _fail(self, error: Exception) -> None:
        """Do nothing more: what could not be kept must not be told to anybody."""
        if self._failure is None:
            self._failure = error
        self._to_do.clear()
        self._over.set()
        self._settled.set()

    def _wake_later(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        machine = self.sequencer or self.lobby
        if machine.deadline is not None and self._failure is None and not self._closing:
            self._timer = self._loop.call_at(machine.deadline, self._tick)

    def _tick(self) -> None:
        machine = self.sequencer or self.lobby
        self._to_do.append(lambda: self._do(machine.tick(self._loop.time())))
        self._pump()

    def _receive(self, peer: Peer, message: FromPeer) -> None:
        now = self._loop.time()
        if peer not in self._own and (peer not in self._guests or self._locked_out(peer, message)):
            return
        if self.sequencer is None:
            self._do(self.lobby.receive(peer, self._identity(peer), message, now))
        elif not isinstance(message, messages.Watch) or self._may_watch(peer, message):
            self._do(self.sequencer.receive(peer, message, now))
        self._refresh_advert()

    def _identity(self, peer: Peer) -> bytes:
        if peer in self._own:
            return self._own[peer].identity
        return self._guests[peer].channel.identity

    def _left(self, peer: Peer) -> None:
        now = self._loop.time()
        guest = self._guests.pop(peer, None)
        if self.sequencer is not None:
            if guest is not None and self.sequencer.replay.closed is not None:
                self._went_after.add(guest.channel.identity)
                self._somebody_went.set()
            self._do(self.sequencer.left(peer, now))
        else:
            self._do(self.lobby.left(peer, now))
        self._refresh_advert()

    def _stop(self) -> None:
        if self.sequencer is not None:
            self._do(self.sequencer.stop(self._loop.time()))
        else:
            self._do(self.lobby.close())
        self._over.set()

    def _may_watch(self, peer: Peer, message: messages.Watch) -> bool:
        """The limits of watching a table that plays."""
        offer = self.lobby.offer
        why: messages.LobbyRefusal | None = None
        if message.version != VERSION:
            why = messages.LobbyRefusal.OTHER_VERSION
        elif not offer.pin_is(message.pin):
            why = messages.LobbyRefusal.WRONG_PIN
        elif self.sequencer is None or not offer.spectators or self._watchers_full():
            why = messages.LobbyRefusal.NO_SPECTATORS
        if why is not None:
            self._do([outputs.ToPeer(peer, messages.Refused(why))])
        return why is None

    def _watchers_full(self) -> bool:
        return self.sequencer is not None and self.sequencer.watchers >= MAX_SPECTATORS

    def _locked_out(self, peer: Peer, message: FromPeer) -> bool:
        """Five wrong PINs lock an address for a minute."""
        offer = self.lobby.offer
        if not isinstance(message, messages.Join | messages.Watch) or not offer.pin:
            return False
        address, now = self._guests[peer].channel.address, self._loop.time()
        tries, since = self._wrong_pins.get(address, (0, now))
        if now - since >= PIN_LOCK_SECONDS:
            tries = 0
        if tries >= PIN_TRIES:
            self._do([outputs.ToPeer(peer, messages.Refused(messages.LobbyRefusal.WRONG_PIN))])
            return True
        if not offer.pin_is(message.pin):
            self._wrong_pins.pop(address, None)
            self._wrong_pins[address] = (tries + 1, now)
            if len(self._wrong_pins) > PIN_ADDRESSES:
                del self._wrong_pins[next(iter(self._wrong_pins))]
        return False

    def _may_send(self, guest: _Guest, message: FromPeer) -> bool:
        """Bound what a peer sends: what people do at 20 a second, the automatic steps higher."""
        step = isinstance(message, messages.Ack | messages.Fetch) or (
            isinstance(message, messages.Submit) and not _is_act(message)
        )
        return (guest.steps if step else guest.moves).take(self._loop.time())

    # ---- outputs ----------------------------------------------------------------------------

    def _do(self, todo: list[Output]) -> None:
        encoded: dict[int, bytes] = {}
        for output in todo:
            match output:
                case outputs.ToPeer():
                    self._deliver(output.peer, output.message, encoded)
                case outputs.KeepEntry():
                    self._records.entry(output.entry)
                case outputs.KeepGenesis():
                    self._records.begin(output.genesis)
                case outputs.Disconnect():
                    self._part(output.peer)
                case outputs.TableBegan():
                    self._begin_log(output)
                case _:
                    pass
        if self.sequencer is not None and self.sequencer.replay.closed is not None:
            self._refresh_advert()
            self._over.set()

    def _deliver(self, peer: Peer, message: FromHost, encoded: dict[int, bytes]) -> None:
        own = self._own.get(peer)
        if own is not None:
            self._to_do.append(lambda: own.hear(message))
            return
        guest = self._guests.get(peer)
        if guest is None:
            return
        data = encoded.get(id(message))
        if data is None:
            data = encoded[id(message)] = to_bytes(message)
        try:
            guest.channel.send(data)
        except NetError:
            # Its reader learns of it too, and ends.
            return

    def _part(self, peer: Peer) -> None:
        guest = self._guests.get(peer)
        if guest is not None:
            parting = self._loop.create_task(guest.channel.close(Goodbye.REMOVED))
            self._partings.add(parting)
            parting.add_done_callback(self._partings.discard)

    def _begin_log(self, began: outputs.TableBegan) -> None:
        if began.genesis.read().is_tournament:
            # Its tables are opened by those who host them: see tournament_run.py.
            self.tournament = began.genesis
            self._over.set()
            return
        now = self._loop.time()
        peers = [*self._own, *self._guests]
        seats = {peer: seat for peer in peers if (seat := self.lobby.seat_of(peer)) is not None}
        watching = self.lobby.watching
        sequencer = Sequencer(began.genesis, self._host, seats, now, rounds=self._rounds)
        self.sequencer = sequencer
        if self.server is not None:
            self.server.context = began.genesis.table_id

        def begin() -> None:
            for peer, name in watching.items():
                self._do(sequencer.watch(peer, name))
            self._do(sequencer.begin(self._loop.time()))

        # After everybody was told the genesis, which is in the list being carried out.
        self._to_do.append(begin)

    def _refresh_advert(self) -> None:
        if self.advert is not None:
            self.advert.update(self.describe(self.advert.table))


def _is_act(message: messages.Submit) -> bool:
    try:
        return isinstance(message.body.read().payload, bodies.Act)
    except Unreadable:
        return True


def _nothing(_event: object) -> None:
    """The host's bots have nobody who looks on."""
