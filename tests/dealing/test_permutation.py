"""Permutations: every stream of small words enumerated, and the fairness of composed shuffles."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product
from math import factorial, sqrt

import pytest

from lanuno.dealing.hashing import H, u32
from lanuno.dealing.permutation import draw_permutation, permute
from lanuno.dealing.secrets import NO_INPUT, RoundSecrets
from tests.dealing.players import context


@pytest.mark.parametrize(
    ("size", "bits", "words"), [(2, 1, 4), (2, 2, 3), (3, 2, 5), (3, 3, 4), (4, 2, 6), (4, 3, 4)]
)
def test_all_streams_give_each_permutation_equally_often(size: int, bits: int, words: int) -> None:
    """Streams that run out because of skipped words count for no permutation."""
    counts: Counter[tuple[int, ...]] = Counter()
    ran_out = 0
    for stream in product(range(1 << bits), repeat=words):
        try:
            counts[draw_permutation(size, iter(stream), bits)] += 1
        except StopIteration:
            ran_out += 1
    assert set(counts) == set(permutations(range(size)))
    assert len(counts) == factorial(size)
    assert len(set(counts.values())) == 1
    assert (ran_out > 0) == (size > 2)


def test_words_without_a_fair_remainder_are_passed_over() -> None:
    # 32-bit words: for three places, 2^32-1 is one too many.
    assert draw_permutation(3, iter([0xFFFFFFFF, 0xFFFFFFFE, 1])) == (0, 1, 2)
    assert draw_permutation(3, iter([0xFFFFFFFF, 0xFFFFFFFF, 0, 1])) == (2, 1, 0)
    assert draw_permutation(1, iter([])) == (0,)


def chi_square(counts: list[list[int]], expected: float) -> float:
    return sum((count - expected) ** 2 / expected for row in counts for count in row)


def test_composed_shuffles_put_every_card_everywhere_equally_often() -> None:
    """Chi-square of card x position; a sum of 107^2 independent squares is nearly normal."""
    size, shuffles, seats = 108, 5000, 3
    counts = [[0] * size for _ in range(size)]
    for shuffle in range(shuffles):
        cards: list[int] = list(range(size))
        for seat in range(seats):
            seed = H("fairness", u32(shuffle), u32(seat))
            secrets = RoundSecrets(seed, context(seat))
            cards = permute(cards, secrets.permutation(0, size, NO_INPUT))
        for place, card in enumerate(cards):
            counts[card][place] += 1
    freedom = (size - 1) ** 2
    deviation = (chi_square(counts, shuffles / size) - freedom) / sqrt(2 * freedom)
    assert abs(deviation) < 4


def test_the_measure_of_fairness_sees_a_biased_shuffle() -> None:
    """The well-known wrong shuffle, which swaps each place with any, is far outside the limit."""
    size, shuffles = 20, 2000
    counts = [[0] * size for _ in range(size)]
    for shuffle in range(shuffles):
        cards = list(range(size))
        for place in range(size):
            other = int.from_bytes(H("bias", u32(shuffle), u32(place)), "big") % size
            cards[place], cards[other] = cards[other], cards[place]
        for place, card in enumerate(cards):
            counts[card][place] += 1
    freedom = (size - 1) ** 2
    deviation = (chi_square(counts, shuffles / size) - freedom) / sqrt(2 * freedom)
    assert deviation > 10
