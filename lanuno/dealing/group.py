"""The group secp256k1: card points, scalars, multiplication, and checks of lists from other nodes.

Rule: all arithmetic modulo the group order, and all interpretation of points, is in this module;
the calls into the curve library are in `curve.py`. Scalars are ints in [1, n-1] inside the package
and 32 bytes, big-endian, outside. Points are always 33-byte compressed encodings, which cannot
express the neutral element.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from itertools import repeat
from typing import TYPE_CHECKING, Final

from lanuno.dealing.curve import (
    POINT_BYTES,
    SCALAR_BYTES,
    is_point,
    multiply_generator,
    multiply_pairs,
)
from lanuno.dealing.errors import Misuse, PointError, ScalarError
from lanuno.dealing.hashing import H, u32

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ORDER: Final = 0xFFFFFFFF_FFFFFFFF_FFFFFFFF_FFFFFFFE_BAAEDCE6_AF48A03B_BFD25E8C_D0364141
"""n, the prime order of secp256k1 (SEC 2, section 2.4.1)."""

FIELD: Final = 2**256 - 2**32 - 977
"""p, the prime of the field of the coordinates."""

WIDE_BYTES: Final = 48
"""Bytes of keying material per scalar: 128 bits more than n has, so that the bias is negligible."""

MAX_DECK: Final = 256
"""The largest number of cards in a deck that `card_points` accepts."""

_PREFIXES: Final = b"\x02\x03"
_FIELD_BYTES: Final = FIELD.to_bytes(32, "big")
_FIELD_HEAD: Final = _FIELD_BYTES[:27]
"""27 bytes of ones, with which every x that is not below p begins; honest ones hardly ever do."""


class Flaw(Enum):
    """What is wrong with a published step. `check_points` finds the first three."""

    COUNT = "count"
    """The number of points or keys is wrong."""

    ENCODING = "encoding"
    """A point has a wrong length, a prefix other than 02 or 03, or an x that is not below p."""

    DUPLICATE = "duplicate"
    """The same point occurs twice."""

    OFF_CURVE = "off-curve"
    """An x coordinate to which no point belongs."""

    DIFFERS = "differs"
    """The step is not the one that its author's revealed seed gives on the same input."""


def parse_scalar(data: bytes) -> int:
    """Parse a scalar from another node: 32 bytes, big-endian, in [1, n-1], else `ScalarError`."""
    value = int.from_bytes(data, "big")
    if len(data) != SCALAR_BYTES or not 0 < value < ORDER:
        raise ScalarError("not a scalar")
    return value


def scalar_bytes(scalar: int) -> bytes:
    """Encode a scalar as it is sent: 32 bytes, big-endian."""
    return scalar.to_bytes(SCALAR_BYTES, "big")


def wide_scalars(material: bytes) -> tuple[int, ...]:
    """Make one scalar of every 48 bytes of keying material: 1 + (value mod (n-1))."""
    if len(material) % WIDE_BYTES:
        raise Misuse("keying material must be 48 bytes per scalar")
    span = ORDER - 1
    return tuple(
        [
            int.from_bytes(material[at : at + WIDE_BYTES], "big") % span + 1
            for at in range(0, len(material), WIDE_BYTES)
        ]
    )


def inverse(scalar: int) -> int:
    """Return the scalar that undoes a multiplication by `scalar`, modulo n."""
    return pow(scalar, -1, ORDER)


def product(scalars: Iterable[int]) -> int:
    """Return the product of scalars modulo n; 1 for no scalars."""
    result = 1
    for scalar in scalars:
        result = result * scalar % ORDER
    return result


def public_key(scalar: int) -> bytes:
    """Return `scalar`·G, with G the generator of SEC 2."""
    return public_keys((scalar,))[0]


def public_keys(scalars: Iterable[int]) -> tuple[bytes, ...]:
    """Return the `public_key` of each scalar."""
    return multiply_generator(map(scalar_bytes, scalars))


def multiply(point: bytes, scalar: int) -> bytes:
    """Return `scalar`·`point`; `PointError` if the bytes are not a point of the curve."""
    return multiply_each((point,), scalar)[0]


def multiply_all(points: Sequence[bytes], scalars: Sequence[int]) -> tuple[bytes, ...]:
    """Multiply each point by its scalar; `PointError` if a point is not on the curve."""
    if len(points) != len(scalars):
        raise Misuse("not one scalar for each point")
    return multiply_pairs(zip(points, map(scalar_bytes, scalars), strict=True))


def multiply_each(points: Sequence[bytes], scalar: int) -> tuple[bytes, ...]:
    """Multiply all points by one scalar; `PointError` if a point is not on the curve."""
    return multiply_pairs(zip(points, repeat(scalar_bytes(scalar))))


def off_curve(points: Sequence[bytes]) -> int | None:
    """Return the index of the first encoding that is not a point of the curve; None if all are."""
    return next((index for index, point in enumerate(points) if not is_point(point)), None)


def check_points(points: Sequence[bytes], count: int) -> Flaw | None:
    """Check a list from another node as far as possible without decoding; None if it passes.

    An x that belongs to no point is detected when the point is decoded (`PointError`), or by
    `off_curve`: one square root per point and peer would cost more than the deal itself.
    """
    if len(points) != count:
        return Flaw.COUNT
    for point in points:
        if len(point) != POINT_BYTES:
            return Flaw.ENCODING
    joined = b"".join(points)
    if joined[::POINT_BYTES].strip(_PREFIXES):
        return Flaw.ENCODING
    if _FIELD_HEAD in joined and any(point[1:] >= _FIELD_BYTES for point in points):
        return Flaw.ENCODING
    if len(set(points)) != count:
        return Flaw.DUPLICATE
    return None


def pack(points: Sequence[bytes]) -> bytes:
    """Join points into the single byte string that is sent."""
    return b"".join(points)


def unpack(packed: bytes, count: int) -> tuple[bytes, ...]:
    """Split the result of `pack`; `PointError` unless its length is exactly that of `count`."""
    if len(packed) != count * POINT_BYTES:
        raise PointError("a list of points of the wrong length")
    return tuple([packed[at : at + POINT_BYTES] for at in range(0, len(packed), POINT_BYTES)])


@lru_cache(maxsize=8)
def card_points(deck: int) -> tuple[bytes, ...]:
    """Return the point of every card of a deck with `deck` cards, in canonical order.

    Try-and-increment: the first counter 0, 1, 2, … for which H("card", deck, index, counter), all
    u32, is the x of a point; of the two points with that x, the one with even y. Nobody knows the
    discrete logarithm of a point made this way.
    """
    if not 0 < deck <= MAX_DECK:
        raise Misuse("no deck has that many cards")
    return tuple([_card_point(deck, index) for index in range(deck)])


@lru_cache(maxsize=8)
def card_numbers(deck: int) -> dict[bytes, int]:
    """Return the card of each point of a deck: the inverse of `card_points`. Do not modify it."""
    return {point: card for card, point in enumerate(card_points(deck))}


def _card_point(deck: int, index: int) -> bytes:
    counter = 0
    while True:
        candidate = b"\x02" + H("card", u32(deck), u32(index), u32(counter))
        if is_point(candidate):
            return candidate
        counter += 1
