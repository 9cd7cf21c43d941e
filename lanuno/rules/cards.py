"""Card faces: the colours, and every rank with what is to be known of it.

Here: what is printed on a card and what it is worth. Not here: which cards a deck holds (decks.py),
what a card does when it is played (engine/card_effects.py) and its name (`rank.<name>` in the
catalogues).

A physical card is known by its `CardId`, its index in the canonical order of its deck. A `Slot` is
a place that a shuffle produced: which card lies there is a secret until it is opened.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from enum import IntEnum, unique
from typing import Self

CardId = int
Slot = int
Seat = int

NO_COLOUR = -1
"""Stands for "no colour" in the lookup tables and in the public state."""


@unique
class Colour(IntEnum):
    """The four colours, in canonical order."""

    RED = 0
    YELLOW = 1
    GREEN = 2
    BLUE = 3


@dataclass(frozen=True, slots=True)
class RankTraits:
    """What all cards of a rank have in common."""

    points: int
    """What the card is worth in a hand at the end of a round."""
    _: KW_ONLY
    text: str = ""
    """What is printed on the card: its number, or how many cards the next player draws."""
    icon: str = ""
    """What is printed in place of a text: the name of a drawing in resources/art/glyphs.js."""
    is_number: bool = False
    is_wild: bool = False
    """Whether the card has no colour, and its player names one."""
    draws: int = 0
    """How many cards the next player has to draw."""
    starts: bool = True
    """Whether the card may start the discard pile. If not, it goes back into the draw pile."""
    restricted: bool = False
    """Whether the other cards of the hand may forbid it, as the setting `wild_four` says."""


_NO_TRAITS = RankTraits(0)


def _number(number: int) -> tuple[int, RankTraits]:
    return number, RankTraits(number, text=str(number), is_number=True)


@unique
class Rank(IntEnum):
    """Number or symbol of a card. A new rank comes last, and needs an entry in a deck."""

    traits: RankTraits

    def __new__(cls, number: int, traits: RankTraits = _NO_TRAITS) -> Self:
        """`number`: its index in lookup tables; those of numbers are the numbers themselves.

        Every member names its traits. `Rank(7)` finds a member and does not come here.
        """
        rank = int.__new__(cls, number)
        rank._value_ = number
        rank.traits = traits
        return rank

    ZERO = _number(0)
    ONE = _number(1)
    TWO = _number(2)
    THREE = _number(3)
    FOUR = _number(4)
    FIVE = _number(5)
    SIX = _number(6)
    SEVEN = _number(7)
    EIGHT = _number(8)
    NINE = _number(9)
    SKIP = 10, RankTraits(20, icon="skip")
    REVERSE = 11, RankTraits(20, icon="reverse")
    DRAW_TWO = 12, RankTraits(20, text="+2", draws=2)
    WILD = 13, RankTraits(50, is_wild=True)
    WILD_FOUR = (
        14,
        RankTraits(50, text="+4", is_wild=True, draws=4, starts=False, restricted=True),
    )


@dataclass(frozen=True, slots=True)
class Card:
    """A face: what is printed on a card. Equal faces are equal values.

    `colour` is None for the wild ranks.
    """

    colour: Colour | None
    rank: Rank

    @property
    def is_wild(self) -> bool:
        """Whether its player names a colour."""
        return self.rank.traits.is_wild

    @property
    def is_number(self) -> bool:
        """Whether it shows a number, 0 to 9."""
        return self.rank.traits.is_number

    @property
    def points(self) -> int:
        """What it is worth in a hand at the end of a round."""
        return self.rank.traits.points

    @property
    def dealer_value(self) -> int:
        """Its value when the first dealer is chosen: the number, 0 for all other cards."""
        return int(self.rank) if self.is_number else 0
