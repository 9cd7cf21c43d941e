"""Runs one seat's machines (waiting room, then session) on an event loop, for any transport.

It carries out their outputs in order: disk before network, heavy work on a thread, news to an
observer, moves from a player. Where messages come from and go to is the caller's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import partial

from lanuno.bots.autoplay import Autoplay, Player
from lanuno.dealing.identity import Identity
from lanuno.log.faults import Blame
from lanuno.log.genesis import Genesis
from lanuno.net.records import Records
from lanuno.table import outputs
from lanuno.table.lobby_peer import Entropy, LobbyPeer, Seating
from lanuno.table.messages import FromHost, FromPeer, LobbyRefusal, Watch
from lanuno.table.outputs import Output
from lanuno.table.session import Session

BOT_THINKS = 0.03
"""Seconds between two moves of a program: no host has to bear more messages than from a person."""

Observer = Callable[[object], None]
"""Told every event of the log and the rules, and every output that concerns a person."""


class Ending(Enum):
    """Why a seat's time at a table is over."""

    CLOSED = "closed"
    """The log was closed."""
    TOURNAMENT = "tournament"
    """The waiting room was that of a tournament: its tables come next."""
    TURNED_AWAY = "turned-away"
    STOPPED = "stopped"
    """What came from the host cannot be; the evidence is kept."""
    LOST = "lost"
    """The connection ended before the log did."""
    FAILED = "failed"
    """This computer could not go on: a file that cannot be written, or a mistake of the program."""


@dataclass(slots=True)
class SeatFiles:
    """What a seat is made of besides its machines."""

    records: Records
    player: Player | None
    entropy: Entropy
    thinks: float = BOT_THINKS


