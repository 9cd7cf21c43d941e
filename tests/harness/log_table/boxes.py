"""A second implementation of RFC 9180 (base mode) whose boxes are deterministic.

The library chooses a random ephemeral key for each box, so that no two logs, and no two deals, are
equal. Here that key is derived from the content, the receiver and the purpose.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

KEM = b"KEM" + bytes.fromhex("0020")
"""X25519 with HKDF-SHA256."""
SUITE = b"HPKE" + bytes.fromhex("0020 0001 0003")
"""The KEM above, with HKDF-SHA256 and ChaCha20-Poly1305."""
VERSION = b"HPKE-v1"
BASE = b"\x00"
SEALING = (
    "lanuno.table.replica.seat_keys",
    "lanuno.table.replica.hand_keys",
    "tests.harness.adversaries.lies",
)
"""The modules in which a seat seals boxes."""


@contextmanager
def deterministic_boxes() -> Iterator[None]:
    """Let all seats seal in this way: the same seed gives the same cards in every run."""
    with ExitStack() as patches:
        for module in SEALING:
            patches.enter_context(patch(f"{module}.seal", seal))
        yield


def seal(plaintext: bytes, recipient_public: bytes, info: bytes) -> bytes:
    """Seal to a public key: ephemeral key, then ciphertext and tag."""
    chosen = hashlib.sha256(b"|".join((plaintext, recipient_public, info))).digest()
    private = X25519PrivateKey.from_private_bytes(chosen)
    ephemeral = private.public_key().public_bytes_raw()
    # Section 4.1, Encap.
    shared = private.exchange(X25519PublicKey.from_public_bytes(recipient_public))
    both = ephemeral + recipient_public
    secret = _expand(KEM, _extract(KEM, b"", b"eae_prk", shared), b"shared_secret", both, 32)
    # Section 5.1, KeySchedule; there is no pre-shared key.
    context = BASE + _extract(SUITE, b"", b"psk_id_hash", b"")
    context += _extract(SUITE, b"", b"info_hash", info)
    schedule = _extract(SUITE, secret, b"secret", b"")
    key = _expand(SUITE, schedule, b"key", context, 32)
    nonce = _expand(SUITE, schedule, b"base_nonce", context, 12)
    return ephemeral + ChaCha20Poly1305(key).encrypt(nonce, plaintext, None)


def _extract(suite: bytes, salt: bytes, label: bytes, content: bytes) -> bytes:
    """LabeledExtract (section 4): RFC 5869, 2.2."""
    return hmac.digest(salt or bytes(32), VERSION + suite + label + content, "sha256")


def _expand(suite: bytes, secret: bytes, label: bytes, info: bytes, size: int) -> bytes:
    """LabeledExpand (section 4): RFC 5869, 2.3, of which one block is enough."""
    labelled = size.to_bytes(2, "big") + VERSION + suite + label + info
    return hmac.digest(secret, labelled + b"\x01", "sha256")[:size]
