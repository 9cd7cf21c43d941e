"""Released and refused keys, hands only their holders can read, leaving seats, reshuffled slots."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from lanuno.dealing.deal import (
    Deal,
    StepKind,
    common_scalar,
    mask_scalar,
    slot_scalars,
    take_step,
)
from lanuno.dealing.errors import Misuse, PointError, ScalarError
from lanuno.dealing.group import (
    ORDER,
    card_numbers,
    card_points,
    inverse,
    multiply,
    product,
    scalar_bytes,
)
from lanuno.dealing.secrets import RoundSecrets
from lanuno.dealing.slots import SlotTable
from lanuno.dealing.verify import dealt_cards, verify_deal
from tests.dealing.players import (
    accept_honest,
    company,
    context,
    key_of,
    new_deal,
    play,
    play_until,
    release,
    secrets_of,
    table_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

DECK = 12


def dealt(seats: Sequence[int] = (0, 1, 2), number: int = 0) -> tuple[Deal, SlotTable]:
    deal = play(new_deal(number, DECK, range(DECK), seats), company(seats))
    return deal, table_of(deal)


def test_a_card_for_one_seat_is_read_with_its_own_key_only() -> None:
    secrets = company((0, 1, 2))
    deal, table = dealt()
    cards = dealt_cards((deal,), secrets)
    release(table, deal, (4,), secrets, but=1)
    assert table.missing(4) == (1,)
    with pytest.raises(Misuse):
        table.open(4)
    own = key_of(secrets[1], deal, 4)
    assert table.open(4, {1: own}) == cards[4]
    assert table.missing(4) == (1,)
    assert table.key(1, 4) is None
    assert table.release(1, 4, own)
    assert table.missing(4) == ()
    assert table.key(1, 4) == own
    assert table.open(4) == cards[4]


def test_a_slot_table_knows_the_points_keys_and_holders_of_its_slots() -> None:
    deal, table = dealt((4, 2))
    assert 11 in table
    assert 12 not in table
    assert table.deals == [deal]
    assert table.holders(3) == (4, 2)
    assert table.point(3) == deal.points[3]
    assert table.public_key(2, 3) == deal.slot_keys[2][3]
    for ask in (
        lambda: table.point(12),
        lambda: table.holders(-1),
        lambda: table.missing(12),
        lambda: table.open(12),
        lambda: table.public_key(0, 3),
        lambda: table.public_key(2, 12),
    ):
        with pytest.raises(Misuse):
            ask()


def test_only_finished_deals_with_numbers_of_their_own_are_added() -> None:
    secrets = company((0, 1))
    deal, table = dealt((0, 1))
    with pytest.raises(Misuse):
        table.add(play(new_deal(0, DECK, range(DECK), (0, 1), first_slot=DECK), secrets))
    with pytest.raises(Misuse):
        table.add(new_deal(1, DECK, range(DECK), (0, 1), first_slot=DECK))
    with pytest.raises(Misuse):
        table.add(play(new_deal(1, DECK, range(DECK), (0, 1), first_slot=DECK - 1), secrets))
    assert table.deals == [deal]


def test_wrong_keys_are_refused_at_once() -> None:
    secrets = company((0, 1, 2))
    deal, table = dealt()
    good = key_of(secrets[1], deal, 4)
    other_deal = play(new_deal(1, DECK, range(DECK), (0, 1, 2), first_slot=DECK), secrets)
    table.add(other_deal)
    wrong = [
        b"",
        good[:-1],
        good + b"\x00",
        b"\x00" + good,
        bytes(32),
        ORDER.to_bytes(32, "big"),
        scalar_bytes(ORDER - int.from_bytes(good, "big")),  # opens to the point's mirror image
        key_of(secrets[1], deal, 5),
        key_of(secrets[2], deal, 4),
        key_of(secrets[1], other_deal, DECK + 4),
    ]
    for key in wrong:
        assert not table.release(1, 4, key)
    assert not table.release(7, 4, good)
    assert not table.release(1, 999, good)
    assert table.missing(4) == (0, 1, 2)
    assert table.release(1, 4, good)
    assert table.release(1, 4, good)
    for key in wrong:
        assert not table.release(1, 4, key)
    assert table.key(1, 4) == good


def test_lent_keys_are_parsed() -> None:
    secrets = company((0, 1))
    deal, table = dealt((0, 1))
    release(table, deal, (0,), secrets, but=1)
    with pytest.raises(ScalarError):
        table.open(0, {1: bytes(32)})
    assert table.open(0, {1: key_of(secrets[1], deal, 1)}) is None


@pytest.mark.parametrize("victim", [0, 1, 2])
def test_a_hand_cannot_be_read_with_all_other_keys(victim: int) -> None:
    """All other seats pool their secrets, and the victim has released its keys of other slots.

    The test tries every scalar they hold and every product of those that belong to a slot.
    """
    secrets = company((0, 1, 2))
    deal, table = dealt()
    others = [seat for seat in deal.order if seat != victim]
    hand = (3, 8)
    played = [slot for slot in deal.slots if slot not in hand]
    release(table, deal, hand, secrets, but=victim)
    release(table, deal, played, secrets)
    released = [slot_scalars(deal, secrets[victim])[slot] for slot in played]
    masks = [mask_scalar(deal, secrets[seat]) for seat in others]
    for slot in hand:
        slot_keys = [slot_scalars(deal, secrets[seat])[slot] for seat in others]
        pool = [*masks, *slot_keys]
        products = {
            product(some) for size in range(len(pool) + 1) for some in combinations(pool, size)
        }
        products |= {product([*slot_keys, key]) for key in released}
        products |= {product([*masks, key]) for key in released} | set(released)
        every = {key for seat in others for key in slot_scalars(deal, secrets[seat])}
        for scalar in products | every:
            undone = multiply(table.point(slot), inverse(scalar))
            assert undone not in card_numbers(DECK)
            assert multiply(table.point(slot), scalar) not in card_numbers(DECK)
        # Only the victim's key makes it a card.
        own = key_of(secrets[victim], deal, slot)
        assert table.open(slot, {victim: own}) is not None


@pytest.mark.parametrize("victim", [0, 1, 2])
def test_no_list_after_the_victims_mask_shows_a_card(victim: int) -> None:
    """From the victim's mask on, the scalars of all other seats open no point of any list."""
    secrets = company((0, 1, 2))
    deal, _ = dealt()
    others = [seat for seat in deal.order if seat != victim]
    masks = [mask_scalar(deal, secrets[seat]) for seat in others]
    own = next(at for at, taken in enumerate(deal.accepted) if taken.seat == victim)
    for taken in deal.accepted[own:]:
        for place, point in enumerate(taken.step.points):
            keys = [slot_scalars(deal, secrets[seat])[place] for seat in others]
            pool = [*masks, *keys]
            for size in range(len(pool) + 1):
                for some in combinations(pool, size):
                    assert multiply(point, inverse(product(some))) not in card_numbers(DECK)


