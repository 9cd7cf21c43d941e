"""How fast programs play where people look on, and what they leave a person time for.

Here: the times, and until when a program waits. Not here: the timers (net/programs.py). Nothing in
the protocol asks for these waits, and simulations have none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from lanuno.log.times import DEAL_MS
from lanuno.rules.actions import Action, Catch, Draw, Play
from lanuno.rules.cards import Seat
from lanuno.rules.ruleset import Ruleset, UnoRule

UNO_SECONDS: Final = 3.0
"""How long a person has to say "UNO" before a bot punishes the silence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BotPace:
    """Seconds that programs take."""

    move: float = 0.03
    """Before a move. No host has to bear more messages than from a person."""
    deal: float = 0.0
    """From the first decision of a round on, for looking on while the cards are dealt."""
    uno: float = UNO_SECONDS
    """Since a person has one card left and has not said so, before anything punishes that."""


AT_ONCE: Final = BotPace()
"""Where only bots play. The wait for "UNO" stays: a person may sit there later."""

PACES: Final = {
    name: BotPace(move=move, deal=DEAL_MS / 1000)
    for name, move in (("slow", 1.8), ("normal", 0.9), ("fast", 0.4))
}
"""The speeds that people choose from. Windows show no two moves in less than 0.4 s."""


class BotDelays:
    """Until when the programs of one computer wait before they do something."""

    def __init__(self, pace: BotPace, is_person: Callable[[Seat], bool]) -> None:
        """`is_person`: whether a seat is played by a person now, as far as the table knows."""
        self.pace = pace
        self._is_person = is_person
        self._round = -1
        self._dealt = 0.0
        self._owed: tuple[int, Seat] | None = None
        self._owed_since = 0.0

    def decides(self, number: int, now: float) -> None:
        """In this round somebody can decide: the first time, the cards are being dealt."""
        if number != self._round:
            self._round, self._dealt = number, now

    def owes(self, number: int, owed: Seat | None, now: float) -> None:
        """In this round this seat owes "UNO"; None: nobody does."""
        debt = None if owed is None else (number, owed)
        if debt != self._owed:
            self._owed, self._owed_since = debt, now

    def until(self, action: Action, rules: Ruleset) -> float:
        """The moment before which no program does this."""
        until = self._dealt + self.pace.deal
        # Where nobody is caught it is the next turn that punishes.
        punishes = Catch if rules.uno is UnoRule.CATCH else Play | Draw
        owed = self._owed
        if owed is not None and isinstance(action, punishes) and self._is_person(owed[1]):
            until = max(until, self._owed_since + self.pace.uno)
        return until
