"""Players that follow one plan, so that a certain moment of the game comes soon.

All of them keep to the rules.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Protocol

from msgspec.structs import replace

from lanuno.bots.sensible import SensiblePlayer
from lanuno.rules.cards import Rank
from lanuno.rules.engine.actions import (
    Accept,
    Action,
    Catch,
    Challenge,
    Draw,
    Keep,
    Play,
    SayUno,
)
from lanuno.rules.ruleset import Ruleset
from lanuno.rules.view import SeatView
from tests.harness.host_and_seats.table_sim import Player, SimPeer

CROWDED = Ruleset(hand_size=20)
"""Large hands: moments that depend on the cards held come soon."""


class HasChance(Protocol):
    """An object with a source of randomness."""

    chance: Random


MOST_BLUFFS = 100
"""The limit of challenges. Once all other cards are held, a challenged bluff returns the very card
that was played. The rules allow this forever, and the match would end only with a full log."""


class Doubter:
    """Plays a Wild Draw Four as soon as it can, and challenges every other one, for a while."""

    def __init__(self, peer: HasChance) -> None:
        self._usual = SensiblePlayer(peer.chance)
        self._bluffs = 0

    def choose(self, seen: SeatView) -> Action | None:
        for action in seen.legal:
            if isinstance(action, Challenge):
                return action
        fours = {held.slot for held in seen.hand if held.face.rank is Rank.WILD_FOUR}
        for action in seen.legal if self._bluffs < MOST_BLUFFS else ():
            if isinstance(action, Play) and action.slot in fours and len(seen.hand) > 2:
                self._bluffs += 1
                return action
        return self._usual.choose(seen)


class Hoarder:
    """Always draws, and keeps the card."""

    def __init__(self, peer: SimPeer) -> None:
        del peer

    def choose(self, seen: SeatView) -> Action | None:
        for kind in (Keep, Draw, Accept):
            for action in seen.legal:
                if isinstance(action, kind):
                    return action
        return seen.legal[0] if seen.legal and seen.decider == seen.seat else None


DOUBTERS: dict[int, Callable[[SimPeer], Player]] = {0: Doubter, 1: Doubter, 2: Doubter}


class Quiet:
    """Plays, never says "UNO", and catches no seat."""

    def __init__(self, peer: SimPeer) -> None:
        self._usual = SensiblePlayer(Random(peer.number))

    def choose(self, seen: SeatView) -> Action | None:
        quiet = tuple(
            action
            for action in seen.legal
            if not isinstance(action, SayUno | Catch)
            and not (isinstance(action, Play) and action.uno)
        )
        return self._usual.choose(replace(seen, legal=quiet))


class Catcher(Quiet):
    """Plays without saying "UNO", and catches every player that does not say it."""

    def choose(self, seen: SeatView) -> Action | None:
        for action in seen.legal:
            if isinstance(action, Catch):
                return action
        return super().choose(seen)


class Late(Quiet):
    """Plays first, and says "UNO" right after."""

    def choose(self, seen: SeatView) -> Action | None:
        for action in seen.legal:
            if isinstance(action, SayUno):
                return action
        return super().choose(seen)
