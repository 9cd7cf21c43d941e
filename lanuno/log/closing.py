"""How a round ends: proven faults, void rounds, seeds, attestations.

Every other room of a round comes here when it finds that the round cannot go on. Which fault stands
behind a void round, and whether what was claimed is true, only the audit can say
(`round_audit.py`): what is concluded here follows from public bytes alone.
"""

from __future__ import annotations

from lanuno.dealing.identity import verify
from lanuno.dealing.verify import dealt_cards
from lanuno.log import bodies, events
from lanuno.log.events import Event
from lanuno.log.faults import Blame, BodyRefused, Fault, Refusal, VoidReason
from lanuno.log.round_record import Phase, RoundRecord


def convict(
    record: RoundRecord, fault: Fault, seat: int, entry: int, detail: str = ""
) -> list[Event]:
    """Note a fault that the log itself proves; the round is void."""
    blame = Blame(seat, fault, record.number, entry, detail)
    record.faults.append(blame)
    return [events.FaultFound(blame), *make_void(record, VoidReason.FAULT, fault.value)]


def make_void(record: RoundRecord, reason: VoidReason, why: str) -> list[Event]:
    """Go straight to the reveal; what was played counts for nothing."""
    happened: list[Event] = []
    if record.void is None:
        record.void = reason
        happened.append(events.RoundVoided(record.number, reason, why))
    record.result = None
    record.needs.clear()
    record.moves.clear()
    record.phase = max(record.phase, Phase.REVEAL)
    return happened + all_out(record)


def halt(record: RoundRecord, seat: int, payload: bodies.Halt, entry: int) -> list[Event]:
    """A seat claims that something is wrong which only the audit can show."""
    if payload.reason is bodies.HaltReason.REACHABLE:
        return _withhold(record, seat, payload)
    if payload.here is not None:
        raise BodyRefused(Refusal.WRONG_SHAPE, "somebody's word that it is there")
    if record.phase >= Phase.REVEAL:
        raise BodyRefused(Refusal.NOT_NOW)
    if payload.of is not None and payload.of not in record.seats:
        raise BodyRefused(Refusal.WRONG_SHAPE, "suspects nobody who plays")
    record.halts[seat] = (payload.reason, entry)
    why = payload.reason.name.lower().replace("_", " ")
    return make_void(record, VoidReason.HALTED, f"halted: {why}")


def _withhold(record: RoundRecord, seat: int, payload: bodies.Halt) -> list[Event]:
    """A seat gives no share of the seed of a dropped player that it can reach.

    The player's own word shows that it is there; the host's word, that it did not do its part. No
    log can tell which of the two is wrong, so that the round counts for neither (`absence.py`).
    """
    of = payload.of
    if of is None or of not in record.recovering or seat not in record.missing_shares(of):
        raise BodyRefused(Refusal.NOT_NOW, "no share of this seat is asked for")
    if of not in record.dropped_by:
        raise BodyRefused(Refusal.NOT_NOW, "this player has signed that it leaves")
    owner = record.owner_of(of)
    digest = bodies.presence_digest(record.table_id, owner, record.drop_hashes[of])
    public = record.roster.seats[owner].identity
    if payload.here is None or not verify(public, payload.here, digest):
        raise BodyRefused(Refusal.ILLEGAL, "not the word of the player that was dropped")
    record.recovering.clear()
    record.denied.add((owner, record.dropped_by[of]))
    return make_void(record, VoidReason.LOST, "a player that was dropped can be reached")


def reveal(record: RoundRecord, seat: int, payload: bodies.Reveal, entry: int) -> list[Event]:
    """A seat publishes its seeds: they must give everything that it committed to."""
    record.expect(Phase.REVEAL, seat, record.reveals)
    if seat not in record.commits:
        raise BodyRefused(Refusal.NOT_NOW, "nothing was committed to")
    record.reveals[seat] = payload
    record.reveal_entries[seat] = entry
    happened: list[Event] = [events.Revealed(seat)]
    if record.revealed(seat) is None:
        detail = "the seeds do not give what was committed to"
        return happened + convict(record, Fault.BAD_COMMITMENT, seat, entry, detail)
    return happened + all_out(record)


def attest(
    record: RoundRecord, seat: int, payload: bodies.Attest, entry: int, head: int
) -> list[Event]:
    """A seat says what its audit of the round found."""
    record.expect(Phase.ATTEST, seat, record.attests)
    if payload.reveal != record.last_head:
        raise BodyRefused(Refusal.STALE_DECISION, "attests another state")
    if list(payload.blamed) != sorted(set(payload.blamed)):
        raise BodyRefused(Refusal.WRONG_SHAPE, "seats rising")
    if any(blamed >= len(record.roster.seats) for blamed in payload.blamed):
        raise BodyRefused(Refusal.WRONG_SHAPE, "blames a seat that is not there")
    record.attests[seat] = payload.blamed
    record.attest_entries[seat] = entry
    record.attest_heads[seat] = head
    return [events.Attested(seat, payload.blamed)]


def all_out(record: RoundRecord) -> list[Event]:
    """Once no more seeds can come, work out the result and ask for attestations."""
    if record.phase is not Phase.REVEAL or record.missing() or record.recovering:
        return []
    record.phase = Phase.ATTEST
    if record.void is None:
        # Nobody is missing and nobody's seeds are wrong, so every hand is known.
        cards = dealt_cards(record.slots.deals, record.known_secrets())
        record.result = record.engine.reveal(cards)
    return [events.RoundRevealed(record.number, record.result)]
