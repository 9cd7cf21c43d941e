"""The steps of a pass: which scalar each of them removes and applies, in which order of points."""

from __future__ import annotations

import pytest

from lanuno.dealing.errors import Misuse, PointError
from lanuno.dealing.group import card_points, multiply, multiply_all, multiply_each, public_key
from lanuno.dealing.passes import common_step, lock_step, mask_step

CARDS = card_points(108)[:4]
OTHERS = 987_654_321
"""The product of the other seats' scalars: a step leaves it as it is."""
OFF_CURVE = b"\x02" + (5).to_bytes(32, "big")
COMMON, MASK = 11, 13
OLD, SLOTS = (5, 7), (17, 19, 23, 29)
ORDER = (2, 0, 3, 1)


def by_others(*factors: int) -> tuple[bytes, ...]:
    """Return the cards as the other seats left them, with these scalars of this seat."""
    return multiply_all(multiply_each(CARDS, OTHERS), factors)


def test_the_common_step_gives_public_cards_and_locked_slots_one_scalar() -> None:
    """The locked slots end the list; their old scalars are undone."""
    step = common_step(by_others(1, 1, *OLD), COMMON, OLD)
    assert step.points == by_others(*[COMMON] * 4)
    assert step.keys == (public_key(COMMON),)


def test_the_common_step_of_locked_slots_alone() -> None:
    step = common_step(by_others(*SLOTS), COMMON, SLOTS)
    assert step.points == by_others(*[COMMON] * 4)


def test_there_are_not_more_locked_slots_than_points() -> None:
    with pytest.raises(Misuse, match="more locked slots than points"):
        common_step(CARDS[:1], COMMON, OLD)


def test_the_mask_step_permutes_and_replaces_the_common_scalar() -> None:
    step = mask_step(by_others(*[COMMON] * 4), MASK, ORDER, COMMON)
    masked = by_others(*[MASK] * 4)
    assert step.points == tuple(masked[place] for place in ORDER)
    assert step.keys == (public_key(MASK),)


def test_a_mask_step_without_a_common_step_undoes_nothing() -> None:
    step = mask_step(CARDS, MASK, (0, 1, 2, 3))
    assert step.points == multiply_each(CARDS, MASK)


def test_the_lock_step_replaces_the_mask_by_a_scalar_for_each_slot() -> None:
    step = lock_step(by_others(*[MASK] * 4), MASK, SLOTS)
    assert step.points == by_others(*SLOTS)
    assert step.keys == tuple(public_key(scalar) for scalar in SLOTS)


def test_three_steps_leave_one_slot_scalar_on_each_card() -> None:
    """With it, and without the other seats' scalars, each slot opens to its card."""
    common = common_step(by_others(1, 1, *OLD), COMMON, OLD)
    mask = mask_step(common.points, MASK, ORDER, COMMON)
    lock = lock_step(mask.points, MASK, SLOTS)
    assert lock.points == tuple(
        multiply(CARDS[card], OTHERS * scalar) for card, scalar in zip(ORDER, SLOTS, strict=True)
    )


@pytest.mark.parametrize("place", range(4))
def test_a_point_off_the_curve_is_an_error_in_every_step(place: int) -> None:
    points = [*CARDS[:place], OFF_CURVE, *CARDS[place + 1 :]]
    with pytest.raises(PointError):
        common_step(points, COMMON, OLD)
    with pytest.raises(PointError):
        mask_step(points, MASK, ORDER)
    with pytest.raises(PointError):
        lock_step(points, MASK, SLOTS)
