"""A seat lost in the middle of a round: its seed is recovered from shares, or the round is void.

This module decides whether a round can continue without a seat, collects the shares that the other
owners publish, and continues the game. `replay/absence.py` tracks who is dropped and who returns;
`lanuno.rules.engine.leaving` holds the rules about a leaver's cards.

Each receiver publishes its share of the lost seed once the drop is final (`record.read_share` opens
a share that was sealed to a seat). All shares together give every key of the lost seat: its cards
go face up under the discard pile, and later deals omit the seat. The game is paused while shares
are missing.

A share that was sealed to a lost seat stays sealed, even after that seat's own seed is recovered.
Otherwise the remaining players could read the seeds of players who are still present. A round can
therefore continue without one owner, and becomes void when a second one is lost. The exception is a
seat that was lost after it revealed its seeds: its boxes can be opened.
"""

from __future__ import annotations

from lanuno.dealing.escrow import check_share, rebuild
from lanuno.dealing.secrets import RoundSecrets
from lanuno.log.faults import BodyRefused, Fault, RefusalReason, VoidReason
from lanuno.log.format import bodies
from lanuno.log.round import events
from lanuno.log.round.closing import convict, count_against, end_reveal, make_void
from lanuno.log.round.events import LogEvent
from lanuno.log.round.round_record import LeftRound, ProtocolPhase, RoundRecord
from lanuno.log.round.shuffling import apply_met_needs, follow_engine
from lanuno.rules.engine.events import GameEvent, RoundEnding, RoundOver

MIN_REMAINING_OWNERS = 3
"""A round continues without a lost seat if at least this many owners remain; otherwise it is void
(section 7 of the protocol)."""


def lose_seats(record: RoundRecord, seats: tuple[int, ...], entry: int) -> list[LogEvent]:
    """Recover the seeds of one owner's dropped seats, or make the round void."""
    gone = tuple([seat for seat in seats if seat in record.seats and seat not in record.lost])
    if not gone or record.phase is ProtocolPhase.DONE:
        return []
    record.lost.update(gone)
    if record.phase is ProtocolPhase.ATTEST:
        return []
    record.dropped_in_play.update(gone)
    silent = gone
    if record.phase is ProtocolPhase.REVEAL:
        silent = tuple([seat for seat in gone if seat in record.commits.keys() - record.reveals])
        record.dropped_in_reveal.update(dict.fromkeys(silent, entry))
    second = bool(silent and record.recovering)
    wanted = (*silent, *record.recovering)
    if second or not all(_can_recover(record, seat) for seat in wanted):
        record.recovering.clear()
        return _void_by_leaving(record, gone[0])
    record.recovering.update({seat: {} for seat in silent})
    return _recover_all(record, entry) or end_reveal(record)


def _can_recover(record: RoundRecord, seat: int) -> bool:
    """Whether every share of a seat's seed can still be published, and enough owners remain.

    The share of a receiver that was lost before it published that share is missing for good, unless
    the receiver had revealed its seeds: then its box can be opened. In the reveal phase any number
    of owners is enough, because all hands are opened anyway.
    """
    if record.phase < ProtocolPhase.PLAY or seat not in record.escrows:
        return False
    out = record.recovering.get(seat, {})
    absent = [to for to in record.share_receivers(seat) if to in record.lost and to not in out]
    if not all(map(record.has_known_box_keys, absent)):
        return False
    return (
        record.phase is ProtocolPhase.REVEAL
        or len(record.remaining_owners()) >= MIN_REMAINING_OWNERS
    )


def _void_by_leaving(record: RoundRecord, seat: int) -> list[LogEvent]:
    """Make the round void, if it is not yet, because it cannot continue without this seat."""
    count_against(record, seat)
    return make_void(record, VoidReason.LOST, "a seat was lost")


