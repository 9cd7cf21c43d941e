"""The loops over libsecp256k1: multiples of the generator, and errors for bad bytes."""

from __future__ import annotations

import pytest

from lanuno.dealing.curve import is_point, multiply_generator, multiply_pairs
from lanuno.dealing.errors import PointError, ScalarError
from lanuno.dealing.group import FIELD, ORDER, scalar_bytes

# Multiples 1, 2 and 3 of the generator of SEC 2.
ONE = bytes.fromhex("0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798")
TWO = bytes.fromhex("02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5")
THREE = bytes.fromhex("02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9")
OFF_CURVE = b"\x02" + (5).to_bytes(32, "big")
BAD_SCALARS = [b"", bytes(32), scalar_bytes(ORDER), b"\x01" * 31, b"\x00" + scalar_bytes(1)]


def test_multiples_of_the_generator_are_the_published_ones() -> None:
    """The result holds a copy for each scalar: the buffer that C writes to is used again."""
    assert multiply_generator(map(scalar_bytes, (1, 2, 3))) == (ONE, TWO, THREE)
    assert multiply_generator(map(scalar_bytes, (3, 1))) == (THREE, ONE)
    assert multiply_generator(()) == ()


def test_each_point_is_multiplied_by_its_own_scalar() -> None:
    pairs = [(ONE, 3), (TWO, 1), (ONE, 2)]
    assert multiply_pairs((point, scalar_bytes(scalar)) for point, scalar in pairs) == (
        THREE,
        TWO,
        TWO,
    )
    assert multiply_pairs(()) == ()


@pytest.mark.parametrize("point", [ONE, TWO, THREE])
def test_the_largest_scalar_mirrors_a_point(point: bytes) -> None:
    """(n-1)·P = -P, which has the same x and the other parity of y."""
    mirrored = bytes([point[0] ^ 1]) + point[1:]
    assert multiply_pairs([(point, scalar_bytes(ORDER - 1))]) == (mirrored,)
    assert is_point(mirrored)
    assert multiply_pairs([(mirrored, scalar_bytes(ORDER - 1))]) == (point,)


@pytest.mark.parametrize("scalar", BAD_SCALARS)
def test_a_bad_scalar_anywhere_in_a_list_is_a_scalar_error(scalar: bytes) -> None:
    with pytest.raises(ScalarError):
        multiply_pairs([(ONE, scalar_bytes(2)), (TWO, scalar)])
    with pytest.raises(ScalarError):
        multiply_generator([scalar_bytes(2), scalar])


@pytest.mark.parametrize("point", [b"", OFF_CURVE, ONE[:-1], ONE + b"\x00", b"\x04" + ONE[1:]])
def test_a_bad_point_is_a_point_error_whatever_its_scalar(point: bytes) -> None:
    for scalar in (scalar_bytes(2), bytes(32)):
        with pytest.raises(PointError):
            multiply_pairs([(ONE, scalar_bytes(2)), (point, scalar)])


def test_only_the_compressed_encoding_of_a_point_is_a_point() -> None:
    assert all(map(is_point, (ONE, TWO, THREE, b"\x03" + ONE[1:])))
    y = bytes.fromhex("483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8")
    wrong = [
        OFF_CURVE,
        ONE[1:],
        b"\x04" + ONE[1:] + y,  # uncompressed
        b"\x06" + ONE[1:] + y,  # hybrid
        b"\x00" + ONE[1:],
        b"\x02" + (FIELD + 1).to_bytes(32, "big"),  # x = 1 is on the curve, but has one encoding
    ]
    assert is_point(b"\x02" + (1).to_bytes(32, "big"))
    assert [is_point(data) for data in wrong] == [False] * len(wrong)
