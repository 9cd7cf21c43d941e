"""The audit of one round after its seeds are revealed: recompute everything, blame what differs.

The audit is pure and trusts nothing. It checks the commitments, every mask and lock, every share
and shown hand, every card, and every action with all hands known. Anything that cannot be checked
because a seed is missing is reported as unchecked, never as right. Only bytes that a seat signed
can blame it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from msgspec import Struct, field

from lanuno.dealing.deal import StepKind
from lanuno.dealing.errors import DealingError
from lanuno.dealing.escrow import check_share, split
from lanuno.dealing.group import Flaw
from lanuno.dealing.sealing import seal_info, unseal
from lanuno.dealing.secrets import RoundSecrets, ViewSecrets
from lanuno.dealing.verify import dealt_cards, verify_deal
from lanuno.log.faults import Blame, Check, Fault, VoidReason
from lanuno.log.round.round_record import (
    Acted,
    Input,
    LeftRound,
    RoundRecord,
    ShuffleDone,
    SlotOpened,
    TimeSettled,
)
from lanuno.log.round.shown_hand import holds_keys
from lanuno.rules.engine.actions import Play
from lanuno.rules.engine.dealer import DealerRound
from lanuno.rules.engine.events import GameEvent
from lanuno.rules.engine.round import Round
from lanuno.rules.refusals import ActRefusal


class CheckResult(Struct, frozen=True):
    """The result of one named check of one round."""

    name: Check
    ok: bool
    detail: str


class RoundReport(Struct, frozen=True):
    """The result of the audit of one round."""

    round: int
    checks: tuple[CheckResult, ...]
    blame: tuple[Blame, ...]
    complete: bool
    """Whether everything was checked and is right."""
    void: VoidReason | None = None
    """Why the round counts for nothing; None if it is not void."""
    voided_by: tuple[int, ...] = ()
    """Owners against whom the void round counts, rising."""
    seats: tuple[int, ...] = ()
    """The seats that played the round, clockwise, without those in which a bot filled in."""
    unrevealed: tuple[int, ...] = ()
    """Seats that committed to their seeds, but whose seeds never became known, rising."""
    left_out: tuple[int, ...] = ()
    """Those of `seats` that missed a shuffle because they were gone, rising."""
    filled: tuple[tuple[int, int], ...] = ()
    """(seat in which a bot filled in for its absent player, owner of the bot), rising."""

    @property
    def blamed(self) -> tuple[int, ...]:
        """Seats against which a fault is proven, rising, as an attestation names them."""
        return tuple(
            sorted({each.seat for each in self.blame if each.seat is not None and is_proof(each)})
        )


def is_proof(blame: Blame) -> bool:
    """Whether a blame proves that a seat cheated.

    A missing seed may be due to a lost connection. Bytes that no seat signed may be due to a
    damaged file, or to anybody who held it.
    """
    return blame.seat is not None and blame.fault is not Fault.NO_REVEAL


class _Findings(Struct):
    """The results so far of a running audit."""

    round: int
    blame: list[Blame] = field(default_factory=list)
    failed: dict[Check, str] = field(default_factory=dict)
    unchecked: dict[Check, str] = field(default_factory=dict)

    def fail(self, check: Check, seat: int, fault: Fault, entry: int, detail: str) -> None:
        blame = Blame(seat, fault, self.round, entry, detail)
        self.failed.setdefault(check, detail)
        if blame not in self.blame:
            self.blame.append(blame)


_CHECK_OF_FAULT = {
    Fault.BAD_COMMITMENT: Check.COMMITMENTS,
    Fault.BAD_MASK: Check.MASKS,
    Fault.BAD_LOCK: Check.LOCKS,
    Fault.BAD_KEY: Check.KEYS,
    Fault.BAD_SHARE: Check.SHARES,
    Fault.ILLEGAL_PLAY: Check.RULES,
    Fault.FALSE_HALT: Check.RULES,
    Fault.EQUIVOCATION: Check.SIGNATURES,
    Fault.DOUBLE_VOTE: Check.SIGNATURES,
}

_FLAWS = {
    Flaw.DIFFERS: "not what the seed gives",
    Flaw.OFF_CURVE: "not a point of the curve",
}
"""The flaws that an accepted step can have."""

_SIGNED_TWICE = (Fault.EQUIVOCATION, Fault.DOUBLE_VOTE)
"""Faults that can still be proven while attestations arrive. They do not concern cards."""


def audit_round(record: RoundRecord) -> RoundReport:
    """Audit one round after its reveal; change nothing."""
    found = _Findings(record.number, list(dict.fromkeys(record.faults)))
    for fault in record.faults:
        found.failed.setdefault(_CHECK_OF_FAULT[fault.fault], fault.detail)
    secrets, views = _commitments(record, found)
    _reveals(record, found)
    _deals(record, secrets, found)
    _shares(record, secrets, views, found)
    _shown_hands(record, views, found)
    _cards_and_rules(record, secrets, found)
    _halts(record, secrets, views, found)
    wrong = found.unchecked | found.failed
    checks = [CheckResult(each, ok=each not in wrong, detail=wrong.get(each, "")) for each in Check]
    players = [seat for seat in record.seats if record.responsible_player(seat) == seat]
    shuffled = [deal.order for deal in record.deals if deal.done]
    return RoundReport(
        record.number,
        tuple(checks),
        tuple(found.blame),
        not wrong and record.void is None,
        record.void,
        tuple(sorted(record.voided_by)),
        tuple(players),
        tuple(_unrevealed(record)),
        tuple([seat for seat in sorted(players) if any(seat not in each for each in shuffled)]),
        tuple(
            [(seat, record.filled[seat]) for seat in sorted(record.filled) if seat in record.seats]
        ),
    )


def _commitments(
    record: RoundRecord, found: _Findings
) -> tuple[dict[int, RoundSecrets], dict[int, ViewSecrets]]:
    """Return the secrets that match their commitments; blame seats whose seeds do not."""
    right = record.revealed_seeds()
    for seat in sorted(record.reveals.keys() - right.keys()):
        detail = "the seeds do not match the commitments"
        entry = record.reveal_entries[seat]
        found.fail(Check.COMMITMENTS, seat, Fault.BAD_COMMITMENT, entry, detail)
    secrets = {seat: round_secrets for seat, (round_secrets, _) in right.items()}
    views = {seat: view for seat, (_, view) in right.items()}
    # Seeds recovered from shares were compared with their commitments at recovery.
    return record.recovered | secrets, views


def _reveals(record: RoundRecord, found: _Findings) -> None:
    missing = _unrevealed(record)
    if missing or len(record.commits) < len(record.seats):
        names = ", ".join(record.roster.seats[seat].name for seat in missing)
        found.unchecked[Check.REVEALS] = f"no seeds from: {names}" if names else "not begun"
    for seat, entry in record.dropped_in_reveal.items():
        blame = Blame(seat, Fault.NO_REVEAL, record.number, entry, "its seeds were never revealed")
        found.blame.append(blame)


def _unrevealed(record: RoundRecord) -> list[int]:
    """Return the seats whose committed seeds are neither revealed nor recovered, rising."""
    return sorted(record.commits.keys() - record.reveals.keys() - record.recovered.keys())


def _deals(record: RoundRecord, secrets: Mapping[int, RoundSecrets], found: _Findings) -> None:
    if not any(deal.done for deal in record.deals):
        for check in (Check.MASKS, Check.LOCKS):
            found.unchecked[check] = "no shuffle was finished"
    proven = {each.entry for each in record.faults}
    for number, deal in enumerate(record.deals):
        for fault in verify_deal(deal, secrets):
            check = Check.MASKS if fault.kind is StepKind.MASK else Check.LOCKS
            entry = record.step_entry(number, fault)
            if entry in proven:
                continue
            detail = f"deal {deal.number}: {_FLAWS[fault.flaw]}"
            found.fail(check, fault.seat, Fault(fault.name), entry, detail)
        absent = {taken.seat for taken in deal.accepted} - set(secrets)
        if absent:
            found.unchecked.setdefault(Check.MASKS, "a seed is missing")
            found.unchecked.setdefault(Check.LOCKS, "a seed is missing")


def _shares(
    record: RoundRecord,
    secrets: Mapping[int, RoundSecrets],
    views: Mapping[int, ViewSecrets],
    found: _Findings,
) -> None:
    """Check every share against its hash, and against its box if the box can be opened.

    Boxes that were sealed to a seat that left are skipped: the round continued without them, and no
    seat is blamed for a box that cannot be opened.
    """
    for seat in sorted(record.escrows):
        if seat not in secrets:
            found.unchecked.setdefault(Check.SHARES, "a seed is missing")
            continue
        receivers = record.share_receivers(seat)
        boxes = [record.box_of(to, seat) for to in receivers]
        for place, (to, share) in enumerate(
            zip(receivers, split(secrets[seat], receivers, boxes), strict=True)
        ):
            right = check_share(share, record.escrows[seat].hashes[place], record.context(seat), to)
            if to in views:
                right = right and record.read_share(seat, to, views[to].box_private(seat)) == share
            elif to not in record.recovered:
                found.unchecked.setdefault(Check.SHARES, "a seed is missing")
            if not right:
                detail = f"share {place} is not the seed's"
                entry = record.escrow_entries[seat]
                found.fail(Check.SHARES, seat, Fault.BAD_SHARE, entry, detail)


def _shown_hands(record: RoundRecord, views: Mapping[int, ViewSecrets], found: _Findings) -> None:
    """Check the content of every box against the keys published for its slots."""
    for shown in record.shown:
        if shown.to not in views:
            # A wrong box for a seat that left harms no other seat.
            if shown.to not in record.recovered:
                found.unchecked.setdefault(Check.KEYS, "a seed is missing")
            continue
        info = seal_info(record.table_id, record.open_hash, shown.seat, shown.to, shown.purpose)
        try:
            content = unseal(shown.sealed, views[shown.to].private_key, info)
        except DealingError:
            content = b""
        owners = [record.key_owner(slot, shown.seat) for slot in shown.slots]
        if not holds_keys(content, record.slots, shown.slots, owners):
            detail = "the hand shown is not the hand held"
            found.fail(Check.KEYS, shown.seat, Fault.BAD_SEAL, shown.entry, detail)


def _cards_and_rules(
    record: RoundRecord, secrets: Mapping[int, RoundSecrets], found: _Findings
) -> None:
    """Check every opened card against the shuffle, then every action with all hands known."""
    later = (Check.CARDS, Check.RULES, Check.SCORES)
    if any(check in found.failed for check in (Check.MASKS, Check.LOCKS, Check.COMMITMENTS)):
        for check in later:
            found.unchecked.setdefault(check, "the shuffle is not what the seeds give")
        return
    try:
        cards = dealt_cards(record.slots.deals, secrets)
    except DealingError:
        for check in later:
            found.unchecked.setdefault(check, "a seed is missing")
        return
    engine = record.new_engine()
    engine.start()
    for taken_input in record.inputs:
        opened = taken_input.action if isinstance(taken_input, Acted) else taken_input
        if isinstance(opened, SlotOpened | Play) and cards.get(opened.slot) != opened.card:
            found.unchecked.setdefault(Check.CARDS, f"slot {opened.slot} held another card")
            return
        if isinstance(taken_input, Acted):
            _judge_action(engine, taken_input, cards, found)
        feed_engine(engine, taken_input)
    if record.void is not None:
        found.unchecked.setdefault(Check.SCORES, f"void: {record.void.name.lower()}")
    elif record.result is None:
        found.unchecked.setdefault(Check.SCORES, "the round was not finished")
    elif engine.reveal(cards) != record.result:
        found.unchecked.setdefault(Check.SCORES, "not the result that the hands give")


def feed_engine(engine: Round | DealerRound, taken_input: Input) -> list[GameEvent]:
    """Repeat on this engine an input that the round's engine received in the live game."""
    match taken_input:
        case ShuffleDone():
            return engine.shuffled()
        case SlotOpened():
            return engine.opened(taken_input.slot, taken_input.card)
        case Acted():
            return engine.act(taken_input.seat, taken_input.action)
        case TimeSettled():
            assert isinstance(engine, Round)
            return engine.settle(taken_input.matter)
        case LeftRound():
            return engine.drop(taken_input.seat)
        case _:
            assert_never(taken_input)


