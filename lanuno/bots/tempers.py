"""Other ways of playing: by chance alone, carefully, and without a care.

Here: players that show the rules from every side, for simulations and practice. The careful and
the careless one are the sensible player with some of its choices taken away. What each of them
knows is what its seat sees.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

import msgspec

from lanuno.bots.player import Player, answers, is_bluff, lies_right
from lanuno.bots.sensible import SensiblePlayer
from lanuno.rules.actions import (
    ANY_TIME,
    Accept,
    Accuse,
    Action,
    Catch,
    Challenge,
    Draw,
    Keep,
    Play,
    SayUno,
)
from lanuno.rules.view import SeatView

INTERRUPTS = 0.5
"""How often the player by chance uses an occasion to say something out of turn."""

ACCUSES = 0.02
"""How often a player who accuses others does so when it could."""

CARELESS = 0.3
"""How often the careless player forgets, risks or draws what it had better not."""


class RandomPlayer:
    """Any legal act is as good as another."""

    def __init__(self, chance: Random) -> None:
        """`chance` decides everything."""
        self._chance = chance

    def choose(self, seen: SeatView) -> Action | None:
        """One of the legal acts, or nothing."""
        said = [action for action in seen.legal if isinstance(action, ANY_TIME)]
        if said and self._chance.random() < INTERRUPTS:
            action = self._chance.choice(said)
            if not isinstance(action, Accuse) or self._chance.random() < ACCUSES:
                return action
        open_to_it = list(answers(seen))
        if seen.decider != seen.seat and self._chance.random() >= INTERRUPTS:
            return None
        return self._chance.choice(open_to_it) if open_to_it else None


class CautiousPlayer:
    """Never bluffs, never doubts a Wild Draw Four."""

    def __init__(self, chance: Random) -> None:
        """`chance` breaks ties."""
        self._player = SensiblePlayer(chance)

    def choose(self, seen: SeatView) -> Action | None:
        """The sensible choice among those without a risk."""

        def safe(action: Action) -> bool:
            if isinstance(action, Play):
                return not is_bluff(seen, action)
            return not isinstance(action, Challenge)

        return self._player.choose(_only(seen, safe))


class RecklessPlayer:
    """Doubts every Wild Draw Four; forgets to say "UNO"; lays wrong cards; accuses people."""

    def __init__(self, chance: Random) -> None:
        """`chance`: how it feels at the moment."""
        self._chance = chance
        self._player = SensiblePlayer(chance)

    def choose(self, seen: SeatView) -> Action | None:
        """The sensible choice, or what comes to its mind."""
        accusations = [action for action in seen.legal if isinstance(action, Accuse)]
        if accusations and self._chance.random() < ACCUSES:
            return self._chance.choice(accusations)
        if seen.decider == seen.seat and self._chance.random() < CARELESS:
            folly = [action for action in answers(seen) if self._is_folly(seen, action)]
            if folly:
                return self._chance.choice(folly)

        forgets = self._chance.random() < CARELESS

        def daring(action: Action) -> bool:
            if isinstance(action, SayUno | Catch):
                return not forgets
            if isinstance(action, Play):
                return not (forgets and action.uno)
            return not isinstance(action, Accept)

        return self._player.choose(_only(seen, daring))

    def _is_folly(self, seen: SeatView, action: Action) -> bool:
        """A card that does not match, a bluff, or drawing in spite of a card that does."""
        if isinstance(action, Play):
            return is_bluff(seen, action) or not lies_right(seen, action)
        return isinstance(action, Draw | Keep)


def _only(seen: SeatView, wanted: Callable[[Action], bool]) -> SeatView:
    """The same view with fewer legal acts, as long as the question asked keeps an answer."""
    fewer = tuple([action for action in seen.legal if wanted(action)])
    left = msgspec.structs.replace(seen, legal=fewer)
    if seen.decider == seen.seat and not any(True for _ in answers(left)):
        return seen
    return left


PLAYERS: Final[dict[str, Callable[[Random], Player]]] = {
    "sensible": SensiblePlayer,
    "random": RandomPlayer,
    "cautious": CautiousPlayer,
    "reckless": RecklessPlayer,
}
"""Every way of playing by its name; a table is filled in this order."""