class SeatDriver:
    """One seat (or spectator) of one table."""

    def __init__(
        self,
        identity: Identity,
        seating: Seating,
        files: SeatFiles,
        send: Callable[[FromPeer], None],
        observe: Observer,
        *,
        watch: bool = False,
        on_end: Callable[[SeatDriver], None] | None = None,
    ) -> None:
        """`send`: takes a message to the host; must not call back. `watch`: without a seat.

        `on_end` is called when `ending` is set, and when `failure` is.
        """
        self.lobby = LobbyPeer(identity, seating, files.entropy)
        self.session: Session | None = None
        self.tournament: Genesis | None = None
        """Set when the waiting room was that of a tournament, and all have signed."""
        self.ending: Ending | None = None
        self.refusal: LobbyRefusal | None = None
        """Why it was turned away."""
        self.blame: Blame | None = None
        """Why it stopped."""
        self.failure: Exception | None = None
        """What made it impossible to go on; for whoever waits to raise."""
        self.ended = asyncio.Event()
        """Set together with `ending`."""
        self.parted = asyncio.Event()
        """Set when this seat is out of the game: it left or was dropped, or all is over."""
        self.identity = identity.public
        """The public key that this seat signs with."""
        self._identity = identity
        self._seating = seating
        self._files = files
        self._send = send
        self._observe = observe
        self._watch = watch
        self._on_end = on_end
        self._closed = False
        self._autoplay: Autoplay | None = None
        self._thinking: asyncio.TimerHandle | None = None
        self._jobs: set[asyncio.Task[None]] = set()
        self._loop = asyncio.get_running_loop()

    def begin(self, version: int) -> None:
        """Ask for a seat, or to watch."""
        if self._watch:
            self._send(Watch(version, self._seating.name, self._seating.pin))
        else:
            self._do(self.lobby.join)

    def hear(self, message: FromHost) -> None:
        """Take a message of the host."""
        if self.ending not in (Ending.TURNED_AWAY, Ending.STOPPED):
            machine = self.lobby if self.session is None else self.session
            self._do(partial(machine.receive, message))

    def lost(self) -> None:
        """The connection is over."""
        self._end(Ending.LOST)

    def leave(self) -> None:
        """Say that this seat leaves on purpose."""
        if self.session is not None:
            self._do(self.session.leave)

    async def close(self) -> None:
        """End what runs; the records are closed. Nothing is done any more after this."""
        self._closed = True
        if self._thinking is not None:
            self._thinking.cancel()
        for job in self._jobs:
            job.cancel()
        try:
            await asyncio.gather(*self._jobs, return_exceptions=True)
        finally:
            self._files.records.close()

    # ---- outputs ----------------------------------------------------------------------------

    def _do(self, work: Callable[[], list[Output]]) -> None:
        """Let a machine work and carry out what it wants; a failure ends this seat."""
        if self._closed or self.failure is not None:
            return
        try:
            self._carry_out(work())
        except Exception as error:  # noqa: BLE001 - timers and tasks have no caller to raise to
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        """Nothing is sent after this: what could not be kept must not be known to others."""
        self.failure = error
        if self.ending is None:
            self._end(Ending.FAILED)
        elif self._on_end is not None:
            self._on_end(self)

    def _carry_out(self, todo: list[Output]) -> None:
        """Carry out outputs from first to last."""
        records = self._files.records
        for output in todo:
            match output:
                case outputs.ToHost():
                    self._send(output.message)
                case outputs.KeepEntry():
                    records.entry(output.entry)
                case outputs.KeepSecret():
                    records.secret(output.round, output.label, output.secret)
                case outputs.KeepBody():
                    records.body(output.counter, output.data)
                case outputs.KeepGenesis():
                    records.begin(output.genesis)
                case outputs.Compute():
                    job = self._loop.create_task(self._compute(output))
                    self._jobs.add(job)
                    job.add_done_callback(self._jobs.discard)
                case outputs.TableBegan():
                    self._begin_session(output)
                case _:
                    self._tell(output)

    def _tell(self, output: Output) -> None:
        """Outputs that somebody may want to see."""
        match output:
            case outputs.Happened():
                self._observe(output.event)
            case outputs.Changed():
                self._think()
            case outputs.ActionRefused():
                self._observe(output)
                if self._autoplay is not None:
                    self._autoplay.refused()
            case outputs.Stopped():
                self.blame = output.blame
                self._observe(output)
                self._end(Ending.STOPPED)
            case outputs.TurnedAway():
                self.refusal = output.why
                self._observe(output)
                self._end(Ending.TURNED_AWAY)
            case _:
                self._observe(output)
        if self.session is not None:
            self._look_for_the_end(self.session)

    def _look_for_the_end(self, session: Session) -> None:
        if session.seat in session.replay.dropped:
            self.parted.set()
        if session.replay.closed is not None:
            self._end(Ending.CLOSED)

    def _begin_session(self, began: outputs.TableBegan) -> None:
        if began.genesis.read().is_tournament:
            self.tournament = began.genesis
            self._end(Ending.TOURNAMENT)
            return
        identity = None if self._watch else self._identity
        self.session = Session(began.genesis, identity, self._files.entropy)
        if self._files.player is not None and not self._watch:
            self._autoplay = Autoplay(self.session, self._files.player)
        self._observe(began)
        self._carry_out(self.session.begin())

    def _end(self, ending: Ending) -> None:
        if self.ending is None:
            self.ending = ending
            self.ended.set()
            self.parted.set()
            if self._on_end is not None:
                self._on_end(self)

    # ---- work and moves ---------------------------------------------------------------------

    async def _compute(self, job: outputs.Compute) -> None:
        try:
            result = await asyncio.to_thread(job.work)
        except Exception as error:  # noqa: BLE001 - a task has no caller to raise to
            self._fail(error)
            return
        if self.session is not None:
            self._do(partial(self.session.computed, job.job, result))

    def _think(self) -> None:
        """Let the player move after a moment, if it wants to."""
        if self._autoplay is None or self._thinking is not None:
            return
        if self._autoplay.wants() is not None:
            self._thinking = self._loop.call_later(self._files.thinks, self._move)

    def _move(self) -> None:
        self._thinking = None
        if self._autoplay is not None:
            self._do(self._autoplay.move)
            self._do(lambda: [outputs.Changed()])
