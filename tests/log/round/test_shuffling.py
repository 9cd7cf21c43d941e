"""Passes, keys and opened cards, each done wrong once."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from lanuno.dealing.deal import mask_scalar, packed, slot_scalars
from lanuno.dealing.group import (
    FIELD,
    ORDER,
    inverse,
    multiply_all,
    pack,
    public_key,
    public_keys,
    scalar_bytes,
    unpack,
)
from lanuno.dealing.passes import PassStep
from lanuno.log.faults import AuditVerdict, Fault, RefusalReason, VoidReason
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HaltReason
from lanuno.log.round import events
from lanuno.log.round.round_record import ShuffleDone
from lanuno.rules.cards import Rank
from lanuno.rules.decks import deck_tables
from lanuno.rules.engine.actions import Action, Play
from lanuno.rules.engine.events import StartingCardReturned
from tests.harness.log_table.log_table import LogTable, new_table
from tests.harness.log_table.moments import blame_of

OFF_CURVE = b"\x02" + (5).to_bytes(32, "big")


@pytest.fixture(scope="module")
def masking() -> LogTable:
    """Two players; seat 0 masks next."""
    return new_table(2).run(lambda table: table.replay.round is not None and bool(table.log.deal))


@pytest.fixture(scope="module")
def locking(masking: LogTable) -> LogTable:
    """Two players; seat 0 locks next."""
    return masking.fork().run(lambda table: len(table.log.deals[0].accepted) == 2)


@pytest.fixture(scope="module")
def opening(masking: LogTable) -> LogTable:
    """Two players; the cards that choose the dealer wait for their keys."""
    return masking.fork().run(lambda table: bool(table.log.needs))


@pytest.fixture(scope="module")
def dealing() -> LogTable:
    """Three players; the first hands wait for their keys."""
    table = new_table(3)
    return table.run(lambda each: each.replay.number == 1 and bool(each.log.needs))


# ---- passes ---------------------------------------------------------------------------------


def test_passes_come_in_their_order(masking: LogTable) -> None:
    table = masking.fork()
    right = table.take_pass(0)
    assert table.refusal_of(1, right) is RefusalReason.NOT_NOW
    assert table.refusal_of(0, msgspec.structs.replace(right, deal=1)) is RefusalReason.NOT_NOW
    assert table.refusal_of(0, msgspec.structs.replace(right, step=1)) is RefusalReason.NOT_NOW
    assert table.add(0, right) == [events.StepDone(0, "mask")]
    assert table.refusal_of(0, right) is RefusalReason.NOT_NOW
    # A mask that was signed twice is not accepted as the lock.
    table.add(1, table.take_pass(1))
    assert table.refusal_of(0, right) is RefusalReason.NOT_NOW
    table.run(lambda each: bool(each.log.needs))
    assert table.log.missing() == ()
    assert table.log.key_owner(0, 1) == 1
    assert all(card in table.log.hidden for card in range(108))
    assert [type(each) for each in table.happened[-8:]].count(events.DeckReady) == 1
    assert [type(each) for each in table.log.inputs] == [ShuffleDone]
    assert table.refusal_of(0, right) is RefusalReason.NOT_NOW


Spoil = Callable[[bodies.Pass], bodies.Pass]


def points(change: Callable[[list[bytes]], object]) -> Spoil:
    def spoil(right: bodies.Pass) -> bodies.Pass:
        listed = list(unpack(right.points, len(right.points) // 33))
        change(listed)
        return msgspec.structs.replace(right, points=pack(listed))

    return spoil


def keys(change: Callable[[list[bytes]], object]) -> Spoil:
    def spoil(right: bodies.Pass) -> bodies.Pass:
        listed = list(unpack(right.keys, len(right.keys) // 33))
        change(listed)
        return msgspec.structs.replace(right, keys=pack(listed))

    return spoil


def put(place: int, value: bytes) -> Callable[[list[bytes]], object]:
    return lambda listed: listed.__setitem__(place, value)


SHAPES: list[tuple[str, Spoil]] = [
    ("one point less", points(lambda listed: listed.pop())),
    ("half a point", lambda right: msgspec.structs.replace(right, points=right.points[:-1])),
    ("no points", lambda right: msgspec.structs.replace(right, points=b"")),
    ("a point twice", points(lambda listed: listed.__setitem__(0, listed[1]))),
    ("another prefix", points(put(0, bytes(33)))),
    ("x not below p", points(put(0, b"\x02" + FIELD.to_bytes(32, "big")))),
    ("no key", lambda right: msgspec.structs.replace(right, keys=b"")),
    ("a key more", keys(lambda listed: listed.append(listed[0]))),
    ("a key of another prefix", keys(put(0, b"\x04" + bytes(32)))),
]


@pytest.mark.parametrize(("why", "spoil"), SHAPES)
def test_a_mask_of_the_wrong_shape_is_proven_at_once(
    masking: LogTable, why: str, spoil: Spoil
) -> None:
    table = masking.fork()
    happened = table.add(0, spoil(table.take_pass(0)))
    assert table.log.void is VoidReason.FAULT
    assert isinstance(happened[1], events.FaultFound)
    assert blame_of(table) == [(0, Fault.BAD_MASK)]


@pytest.mark.parametrize(("why", "spoil"), SHAPES)
def test_a_lock_of_the_wrong_shape_is_proven_at_once(
    locking: LogTable, why: str, spoil: Spoil
) -> None:
    table = locking.fork()
    table.add(0, spoil(table.take_pass(0)))
    assert table.log.void is VoidReason.FAULT
    assert blame_of(table) == [(0, Fault.BAD_LOCK)]


def test_a_mask_that_is_not_the_seeds_is_found_at_the_audit(masking: LogTable) -> None:
    """The shape is right but two cards are swapped; nobody can see that during the round."""
    table = masking.fork()
    right = table.take_pass(0)
    listed = list(unpack(right.points, 108))
    listed[0], listed[1] = listed[1], listed[0]
    table.add(0, msgspec.structs.replace(right, points=pack(listed)))
    table.run()
    assert table.log.void is None
    assert blame_of(table) == [(0, Fault.BAD_MASK)]


def test_a_public_key_of_a_mask_that_is_not_the_seeds_is_found(masking: LogTable) -> None:
    table = masking.fork()
    right = table.take_pass(0)
    another = unpack(right.points, 108)[5]
    table.add(0, msgspec.structs.replace(right, keys=another))
    assert blame_of(table) == [(0, Fault.BAD_MASK)]


def test_a_point_off_the_curve_blames_its_author_and_not_the_halting_seat(
    masking: LogTable,
) -> None:
    table = masking.fork()
    right = table.take_pass(0)
    table.add(0, points(put(7, OFF_CURVE))(right))
    # The next seat cannot do its step.
    table.add(1, bodies.Halt(HaltReason.BAD_POINTS, 0))
    assert table.log.void is VoidReason.HALTED
    assert blame_of(table) == [(0, Fault.BAD_MASK)]


def test_a_lock_that_opens_to_no_card_voids_the_round(locking: LogTable) -> None:
    """The points do not fit the slot keys, so the opened point is no card."""
    table = locking.fork()
    deal = table.log.deals[0]
    right = table.take_pass(0)
    swapped = list(unpack(right.points, 108))
    swapped[0], swapped[1] = swapped[1], swapped[0]
    table.add(0, msgspec.structs.replace(right, points=pack(swapped)))
    table.run(lambda each: each.log.void is not None)
    assert deal.number == 0
    assert table.log.void is VoidReason.NO_CARD
    assert blame_of(table) == [(0, Fault.BAD_LOCK)]


def test_a_card_that_lies_elsewhere_already_voids_the_round(masking: LogTable) -> None:
    """A mask and a lock of the right shapes turn the whole deck into one card."""
    table = masking.fork()
    deal = table.log.deals[0]
    table.add(0, table.take_pass(0))
    secrets = table.secrets(1)
    scalar = mask_scalar(deal, secrets)
    same = [deal.input[0]] * deal.size
    # Multiples of one point look like different points …
    multiples = [scalar * (place + 1) % ORDER for place in range(deal.size)]
    table.add(1, bodies.Pass(0, 1, pack(multiply_all(same, multiples)), public_key(scalar)))
    table.add(0, table.take_pass(0))
    # … until the lock removes the factors.
    locks = slot_scalars(deal, secrets)
    factors = [
        inverse(multiple) * lock % ORDER for multiple, lock in zip(multiples, locks, strict=True)
    ]
    step = PassStep(multiply_all(deal.input, factors), public_keys(locks))
    table.add(1, bodies.Pass(0, 3, *packed(step)))
    table.run(lambda each: each.log.void is not None)
    assert table.log.void is VoidReason.NO_CARD
    assert set(blame_of(table)) == {(1, Fault.BAD_MASK), (1, Fault.BAD_LOCK)}


# ---- keys -----------------------------------------------------------------------------------


def test_an_unlock_answers_needs_exactly(dealing: LogTable) -> None:
    mine = [need.number for need in dealing.log.needs.values() if 1 in need.waiting]
    right = dealing.unlock(1, mine[:2])
    first, second = right.lists
    own = next(need for need in dealing.log.needs.values() if need.to == 1)
    for lists, why in (
        ((first, first), RefusalReason.NOT_NOW),
        ((first, bodies.SlotKeyList(77, second.keys)), RefusalReason.ALREADY_DONE),
        ((first, bodies.SlotKeyList(own.number, second.keys)), RefusalReason.ALREADY_DONE),
        ((first, bodies.SlotKeyList(second.need, second.keys[:-1])), RefusalReason.WRONG_SHAPE),
        ((first, bodies.SlotKeyList(second.need, b"")), RefusalReason.WRONG_SHAPE),
    ):
        assert dealing.refusal_of(1, bodies.Unlock(lists)) is why
    table = dealing.fork()
    table.add(1, bodies.Unlock((first,)))
    assert table.refusal_of(1, right) is RefusalReason.ALREADY_DONE
    table.add(1, bodies.Unlock((second,)))
    left = [need.number for need in table.log.needs.values() if 1 in need.waiting]
    assert left == mine[2:]


def test_the_last_key_lets_a_hand_be_read(dealing: LogTable) -> None:
    table = dealing.fork()
    to_two = next(need.number for need in table.log.needs.values() if need.to == 2)
    assert table.add(0, table.unlock(0, [to_two])) == []
    assert not table.log.can_read_hand(2)
    happened = table.add(1, table.unlock(1, [to_two]))
    slots = tuple(table.engine.hands[2])
    assert happened == [events.HandUnlocked(to_two, 2, slots)]
    assert table.log.can_read_hand(2)


@pytest.mark.parametrize("key", [bytes(32), b"\xff" * 32, scalar_bytes(7)])
def test_a_wrong_key_is_proven_at_once(dealing: LogTable, key: bytes) -> None:
    table = dealing.fork()
    mine = [need.number for need in table.log.needs.values() if 1 in need.waiting]
    right = table.unlock(1, mine)
    last = right.lists[-1]
    wrong = bodies.SlotKeyList(last.need, last.keys[:-32] + key)
    happened = table.add(1, bodies.Unlock((right.lists[0], wrong)))
    assert isinstance(happened[0], events.FaultFound)
    assert blame_of(table) == [(1, Fault.BAD_KEY)]


def test_a_key_of_another_slot_is_a_wrong_key(opening: LogTable) -> None:
    table = opening.fork()
    right = table.unlock(0, [0]).lists[0]
    swapped = right.keys[32:] + right.keys[:32]
    table.add(0, bodies.Unlock((bodies.SlotKeyList(0, swapped),)))
    assert blame_of(table) == [(0, Fault.BAD_KEY)]


def test_no_keys_are_taken_where_none_are_due(masking: LogTable, opening: LogTable) -> None:
    lists = (bodies.SlotKeyList(0, bytes(64)),)
    assert masking.refusal_of(0, bodies.Unlock(lists)) is RefusalReason.ALREADY_DONE
    halted = opening.fork()
    halted.add(0, bodies.Halt(HaltReason.NO_CARD, None))
    assert halted.refusal_of(1, bodies.Unlock(lists)) is RefusalReason.NOT_NOW


# ---- shuffling again ------------------------------------------------------------------------


def test_discards_are_shuffled_again_and_the_deck_stays_whole() -> None:
    """The players draw until a new deal is needed and then play it honestly to the end."""

    def choose(table: LogTable, seat: int, acts: tuple[Action, ...]) -> Action:
        plays = [act for act in acts if isinstance(act, Play)]
        many = len(table.engine.hands[seat]) > 8
        return plays[0] if plays and (many or len(table.log.deals) > 1) else acts[-1]

    table = new_table(2, choose=choose, salt=5)
    table.run()
    assert len(table.log.deals) > 1
    assert table.audit().verdict is AuditVerdict.VERIFIED


def starting_with(rank: Rank, hint: int) -> LogTable:
    """Return a table whose first round of play turns up that rank, trying salts in turn."""
    for salt in range(hint, hint + 200):
        table = new_table(2, salt=salt)
        table.run(lambda each: each.replay.number == 1 and bool(each.log.needs))
        if deck_tables(108).ranks[table.all_cards()[4]] == rank:
            return table
    raise AssertionError("no such table among them")


def test_a_wild_draw_four_at_the_start_goes_back_among_locked_slots() -> None:
    table = starting_with(Rank.WILD_FOUR, 1_009)
    table.run(lambda each: len(each.log.deals) == 2)
    assert any(isinstance(each, StartingCardReturned) for each in table.happened)
    deal = table.log.deals[1]
    assert len(deal.locked) == 103
    for step in ("common", "common", "mask", "mask", "lock", "lock"):
        seat = deal.expected[1] if deal.expected else -1
        assert table.add(seat, table.take_pass(seat))[0] == events.StepDone(seat, step)
    table.run()
    assert table.audit().verdict is AuditVerdict.VERIFIED


def test_a_false_common_step_is_a_bad_lock() -> None:
    table = starting_with(Rank.WILD_FOUR, 1_009)
    table.run(lambda each: len(each.log.deals) == 2)
    right = table.take_pass(0)
    listed = list(unpack(right.points, 104))
    listed[0], listed[1] = listed[1], listed[0]
    table.add(0, msgspec.structs.replace(right, points=pack(listed)))
    table.run(lambda each: each.log.deal is None)
    table.add(1, bodies.Halt(HaltReason.NO_CARD, None))
    assert blame_of(table) == [(0, Fault.BAD_LOCK)]
