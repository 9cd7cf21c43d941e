"""A second implementation of the dealing, slow and plain, from the specification alone.

It shares no code with `lanuno` and uses only hashes and ints, so everything in the vectors has been
computed twice. Use it in tests only: it checks nothing and is not constant-time.
"""

from __future__ import annotations

import hmac
from hashlib import sha256

P = 2**256 - 2**32 - 977
N = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
G = (
    0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
    0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
)
Point = tuple[int, int]


def framed(*parts: bytes) -> bytes:
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def u32(value: int) -> bytes:
    return value.to_bytes(4, "big")


def digest(kind: str, *parts: bytes) -> bytes:
    return sha256(b"lanuno/1/" + kind.encode() + b"\0" + framed(*parts)).digest()


def hkdf(seed: bytes, info: bytes, length: int) -> bytes:
    """RFC 5869 with SHA-256 and no salt."""
    key = hmac.digest(bytes(32), seed, "sha256")
    block, out = b"", b""
    for number in range(1, length // 32 + 2):
        block = hmac.digest(key, block + info + bytes([number]), "sha256")
        out += block
    return out[:length]


# The curve y^2 = x^3 + 7.


def double(point: Point) -> Point:
    x, y = point
    slope = 3 * x * x * pow(2 * y, -1, P) % P
    result = (slope * slope - 2 * x) % P
    return result, (slope * (x - result) - y) % P


def add(one: Point, other: Point) -> Point:
    slope = (other[1] - one[1]) * pow(other[0] - one[0], -1, P) % P
    result = (slope * slope - one[0] - other[0]) % P
    return result, (slope * (one[0] - result) - one[1]) % P


def times(scalar: int, point: Point) -> Point:
    """Double and add from the highest bit. No intermediate sum is of equal or opposite points."""
    result = point
    for bit in bin(scalar)[3:]:
        result = double(result)
        if bit == "1":
            result = add(result, point)
    return result


def compressed(point: Point) -> bytes:
    return bytes([2 + point[1] % 2]) + point[0].to_bytes(32, "big")


def packed(points: list[Point]) -> bytes:
    return b"".join(compressed(point) for point in points)


def with_even_y(x: int) -> Point | None:
    square = (pow(x, 3, P) + 7) % P
    y = pow(square, (P + 1) // 4, P)
    if x >= P or y * y % P != square:
        return None
    return x, y if y % 2 == 0 else P - y


def card_point(deck: int, index: int) -> Point:
    counter = 0
    while True:
        x = int.from_bytes(digest("card", u32(deck), u32(index), u32(counter)), "big")
        point = with_even_y(x)
        if point is not None:
            return point
        counter += 1


# The inputs to which the secrets of a step are bound.


def first_input(
    table: bytes,
    opened: bytes,
    deal: int,
    deck: int,
    order: list[int],
    cards: list[int],
    locked: list[tuple[int, Point, list[Point]]],
) -> bytes:
    """Return the first input of a deal. A locked slot: its number, its point, a key per seat."""
    parts = [table, opened, u32(deal), u32(deck)]
    parts.append(b"".join(u32(seat) for seat in order))
    parts.append(b"".join(u32(card) for card in cards))
    for slot, point, keys in locked:
        parts.append(u32(slot) + packed([point, *keys]))
    return digest("deal", *parts)


def next_input(
    before: bytes, kind: str, seat: int, points: list[Point], keys: list[Point]
) -> bytes:
    """Return the input of the step after one that was accepted."""
    return digest("step", before, kind.encode(), u32(seat), packed(points), packed(keys))


def receivers(seats: list[int], box_keys: list[bytes]) -> bytes:
    """Return the input of a seed's shares."""
    return digest("receivers", *[u32(s) + key for s, key in zip(seats, box_keys, strict=True)])


# One seat of one deal.


class Seat:
    def __init__(self, seed: bytes, table: bytes, opened: bytes) -> None:
        self.seed = seed
        self.table = table
        self.opened = opened

    def material(
        self, label: str, length: int, deal: int = 0, index: int = 0, of: bytes = bytes(32)
    ) -> bytes:
        """Derive bytes from the seed; `of` is the input."""
        info = framed(self.table, self.opened, u32(deal), label.encode(), u32(index), of)
        return hkdf(self.seed, info, length)

    def scalars(self, label: str, deal: int, of: bytes, count: int = 1) -> list[int]:
        material = self.material(label, 48 * count, deal, of=of)
        pieces = [material[48 * at : 48 * at + 48] for at in range(count)]
        return [int.from_bytes(piece, "big") % (N - 1) + 1 for piece in pieces]

    def order(self, deal: int, of: bytes, size: int) -> list[int]:
        """Fisher-Yates. The vectors need no more words than one expansion has."""
        material = self.material("permutation", 512, deal, of=of)
        words = [int.from_bytes(material[at : at + 4], "big") for at in range(0, 512, 4)]
        places = list(range(size))
        for last in range(size - 1, 0, -1):
            while words[0] >= 2**32 - 2**32 % (last + 1):
                words.pop(0)
            other = words.pop(0) % (last + 1)
            places[last], places[other] = places[other], places[last]
        return places

    # A scalar is derived once, from the input of the step that creates it, and kept for later ones.

    def common(self, points: list[Point], c: int, old: list[int]) -> list[Point]:
        divisors = [1] * (len(points) - len(old)) + old
        return [
            times(c * pow(divisor, -1, N) % N, point)
            for point, divisor in zip(points, divisors, strict=True)
        ]

    def mask(self, points: list[Point], a: int, c: int, order: list[int]) -> list[Point]:
        factor = a * pow(c, -1, N) % N
        return [times(factor, points[place]) for place in order]

    def lock(self, points: list[Point], a: int, slots: list[int]) -> list[Point]:
        return [times(d * pow(a, -1, N) % N, point) for d, point in zip(slots, points, strict=True)]
