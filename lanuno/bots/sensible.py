"""A sensible bot: it plays what it can, saves its wild cards, says "UNO" and catches others.

It never lays a wrong card, objects to wrong cards of other players, jumps in whenever it may, and
never votes. It knows only the view of its seat and returns one of the legal actions of that view.
Randomness comes from a generator that is passed in.
"""

from __future__ import annotations

from collections import Counter
from random import Random

from lanuno.bots.player import is_rightful
from lanuno.rules.cards import Card, Colour
from lanuno.rules.engine.actions import (
    Accept,
    Action,
    Catch,
    Challenge,
    Draw,
    Keep,
    NameColour,
    Object,
    Play,
    SayUno,
    Swap,
)
from lanuno.rules.view import Held, SeatView

CHALLENGE_ONE_IN = 4
"""The bot challenges one in this number of Wild Draw Fours of suspicious hands, and half as many
of the others."""

SUSPICIOUS_HAND = 4
"""A hand of at least this many cards probably held the colour, so it is suspicious."""


class SensiblePlayer:
    """A bot that plays one seat sensibly."""

    def __init__(self, chance: Random) -> None:
        """`chance`: the source of the bot's random choices."""
        self._chance = chance

    def choose(self, view: SeatView) -> Action | None:
        """Return the act to take now, or None for none (out of turn only).

        Called whenever the view changes.
        """
        at_once = self._interjection(view)
        if at_once is not None:
            return at_once
        plays = [
            action
            for action in view.legal
            if isinstance(action, Play) and is_rightful(view, action)
        ]
        if plays:
            return self._best(view, plays)
        if view.decider != view.seat:
            return None
        for kind in (Challenge, Accept, Keep, Draw):
            for action in view.legal:
                if isinstance(action, kind) and (
                    not isinstance(action, Challenge) or self._doubts(view)
                ):
                    return action
        return self._choose_remaining(view)

    def _interjection(self, view: SeatView) -> Action | None:
        for action in view.legal:
            if isinstance(action, SayUno | Catch | Object):
                return action
        return None

    def _doubts(self, view: SeatView) -> bool:
        # The accused player may have left since, and then holds nothing.
        held = 0
        if view.accused in view.seats:
            held = view.counts[view.seats.index(view.accused)]
        often = CHALLENGE_ONE_IN if held >= SUSPICIOUS_HAND else 2 * CHALLENGE_ONE_IN
        return self._chance.randrange(often) == 0

    def _choose_remaining(self, view: SeatView) -> Action | None:
        """Return a colour to name, a seat to swap with, or else the first legal act."""
        colours = [action for action in view.legal if isinstance(action, NameColour)]
        if colours:
            wanted = self._colour(view, None)
            return next(action for action in colours if action.colour == wanted)
        swaps = [action for action in view.legal if isinstance(action, Swap)]
        if swaps:
            return min(swaps, key=lambda swap: view.counts[view.seats.index(swap.seat)])
        return view.legal[0] if view.legal else None

    def _best(self, view: SeatView, plays: list[Play]) -> Play:
        """Return the best play: many points, and "UNO" said.

        A wild card comes last, but first once another seat holds at most two cards.
        """
        faces = {held.slot: held.face for held in view.hand}
        uno = [play for play in plays if play.uno]
        candidates = uno or plays
        return max(candidates, key=lambda play: self._value(view, play, faces[play.slot]))

    def _value(self, view: SeatView, play: Play, face: Card) -> tuple[int, int, int]:
        colour = self._colour(view, play.slot)
        if face.is_wild:
            danger = min(
                count
                for seat, count in zip(view.seats, view.counts, strict=True)
                if seat != view.seat
            )
            urgent = danger <= 2
            fits = 1 if play.colour == colour else 0
            early = 0 if face.rank.traits.restricted and not urgent else 1
            return (3 if urgent else 0, fits, early)
        return (1 if face.points < 20 else 2, 1 if face.colour == colour else 0, face.points)

    def _colour(self, view: SeatView, without: int | None) -> Colour:
        """Return the colour held most, ignoring the card in slot `without`; ties are random."""
        held = Counter(
            each.face.colour
            for each in _held_except(view.hand, without)
            if each.face.colour is not None
        )
        most = max(held.values(), default=0)
        best = [colour for colour in Colour if held[colour] == most]
        return self._chance.choice(best)


def _held_except(hand: tuple[Held, ...], without: int | None) -> list[Held]:
    return [each for each in hand if each.slot != without]
