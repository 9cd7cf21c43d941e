"""The hands that one seat can read: its own, those given or shown to it, and faults in them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from lanuno.dealing.errors import SealError
from lanuno.dealing.group import ORDER, inverse, multiply, multiply_each, pack, parse_scalar, unpack
from lanuno.dealing.sealing import seal_info, unseal
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HaltReason
from lanuno.log.round import events
from lanuno.log.round.shown_hand import purpose_of_show
from lanuno.rules.cards import Rank
from lanuno.rules.engine.actions import Action, Draw, Show
from lanuno.rules.engine.state import RoundPhase
from lanuno.table.replica.hand_keys import HandKeys, Unsound
from tests.harness.log_table.boxes import seal
from tests.harness.log_table.challenges import challenged
from tests.harness.log_table.log_table import LogTable, new_table
from tests.harness.log_table.moments import deciding
from tests.harness.log_table.moving_hands import moving, with_a_card_that_is_still_dealt


class Reader:
    """One seat's hand keys, which read the log of a table from its first entry."""

    def __init__(self, source: LogTable, seat: int) -> None:
        self.table = LogTable(source.genesis, source.choose)
        self.seat = seat
        self.faults: list[Unsound] = []
        for entry in source.entries:
            self.table.entries.append(entry)
            self._read(self.table.replay.follow(entry, trusted=True))

    def add(self, author: int, payload: bodies.Payload) -> None:
        self._read(self.table.add(author, payload))

    def run(self, until: Callable[[LogTable], bool]) -> Reader:
        """Continue honestly until a condition holds."""
        while not until(self.table):
            word = self.table.next_payload()
            assert word is not None
            self.add(*word)
        return self

    def _read(self, happened: list[events.LogEvent]) -> None:
        for event in happened:
            if isinstance(event, events.RoundOpened):
                table, seat = self.table, self.seat
                self.keys = HandKeys(
                    table.log, seat, table.secrets(seat), table.view_secrets(seat), seal
                )
            fault = self.keys.open_new(event)
            if fault is not None:
                self.faults.append(fault)

    def hand(self, seat: int) -> dict[int, int]:
        """Return the true cards in a seat's hand."""
        cards = self.table.all_cards()
        return {slot: cards[slot] for slot in self.table.engine.hands[seat]}


# ---- a seat's own hand --------------------------------------------------------------------------


@cache
def dealt() -> LogTable:
    return new_table(3).run(lambda table: table.replay.number == 1 and deciding(table))


def test_a_seat_reads_its_own_hand_and_no_other_card() -> None:
    for seat in range(3):
        reader = Reader(dealt(), seat)
        assert reader.keys.cards == reader.hand(seat)
        assert reader.faults == []


def test_a_seat_reads_nothing_before_all_other_seats_have_unlocked_its_hand() -> None:
    reader = Reader(new_table(3), 0)
    reader.run(lambda table: table.replay.number == 1 and bool(table.log.needs))
    waiting = [need for need in reader.table.log.needs.values() if need.to == 0]
    assert waiting
    while any(need.to == 0 for need in reader.table.log.needs.values()):
        assert reader.keys.cards == {}
        word = reader.table.next_payload()
        assert word is not None
        reader.add(*word)
    assert reader.keys.cards == reader.hand(0)


def test_cards_that_went_back_into_the_draw_pile_are_forgotten_with_the_next_shuffle() -> None:
    reader = Reader(dealt(), 0)
    mine = reader.hand(0)
    reader.run(lambda table: deciding(table) and len(table.engine.hands[0]) < len(mine))
    played = mine.keys() - reader.table.engine.hands[0]
    assert len(played) == 1
    assert played < reader.keys.cards.keys()
    assert reader.keys.open_new(events.DeckReady(0, 108)) is None
    assert played < reader.keys.cards.keys(), "the first deal takes nothing away"
    assert reader.keys.open_new(events.DeckReady(1, 40)) is None
    assert reader.keys.cards == {slot: card for slot, card in mine.items() if slot not in played}


def test_the_repr_shows_no_key_and_no_card() -> None:
    assert repr(Reader(dealt(), 1).keys) == "HandKeys(seat 1, <secret>)"


# ---- hands that change owners -------------------------------------------------------------------


