"""Uniform permutations from a stream of words.

Rule: the stream is passed in, so tests can enumerate every possible stream. A permutation p is a
tuple with out[k] = in[p[k]].
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_Item = TypeVar("_Item")

WORD_BITS: Final = 32
"""Bits per word of the stream in a real deal; tests use fewer."""


def draw_permutation(size: int, words: Iterator[int], bits: int = WORD_BITS) -> tuple[int, ...]:
    """Draw a permutation of `size` items; all are equally likely if the words are uniform.

    Fisher-Yates from the last place down (Knuth, TAOCP 3.4.2, algorithm P): for i = size-1 … 1 take
    a word w and swap places i and w mod (i+1). To make all remainders equally likely, words are
    skipped unless they are below the largest multiple of i+1 that fits into `bits` bits.
    """
    places = list(range(size))
    space = 1 << bits
    for last in range(size - 1, 0, -1):
        bound = last + 1
        limit = space - space % bound
        word = next(words)
        while word >= limit:
            word = next(words)
        other = word % bound
        places[last], places[other] = places[other], places[last]
    return tuple(places)


def permute(items: Sequence[_Item], order: Sequence[int]) -> list[_Item]:
    """Reorder items by a permutation: the k-th of the result is items[order[k]]."""
    return [items[place] for place in order]
