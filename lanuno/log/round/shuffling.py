"""Cards: the passes of a deal, the keys of slots, and the engine's requests to the table.

The engine requests shuffles and opened slots; deals and key needs fulfil these requests. This
module checks the shape of each pass, and every released key against the key published for its slot.
Only the seed of a pass's author can show whether the pass is honest (`round_audit.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from lanuno.dealing.deal import Deal
from lanuno.dealing.errors import PointError
from lanuno.log.faults import BodyRefused, Fault, RefusalReason, VoidReason
from lanuno.log.format import bodies
from lanuno.log.round import events
from lanuno.log.round.closing import convict, make_void
from lanuno.log.round.events import LogEvent
from lanuno.log.round.round_record import (
    KeyNeed,
    Move,
    ProtocolPhase,
    RoundRecord,
    ShuffleDone,
    SlotOpened,
)
from lanuno.rules.engine.events import (
    GameEvent,
    HandsMoved,
    OpenNeeded,
    RoundEnding,
    RoundOver,
    ShuffleNeeded,
)
from lanuno.rules.engine.pile import nothing_left
from lanuno.rules.engine.round import Round

SLOT_KEY_BYTES = 32
RECOVERY_RUNNING = "a lost seat is being recovered"


def begin_play(record: RoundRecord, entry: int) -> list[LogEvent]:
    """Start the engine, once all seats have committed to their seeds and any escrow is done."""
    record.phase = ProtocolPhase.PLAY
    return follow_engine(record, record.engine.start(), entry)


def take_pass(record: RoundRecord, seat: int, payload: bodies.Pass, entry: int) -> list[LogEvent]:
    """Apply a seat's step in the present deal."""
    if record.recovering:
        raise BodyRefused(RefusalReason.NOT_NOW, RECOVERY_RUNNING)
    deal = record.deal
    expected = None if deal is None or deal.number != payload.deal else deal.expected
    if deal is None or expected is None:
        raise BodyRefused(RefusalReason.NOT_NOW)
    kind, turn = expected
    if turn != seat or len(deal.accepted) != payload.step:
        raise BodyRefused(RefusalReason.NOT_NOW, "another step of this deal is due")
    happened: list[LogEvent] = [events.StepDone(seat, kind.value)]
    fault = deal.accept_packed(seat, payload.points, payload.keys)
    if fault is not None:
        return happened + convict(record, Fault(fault.name), seat, entry, fault.flaw.value)
    record.deal_entries[-1].append(entry)
    if deal.done:
        record.slots.add(deal)
        record.inputs.append(ShuffleDone(entry, deal.number))
        happened.append(events.DeckReady(deal.number, deal.size))
        happened += follow_engine(record, record.engine.shuffled(), entry)
    return happened


def unlock(record: RoundRecord, seat: int, payload: bodies.Unlock, entry: int) -> list[LogEvent]:
    """Release a seat's keys for the slots of the needs that the Unlock answers."""
    needs = _answered_needs(record, seat, payload)
    for need, keys in zip(needs, payload.lists, strict=True):
        for place, slot in enumerate(need.slots):
            key = keys.keys[SLOT_KEY_BYTES * place : SLOT_KEY_BYTES * (place + 1)]
            if not record.slots.release(seat, slot, key):
                detail = f"the key of slot {slot} is wrong"
                return convict(record, Fault.BAD_KEY, seat, entry, detail)
        need.waiting.discard(seat)
    return apply_met_needs(record, entry)


def apply_met_needs(record: RoundRecord, entry: int) -> list[LogEvent]:
    """Apply every need that waits for no more keys."""
    happened: list[LogEvent] = []
    while met := [need for need in record.needs.values() if not need.waiting]:
        for need in met:
            del record.needs[need.number]
            if need.to is not None:
                happened.append(events.HandUnlocked(need.number, need.to, need.slots))
        for need in met:
            if need.to is None and record.phase is ProtocolPhase.PLAY:
                happened += _open_to_all(record, need, entry)
    return happened