def test_a_given_hand_is_read_once_its_keys_are_handed_over() -> None:
    move = next(iter(moving(Rank.SEVEN).log.moves.values()))
    reader = Reader(moving(Rank.SEVEN), move.to)
    before = dict(reader.keys.cards)
    assert not before.keys() & set(move.slots)
    reader.add(move.seat, reader.table.hand_over(move.number))
    cards = reader.table.all_cards()
    assert reader.keys.cards == before | {slot: cards[slot] for slot in move.slots}
    for slot in move.slots:
        assert reader.keys.key(slot) == reader.table.last_key(move.to, slot)
    assert reader.faults == []


def test_the_keys_of_a_given_hand_reach_no_other_seat() -> None:
    move = next(iter(moving(Rank.SEVEN).log.moves.values()))
    [other] = {0, 1, 2} - {move.seat, move.to}
    for seat in (other, move.seat):
        reader = Reader(moving(Rank.SEVEN), seat)
        before = dict(reader.keys.cards)
        reader.add(move.seat, reader.table.hand_over(move.number))
        assert reader.keys.cards == before
        assert reader.faults == []


def test_the_giver_of_a_hand_can_still_read_it_and_seals_the_right_keys() -> None:
    move = next(iter(moving(Rank.SEVEN).log.moves.values()))
    reader = Reader(moving(Rank.SEVEN), move.seat)
    assert set(move.slots) <= reader.keys.cards.keys()
    sealed = reader.keys.seal(move.slots, move.to, f"move {move.number}")
    assert sealed == reader.table.hand_over(move.number).sealed


def test_a_given_card_that_is_still_dealt_is_read_when_the_last_seat_has_unlocked_it() -> None:
    table, slot, number = with_a_card_that_is_still_dealt()
    move = table.log.moves[number]
    reader = Reader(table, move.to)
    reader.add(move.seat, reader.table.hand_over(number))
    assert slot not in reader.keys.cards
    reader.run(lambda each: each.log.can_read_hand(move.to))
    assert reader.keys.cards[slot] == reader.table.cards(move.to)[slot]
    assert reader.faults == []


# ---- hands that are shown -----------------------------------------------------------------------


def test_a_shown_hand_is_read_by_the_challenger_alone() -> None:
    table = challenged(RoundPhase.VERDICT)
    accused, challenger = table.engine.accused, table.engine.challenger
    reader = Reader(table, challenger)
    shown = {slot: table.all_cards()[slot] for slot in table.engine.accused_hand}
    assert shown.items() <= reader.keys.cards.items()
    assert not shown.keys() & set(table.engine.hands[challenger])
    assert reader.faults == []
    mine = Reader(table, accused)
    assert not set(table.engine.hands[challenger]) & mine.keys.cards.keys()
    assert mine.faults == [], "the box was not for this seat"


def test_a_hand_is_sealed_to_one_seat_for_one_purpose() -> None:
    table = challenged(RoundPhase.SHOW)
    accused, challenger = table.engine.accused, table.engine.challenger
    reader = Reader(table, accused)
    log, hand = reader.table.log, reader.table.engine.accused_hand
    purpose = purpose_of_show(reader.table.engine.decision)
    sealed = reader.keys.seal(hand, challenger, purpose)
    private = reader.table.view_secrets(challenger).private_key
    info = seal_info(log.table_id, log.open_hash, accused, challenger, purpose)
    assert unseal(sealed, private, info) == b"".join(reader.table.key(accused, s) for s in hand)
    with pytest.raises(SealError):
        unseal(sealed, reader.table.view_secrets(accused).private_key, info)
    again = seal_info(log.table_id, log.open_hash, accused, challenger, f"{purpose}1")
    with pytest.raises(SealError):
        unseal(sealed, private, again)


# ---- faults -------------------------------------------------------------------------------------


def short(keys: list[bytes]) -> bytes:
    return b"".join(keys[:-1])


def long(keys: list[bytes]) -> bytes:
    return b"".join(keys) + keys[0]


def reordered(keys: list[bytes]) -> bytes:
    return b"".join([*keys[1:], keys[0]])


def zero_at_the_end(keys: list[bytes]) -> bytes:
    return b"".join([*keys[:-1], bytes(32)])


def not_below_the_order(keys: list[bytes]) -> bytes:
    return b"".join([*keys[:-1], (int.from_bytes(keys[-1], "big") % 2**32 + ORDER).to_bytes(32)])


