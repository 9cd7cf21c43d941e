"""The group: agreement with coincurve's classes, card points, scalars, lists from other nodes."""

from __future__ import annotations

import pytest
from coincurve import PublicKey
from hypothesis import given
from hypothesis import strategies as st

from lanuno.dealing import curve
from lanuno.dealing.errors import Misuse, PointError, ScalarError
from lanuno.dealing.group import (
    FIELD,
    ORDER,
    Flaw,
    card_numbers,
    card_points,
    check_points,
    inverse,
    multiply,
    multiply_all,
    multiply_each,
    off_curve,
    pack,
    parse_scalar,
    product,
    public_key,
    public_keys,
    scalar_bytes,
    unpack,
    wide_scalars,
)

scalars = st.integers(1, ORDER - 1)

GENERATOR = bytes.fromhex("0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798")
OFF_CURVE = b"\x02" + (5).to_bytes(32, "big")
NOT_POINTS = [
    b"",
    b"\x00",
    bytes(33),  # the neutral element has no encoding of this length
    b"\x00" * 32 + b"\x01",
    b"\x04" + GENERATOR[1:],
    b"\x05" + GENERATOR[1:],
    GENERATOR[:-1],
    GENERATOR + b"\x00",
    PublicKey(GENERATOR).format(compressed=False),
    b"\x02" + FIELD.to_bytes(32, "big"),
    b"\x02" + (FIELD + 1).to_bytes(32, "big"),
    b"\x03" + b"\xff" * 32,
]


@given(scalars, scalars)
def test_results_are_those_of_the_library_classes(one: int, other: int) -> None:
    point = PublicKey.from_valid_secret(scalar_bytes(one)).format()
    assert public_key(one) == point
    assert multiply(point, other) == PublicKey(point).multiply(scalar_bytes(other)).format()
    assert multiply(point, inverse(one)) == GENERATOR
    assert multiply_all((point, GENERATOR), (other, one)) == (
        multiply(point, other),
        multiply(GENERATOR, one),
    )
    assert multiply_each((point, GENERATOR), other) == (
        multiply(point, other),
        public_key(other),
    )
    assert public_keys((one, other)) == (public_key(one), public_key(other))


@given(st.lists(scalars, max_size=4))
def test_product_and_inverse(factors: list[int]) -> None:
    whole = product(factors)
    assert product([whole, *(inverse(each) for each in factors)]) == 1
    assert multiply(GENERATOR, whole) == public_key(whole)


@pytest.mark.parametrize("data", NOT_POINTS)
def test_bytes_that_are_no_point_are_refused_everywhere(data: bytes) -> None:
    assert not curve.is_point(data)
    with pytest.raises(PointError):
        multiply(data, 2)
    with pytest.raises(PointError):
        multiply_all((GENERATOR, data), (2, 3))
    assert check_points((data,), 1) is Flaw.ENCODING
    assert off_curve((GENERATOR, data)) == 1


def test_a_point_off_the_curve_is_found_when_it_is_decoded() -> None:
    assert check_points((OFF_CURVE,), 1) is None
    assert off_curve((GENERATOR, OFF_CURVE)) == 1
    assert off_curve((GENERATOR,)) is None
    with pytest.raises(PointError):
        multiply_each((OFF_CURVE,), 2)


@pytest.mark.parametrize(
    "scalar", [b"", bytes(32), ORDER.to_bytes(32, "big"), b"\xff" * 32, bytes(31) + b"\x01\x00"]
)
def test_scalars_out_of_range_are_refused_everywhere(scalar: bytes) -> None:
    with pytest.raises(ScalarError):
        parse_scalar(scalar)
    with pytest.raises(ScalarError):
        curve.multiply_pairs([(GENERATOR, scalar)])
    with pytest.raises(ScalarError):
        curve.multiply_generator([scalar])


@given(scalars)
def test_scalars_come_back(scalar: int) -> None:
    assert parse_scalar(scalar_bytes(scalar)) == scalar


def test_wide_scalars() -> None:
    assert wide_scalars(b"") == ()
    assert wide_scalars(bytes(48)) == (1,)
    assert wide_scalars((ORDER - 2).to_bytes(48, "big")) == (ORDER - 1,)
    assert wide_scalars((ORDER - 1).to_bytes(48, "big")) == (1,)
    assert wide_scalars(bytes(47) + b"\x05" + bytes(47) + b"\x06") == (6, 7)
    with pytest.raises(Misuse):
        wide_scalars(bytes(47))


def test_one_scalar_for_each_point() -> None:
    with pytest.raises(Misuse):
        multiply_all((GENERATOR,), (1, 2))


def test_lists_are_checked_for_count_encoding_and_repetition() -> None:
    points = card_points(108)
    assert check_points(points, 108) is None
    assert check_points(points, 107) is Flaw.COUNT
    assert check_points((), 0) is None
    assert check_points((*points[:5], points[3]), 6) is Flaw.DUPLICATE
    # 27 bytes of ones need the slow comparison, and may be valid.
    innocent = b"\x02" + (FIELD - 1).to_bytes(32, "big")
    assert check_points((innocent,), 1) is None
    across = (b"\x02" + b"\x01" * 5 + b"\xff" * 27, b"\x03" + b"\x01" * 32)
    assert check_points(across, 2) is None


def test_lists_are_packed_strictly() -> None:
    points = card_points(108)[:3]
    assert unpack(pack(points), 3) == points
    assert unpack(b"", 0) == ()
    for count in (2, 4):
        with pytest.raises(PointError):
            unpack(pack(points), count)
    with pytest.raises(PointError):
        unpack(pack(points) + b"\x02", 3)


@pytest.mark.parametrize("deck", [108, 112])
def test_card_points_are_distinct_points(deck: int) -> None:
    points = card_points(deck)
    assert check_points(points, deck) is None
    assert off_curve(points) is None
    assert {point[0] for point in points} == {2}
    assert [card_numbers(deck)[point] for point in points] == list(range(deck))
    assert not set(points) & set(card_points(220 - deck))


@pytest.mark.parametrize("deck", [0, -1, 257])
def test_decks_are_bounded(deck: int) -> None:
    with pytest.raises(Misuse):
        card_points(deck)
