"""Card faces: the colours, the ranks, and the traits of each rank.

This module says what is printed on a card and what the card is worth. decks.py says which cards a
deck holds, and engine/card_effects.py what a card does when it is played. The catalogues hold its
name (`rank.<name>`).

A `CardId` identifies a physical card by its index in the canonical order of its deck. A `Slot` is a
place in a shuffled deck; the card that lies there stays secret until the slot is opened.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from enum import IntEnum, unique
from typing import Self

from msgspec import Struct

CardId = int
Slot = int
Seat = int

MAX_SEATS = 10
"""The most seats of a table."""

NO_COLOUR = -1
"""The value for "no colour" in the lookup tables and in the public state."""


@unique
class Colour(IntEnum):
    """The four colours, in canonical order."""

    RED = 0
    YELLOW = 1
    GREEN = 2
    BLUE = 3


@dataclass(frozen=True, slots=True)
class RankTraits:
    """The traits that all cards of a rank share."""

    points: int
    """Points for the card in a hand at the end of a round."""
    _: KW_ONLY
    text: str = ""
    """The text on the card: its number, or how many cards the next player draws."""
    icon: str = ""
    """The icon on a card without a text: the name of a drawing in resources/art/glyphs.js."""
    is_number: bool = False
    is_wild: bool = False
    """Whether the card has no colour, and its player names one."""
    draws: int = 0
    """The number of cards that the next player has to draw."""
    starts: bool = True
    """Whether the card may start the discard pile. If not, it goes back into the draw pile."""
    restricted: bool = False
    """Whether other cards in the hand may forbid playing it, depending on `wild_four`."""


_NO_TRAITS = RankTraits(0)


def _number(number: int) -> tuple[int, RankTraits]:
    return number, RankTraits(number, text=str(number), is_number=True)


@unique
class Rank(IntEnum):
    """The number or symbol of a card. Add a new rank at the end, and to the decks that hold it."""

    traits: RankTraits

    def __new__(cls, number: int, traits: RankTraits = _NO_TRAITS) -> Self:
        """Create a rank with the index `number` in lookup tables; number cards use their number.

        Every member passes its traits. The default lets type checkers accept `Rank(7)`, which looks
        up a member without calling this method.
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


class Card(Struct, frozen=True):
    """The face of a card. Equal faces are equal values.

    `colour` is None for the wild ranks.
    """

    colour: Colour | None
    rank: Rank

    @property
    def is_wild(self) -> bool:
        """Whether its player has to name a colour."""
        return self.rank.traits.is_wild

    @property
    def is_number(self) -> bool:
        """Whether it shows a number, 0 to 9."""
        return self.rank.traits.is_number

    @property
    def points(self) -> int:
        """Points for the card in a hand at the end of a round."""
        return self.rank.traits.points

    @property
    def dealer_value(self) -> int:
        """Its value when the first dealer is chosen: its number, or 0 for all other cards."""
        return int(self.rank) if self.is_number else 0
