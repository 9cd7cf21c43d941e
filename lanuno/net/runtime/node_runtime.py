"""Run one node at a table in progress, with real connections, disk, threads and time.

Create a `NodeRuntime(genesis, config, observe)`, pass it the connections that already exist
(`linked`, then `receive` and `unlinked`), and call `begin`. It then connects to the nodes it needs,
serves the connections that its listener accepts (`serve`), and continues under any host until
`ended` is set. The owner's actions are `act`, `send_chat`, `leave`, `stop` and `claim`. Always call
`close` in the end. With a `recovered` state it continues where an earlier program was interrupted.

Outputs are carried out in order, disk before network. What must wait for the disk is written and
flushed on a thread. Outputs that arise meanwhile wait for their turn, and share the next flush. If
the disk refuses an output, this node stops immediately, so it has sent nothing that is not on its
disk.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, assert_never

from msgspec import Struct
from msgspec.structs import replace

from lanuno import __version__
from lanuno.bots.pace import BotPace
from lanuno.dealing.identity import fingerprint
from lanuno.log.faults import Blame, Unreadable
from lanuno.log.format.genesis import VERSION, Genesis
from lanuno.net.discovery.rediscovery import Rediscovery
from lanuno.net.errors import Goodbye, NetError
from lanuno.net.runtime.bot_runner import BotRunner, sensible_player
from lanuno.net.runtime.config import RuntimeConfig
from lanuno.net.runtime.endings import (
    Observer,
    PlaysElsewhere,
    TableEnding,
    silent_seconds,
    went_quiet,
)
from lanuno.net.runtime.message_budget import ADMISSION_MESSAGES, STRANGER_MESSAGES, MessageBudget
from lanuno.net.runtime.missed_entries import MissedEntries
from lanuno.net.runtime.pause_detector import PauseDetector
from lanuno.net.runtime.search_deadline import SearchDeadline, usual_search_seconds
from lanuno.net.runtime.table_logger import TableLogger
from lanuno.net.transport.channel import Channel
from lanuno.net.transport.connect import connect
from lanuno.net.transport.to_completion import to_completion
from lanuno.rules.engine.actions import Action
from lanuno.table import inputs, messages, outputs
from lanuno.table.budget import Budget
from lanuno.table.errors import TableError
from lanuno.table.host.clocks import Pace
from lanuno.table.inputs import NodeInput
from lanuno.table.messages import AtTable, LobbyRefusal, at_table, to_bytes
from lanuno.table.metadata import TableMetadata
from lanuno.table.node import Node, NodeConfig
from lanuno.table.outputs import Link, NodeOutput, RuntimeOutput, StoreOutput
from lanuno.table.recovery import RecoveredState
from lanuno.table.replica.seat import SeatSession
from lanuno.table.roles import Role
from lanuno.table.trace import Trace

REPORT_DELAY_SECONDS: Final = 1.0
"""How long a new host waits before it reports players who have not yet connected to it."""

CONNECT_SECONDS: Final = 3.0
"""Time limit for one attempt to reach another node."""

HOST_FIRST_SECONDS: Final = 20.0
"""How long the host of a closed log may open the next table before another player does."""

LAST_MESSAGES_SECONDS: Final = 1.0
"""How long this node stays to send its last messages, if the host stays at a finished table."""

ADDRESS_SAVES_RATE: Final = 0.2
ADDRESS_SAVES_BURST: Final = 40
"""Rate limit for saving the addresses of the other nodes, which a restart uses: each of ten nodes
comes back with another address a few times."""

STUCK_DISK_SECONDS: Final = 4.0
"""How long outputs may wait for the disk before this node cuts its connections. The other nodes
elect another host then, as for any node that does not answer."""

REDISCOVERY_SECONDS: Final = 3.0
"""Time limit for finding the table's current address, if no node is at its known address."""


MissingReport = outputs.SeatsAwaited | outputs.QuorumChanged
"""Reports that players are missing, or are back."""


class _Connection(Struct):
    """A connection to another node."""

    channel: Channel
    seat: int | None
    """The seat of the peer that plays at this table."""