@pytest.mark.parametrize("wrong", [short, long, reordered, zero_at_the_end, not_below_the_order])
def test_a_box_with_anything_but_the_keys_of_the_hand_is_its_authors_fault(
    wrong: Callable[[list[bytes]], bytes],
) -> None:
    table = challenged(RoundPhase.SHOW)
    accused, challenger = table.engine.accused, table.engine.challenger
    reader = Reader(table, challenger)
    log, hand = table.log, table.engine.accused_hand
    before = dict(reader.keys.cards)
    purpose = purpose_of_show(table.engine.decision)
    info = seal_info(log.table_id, log.open_hash, accused, challenger, purpose)
    content = wrong([table.key(accused, slot) for slot in hand])
    sealed = seal(content, log.commits[challenger].view_key, info)
    reader.add(accused, bodies.Act(table.engine.decision, Show(), sealed))
    assert reader.faults == [Unsound(HaltReason.BAD_SEAL, accused)]
    assert reader.keys.cards == before


def test_a_box_that_was_sealed_for_another_purpose_is_its_authors_fault() -> None:
    table = challenged(RoundPhase.SHOW)
    accused, challenger = table.engine.accused, table.engine.challenger
    reader = Reader(table, challenger)
    other = purpose_of_show(table.engine.decision + 1)
    sealed = table.sealed(accused, challenger, table.engine.accused_hand, other)
    reader.add(accused, bodies.Act(table.engine.decision, Show(), sealed))
    assert reader.faults == [Unsound(HaltReason.BAD_SEAL, accused)]


def locking(table: LogTable) -> bool:
    """Whether seat 2 is about to lock the first deal of round 1, as the last of three seats."""
    current = table.replay.round
    if current is None or current.number != 1 or current.deal is None:
        return False
    return len(current.deal.accepted) == 5


def after_false_lock(
    start: LogTable, seat: int, change: Callable[[tuple[bytes, ...]], tuple[bytes, ...]]
) -> Reader:
    """Return a reader of a seat after seat 2 has locked other points than it should."""
    reader = Reader(start, seat)
    honest = reader.table.take_pass(2)
    points = change(unpack(honest.points, start.log.deals[0].size))
    reader.add(2, bodies.Pass(honest.deal, honest.step, pack(points), honest.keys))
    return reader


def copying(honest: LogTable, first: int, second: int) -> Callable[..., tuple[bytes, ...]]:
    """Return a change that puts the card of slot `first` into slot `second` too.

    All keys of `second` open it to that card. The locks of all seats are replaced.
    """
    factor = 1
    for seat in range(3):
        factor *= parse_scalar(honest.key(seat, second))
        factor *= inverse(parse_scalar(honest.key(seat, first)))
    start = honest.log.slots.deals[0].first_slot

    def change(points: tuple[bytes, ...]) -> tuple[bytes, ...]:
        changed = list(points)
        changed[second - start] = multiply(points[first - start], factor % ORDER)
        return tuple(changed)

    return change


def test_a_slot_that_opens_to_no_card_is_reported_without_blame() -> None:
    start = new_table(3).run(locking)
    reader = after_false_lock(start, 0, lambda points: multiply_each(points, 2))
    reader.run(lambda table: table.log.void is not None)
    assert reader.faults[0] == Unsound(HaltReason.NO_CARD, None)
    assert reader.keys.cards == {}


def test_a_card_in_two_slots_of_a_hand_is_reported_without_blame() -> None:
    start = new_table(3).run(locking)
    honest = start.fork().run(deciding)
    first, second = honest.engine.hands[0]
    reader = after_false_lock(start, 0, copying(honest, first, second)).run(deciding)
    assert reader.faults == [Unsound(HaltReason.NO_CARD, None)]
    assert reader.keys.cards == {first: honest.all_cards()[first]}


def draw_first(table: LogTable, seat: int, acts: tuple[Action, ...]) -> Action:
    del table, seat
    return next((act for act in acts if isinstance(act, Draw)), acts[0])


def test_a_card_that_was_opened_elsewhere_before_is_reported_without_blame() -> None:
    start = new_table(3, choose=draw_first).run(locking)
    honest = start.fork().run(deciding)
    seat = honest.engine.decider
    assert seat is not None
    top, card = next(iter(honest.engine.face_up.items()))
    drawn = honest.fork()
    drawn.decide()
    [second] = set(drawn.engine.hands[seat]) - set(honest.engine.hands[seat])
    reader = after_false_lock(start, seat, copying(honest, top, second)).run(deciding)
    assert reader.faults == []
    reader.run(lambda table: table.engine.decider != seat or second in table.engine.hands[seat])
    reader.run(deciding)
    assert reader.table.engine.face_up[top] == card
    assert reader.faults == [Unsound(HaltReason.NO_CARD, None)]
    assert second not in reader.keys.cards
