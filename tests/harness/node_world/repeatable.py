"""Makes a simulated world repeatable, and faster.

Boxes are sealed with randomness derived from the seed. The results of pure arithmetic (checking a
signature, multiplying points) are cached per world, because ten nodes check the same entry and
every audit repeats the passes. The cache holds the real code's results for exactly these bytes, so
no check is weaker.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from random import Random
from unittest.mock import patch

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from lanuno.dealing import curve
from lanuno.dealing.errors import SealError
from lanuno.dealing.hashing import H
from tests.harness.log_table.boxes import SEALING


@contextmanager
def repeatable(seed: int) -> Iterator[None]:
    """Derive everything random from a seed, and cache arithmetic."""
    with ExitStack() as patches:
        patches.enter_context(sealing_from(seed))
        patches.enter_context(arithmetic_once())
        yield


@contextmanager
def sealing_from(seed: int) -> Iterator[None]:
    """Seal boxes with bytes derived from a seed; the library's own randomness is not repeatable.

    The boxes have the same layout (32 bytes of public key, the content, 16 bytes of tag) and are
    bound to the same info.
    """
    chance = Random(seed)

    def seal(plaintext: bytes, recipient: bytes, info: bytes) -> bytes:
        once = chance.randbytes(32)
        key = H("simulated-seal", once, recipient, info)
        return once + ChaCha20Poly1305(key).encrypt(bytes(12), plaintext, info)

    def unseal(sealed: bytes, private: bytes, info: bytes) -> bytes:
        public = X25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw()
        key = H("simulated-seal", sealed[:32], public, info)
        try:
            return ChaCha20Poly1305(key).decrypt(bytes(12), sealed[32:], info)
        except Exception:  # noqa: BLE001 - whatever does not open is no box
            raise SealError("the box does not open") from None

    places = {
        "seal": (
            *SEALING,
            "lanuno.table.trace",
            "lanuno.table.trace_replay",
        ),
        "unseal": (
            "lanuno.table.replica.hand_keys",
            "lanuno.log.round.round_record",
            "lanuno.log.round.round_audit",
        ),
    }
    with ExitStack() as patches:
        for name, made in (("seal", seal), ("unseal", unseal)):
            for place in ("lanuno.dealing.sealing", *places[name]):
                patches.enter_context(patch(f"{place}.{name}", made))
        yield


class _Remembering:
    """A public key with cached verifications."""

    answers: dict[tuple[bytes, bytes, bytes], bool]

    def __init__(self, public: bytes) -> None:
        self._public = public

    @classmethod
    def from_public_bytes(cls, public: bytes) -> _Remembering:
        return cls(public)

    def verify(self, signature: bytes, message: bytes) -> None:
        question = (self._public, signature, message)
        right = self.answers.get(question)
        if right is None:
            try:
                Ed25519PublicKey.from_public_bytes(self._public).verify(signature, message)
                right = True
            except InvalidSignature:
                right = False
            self.answers[question] = right
        if not right:
            raise InvalidSignature


@contextmanager
def arithmetic_once() -> Iterator[None]:
    """Cache the results of arithmetic."""
    products: dict[tuple[bytes, bytes], bytes] = {}
    keys: dict[bytes, bytes] = {}

    def multiply_pairs(pairs: Iterable[tuple[bytes, bytes]]) -> tuple[bytes, ...]:
        wanted = list(pairs)
        new = [pair for pair in dict.fromkeys(wanted) if pair not in products]
        products.update(zip(new, curve.multiply_pairs(new), strict=True))
        return tuple([products[pair] for pair in wanted])

    def multiply_generator(scalars: Iterable[bytes]) -> tuple[bytes, ...]:
        wanted = list(scalars)
        new = [scalar for scalar in dict.fromkeys(wanted) if scalar not in keys]
        keys.update(zip(new, curve.multiply_generator(new), strict=True))
        return tuple([keys[scalar] for scalar in wanted])

    answers: dict[tuple[bytes, bytes, bytes], bool] = {}
    remembering = type("Remembering", (_Remembering,), {"answers": answers})
    with ExitStack() as patches:
        for name, made in (
            ("lanuno.dealing.group.multiply_pairs", multiply_pairs),
            ("lanuno.dealing.group.multiply_generator", multiply_generator),
            ("lanuno.dealing.identity.Ed25519PublicKey", remembering),
        ):
            patches.enter_context(patch(name, made))
        yield
