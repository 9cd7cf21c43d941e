"""Identities sign, public keys are checked strictly, and no bytes from outside raise."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lanuno.dealing.identity as identity_module
from lanuno.dealing.errors import Misuse
from lanuno.dealing.identity import Identity, check_public, fingerprint, verify

P = 2**255 - 19
D = -121665 * pow(121666, -1, P) % P
SEED = bytes(range(32))

# RFC 8032, section 7.1, TEST 2.
RFC_SEED = bytes.fromhex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")
RFC_PUBLIC = bytes.fromhex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
RFC_SIGNATURE = bytes.fromhex(
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
    "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
)


def add(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    """Add affine Edwards points (RFC 8032, 5.1.4)."""
    (x1, y1), (x2, y2) = one, other
    product = D * x1 * x2 * y1 * y2 % P
    x = (x1 * y2 + x2 * y1) * pow(1 + product, -1, P) % P
    y = (y1 * y2 + x1 * x2) * pow(1 - product, -1, P) % P
    return x, y


def small_order_points() -> set[tuple[int, int]]:
    """Return the eight points whose order divides 8: the multiples of one point of order 8.

    (x, y) has order 8 if its double has order 4, that is y = 0. Then y^2 = -x^2, and the curve
    equation becomes d*y^4 + 2*y^2 - 1 = 0.
    """
    root = square_root((1 + D) % P)
    for candidate in ((-1 + root) * pow(D, -1, P) % P, (-1 - root) * pow(D, -1, P) % P):
        if pow(candidate, (P - 1) // 2, P) == 1:
            y = square_root(candidate)
            x = square_root(-candidate % P)
            points = {(0, 1)}
            point = (x, y)
            for _ in range(7):
                points.add(point)
                point = add(point, (x, y))
            assert point == (0, 1)
            return points
    raise AssertionError("no point of order 8")


def square_root(value: int) -> int:
    root = pow(value, (P + 3) // 8, P)
    if root * root % P != value:
        root = root * pow(2, (P - 1) // 4, P) % P
    assert root * root % P == value
    return root


def encode(y: int, sign: int) -> bytes:
    return (y | sign << 255).to_bytes(32, "little")


def test_a_known_signature() -> None:
    identity = Identity.from_seed(RFC_SEED)
    assert identity.public == RFC_PUBLIC
    assert identity.sign(b"\x72") == RFC_SIGNATURE
    assert verify(RFC_PUBLIC, RFC_SIGNATURE, b"\x72")


def test_anything_altered_does_not_verify() -> None:
    identity = Identity.from_seed(SEED)
    signature = identity.sign(b"message")
    assert verify(identity.public, signature, b"message")
    assert not verify(identity.public, signature, b"massage")
    assert not verify(identity.public, signature[:-1], b"message")
    assert not verify(identity.public, signature + b"\x00", b"message")
    assert not verify(Identity.from_seed(RFC_SEED).public, signature, b"message")
    for place in (0, 31, 32, 63):
        broken = bytearray(signature)
        broken[place] ^= 1
        assert not verify(identity.public, bytes(broken), b"message")


def test_a_second_signature_with_a_larger_s_is_refused() -> None:
    identity = Identity.from_seed(SEED)
    signature = identity.sign(b"message")
    order = 2**252 + 27742317777372353535851937790883648493
    s = int.from_bytes(signature[32:], "little") + order
    assert not verify(identity.public, signature[:32] + s.to_bytes(32, "little"), b"message")


def test_small_order_keys_are_refused() -> None:
    points = small_order_points()
    assert len(points) == 8
    for _, y in points:
        for sign in (0, 1):
            assert not check_public(encode(y, sign))
    forged = encode(1, 0) + bytes(32)
    assert not verify(encode(1, 0), forged, b"any message at all")


def test_second_encodings_are_refused() -> None:
    for y in range(P, 2**255):
        assert not check_public(encode(y, 0))
        assert not check_public(encode(y, 1))


def test_keys_off_the_curve_and_of_other_lengths_are_refused() -> None:
    on_curve = [y for y in range(2, 40) if check_public(encode(y, 0))]
    for y in on_curve:
        u, v = y * y - 1, D * y * y + 1
        square_root(u * pow(v, -1, P) % P)
    assert 10 < len(on_curve) < 30
    assert not check_public(b"")
    assert not check_public(Identity.from_seed(SEED).public + b"\x00")
    off = next(y for y in range(2, 40) if y not in on_curve)
    assert not verify(encode(off, 0), bytes(64), b"")


@given(st.binary(max_size=70), st.binary(max_size=70))
def test_no_bytes_raise(public: bytes, signature: bytes) -> None:
    check_public(public)
    assert not verify(public, signature, b"message")
    assert not verify(RFC_PUBLIC, signature.ljust(64, b"\x00")[:64], b"message")


def test_fingerprints() -> None:
    printed = fingerprint(RFC_PUBLIC)
    assert len(printed) == 32
    assert set(printed) <= set("abcdefghijklmnopqrstuvwxyz234567")
    assert printed != fingerprint(Identity.from_seed(SEED).public)


def test_the_seed_never_shows() -> None:
    identity = Identity.from_seed(SEED)
    assert repr(identity) == f"Identity({fingerprint(identity.public)})"
    assert SEED.hex() not in repr(identity)
    with pytest.raises(Misuse, match="32 bytes"):
        Identity.from_seed(b"short")


def test_the_cache_of_signatures_changes_no_answer() -> None:
    """The cache changes no answer, neither after many other signatures nor after good ones."""
    identity = Identity.from_seed(b"\x07" * 32)
    first = identity.sign(b"first")
    bad = bytes([first[0] ^ 1]) + first[1:]
    other = Identity.from_seed(b"\x08" * 32).public
    for number in range(1000):
        message = number.to_bytes(4, "big")
        signature = identity.sign(message)
        assert verify(identity.public, signature, message)
        assert not verify(identity.public, signature, message + b"\0")
    for _ in range(2):
        assert verify(identity.public, first, b"first")
        assert not verify(identity.public, bad, b"first")
        assert not verify(other, first, b"first")
        assert not verify(identity.public, first, b"second")


def test_only_the_last_good_signatures_are_remembered() -> None:
    """The cache keeps at least the last 128 and at most 256, however long a table plays."""
    recent = identity_module._RecentSignatures()
    signed = [(b"public", b"signature", number.to_bytes(4, "big")) for number in range(1_000)]
    for number, each in enumerate(signed):
        recent.add(each)
        assert each in recent
        known = sum(other in recent for other in signed)
        assert min(number + 1, 128) <= known <= 256
    assert all(each in recent for each in signed[-128:])
    assert not any(each in recent for each in signed[:-256])
