"""The decks: the cards of each, in canonical order, and lookup tables over them.

A deck is identified by its number of cards, in rulesets and everywhere else. No other module knows
which `CardId` a card has. Hands, piles and everything that changes belong to the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final, Self

from msgspec import Struct

from lanuno.rules.cards import NO_COLOUR, Card, CardId, Colour, Rank

_COLOURED: Final[Mapping[Rank, int]] = {
    Rank.ZERO: 1,
    **{rank: 2 for rank in Rank if Rank.ONE <= rank <= Rank.DRAW_TWO},
}

DECKS: Final[Mapping[int, Mapping[Rank, int]]] = MappingProxyType(
    {
        108: {**_COLOURED, Rank.WILD: 4, Rank.WILD_FOUR: 4},
        112: {**_COLOURED, Rank.WILD: 8, Rank.WILD_FOUR: 4},
    }
)
"""By number of cards: the count of each rank, per colour or (wild ranks) in total.

The canonical order of a deck is colour by colour, each with its ranks in the order given here, then
the wild ranks.
"""


class Deck(Struct, frozen=True, eq=False):
    """Lookup tables over one deck. Every tuple is indexed by `CardId` unless stated otherwise."""

    size: int
    faces: tuple[Card, ...]
    ranks: tuple[int, ...]
    colours: tuple[int, ...]
    """`Colour` as int, `NO_COLOUR` for wild cards."""
    points: tuple[int, ...]
    draws: tuple[int, ...]
    """The number of cards that the next player has to draw."""
    of_colour: tuple[frozenset[CardId], ...]
    """By colour: the cards of that colour."""
    of_rank: tuple[frozenset[CardId], ...]
    """By rank: the cards of that rank; empty for a rank that the deck does not hold."""
    twins: tuple[frozenset[CardId], ...]
    """The coloured cards with the same face, itself included; empty for a wild card."""
    wild: frozenset[CardId]
    restricted: frozenset[CardId]
    """The cards that the rest of a hand may forbid."""
    starting: frozenset[CardId]
    """The cards that may start the discard pile."""
    playable: tuple[tuple[frozenset[CardId], ...], ...]
    """By current colour, then by rank of the top card: the cards that match, wild ones included."""

    def __copy__(self) -> Self:
        return self

    def __reduce__(self) -> tuple[Callable[[int], Deck], tuple[int]]:
        """Copy and pickle a deck as a reference, so that each deck has only one object."""
        return deck_tables, (self.size,)


@cache
def deck_tables(deck: int) -> Deck:
    """Return the lookup tables of a deck. Raise ValueError if no deck has this many cards."""
    if deck not in DECKS:
        raise ValueError(f"no deck has {deck} cards")
    faces = _faces(DECKS[deck])
    assert len(faces) == deck
    colours = tuple(NO_COLOUR if f.colour is None else int(f.colour) for f in faces)
    ranks = tuple(int(f.rank) for f in faces)
    ids = range(deck)
    wild = frozenset(i for i in ids if faces[i].is_wild)
    of_colour = tuple(frozenset(i for i in ids if colours[i] == c) for c in Colour)
    of_rank = tuple(frozenset(i for i in ids if ranks[i] == r) for r in Rank)
    return Deck(
        size=deck,
        faces=faces,
        ranks=ranks,
        colours=colours,
        points=tuple(f.points for f in faces),
        draws=tuple(f.rank.traits.draws for f in faces),
        of_colour=of_colour,
        of_rank=of_rank,
        twins=tuple(
            frozenset() if f.colour is None else of_colour[f.colour] & of_rank[f.rank]
            for f in faces
        ),
        wild=wild,
        restricted=frozenset(i for i in ids if faces[i].rank.traits.restricted),
        starting=frozenset(i for i in ids if faces[i].rank.traits.starts),
        playable=tuple(tuple(wild | of_colour[c] | of_rank[r] for r in Rank) for c in Colour),
    )


def _faces(held: Mapping[Rank, int]) -> tuple[Card, ...]:
    """Return the faces of a deck in canonical order."""
    faces: list[Card] = []
    for colour in Colour:
        for rank, count in held.items():
            if not rank.traits.is_wild:
                faces += [Card(colour, rank)] * count
    for rank, count in held.items():
        if rank.traits.is_wild:
            faces += [Card(None, rank)] * count
    return tuple(faces)
