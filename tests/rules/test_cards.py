"""Ranks and faces: what is printed on a card and what it is worth."""

from __future__ import annotations

from collections import Counter

from lanuno.rules.cards import Card, Colour, Rank


def test_points_and_heights() -> None:
    assert Card(Colour.RED, Rank.ZERO).points == 0
    assert Card(Colour.RED, Rank.NINE).points == 9
    for rank in (Rank.SKIP, Rank.REVERSE, Rank.DRAW_TWO):
        assert Card(Colour.BLUE, rank).points == 20
        assert Card(Colour.BLUE, rank).dealer_value == 0
    for rank in (Rank.WILD, Rank.WILD_FOUR):
        assert Card(None, rank).points == 50
        assert Card(None, rank).dealer_value == 0
    assert Card(Colour.RED, Rank.NINE).dealer_value == 9


def test_numbers_and_wilds() -> None:
    assert Card(Colour.RED, Rank.NINE).is_number
    assert not Card(Colour.RED, Rank.SKIP).is_number
    assert not Card(None, Rank.WILD).is_number


def test_every_rank_is_an_index_and_has_traits_of_its_own() -> None:
    assert [int(rank) for rank in Rank] == list(range(len(Rank)))
    assert [Rank(number) for number in range(len(Rank))] == list(Rank)
    for rank in Rank:
        traits = rank.traits
        assert traits.is_number == (rank <= Rank.NINE) == traits.text.isdigit()
        assert not (traits.text and traits.icon)
        assert traits.text or traits.icon or traits.is_wild


def test_the_faces_of_two_ranks_differ() -> None:
    printed = Counter((rank.traits.text, rank.traits.icon) for rank in Rank)
    assert set(printed.values()) == {1}
