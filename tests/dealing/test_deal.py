"""The public state machine: order of steps, refused shapes, and the algebra of whole deals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from lanuno.dealing.deal import (
    Deal,
    DealFault,
    LockedSlot,
    StepKind,
    honest_step,
    packed,
    slot_scalars,
    take_step,
)
from lanuno.dealing.errors import Misuse, PointError
from lanuno.dealing.group import Flaw, card_points, multiply, product, public_key
from lanuno.dealing.passes import common_step
from lanuno.dealing.verify import dealt_cards, verify_deal
from tests.dealing.players import (
    accept_honest,
    company,
    new_deal,
    play,
    play_until,
    release,
    table_of,
)

if TYPE_CHECKING:
    from enum import Enum

    from lanuno.dealing.passes import PassStep

OFF_CURVE = b"\x02" + (5).to_bytes(32, "big")
BAD_ENCODING = b"\x04" + bytes(32)


@pytest.mark.parametrize("deck", [108, 112])
@pytest.mark.parametrize("seats", range(2, 11))
def test_a_whole_deal_opens_to_the_shuffled_cards(seats: int, deck: int) -> None:
    secrets = company(range(seats))
    deal = play(new_deal(3, deck, range(deck), range(seats), first_slot=50), secrets)
    assert deal.expected is None
    assert deal.slots == range(50, 50 + deck)
    assert verify_deal(deal, secrets) == ()
    table = table_of(deal)
    release(table, deal, deal.slots, secrets)
    opened = {slot: table.open(slot) for slot in deal.slots}
    assert opened == dealt_cards((deal,), secrets)
    assert sorted(dealt_cards((deal,), secrets).values()) == list(range(deck))


def test_final_points_are_the_product_of_all_slot_keys() -> None:
    secrets = company((0, 4, 7))
    deal = play(new_deal(0, 12, range(12), (0, 4, 7)), secrets)
    cards = dealt_cards((deal,), secrets)
    for slot in deal.slots:
        scalars = [slot_scalars(deal, secrets[seat])[slot] for seat in deal.order]
        assert deal.points[slot] == multiply(card_points(12)[cards[slot]], product(scalars))
        assert [deal.slot_keys[seat][slot] for seat in deal.order] == [
            public_key(scalar) for scalar in scalars
        ]


def test_steps_are_expected_in_order() -> None:
    secrets = company((2, 0, 5))
    deal = new_deal(0, 8, range(8), (2, 0, 5))
    seen = []
    while deal.expected is not None:
        seen.append(deal.expected)
        accept_honest(deal, secrets)
    masks = [(StepKind.MASK, seat) for seat in (2, 0, 5)]
    assert seen == masks + [(StepKind.LOCK, seat) for seat in (2, 0, 5)]
    assert [(taken.kind, taken.seat) for taken in deal.accepted] == seen
    assert deal.input == deal.points


def test_one_seat_alone_and_one_card_alone_are_deals() -> None:
    secrets = company((3,))
    deal = play(new_deal(0, 108, (77,), (3,)), secrets)
    table = table_of(deal)
    release(table, deal, (0,), secrets)
    assert table.open(0) == 77


def test_public_discards_alone_are_shuffled_again() -> None:
    secrets = company(range(3))
    discards = (5, 99, 3, 40)
    deal = play(new_deal(1, 108, discards, range(3), first_slot=108), secrets)
    table = table_of(deal)
    release(table, deal, deal.slots, secrets)
    assert {table.open(slot) for slot in range(108, 112)} == set(discards)


# Refusals.


@pytest.mark.parametrize(
    ("cards", "order"),
    [((), (0,)), ((1,), ()), ((1,), (0, 1, 0)), ((1, 1), (0,)), ((8,), (0,)), ((-1,), (0,))],
)
def test_deals_that_make_no_sense(cards: tuple[int, ...], order: tuple[int, ...]) -> None:
    with pytest.raises(Misuse):
        new_deal(0, 8, cards, order)


def test_only_the_expected_step_is_looked_at() -> None:
    secrets = company(range(2))
    deal = new_deal(0, 8, range(8), range(2))
    step = take_step(deal, secrets[0])
    with pytest.raises(Misuse):
        deal.accept(1, step)
    with pytest.raises(Misuse):
        take_step(deal, secrets[1])
    with pytest.raises(Misuse):
        deal.points  # noqa: B018
    assert deal.accepted == ()
    play(deal, secrets)
    for late in (
        lambda: deal.accept(0, step),
        lambda: deal.accept_packed(0, b"", b""),
        lambda: take_step(deal, secrets[0]),
    ):
        with pytest.raises(Misuse):
            late()


def spoil(points: tuple[bytes, ...], flaw: Flaw) -> tuple[bytes, ...]:
    match flaw:
        case Flaw.COUNT:
            return points[:-1]
        case Flaw.ENCODING:
            return (*points[:-1], BAD_ENCODING)
        case Flaw.DUPLICATE:
            return (*points[:-1], points[0])
        case Flaw.OFF_CURVE:
            return (*points[:-1], OFF_CURVE)
        case Flaw.DIFFERS:
            return (points[1], points[0], *points[2:])


SHAPES = [Flaw.COUNT, Flaw.ENCODING, Flaw.DUPLICATE]
PLACES = [(kind, seat) for kind in (StepKind.MASK, StepKind.LOCK) for seat in range(3)]


@pytest.mark.parametrize("flaw", SHAPES)
@pytest.mark.parametrize("place", PLACES)
def test_bad_shapes_are_blamed_and_change_nothing(place: tuple[StepKind, int], flaw: Flaw) -> None:
    kind, seat = place
    secrets = company(range(3))
    deal = new_deal(0, 8, range(8), range(3))
    play_until(deal, secrets, place)
    before = deal.accepted
    step = take_step(deal, secrets[seat])
    bad: list[PassStep] = [replace(step, points=spoil(step.points, flaw))]
    if kind is StepKind.LOCK:
        bad.append(replace(step, keys=spoil(step.keys, flaw)))
    elif flaw is Flaw.COUNT:
        bad += [replace(step, keys=keys) for keys in ((), step.points)]
    for each in bad:
        fault = deal.accept(seat, each)
        assert fault == DealFault(seat, kind, flaw)
        assert fault.name == ("bad-mask" if kind is StepKind.MASK else "bad-lock")
        assert deal.accepted == before
        assert seat not in deal.slot_keys
    assert deal.accept(seat, step) is None


@pytest.mark.parametrize("public", [b"", BAD_ENCODING, bytes(33), b"\x02" + b"\xff" * 32])
def test_a_bad_public_key_is_blamed(public: bytes) -> None:
    secrets = company(range(2))
    deal = new_deal(0, 8, range(8), range(2))
    step = take_step(deal, secrets[0])
    fault = deal.accept(0, replace(step, keys=(public,)))
    assert fault == DealFault(0, StepKind.MASK, Flaw.ENCODING)


# Packed steps.


def locked_deal() -> Deal:
    secrets = company(range(2))
    first = play(new_deal(0, 8, range(8), range(2)), secrets)
    table = table_of(first)
    back = table.locked((2, 5, 6), range(2))
    return new_deal(1, 8, (1,), range(2), locked=back, first_slot=8)


def test_steps_come_back_from_the_wire() -> None:
    secrets = company(range(2))
    deal = locked_deal()
    seen = set()
    while deal.expected is not None:
        kind, seat = deal.expected
        seen.add(kind)
        step = take_step(deal, secrets[seat])
        points, keys = packed(step)
        size = Flaw.COUNT
        assert deal.accept_packed(seat, points[:-1], keys) == DealFault(seat, kind, size)
        assert deal.accept_packed(seat, points + b"\x02", keys) == DealFault(seat, kind, size)
        assert deal.accept_packed(seat, points, keys[:-1]) == DealFault(seat, kind, size)
        assert deal.accept_packed(seat, points, keys + points) == DealFault(seat, kind, size)
        assert deal.accept_packed(seat, points, keys) is None
        assert deal.accepted[-1].step == step
    assert seen == set(StepKind)


@given(st.binary(max_size=40), st.binary(max_size=70), st.integers(0, 1))
def test_no_bytes_from_outside_raise(points: bytes, keys: bytes, shape: int) -> None:
    """Bytes of any length and of the right length are judged without an exception."""
    secrets = company(range(2))
    deal = new_deal(0, 8, (3,), range(2))
    play_until(deal, secrets, (StepKind.LOCK, 1))
    if shape:
        points, keys = (b"\x02" + text.ljust(32, b"\x01")[:32] for text in (points, keys))
    fault = deal.accept_packed(1, points, keys)
    assert (fault is None) == bool(shape)
    assert deal.done == bool(shape)
    if shape:
        table = table_of(deal)
        assert not table.release(1, 0, keys)
        assert not table.release(1, 0, keys[:32])


# Encodings that are not points.


@pytest.mark.parametrize("place", PLACES)
def test_the_author_of_a_point_off_the_curve_is_found(place: tuple[StepKind, int]) -> None:
    kind, seat = place
    secrets = company(range(3))
    deal = new_deal(0, 8, range(8), range(3))
    play_until(deal, secrets, place)
    assert deal.off_curve() is None
    step = take_step(deal, secrets[seat])
    assert deal.accept(seat, replace(step, points=spoil(step.points, Flaw.OFF_CURVE))) is None
    assert deal.off_curve() == DealFault(seat, kind, Flaw.OFF_CURVE)
    assert verify_deal(deal, secrets) == (DealFault(seat, kind, Flaw.DIFFERS),)
    if deal.expected is not None:
        kind_next, victim = deal.expected
        with pytest.raises(PointError):
            take_step(deal, secrets[victim])
        # The victim's next step cannot be checked, and the victim is not blamed.
        made_up = honest_step(deal, kind_next, card_points(8), secrets[victim])
        assert deal.accept(victim, made_up) is None
        assert verify_deal(deal, secrets) == (DealFault(seat, kind, Flaw.DIFFERS),)


def test_a_slot_key_off_the_curve_is_found() -> None:
    secrets = company(range(2))
    deal = new_deal(0, 8, range(8), range(2))
    play_until(deal, secrets, (StepKind.LOCK, 1))
    step = take_step(deal, secrets[1])
    bad = replace(step, keys=spoil(step.keys, Flaw.OFF_CURVE))
    assert deal.accept(1, bad) is None
    assert deal.off_curve() == DealFault(1, StepKind.LOCK, Flaw.OFF_CURVE)


def test_more_locked_slots_than_points_make_no_sense() -> None:
    with pytest.raises(Misuse):
        common_step((), 2, (1,))


def test_locked_slots_alone_are_a_deal() -> None:
    deal = new_deal(1, 8, (), (0,), locked=(LockedSlot(3, card_points(8)[0], 0, 8, 3, (), ()),))
    assert deal.size == 1
    assert deal.expected == (StepKind.COMMON, 0)


@pytest.mark.parametrize("words", [StepKind, Flaw])
def test_reports_use_the_words_of_the_code(words: type[Enum]) -> None:
    for each in words:
        assert each.value == each.name.lower().replace("_", "-")
