"""Run the bots of one node: ask each for its action, and perform it after a human delay.

Every bot is asked after each change. `lanuno.bots.pace` decides when its action is performed. Each
delay ends after a few seconds, even while the clocks of the table are stopped.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from math import inf
from random import SystemRandom

from lanuno.bots.autoplay import Autoplay, Player
from lanuno.bots.pace import BOTS_ONLY_PACE, BotDelays, BotPace
from lanuno.bots.sensible import SensiblePlayer
from lanuno.rules.engine.actions import ANY_TIME, Action
from lanuno.rules.engine.round import Round
from lanuno.table.messages import ReadsScore
from lanuno.table.node import Node
from lanuno.table.replica.seat import SeatSession


def sensible_player() -> Player:
    """Return a player with the default strategy."""
    return SensiblePlayer(SystemRandom())


class BotRunner:
    """The bots of one node at one table."""

    def __init__(
        self,
        node: Node,
        players: Sequence[Player | None],
        act: Callable[[SeatSession, Action], None],
        *,
        stand_in: Callable[[], Player] = sensible_player,
        pace: BotPace = BOTS_ONLY_PACE,
    ) -> None:
        """`players` has one item per seat of the node, None for a person.

        `act` performs an action of a session; it raises `TableError` if the rules refuse it.
        `stand_in` makes the strategy of a stand-in. Stand-ins join the node during play.
        """
        self._node = node
        self._act = act
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
        """Runs until the earliest delayed action may be performed."""

    @property
    def pace(self) -> BotPace:
        """How fast the bots play."""
        return self._delays.pace

    @pace.setter
    def pace(self, pace: BotPace) -> None:
        self._delays.pace = pace
        self.schedule()

    def play_for_person(self, session: SeatSession, player: Player | None) -> None:
        """Let a bot play the seat of this node's person from now on; None: the person again."""
        self._playing = [each for each in self._playing if each.session is not session]
        if player is not None:
            self._playing.append(Autoplay(session, player))
            self.schedule()

    def schedule(self) -> None:
        """Ask all bots after a moment, because a decision may have opened."""
        for session in self._node.sessions[self._seats_known :]:
            self._seats_known += 1
            self._playing.append(Autoplay(session, self._stand_in()))
        if not self._playing:
            return
        self._note_times()
        if self._move_timer is None:
            loop = asyncio.get_running_loop()
            self._move_timer = loop.call_later(self.pace.move, self._move)

    def note_reader(self, seat: int, said: ReadsScore) -> None:
        """Wait for a player who looks at the score, or go on once no player does."""
        self._delays.note_reader(seat, said.number, reading=said.reading)
        self.schedule()

    def refused(self) -> None:
        """Let the bots retry, because the host refused an action and a decision may be open."""
        for player in self._playing:
            player.retry()

    def stop(self) -> None:
        """Stop asking bots."""
        for timer in (self._move_timer, self._delay_timer):
            if timer is not None:
                timer.cancel()

    def _is_person(self, seat: int) -> bool:
        return not self._node.replay.roster.seats[seat].bot

    def _note_times(self) -> None:
        """Record since when a decision has been open, and since when a seat has owed "UNO"."""
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
            acted = player.act(action, partial(self._act, player.session))
            moved = moved or acted
            if acted and self.pace.deal and not isinstance(action, ANY_TIME):
                break  # for people, the next bot's turn has a delay of its own
        if later < inf:
            self._delay_timer = loop.call_at(later, self._delay_over)
        if moved:
            self.schedule()

    def _delay_over(self) -> None:
        """Ask again after a delay, because the best action may have changed."""
        self._delay_timer = None
        if self._move_timer is None:
            self._move()
