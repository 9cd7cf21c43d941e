"""A seat is lost in the middle of a round: its seed comes back from shares, or the round is void.

Here: whether a round can do without a seat, the shares that the others publish, and how the game
goes on without it. Not here: who is dropped and who comes back (`absence.py`), and the rules about
a leaver's cards (`lanuno.rules.leaving`).

Each receiver publishes its share of the lost seed once the drop is firm (`record.read_share` opens
what was sealed to a seat). With all of them everybody knows every key of the lost seat: its cards
go face up under the discard pile, and later deals omit it. While shares are missing the game stands
still. A share that was sealed to a lost seat stays closed, also when that seat's own seed has come
back: the others could else read the seeds of those who are still there. So a round can do without
one owner; with the second one that goes it is void at once. Only from who is lost after it has
revealed its seeds do the others have its shares all the same.
"""

from __future__ import annotations

from lanuno.dealing.escrow import check_share, rebuild
from lanuno.dealing.secrets import RoundSecrets
from lanuno.log import bodies, events
from lanuno.log.closing import all_out, convict, make_void
from lanuno.log.events import Event
from lanuno.log.faults import BodyRefused, Fault, Refusal, VoidReason
from lanuno.log.round_record import LeftRound, Phase, RoundRecord
from lanuno.log.shuffling import follow_engine, meet

ENOUGH_OWNERS = 3
"""So many owners must remain: of two, one alone would then know all keys of the lost seat."""


def lose(record: RoundRecord, seats: tuple[int, ...], entry: int) -> list[Event]:
    """These seats, of one owner, were dropped: recover them, or give the round up."""
    gone = tuple([seat for seat in seats if seat in record.seats and seat not in record.lost])
    if not gone or record.phase is Phase.DONE:
        return []
    record.lost.update(gone)
    if record.phase is Phase.ATTEST:
        return []
    record.missed.update(gone)
    silent = gone
    if record.phase is Phase.REVEAL:
        silent = tuple([seat for seat in gone if seat in record.commits.keys() - record.reveals])
        record.withheld.update(dict.fromkeys(silent, entry))
    second = bool(silent and record.recovering)
    wanted = (*silent, *record.recovering)
    if second or not all(_can_recover(record, seat) for seat in wanted):
        record.recovering.clear()
        return _spoil(record, gone[0])
    record.recovering.update({seat: {} for seat in silent})
    return _recover_all(record, entry) or all_out(record)


def _can_recover(record: RoundRecord, seat: int) -> bool:
    """Whether every share of a seat's seed can still come, and enough owners remain.

    No share comes from a receiver that was lost before it gave it, unless it has revealed its
    seeds. Once a round is over its hands are opened anyway, so that any number of owners is enough.
    """
    if record.phase < Phase.PLAY or seat not in record.escrows:
        return False
    out = record.recovering.get(seat, {})
    absent = [to for to in record.share_receivers(seat) if to in record.lost and to not in out]
    if not all(map(record.opens_boxes, absent)):
        return False
    return record.phase is Phase.REVEAL or len(record.owners_here()) >= ENOUGH_OWNERS


def _spoil(record: RoundRecord, seat: int) -> list[Event]:
    """The round cannot do without a seat."""
    if record.void is None:
        record.spoilers.add(record.owner_of(seat))
    return make_void(record, VoidReason.LOST, "a seat was lost")


def share(record: RoundRecord, seat: int, payload: bodies.Share, entry: int) -> list[Event]:
    """A seat publishes its share of a lost seat's seed."""
    shares = record.recovering.get(payload.of)
    if shares is None:
        raise BodyRefused(Refusal.NOT_NOW, "no such seat is being recovered")
    if seat in shares:
        raise BodyRefused(Refusal.ALREADY_DONE)
    receivers = record.share_receivers(payload.of)
    if seat not in receivers:
        raise BodyRefused(Refusal.NOT_A_SEAT, "no share of that seed is for this seat")
    published = record.escrows[payload.of].hashes[receivers.index(seat)]
    if not check_share(payload.share, published, record.context(payload.of), seat):
        record.recovering.clear()
        detail = "not the share that it was given"
        return convict(record, Fault.BAD_SHARE, seat, entry, detail)
    shares[seat] = payload.share
    happened: list[Event] = [events.StepDone(seat, "share")]
    return happened + _recover_all(record, entry)


def _recover_all(record: RoundRecord, entry: int) -> list[Event]:
    """Go on with every lost seat whose shares are all known."""
    happened: list[Event] = []
    for seat in sorted(record.recovering):
        if seat in record.recovering and not record.missing_shares(seat):
            happened += _recover(record, seat, entry)
    return happened


def _recover(record: RoundRecord, seat: int, entry: int) -> list[Event]:
    """All shares of a lost seat's seed are out."""
    given, views = record.recovering.pop(seat), record.known_views()
    parts = []
    for to in record.share_receivers(seat):
        part = given.get(to)
        if part is None:
            part = record.read_share(seat, to, views[to].box_private(seat))
        if part is None:
            detail = "the share for a seat that is gone does not open"
            return _not_recovered(record, Fault.BAD_SHARE, seat, detail)
        parts.append(part)
    secrets = RoundSecrets(rebuild(parts), record.context(seat))
    if not record.committed_to(seat, secrets):
        detail = "its shares give another seed than the one it committed to"
        return _not_recovered(record, Fault.BAD_SHARE, seat, detail)
    record.recovered[seat] = secrets
    record.withheld.pop(seat, None)
    if record.slots.adopt(secrets):
        return _not_recovered(record, Fault.BAD_LOCK, seat, "keys that its seed does not give")
    happened: list[Event] = [events.SeatRecovered(seat)]
    if record.recovering:
        return happened
    if record.phase is not Phase.PLAY:
        return happened + all_out(record)
    # In play all these are of one owner, and the first of them may leave no round to go on with.
    for gone in sorted(record.recovered):
        if record.phase is Phase.PLAY:
            happened += _go_on_without(record, gone, entry)
    return happened


def _not_recovered(record: RoundRecord, fault: Fault, seat: int, detail: str) -> list[Event]:
    """What a lost seat gave to the others proves a fault of its own."""
    record.recovering.clear()
    return convict(record, fault, seat, record.escrow_entries[seat], detail)


def _go_on_without(record: RoundRecord, seat: int, entry: int) -> list[Event]:
    """The engine settles what was pending; nobody waits for this seat's keys any more."""
    if any(move.seat == seat for move in record.moves.values()):
        # Nobody else knows what it still had to hand over.
        return _spoil(record, seat)
    record.departed.add(seat)
    record.inputs.append(LeftRound(entry, seat))
    for need in list(record.needs.values()):
        need.waiting.discard(seat)
        if need.to == seat:
            del record.needs[need.number]
    for move in list(record.moves.values()):
        if move.to == seat:
            del record.moves[move.number]
    happened = follow_engine(record, record.engine.drop(seat), entry)
    if record.void is VoidReason.LOST:
        record.spoilers.add(record.owner_of(seat))
    return happened + meet(record, entry)
