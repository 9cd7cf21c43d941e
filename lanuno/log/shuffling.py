"""Cards: the passes over the deck, the keys of slots, and what the engine asks the table for.

The engine says which slots it needs and for whom; deals, needs and opened slots answer it. Whether
a pass is honest only its author's seed can show (`round_audit.py`); here its shape is judged, and
every released key against the one published for its slot.
"""

from __future__ import annotations

from collections.abc import Sequence

from lanuno.dealing.deal import Deal
from lanuno.dealing.errors import PointError
from lanuno.log import bodies, events
from lanuno.log.closing import convict, make_void
from lanuno.log.events import Event
from lanuno.log.faults import BodyRefused, Fault, Refusal, VoidReason
from lanuno.log.round_record import Move, Need, Opened, Phase, RoundRecord, ShuffleDone
from lanuno.rules.engine import Round
from lanuno.rules.events import Ending, HandsMoved, OpenNeeded, RoundOver, ShuffleNeeded
from lanuno.rules.events import Event as RulesEvent
from lanuno.rules.pile import nothing_left

KEY_BYTES = 32
STANDS_STILL = "a lost seat is being recovered"


def begin(record: RoundRecord, entry: int) -> list[Event]:
    """All seats are bound to their seeds: the engine starts."""
    record.phase = Phase.PLAY
    return follow_engine(record, record.engine.start(), entry)


def take_pass(record: RoundRecord, seat: int, payload: bodies.Pass, entry: int) -> list[Event]:
    """A seat's step over the deck."""
    if record.recovering:
        raise BodyRefused(Refusal.NOT_NOW, STANDS_STILL)
    deal = record.deal
    expected = None if deal is None or deal.number != payload.deal else deal.expected
    if deal is None or expected is None:
        raise BodyRefused(Refusal.NOT_NOW)
    kind, turn = expected
    if turn != seat or len(deal.taken) != payload.step:
        raise BodyRefused(Refusal.NOT_NOW, "another step of this deal is due")
    happened: list[Event] = [events.StepDone(seat, kind.value)]
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


def unlock(record: RoundRecord, seat: int, payload: bodies.Unlock, entry: int) -> list[Event]:
    """A seat's keys for slots that others may read."""
    needs = _needs(record, seat, payload)
    for need, keys in zip(needs, payload.lists, strict=True):
        for place, slot in enumerate(need.slots):
            key = keys.keys[KEY_BYTES * place : KEY_BYTES * (place + 1)]
            if not record.slots.release(seat, slot, key):
                detail = f"the key of slot {slot} is another"
                return convict(record, Fault.BAD_KEY, seat, entry, detail)
        need.waiting.discard(seat)
    return meet(record, entry)


def meet(record: RoundRecord, entry: int) -> list[Event]:
    """Let every need take effect for which nobody's keys are missing any more."""
    happened: list[Event] = []
    while met := [need for need in record.needs.values() if not need.waiting]:
        for need in met:
            del record.needs[need.number]
            if need.to is not None:
                happened.append(events.HandUnlocked(need.number, need.to, need.slots))
        for need in met:
            if need.to is None and record.phase is Phase.PLAY:
                happened += _turn_up(record, need, entry)
    return happened


def _needs(record: RoundRecord, seat: int, payload: bodies.Unlock) -> list[Need]:
    """The needs that an Unlock answers; refuses it as a whole unless it answers them exactly."""
    numbers = [keys.need for keys in payload.lists]
    if record.recovering:
        raise BodyRefused(Refusal.NOT_NOW, STANDS_STILL)
    if record.phase is not Phase.PLAY or len(set(numbers)) != len(numbers):
        raise BodyRefused(Refusal.NOT_NOW)
    needs: list[Need] = []
    for keys in payload.lists:
        need = record.needs.get(keys.need)
        if need is None or seat not in need.waiting:
            raise BodyRefused(Refusal.ALREADY_DONE, "no such need of this seat")
        if len(keys.keys) != KEY_BYTES * len(need.slots):
            raise BodyRefused(Refusal.WRONG_SHAPE, "one key for every slot")
        needs.append(need)
    return needs


def _turn_up(record: RoundRecord, need: Need, entry: int) -> list[Event]:
    """Turn slots face up, now that all keys are known."""
    happened: list[Event] = []
    for slot in need.slots:
        card = record.slots.open(slot)
        if card is None or not (card in record.hidden or card == record.engine.face_up.get(slot)):
            why = f"slot {slot} opens to no card that can be there"
            return happened + make_void(record, VoidReason.NO_CARD, why)
        record.hidden.discard(card)
        record.inputs.append(Opened(entry, slot, card))
        happened += follow_engine(record, record.engine.opened(slot, card), entry)
    return happened


def follow_engine(record: RoundRecord, moves: Sequence[RulesEvent], entry: int) -> list[Event]:
    """Carry out what the engine asks for; pass its events on."""
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
                record.needs[move.need] = Need(move.need, move.slots, move.to, waiting)
            case HandsMoved():
                _move_hands(record, move)
            case RoundOver() if move.ending is Ending.VOID:
                return [*moves, *make_void(record, VoidReason.LOST, "nobody can take its place")]
            case _:
                pass
    engine = record.engine
    if isinstance(engine, Round) and nothing_left(engine) != record.stock_empty:
        record.stock_empty = not record.stock_empty
        record.stock_entry = entry
    if engine.over:
        record.needs.clear()
        record.moves.clear()
        record.phase = Phase.REVEAL
    return [*moves]


def _move_hands(record: RoundRecord, moved: HandsMoved) -> None:
    """Every hand that moved is owed to its receiver, with whatever was still being dealt to it."""
    for giver, to, slots in moved.moves:
        for need in record.needs.values():
            if need.to == giver and set(need.slots) <= set(slots):
                need.heir = to
        record.moves[record.moves_made] = Move(record.moves_made, giver, to, slots)
        record.moves_made += 1
    for need in record.needs.values():
        need.to, need.heir = (need.to if need.heir is None else need.heir), None


def _new_deal(record: RoundRecord, asked: ShuffleNeeded) -> None:
    """Begin a deal; `PointError`, and nothing has changed, if a locked slot holds no point."""
    deal = Deal(
        asked.deal,
        record.roster.ruleset.deck,
        asked.cards,
        record.dealing,
        table=record.table_id,
        opened=record.open_hash,
        locked=record.slots.locked(asked.slots, record.dealing),
        first_slot=asked.first_slot,
    )
    record.hidden.update(asked.cards)
    record.deals.append(deal)
    record.deal_entries.append([])


def _off_curve(record: RoundRecord) -> list[Event]:
    """A locked slot holds no point of the curve: convict the seat that published the first such."""
    found = ((number, deal.off_curve()) for number, deal in enumerate(record.deals))
    number, fault = next((number, fault) for number, fault in found if fault is not None)
    detail = f"deal {number}: not a point of the curve"
    entry = record.step_entry(number, fault)
    return convict(record, Fault(fault.name), fault.seat, entry, detail)
