"""Other strategies: random, cautious and reckless.

Here: players that exercise all rules, for simulations and practice. The cautious and the reckless
player are the sensible player with fewer choices. Each knows only the view of its seat.
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
"""How likely the random player takes a chance to act out of turn."""

ACCUSE_PROBABILITY = 0.02
"""How likely a player who accuses others does so when it may."""

CARELESS_PROBABILITY = 0.3
"""How likely the reckless player forgets "UNO" or makes a mistake on purpose."""


class RandomPlayer:
    """Chooses any legal act with equal probability."""

    def __init__(self, chance: Random) -> None:
        """`chance`: the source of its choices."""
        self._chance = chance

    def choose(self, view: SeatView) -> Action | None:
        """One of the legal acts, or nothing."""
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
    """Never bluffs and never challenges a Wild Draw Four."""

    def __init__(self, chance: Random) -> None:
        """`chance` breaks ties."""
        self._player = SensiblePlayer(chance)

    def choose(self, view: SeatView) -> Action | None:
        """The sensible choice among those without a risk."""

        def safe(action: Action) -> bool:
            if isinstance(action, Play):
                return not is_bluff(view, action)
            return not isinstance(action, Challenge)

        return self._player.choose(_restricted(view, safe))


class RecklessPlayer:
    """Challenges every Wild Draw Four, forgets to say "UNO", lays wrong cards, accuses players."""

    def __init__(self, chance: Random) -> None:
        """`chance`: the source of its mistakes."""
        self._chance = chance
        self._player = SensiblePlayer(chance)

    def choose(self, view: SeatView) -> Action | None:
        """The sensible choice, or a mistake."""
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
        """A card that does not match, a bluff, or drawing in spite of a card that does."""
        if isinstance(action, Play):
            return is_bluff(view, action) or not is_rightful(view, action)
        return isinstance(action, Draw | Keep)


def _restricted(view: SeatView, wanted: Callable[[Action], bool]) -> SeatView:
    """The view with fewer legal acts; unchanged if no answer to an open decision would be left."""
    fewer = tuple([action for action in view.legal if wanted(action)])
    left = msgspec.structs.replace(view, legal=fewer)
    if view.decider == view.seat and not any(True for _ in answering_acts(left)):
        return view
    return left


PLAYERS: Final[dict[str, Callable[[Random], Player]]] = {
    "sensible": SensiblePlayer,
    "random": RandomPlayer,
    "cautious": CautiousPlayer,
    "reckless": RecklessPlayer,
}
"""Every strategy by its name; a table is filled in this order."""
