"""A node at a table opened by another: one channel in the lobby, then a full `NodeRuntime`."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Final

from msgspec.structs import replace

from lanuno.dealing.identity import Identity
from lanuno.log.faults import Blame, Unreadable
from lanuno.log.format.genesis import VERSION, Genesis
from lanuno.net.discovery.host_announcer import HostAnnouncer
from lanuno.net.discovery.network_context import NetworkContext
from lanuno.net.errors import NetError, NetFault
from lanuno.net.runtime.admission import Admission
from lanuno.net.runtime.config import RuntimeConfig
from lanuno.net.runtime.endings import Observer, RuntimeEvent, TableEnding
from lanuno.net.runtime.lobby_seat import LobbySeatRuntime
from lanuno.net.runtime.message_budget import MessageBudget
from lanuno.net.runtime.node_runtime import NodeRuntime
from lanuno.net.runtime.shutdown import LEAVE_SECONDS, finish_table, leave_table
from lanuno.net.runtime.table_logger import LobbyLogger, short_key
from lanuno.net.transport.channel import Channel
from lanuno.net.transport.listener import Listener, Serve
from lanuno.table.lobby.peer import Seating
from lanuno.table.messages import AtTable, LobbyRefusal, from_host, to_bytes
from lanuno.table.metadata import TableMetadata
from lanuno.table.outputs import TableBegan
from lanuno.table.recovery import RecoveredState

ANSWER_SECONDS: Final = 10.0
"""How long a host may take to answer a request for a seat or to watch."""

_log = logging.getLogger(__name__)


class LobbyGuest:
    """A node at a table opened by another. Takes a seat or watches, until the table ends."""

    def __init__(
        self,
        channel: Channel,
        identity: Identity,
        seating: Seating,
        config: RuntimeConfig,
        observe: Observer,
        *,
        watch: bool = False,
        recovered: RecoveredState | None = None,
    ) -> None:
        """Take ownership of an authenticated channel to a lobby, or to a table to watch.

        `config.seats` is only the owner's seat, or empty to watch. `recovered`: what was `seen` of
        this table under another host.
        """
        _log.info("connected to %s (%s)", channel.address, short_key(channel.identity))
        self._channel = channel
        self._seating = seating
        self._watch = watch
        self._recovered = recovered
        self._config = config
        self._observe = observe
        self._over = asyncio.Event()
        self.runtime: NodeRuntime | None = None
        """Set once the log has begun."""
        self.lobby_seat = LobbySeatRuntime(
            identity,
            seating,
            config.entropy,
            self._send,
            LobbyLogger(observe if recovered is None else self._observe_again).observe,
            watch=watch,
            on_end=self._lobby_ended,
            store_genesis=None if watch else config.records.begin,
        )
        self._identity = identity
        self.connection_error: NetError | None = None
        """The error that ended the connection; None after a goodbye."""

    def _observe_again(self, event: RuntimeEvent) -> None:
        """Pass on what happens on the way back to a table, which began before."""
        if not isinstance(event, TableBegan):
            self._observe(event)

    def _lobby_ended(self) -> None:
        """End the wait of `run`, unless a log begins: then its runtime must be created first."""
        if self.lobby_seat.genesis is None:
            ending = self.lobby_seat.ending
            _log.info("the waiting room is over: %s", "" if ending is None else ending.value)
            self._over.set()

    # ---- how it ended -----------------------------------------------------------------------

    @property
    def ending(self) -> TableEnding | None:
        """Why this node's time at the table has ended; None before."""
        return self.lobby_seat.ending if self.runtime is None else self.runtime.ending

    @property
    def refusal(self) -> LobbyRefusal | None:
        """Why the host turned this node away."""
        return self.lobby_seat.refusal if self.runtime is None else self.runtime.refusal

    @property
    def seen(self) -> RecoveredState | None:
        """The log so far, for a further visit; None before it begins."""
        if self.runtime is None:
            return None
        replica = self.runtime.node.replica
        return RecoveredState(replica.replay.genesis, tuple(replica.entries), {})

    @property
    def metadata(self) -> TableMetadata:
        """What the lobby agreed on, for a further visit."""
        return self._config.metadata

    @property
    def tournament(self) -> Genesis | None:
        """The genesis of a tournament, once all seats of its lobby have signed."""
        return self.lobby_seat.tournament

    @property
    def blame(self) -> Blame | None:
        """The fault for which this node stopped."""
        return None if self.runtime is None else self.runtime.blame

    # ---- life -------------------------------------------------------------------------------

    async def run(self) -> TableEnding:
        """Play until the table is over for this node, then close everything.

        Raises the failure of this node: a `StoreError`, or the exception of a bug.
        """
        receiving = asyncio.create_task(self._receive_all())
        try:
            self.lobby_seat.begin(VERSION)
            await self._over.wait()
            if receiving.done():
                receiving.result()
            if self.runtime is not None:
                await self.runtime.ended.wait()
                if self.runtime.awaits_rematch or not self._watch:
                    await finish_table(self.runtime)
        except asyncio.CancelledError:
            self._channel.abort()
            if self.runtime is not None:
                self.runtime.cut_off()
            raise
        finally:
            receiving.cancel()
            try:
                await asyncio.wait((receiving,))
                await self._channel.close()
            finally:
                if self.runtime is not None:
                    await self.runtime.shut_down()
                else:
                    self._config.records.close()
        failure = self.lobby_seat.failure if self.runtime is None else self.runtime.failure
        if failure is not None:
            raise failure
        return self.ending or TableEnding.LOST

    async def leave(self) -> None:
        """Leave on purpose: record it in the log, wait a few seconds for the entry, and close."""
        if self.lobby_seat.genesis is not None:
            # The log has begun. Without this wait, the runtime being created would play on.
            with suppress(TimeoutError):
                await asyncio.wait_for(self._over.wait(), LEAVE_SECONDS)
        if self.runtime is not None:
            await leave_table(self.runtime)
        await self._channel.close()

    async def _receive_all(self) -> None:
        """Receive from the host until its goodbye. An unreadable message ends the connection."""
        try:
            async with asyncio.timeout(ANSWER_SECONDS) as limit:
                await self._receive_from_host(limit)
            if self.lobby_seat.genesis is not None:
                await self._begin(self.lobby_seat.genesis)
        except TimeoutError:
            self.connection_error = NetError(
                NetFault.TIMEOUT, "the host does not answer the request"
            )
        except NetError as error:
            self.connection_error = error
        except Unreadable as error:
            self.connection_error = NetError(NetFault.PROTOCOL, str(error))
        finally:
            # Even after a bug: `run` waits for this event, and raises the exception.
            self._over.set()
        self.lobby_seat.connection_lost()

    async def _receive_from_host(self, limit: asyncio.Timeout) -> None:
        """Receive until the log begins. `limit`: when the host must have answered the request."""
        loop, budget, host = asyncio.get_running_loop(), MessageBudget(), self._channel.identity
        async for data in self._channel:
            message = from_host(data)
            # What is not read waits at the host, which drops a guest for whom too much waits.
            await budget.wait_for_turn(self._channel, message, plays=True)
            if budget.allows_display(host, message, loop.time()):
                self.lobby_seat.receive(message)
            if self.lobby_seat.answered:
                limit.reschedule(None)
            if self.lobby_seat.genesis is not None:
                return

    async def _begin(self, genesis: Genesis) -> None:
        """Open a listener for the other nodes, and start the runtime, as the log begins."""
        state = self.lobby_seat.lobby.state
        if state is not None:
            self._config.metadata = TableMetadata(
                name=state.table,
                pin=self._seating.pin if state.pin and self._seating.pin else None,
                rounds=state.rounds,
                spectators=state.spectators,
            )
        runtime = await open_runtime(
            genesis,
            self._identity,
            self._config,
            self._observe,
            recovered=self._recovered,
            watch=self._watch,
        )
        self.runtime = runtime
        link = runtime.linked(self._channel)
        runtime.begin()
        self._over.set()
        await runtime.serve_on(link)
        end = self._channel.end
        self.connection_error = end if isinstance(end, NetError) else None

    def _send(self, message: AtTable) -> None:
        with suppress(NetError):  # the reader receives the same error, and ends
            self._channel.send(to_bytes(message))