# Cheating that is detected when a slot is opened.


def locking(cards: Sequence[int]) -> Deal:
    """Return a deal of two seats that waits for its last lock."""
    deal = new_deal(0, DECK, cards, (0, 1))
    play_until(deal, company((0, 1)), (StepKind.LOCK, 1))
    return deal


def cheated(last_points: Sequence[bytes], cards: Sequence[int]) -> SlotTable:
    """Return a deal of two whose last lock publishes these points with its true slot keys."""
    secrets = company((0, 1))
    deal = locking(cards)
    step = take_step(deal, secrets[1])
    assert deal.accept(1, replace(step, points=tuple(last_points))) is None
    table = table_of(deal)
    release(table, deal, deal.slots, secrets)
    return table


def test_a_slot_that_holds_no_card_opens_to_none() -> None:
    off_curve = b"\x02" + (5).to_bytes(32, "big")
    generator = multiply(card_points(DECK)[0], 7)
    table = cheated((off_curve, generator), (1, 2))
    assert table.open(0) is None
    assert table.open(1) is None


def test_a_card_that_was_not_shuffled_in_opens_to_none() -> None:
    secrets = company((0, 1))
    deal = locking((1, 2))

    def planted(card: int, slot: int) -> bytes:
        keys = product(slot_scalars(deal, secrets[seat])[slot] for seat in (0, 1))
        return multiply(card_points(DECK)[card], keys)

    table = cheated((planted(9, 0), planted(2, 1)), (1, 2))
    assert table.open(0) is None
    assert table.open(1) == 2


# A seat leaves.


def test_keys_of_a_seat_whose_seed_is_known() -> None:
    secrets = company((0, 1, 2))
    deal, table = dealt()
    apart = play(new_deal(1, DECK, (3, 4), (0, 1), first_slot=DECK), secrets)
    table.add(apart)
    rebuilt = RoundSecrets(secrets[2].seed, context(2))
    assert table.release_from_seed(rebuilt) == ()
    assert all(table.key(2, slot) == key_of(secrets[2], deal, slot) for slot in deal.slots)
    assert table.missing(0) == (0, 1)
    assert table.missing(DECK) == (0, 1)
    assert table.release_from_seed(secrets_of(1, salt=1)) == (*deal.slots, *apart.slots)


# Locked slots are shuffled again.


