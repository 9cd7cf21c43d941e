"""Actions of players with their proofs, and decisions that the clock makes for them.

The engine decides from public information whether an action is legal. The key that comes with a
played card is checked against the slot, and the opened card against the card named. The audit
checks hidden hands.
"""

from __future__ import annotations

from lanuno.log.faults import BodyRefused, Fault, RefusalReason, VoidReason
from lanuno.log.format import bodies
from lanuno.log.round import events
from lanuno.log.round.closing import convict, make_void
from lanuno.log.round.events import LogEvent
from lanuno.log.round.round_record import Acted, ProtocolPhase, RoundRecord, ShownHand
from lanuno.log.round.shown_hand import purpose_of_show
from lanuno.log.round.shuffling import (
    RECOVERY_RUNNING,
    SLOT_KEY_BYTES,
    apply_met_needs,
    follow_engine,
)
from lanuno.rules.engine.actions import (
    ANY_TIME,
    Accuse,
    Catch,
    Draw,
    Keep,
    Object,
    OpenHand,
    Play,
    SayUno,
    Show,
    Vote,
)
from lanuno.rules.engine.round import Round

_ANSWERED_LATER: dict[type, tuple[type, ...]] = {Play: (SayUno, Catch, Object), Accuse: (Vote,)}
"""By act: the acts that respond to it and are legal at any time."""


def act(
    record: RoundRecord, seat: int, payload: bodies.Act, entry: int, head: int
) -> list[LogEvent]:
    """Apply a seat's action. `head` is the number of the last entry that its author held."""
    engine, action = _engine(record), payload.action
    _check_decision(record, engine, seat, payload, head)
    refusal = engine.refusal(seat, action, {})
    if refusal is not None:
        raise BodyRefused(RefusalReason.ILLEGAL, refusal.name)
    # Not a `match`: Python 3.11.2 and 3.11.7 count its branches differently.
    if isinstance(action, Play):
        fault = _check_play(record, seat, action, payload.proof, entry)
        if fault is not None:
            return fault
    elif isinstance(action, Show):
        if not payload.proof:
            raise BodyRefused(RefusalReason.WRONG_SHAPE, "the sealed keys are missing")
        to, hand = engine.challenger, engine.accused_hand
        purpose = purpose_of_show(engine.decision)
        shown = ShownHand(entry, seat, to, hand, purpose, payload.proof, challenge=True)
        record.shown.append(shown)
    elif isinstance(action, OpenHand):
        fault = _take_hand_keys(record, seat, engine.accused_hand, payload.proof, entry)
        if fault is not None:
            return fault
        taken = _take_action(record, engine, Acted(entry, seat, action, by_clock=False))
        return taken + apply_met_needs(record, entry)
    elif payload.proof:
        raise BodyRefused(RefusalReason.WRONG_SHAPE, "this action takes no proof")
    return _take_action(record, engine, Acted(entry, seat, action, by_clock=False))


def time_out(record: RoundRecord, payload: bodies.TimeOut, entry: int) -> list[LogEvent]:
    """Let the clock decide for the seat whose decision is open."""
    engine = _engine(record)
    seat = engine.decider
    if payload.decision != engine.decision:
        raise BodyRefused(RefusalReason.STALE_DECISION)
    if seat is None:
        raise BodyRefused(RefusalReason.NOT_NOW, "nobody has to decide")
    if not record.can_read_hand(seat):
        raise BodyRefused(RefusalReason.NOT_NOW, "the decider cannot read its cards yet")
    record.clock_turns.setdefault(seat, set()).add(engine.turns)
    return _take_action(record, engine, Acted(entry, seat, engine.clock_action(), by_clock=True))


def _engine(record: RoundRecord) -> Round:
    if record.phase is not ProtocolPhase.PLAY or not isinstance(record.engine, Round):
        raise BodyRefused(RefusalReason.NOT_NOW)
    if record.recovering:
        raise BodyRefused(RefusalReason.NOT_NOW, RECOVERY_RUNNING)
    return record.engine


def _check_decision(
    record: RoundRecord, engine: Round, seat: int, payload: bodies.Act, head: int
) -> None:
    """Refuse an action that does not answer the state that its author saw.

    Acts that are legal at any time answer the last card laid, and votes the last accusation, so a
    host cannot withhold one and use it for another card. Every other act answers one decision.

    The audit judges an action with the author's whole hand. An author must therefore not be judged
    by a card that it could not read yet, or by a draw pile that ran out after the entries it knew.
    """
    action = payload.action
    if isinstance(action, ANY_TIME):
        earliest = record.earliest_heads.get(type(action), -1)
        if payload.decision > engine.decision or head < earliest:
            raise BodyRefused(RefusalReason.STALE_DECISION)
        return
    if payload.decision != engine.decision:
        raise BodyRefused(RefusalReason.STALE_DECISION)
    if isinstance(action, Draw | Keep) and head < record.draw_change_entry:
        raise BodyRefused(RefusalReason.STALE_DECISION, "the cards left to draw have changed")
    if not record.can_read_hand(seat):
        raise BodyRefused(RefusalReason.NOT_NOW, "the author cannot read its cards yet")


def _take_action(record: RoundRecord, engine: Round, acted: Acted) -> list[LogEvent]:
    record.inputs.append(acted)
    record.earliest_heads.update(
        dict.fromkeys(_ANSWERED_LATER.get(type(acted.action), ()), acted.entry)
    )
    happened: list[LogEvent] = [events.ActionTaken(acted.seat, acted.action, acted.by_clock)]
    return happened + follow_engine(record, engine.act(acted.seat, acted.action), acted.entry)


def _take_hand_keys(
    record: RoundRecord, seat: int, hand: tuple[int, ...], keys: bytes, entry: int
) -> list[LogEvent] | None:
    """Release the last keys of a hand that is opened to all; return the events if one is wrong.

    No other seat owes a key for the hand: a seat decides only once it can read its cards.
    """
    if len(keys) != SLOT_KEY_BYTES * len(hand):
        raise BodyRefused(RefusalReason.WRONG_SHAPE, "not one key for every slot of the hand")
    for place, slot in enumerate(hand):
        key = keys[SLOT_KEY_BYTES * place : SLOT_KEY_BYTES * (place + 1)]
        if not record.slots.release(record.key_owner(slot, seat), slot, key):
            detail = f"the key of slot {slot} is wrong"
            return convict(record, Fault.BAD_KEY, seat, entry, detail)
    return None


def _check_play(
    record: RoundRecord, seat: int, action: Play, key: bytes, entry: int
) -> list[LogEvent] | None:
    """Open the played slot with its last key; return the events if it is not the card named."""
    slots, slot = record.slots, action.slot
    if len(key) != SLOT_KEY_BYTES:
        raise BodyRefused(RefusalReason.WRONG_SHAPE, "not a 32-byte slot key")
    owner = record.key_owner(slot, seat)
    if any(other != owner for other in slots.missing(slot)):
        raise BodyRefused(RefusalReason.NOT_NOW, "the others' keys for this card are missing")
    if not slots.release(owner, slot, key):
        return convict(record, Fault.BAD_KEY, seat, entry, f"the key of slot {slot} is wrong")
    card = slots.open(slot)
    if card is None or (card not in record.hidden and card != record.engine.face_up.get(slot)):
        why = f"slot {slot} opens to no card that can be there"
        return make_void(record, VoidReason.NO_CARD, why)
    if card != action.card:
        detail = "the card named is not the card played"
        return convict(record, Fault.ILLEGAL_PLAY, seat, entry, detail)
    record.hidden.discard(card)
    return None
