"""The steps before the first card: commitments, escrow of seeds, complaints about shares."""

from __future__ import annotations

from lanuno.dealing.sealing import box_public, check_box_public
from lanuno.log.faults import BodyRefused, Fault, RefusalReason
from lanuno.log.format import bodies
from lanuno.log.round import events
from lanuno.log.round.closing import convict
from lanuno.log.round.events import LogEvent
from lanuno.log.round.round_record import ProtocolPhase, RoundRecord
from lanuno.log.round.shuffling import begin_play


def commit(record: RoundRecord, seat: int, payload: bodies.Commit, entry: int) -> list[LogEvent]:
    """Record a seat's commitments to its seeds.

    A commitment that equals another seat's is no fault yet, because the host decides the order of
    entries. The seat that copied it cannot reveal matching seeds and is blamed at the reveal.
    """
    record.require_step(ProtocolPhase.COMMIT, seat, record.commits)
    if len(payload.boxes) != len(record.givers(seat)):
        raise BodyRefused(RefusalReason.WRONG_SHAPE, "not one box key for every giver")
    record.commits[seat] = payload
    happened: list[LogEvent] = [events.StepDone(seat, "commit")]
    if not all(map(check_box_public, (*payload.boxes, payload.view_key))):
        detail = "a key to which nothing can be sealed"
        return happened + convict(record, Fault.BAD_COMMITMENT, seat, entry, detail)
    if record.missing():
        return happened
    if record.escrowed:
        record.phase = ProtocolPhase.ESCROW
        return happened
    return happened + begin_play(record, entry)


def escrow(record: RoundRecord, seat: int, payload: bodies.Escrow, entry: int) -> list[LogEvent]:
    """Record the sealed shares of a seat's seed, one for every other owner."""
    record.require_step(ProtocolPhase.ESCROW, seat, record.escrows)
    receivers = len(record.share_receivers(seat))
    if not len(payload.sealed) == len(payload.hashes) == receivers:
        raise BodyRefused(RefusalReason.WRONG_SHAPE, "not one share for every other owner")
    record.escrows[seat] = payload
    record.escrow_entries[seat] = entry
    happened: list[LogEvent] = [events.StepDone(seat, "escrow")]
    return happened if record.missing() else happened + begin_play(record, entry)


def complain(
    record: RoundRecord, seat: int, payload: bodies.Complain, entry: int
) -> list[LogEvent]:
    """Judge a complaint: convict the author of the share, or the seat that complained."""
    # In a void round a receiver may have to publish a share that it has not checked yet.
    asked = record.phase <= ProtocolPhase.PLAY or payload.of in record.recovering
    if payload.of not in record.escrows or not asked or record.has_masked(seat):
        raise BodyRefused(RefusalReason.NOT_NOW)
    if seat not in record.share_receivers(payload.of):
        raise BodyRefused(RefusalReason.NOT_A_SEAT, "this seat gets no share of that seed")
    record.recovering.pop(payload.of, None)
    if box_public(payload.box_private) != record.box_of(seat, payload.of):
        return convict(record, Fault.FALSE_HALT, seat, entry, "not the private box key")
    if record.read_share(payload.of, seat, payload.box_private) is None:
        return convict(record, Fault.BAD_SHARE, payload.of, entry, "a share that is not right")
    return convict(record, Fault.FALSE_HALT, seat, entry, "the share is right")