def test_reshuffling_locked_slots_conserves_cards_and_leaves_hands_alone() -> None:
    secrets = company((0, 1, 2))
    deal, table = dealt()
    cards = dealt_cards((deal,), secrets)
    hands = {0: (0, 3), 1: (1, 4), 2: (2, 5)}
    for seat, hand in hands.items():
        release(table, deal, hand, secrets, but=seat)
    release(table, deal, (6,), secrets)
    turned = table.open(6)
    assert turned is not None
    back = table.locked(range(7, DECK), deal.order)
    assert [each.slot for each in back] == list(range(7, DECK))
    again = new_deal(1, DECK, (turned,), deal.order, locked=back, first_slot=DECK)
    kinds = []
    while again.expected is not None:
        kinds.append(again.expected[0])
        accept_honest(again, secrets)
    assert kinds == [StepKind.COMMON] * 3 + [StepKind.MASK] * 3 + [StepKind.LOCK] * 3
    assert verify_deal(again, secrets) == ()
    table.add(again)
    release(table, again, again.slots, secrets)
    opened = {slot: table.open(slot) for slot in again.slots}
    assert set(opened.values()) == {turned, *(cards[slot] for slot in range(7, DECK))}
    known = dealt_cards((deal, again), secrets)
    assert {slot: known[slot] for slot in again.slots} == opened
    # Hands dealt earlier are still readable by their holders, and by nobody else.
    for seat, hand in hands.items():
        for slot in hand:
            assert table.missing(slot) == (seat,)
            assert table.open(slot, {seat: key_of(secrets[seat], deal, slot)}) == cards[slot]


def test_after_the_common_pass_all_points_have_the_same_factor() -> None:
    secrets = company((0, 1))
    deal, table = dealt((0, 1))
    cards = dealt_cards((deal,), secrets)
    again = new_deal(1, DECK, (5,), (0, 1), locked=table.locked((2, 9), (0, 1)), first_slot=DECK)
    play_until(again, secrets, (StepKind.MASK, 0))
    factor = product(common_scalar(again, secrets[seat]) for seat in (0, 1))
    assert again.input == tuple(
        multiply(card_points(DECK)[card], factor) for card in (5, cards[2], cards[9])
    )


def test_locked_slots_of_two_deals_go_back_twice() -> None:
    """Slots that were shuffled again once can be shuffled again together with others."""
    secrets = company((0, 1))
    deal, table = dealt((0, 1))
    second = new_deal(1, DECK, (), (0, 1), locked=table.locked((1, 2, 3), (0, 1)), first_slot=DECK)
    table.add(play(second, secrets))
    back = table.locked((5, DECK + 2, DECK), (0, 1))
    third = play(new_deal(2, DECK, (), (0, 1), locked=back, first_slot=DECK + 3), secrets)
    table.add(third)
    assert verify_deal(third, secrets) == ()
    known = dealt_cards((deal, second, third), secrets)
    release(table, third, third.slots, secrets)
    assert {slot: table.open(slot) for slot in third.slots} == {
        slot: known[slot] for slot in third.slots
    }
    assert {known[slot] for slot in third.slots} == {known[5], known[DECK + 2], known[DECK]}


def test_locked_slots_go_back_without_a_seat_that_left() -> None:
    secrets = company((0, 1, 2))
    deal, table = dealt()
    with pytest.raises(Misuse):
        table.locked((7, 8), (0, 2))
    assert table.release_from_seed(secrets[1]) == ()
    back = table.locked((7, 8), (0, 2))
    again = play(new_deal(1, DECK, (), (0, 2), locked=back, first_slot=DECK), secrets)
    assert verify_deal(again, secrets) == ()
    table.add(again)
    release(table, again, again.slots, secrets)
    known = dealt_cards((deal, again), secrets)
    assert {table.open(slot) for slot in again.slots} == {known[7], known[8]}
    with pytest.raises(Misuse):
        table.locked((DECK * 9,), (0, 2))


def test_a_restarted_pass_has_new_scalars_everywhere() -> None:
    secrets = company((0, 1))
    _, table = dealt((0, 1))
    back = table.locked((7, 8), (0, 1))
    lists = [
        play(new_deal(number, DECK, (), (0, 1), locked=back, first_slot=DECK), secrets).accepted
        for number in (1, 2)
    ]
    first, second = ({point for t in taken for point in t.step.points} for taken in lists)
    assert not first & second


def test_a_locked_point_off_the_curve_is_an_error_of_one_kind() -> None:
    table = cheated((b"\x02" + (5).to_bytes(32, "big"), card_points(DECK)[0]), (1, 2))
    assert table.locked((0,), (0, 1))[0].point == table.point(0)
    with pytest.raises(PointError):
        table.locked((0,), (0,))
