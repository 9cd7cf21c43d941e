"""A session at one table, hosted here or elsewhere: what the GUI may ask of it.

The asyncio side; no Qt. `run` is the whole session, from the lock on the profile to the last file
closed. All other methods are called while it runs.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from lanuno.bots.pace import PACES, BotPace
from lanuno.client.events import SessionEvent
from lanuno.client.observer import TableObserver
from lanuno.log.format.genesis import Genesis
from lanuno.net.runtime.endings import TableEnding
from lanuno.net.runtime.lobby_seat import LobbySeatRuntime
from lanuno.net.runtime.node_runtime import NodeRuntime
from lanuno.rules.engine.actions import Action
from lanuno.rules.ruleset import Ruleset
from lanuno.store.paths import Home
from lanuno.table.errors import TableError
from lanuno.table.lobby.peer import Offer
from lanuno.table.lobby.readiness import RulesRefusal
from lanuno.table.messages import LobbyRefusal, Reaction


@dataclass(frozen=True, slots=True)
class SessionResult:
    """How a session ended."""

    transcript: Path | None
    """None if no game began."""
    ending: TableEnding | None
    refusal: LobbyRefusal | None
    """Why the waiting room refused or removed the player."""
    leave_requested: bool
    """Whether the user wanted to leave."""
    tournament: Genesis | None = None


class TableSession(ABC):
    """A seat at a table, for the GUI."""

    hosts = False
    """Whether the waiting room is this computer's."""

    def __init__(self, home: Home, emit: Callable[[SessionEvent], None]) -> None:
        """Nothing is opened before `run`."""
        self.home = home
        self.emit = emit
        self.identity = b""
        """The own public key, once it is known."""
        self.host_identity = b""
        """The host's."""
        self.leave_requested = False
        """Whether the user wanted to leave."""
        self.pace = PACES["normal"]
        """How fast the bots of this computer play."""
        self._leaving: asyncio.Task[None] | None = None
        self.observer = TableObserver(emit, lambda: self.runtime)

    @property
    @abstractmethod
    def runtime(self) -> NodeRuntime | None:
        """The node runtime, once the log has begun."""

    @abstractmethod
    async def run(self) -> SessionResult:
        """Take part until the table is over for this computer.

        Raises `NetError`, `StoreError`, or whatever made it impossible to go on.
        """

    @abstractmethod
    async def _leave_table(self) -> None:
        """Leave the table as the protocol asks."""

    # ---- what the user does -----------------------------------------------------------------

    async def act(self, action: Action) -> str:
        """Do this; "" or, in English for a log, why it is refused."""
        runtime = self.runtime
        if runtime is None:
            return "no game has begun"
        try:
            runtime.act(action)
        except TableError as error:
            return str(error)
        return ""

    async def let_bots_play(self, pace: BotPace) -> None:
        """The bots of this computer play at another pace from now on."""
        self.pace = pace
        if self.runtime is not None:
            self.runtime.set_bot_pace(pace)

    async def claim(self) -> None:
        """As host: end the wait for a missing player."""
        if self.runtime is not None:
            self.runtime.claim()

    @property
    @abstractmethod
    def lobby_seat(self) -> LobbySeatRuntime | None:
        """The own seat in the waiting room."""

    async def say(self, text: str) -> None:
        """Chat."""
        if self.runtime is not None:
            self.runtime.send_chat(text)
        elif self.lobby_seat is not None:
            self.lobby_seat.send_chat(text)

    async def react(self, reaction: Reaction) -> None:
        """Send a reaction to everybody at the table."""
        if self.runtime is not None:
            self.runtime.react(reaction)

    async def play_again(self) -> bool:
        """Announce that this player wants a rematch; False if that is no longer possible."""
        return self.runtime is not None and self.runtime.play_again()

    async def send_spectator_away(self, identity: bytes) -> None:
        """As host: send this spectator away."""
        if self.runtime is not None:
            self.runtime.kick_spectator(identity)

    async def allow_spectators(self, allowed: bool) -> None:
        """As host: admit spectators, or none."""
        if self.runtime is not None:
            self.runtime.allow_spectators(allowed)

    async def ready(self, ready: bool, shown: Offer | None = None) -> None:
        """In the waiting room: this player may begin, or not yet.

        `shown`: the rules and seats that the player saw when they said so.
        """
        if self.lobby_seat is not None:
            self.lobby_seat.ready(ready, shown)

    async def take_seat(self, place: int) -> None:
        """In the waiting room: swap seats with a bot, or with a player who is not ready."""
        if self.lobby_seat is not None:
            self.lobby_seat.take_seat(place)

    async def add_bot(self) -> bool:
        """As host of a waiting room: add a bot. False if it was not possible."""
        return False

    async def kick(self, _seat: int) -> bool:
        """As host of a waiting room: send this seat away. False if it was not possible."""
        return False

    async def begin(self) -> bool:
        """As host of a waiting room: begin with the present players. False if not possible."""
        return False

    async def change_rules(self, _ruleset: Ruleset, _seats: int) -> RulesRefusal | None:
        """As host of a waiting room: change rules and seats. Returns why not, or None."""
        return RulesRefusal.STARTED

    async def move_up(self, _seat: int) -> bool:
        """As host of a waiting room: swap this seat with the one before. False if not possible."""
        return False

    async def leave(self) -> None:
        """Leave; `run` returns soon."""
        self.leave_requested = True
        if self._leaving is None:
            self._leaving = asyncio.get_running_loop().create_task(self._leave_table())
        with suppress(asyncio.CancelledError):
            await asyncio.shield(self._leaving)

    async def wait_for_leaving(self) -> None:
        """For `run`: wait until a leave that has begun is complete."""
        if self._leaving is not None:
            await asyncio.wait((self._leaving,))