def _answered_needs(record: RoundRecord, seat: int, payload: bodies.Unlock) -> list[KeyNeed]:
    """Return the needs that an Unlock answers; refuse all of it if one key list does not fit."""
    numbers = [keys.need for keys in payload.lists]
    if record.recovering:
        raise BodyRefused(RefusalReason.NOT_NOW, RECOVERY_RUNNING)
    if record.phase is not ProtocolPhase.PLAY or len(set(numbers)) != len(numbers):
        raise BodyRefused(RefusalReason.NOT_NOW)
    needs: list[KeyNeed] = []
    for keys in payload.lists:
        need = record.needs.get(keys.need)
        if need is None or seat not in need.waiting:
            raise BodyRefused(RefusalReason.ALREADY_DONE, "no such need of this seat")
        if len(keys.keys) != SLOT_KEY_BYTES * len(need.slots):
            raise BodyRefused(RefusalReason.WRONG_SHAPE, "not one key for every slot")
        needs.append(need)
    return needs


def _open_to_all(record: RoundRecord, need: KeyNeed, entry: int) -> list[LogEvent]:
    """Open slots to everybody, now that all their keys are known."""
    happened: list[LogEvent] = []
    for slot in need.slots:
        card = record.slots.open(slot)
        if card is None or not (card in record.hidden or card == record.engine.face_up.get(slot)):
            why = f"slot {slot} opens to no card that can be there"
            return happened + make_void(record, VoidReason.NO_CARD, why)
        record.hidden.discard(card)
        record.inputs.append(SlotOpened(entry, slot, card))
        happened += follow_engine(record, record.engine.opened(slot, card), entry)
    return happened


def follow_engine(record: RoundRecord, moves: Sequence[GameEvent], entry: int) -> list[LogEvent]:
    """Carry out the requests among the engine's events; return these and all further events."""
    for move in moves:
        match move:
            case ShuffleNeeded():
                try:
                    _new_deal(record, move)
                except PointError:
                    return [*moves, *_off_curve(record)]
            case OpenNeeded():
                waiting = {
                    seat
                    for slot in move.slots
                    for seat in record.slots.missing(slot)
                    if seat != move.to
                }
                record.needs[move.need] = KeyNeed(move.need, move.slots, move.to, waiting)
            case HandsMoved():
                _move_hands(record, move)
            case RoundOver() if move.ending is RoundEnding.VOID:
                return [*moves, *make_void(record, VoidReason.LOST, "a seat cannot be replaced")]
            case _:
                pass
    engine = record.engine
    if isinstance(engine, Round) and nothing_left(engine) != record.nothing_to_draw:
        record.nothing_to_draw = not record.nothing_to_draw
        record.draw_change_entry = entry
    if engine.over:
        record.needs.clear()
        record.moves.clear()
        record.phase = ProtocolPhase.REVEAL
    return [*moves]


def _move_hands(record: RoundRecord, moved: HandsMoved) -> None:
    """Record that each giver owes its receiver the keys of the hand; redirect pending needs."""
    redirected: list[tuple[KeyNeed, int]] = []
    for giver, to, slots in moved.moves:
        needs = record.needs.values()
        redirected += [
            (need, to) for need in needs if need.to == giver and set(need.slots) <= set(slots)
        ]
        record.moves[record.moves_made] = Move(record.moves_made, giver, to, slots)
        record.moves_made += 1
    for need, to in redirected:
        need.to = to


def _new_deal(record: RoundRecord, asked: ShuffleNeeded) -> None:
    """Begin a deal.

    Raises `PointError`, with nothing changed, if the keys of a seat that left must be taken off a
    locked slot whose point is off the curve.
    """
    deal = Deal(
        asked.deal,
        record.roster.ruleset.deck,
        asked.cards,
        record.dealing_seats,
        table=record.table_id,
        open_hash=record.open_hash,
        locked=record.slots.locked(asked.slots, record.dealing_seats),
        first_slot=asked.first_slot,
    )
    record.hidden.update(asked.cards)
    record.deals.append(deal)
    record.deal_entries.append([])


def _off_curve(record: RoundRecord) -> list[LogEvent]:
    """Convict the author of the round's first step off the curve: a locked slot holds no point."""
    found = ((number, deal.off_curve()) for number, deal in enumerate(record.deals))
    number, fault = next((number, fault) for number, fault in found if fault is not None)
    detail = f"deal {number}: not a point of the curve"
    entry = record.step_entry(number, fault)
    return convict(record, Fault(fault.name), fault.seat, entry, detail)
