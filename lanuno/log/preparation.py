"""Before the first card: commitments, seeds in escrow, and complaints about a share."""

from __future__ import annotations

from lanuno.dealing.sealing import box_public, check_box_public
from lanuno.log import bodies, events
from lanuno.log.closing import convict
from lanuno.log.events import Event
from lanuno.log.faults import BodyRefused, Fault, Refusal
from lanuno.log.round_record import Phase, RoundRecord
from lanuno.log.shuffling import begin


def commit(record: RoundRecord, seat: int, payload: bodies.Commit, entry: int) -> list[Event]:
    """A seat binds itself to its seeds.

    Values copied from another seat are no fault yet, because the host decides who comes first:
    whoever copied cannot reveal what gives them, and is named then.
    """
    record.expect(Phase.COMMIT, seat, record.commits)
    if len(payload.boxes) != len(record.givers(seat)):
        raise BodyRefused(Refusal.WRONG_SHAPE, "one key for every seat that gives a share")
    record.commits[seat] = payload
    happened: list[Event] = [events.StepDone(seat, "commit")]
    if not all(map(check_box_public, (*payload.boxes, payload.view_key))):
        detail = "a key that nothing can be sealed to"
        return happened + convict(record, Fault.BAD_COMMITMENT, seat, entry, detail)
    if record.missing():
        return happened
    if record.escrowed:
        record.phase = Phase.ESCROW
        return happened
    return happened + begin(record, entry)


def escrow(record: RoundRecord, seat: int, payload: bodies.Escrow, entry: int) -> list[Event]:
    """A seat gives every other owner a share of its seed."""
    record.expect(Phase.ESCROW, seat, record.escrows)
    receivers = len(record.share_receivers(seat))
    if not len(payload.sealed) == len(payload.hashes) == receivers:
        raise BodyRefused(Refusal.WRONG_SHAPE, "one share for every other owner")
    record.escrows[seat] = payload
    record.escrow_entries[seat] = entry
    happened: list[Event] = [events.StepDone(seat, "escrow")]
    return happened if record.missing() else happened + begin(record, entry)


def complain(record: RoundRecord, seat: int, payload: bodies.Complain, entry: int) -> list[Event]:
    """Settle a complaint: whoever is wrong, author of the share or complainer, is named."""
    # In a void round a receiver may be asked for a share before it had to look at it.
    asked = record.phase <= Phase.PLAY or payload.of in record.recovering
    if payload.of not in record.escrows or not asked or record.has_masked(seat):
        raise BodyRefused(Refusal.NOT_NOW)
    if seat not in record.share_receivers(payload.of):
        raise BodyRefused(Refusal.NOT_A_SEAT, "no share of that seed is for this seat")
    record.recovering.pop(payload.of, None)
    if box_public(payload.box_private) != record.box_of(seat, payload.of):
        return convict(record, Fault.FALSE_HALT, seat, entry, "not the private box key")
    if record.read_share(payload.of, seat, payload.box_private) is None:
        return convict(record, Fault.BAD_SHARE, payload.of, entry, "a share that is not right")
    return convict(record, Fault.FALSE_HALT, seat, entry, "the share is right")
