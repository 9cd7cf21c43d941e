"""Runs one computer's machines at a table that plays: real connections, disk, threads and time.

How to use it: make one with `MemberDriver(genesis, setup, observe)`, tell it the connections that
stand already (`linked`, then `hear` and `unlinked` for what comes over them), and call `begin`. It
then dials whom it needs, lets in who comes to its `door` (`serve`), and goes on under any host
until `ended` is set. `act`, `say`, `leave`, `stop` and `claim` are a person's. `close` in the end,
always. With a `recall` it goes on where an earlier program was interrupted.

Outputs are carried out in order: disk before network. Whatever cannot be kept ends this computer's
part at once, so that nothing was said that is not on its disk.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

from msgspec.structs import replace

from lanuno.bots.pace import BotPace
from lanuno.dealing.identity import fingerprint
from lanuno.log.faults import Blame, Unreadable
from lanuno.log.genesis import VERSION, Genesis
from lanuno.net.allowance import OF_STRANGERS, Allowance
from lanuno.net.channel import Channel
from lanuno.net.client import connect
from lanuno.net.endings import Ending, Observer, silent_seconds, went_quiet
from lanuno.net.errors import Goodbye, NetError
from lanuno.net.gaps import Gaps
from lanuno.net.patience import Patience, usual_seconds
from lanuno.net.pauses import Pauses
from lanuno.net.programs import Programs
from lanuno.net.records import keep
from lanuno.net.seeking import Seeking
from lanuno.net.setup import Setup
from lanuno.net.table_log import TableLog
from lanuno.rules.actions import Action
from lanuno.table import messages, outputs
from lanuno.table.arrangements import Arrangements
from lanuno.table.clocks import Pace
from lanuno.table.computer import Stay
from lanuno.table.member import Member
from lanuno.table.messages import LobbyRefusal, at_table, to_bytes
from lanuno.table.outputs import Output, Peer
from lanuno.table.recall import Recall
from lanuno.table.rematch import Rematch
from lanuno.table.session import Session

MOVING_IN_SECONDS: Final = 1.0
"""So long a new host does not tell of those who have not come to it yet."""

DIAL_SECONDS: Final = 3.0
"""For one way to reach another computer."""

FAREWELL_SECONDS: Final = 1.0
"""For what is still to be told to a host that stays at a table that is over."""

FIND_SECONDS: Final = 3.0
"""For hearing where the table is now, if nobody is where they were."""


@dataclass(slots=True)
class _Line:
    """A connection, and how much may still come over it."""

    channel: Channel
    allowance: Allowance


class MemberDriver:
    """One computer at one table that plays."""

    def __init__(
        self,
        genesis: Genesis,
        setup: Setup,
        observe: Observer,
        *,
        recall: Recall | None = None,
        on_end: Callable[[], None] | None = None,
    ) -> None:
        """`observe`: told everything that concerns the owner. `on_end`: called once it is over.

        Raises `Unreadable`, `TableError`, `HostFault` if what was kept is not a log.
        """
        self.ending: Ending | None = None
        self.blame: Blame | None = None
        self.failure: Exception | None = None
        """What made it impossible to go on; for whoever waits to raise."""
        self.ended = asyncio.Event()
        self.parted = asyncio.Event()
        """Set when the owner's seat is out of the game: it left or was dropped, or all is over."""
        self.settled = asyncio.Event()
        """Set when the log is closed and, on the host, everybody in contact holds all of it."""
        self.hostless = asyncio.Event()
        """Set while there is no contact to any host, and this computer is none."""
        self.hostless.set()
        self.complete = asyncio.Event()
        """Set when the log is closed and, on the host, every owner who counts holds all of it."""
        self.refusal: LobbyRefusal | None = None
        """Why the host lets this computer not watch any longer."""
        self.deserted = False
        """Whether the host was lost after the log was closed, without a goodbye."""
        self.rematch: Rematch | None = None
        """Who wants to play again: where this computer stays, once the log is closed."""
        self._early_answers: dict[Peer, messages.PlayAgain] = {}
        """By connection: the last answer that came before the log was closed here."""
        self._wants_again = False
        self._host_stays = False
        self._leaves = False
        """Whether it is about to leave a host that stays."""
        self.dispersed = asyncio.Event()
        """Set when this computer stays at the table no longer."""
        self.closing: Callable[[], Coroutine[object, object, None]] | None = None
        """What else is to be ended by `shut`."""
        self._genesis = genesis
        self._setup = setup
        self._log = TableLog(genesis, setup.seats[0].identity if setup.seats else None, observe)
        self._observe = self._log.see
        self._on_end = on_end
        self._loop = asyncio.get_running_loop()
        self._identity = setup.seats[0].identity if setup.seats else None
        port = 0 if setup.door is None else setup.door.port
        self._seeking: Seeking | None = None
        if setup.surroundings is not None and self._identity is not None:
            around, arranged = setup.surroundings, setup.arrangements
            self._seeking = Seeking(around, genesis, self._identity, arranged, port)
        stay = Stay(
            identities=tuple(seat.identity for seat in setup.seats),
            entropy=setup.entropy,
            rounds=setup.arrangements.rounds,
            port=port,
            # A person is asked whether to wait on for somebody who fell silent.
            pace=Pace(claim=None) if setup.seats and setup.seats[0].player is None else Pace(),
        )
        self.member = Member(genesis, stay, recall)
        self._programs = Programs(
            self.member,
            [seat.player for seat in setup.seats],
            lambda session, todo: self._do(lambda: self.member.carry_out(session, todo, self._now)),
            stand_in=setup.stand_in,
            pace=setup.pace,
        )
        self._lines: dict[Peer, _Line] = {}
        self._dialled: set[Channel] = set()
        """Connections that this computer made."""
        self._next_link = 0
        self._timer: asyncio.TimerHandle | None = None
        self._pauses = Pauses(self._paused, clock=self._loop.time)
        usual = usual_seconds(self.member.replay.roster.ruleset)
        patience = usual if setup.patience is None else setup.patience
        self._patience = Patience(patience, self._give_up)
        self._tasks: set[asyncio.Task[None]] = set()
        self._sync_wanted: outputs.Sync | None = None
        self._syncing = False
        self._closed = False
        self._began = False
        self._served: set[int | None] = set()
        """Seats of owners that were seen to hold the whole log after it was closed."""
        self._gaps = Gaps(self._observe, None if recall is None else self.member.replay.seq)
        self._moving_in: dict[type[Output], tuple[Output, float]] | None = None
        """On a new host: what it tells only after a moment about others who are missing, and when
        it heard of it; None at other times."""
        roster = self.member.replay.genesis.read()
        self._seats = {
            seat.identity: number
            for number, seat in enumerate(roster.seats)
            if seat.owner == seat.identity
        }

    # ---- what a person does -----------------------------------------------------------------

    @property
    def session(self) -> Session:
        """The owner's session, to look at."""
        return self.member.first

    @property
    def arrangements(self) -> Arrangements:
        """What was agreed on before the log, and where the others are."""
        return self._setup.arrangements

    def act(self, action: Action) -> None:
        """Do what the owner decided. Raises `TableError` if the rules refuse it."""
        todo = self.session.act(action)
        self._do(lambda: self.member.carry_out(self.session, todo, self._now))

    def let_bots_play(self, pace: BotPace) -> None:
        """The programs of this computer play at another pace from now on."""
        self._programs.pace = pace

    def say(self, text: str) -> None:
        """Chat."""
        self._do(lambda: self.member.say(text, self._now))

    def react(self, reaction: messages.Reaction) -> None:
        """Show something to everybody."""
        self._do(lambda: self.member.react(reaction, self._now))

    def play_again(self) -> bool:
        """Tell the others that the owner wants another match; whether that can still be told.

        A match may be decided a moment before its log is closed: then it is told with that.
        """
        gone = self.dispersed.is_set() or self.ending not in (None, Ending.CLOSED)
        if gone or not self._setup.stays:
            return False
        self._wants_again = True
        if self.rematch is not None:
            self._about_rematch(self.rematch.want(self._now))
        return True

    def leave(self) -> None:
        """Leave the table on purpose; `parted` is set once the log says so."""
        self._do(lambda: self.member.leave(self._now))

    def stop(self) -> None:
        """As host: end the match, after a whole round if it can."""
        self._do(lambda: self.member.stop(self._now))

    def claim(self) -> None:
        """As host: end the wait for a player who fell silent, once `MayClaim` was told."""
        self._do(lambda: self.member.claim(self._now))

    def send_spectator_away(self, identity: bytes) -> None:
        """As host: this person does not watch any more, and does not come back."""
        doorkeeper = self._setup.doorkeeper
        for line in self._lines.values():
            if doorkeeper is not None and line.channel.identity == identity:
                doorkeeper.send_away(identity, line.channel.address, self._now)
        self._do(lambda: self.member.send_away(identity, LobbyRefusal.KICKED, self._now))

    def allow_spectators(self, allowed: bool) -> None:
        """As host: people may watch from now on, or nobody."""
        if self._setup.doorkeeper is not None:
            self._setup.doorkeeper.allow_spectators(allowed)
        self._setup.arrangements = replace(self._setup.arrangements, spectators=allowed)
        self._guard(self._keep_arrangements)
        if not allowed:
            why = LobbyRefusal.NO_SPECTATORS
            self._do(lambda: self.member.send_away(None, why, self._now))

    # ---- connections ------------------------------------------------------------------------

    def begin(self) -> None:
        """Start; connections that stand already were told before."""
        self._pauses.begin()
        self._guard(self._keep_arrangements)
        self._guard(self._keep_places)
        self._do(lambda: self.member.begin(self._now))
        self._mind_the_host()

    def linked(self, channel: Channel, *, dialled: bool = False) -> Peer:
        """A connection stands; the number under which `hear` and `unlinked` know it."""
        link = self._next_link
        self._next_link += 1
        seat = self._seats.get(channel.identity)
        allowance = Allowance(channel.limits, self._now, plays=seat is not None)
        self._lines[link] = _Line(channel, allowance)
        self._log.linked(link, channel, seat, dialled=dialled)
        address = channel.address
        self._do(
            lambda: self.member.linked(
                link, seat, self._now, address=address, dialled=dialled, identity=channel.identity
            )
        )
        self._guard(self._keep_places)
        if self.rematch is not None:
            self._about_rematch(self.rematch.linked(link, seat, self._now))
        return link

    def hear(self, link: Peer, data: bytes) -> Goodbye | None:
        """Take a message; what to say goodbye with if this connection must end."""
        line = self._lines.get(link)
        if line is None:
            return Goodbye.DONE
        try:
            message = at_table(data)
        except Unreadable:
            return Goodbye.PROTOCOL
        if not line.allowance.take(message, self._now):
            return Goodbye.FLOOD
        stranger = line.channel.identity not in self._seats
        if stranger and not isinstance(message, OF_STRANGERS):
            return None
        if not line.allowance.shows(message, self._now):
            return None
        if isinstance(message, messages.PlayAgain | messages.Rematch):
            if self.rematch is not None:
                self._about_rematch(self.rematch.heard(link, message, self._now))
                return None
            if isinstance(message, messages.PlayAgain):
                # It is said once, maybe by somebody who has the end of the log before this one.
                self._early_answers[link] = message
            if link == self.member.home:
                # It may be ahead of the end of the log, which is told once the host's disk has it.
                self._host_stays = True
                self._go_without_goodbye()
            return None
        if isinstance(message, messages.Refused) and link == self.member.home:
            self.refusal = None if self._identity else message.why
        if isinstance(message, messages.Watch):
            why = self._why_not_watch(line.channel, message)
            if why is not None:
                self._do(lambda: [outputs.ToLink(link, messages.Refused(why))])
                return None
        self._do(lambda: self.member.heard(link, message, self._now))
        if isinstance(message, messages.Whereabouts | messages.Resume):
            self._guard(self._keep_places)
        self._mind_the_host()
        return None

    def watches(self, link: Peer, name: str) -> None:
        """As host: somebody watched the waiting room, and asks nobody again whether they may."""
        self._do(lambda: self.member.heard(link, messages.Watch(VERSION, name), self._now))

    def unlinked(self, link: Peer) -> None:
        """A connection has ended."""
        line = self._lines.pop(link, None)
        if line is None:
            return
        self._early_answers.pop(link, None)
        self._log.unlinked(link, line.channel, self._seats.get(line.channel.identity))
        end = line.channel.end
        silent = silent_seconds(end, line.channel.limits.silence)
        if link == self.member.home and self.ending is Ending.CLOSED:
            self.deserted = not isinstance(end, Goodbye)
        quiet = went_quiet(end)
        self._do(lambda: self.member.unlinked(link, self._now, silent=silent, quiet=quiet))
        if self.rematch is not None:
            self._about_rematch(self.rematch.unlinked(link, self._now))
            if self._identity is None and not self._lines:
                # A spectator knows of no other computer that could tell anything.
                self.disperse()
        self._mind_the_host()

    async def serve(self, channel: Channel, *, dialled: bool = False) -> None:
        """One connection from its handshake to its goodbye."""
        await self.serve_on(self.linked(channel, dialled=dialled))

    async def serve_on(self, link: Peer) -> None:
        """The same for a connection that was told before."""
        channel = self._lines[link].channel
        try:
            async for data in channel:
                goodbye = self.hear(link, data)
                if goodbye is not None:
                    self._log.refused(link, goodbye)
                    await channel.close(goodbye)
                    return
        except NetError:
            return  # how it ended is told to the machine
        finally:
            self.unlinked(link)

    def _why_not_watch(self, channel: Channel, message: messages.Watch) -> LobbyRefusal | None:
        doorkeeper, office = self._setup.doorkeeper, self.member.sequencer
        if doorkeeper is None or office is None:
            return LobbyRefusal.NO_SPECTATORS
        who, where, here = channel.identity, channel.address, office.spectators
        return doorkeeper.why_not_watch(who, where, message, here, self._now)

    async def _dial(self, dial: outputs.Dial) -> None:
        """Reach the computer of an owner, where it was or where the table is announced now."""
        channel = None
        key = self.member.replay.absence.signed.seats[dial.seat].identity
        for address, port in dial.places:
            channel = channel or await self._connect((address,), port, key)
        if channel is None and self._seeking is not None:
            host = dial.seat == self.member.replay.host
            found = await self._seeking.find(fingerprint(key), host=host, patience=FIND_SECONDS)
            if found is not None:
                owner = next((each for each in self._seats if fingerprint(each) == found.fp), key)
                channel = await self._connect(found.addresses, found.port, owner)
        if channel is None or self._seats.get(channel.identity) != dial.seat:
            self._log.unreachable(dial.seat)
            self._do(lambda: self.member.unreachable(dial.seat, self._now))
            if self.rematch is not None:
                self._about_rematch(self.rematch.unreachable(dial.seat, self._now))
        if channel is not None:
            self._dialled.add(channel)
            try:
                await self.serve(channel, dialled=True)
            finally:
                # A door closes what came in through it; this came through none.
                try:
                    await channel.close(Goodbye.SHUTDOWN if self._closed else Goodbye.DONE)
                finally:
                    self._dialled.discard(channel)

    async def _connect(self, hosts: tuple[str, ...], port: int, key: bytes) -> Channel | None:
        if self._identity is None:
            return None
        there, table = fingerprint(key), self._genesis.table_id
        try:
            async with asyncio.timeout(DIAL_SECONDS):
                return await connect(hosts, port, self._identity, fingerprint=there, context=table)
        except (NetError, TimeoutError):
            return None

    # ---- outputs ----------------------------------------------------------------------------

    @property
    def _now(self) -> float:
        return self._loop.time()

    def _do(self, work: Callable[[], list[Output]]) -> None:
        """Let the machine work and carry out what it wants; a failure ends this computer's part."""
        self._pauses.look()
        self._guard(lambda: self._carry_out(work()))

    def _guard(self, work: Callable[[], None]) -> None:
        if self._closed or self.failure is not None:
            return
        try:
            work()
        except Exception as error:  # noqa: BLE001 - timers and tasks have no caller to raise to
            self.fail(error)
            return
        self._wake_later()

    def _is_idle(self, channel: Channel) -> bool:
        """Whether nothing is told over a connection: nobody watches over it."""
        links = (link for link, line in self._lines.items() if line.channel is channel)
        return not any(self.member.uses(link) for link in links)

    def _keep_places(self) -> None:
        """Where the others are: for a program that starts again, maybe with all of them."""
        if self._setup.door is not None:
            self._setup.door.reserve(self._seats, self.member.addresses, self._is_idle)
        places = self.member.places
        if places != self._setup.arrangements.places:
            self._setup.arrangements = replace(self._setup.arrangements, places=places)
            if self._began:
                self._keep_arrangements()

    def _keep_arrangements(self) -> None:
        self._began = True
        if self._setup.arrange is not None:
            self._setup.arrange(self._genesis.table_id, self._setup.arrangements)

    def fail(self, error: Exception) -> None:
        """This computer cannot go on. What could not be kept must not be known to others."""
        self.failure = error
        self.cut()
        self.settled.set()
        self._end(Ending.FAILED)

    def _carry_out(self, todo: list[Output]) -> None:
        encoded = dict[int, bytes]()
        for output in todo:
            if keep(self._setup.records, output):
                if isinstance(output, outputs.CutEntries):
                    self._observe(output)  # what was told of these entries holds no more
                continue
            match output:
                case outputs.ToLink():
                    self._post(output, encoded)
                    self._observe(output)
                case outputs.Sync():
                    self._sync_wanted = output
                    if not self._syncing:
                        self._start(self._sync)
                case outputs.Compute():
                    self._start(partial(self._compute, output))
                case outputs.Dial():
                    self._start(partial(self._dial, output))
                case outputs.HangUp():
                    self._hang_up(output.link)
                case _:
                    self._tell(output)
        self._gaps.look(self.member)
        self._look_for_the_end()

    def _post(self, output: outputs.ToLink, encoded: dict[int, bytes]) -> None:
        line = self._lines.get(output.link)
        if line is None:
            return
        data = encoded.get(id(output.message))
        if data is None:
            data = encoded[id(output.message)] = to_bytes(output.message)
        with suppress(NetError):  # its reader learns of it too, and ends
            line.channel.send(data)

    def _hang_up(self, link: Peer) -> None:
        line = self._lines.get(link)
        if line is not None:
            self._start(partial(line.channel.close, Goodbye.REMOVED))

    def _tell(self, output: Output) -> None:
        """Outputs that somebody may want to see."""
        match output:
            case outputs.Happened():
                self._observe(output.event)
            case outputs.Changed():
                self._programs.think()
                self._observe(output)
            case outputs.ActionRefused():
                self._observe(output)
                self._programs.refused()
            case outputs.Stopped():
                self.blame = output.blame
                self._observe(output)
                self._end(Ending.STOPPED)
            case outputs.Hosting():
                if self._setup.hosting is not None:
                    self._setup.hosting(output.on)
                self._observe(output)
                if output.on and self.member.replay.term and self._moving_in is None:
                    self._moving_in = {}
                    self._loop.call_later(MOVING_IN_SECONDS, self._moved_in)
            case outputs.ToHost() | outputs.ToPeer() | outputs.Disconnect():
                pass
            case outputs.TableWaits() | outputs.TableFrozen() if self.ending is not None:
                pass  # nobody waits here any more
            case outputs.TableWaits() | outputs.TableFrozen() if self._moving_in is not None:
                self._moving_in[type(output)] = output, self._loop.time()
            case _:
                self._observe(output)

    def _moved_in(self) -> None:
        """Whoever is still not here after a moment is told to be missing."""
        said, self._moving_in = ({} if self._closed else self._moving_in) or {}, None
        for output, since in said.values():
            if isinstance(output, outputs.TableWaits):
                # The others were told at once: here, too, the time has run since then.
                left = max(0.0, output.seconds - (self._loop.time() - since))
                self._tell(outputs.TableWaits(output.seats, left))
            else:
                self._tell(output)

    def _look_for_the_end(self) -> None:
        member = self.member
        if member.seat in member.replay.dropped and not member.hosts:
            self.parted.set()
        if member.replay.closed is not None:
            office = member.sequencer
            if office is None or office.settled:
                self.settled.set()
                lines = self._lines.values()
                self._served |= {self._seats.get(line.channel.identity) for line in lines}
                if office is None or {*member.replay.owners} <= {*self._served, member.seat}:
                    self.complete.set()
            if self.ending is None:
                self._end(Ending.CLOSED)
                self._go_without_goodbye()
            self._stay()

    def _stay(self) -> None:
        """Stay for another match, whichever computer opens its table."""
        if not self._setup.stays or self.rematch is not None or self.dispersed.is_set():
            return
        member = self.member
        self.rematch = Rematch(
            member.seat,
            member.replay.host,
            self._seats.values(),
            uses=member.uses,
            places=lambda seat: tuple(
                (each.address, each.port) for each in member.places if each.seat == seat
            ),
        )
        links = {link: self._seats.get(line.channel.identity) for link, line in self._lines.items()}
        todo = self.rematch.begin(links, self._now)
        if self._wants_again:
            todo += self.rematch.want(self._now)
        for link, answer in self._early_answers.items():
            todo += self.rematch.heard(link, answer, self._now)
        self._early_answers.clear()
        self._about_rematch(todo)

    def _go_without_goodbye(self) -> None:
        """A host that stays says no goodbye: computers that do not stay leave after a moment."""
        if self._leaves or self.ending is not Ending.CLOSED:
            return
        if self._host_stays and not self._setup.stays:
            self._leaves = True
            self._loop.call_later(FAREWELL_SECONDS, self.disperse)

    def _about_rematch(self, todo: list[Output]) -> None:
        if not self.dispersed.is_set():
            # Behind what is being carried out: that may have closed the log.
            self._loop.call_soon(self._do, lambda: todo)

    def hide(self) -> None:
        """Announce the table no longer."""
        if self._setup.hosting is not None:
            self._setup.hosting(False)

    def disperse(self) -> None:
        """Stay no longer."""
        self.dispersed.set()

    def _end(self, ending: Ending) -> None:
        if self.ending is None:
            self.ending = ending
            self._log.ended(ending, self.failure)
            self.ended.set()
            self.parted.set()
            if self._on_end is not None:
                self._on_end()

    def _mind_the_host(self) -> None:
        """Look for the others while no host is heard, and give up once that was for too long."""
        there = self.member.in_contact
        misses = not (there or self.ending is not None or self._closed)
        if self._seeking is not None:
            self._seeking.turn(misses)
        (self.hostless.clear if there else self.hostless.set)()
        self._patience.turn(on=misses)

    def _give_up(self) -> None:
        """Nobody was heard for too long, unless this program did not listen."""
        if not self._pauses.look():
            self._end(Ending.LOST)

    def _paused(self, seconds: float) -> None:
        """This program did not run for a while: nobody was late, and nobody was looked for."""
        self._patience.again()
        self._guard(lambda: self._carry_out(self.member.paused(seconds, self._now)))

    # ---- time and work ----------------------------------------------------------------------

    def _start(self, work: Callable[[], Coroutine[object, object, None]]) -> None:
        task = self._loop.create_task(self._guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guarded(self, work: Callable[[], Coroutine[object, object, None]]) -> None:
        try:
            await work()
        except Exception as error:  # noqa: BLE001 - a task has no caller to raise to
            self.fail(error)

    def _wake_later(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        moments = [self.member.deadline]
        if self.rematch is not None and not self.dispersed.is_set():
            moments.append(self.rematch.deadline)
        deadline = min((each for each in moments if each is not None), default=None)
        if deadline is not None and self.failure is None and not self._closed:
            self._timer = self._loop.call_at(deadline, self._tick)

    def _tick(self) -> None:
        self._do(lambda: self.member.tick(self._now))
        if self.rematch is not None and not self.dispersed.is_set():
            self._about_rematch(self.rematch.tick(self._now))

    async def _sync(self) -> None:
        """Wait for the disk without holding anybody up; what comes meanwhile waits together."""
        self._syncing = True
        try:
            done: outputs.Sync | None = None
            while self._sync_wanted is not None and done is not self._sync_wanted:
                if self._closed:
                    return
                done = self._sync_wanted
                await asyncio.to_thread(self._setup.records.sync)
                self._do(partial(self.member.synced, done, self._now))
        finally:
            self._syncing = False

    async def _compute(self, job: outputs.Compute) -> None:
        result = await asyncio.to_thread(job.work)
        self._do(lambda: self.member.computed(job.job, result, self._now))

    def finish(self, ending: Ending) -> None:
        """Whoever runs this computer's part wants no more of it."""
        self._end(ending)
        self.disperse()

    def cut(self) -> None:
        """Say nothing more to anybody, not even goodbye."""
        for channel in (*self._dialled, *(line.channel for line in self._lines.values())):
            channel.abort()

    async def shut(self) -> None:
        """Close the door and everything behind it, saying goodbye."""
        door = self._setup.door
        try:
            if self.closing is not None:
                await self.closing()
        finally:
            doors = () if door is None else (door.close(),)
            try:
                await asyncio.gather(self._part(), *doors)
            finally:
                await self.close()

    async def _part(self) -> None:
        """Say goodbye to those whom this computer has dialled."""
        await asyncio.gather(*(each.close(Goodbye.SHUTDOWN) for each in self._dialled))

    async def close(self) -> None:
        """End what runs; the records are closed. Nothing is done any more after this."""
        self._closed = True
        self._programs.stop()
        self._pauses.end()
        self._patience.turn(on=False)
        if self._timer is not None:
            self._timer.cancel()
        for task in self._tasks:
            task.cancel()
        try:
            await asyncio.gather(*self._tasks, return_exceptions=True)
            if self._seeking is not None:
                await self._seeking.close()
        finally:
            self._setup.records.close()
