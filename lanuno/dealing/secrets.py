"""The secrets of one seat in a round, all derived from two seeds, and the commitments to them.

Rule: seeds are passed in, and neither repr nor an error ever shows them. Derivation is HKDF-SHA256
(RFC 5869, no salt) with info = frame(table, open, deal, label, index, input). `input` is the hash
of the whole input of a step: a seat that repeats a step gives the same answer, and on two different
lists it uses unrelated secrets. The host's term is never part of it, so a change of host changes no
card. Nothing here uses the curve of the cards.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final, NamedTuple

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF, HKDFExpand
from msgspec import Struct

from lanuno.dealing.errors import Misuse
from lanuno.dealing.group import WIDE_BYTES, wide_scalars
from lanuno.dealing.hashing import H, frame, u32
from lanuno.dealing.permutation import draw_permutation
from lanuno.dealing.sealing import box_public

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SEED_BYTES: Final = 32
NO_INPUT: Final = bytes(32)
"""The input of the keys that a seat commits to: no step precedes them."""

_WORDS_PER_CHUNK: Final = 128
"""Words of the permutation's stream per expansion; without rejections enough for any deck."""


class RoundContext(Struct, frozen=True):
    """The context to which every secret and commitment of a seat is bound."""

    table: bytes
    """The table id."""

    open_hash: bytes
    """The hash of the round's Open entry."""

    seat: int
    """Number of the seat."""

    identity: bytes
    """The seat's 32-byte public identity."""

    def commit(self, kind: str, value: bytes) -> bytes:
        """Return the commitment H(kind, table, open, seat, identity, value)."""
        return H(kind, self.table, self.open_hash, u32(self.seat), self.identity, value)


class Commitments(NamedTuple):
    """What a seat publishes before the first card: digests of its secrets and its two public keys.

    All are 32 bytes.
    """

    seed: bytes
    """Commitment to the round seed."""

    view: bytes
    """Commitment to the view seed."""

    boxes: tuple[bytes, ...]
    """X25519 keys to which shares are sealed: one for each seat that gives a share, in order."""

    view_key: bytes
    """X25519 key to which shown and swapped hands are sealed."""


class _Derivation:
    """HKDF from one seed: extracted once, expanded for every use."""

    __slots__ = ("_prefix", "_prk", "context", "seed")

    def __init__(self, seed: bytes, context: RoundContext) -> None:
        if len(seed) != SEED_BYTES:
            raise Misuse("a seed has 32 bytes")
        self.seed = seed
        self.context = context
        self._prk = HKDF.extract(SHA256(), None, seed)
        self._prefix = frame(context.table, context.open_hash)

    def expand(
        self,
        label: bytes,
        length: int,
        deal: int = 0,
        index: int = 0,
        step_input: bytes = NO_INPUT,
    ) -> bytes:
        info = self._prefix + frame(u32(deal), label, u32(index), step_input)
        return HKDFExpand(algorithm=SHA256(), length=length, info=info).derive(self._prk)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(seat {self.context.seat}, <secret>)"


class RoundSecrets(_Derivation):
    """All secrets that follow from a seat's round seed: escrowed, and revealed after the round."""

    __slots__ = ("_permutations", "_slots")

    def __init__(self, seed: bytes, context: RoundContext) -> None:
        """Derive from 32 secret bytes; `Misuse` if there are not 32."""
        super().__init__(seed, context)
        self._permutations: dict[tuple[int, int, bytes], tuple[int, ...]] = {}
        self._slots: dict[tuple[int, int, bytes], tuple[int, ...]] = {}

    def commitment(self) -> bytes:
        """Return the published commitment to the round seed."""
        return self.context.commit("commit-seed", self.seed)

    def mask_scalar(self, deal: int, step_input: bytes) -> int:
        """Return the scalar of this seat's mask step in a deal."""
        return wide_scalars(self.expand(b"mask", WIDE_BYTES, deal, step_input=step_input))[0]

    def common_scalar(self, deal: int, step_input: bytes) -> int:
        """Return the scalar that replaces this seat's slot scalars when locked slots go back."""
        return wide_scalars(self.expand(b"common", WIDE_BYTES, deal, step_input=step_input))[0]

    def permutation(self, deal: int, size: int, step_input: bytes) -> tuple[int, ...]:
        """Return this seat's permutation of a deal of `size` cards."""
        key = (deal, size, step_input)
        known = self._permutations.get(key)
        if known is None:
            words = self._words(deal, step_input)
            known = self._permutations[key] = draw_permutation(size, words)
        return known

    def slot_scalars(self, deal: int, size: int, step_input: bytes) -> tuple[int, ...]:
        """Return this seat's keys for all slots of a deal of `size` cards, from one expansion."""
        key = (deal, size, step_input)
        known = self._slots.get(key)
        if known is None:
            material = self.expand(b"slots", WIDE_BYTES * size, deal, step_input=step_input)
            known = self._slots[key] = wide_scalars(material)
        return known

    def _words(self, deal: int, step_input: bytes) -> Iterator[int]:
        """Yield big-endian u32 words: 128 from each expansion with index 0, 1, 2, …"""
        chunk = 0
        while True:
            length = 4 * _WORDS_PER_CHUNK
            material = self.expand(b"permutation", length, deal, chunk, step_input)
            yield from struct.unpack(f">{_WORDS_PER_CHUNK}I", material)
            chunk += 1


class ViewSecrets(_Derivation):
    """All secrets that follow from a seat's view seed: revealed after the round, never escrowed.

    These keys open all boxes sealed to a seat. The recovered round seed of a seat that has left
    therefore opens none of them.
    """

    __slots__ = ()

    def commitment(self) -> bytes:
        """Return the published commitment to the view seed."""
        return self.context.commit("commit-view", self.seed)

    @property
    def private_key(self) -> bytes:
        """The X25519 private key that opens hands shown or handed over to this seat."""
        return self.expand(b"view", 32)

    @property
    def public_key(self) -> bytes:
        """The published X25519 key to which shown and swapped hands are sealed."""
        return box_public(self.private_key)

    def box_private(self, giver: int) -> bytes:
        """Return the X25519 private key that opens the share of one giver.

        Each giver has a separate key: publishing one in a complaint opens no other share.
        """
        return self.expand(b"box", 32, index=giver)

    def box_key(self, giver: int) -> bytes:
        """Return the published X25519 key to which one giver seals its share."""
        return box_public(self.box_private(giver))


def commitments(
    secrets: RoundSecrets, view: ViewSecrets, givers: Iterable[int] = ()
) -> Commitments:
    """Return all commitments of a seat; its revealed seeds must reproduce them.

    `givers` are the seats that give this one a share of their seed.
    """
    return Commitments(
        seed=secrets.commitment(),
        view=view.commitment(),
        boxes=tuple([view.box_key(giver) for giver in givers]),
        view_key=view.public_key,
    )