def _judge_action(
    engine: Round | DealerRound, taken_input: Acted, cards: Mapping[int, int], found: _Findings
) -> None:
    """Check that an action was legal, with every card known; actions of the clock blame no seat."""
    if taken_input.by_clock:
        return
    refusal = engine.refusal(taken_input.seat, taken_input.action, cards)
    if refusal is None:
        return
    fault = Fault.FALSE_VERDICT if refusal is ActRefusal.FALSE_VERDICT else Fault.ILLEGAL_PLAY
    detail = refusal.name.lower().replace("_", " ")
    found.fail(Check.RULES, taken_input.seat, fault, taken_input.entry, detail)


def _halts(
    record: RoundRecord,
    secrets: Mapping[int, RoundSecrets],
    views: Mapping[int, ViewSecrets],
    found: _Findings,
) -> None:
    """Blame each seat whose halt claimed a fault that the seeds do not show.

    A proven equivocation or double vote excuses no halt: it may be proven after the attestations
    that name the halt. A seat is not judged while a box that was sealed to it cannot be opened.
    """
    all_revealed = set(secrets) >= set(record.commits)
    if not all_revealed or any(
        is_proof(each) and each.fault not in _SIGNED_TWICE for each in found.blame
    ):
        return
    unopened = {shown.to for shown in record.shown} - set(views)
    for seat, (reason, entry) in record.halts.items():
        if seat in unopened:
            found.unchecked.setdefault(Check.KEYS, "a seed is missing")
            continue
        detail = f"claimed {reason.name.lower().replace('_', ' ')}, and nothing is wrong"
        found.fail(Check.RULES, seat, Fault.FALSE_HALT, entry, detail)
