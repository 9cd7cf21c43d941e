"""The three steps that a seat applies to a list of points: common, mask, lock.

Rule: algebra only. Points and scalars go in and one frozen step comes out; `deal.py` decides whose
turn it is and which steps are accepted. Let the point C be a card. While a deal is under way, every
point is (product of one scalar of each seat)·C. Each step changes the factor of its own seat:

    common   slot scalar e_x of an earlier deal (none on public cards)  ->  common scalar c
    mask     common scalar c (none without locked slots)                ->  mask scalar a, permuted
    lock     mask scalar a                                              ->  slot scalar d_j

A permutation stays hidden only if all points have the same scalar. A single card can be opened only
if each slot has its own scalar. The steps therefore exchange one for the other and back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from lanuno.dealing.errors import Misuse
from lanuno.dealing.group import ORDER, inverse, multiply_all, multiply_each, public_keys
from lanuno.dealing.permutation import permute

if TYPE_CHECKING:
    from collections.abc import Sequence


class PassStep(Struct, frozen=True):
    """What one seat publishes at its turn in a deal."""

    points: tuple[bytes, ...]
    """The list after this seat: after a mask in the seat's secret order, else in the same order."""

    keys: tuple[bytes, ...]
    """The public keys of the scalars: c·G of a common step, a·G of a mask; of a lock d·G for every
    slot, against which a released key is checked."""


def common_step(points: Sequence[bytes], common: int, old_scalars: Sequence[int]) -> PassStep:
    """Replace this seat's scalars on the locked slots, which end the list, by one common scalar.

    The points in front of them are public cards, without a scalar of this seat. Raises `Misuse` for
    more scalars than points, and `PointError` for a point off the curve.
    """
    public_cards = len(points) - len(old_scalars)
    if public_cards < 0:
        raise Misuse("more locked slots than points")
    factors = [common] * public_cards + [inverse(old) * common % ORDER for old in old_scalars]
    return PassStep(multiply_all(points, factors), public_keys((common,)))


def mask_step(
    points: Sequence[bytes], mask: int, order: Sequence[int], common: int = 1
) -> PassStep:
    """Permute the points and multiply them by the mask scalar, undoing any common scalar.

    Raises `PointError` for a point off the curve.
    """
    factor = inverse(common) * mask % ORDER
    return PassStep(multiply_each(permute(points, order), factor), public_keys((mask,)))


def lock_step(points: Sequence[bytes], mask: int, scalars: Sequence[int]) -> PassStep:
    """Replace the mask scalar by one scalar per slot; `PointError` for a point off the curve."""
    unmask = inverse(mask)
    factors = [unmask * scalar % ORDER for scalar in scalars]
    return PassStep(multiply_all(points, factors), public_keys(scalars))