def share(record: RoundRecord, seat: int, payload: bodies.Share, entry: int) -> list[LogEvent]:
    """Record a seat's share of a lost seat's seed; recover the seed once all shares are known."""
    shares = record.recovering.get(payload.of)
    if shares is None:
        raise BodyRefused(RefusalReason.NOT_NOW, "this seat is not being recovered")
    if seat in shares:
        raise BodyRefused(RefusalReason.ALREADY_DONE)
    receivers = record.share_receivers(payload.of)
    if seat not in receivers:
        raise BodyRefused(RefusalReason.NOT_A_SEAT, "this seat gets no share of that seed")
    published = record.escrows[payload.of].hashes[receivers.index(seat)]
    if not check_share(payload.share, published, record.context(payload.of), seat):
        record.recovering.clear()
        detail = "not the share that was sealed to it"
        return convict(record, Fault.BAD_SHARE, seat, entry, detail)
    shares[seat] = payload.share
    happened: list[LogEvent] = [events.StepDone(seat, "share")]
    return happened + _recover_all(record, entry)


def _recover_all(record: RoundRecord, entry: int) -> list[LogEvent]:
    """Recover every lost seat of which all shares are known."""
    happened: list[LogEvent] = []
    for seat in sorted(record.recovering):
        if seat in record.recovering and not record.missing_shares(seat):
            happened += _recover(record, seat, entry)
    return happened


def _recover(record: RoundRecord, seat: int, entry: int) -> list[LogEvent]:
    """Rebuild the seed of a lost seat from its shares, and apply its keys."""
    given, revealed = record.recovering.pop(seat), record.revealed_seeds()
    parts = []
    for to in record.share_receivers(seat):
        part = given.get(to)
        if part is None:
            part = record.read_share(seat, to, revealed[to][1].box_private(seat))
        if part is None:
            detail = "the share for a lost seat cannot be opened"
            return _not_recovered(record, Fault.BAD_SHARE, seat, detail)
        parts.append(part)
    secrets = RoundSecrets(rebuild(parts), record.context(seat))
    if not record.committed_to(seat, secrets):
        detail = "its shares do not give the seed that it committed to"
        return _not_recovered(record, Fault.BAD_SHARE, seat, detail)
    record.recovered[seat] = secrets
    record.dropped_in_reveal.pop(seat, None)
    if record.slots.release_from_seed(secrets):
        return _not_recovered(record, Fault.BAD_LOCK, seat, "keys that its seed does not give")
    happened: list[LogEvent] = [events.SeatRecovered(seat)]
    if record.recovering:
        return happened
    if record.phase is not ProtocolPhase.PLAY:
        return happened + end_reveal(record)
    # In play, all these seats have one owner, and losing the first of them may end the round.
    for gone in sorted(record.recovered):
        if record.phase is ProtocolPhase.PLAY:
            happened += _continue_without(record, gone, entry)
    return happened


def _not_recovered(record: RoundRecord, fault: Fault, seat: int, detail: str) -> list[LogEvent]:
    """Convict a lost seat of the fault that its shares or keys prove."""
    record.recovering.clear()
    return convict(record, fault, seat, record.escrow_entries[seat], detail)


def suppose_recovered(record: RoundRecord) -> list[LogEvent]:
    """In a copy: continue as if the lost seats were recovered, as far as that needs no keys.

    Makes the round void if it cannot continue without them even then.
    """
    happened: list[LogEvent] = []
    for seat in sorted(record.recovering):
        if record.phase is not ProtocolPhase.PLAY:
            break
        if _owes_hand(record, seat):
            happened += _void_by_leaving(record, seat)
        elif any(map(_cuts_short, record.engine.drop(seat))):
            record.voided_by.add(record.owner_of(seat))
            happened += make_void(record, VoidReason.LOST, "a seat cannot be replaced")
    record.recovering.clear()
    return happened


def _cuts_short(event: GameEvent) -> bool:
    return isinstance(event, RoundOver) and event.ending is RoundEnding.VOID


def _owes_hand(record: RoundRecord, seat: int) -> bool:
    """Whether a seat still has to hand over keys of a hand, which no other seat knows."""
    return any(move.seat == seat for move in record.moves.values())


def _continue_without(record: RoundRecord, seat: int, entry: int) -> list[LogEvent]:
    """Continue without a recovered seat: remove it from the engine and from all open needs."""
    if _owes_hand(record, seat):
        return _void_by_leaving(record, seat)
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
        record.voided_by.add(record.owner_of(seat))
    return happened + apply_met_needs(record, entry)
