"""One table at which this computer sits: what the GUI may ask of it, whoever hosts it.

The asyncio side; no Qt. `run` is the whole time at the table, from the lock on the profile to the
last file closed. Everything else is asked while it runs.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from lanuno.app.worker.follower import Follower, Told
from lanuno.bots.pace import PACES, BotPace
from lanuno.log.genesis import Genesis
from lanuno.net.endings import Ending
from lanuno.net.member_driver import MemberDriver
from lanuno.net.waiting_seat import WaitingSeat
from lanuno.rules.actions import Action
from lanuno.rules.ruleset import Ruleset
from lanuno.store.paths import Home
from lanuno.table.errors import TableError
from lanuno.table.lobby_peer import Offer
from lanuno.table.messages import LobbyRefusal, Reaction
from lanuno.table.readiness import RulesRefusal


@dataclass(frozen=True, slots=True)
class Left:
    """What is left of a table once this computer sits there no more."""

    transcript: Path | None
    """None if it never came to a game."""
    ending: Ending | None
    refusal: LobbyRefusal | None
    """Why the waiting room did not let it in, or in any longer."""
    asked: bool
    """Whether the user wanted to leave."""
    tournament: Genesis | None = None


class Sitting(ABC):
    """A seat at a table, for the GUI."""

    hosts = False
    """Whether the waiting room is this computer's."""

    def __init__(self, home: Home, tell: Callable[[Told], None]) -> None:
        """Nothing is opened before `run`."""
        self.home = home
        self.tell = tell
        self.identity = b""
        """The own public key, once it is known."""
        self.host_identity = b""
        """The host's."""
        self.asked = False
        """Whether the user wanted to leave."""
        self.pace = PACES["normal"]
        """How fast the bots of this computer play."""
        self._leaving: asyncio.Task[None] | None = None
        self.follower = Follower(tell, lambda: self.driver)

    @property
    @abstractmethod
    def driver(self) -> MemberDriver | None:
        """What runs once the log has begun."""

    @abstractmethod
    async def run(self) -> Left:
        """Sit at the table until it is over for this computer.

        Raises `NetError`, `StoreError`, or whatever made it impossible to go on.
        """

    @abstractmethod
    async def go(self) -> None:
        """Leave as one should."""

    # ---- what the user does -----------------------------------------------------------------

    async def act(self, action: Action) -> str:
        """Do this; "" or, in English for a log, why it is refused."""
        driver = self.driver
        if driver is None:
            return "no game has begun"
        try:
            driver.act(action)
        except TableError as error:
            return str(error)
        return ""

    async def let_bots_play(self, pace: BotPace) -> None:
        """The bots of this computer play at another pace from now on."""
        self.pace = pace
        if self.driver is not None:
            self.driver.let_bots_play(pace)

    async def claim(self) -> None:
        """As host: wait no longer for a player who fell silent."""
        if self.driver is not None:
            self.driver.claim()

    @property
    @abstractmethod
    def waiting(self) -> WaitingSeat | None:
        """The own seat in the waiting room."""

    async def say(self, text: str) -> None:
        """Chat."""
        if self.driver is not None:
            self.driver.say(text)
        elif self.waiting is not None:
            self.waiting.say(text)

    async def react(self, reaction: Reaction) -> None:
        """Show something to everybody at the table."""
        if self.driver is not None:
            self.driver.react(reaction)

    async def play_again(self) -> bool:
        """Tell the others that one wants another match; whether that can still be told."""
        return self.driver is not None and self.driver.play_again()

    async def send_spectator_away(self, identity: bytes) -> None:
        """As host: this person does not watch any more."""
        if self.driver is not None:
            self.driver.send_spectator_away(identity)

    async def allow_spectators(self, allowed: bool) -> None:
        """As host: people may watch, or nobody."""
        if self.driver is not None:
            self.driver.allow_spectators(allowed)

    async def ready(self, ready: bool, shown: Offer | None = None) -> None:
        """In the waiting room: this player may begin, or not yet.

        `shown`: the rules and seats that the player saw when they said so.
        """
        if self.waiting is not None:
            self.waiting.ready(ready, shown)

    async def take_seat(self, place: int) -> None:
        """In the waiting room: change places with a bot, or with somebody who is not ready."""
        if self.waiting is not None:
            self.waiting.take_seat(place)

    async def add_bot(self) -> bool:
        """As host of a waiting room: let another bot sit down. Whether that was done."""
        return False

    async def kick(self, _seat: int) -> bool:
        """As host of a waiting room: send somebody away. Whether that was done."""
        return False

    async def begin(self) -> bool:
        """As host of a waiting room: begin with those who are here. Whether that was done."""
        return False

    async def change_rules(self, _ruleset: Ruleset, _seats: int) -> RulesRefusal | None:
        """As host of a waiting room: change rules and seats. Returns why not, or None."""
        return RulesRefusal.STARTED

    async def move_up(self, _seat: int) -> bool:
        """As host of a waiting room: this seat and the one before change places; whether done."""
        return False

    async def leave(self) -> None:
        """Leave; `run` returns soon."""
        self.asked = True
        if self._leaving is None:
            self._leaving = asyncio.get_running_loop().create_task(self.go())
        with suppress(asyncio.CancelledError):
            await asyncio.shield(self._leaving)

    async def end_leaving(self) -> None:
        """For `run`: do not end in the middle of leaving."""
        if self._leaving is not None:
            await asyncio.wait((self._leaving,))
