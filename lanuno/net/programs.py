"""The programs that decide for seats which are played here: asked after a moment, not at once.

No host has to bear more messages than from a person. Whatever changes may be something to decide;
what a program wants is handed to whoever carries it out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from random import SystemRandom
from typing import Final

from lanuno.bots.autoplay import Autoplay, Player
from lanuno.bots.sensible import SensiblePlayer
from lanuno.table.member import Member
from lanuno.table.outputs import Output
from lanuno.table.session import Session

BOT_THINKS: Final = 0.03
"""Seconds between two moves of a program."""


def sensible() -> Player:
    """Whoever plays where nobody else was asked to."""
    return SensiblePlayer(SystemRandom())


class Programs:
    """All programs of one computer at one table."""

    def __init__(
        self,
        member: Member,
        players: Sequence[Player | None],
        carry_out: Callable[[Session, list[Output]], None],
        *,
        stand_in: Callable[[], Player] = sensible,
        thinks: float = BOT_THINKS,
    ) -> None:
        """`players`: for the computer's own seats, None for a person. `stand_in`: for the others.

        The others are bots that fill a chair; the computer gets them while the table plays.
        """
        self._member = member
        self._carry_out = carry_out
        self._stand_in = stand_in
        self._thinks = thinks
        self._playing = [
            (session, Autoplay(session, player))
            for session, player in zip(member.sessions, players, strict=False)
            if player is not None
        ]
        self._met = max(1, len(players))
        self._thinking: asyncio.TimerHandle | None = None

    def think(self) -> None:
        """Something may be to decide: look at it after a moment."""
        for session in self._member.sessions[self._met :]:
            self._met += 1
            self._playing.append((session, Autoplay(session, self._stand_in())))
        if self._thinking is None and self._playing:
            loop = asyncio.get_running_loop()
            self._thinking = loop.call_later(self._thinks, self._move)

    def refused(self) -> None:
        """What some program wanted was not taken: the decision may still be open."""
        for _, player in self._playing:
            player.refused()

    def stop(self) -> None:
        """Nobody decides anything any more."""
        if self._thinking is not None:
            self._thinking.cancel()

    def _move(self) -> None:
        self._thinking = None
        moved = False
        for session, player in self._playing:
            if session.caught_up and player.wants() is not None:
                todo = player.move()
                moved = moved or bool(todo)
                self._carry_out(session, todo)
        if moved:
            self.think()
