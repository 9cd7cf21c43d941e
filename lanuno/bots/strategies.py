"""Further strategies: random, cautious and reckless.

Here: bots that exercise all rules, for simulations and practice. The cautious and the reckless bot
are the sensible bot with fewer acts to choose from. Each knows only the view of its seat.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

import msgspec

from lanuno.bots.player import Player, answering_acts, is_bluff, is_rightful
from lanuno.bots.sensible import SensiblePlayer
from lanuno.rules.engine.actions import (
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

INTERRUPT_PROBABILITY = 0.5
"""The probability that the random bot considers acting out of turn."""

ACCUSE_PROBABILITY = 0.02
"""The probability that a bot that accuses players does so when it may."""

CARELESS_PROBABILITY = 0.3
"""The probability that the reckless bot forgets "UNO" or makes a deliberate mistake."""


class RandomPlayer:
    """A bot that chooses with equal probability among the legal words, or among the other acts."""

    def __init__(self, chance: Random) -> None:
        """`chance`: the source of the bot's choices."""
        self._chance = chance

    def choose(self, view: SeatView) -> Action | None:
        """Return one of the legal acts, or None."""
        said = [action for action in view.legal if isinstance(action, ANY_TIME)]
        if said and self._chance.random() < INTERRUPT_PROBABILITY:
            action = self._chance.choice(said)
            if not isinstance(action, Accuse) or self._chance.random() < ACCUSE_PROBABILITY:
                return action
        candidates = list(answering_acts(view))
        if view.decider != view.seat and self._chance.random() >= INTERRUPT_PROBABILITY:
            return None
        return self._chance.choice(candidates) if candidates else None


class CautiousPlayer:
    """A bot that never bluffs and never challenges a Wild Draw Four."""

    def __init__(self, chance: Random) -> None:
        """`chance`: the source of randomness that breaks ties."""
        self._player = SensiblePlayer(chance)

    def choose(self, view: SeatView) -> Action | None:
        """Return the sensible choice among the acts without risk."""

        def safe(action: Action) -> bool:
            if isinstance(action, Play):
                return not is_bluff(view, action)
            return not isinstance(action, Challenge)

        return self._player.choose(_restricted(view, safe))


class RecklessPlayer:
    """A bot that challenges every Wild Draw Four, forgets "UNO", lays wrong cards and accuses."""

    def __init__(self, chance: Random) -> None:
        """`chance`: the source of the bot's choices and mistakes."""
        self._chance = chance
        self._player = SensiblePlayer(chance)

    def choose(self, view: SeatView) -> Action | None:
        """Return the sensible choice, or a mistake."""
        accusations = [action for action in view.legal if isinstance(action, Accuse)]
        if accusations and self._chance.random() < ACCUSE_PROBABILITY:
            return self._chance.choice(accusations)
        if view.decider == view.seat and self._chance.random() < CARELESS_PROBABILITY:
            mistakes = [action for action in answering_acts(view) if self._is_mistake(view, action)]
            if mistakes:
                return self._chance.choice(mistakes)

        forgets = self._chance.random() < CARELESS_PROBABILITY

        def daring(action: Action) -> bool:
            if isinstance(action, SayUno | Catch):
                return not forgets
            if isinstance(action, Play):
                return not (forgets and action.uno)
            return not isinstance(action, Accept)

        return self._player.choose(_restricted(view, daring))

    def _is_mistake(self, view: SeatView, action: Action) -> bool:
        """Whether an act is a bluff, a wrong card, a draw or a keep, even a forced one."""
        if isinstance(action, Play):
            return is_bluff(view, action) or not is_rightful(view, action)
        return isinstance(action, Draw | Keep)


def _restricted(view: SeatView, wanted: Callable[[Action], bool]) -> SeatView:
    """Return the view with only the wanted legal acts.

    It is unchanged if its seat has to decide and would have no answer left.
    """
    fewer = tuple([action for action in view.legal if wanted(action)])
    left = msgspec.structs.replace(view, legal=fewer)
    if view.decider == view.seat and not any(True for _ in answering_acts(left)):
        return view
    return left


STRATEGIES: Final[dict[str, Callable[[Random], Player]]] = {
    "sensible": SensiblePlayer,
    "random": RandomPlayer,
    "cautious": CautiousPlayer,
    "reckless": RecklessPlayer,
}
"""Every strategy by name. `Simulation` seats them in this order."""
