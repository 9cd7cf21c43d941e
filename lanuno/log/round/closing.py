"""The end of a round: proven faults, void rounds, seeds, attestations.

The other modules of this package call this one when a round cannot continue. The conclusions here
follow from public bytes alone. Only the audit (`round_audit.py`) can find the fault that made a
round void, and whether a claim is true.
"""

from __future__ import annotations

from lanuno.dealing.identity import verify
from lanuno.dealing.verify import dealt_cards
from lanuno.log.faults import Blame, BodyRefused, Fault, RefusalReason, VoidReason
from lanuno.log.format import bodies
from lanuno.log.round import events
from lanuno.log.round.clock_acts import clock_acts
from lanuno.log.round.events import LogEvent
from lanuno.log.round.round_record import ProtocolPhase, RoundRecord


def convict(
    record: RoundRecord, fault: Fault, seat: int, entry: int, detail: str = ""
) -> list[LogEvent]:
    """Record a fault that the log itself proves, and make the round void."""
    blame = Blame(seat, fault, record.number, entry, detail)
    record.faults.append(blame)
    return [events.FaultFound(blame), *make_void(record, VoidReason.FAULT, fault.value)]


def count_against(record: RoundRecord, seat: int) -> None:
    """Count the round, which is void, against the owner of a dropped seat whose seeds are missing.

    If only the host says that the seat owes its seeds, the host may be withholding its Reveal. No
    log shows which, so the round counts for this owner and this host together.
    """
    owner, host = record.owner_of(seat), record.dropped_by.get(seat)
    if record.phase is ProtocolPhase.REVEAL and host is not None:
        record.disputed_drops.add((owner, host))
    else:
        record.voided_by.add(owner)


def make_void(record: RoundRecord, reason: VoidReason, why: str) -> list[LogEvent]:
    """Make the round void and skip to the reveal."""
    happened: list[LogEvent] = []
    if record.void is None:
        record.void = reason
        happened.append(events.RoundVoided(record.number, reason, why))
    record.result = None
    record.needs.clear()
    record.moves.clear()
    record.phase = max(record.phase, ProtocolPhase.REVEAL)
    return happened + end_reveal(record)


def halt(record: RoundRecord, seat: int, payload: bodies.Halt, entry: int) -> list[LogEvent]:
    """Make the round void because a seat claims a fault that only the audit can show."""
    if payload.reason is bodies.HaltReason.REACHABLE:
        return _halt_reachable(record, seat, payload)
    if payload.here is not None:
        raise BodyRefused(RefusalReason.WRONG_SHAPE, "a presence signature without REACHABLE")
    if record.phase >= ProtocolPhase.REVEAL:
        raise BodyRefused(RefusalReason.NOT_NOW)
    if payload.of is not None and payload.of not in record.seats:
        raise BodyRefused(RefusalReason.WRONG_SHAPE, "suspects a seat that does not play")
    record.halts[seat] = (payload.reason, entry)
    why = payload.reason.name.lower().replace("_", " ")
    return make_void(record, VoidReason.HALTED, f"halted: {why}")


def _halt_reachable(record: RoundRecord, seat: int, payload: bodies.Halt) -> list[LogEvent]:
    """Make the round void: a seat reaches a dropped player and withholds its share of that seed.

    The player signed that it is reachable; the host claims that it did not do its part. No log can
    show which of the two is wrong, so the round is void without counting towards an expulsion
    (`replay/absence.py`).
    """
    of = payload.of
    if of is None or of not in record.recovering or seat not in record.missing_shares(of):
        raise BodyRefused(RefusalReason.NOT_NOW, "no share is expected from this seat")
    if of not in record.dropped_by:
        raise BodyRefused(RefusalReason.NOT_NOW, "this player signed a Leave")
    owner = record.owner_of(of)
    digest = bodies.presence_digest(record.table_id, owner, record.drop_hashes[of])
    public = record.roster.seats[owner].identity
    if payload.here is None or not verify(public, payload.here, digest):
        raise BodyRefused(RefusalReason.ILLEGAL, "not signed by the dropped player")
    record.recovering.clear()
    record.disputed_drops.add((owner, record.dropped_by[of]))
    return make_void(record, VoidReason.LOST, "a dropped player can be reached")


def reveal(record: RoundRecord, seat: int, payload: bodies.Reveal, entry: int) -> list[LogEvent]:
    """Record a seat's seeds; convict the seat unless they match everything it committed to."""
    record.require_step(ProtocolPhase.REVEAL, seat, record.reveals)
    if seat not in record.commits:
        raise BodyRefused(RefusalReason.NOT_NOW, "this seat committed to nothing")
    record.reveals[seat] = payload
    record.reveal_entries[seat] = entry
    happened: list[LogEvent] = [events.Revealed(seat)]
    if record.revealed(seat) is None:
        detail = "the seeds do not match the commitments"
        return happened + convict(record, Fault.BAD_COMMITMENT, seat, entry, detail)
    return happened + end_reveal(record)


def attest(
    record: RoundRecord, seat: int, payload: bodies.Attest, entry: int, head: int
) -> list[LogEvent]:
    """Record the result of a seat's audit of the round."""
    record.require_step(ProtocolPhase.ATTEST, seat, record.attests)
    if payload.reveal != record.reveal_hash:
        raise BodyRefused(RefusalReason.STALE_DECISION, "attests another reveal")
    if list(payload.blamed) != sorted(set(payload.blamed)):
        raise BodyRefused(RefusalReason.WRONG_SHAPE, "seats are not rising")
    if any(blamed >= len(record.roster.seats) for blamed in payload.blamed):
        raise BodyRefused(RefusalReason.WRONG_SHAPE, "blames a seat that does not exist")
    record.attests[seat] = payload.blamed
    record.attest_entries[seat] = entry
    record.attest_heads[seat] = head
    return [events.Attested(seat, payload.blamed)]


def end_reveal(record: RoundRecord) -> list[LogEvent]:
    """If no more seeds can come, compute the result and continue with the attestations."""
    if record.phase is not ProtocolPhase.REVEAL or record.missing() or record.recovering:
        return []
    for seat in record.halts:
        if not record.can_judge_halt(seat):
            count_against(record, seat)
    record.phase = ProtocolPhase.ATTEST
    if record.void is None:
        # All seeds are known and right, so every hand is known.
        cards = dealt_cards(record.slots.deals, record.known_secrets())
        record.result = record.engine.reveal(cards)
        record.clock_acts = clock_acts(record, cards)
    return [events.RoundRevealed(record.number, record.result)]
