"""Uniform permutations from a stream of words, and their composition.

Rule: the stream is passed in, so that tests can enumerate every possible stream. A permutation p is
a tuple with out[k] = in[p[k]].
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_Item = TypeVar("_Item")

WORD_BITS: Final = 32
"""Bits of one word of the stream, in a real deal."""


def permutation(size: int, words: Iterator[int], bits: int = WORD_BITS) -> tuple[int, ...]:
    """Draw a permutation of `size` things, each equally likely when the words are uniform.

    Fisher-Yates from the last place down (Knuth, TAOCP 3.4.2, algorithm P): for i = size-1 … 1 take
    a word w, swap places i and w mod (i+1). So that no remainder is likelier than another, words
    from the largest multiple of i+1 that fits into `bits` bits upwards are passed over.
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
    """Put things into the order of a permutation: the result's k-th is things[order[k]]."""
    return [items[place] for place in order]


def compose(first: Sequence[int], second: Sequence[int]) -> tuple[int, ...]:
    """The one permutation that does what `first` and then `second` do."""
    return tuple([first[place] for place in second])
