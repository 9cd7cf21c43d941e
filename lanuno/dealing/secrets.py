"""What one seat keeps secret in a round, all derived from two seeds, and the commitments to them.

Law: seeds are passed in and never leave through repr or an error. Derivation is HKDF-SHA256
(RFC 5869, no salt) with info = frame(table, open, deal, label, index); the host's term is never
part of it, so that a change of host changes no card. Nothing here touches the curve of the cards.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF, HKDFExpand

from lanuno.dealing.errors import Misuse
from lanuno.dealing.group import WIDE_BYTES, wide_scalars
from lanuno.dealing.hashing import H, frame, u32
from lanuno.dealing.permutation import permutation
from lanuno.dealing.sealing import box_public

if TYPE_CHECKING:
    from collections.abc import Iterator

SEED_BYTES: Final = 32
_WORDS_A_CHUNK: Final = 128
"""Words of the permutation's stream derived at once: enough for any deck without rejections."""


@dataclass(frozen=True, slots=True)
class RoundContext:
    """What every secret and commitment of a seat is bound to."""

    table: bytes
    """The table id."""

    open: bytes
    """The hash of the round's Open entry."""

    seat: int
    """The seat."""

    identity: bytes
    """The seat's 32-byte public identity."""

    def commit(self, kind: str, value: bytes) -> bytes:
        """The commitment H(kind, table, open, seat, identity, value)."""
        return H(kind, self.table, self.open, u32(self.seat), self.identity, value)


@dataclass(frozen=True, slots=True)
class Commitments:
    """What a seat publishes before the first card: digests of its secrets and its two public keys.

    All are 32 bytes.
    """

    seed: bytes
    """Commitment to the round seed."""

    view: bytes
    """Commitment to the view seed."""

    coin: bytes
    """Commitment to this seat's part of the joint coin."""

    box_key: bytes
    """X25519 key that shares of others are sealed to."""

    view_key: bytes
    """X25519 key that shown and swapped hands are sealed to."""


class _Derivation:
    """HKDF from one seed: extracted once, expanded for each use."""

    __slots__ = ("_prefix", "_prk", "context", "seed")

    def __init__(self, seed: bytes, context: RoundContext) -> None:
        if len(seed) != SEED_BYTES:
            raise Misuse("a seed has 32 bytes")
        self.seed = seed
        self.context = context
        self._prk = HKDF.extract(SHA256(), None, seed)
        self._prefix = frame(context.table, context.open)

    def expand(self, label: bytes, length: int, deal: int = 0, index: int = 0) -> bytes:
        info = self._prefix + frame(u32(deal), label, u32(index))
        return HKDFExpand(algorithm=SHA256(), length=length, info=info).derive(self._prk)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(seat {self.context.seat}, <secret>)"


class RoundSecrets(_Derivation):
    """Everything that follows from a seat's round seed; escrowed, and revealed after the round."""

    __slots__ = ("_permutations", "_slots")

    def __init__(self, seed: bytes, context: RoundContext) -> None:
        """Derive from 32 secret bytes; `Misuse` if there are not 32."""
        super().__init__(seed, context)
        self._permutations: dict[tuple[int, int], tuple[int, ...]] = {}
        self._slots: dict[tuple[int, int], tuple[int, ...]] = {}

    def commitment(self) -> bytes:
        """The published commitment to the round seed."""
        return self.context.commit("commit-seed", self.seed)

    @property
    def coin(self) -> bytes:
        """This seat's 32 bytes of the joint coin; can be revealed without revealing the seed."""
        return self.expand(b"coin", 32)

    def coin_commitment(self) -> bytes:
        """The published commitment to the coin."""
        return self.context.commit("commit-coin", self.coin)

    @property
    def box_private(self) -> bytes:
        """The X25519 private key that opens shares sealed to this seat."""
        return self.expand(b"box", 32)

    @property
    def box_key(self) -> bytes:
        """The published X25519 key that shares are sealed to."""
        return box_public(self.box_private)

    def mask_scalar(self, deal: int) -> int:
        """The one scalar of this seat's mask of a deal."""
        return wide_scalars(self.expand(b"mask", WIDE_BYTES, deal))[0]

    def common_scalar(self, deal: int) -> int:
        """The scalar that replaces this seat's slot scalars when locked slots go back."""
        return wide_scalars(self.expand(b"common", WIDE_BYTES, deal))[0]

    def permutation(self, deal: int, size: int) -> tuple[int, ...]:
        """This seat's permutation of a deal of `size` cards."""
        key = (deal, size)
        known = self._permutations.get(key)
        if known is None:
            known = self._permutations[key] = permutation(size, self._words(deal))
        return known

    def slot_scalars(self, deal: int, size: int) -> tuple[int, ...]:
        """This seat's key for every slot of a deal of `size` cards, from one long expansion."""
        key = (deal, size)
        known = self._slots.get(key)
        if known is None:
            material = self.expand(b"slots", WIDE_BYTES * size, deal)
            known = self._slots[key] = wide_scalars(material)
        return known

    def _words(self, deal: int) -> Iterator[int]:
        """Big-endian u32 words: 128 from each expansion with index 0, 1, 2, …"""
        chunk = 0
        while True:
            material = self.expand(b"permutation", 4 * _WORDS_A_CHUNK, deal, chunk)
            yield from struct.unpack(f">{_WORDS_A_CHUNK}I", material)
            chunk += 1


class ViewSecrets(_Derivation):
    """What follows from a seat's view seed; revealed after the round but never escrowed."""

    __slots__ = ()

    def commitment(self) -> bytes:
        """The published commitment to the view seed."""
        return self.context.commit("commit-view", self.seed)

    @property
    def private_key(self) -> bytes:
        """The X25519 private key that opens hands shown or given to this seat."""
        return self.expand(b"view", 32)

    @property
    def public_key(self) -> bytes:
        """The published X25519 key that shown and swapped hands are sealed to."""
        return box_public(self.private_key)


def commitments(secrets: RoundSecrets, view: ViewSecrets) -> Commitments:
    """All that a seat commits to: also what its revealed seeds must reproduce."""
    return Commitments(
        seed=secrets.commitment(),
        view=view.commitment(),
        coin=secrets.coin_commitment(),
        box_key=secrets.box_key,
        view_key=view.public_key,
    )
