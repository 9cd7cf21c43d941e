"""Shares of a round seed, with which the other owners together can replace a seat that left.

Rule: the shares are a function of the seed, so a revealed seed proves or disproves every share.
Fewer than all shares reveal nothing about the seed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lanuno.dealing.errors import Misuse, ShareError
from lanuno.dealing.hashing import H, u32
from lanuno.dealing.secrets import SEED_BYTES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanuno.dealing.secrets import RoundContext, RoundSecrets

SHARE_BYTES: Final = SEED_BYTES


def split(
    secrets: RoundSecrets, to_seats: Sequence[int], box_keys: Sequence[bytes]
) -> tuple[bytes, ...]:
    """Return one share for each seat of `to_seats`, in the same order; their XOR is the seed.

    All but the last are derived from the seed, with the label "share", the receiving seat as the
    index, and as input the hash of all receivers with the box keys to which their shares are
    sealed. The last share is the XOR of the seed and the others. Raises `Misuse` for fewer than two
    receivers (a single share would be the seed itself) or for the same receiver twice.
    """
    if len(to_seats) < 2 or len(set(to_seats)) != len(to_seats):
        raise Misuse("a seed is split among two or more different seats")
    receivers = zip(to_seats, box_keys, strict=True)
    step_input = H("receivers", *[u32(seat) + key for seat, key in receivers])
    shares = [
        secrets.expand(b"share", SHARE_BYTES, index=seat, step_input=step_input)
        for seat in to_seats[:-1]
    ]
    return (*shares, _xor([secrets.seed, *shares]))


def share_hash(share: bytes, context: RoundContext, to_seat: int) -> bytes:
    """Return the hash that the splitting seat (`context`) publishes of `to_seat`'s share."""
    return context.commit("share", u32(to_seat) + share)


def check_share(share: bytes, published: bytes, context: RoundContext, to_seat: int) -> bool:
    """Whether the share that `to_seat` received is the one whose hash was published."""
    return len(share) == SHARE_BYTES and share_hash(share, context, to_seat) == published


def rebuild(shares: Sequence[bytes]) -> bytes:
    """Return the seed from all of its shares, in any order.

    Raises `ShareError` for fewer than two shares or a share of a wrong length. The caller must
    compare the seed with its commitment.
    """
    if len(shares) < 2 or any(len(share) != SHARE_BYTES for share in shares):
        raise ShareError("these are not the shares of a seed")
    return _xor(shares)


def _xor(values: Sequence[bytes]) -> bytes:
    result = 0
    for value in values:
        result ^= int.from_bytes(value, "big")
    return result.to_bytes(SHARE_BYTES, "big")
