"""What players do: an action with its proof, and what the clock does for them.

Whether an action is legal the engine says, as far as everybody can see; the key that comes with a
card is checked against the slot, and the card against its name. Hidden hands are the audit's.
"""

from __future__ import annotations

from lanuno.log import bodies, events
from lanuno.log.closing import convict, make_void
from lanuno.log.events import Event
from lanuno.log.faults import BodyRefused, Fault, Refusal, VoidReason
from lanuno.log.round_record import Acted, Phase, RoundRecord, ShownHand
from lanuno.log.shown_hand import purpose_of_show
from lanuno.log.shuffling import KEY_BYTES, STANDS_STILL, follow_engine, meet
from lanuno.rules.actions import (
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
from lanuno.rules.engine import Round

_RAISES: dict[type, tuple[type, ...]] = {Play: (SayUno, Catch, Object), Accuse: (Vote,)}
"""What is said at any time, by the act that it is said about."""


def act(record: RoundRecord, seat: int, payload: bodies.Act, entry: int, head: int) -> list[Event]:
    """A seat's action. `head` is the number of the last entry that its author held."""
    engine, action = _engine(record), payload.action
    _check_decision(record, engine, seat, payload, head)
    refusal = engine.refusal(seat, action, {})
    if refusal is not None:
        raise BodyRefused(Refusal.ILLEGAL, refusal.name)
    # Not a `match`: Python 3.11.2 and 3.11.7 count its branches differently.
    if isinstance(action, Play):
        fault = _prove(record, seat, action, payload.proof, entry)
        if fault is not None:
            return fault
    elif isinstance(action, Show):
        if not payload.proof:
            raise BodyRefused(Refusal.WRONG_SHAPE, "a hand is shown sealed")
        purpose = purpose_of_show(engine.decision)
        record.shown.append(
            ShownHand(
                entry,
                seat,
                engine.challenger,
                engine.accused_hand,
                purpose,
                payload.proof,
                challenge=True,
            )
        )
    elif isinstance(action, OpenHand):
        fault = _take_keys(record, seat, engine.accused_hand, payload.proof, entry)
        if fault is not None:
            return fault
        taken = _do(record, engine, Acted(entry, seat, action, by_clock=False))
        return taken + meet(record, entry)
    elif payload.proof:
        raise BodyRefused(Refusal.WRONG_SHAPE, "nothing to prove")
    return _do(record, engine, Acted(entry, seat, action, by_clock=False))


def time_out(record: RoundRecord, payload: bodies.TimeOut, entry: int) -> list[Event]:
    """The clock decides for a seat."""
    engine = _engine(record)
    seat = engine.decider
    if payload.decision != engine.decision:
        raise BodyRefused(Refusal.STALE_DECISION)
    if seat is None:
        raise BodyRefused(Refusal.NOT_NOW, "nobody has to decide")
    if not record.reads_its_cards(seat):
        raise BodyRefused(Refusal.NOT_NOW, "the decider cannot read its cards yet")
    record.clocked.setdefault(seat, set()).add(engine.turns)
    return _do(record, engine, Acted(entry, seat, engine.time_out(), by_clock=True))


def _engine(record: RoundRecord) -> Round:
    if record.phase is not Phase.PLAY or not isinstance(record.engine, Round):
        raise BodyRefused(Refusal.NOT_NOW)
    if record.recovering:
        raise BodyRefused(Refusal.NOT_NOW, STANDS_STILL)
    return record.engine


def _check_decision(
    record: RoundRecord, engine: Round, seat: int, payload: bodies.Act, head: int
) -> None:
    """Refuse an action that answers anything but what its author saw.

    Words that are said at any time answer the last card laid, and votes the last accusation: a host
    that held one back cannot use it for another. Every other act answers one decision.

    The audit judges an action with the author's whole hand, so nobody may be held to a card that
    it could not read yet, or to a stock that ran out behind its back.
    """
    action = payload.action
    if isinstance(action, ANY_TIME):
        matter = record.matters.get(type(action), -1)
        if payload.decision > engine.decision or head < matter:
            raise BodyRefused(Refusal.STALE_DECISION)
        return
    if payload.decision != engine.decision:
        raise BodyRefused(Refusal.STALE_DECISION)
    if isinstance(action, Draw | Keep) and head < record.stock_entry:
        raise BodyRefused(Refusal.STALE_DECISION, "what is left to draw has changed")
    if not record.reads_its_cards(seat):
        raise BodyRefused(Refusal.NOT_NOW, "the author cannot read its cards yet")


def _do(record: RoundRecord, engine: Round, acted: Acted) -> list[Event]:
    record.inputs.append(acted)
    record.matters.update(dict.fromkeys(_RAISES.get(type(acted.action), ()), acted.entry))
    happened: list[Event] = [events.ActionTaken(acted.seat, acted.action, acted.by_clock)]
    return happened + follow_engine(record, engine.act(acted.seat, acted.action), acted.entry)


def _take_keys(
    record: RoundRecord, seat: int, hand: tuple[int, ...], keys: bytes, entry: int
) -> list[Event] | None:
    """Take the last keys of a hand that is opened to all; what follows if one is wrong.

    No other seat owes a key for it: a seat decides only once it can read its cards.
    """
    if len(keys) != KEY_BYTES * len(hand):
        raise BodyRefused(Refusal.WRONG_SHAPE, "one key for every slot of the hand")
    for place, slot in enumerate(hand):
        key = keys[KEY_BYTES * place : KEY_BYTES * (place + 1)]
        if not record.slots.release(record.key_owner(slot, seat), slot, key):
            detail = f"the key of slot {slot} is another"
            return convict(record, Fault.BAD_KEY, seat, entry, detail)
    return None


def _prove(
    record: RoundRecord, seat: int, action: Play, key: bytes, entry: int
) -> list[Event] | None:
    """Open the played slot with its last key; what follows if it is not the card named."""
    slots, slot = record.slots, action.slot
    if len(key) != KEY_BYTES:
        raise BodyRefused(Refusal.WRONG_SHAPE, "the key of the slot")
    owner = record.key_owner(slot, seat)
    if any(other != owner for other in slots.missing(slot)):
        raise BodyRefused(Refusal.NOT_NOW, "the others' keys for this card are missing")
    if not slots.release(owner, slot, key):
        return convict(record, Fault.BAD_KEY, seat, entry, f"the key of slot {slot} is another")
    card = slots.open(slot)
    if card is None or (card not in record.hidden and card != record.engine.face_up.get(slot)):
        why = f"slot {slot} opens to no card that can be there"
        return make_void(record, VoidReason.NO_CARD, why)
    if card != action.card:
        detail = "the card named is not the card played"
        return convict(record, Fault.ILLEGAL_PLAY, seat, entry, detail)
    record.hidden.discard(card)
    return None
