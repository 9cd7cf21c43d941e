"""Boxes, sealed to one key with HPKE (RFC 9180, base mode): X25519, HKDF-SHA256, ChaCha20-Poly1305.

Rule: every fault of a box or a key raises `SealError`. A box does not prove who sealed it; the
signed body that carries the box does. The library generates the ephemeral key itself.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite

from lanuno.dealing.errors import SealError
from lanuno.dealing.hashing import frame, u32

KEY_BYTES: Final = 32

Seal = Callable[[bytes, bytes, bytes], bytes]
"""The type of `seal`. Each call returns another box, so a replay needs the recorded ones."""

_SUITE: Final = Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.CHACHA20_POLY1305)
_PRIME: Final = 2**255 - 19
_PROBE: Final = X25519PrivateKey.from_private_bytes(b"\x01" * KEY_BYTES)
"""Any private key works: its product with a point of small order is always zero."""


def seal_info(table: bytes, open_hash: bytes, sender: int, receiver: int, purpose: str) -> bytes:
    """Return the HPKE info that binds a box to its table, round (Open hash), seats and use."""
    return frame(table, open_hash, u32(sender), u32(receiver), purpose.encode("ascii"))


def box_public(private: bytes) -> bytes:
    """Return the X25519 public key of 32 private bytes; `SealError` if there are not 32.

    This also checks a published private key against its public key.
    """
    return _private(private).public_key().public_bytes_raw()


@lru_cache(maxsize=1024)
def check_box_public(public: bytes) -> bool:
    """Whether 32 bytes are a safe key to seal to.

    Refused are: another length, a u that is not below p (a second encoding), and points of small
    order, for which the shared secret is public.
    """
    if len(public) != KEY_BYTES or int.from_bytes(public, "little") >= _PRIME:
        return False
    try:
        _PROBE.exchange(X25519PublicKey.from_public_bytes(public))
    except ValueError:
        return False
    return True


def seal(plaintext: bytes, recipient_public: bytes, info: bytes) -> bytes:
    """Seal to a public key: ephemeral key, then ciphertext and tag. `SealError` for a bad key."""
    if not check_box_public(recipient_public):
        raise SealError("not a key to seal to")
    return _SUITE.encrypt(plaintext, X25519PublicKey.from_public_bytes(recipient_public), info)


def unseal(ciphertext: bytes, private: bytes, info: bytes) -> bytes:
    """Open a box; `SealError` if it is malformed, altered, or made for another key or use."""
    try:
        return _SUITE.decrypt(ciphertext, _private(private), info)
    except InvalidTag:
        raise SealError("a box that does not open") from None


def _private(private: bytes) -> X25519PrivateKey:
    if len(private) != KEY_BYTES:
        raise SealError("not a private key")
    return X25519PrivateKey.from_private_bytes(private)
