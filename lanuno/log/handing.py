"""Hands that change owners: the giver's keys, sealed to the receiver; and when time is up.

A hand that moved can be read by its new owner only with the keys that were secret to the old one.
Until they are handed over nobody acts. Whether a box holds what it should, its receiver sees at
once and the audit later.
"""

from __future__ import annotations

from lanuno.log import bodies, events
from lanuno.log.events import Event
from lanuno.log.faults import BodyRefused, Refusal
from lanuno.log.round_record import Phase, RoundRecord, Settled, ShownHand
from lanuno.log.shown_hand import purpose_of_move
from lanuno.log.shuffling import STANDS_STILL, follow_engine
from lanuno.rules.engine import Round
from lanuno.rules.errors import IllegalAction


def hand_over(record: RoundRecord, seat: int, payload: bodies.HandOver, entry: int) -> list[Event]:
    """A giver hands the keys of a hand to its receiver."""
    move = record.moves.get(payload.move)
    if record.recovering:
        raise BodyRefused(Refusal.NOT_NOW, STANDS_STILL)
    if record.phase is not Phase.PLAY or move is None or move.seat != seat:
        raise BodyRefused(Refusal.NOT_NOW, "no hand of this seat is to be handed over")
    if not payload.sealed:
        raise BodyRefused(Refusal.WRONG_SHAPE, "a hand is handed over sealed")
    del record.moves[payload.move]
    purpose = purpose_of_move(move.number)
    record.shown.append(ShownHand(entry, seat, move.to, move.slots, purpose, payload.sealed))
    return [events.HandGiven(seat, move.to, move.number)]


def settle(record: RoundRecord, payload: bodies.Settle, entry: int) -> list[Event]:
    """The time for objections or a vote is up."""
    engine = record.engine
    if record.phase is not Phase.PLAY or not isinstance(engine, Round) or record.recovering:
        raise BodyRefused(Refusal.NOT_NOW)
    try:
        moves = engine.settle(payload.matter)
    except IllegalAction as error:
        raise BodyRefused(Refusal.NOT_NOW, error.refusal.name) from None
    record.inputs.append(Settled(entry, payload.matter))
    return follow_engine(record, moves, entry)
