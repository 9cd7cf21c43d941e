"""A player's computer at somebody else's table: first one channel to the waiting room, then all."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress

from msgspec.structs import replace

from lanuno.dealing.identity import Identity
from lanuno.log.faults import Blame, Unreadable
from lanuno.log.genesis import VERSION, Genesis
from lanuno.net.allowance import Allowance
from lanuno.net.channel import Channel
from lanuno.net.doorkeeper import Doorkeeper
from lanuno.net.endings import Ending, Observer
from lanuno.net.errors import Fault, NetError
from lanuno.net.goodbyes import LEAVE_SECONDS, depart, see_out
from lanuno.net.hosting import Hosting
from lanuno.net.member_driver import MemberDriver
from lanuno.net.server import Serve, Server
from lanuno.net.setup import PlayedSeat, Setup
from lanuno.net.surroundings import Surroundings
from lanuno.net.table_log import WaitingRoomLog, short
from lanuno.net.waiting_seat import WaitingSeat
from lanuno.table.arrangements import Arrangements
from lanuno.table.lobby_peer import Seating
from lanuno.table.messages import FromPeer, LobbyRefusal, from_host, to_bytes
from lanuno.table.recall import Recall

_log = logging.getLogger(__name__)


class TablePeer:
    """One computer at a table: sits down, or watches, or comes back; plays to the end."""

    def __init__(
        self,
        channel: Channel,
        identity: Identity,
        seating: Seating,
        setup: Setup,
        observe: Observer,
        *,
        watch: bool = False,
    ) -> None:
        """Take over an authenticated channel to a waiting room (or to a table, to watch it).

        `setup.seats` are the owner's alone, or none to watch.
        """
        _log.info("connected to %s (%s)", channel.address, short(channel.identity))
        self._channel = channel
        self._seating = seating
        self._watch = watch
        self._setup = setup
        self._observe = observe
        self._over = asyncio.Event()
        self.driver: MemberDriver | None = None
        """What runs once the log has begun."""
        self.waiting = WaitingSeat(
            identity,
            seating,
            setup.entropy,
            self._send,
            WaitingRoomLog(observe).see,
            watch=watch,
            on_end=self._ended,
            keep=None if watch else setup.records.begin,
        )
        self._identity = identity
        self.broken: NetError | None = None
        """What ended the connection, unless somebody said goodbye."""

    def _ended(self) -> None:
        """The waiting room is over; where a log begins, its driver is made first."""
        if self.waiting.genesis is None:
            ending = self.waiting.ending
            _log.info("the waiting room is over: %s", "" if ending is None else ending.value)
            self._over.set()

    # ---- how it ended -----------------------------------------------------------------------

    @property
    def ending(self) -> Ending | None:
        """Why it is over; None before."""
        return self.waiting.ending if self.driver is None else self.driver.ending

    @property
    def refusal(self) -> LobbyRefusal | None:
        """Why it was turned away."""
        return self.waiting.refusal if self.driver is None else self.driver.refusal

    @property
    def tournament(self) -> Genesis | None:
        """Set when the waiting room was that of a tournament, and all have signed."""
        return self.waiting.tournament

    @property
    def blame(self) -> Blame | None:
        """Why it stopped."""
        return None if self.driver is None else self.driver.blame

    # ---- life -------------------------------------------------------------------------------

    async def run(self) -> Ending:
        """Play until the table is over for this computer; closes everything.

        Raises what made it impossible to go on: a `StoreError`, or a mistake of the program.
        """
        listening = asyncio.create_task(self._listen())
        try:
            self.waiting.begin(VERSION)
            await self._over.wait()
            if listening.done():
                listening.result()
            if self.driver is not None:
                await self._play(self.driver)
        except asyncio.CancelledError:
            self._channel.abort()
            if self.driver is not None:
                self.driver.cut()
            raise
        finally:
            listening.cancel()
            try:
                await asyncio.wait((listening,))
                await self._channel.close()
            finally:
                await self._close()
        failure = self.waiting.failure if self.driver is None else self.driver.failure
        if failure is not None:
            raise failure
        return self.ending or Ending.LOST

    async def _play(self, driver: MemberDriver) -> None:
        await driver.ended.wait()
        if driver.rematch is not None or not self._watch:
            await see_out(driver)

    async def _close(self) -> None:
        if self.driver is not None:
            await self.driver.shut()
        else:
            self._setup.records.close()

    async def leave(self) -> None:
        """Leave on purpose: say so in the log, wait a moment until it is written there, and go."""
        if self.waiting.genesis is not None:
            # The log has begun: its door may just be being opened, and then it would play on alone.
            with suppress(TimeoutError):
                await asyncio.wait_for(self._over.wait(), LEAVE_SECONDS)
        if self.driver is not None:
            await depart(self.driver)
        await self._channel.close()

    async def _listen(self) -> None:
        """Hear the host until it says goodbye; a message that makes no sense ends it."""
        loop = asyncio.get_running_loop()
        allowance = Allowance(self._channel.limits, loop.time())
        try:
            async for data in self._channel:
                message = from_host(data)
                if allowance.shows(message, loop.time()):
                    self.waiting.hear(message)
                if self.waiting.genesis is not None:
                    await self._begin(self.waiting.genesis)
                    return
        except NetError as error:
            self.broken = error
        except Unreadable as error:
            self.broken = NetError(Fault.PROTOCOL, str(error))
        finally:
            # Also after a mistake of the program: whoever waits here must hear of it.
            self._over.set()
        self.waiting.lost()

    async def _begin(self, genesis: Genesis) -> None:
        """The log begins: open a door for the others, and let the machines run."""
        state = self.waiting.lobby.state
        if state is not None:
            self._setup.arrangements = Arrangements(
                name=state.table,
                pin=self._seating.pin if state.pin and self._seating.pin else None,
                rounds=state.rounds,
                spectators=state.spectators,
            )
        driver = await open_member(
            genesis, self._identity, self._setup, self._observe, watch=self._watch
        )
        self.driver = driver
        link = driver.linked(self._channel)
        driver.begin()
        self._over.set()
        await driver.serve_on(link)
        end = self._channel.end
        self.broken = end if isinstance(end, NetError) else None

    def _send(self, message: FromPeer) -> None:
        with suppress(NetError):  # the reader learns of it too, and ends
            self._channel.send(to_bytes(message))


async def open_member(
    genesis: Genesis,
    identity: Identity,
    setup: Setup,
    observe: Observer,
    *,
    recall: Recall | None = None,
    watch: bool = False,
) -> MemberDriver:
    """The driver of a computer whose table plays, with a door of its own if it may have one.

    Raises `NetError`, and what `MemberDriver` raises.
    """
    around = setup.surroundings
    if around is None or watch:
        return MemberDriver(genesis, setup, observe, recall=recall)
    inside: list[MemberDriver] = []

    async def serve(channel: Channel) -> None:
        if inside:
            await inside[0].serve(channel)

    if setup.door is None:
        setup.door = await _open_door(around, identity, genesis.table_id, serve, setup)
    _log.info("this computer listens on port %d", setup.door.port)
    setup.arrangements = replace(setup.arrangements, port=setup.door.port)
    setup.doorkeeper = Doorkeeper(setup.arrangements)
    hosting = Hosting(around, genesis, identity, setup.arrangements, setup.door.port)
    setup.hosting = hosting.turn
    try:
        driver = MemberDriver(genesis, setup, observe, recall=recall)
    except BaseException:
        await setup.door.close()
        raise
    driver.closing = hosting.close
    inside.append(driver)
    return driver


async def _open_door(
    around: Surroundings, identity: Identity, table: bytes, serve: Serve, setup: Setup
) -> Server:
    """Where it was before, because there the others look for it; else at the next free port."""
    before = setup.arrangements.port
    if setup.port is None and before is not None:
        with suppress(NetError):
            return await around.open_door(identity, table, serve, port=before)
    return await around.open_door(identity, table, serve, port=setup.port)


__all__ = ["PlayedSeat", "TablePeer", "open_member"]
