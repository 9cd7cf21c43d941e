"""The programs that decide for seats which are played here: asked after a moment, not at once.

After every change each program is asked; what it wants is handed on as soon as `lanuno.bots.pace`
allows it. Each wait has an end of its own, at most some seconds away, even while the table's clocks
stand.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from math import inf
from random import SystemRandom

from lanuno.bots.autoplay import Autoplay, Player
from lanuno.bots.pace import AT_ONCE, BotDelays, BotPace
from lanuno.bots.sensible import SensiblePlayer
from lanuno.rules.engine import Round
from lanuno.table.member import Member
from lanuno.table.outputs import Output
from lanuno.table.session import Session


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
        pace: BotPace = AT_ONCE,
    ) -> None:
        """`players`: for the computer's own seats, None for a person. `stand_in`: for the others.

        The others are bots that fill a chair; the computer gets them while the table plays.
        """
        self._member = member
        self._carry_out = carry_out
        self._stand_in = stand_in
        self._delays = BotDelays(pace, self._is_person)
        self._playing = [
            (session, Autoplay(session, player))
            for session, player in zip(member.sessions, players, strict=False)
            if player is not None
        ]
        self._met = max(1, len(players))
        self._thinking: asyncio.TimerHandle | None = None
        self._later: asyncio.TimerHandle | None = None
        """For what a program wants to do, but not yet."""

    @property
    def pace(self) -> BotPace:
        """How fast they play."""
        return self._delays.pace

    @pace.setter
    def pace(self, pace: BotPace) -> None:
        self._delays.pace = pace
        self.think()

    def think(self) -> None:
        """Something may be to decide: look at it after a moment."""
        for session in self._member.sessions[self._met :]:
            self._met += 1
            self._playing.append((session, Autoplay(session, self._stand_in())))
        if not self._playing:
            return
        self._look()
        if self._thinking is None:
            loop = asyncio.get_running_loop()
            self._thinking = loop.call_later(self.pace.move, self._move)

    def refused(self) -> None:
        """What some program wanted was not taken: the decision may still be open."""
        for _, player in self._playing:
            player.refused()

    def stop(self) -> None:
        """Nobody decides anything any more."""
        for timer in (self._thinking, self._later):
            if timer is not None:
                timer.cancel()

    def _is_person(self, seat: int) -> bool:
        return not self._member.replay.roster.seats[seat].bot

    def _look(self) -> None:
        """Note since when a round is played, and since when somebody owes "UNO"."""
        current = self._member.replay.round
        engine = None if current is None else current.engine
        if current is None or not isinstance(engine, Round):
            return
        now = asyncio.get_running_loop().time()
        self._delays.owes(current.number, engine.uno_owed, now)
        if engine.decider is not None:
            self._delays.decides(current.number, now)

    def _move(self) -> None:
        self._thinking = None
        loop = asyncio.get_running_loop()
        if self._later is not None:
            self._later.cancel()
            self._later = None
        moved, later = False, inf
        for session, player in self._playing:
            action = player.wants() if session.caught_up else None
            if action is None:
                continue
            until = self._delays.until(action, self._member.replay.roster.ruleset)
            if until > loop.time():
                later = min(later, until)
                continue
            todo = player.do(action)
            moved = moved or bool(todo)
            self._carry_out(session, todo)
        if later < inf:
            self._later = loop.call_at(later, self._again)
        if moved:
            self.think()

    def _again(self) -> None:
        """A wait is over: what was wanted may be another thing by now."""
        self._later = None
        if self._thinking is None:
            self._move()
