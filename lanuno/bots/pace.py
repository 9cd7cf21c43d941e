"""How fast bots play for human players, and how long they give a person to react.

Here: the delays, and the time until which a bot waits. Not here: the timers
(net/runtime/bot_runner.py). The protocol does not require these delays, and simulations have none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec import Struct

from lanuno.log.replay.times import DEAL_MS
from lanuno.rules.cards import Seat
from lanuno.rules.engine.actions import Action, Catch, Draw, Play
from lanuno.rules.ruleset import Ruleset, UnoRule

UNO_SECONDS: Final = 3.0
"""The time a person has to say "UNO" before a bot punishes a missing call."""


SCORE_SECONDS: Final = 10.0
"""Limit of the time for which bots wait for people who look at the score of the last round."""


class BotPace(Struct, frozen=True, kw_only=True):
    """The delays of bots, in seconds."""

    move: float = 0.03
    """Before each move. It also limits the rate of messages from a bot to the host."""
    deal: float = 0.0
    """After the first decision of a round opens, so that people can watch the deal."""
    uno: float = UNO_SECONDS
    """From the moment a person owes "UNO" until a bot may punish it."""


BOTS_ONLY_PACE: Final = BotPace()
"""For tables where only bots play. The "UNO" delay stays, because a person may join later."""

PACES: Final = {
    name: BotPace(move=move, deal=DEAL_MS / 1000)
    for name, move in (("slow", 1.8), ("normal", 0.9), ("fast", 0.4))
}
"""The speeds a user can choose. The window shows at most one move per 0.4 s."""


class BotDelays:
    """Tracks how long the bots of one node must wait before they act."""

    def __init__(self, pace: BotPace, is_person: Callable[[Seat], bool]) -> None:
        """`is_person` returns whether a person plays a seat at present."""
        self.pace = pace
        self._is_person = is_person
        self._round = -1
        self._deal_began = 0.0
        self._uno_owed: tuple[int, Seat] | None = None
        self._uno_owed_since = 0.0
        self._reading: dict[Seat, int] = {}
        """Who looks at the score of which round."""

    def decision_opened(self, number: int, now: float) -> None:
        """Note that a decision is open in this round. The first one starts the deal delay."""
        if number != self._round:
            self._round, self._deal_began = number, now

    def uno_owed(self, number: int, owed: Seat | None, now: float) -> None:
        """Note which seat owes "UNO" in this round, or None if no seat does."""
        debt = None if owed is None else (number, owed)
        if debt != self._uno_owed:
            self._uno_owed, self._uno_owed_since = debt, now

    def note_reader(self, seat: Seat, number: int, *, reading: bool) -> None:
        """Note that a person looks at the score of this round, or no longer does."""
        if reading:
            self._reading[seat] = number
        else:
            self._reading.pop(seat, None)

    def not_before(self, action: Action, rules: Ruleset) -> float:
        """Return the earliest time at which a bot may take this action."""
        until = self._deal_began + self.pace.deal
        if self._round - 1 in self._reading.values():
            until = max(until, self._deal_began + SCORE_SECONDS)
        # Without catching, the next turn punishes a missing "UNO".
        punishes = Catch if rules.uno is UnoRule.CATCH else Play | Draw
        owed = self._uno_owed
        if owed is not None and isinstance(action, punishes) and self._is_person(owed[1]):
            until = max(until, self._uno_owed_since + self.pace.uno)
        return until
