"""Ed25519 identities: signing, strict checking of public keys, and fingerprints for people.

Rule: an identity only signs. Keys are neither generated nor stored here: callers pass in the 32
secret bytes. Checks return a bool, so bytes from outside never raise.
"""

from __future__ import annotations

from base64 import b32encode
from functools import lru_cache
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from lanuno.dealing.errors import Misuse
from lanuno.dealing.hashing import H

PUBLIC_BYTES: Final = 32
SEED_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64

# Edwards25519, RFC 8032 section 5.1: -x^2 + y^2 = 1 + d*x^2*y^2 over the field of P elements.
_P: Final = 2**255 - 19
_D: Final = -121665 * pow(121666, -1, _P) % _P
_ORDER_8_Y: Final = int.from_bytes(
    bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little"
)
_SMALL_ORDER_Y: Final = frozenset({0, 1, _P - 1, _ORDER_8_Y, _P - _ORDER_8_Y})
"""The y of all eight points of order 1, 2, 4 and 8. They are refused with either sign of x."""

_RECENT_COUNT: Final = 128
"""Number of good signatures in a full cache set. There are two sets, so at most twice as many
signatures are cached."""


class _RecentSignatures:
    """A cache of signatures that were made here or verified recently.

    A host accepts a body, forwards it in an entry, and each seat of its node follows that entry.
    Without the cache the same two signatures would be verified once for each seat, which is most
    of the cost of an entry. Only good signatures are cached, so nobody fills the cache without a
    key. Two sets alternate, so threads need no lock; at worst a signature is forgotten early.
    """

    __slots__ = ("_newer", "_older")

    def __init__(self) -> None:
        self._newer: set[tuple[bytes, bytes, bytes]] = set()
        self._older: set[tuple[bytes, bytes, bytes]] = set()

    def add(self, signed: tuple[bytes, bytes, bytes]) -> None:
        if len(self._newer) >= _RECENT_COUNT:
            self._older, self._newer = self._newer, set()
        self._newer.add(signed)

    def __contains__(self, signed: tuple[bytes, bytes, bytes]) -> bool:
        return signed in self._newer or signed in self._older


_recent: Final = _RecentSignatures()


class Identity:
    """The private Ed25519 key with which one profile signs."""

    __slots__ = ("_private", "public")

    public: bytes
    """The 32-byte public key by which other nodes know this profile."""

    def __init__(self, private: Ed25519PrivateKey) -> None:
        """Wrap a private key."""
        self._private = private
        self.public = private.public_key().public_bytes_raw()

    @classmethod
    def from_seed(cls, seed: bytes) -> Identity:
        """Create the identity of 32 secret bytes (RFC 8032's private key); `Misuse` if not 32."""
        if len(seed) != SEED_BYTES:
            raise Misuse("an identity seed has 32 bytes")
        return cls(Ed25519PrivateKey.from_private_bytes(seed))

    def sign(self, message: bytes) -> bytes:
        """Sign exactly these bytes and return a deterministic 64-byte RFC 8032 signature."""
        signature = self._private.sign(message)
        _recent.add((self.public, signature, message))
        return signature

    def __repr__(self) -> str:
        return f"Identity({fingerprint(self.public)})"


@lru_cache(maxsize=1024)
def check_public(public: bytes) -> bool:
    """Whether 32 bytes are an acceptable identity.

    Refused are: another length, a y that is not below p (a second encoding of a point), a y without
    a point, and the eight points of small order, for which one signature fits many messages.
    """
    if len(public) != PUBLIC_BYTES:
        return False
    y = int.from_bytes(public, "little") & (2**255 - 1)
    if y >= _P or y in _SMALL_ORDER_Y:
        return False
    # x^2 = u/v has a root iff u*v is a square (Euler); u*v is not zero once y is not +-1.
    u, v = y * y - 1, _D * y * y + 1
    return pow(u * v, (_P - 1) // 2, _P) == 1


def verify(public: bytes, signature: bytes, message: bytes) -> bool:
    """Whether an acceptable `public` key made `signature` over exactly `message`.

    `message` should be a hash, because good signatures are cached with their message.
    """
    if (public, signature, message) in _recent:
        return True
    if len(signature) != SIGNATURE_BYTES or not check_public(public):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except InvalidSignature:
        return False
    _recent.add((public, signature, message))
    return True


def fingerprint(public: bytes) -> str:
    """Return a key's short name for people, adverts and links: 32 base32 characters (160 bits)."""
    return b32encode(H("fingerprint", public)[:20]).decode("ascii").lower()
