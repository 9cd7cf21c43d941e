"""Card faces and the decks made of them.

Here: colours, ranks, points, the canonical order of each deck and lookup tables over it. Not here:
hands, piles or anything that changes.

A physical card is known by its `CardId`, its index in the canonical order of its deck. A `Slot` is
a place that a shuffle produced: which card lies there is a secret until it is opened.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, unique
from functools import cache

CardId = int
Slot = int
Seat = int

SMALL_DECK = 108
LARGE_DECK = 112
DECKS = (SMALL_DECK, LARGE_DECK)
FIRST_WILD: CardId = 100
"""In both decks the coloured cards come first: from here on all cards are wild."""

NO_COLOUR = -1
"""Stands for "no colour" in the lookup tables and in the public state."""


@unique
class Colour(IntEnum):
    """The four colours, in canonical order."""

    RED = 0
    YELLOW = 1
    GREEN = 2
    BLUE = 3


@unique
class Rank(IntEnum):
    """Number or symbol of a card; the numbers are their own values."""

    ZERO = 0
    ONE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    SKIP = 10
    REVERSE = 11
    DRAW_TWO = 12
    WILD = 13
    WILD_DRAW_FOUR = 14


@dataclass(frozen=True, slots=True)
class Card:
    """A face: what is printed on a card. Equal faces are equal values.

    `colour` is None for the two wild ranks.
    """

    colour: Colour | None
    rank: Rank

    @property
    def is_wild(self) -> bool:
        """Whether its player names a colour."""
        return self.rank >= Rank.WILD

    @property
    def is_number(self) -> bool:
        """Whether it shows a number, 0 to 9."""
        return self.rank <= Rank.NINE

    @property
    def points(self) -> int:
        """What it is worth in a hand at the end: its number, 20 for an action, 50 for a wild."""
        if self.rank <= Rank.NINE:
            return int(self.rank)
        return 50 if self.rank >= Rank.WILD else 20

    @property
    def dealer_value(self) -> int:
        """Its value when the first dealer is chosen: the number, 0 for all other cards."""
        return int(self.rank) if self.rank <= Rank.NINE else 0


@dataclass(frozen=True, slots=True, eq=False)
class Deck:
    """Lookup tables over one deck; every tuple is indexed by `CardId`."""

    size: int
    faces: tuple[Card, ...]
    colours: tuple[int, ...]
    """`Colour` as int, `NO_COLOUR` for wild cards."""
    ranks: tuple[int, ...]
    points: tuple[int, ...]
    of_colour: tuple[frozenset[CardId], ...]
    """By colour: the cards of that colour."""
    of_rank: tuple[frozenset[CardId], ...]
    twins: tuple[frozenset[CardId], ...]
    """By card: the coloured cards of the same face, itself included; none for a wild card."""
    first_four: CardId
    """From here on all cards are Wild Draw Fours."""
    playable: tuple[tuple[frozenset[CardId], ...], ...]
    """By current colour, then by rank of the top card: the cards that match, wild ones included."""


def _faces(deck: int) -> tuple[Card, ...]:
    """The canonical order: by colour 0, 1, 1 … 9, 9, then each action twice; wilds; +4s."""
    faces: list[Card] = []
    for colour in Colour:
        faces.append(Card(colour, Rank.ZERO))
        for rank in Rank:
            if Rank.ONE <= rank <= Rank.DRAW_TWO:
                card = Card(colour, rank)
                faces += [card, card]
    faces += [Card(None, Rank.WILD)] * (deck - SMALL_DECK + 4)
    faces += [Card(None, Rank.WILD_DRAW_FOUR)] * 4
    return tuple(faces)


@cache
def deck_tables(deck: int) -> Deck:
    """The tables of a deck of 108 or 112 cards; another size is a ValueError."""
    if deck not in DECKS:
        raise ValueError(f"no deck has {deck} cards")
    faces = _faces(deck)
    colours = tuple(NO_COLOUR if f.colour is None else int(f.colour) for f in faces)
    ranks = tuple(int(f.rank) for f in faces)
    ids = range(deck)
    playable = tuple(
        tuple(
            frozenset(i for i in ids if faces[i].is_wild or colours[i] == c or ranks[i] == r)
            for r in Rank
        )
        for c in Colour
    )
    return Deck(
        size=deck,
        faces=faces,
        colours=colours,
        ranks=ranks,
        points=tuple(f.points for f in faces),
        of_colour=tuple(frozenset(i for i in ids if colours[i] == c) for c in Colour),
        of_rank=tuple(frozenset(i for i in ids if ranks[i] == r) for r in Rank),
        twins=tuple(
            frozenset(() if f.is_wild else (i for i in ids if faces[i] == f)) for f in faces
        ),
        first_four=deck - 4,
        playable=playable,
    )


def deck_faces(deck: int) -> tuple[Card, ...]:
    """The faces of a deck (108 or 112) in canonical order; the index is the `CardId`."""
    return deck_tables(deck).faces
