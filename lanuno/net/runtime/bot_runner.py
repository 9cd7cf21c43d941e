"""Runs the bots of one node: asks each for its action, and takes it after a human delay.

After every change each bot is asked; `lanuno.bots.pace` says when its action is taken. Every delay
ends after some seconds at most, even while the table's clocks stand.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from math import inf
from random import SystemRandom

from lanuno.bots.autoplay import Autoplay, Player
from lanuno.bots.pace import BOTS_ONLY_PACE, BotDelays, BotPace
from lanuno.bots.sensible import SensiblePlayer
from lanuno.rules.engine.round import Round
from lanuno.table.node import Node
from lanuno.table.outputs import SeatOutput


def sensible_player() -> Player:
    """The default strategy."""
    return SensiblePlayer(SystemRandom())


class BotRunner:
    """All bots of one node at one table."""

    def __init__(
        self,
        node: Node,
        players: Sequence[Player | None],
        carry_out: Callable[[list[SeatOutput]], None],
        *,
        stand_in: Callable[[], Player] = sensible_player,
        pace: BotPace = BOTS_ONLY_PACE,
    ) -> None:
        """`players`: for the node's own seats, None for a person. `stand_in`: for stand-ins.

        Stand-ins are added to the node while the table plays.
        """
        self._node = node
        self._carry_out = carry_out
        self._stand_in = stand_in
        self._delays = BotDelays(pace, self._is_person)
        self._playing = [
            Autoplay(session, player)
            for session, player in zip(node.sessions, players, strict=False)
            if player is not None
        ]
        self._seats_known = max(1, len(players))
        self._move_timer: asyncio.TimerHandle | None = None
        self._delay_timer: asyncio.TimerHandle | None = None
        """For an action that a bot has chosen and must delay."""

    @property
    def pace(self) -> BotPace:
        """How fast the bots play."""
        return self._delays.pace

    @pace.setter
    def pace(self, pace: BotPace) -> None:
        self._delays.pace = pace
        self.schedule()

    def schedule(self) -> None:
        """Ask all bots after a moment: there may be something to decide."""
        for session in self._node.sessions[self._seats_known :]:
            self._seats_known += 1
            self._playing.append(Autoplay(session, self._stand_in()))
        if not self._playing:
            return
        self._note_times()
        if self._move_timer is None:
            loop = asyncio.get_running_loop()
            self._move_timer = loop.call_later(self.pace.move, self._move)

    def refused(self) -> None:
        """The host refused an action: the decision may still be open."""
        for player in self._playing:
            player.retry()

    def stop(self) -> None:
        """Ask no bot any more."""
        for timer in (self._move_timer, self._delay_timer):
            if timer is not None:
                timer.cancel()

    def _is_person(self, seat: int) -> bool:
        return not self._node.replay.roster.seats[seat].bot

    def _note_times(self) -> None:
        """Note since when a decision is open, and since when a seat owes "UNO"."""
        current = self._node.replay.round
        engine = None if current is None else current.engine
        if current is None or not isinstance(engine, Round):
            return
        now = asyncio.get_running_loop().time()
        self._delays.uno_owed(current.number, engine.uno_owed, now)
        if engine.decider is not None:
            self._delays.decision_opened(current.number, now)

    def _move(self) -> None:
        self._move_timer = None
        loop = asyncio.get_running_loop()
        if self._delay_timer is not None:
            self._delay_timer.cancel()
            self._delay_timer = None
        moved, later = False, inf
        for player in self._playing:
            action = player.next_action() if self._node.replica.caught_up else None
            if action is None:
                continue
            until = self._delays.not_before(action, self._node.replay.roster.ruleset)
            if until > loop.time():
                later = min(later, until)
                continue
            todo = player.act(action)
            moved = moved or bool(todo)
            self._carry_out(todo)
        if later < inf:
            self._delay_timer = loop.call_at(later, self._delay_over)
        if moved:
            self.schedule()

    def _delay_over(self) -> None:
        """A delay is over: ask again, because the best action may have changed."""
        self._delay_timer = None
        if self._move_timer is None:
            self._move()
