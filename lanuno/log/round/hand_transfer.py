"""Hands that change owners, with the giver's keys sealed to the receiver; and timed settlements.

The new owner of a hand can read it only with the keys that the old owner kept secret. No seat acts
until these are handed over. The receiver checks the content of a box immediately, the audit later.
"""

from __future__ import annotations

from lanuno.log.faults import BodyRefused, RefusalReason
from lanuno.log.format import bodies
from lanuno.log.round import events
from lanuno.log.round.events import LogEvent
from lanuno.log.round.round_record import ProtocolPhase, RoundRecord, ShownHand, TimeSettled
from lanuno.log.round.shown_hand import purpose_of_move
from lanuno.log.round.shuffling import RECOVERY_RUNNING, follow_engine
from lanuno.rules.engine.round import Round
from lanuno.rules.errors import IllegalAction


def hand_over(
    record: RoundRecord, seat: int, payload: bodies.HandOver, entry: int
) -> list[LogEvent]:
    """Record the sealed keys of a hand that a seat gave away."""
    move = record.moves.get(payload.move)
    if record.recovering:
        raise BodyRefused(RefusalReason.NOT_NOW, RECOVERY_RUNNING)
    if record.phase is not ProtocolPhase.PLAY or move is None or move.seat != seat:
        raise BodyRefused(RefusalReason.NOT_NOW, "this seat owes no such hand")
    if not payload.sealed:
        raise BodyRefused(RefusalReason.WRONG_SHAPE, "the sealed keys are missing")
    del record.moves[payload.move]
    purpose = purpose_of_move(move.number)
    record.shown.append(ShownHand(entry, seat, move.to, move.slots, purpose, payload.sealed))
    return [events.HandGiven(seat, move.to, move.number)]


def settle(record: RoundRecord, payload: bodies.Settle, entry: int) -> list[LogEvent]:
    """Settle a card or an accusation because the time for objections or votes is up."""
    engine = record.engine
    if record.phase is not ProtocolPhase.PLAY or not isinstance(engine, Round) or record.recovering:
        raise BodyRefused(RefusalReason.NOT_NOW)
    try:
        moves = engine.settle(payload.matter)
    except IllegalAction as error:
        raise BodyRefused(RefusalReason.NOT_NOW, error.refusal.name) from None
    record.inputs.append(TimeSettled(entry, payload.matter))
    return follow_engine(record, moves, entry)
