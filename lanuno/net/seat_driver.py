"""Runs one seat's machines (waiting room, then session) on an event loop, for any transport.

It carries out their outputs in order: disk before network, heavy work on a thread, news to an
observer, moves from a player. Where messages come from and go to is the caller's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from lanuno.bots.autoplay import Autoplay, Player
from lanuno.dealing.identity import Identity
from lanuno.log.faults import Blame
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
    TURNED_AWAY = "turned-away"
    STOPPED = "stopped"
    """What came from the host cannot be; the evidence is kept."""
    LOST = "lost"
    """The connection ended before the log did."""


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
    ) -> None:
        """`send`: takes a message to the host; must not call back. `watch`: without a seat."""
        self.lobby = LobbyPeer(identity, seating, files.entropy)
        self.session: Session | None = None
        self.ending: Ending | None = None
        self.refusal: LobbyRefusal | None = None
        """Why it was turned away."""
        self.blame: Blame | None = None
        """Why it stopped."""
        self.ended = asyncio.Event()
        self.identity = identity.public
        """The public key that this seat signs with."""
        self._identity = identity
        self._seating = seating
        self._files = files
        self._send = send
        self._observe = observe
        self._watch = watch
        self._autoplay: Autoplay | None = None
        self._thinking: asyncio.TimerHandle | None = None
        self._jobs: set[asyncio.Task[None]] = set()
        self._loop = asyncio.get_running_loop()

    def begin(self, version: int) -> None:
        """Ask for a seat, or to watch."""
        if self._watch:
            self._send(Watch(version, self._seating.name, self._seating.pin))
        else:
            self.do(self.lobby.join())

    def hear(self, message: FromHost) -> None:
        """Take a message of the host."""
        if self.ending in (Ending.TURNED_AWAY, Ending.STOPPED):
            return
        if self.session is not None:
            self.do(self.session.receive(message))
        else:
            self.do(self.lobby.receive(message))

    def lost(self) -> None:
        """The connection is over."""
        self._end(Ending.LOST)

    def leave(self) -> None:
        """Say that this seat leaves on purpose."""
        if self.session is not None:
            self.do(self.session.leave())

    async def close(self) -> None:
        """End what runs; the records are closed."""
        if self._thinking is not None:
            self._thinking.cancel()
        for job in self._jobs:
            job.cancel()
        await asyncio.gather(*self._jobs, return_exceptions=True)
        self._files.records.close()

    # ---- outputs ----------------------------------------------------------------------------

    def do(self, todo: list[Output]) -> None:
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
        if self.session is not None and self.session.replay.closed is not None:
            self._end(Ending.CLOSED)

    def _begin_session(self, began: outputs.TableBegan) -> None:
        identity = None if self._watch else self._identity
        self.session = Session(began.genesis, identity, self._files.entropy)
        if self._files.player is not None and not self._watch:
            self._autoplay = Autoplay(self.session, self._files.player)
        self._observe(began)
        self.do(self.session.begin())

    def _end(self, ending: Ending) -> None:
        if self.ending is None:
            self.ending = ending
            self.ended.set()

    # ---- work and moves ---------------------------------------------------------------------

    async def _compute(self, job: outputs.Compute) -> None:
        result = await asyncio.to_thread(job.work)
        if self.session is not None:
            self.do(self.session.computed(job.job, result))

    def _think(self) -> None:
        """Let the player move after a moment, if it wants to."""
        if self._autoplay is None or self._thinking is not None:
            return
        if self._autoplay.wants() is not None:
            self._thinking = self._loop.call_later(self._files.thinks, self._move)

    def _move(self) -> None:
        self._thinking = None
        if self._autoplay is not None:
            self.do(self._autoplay.move())
            self._think()
