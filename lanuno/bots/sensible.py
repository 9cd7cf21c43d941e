"""A sensible player: plays what it can, keeps its wild cards, says "UNO", notices who does not.

It never lays a wrong card, objects to those of others, jumps in wherever it may, and never votes.

It is given what a seat sees and nothing else, and answers with one of the legal actions of that
view. Chance comes from a generator that is passed in.
"""

from __future__ import annotations

from collections import Counter
from random import Random

from lanuno.bots.player import lies_right
from lanuno.rules.actions import (
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
from lanuno.rules.cards import Card, Colour, Rank
from lanuno.rules.view import Held, SeatView

CHALLENGE_ONE_IN = 4
"""How often a Wild Draw Four is doubted, if nothing speaks for or against it."""

SUSPICIOUS_HAND = 4
"""A hand of at least so many cards probably held the colour."""


class SensiblePlayer:
    """Plays one seat."""

    def __init__(self, chance: Random) -> None:
        """`chance`: where its whims come from."""
        self._chance = chance

    def choose(self, seen: SeatView) -> Action | None:
        """What to do now; None to do nothing, which is only right when it is not this seat's turn.

        Called whenever the view changes.
        """
        at_once = self._at_once(seen)
        if at_once is not None:
            return at_once
        plays = [
            action for action in seen.legal if isinstance(action, Play) and lies_right(seen, action)
        ]
        if plays:
            return self._best(seen, plays)
        if seen.decider != seen.seat:
            return None
        for kind in (Challenge, Accept, Keep, Draw):
            for action in seen.legal:
                if isinstance(action, kind) and (
                    not isinstance(action, Challenge) or self._doubts(seen)
                ):
                    return action
        return self._named(seen)

    def _at_once(self, seen: SeatView) -> Action | None:
        for action in seen.legal:
            if isinstance(action, SayUno | Catch | Object):
                return action
        return None

    def _doubts(self, seen: SeatView) -> bool:
        # Whoever played the card may have left since, and holds nothing any more.
        held = 0
        if seen.accused in seen.seats:
            held = seen.counts[seen.seats.index(seen.accused)]
        often = CHALLENGE_ONE_IN if held >= SUSPICIOUS_HAND else 2 * CHALLENGE_ONE_IN
        return self._chance.randrange(often) == 0

    def _named(self, seen: SeatView) -> Action | None:
        """A colour to name, a seat to swap with, or whatever is legal."""
        colours = [action for action in seen.legal if isinstance(action, NameColour)]
        if colours:
            wanted = self._colour(seen, None)
            return next(action for action in colours if action.colour == wanted)
        swaps = [action for action in seen.legal if isinstance(action, Swap)]
        if swaps:
            return min(swaps, key=lambda swap: seen.counts[seen.seats.index(swap.seat)])
        return seen.legal[0] if seen.legal else None

    def _best(self, seen: SeatView, plays: list[Play]) -> Play:
        """The play worth most: cards that cost points, not the wild ones, and "UNO" said."""
        faces = {held.slot: held.face for held in seen.hand}
        uno = [play for play in plays if play.uno]
        candidates = uno or plays
        return max(candidates, key=lambda play: self._worth(seen, play, faces[play.slot]))

    def _worth(self, seen: SeatView, play: Play, face: Card) -> tuple[int, int, int]:
        colour = self._colour(seen, play.slot)
        if face.is_wild:
            danger = min(
                count
                for seat, count in zip(seen.seats, seen.counts, strict=True)
                if seat != seen.seat
            )
            urgent = danger <= 2
            fits = 1 if play.colour == colour else 0
            early = 0 if face.rank is Rank.WILD_DRAW_FOUR and not urgent else 1
            return (3 if urgent else 0, fits, early)
        return (1 if face.points < 20 else 2, 1 if face.colour == colour else 0, face.points)

    def _colour(self, seen: SeatView, but: int | None) -> Colour:
        """The colour held most, without the card in one slot; chance breaks ties."""
        held = Counter(
            each.face.colour for each in _others(seen.hand, but) if each.face.colour is not None
        )
        most = max(held.values(), default=0)
        best = [colour for colour in Colour if held[colour] == most]
        return self._chance.choice(best)


def _others(hand: tuple[Held, ...], but: int | None) -> list[Held]:
    return [each for each in hand if each.slot != but]
