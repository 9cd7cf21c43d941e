"""Decks: their cards, the order of the cards, and the lookup tables over them."""

from __future__ import annotations

import pickle
from collections import Counter
from copy import copy, deepcopy

import pytest

from lanuno.rules.cards import Card, Colour, Rank
from lanuno.rules.decks import DECKS, deck_tables


@pytest.mark.parametrize(("deck", "wilds"), [(108, 4), (112, 8)])
def test_what_a_deck_holds(deck: int, wilds: int) -> None:
    count = Counter(deck_tables(deck).faces)
    for colour in Colour:
        assert count[Card(colour, Rank.ZERO)] == 1
        for rank in Rank:
            if Rank.ONE <= rank <= Rank.DRAW_TWO:
                assert count[Card(colour, rank)] == 2
    assert count[Card(None, Rank.WILD)] == wilds
    assert count[Card(None, Rank.WILD_FOUR)] == 4
    assert sum(count.values()) == deck
    assert len(count) == 54


def test_the_canonical_order() -> None:
    faces = deck_tables(108).faces
    assert faces[0] == Card(Colour.RED, Rank.ZERO)
    assert faces[13] == Card(Colour.RED, Rank.SEVEN)
    assert faces[99] == Card(Colour.BLUE, Rank.DRAW_TWO)
    assert faces[:100] == deck_tables(112).faces[:100]
    assert {face.is_wild for face in faces[:100]} == {False}
    assert {face.is_wild for face in faces[100:]} == {True}


@pytest.mark.parametrize("deck", DECKS)
def test_the_lookup_tables_agree_with_the_faces(deck: int) -> None:
    tables = deck_tables(deck)
    for top in Rank:
        for colour in Colour:
            assert tables.playable[colour][top] == {
                card
                for card, face in enumerate(tables.faces)
                if face.is_wild or face.colour == colour or face.rank == top
            }
    for card, face in enumerate(tables.faces):
        twins = {other for other, each in enumerate(tables.faces) if each == face}
        assert tables.twins[card] == (set() if face.is_wild else twins)
        assert card in tables.of_rank[face.rank]
        assert (card in tables.restricted) == (face.rank is Rank.WILD_FOUR)
        assert (card in tables.starting) == (face.rank is not Rank.WILD_FOUR)
        assert tables.points[card] == face.points
        assert tables.draws[card] == {Rank.DRAW_TWO: 2, Rank.WILD_FOUR: 4}.get(face.rank, 0)
        assert tables.colours[card] == (-1 if face.colour is None else face.colour)


def test_no_other_deck() -> None:
    with pytest.raises(ValueError, match="no deck has 52 cards"):
        deck_tables(52)


def test_the_points_of_a_deck() -> None:
    # 0 to 9 in four colours, all but the zeros twice; 24 actions; eight wilds.
    assert sum(deck_tables(108).points) == 4 * 2 * 45 + 24 * 20 + 8 * 50


@pytest.mark.parametrize("deck", DECKS)
def test_a_copy_of_the_tables_is_the_tables(deck: int) -> None:
    tables = deck_tables(deck)
    assert copy(tables) is deepcopy(tables) is pickle.loads(pickle.dumps(tables)) is tables
