"""The framing of `H` is unambiguous, and its bytes are as specified."""

from __future__ import annotations

from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from lanuno.dealing.hashing import H, frame, u32


def test_bytes_are_as_specified() -> None:
    expected = sha256(b"lanuno/1/card\x00" + b"\x00\x00\x00\x02ab" + b"\x00\x00\x00\x00").digest()
    assert H("card", b"ab", b"") == expected
    assert H("card") == sha256(b"lanuno/1/card\x00").digest()
    assert u32(258) == b"\x00\x00\x01\x02"


@given(st.lists(st.binary(max_size=4)), st.lists(st.binary(max_size=4)))
def test_different_lists_never_share_a_frame(one: list[bytes], other: list[bytes]) -> None:
    assert (frame(*one) == frame(*other)) == (one == other)


def test_another_kind_or_another_part_gives_another_hash() -> None:
    assert H("a", b"x") != H("b", b"x")
    assert H("a", b"x", b"") != H("a", b"x")
