"""A box opens for one key and one use, and every fault of it raises the same error."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanuno.dealing.errors import SealError
from lanuno.dealing.sealing import (
    box_public,
    check_box_public,
    seal,
    seal_info,
    unseal,
)
from tests.dealing.players import OPEN, TABLE
from tests.harness.log_table import boxes

PRIVATE = b"\x11" * 32
PUBLIC = box_public(PRIVATE)
INFO = seal_info(TABLE, OPEN, 1, 2, "share")
PRIME = 2**255 - 19
ORDER_8 = 325606250916557431795983626356110631294008115727848805560023387167927233504

SMALL_ORDER = [0, 1, PRIME - 1, ORDER_8]
NO_KEYS = [
    b"",
    PUBLIC[:-1],
    PUBLIC + b"\x00",
    PUBLIC[:-1] + bytes([PUBLIC[-1] | 0x80]),
    *(u.to_bytes(32, "little") for u in SMALL_ORDER),
    *(u.to_bytes(32, "little") for u in range(PRIME, 2**255)),
    b"\xff" * 32,
]


@given(st.binary(max_size=300), st.binary(max_size=40))
def test_boxes_of_a_second_implementation_can_be_opened(content: bytes, info: bytes) -> None:
    box = boxes.seal(content, PUBLIC, info)
    assert unseal(box, PRIVATE, info) == content
    assert box == boxes.seal(content, PUBLIC, info)
    assert box != seal(content, PUBLIC, info)


@given(st.binary(max_size=300))
def test_a_box_opens(content: bytes) -> None:
    box = seal(content, PUBLIC, INFO)
    assert len(box) == len(content) + 32 + 16  # the ephemeral key, and the tag
    assert unseal(box, PRIVATE, INFO) == content


def test_two_boxes_of_one_content_differ() -> None:
    assert seal(b"same", PUBLIC, INFO) != seal(b"same", PUBLIC, INFO)


@pytest.mark.parametrize(
    "info",
    [
        b"",
        seal_info(OPEN, TABLE, 1, 2, "share"),
        seal_info(TABLE, OPEN, 2, 1, "share"),
        seal_info(TABLE, OPEN, 1, 3, "share"),
        seal_info(TABLE, OPEN, 1, 2, "hand"),
    ],
)
def test_a_box_is_bound_to_its_use(info: bytes) -> None:
    with pytest.raises(SealError):
        unseal(seal(b"content", PUBLIC, INFO), PRIVATE, info)


def test_a_box_for_another_seat_does_not_open() -> None:
    with pytest.raises(SealError):
        unseal(seal(b"content", PUBLIC, INFO), b"\x12" * 32, INFO)


def test_every_altered_byte_and_every_cut_is_seen() -> None:
    box = seal(b"content", PUBLIC, INFO)
    for place in range(len(box)):
        altered = bytearray(box)
        altered[place] ^= 0x01
        with pytest.raises(SealError):
            unseal(bytes(altered), PRIVATE, INFO)
        with pytest.raises(SealError):
            unseal(box[:place], PRIVATE, INFO)
    with pytest.raises(SealError):
        unseal(box + b"\x00", PRIVATE, INFO)


@pytest.mark.parametrize("u", SMALL_ORDER)
def test_a_box_with_an_ephemeral_key_of_small_order_does_not_open(u: int) -> None:
    with pytest.raises(SealError):
        unseal(u.to_bytes(32, "little") + bytes(40), PRIVATE, INFO)


@pytest.mark.parametrize("public", NO_KEYS)
def test_nobody_seals_to_a_bad_key(public: bytes) -> None:
    assert not check_box_public(public)
    with pytest.raises(SealError):
        seal(b"content", public, INFO)


def test_good_keys_are_accepted() -> None:
    assert check_box_public(PUBLIC)
    assert check_box_public((9).to_bytes(32, "little"))


@pytest.mark.parametrize("private", [b"", PRIVATE[:-1], PRIVATE + b"\x00"])
def test_private_keys_have_one_length(private: bytes) -> None:
    with pytest.raises(SealError):
        box_public(private)
    with pytest.raises(SealError):
        unseal(seal(b"content", PUBLIC, INFO), private, INFO)


@given(st.binary(max_size=200))
def test_no_bytes_raise_anything_else(box: bytes) -> None:
    with pytest.raises(SealError):
        unseal(box, PRIVATE, INFO)