class NodeRuntime:
    """One node at one table in progress."""

    def __init__(
        self,
        genesis: Genesis,
        config: RuntimeConfig,
        observe: Observer,
        *,
        recovered: RecoveredState | None = None,
        on_end: Callable[[], None] | None = None,
    ) -> None:
        """`observe` is called with every event for the owner, `on_end` when the table is over.

        Raises `Unreadable`, `TableError` or `HostFault` if the recovered entries are not a log.
        """
        self.ending: TableEnding | None = None
        self.blame: Blame | None = None
        self.failure: Exception | None = None
        """The error for which this node stopped. The caller that waits for the end raises it."""
        self.ended = asyncio.Event()
        self.left_game = asyncio.Event()
        """Set when the owner's seat has left the game or was dropped, or the table has ended."""
        self.delivered_to_connected = asyncio.Event()
        """Set when the log is closed and, on the host, every connected node has all of it."""
        self.hostless = asyncio.Event()
        """Set while this node is not the host and has no contact with one."""
        self.hostless.set()
        self.delivered_to_all = asyncio.Event()
        """Set when the log is closed and, on the host, every remaining owner has all of it."""
        self.refusal: LobbyRefusal | None = None
        """Why the host ended this spectator's visit."""
        self.host_lost_after_close = False
        """Whether the host was lost without a goodbye after the log was closed."""
        self.awaits_rematch = False
        """Whether this node waits for the next table, now that the log is closed."""
        self._rematch_state: messages.RematchState | None = None
        """The last state of the rematch, by this node as host or by its host."""
        self._host_first: asyncio.TimerHandle | None = None
        """Runs while the host may still open the next table itself."""
        self._wants_rematch = False
        self._second_program_reported = False
        self._is_leaving = False
        """Whether this node is about to leave a host that stays for a rematch."""
        self.stay_ended = asyncio.Event()
        """Set when this node no longer waits for a rematch."""
        self.on_shut_down: Callable[[], Coroutine[object, object, None]] | None = None
        """Additional clean-up at the start of `shut_down`."""
        self._genesis = genesis
        self._config = config
        self._identity = config.seats[0].identity if config.seats else None
        self._logger = TableLogger(genesis, self._identity, observe)
        self._observe = self._logger.observe
        self._on_end = on_end
        self._loop = asyncio.get_running_loop()
        port = 0 if config.listener is None else config.listener.port
        self._rediscovery: Rediscovery | None = None
        if config.network is not None and self._identity is not None:
            network, metadata = config.network, config.metadata
            self._rediscovery = Rediscovery(network, genesis, self._identity, metadata, port)
        node_config = NodeConfig(
            identities=tuple(seat.identity for seat in config.seats),
            entropy=config.entropy,
            rounds=config.metadata.rounds,
            port=port,
            # A person is asked whether to keep waiting for a silent player.
            pace=Pace(claim=None) if config.seats and config.seats[0].player is None else Pace(),
        )
        self._trace: Trace | None = None
        if config.trace is None:
            self.node = Node(genesis, node_config, recovered)
        else:
            number, write = config.trace.add_node(), config.trace.write
            self._trace = Trace(number, write, genesis, node_config, recovered, version=__version__)
            self.node = self._trace.node
        self.node.role_changed = self._role_changed
        self._bots = BotRunner(
            self.node,
            [seat.player for seat in config.seats],
            self._act,
            stand_in=config.stand_in,
            pace=config.bot_pace,
        )
        self._connections: dict[Link, _Connection] = {}
        self._budget = MessageBudget()
        self._address_saves = Budget[None](ADDRESS_SAVES_RATE, ADDRESS_SAVES_BURST)
        self._outgoing: set[Channel] = set()
        """Connections opened by this node."""
        self._next_link = 0
        self._timer: asyncio.TimerHandle | None = None
        self._pause_detector = PauseDetector(self._paused, clock=self._loop.time)
        usual = usual_search_seconds(self.node.replay.roster.ruleset)
        seconds = usual if config.search_seconds is None else config.search_seconds
        self._search_deadline = SearchDeadline(seconds, self._give_up)
        self._tasks: set[asyncio.Task[None]] = set()
        self._queue: deque[RuntimeOutput] = deque()
        """Outputs that are not carried out yet, in order."""
        self._carrying_out = False
        """Whether outputs are being carried out, or wait for the disk."""
        self._writing: asyncio.Task[None] | None = None
        """Writes queued outputs on a thread, and then carries out the rest of them."""
        self._unsaved_metadata: TableMetadata | None = None
        self._sync_wanted: outputs.SyncJournal | None = None
        self._syncing = False
        self._closed = False
        self._metadata_saved = False
        self._seats_with_whole_log: set[int | None] = set()
        """Seats of owners known to have the whole log, once it is closed."""
        self._missed_entries = MissedEntries(
            self._observe, None if recovered is None else self.node.replay.seq
        )
        self._deferred_reports: dict[type[MissingReport], tuple[MissingReport, float]] | None = None
        """Delayed reports of a new host about missing players, with the time of each. None at
        other times."""
        roster = self.node.replay.genesis.read()
        self._seats_by_identity = {
            seat.identity: number
            for number, seat in enumerate(roster.seats)
            if seat.owner == seat.identity
        }

    # ---- the owner's actions ----------------------------------------------------------------

    @property
    def seat_session(self) -> SeatSession:
        """The seat session of the owner, read-only."""
        return self.node.main_session

    @property
    def metadata(self) -> TableMetadata:
        """What the lobby agreed on, and the addresses of the other nodes."""
        return self._config.metadata

    def act(self, action: Action) -> None:
        """Perform an action of the owner. Raises `TableError` if the rules refuse it."""
        self._act(self.seat_session, action)

    def set_bot_pace(self, pace: BotPace) -> None:
        """Change the pace of this node's bots."""
        self._bots.pace = pace

    def play_by_bot(self, on: bool) -> None:
        """Let a bot play the owner's seat while the owner is away, or no longer."""
        self._bots.play_for_person(self.seat_session, sensible_player() if on else None)

    def send_chat(self, text: str) -> None:
        """Send a line of chat."""
        self._tell(inputs.ChatSent(text))

    def react(self, reaction: messages.Reaction) -> None:
        """Send a reaction to everybody."""
        self._tell(inputs.ReactionSent(reaction))

    def read_score(self, number: int, *, reading: bool) -> None:
        """Let bots wait while the owner looks at the score of this round."""
        if self.node.seat is not None:
            self._bots.note_reader(self.node.seat, messages.ReadsScore(number, reading))
        self._tell(inputs.ScoreShown(number, reading))

    def play_again(self) -> bool:
        """Ask to open the next table, or learn who does. Return whether that is still possible.

        If the match is decided but its log is not yet closed, the request is sent after the close.
        """
        over = self.stay_ended.is_set() or self.ending not in (None, TableEnding.CLOSED)
        if over or not self._config.awaits_rematch:
            return False
        self._wants_rematch = True
        self._ask_to_open()
        return True

    def leave(self) -> None:
        """Leave the table on purpose. `left_game` is set once the log records it."""
        self._tell(inputs.LeaveRequested())

    def stop(self) -> None:
        """As host: end the match, after a whole round if possible."""
        self._tell(inputs.StopRequested())

    def claim(self) -> None:
        """As host: end the wait for a silent player, after `ClaimOffered`."""
        self._tell(inputs.ClaimMade())

    def send_away(self, identity: bytes) -> bool:
        """As host: disconnect and ban a spectator. Returns False for a player."""
        if identity in self._seats_by_identity:
            return False
        if self._config.admission is not None:
            channels = [each.channel for each in self._connections.values()]
            addresses = [each.address for each in channels if each.identity == identity]
            self._config.admission.ban(identity, addresses, self._now)
        self._tell(inputs.SpectatorSentAway(identity, LobbyRefusal.KICKED))
        return True

    def let_in(self, identity: bytes) -> None:
        """As host: let a person watch again who was sent away."""
        if self._config.admission is not None:
            self._config.admission.let_in(identity)

    def allow_spectators(self, allowed: bool) -> None:
        """As host: set whether spectators are admitted. Disconnects them if not."""
        if self._config.admission is not None:
            self._config.admission.allow_spectators(allowed)
        self._config.metadata = replace(self._config.metadata, spectators=allowed)
        self._fail_on_error(self._save_metadata)
        if not allowed:
            self._tell(inputs.SpectatorSentAway(None, LobbyRefusal.NO_SPECTATORS))

    # ---- connections ------------------------------------------------------------------------

    def begin(self) -> None:
        """Start the node, after existing connections have been passed to `linked`."""
        self._pause_detector.begin()
        self._fail_on_error(self._save_metadata)
        self._fail_on_error(self._update_addresses)
        self._tell(inputs.NodeStarted())
        self._check_host_contact()

    def linked(self, channel: Channel, *, outgoing: bool = False) -> Link:
        """Add a connection. Return its number for `receive` and `unlinked`."""
        link = self._next_link
        self._next_link += 1
        seat = self._seats_by_identity.get(channel.identity)
        self._connections[link] = _Connection(channel, seat)
        self._logger.linked(link, channel, seat, outgoing=outgoing)
        self._tell(
            inputs.LinkUp(link, seat, channel.address, dialled=outgoing, identity=channel.identity)
        )
        self._fail_on_error(self._update_addresses)
        if self.awaits_rematch and self.node.hosts and seat is not None:
            self._run_soon([outputs.Send(link, self._rematch_state or messages.RematchState())])
        return link

    async def take(self, link: Link, data: bytes) -> Goodbye | None:
        """Process a message as soon as its peer may send one more.

        Returns the reason if this connection must be closed.
        """
        connection = self._connections.get(link)
        if connection is None:
            return Goodbye.DONE
        try:
            message = at_table(data)
        except Unreadable:
            return Goodbye.PROTOCOL
        plays = connection.seat is not None
        goodbye = await self._budget.wait_for_turn(connection.channel, message, plays=plays)
        if goodbye is None:
            self.receive(link, message)
        return goodbye

    def receive(self, link: Link, message: AtTable) -> None:
        """Process a message."""
        connection = self._connections.get(link)
        if connection is None:
            return
        who, plays = connection.channel.identity, connection.seat is not None
        if not plays and not isinstance(message, STRANGER_MESSAGES):
            return
        if not self._budget.allows_display(who, message, self._now):
            return
        if isinstance(message, messages.PlayAgain):
            self._take_request(connection.seat, link)
            return
        if isinstance(message, messages.RematchState):
            if link == self.node.host_link:
                self._take_rematch_state(message)
            return
        if isinstance(message, messages.Refused) and link == self.node.host_link:
            self.refusal = None if self._identity else message.why
        answer = self._admit(connection.channel, message)
        if answer is not None:
            self._run(lambda: [outputs.Send(link, answer)])
            return
        self._tell(inputs.MessageReceived(link, message))
        if isinstance(message, messages.PeerAddresses | messages.Rejoin):
            self._fail_on_error(self._update_addresses)
        self._check_host_contact()

    def add_spectator(self, link: Link, name: str) -> None:
        """As host: admit a spectator who was already checked in the lobby."""
        self._tell(inputs.MessageReceived(link, messages.Watch(VERSION, name)))

    def unlinked(self, link: Link) -> None:
        """Remove a connection that has ended."""
        connection = self._connections.pop(link, None)
        if connection is None:
            return
        if self._config.admission is not None:
            self._config.admission.left(connection.channel, self._now)
        self._logger.unlinked(link, connection.channel, connection.seat)
        end = connection.channel.end
        silent = silent_seconds(end, connection.channel.limits.silence)
        if link == self.node.host_link:
            if self.ending is TableEnding.CLOSED:
                self.host_lost_after_close = not isinstance(end, Goodbye)
            self._check_for_second_program(end, connection.seat)
        self._tell(inputs.LinkDown(link, silent, went_quiet(end)))
        if self.awaits_rematch:
            # The host may have been lost before it answered.
            self._ask_to_open()
            if self._identity is None and not self._connections:
                # A spectator has no other connection, so no further message can arrive.
                self.end_stay()
        self._check_host_contact()

    async def serve(self, channel: Channel, *, outgoing: bool = False) -> None:
        """Serve a new connection from its handshake to its goodbye."""
        await self.serve_on(self.linked(channel, outgoing=outgoing))

    async def serve_on(self, link: Link) -> None:
        """Serve a connection that was already added with `linked`."""
        channel = self._connections[link].channel
        try:
            async for data in channel:
                goodbye = await self.take(link, data)
                if goodbye is not None:
                    self._logger.refused(link, goodbye)
                    await channel.close(goodbye)
                    return
        except NetError:
            return  # `unlinked` reports to the node how the channel ended
        finally:
            self.unlinked(link)

    def _admit(self, channel: Channel, message: messages.AtTable) -> messages.FromHost | None:
        """Answer a step of a proof of the PIN, or refuse a request that only a host can grant."""
        if not isinstance(message, ADMISSION_MESSAGES):
            return None
        admission, host_role = self._config.admission, self.node.host_role
        if host_role is None:
            return messages.Refused(LobbyRefusal.NOT_HOST)
        if isinstance(message, messages.Join):
            return None
        if admission is None:
            return messages.Refused(LobbyRefusal.NO_SPECTATORS)
        if not isinstance(message, messages.Watch):
            return admission.prove(channel, message, self._now)
        identity, address, spectators = channel.identity, channel.address, host_role.spectators
        refusal = admission.spectator_refusal(identity, address, message, spectators, self._now)
        return None if refusal is None else messages.Refused(refusal)

    async def _connect_to_owner(self, wanted: outputs.Connect) -> None:
        """Connect to an owner's node, at its known addresses or its announced one."""
        channel = None
        key = self.node.replay.absence.signed_roster.seats[wanted.seat].identity
        for address, port in wanted.places:
            channel = channel or await self._connect_to((address,), port, key)
        if channel is None and self._rediscovery is not None:
            host = wanted.seat == self.node.replay.host
            found = await self._rediscovery.find(
                fingerprint(key), host=host, seconds=REDISCOVERY_SECONDS
            )
            if found is not None:
                owner = next(
                    (each for each in self._seats_by_identity if fingerprint(each) == found.fp), key
                )
                channel = await self._connect_to(found.addresses, found.port, owner)
        if channel is None or self._seats_by_identity.get(channel.identity) != wanted.seat:
            self._logger.unreachable(wanted.seat)
            self._tell(inputs.ConnectFailed(wanted.seat))
        if channel is None:
            return
        self._outgoing.add(channel)
        try:
            await self.serve(channel, outgoing=True)
        finally:
            # The listener closes only the connections that it accepted.
            try:
                await channel.close(Goodbye.SHUTDOWN if self._closed else Goodbye.DONE)
            finally:
                self._outgoing.discard(channel)

    async def _connect_to(self, hosts: tuple[str, ...], port: int, key: bytes) -> Channel | None:
        if self._identity is None:
            return None
        expected, table = fingerprint(key), self._genesis.table_id
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                return await connect(
                    hosts, port, self._identity, fingerprint=expected, context=table
                )
        except (NetError, TimeoutError):
            return None

    # ---- outputs ----------------------------------------------------------------------------

    @property
    def _now(self) -> float:
        return self._loop.time()

    def _tell(self, given: NodeInput) -> None:
        """Pass an input to the node, and carry out its outputs."""
        self._run(lambda: self._step(given))

    def _act(self, session: SeatSession, action: Action) -> None:
        """Let the player of a session, a person or a bot, act; see `PlayerActed`."""
        refused: list[TableError] = []

        def act() -> Sequence[RuntimeOutput]:
            try:
                return self._step(inputs.PlayerActed(self.node.sessions.index(session), action))
            except TableError as error:
                refused.append(error)
                return []

        self._run(act)
        if refused:
            raise refused[0]

    def _step(self, given: NodeInput) -> Sequence[NodeOutput]:
        """Pass an input to the node, and return its outputs."""
        return (self._trace or self.node).step(given, self._now)

    def _role_changed(self, role: Role) -> None:
        self._logger.role_changed(role)
        if self._trace is not None:
            self._trace.role_changed(role)

    def _run(self, work: Callable[[], Sequence[RuntimeOutput]]) -> None:
        """Run the node and carry out its outputs. A failure stops this node."""
        self._pause_detector.check()
        self._fail_on_error(lambda: self._carry_out(work()))

    def _fail_on_error(self, work: Callable[[], None]) -> None:
        if self._closed or self.failure is not None:
            return
        try:
            work()
        except Exception as error:  # noqa: BLE001 - timers and tasks have no caller to raise to
            self.fail(error)
            return
        self._schedule_tick()

    def _is_idle(self, channel: Channel) -> bool:
        """Whether a connection is unused: it belongs to neither a player nor a spectator."""
        return not any(
            each.channel is channel and self.node.uses_link(link)
            for link, each in self._connections.items()
        )

    def _update_addresses(self) -> None:
        """Reserve connections at the listener, and save the known addresses for a restart."""
        if self._config.listener is not None:
            self._config.listener.reserve(
                self._seats_by_identity, self.node.addresses, self._is_idle
            )
        addresses = self.node.places
        # A host can report other addresses all the time. What is not saved is compared again later.
        if addresses != self._config.metadata.places and self._address_saves.take(None, self._now):
            self._config.metadata = replace(self._config.metadata, places=addresses)
            if self._metadata_saved:
                self._save_metadata()

    def _save_metadata(self) -> None:
        """Save the metadata with the next outputs that wait for the disk."""
        self._metadata_saved = True
        if self._config.save_metadata is not None:
            self._unsaved_metadata = self._config.metadata
            self._carry_out([])

    def fail(self, error: Exception) -> None:
        """Stop this node for good, because nothing may be sent that is not on its disk."""
        self.failure = error
        self._queue.clear()
        self.abort()
        self.delivered_to_connected.set()
        self._end(TableEnding.FAILED)

    def _carry_out(self, todo: Sequence[RuntimeOutput]) -> None:
        """Carry out outputs in order, after all earlier ones."""
        self._queue.extend(todo)
        if not self._carrying_out:
            self._carrying_out = True
            self._carry_out_queue()

    def _carry_out_queue(self) -> None:
        """Carry out the queued outputs, up to the first that has to wait for the disk."""
        while self._queue or self._unsaved_metadata is not None:
            if self._unsaved_metadata is not None or self._waits(self._queue[0]):
                self._pause_detector.held = True
                self._writing = self._loop.create_task(self._write_queue())
                return
            output = self._queue.popleft()
            self._store(output)
            self._perform(output)
        self._carrying_out = False
        self._missed_entries.check(self.node)
        self._check_for_end()

    async def _write_queue(self) -> None:
        """Write everything that is queued on a thread, with one flush. Then carry out the rest."""
        todo, metadata = [*self._queue], self._unsaved_metadata
        self._queue.clear()
        self._unsaved_metadata = None
        stuck = self._loop.call_later(STUCK_DISK_SECONDS, self.abort)
        try:
            try:
                await self._write(todo, metadata)
            finally:
                stuck.cancel()
                self._writing = None
            if self.failure is None:
                for output in todo:
                    if not isinstance(output, outputs.SyncJournal):  # already begun
                        self._perform(output)
                self._carry_out_queue()
        except Exception as error:  # noqa: BLE001 - a task has no caller to raise to
            self.fail(error)
        if self._writing is None:
            self._pause_detector.held = False
            self._pause_detector.check()
            self._schedule_tick()

    async def _write(self, todo: Sequence[RuntimeOutput], metadata: TableMetadata | None) -> None:
        """Write outputs and metadata on threads, and return once they are on the disk.

        The journal is synced at the same time.
        """
        await asyncio.to_thread(self._store_all, todo)
        for output in todo:
            if isinstance(output, outputs.SyncJournal):
                self._sync_soon(output)
        flushes = [self._config.records.flush]
        if metadata is not None and self._config.save_metadata is not None:
            save = self._config.save_metadata
            flushes.append(partial(save, self._genesis.table_id, metadata))
        ends = await asyncio.gather(*map(asyncio.to_thread, flushes), return_exceptions=True)
        for error in filter(None, ends):
            raise error

    def _waits(self, output: RuntimeOutput) -> bool:
        """Whether nothing after this output may be carried out before the disk has it."""
        if isinstance(output, outputs.StoreBody):
            return self._config.records.needs_flush(output.seat, output.counter)
        return isinstance(output, StoreOutput) and not isinstance(output, outputs.AppendEntry)

    def _check_for_second_program(self, end: NetError | Goodbye | None, host: int | None) -> None:
        """Report once if the host has a newer connection of this identity that is not ours."""
        ours = any(each.seat == host for each in self._connections.values())
        if end is Goodbye.REPLACED and not ours and not self._second_program_reported:
            self._second_program_reported = True
            self._observe(PlaysElsewhere())

    def _store_all(self, todo: Sequence[RuntimeOutput]) -> None:
        for output in todo:
            self._store(output)

    def _store(self, output: RuntimeOutput) -> None:
        """Write an output, if it stores something. The operating system has it afterwards."""
        records = self._config.records
        match output:
            case outputs.StoreGenesis():
                records.begin(output.genesis)
            case outputs.AppendEntry():
                records.entry(output.entry)
            case outputs.StoreSeed():
                records.secret(output.seat, output.open, output.label, output.secret)
            case outputs.StoreBody():
                records.body(output.seat, output.counter, output.signed)
            case outputs.StoreStandIn():
                records.stand_in(output.seat, output.seed)
            case outputs.StoreVote():
                records.vote(output.term, output.data)
            case outputs.StoreRelease():
                records.release(output.seat, output.counter, output.count, output.head)
            case outputs.StoreOtherEnd():
                records.other_log(output.count, output.entries)
            case outputs.TruncateJournal():
                records.truncate(output.count)
            case _:
                assert not isinstance(output, StoreOutput)

    def _perform(self, output: RuntimeOutput) -> None:  # noqa: C901 - one case for each output
        """Carry out one output; what it stores is already stored."""
        if isinstance(output, StoreOutput):
            if isinstance(output, outputs.TruncateJournal):
                self._observe(output)  # earlier events of these entries are void
            return
        match output:
            # Threads.
            case outputs.SyncJournal():
                self._sync_soon(output)
            case outputs.RunJob():
                self._start(partial(self._compute, output))
            # The network.
            case outputs.Send():
                self._send(output)
                self._observe(output)
            case outputs.Connect():
                self._start(partial(self._connect_to_owner, output))
            case outputs.CloseLink():
                connection = self._connections.get(output.link)
                if connection is not None:
                    why = Goodbye.REPLACED if output.replaced else Goodbye.REMOVED
                    self._start(partial(connection.channel.close, why))
            # The owner and the bots of this node.
            case outputs.Happened():
                self._observe(output.event)
            case outputs.ViewChanged():
                self._bots.schedule()
                self._observe(output)
            case outputs.ActionRefused():
                self._observe(output)
                self._bots.refused()
            case outputs.SeatsAwaited() | outputs.QuorumChanged():
                self._report_missing(output)
            case outputs.HostingChanged():
                self._report_hosting(output)
            case outputs.NodeStopped():
                self.blame = output.blame
                self._observe(output)
                self._end(TableEnding.STOPPED)
            case outputs.ChatReceived() | outputs.ReactionSeen() | outputs.RoundHalted():
                self._observe(output)
            case outputs.ScoreReader():
                self._bots.note_reader(output.seat, output.said)
            case outputs.ClaimOffered() | outputs.SpectatorsChanged() | outputs.RematchChanged():
                self._observe(output)
            case _:
                assert_never(output)

    def _send(self, output: outputs.Send) -> None:
        connection = self._connections.get(output.link)
        if connection is not None:
            with suppress(NetError):  # its reader receives the same error, and ends
                connection.channel.send(to_bytes(output.message))

    def _report_hosting(self, output: outputs.HostingChanged) -> None:
        """Admit strangers and announce the table, or cease to.

        A new host delays its reports of missing players.
        """
        if self._config.listener is not None:
            self._config.listener.hosts = output.on
        if self._config.on_hosting_changed is not None:
            self._config.on_hosting_changed(output.on)
        self._observe(output)
        if output.on and self.node.replay.term and self._deferred_reports is None:
            self._deferred_reports = {}
            self._loop.call_later(REPORT_DELAY_SECONDS, self._report_deferred)

    def _report_missing(self, output: MissingReport) -> None:
        """Report that players are missing or back, unless the table is over."""
        if self.ending is not None:
            return
        if self._deferred_reports is not None:
            self._deferred_reports[type(output)] = output, self._loop.time()
        else:
            self._observe(output)

    def _report_deferred(self) -> None:
        """Report the players who are still missing after the delay."""
        deferred, self._deferred_reports = self._deferred_reports or {}, None
        for output, since in () if self._closed else deferred.values():
            if isinstance(output, outputs.SeatsAwaited):
                # Other nodes report this immediately, so the time has been running here too.
                left = max(0.0, output.seconds - (self._loop.time() - since))
                self._report_missing(outputs.SeatsAwaited(output.seats, left))
            else:
                self._report_missing(output)

    def _check_for_end(self) -> None:
        node = self.node
        if node.seat in node.replay.dropped and not node.hosts:
            self.left_game.set()
        if node.replay.closed is not None:
            host_role = node.host_role
            if host_role is None or host_role.settled:
                self.delivered_to_connected.set()
                self._seats_with_whole_log |= {each.seat for each in self._connections.values()}
                have_it = self._seats_with_whole_log | {node.seat}
                if host_role is None or have_it.issuperset(node.replay.owners):
                    self.delivered_to_all.set()
            if self.ending is None:
                self._end(TableEnding.CLOSED)
                self._leave_host_that_stays()
            self._begin_rematch()

    def _begin_rematch(self) -> None:
        """Wait for the next table, now that the log is closed."""
        if not self._config.awaits_rematch or self.awaits_rematch or self.stay_ended.is_set():
            return
        self.awaits_rematch = True
        if self.node.hosts:
            self._run_soon(self._to_all(messages.RematchState()))
        self._report_rematch()
        self._ask_to_open()

    @property
    def _opener(self) -> int | None:
        return None if self._rematch_state is None else self._rematch_state.opener

    def _ask_to_open(self) -> None:
        """Tell the host that this player wants a rematch, if so; it names who opens the next table.

        Without the host the next person in seat order opens it, as everybody knows.
        """
        node = self.node
        wants = self._wants_rematch and self.awaits_rematch and self._opener is None
        if not wants or node.seat is None:
            return
        if node.hosts:
            self._take_request(node.seat)
        elif node.host_link is not None:
            self._run_soon([outputs.Send(node.host_link, messages.PlayAgain())])
        else:
            people = {*self._seats_by_identity.values()} - {*node.replay.dropped, node.replay.host}
            here = sorted(people | {node.seat})
            following = next((seat for seat in here if seat > node.replay.host), here[0])
            self._take_rematch_state(messages.RematchState(tuple(here), (node.seat,), following))

    def _take_request(self, seat: int | None, link: Link | None = None) -> None:
        """As host: note who wants to play again. The host itself opens the next table at once.

        It is known to be reachable. If its own player does not want to play again in
        `HOST_FIRST_SECONDS`, the first player who does opens the table.
        """
        state = self._rematch_state or messages.RematchState()
        if not self.awaits_rematch or not self.node.hosts or seat is None:
            return
        if state.opener is not None or seat in state.wanted:
            if link is not None:
                self._run_soon([outputs.Send(link, state)])
            return
        opener = seat if seat == self.node.seat else None
        self._send_rematch_state((*state.wanted, seat), opener)
        if self._host_first is None:
            self._host_first = self._loop.call_later(HOST_FIRST_SECONDS, self._name_opener)

    def _name_opener(self) -> None:
        """As host that did not ask for a rematch: let the first player who did open the table."""
        state, self._host_first = self._rematch_state, None
        if state is not None and state.opener is None and not self.stay_ended.is_set():
            wanted = tuple(seat for seat in state.wanted if seat in self._people_here())
            self._send_rematch_state(wanted, next(iter(wanted), None))

    def _people_here(self) -> tuple[int, ...]:
        linked = {self.node.seat, *(each.seat for each in self._connections.values())}
        return tuple(sorted(each for each in linked if each is not None))

    def _send_rematch_state(self, wanted: tuple[int, ...], opener: int | None) -> None:
        state = messages.RematchState(self._people_here(), wanted, opener)
        self._take_rematch_state(state)
        self._run_soon(self._to_all(state))

    def _to_all(self, message: messages.RematchState) -> list[RuntimeOutput]:
        """Return a message to all players, and to the spectators."""
        return [
            outputs.Send(link, message)
            for link, each in self._connections.items()
            if each.seat is not None or self.node.uses_link(link)
        ]

    def _take_rematch_state(self, state: messages.RematchState) -> None:
        """Report the state of the rematch. Only people can be named, and the opener only once.

        It may come before the end of the log, which the host sends only once on disk.
        """
        if self._opener is None:
            people = self._seats_by_identity.values()
            here = tuple(seat for seat in state.here if seat in people)
            wanted = tuple(seat for seat in dict.fromkeys(state.wanted) if seat in people)
            opener = state.opener if state.opener in people else None
            self._rematch_state = messages.RematchState(here, wanted, opener)
            self._report_rematch()
        self._leave_host_that_stays()

    def _report_rematch(self) -> None:
        state = self._rematch_state
        if state is not None and self.awaits_rematch:
            changed = outputs.RematchChanged(state.here, state.wanted, state.opener)
            self._run_soon([changed])

    def _leave_host_that_stays(self) -> None:
        """Leave after a moment, because a host that waits for a rematch sends no goodbye."""
        if self._is_leaving or self.ending is not TableEnding.CLOSED:
            return
        if self._rematch_state is not None and not self._config.awaits_rematch:
            self._is_leaving = True
            self._loop.call_later(LAST_MESSAGES_SECONDS, self.end_stay)

    def _run_soon(self, todo: Sequence[RuntimeOutput]) -> None:
        """Carry this out after the present outputs, since one of them may have closed the log."""
        if not self.stay_ended.is_set():
            self._loop.call_soon(self._run, lambda: todo)

    def stop_announcing(self) -> None:
        """Withdraw the announcement of the table."""
        if self._config.on_hosting_changed is not None:
            self._config.on_hosting_changed(False)

    def end_stay(self) -> None:
        """Stop waiting for a rematch."""
        self.stay_ended.set()

    def _end(self, ending: TableEnding) -> None:
        if self.ending is None:
            self.ending = ending
            self._logger.ended(ending, self.failure)
            self.ended.set()
            self.left_game.set()
            if self._on_end is not None:
                self._on_end()

    def _check_host_contact(self) -> None:
        """Search for the host while it is out of contact, and give up after the deadline."""
        in_contact = self.node.in_contact
        searching = not (in_contact or self.ending is not None or self._closed)
        if self._rediscovery is not None:
            self._rediscovery.set_active(searching)
        (self.hostless.clear if in_contact else self.hostless.set)()
        self._search_deadline.set_active(on=searching)

    def _give_up(self) -> None:
        """End as lost after too long without a host, unless this program was paused meanwhile."""
        if not self._pause_detector.check():
            self._end(TableEnding.LOST)

    def _paused(self, seconds: float) -> None:
        """Handle a pause: its time counts neither against peers nor against the search."""
        self._search_deadline.restart()
        self._fail_on_error(lambda: self._carry_out(self._step(inputs.ProgramPaused(seconds))))

    # ---- time and work ----------------------------------------------------------------------

    def _start(self, work: Callable[[], Coroutine[object, object, None]]) -> None:
        task = self._loop.create_task(self._run_task(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run_task(self, work: Callable[[], Coroutine[object, object, None]]) -> None:
        try:
            await work()
        except Exception as error:  # noqa: BLE001 - a task has no caller to raise to
            self.fail(error)

    def _schedule_tick(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        # While outputs wait for the disk nobody can answer them, so nobody is late.
        stopped = self.failure is not None or self._closed or self._writing is not None
        deadline = self.node.deadline
        if deadline is not None and not stopped:
            self._timer = self._loop.call_at(deadline, self._tick)

    def _tick(self) -> None:
        self._tell(inputs.TimePassed())

    def _sync_soon(self, wanted: outputs.SyncJournal) -> None:
        """Let the journal be synced, with what it holds by then."""
        self._sync_wanted = wanted
        if not self._syncing:
            self._syncing = True
            self._start(self._sync)

    async def _sync(self) -> None:
        """Sync the disk on a thread. Requests that arrive meanwhile share the next sync."""
        try:
            done: outputs.SyncJournal | None = None
            while self._sync_wanted is not None and done is not self._sync_wanted:
                if self._closed:
                    return
                done = self._sync_wanted
                await asyncio.to_thread(self._config.records.sync)
                self._tell(inputs.JournalSynced(done))
        finally:
            self._syncing = False

    async def _compute(self, job: outputs.RunJob) -> None:
        result = await asyncio.to_thread(job.work)
        self._tell(inputs.JobDone(job.job, result))

    def finish(self, ending: TableEnding) -> None:
        """End this node's time at the table with this ending, unless it has already ended."""
        self._end(ending)
        self.end_stay()

    def cut_off(self) -> None:
        """Cut all connections without a goodbye, and do nothing more but write what is queued.

        Otherwise a host would drop the players that it has cut off itself.
        """
        self._closed = True
        self.abort()

    def abort(self) -> None:
        """Cut all connections without a goodbye."""
        for channel in self._outgoing | {each.channel for each in self._connections.values()}:
            channel.abort()

    async def finish_writing(self) -> None:
        """Wait until no outputs wait for the disk, and all are carried out."""
        while self._writing is not None:
            await asyncio.wait((self._writing,))

    async def shut_down(self) -> None:
        """Close the listener and all connections with a goodbye, then close the runtime."""
        listener = self._config.listener
        try:
            await self.finish_writing()
            if self.on_shut_down is not None:
                await self.on_shut_down()
        finally:
            # The listener closes only the connections that it accepted.
            closing = [each.close(Goodbye.SHUTDOWN) for each in self._outgoing]
            if listener is not None:
                closing.append(listener.close())
            try:
                await asyncio.gather(*closing)
            finally:
                await self.close()

    async def close(self) -> None:
        """End all tasks and close the records. The runtime is unusable afterwards."""
        self._closed = True
        self._bots.stop()
        self._pause_detector.end()
        self._search_deadline.set_active(on=False)
        for timer in (self._timer, self._host_first):
            if timer is not None:
                timer.cancel()
        await to_completion(self._end_tasks_and_records())

    async def _end_tasks_and_records(self) -> None:
        try:
            await self.finish_writing()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            if self._rediscovery is not None:
                await self._rediscovery.close()
        finally:
            await asyncio.to_thread(self._config.records.close)