async def open_runtime(
    genesis: Genesis,
    identity: Identity,
    config: RuntimeConfig,
    observe: Observer,
    *,
    recovered: RecoveredState | None = None,
    watch: bool = False,
) -> NodeRuntime:
    """Create the runtime of a node at a table in progress.

    It gets a listener if it has a network, and neither watches nor is told not to listen.
    Raises `NetError`, and the exceptions of `NodeRuntime`.
    """
    network = config.network
    if network is None or watch or not config.listens:
        return NodeRuntime(genesis, config, observe, recovered=recovered)
    made: list[NodeRuntime] = []

    async def serve(channel: Channel) -> None:
        if made:
            await made[0].serve(channel)

    if config.listener is None:
        config.listener = await _open_listener(network, identity, genesis.table_id, serve, config)
        config.listener.hosts = False
    _log.info("this computer listens on port %d", config.listener.port)
    config.metadata = replace(config.metadata, port=config.listener.port)
    config.admission = Admission(config.metadata, identity.public, config.entropy)
    announcer = HostAnnouncer(network, genesis, identity, config.metadata, config.listener.port)
    config.on_hosting_changed = announcer.set_active
    try:
        runtime = NodeRuntime(genesis, config, observe, recovered=recovered)
    except BaseException:
        await config.listener.close()
        raise
    runtime.on_shut_down = announcer.close
    made.append(runtime)
    return runtime


async def _open_listener(
    network: NetworkContext, identity: Identity, table: bytes, serve: Serve, config: RuntimeConfig
) -> Listener:
    """Listen on the previous port, which other nodes try first, or else on the next free one."""
    earlier_port = config.metadata.port
    if config.port is None and earlier_port is not None:
        with suppress(NetError):
            return await network.open_listener(identity, table, serve, port=earlier_port)
    return await network.open_listener(identity, table, serve, port=config.port)
