"""The audit of one round, once its seeds are out: recompute everything, name whoever differs.

Pure and without any shortcut by trust: the commitments, every mask and lock, every share and shown
hand, every card and every action with all hands known. What a missing seed makes impossible to
check is reported as not checked, never as right. A seat is blamed only by bytes that it signed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import assert_never

from lanuno.dealing.deal import Flaw, StepKind
from lanuno.dealing.errors import DealingError
from lanuno.dealing.escrow import check_share, split
from lanuno.dealing.sealing import seal_info, unseal
from lanuno.dealing.secrets import RoundSecrets, ViewSecrets
from lanuno.dealing.verify import dealt_cards, verify_deal
from lanuno.log.faults import Blame, Check, Fault, VoidReason
from lanuno.log.round_record import (
    Acted,
    Input,
    LeftRound,
    Opened,
    RoundRecord,
    Settled,
    ShuffleDone,
)
from lanuno.log.shown_hand import holds_keys
from lanuno.rules.actions import Play
from lanuno.rules.dealer import DealerRound
from lanuno.rules.engine import Round
from lanuno.rules.events import Event
from lanuno.rules.refusals import Refusal


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One named check of one round."""

    name: Check
    ok: bool
    detail: str


@dataclass(frozen=True, slots=True)
class RoundReport:
    """What an audit says about one round."""

    round: int
    checks: tuple[CheckResult, ...]
    blame: tuple[Blame, ...]
    complete: bool
    """Whether everything could be checked and nothing was missing."""
    void: VoidReason | None = None
    """Why the round counts for nothing, if it does."""
    spoilers: tuple[int, ...] = ()
    """Seats whose leaving has made it void, rising."""
    seats: tuple[int, ...] = ()
    """Who played in it, clockwise; not those for whom a bot of somebody else's filled in."""
    unrevealed: tuple[int, ...] = ()
    """Those who had committed to their part of the randomness and never revealed it, rising."""
    left_out: tuple[int, ...] = ()
    """Those of `seats` who were gone before some shuffle, so that it is without them, rising."""
    filled: tuple[tuple[int, int], ...] = ()
    """Seats that a bot filled for their absent players, and the owner of the bot, rising."""

    @property
    def blamed(self) -> tuple[int, ...]:
        """Seats against which a fault is proven, rising: what an attestation says."""
        return tuple(
            sorted({each.seat for each in self.blame if each.seat is not None and proves(each)})
        )


def proves(blame: Blame) -> bool:
    """Whether a blame proves that somebody cheated.

    A seed that never came may also be a lost connection, and what nobody at the table signed may
    be damage to the file, or anybody's doing.
    """
    return blame.seat is not None and blame.fault is not Fault.NO_REVEAL


@dataclass(slots=True)
class _Findings:
    """Results while an audit runs."""

    blame: list[Blame]
    failed: dict[Check, str] = field(default_factory=dict)
    unchecked: dict[Check, str] = field(default_factory=dict)

    def fail(self, check: Check, blame: Blame) -> None:
        self.failed.setdefault(check, blame.detail)
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
"""What the steps that were taken can be found to be."""

_SIGNED_TWICE = (Fault.EQUIVOCATION, Fault.DOUBLE_VOTE)
"""What may still be proven while attestations come in; it says nothing about cards."""


def audit_round(log: RoundRecord) -> RoundReport:
    """Check one round whose seeds are out as far as they will come; changes nothing."""
    found = _Findings([])
    for fault in log.faults:
        found.fail(_CHECK_OF_FAULT[fault.fault], fault)
    secrets, views = _commitments(log, found)
    _reveals(log, found)
    _deals(log, secrets, found)
    _shares(log, secrets, views, found)
    _shown(log, views, found)
    _cards_and_rules(log, secrets, found)
    _halts(log, secrets, views, found)
    checks = []
    for check in Check:
        if check in found.failed:
            checks.append(CheckResult(check, ok=False, detail=found.failed[check]))
        elif check in found.unchecked:
            checks.append(CheckResult(check, ok=False, detail=found.unchecked[check]))
        else:
            checks.append(CheckResult(check, ok=True, detail=""))
    complete = not found.unchecked and not found.failed and log.void is None
    players = [seat for seat in log.seats if log.answers_for(seat) == seat]
    shuffled = [deal.order for deal in log.deals if deal.done]
    return RoundReport(
        log.number,
        tuple(checks),
        tuple(found.blame),
        complete,
        log.void,
        tuple(sorted(log.spoilers)),
        tuple(players),
        tuple([seat for seat in sorted(log.commits) if seat not in _out(log)]),
        tuple([seat for seat in sorted(players) if any(seat not in each for each in shuffled)]),
        tuple([(seat, log.filled[seat]) for seat in sorted(log.filled) if seat in log.seats]),
    )


def _commitments(
    log: RoundRecord, found: _Findings
) -> tuple[dict[int, RoundSecrets], dict[int, ViewSecrets]]:
    """Secrets of every seat whose seeds are out and are those it committed to."""
    secrets: dict[int, RoundSecrets] = {}
    views: dict[int, ViewSecrets] = {}
    for seat in sorted(log.reveals):
        right = log.revealed(seat)
        if right is None:
            detail = "the seeds do not give what was committed to"
            entry = log.reveal_entries[seat]
            blame = Blame(seat, Fault.BAD_COMMITMENT, log.number, entry, detail)
            found.fail(Check.COMMITMENTS, blame)
        else:
            secrets[seat], views[seat] = right
    # What came back from shares was compared with its commitment by everybody who took them.
    return log.recovered | secrets, views


def _reveals(log: RoundRecord, found: _Findings) -> None:
    missing = [seat for seat in sorted(log.commits) if seat not in _out(log)]
    if missing or len(log.commits) < len(log.seats):
        names = ", ".join(log.roster.seats[seat].name for seat in missing)
        found.unchecked[Check.REVEALS] = f"no seeds from: {names}" if names else "not begun"
    for seat, entry in log.withheld.items():
        blame = Blame(seat, Fault.NO_REVEAL, log.number, entry, "its seeds never came")
        found.blame.append(blame)


def _out(log: RoundRecord) -> Collection[int]:
    """Seats whose seeds are out."""
    return log.reveals.keys() | log.recovered.keys()


def _deals(log: RoundRecord, secrets: Mapping[int, RoundSecrets], found: _Findings) -> None:
    proven = {each.entry for each in log.faults}
    for number, deal in enumerate(log.deals):
        for fault in verify_deal(deal, secrets):
            check = Check.MASKS if fault.kind is StepKind.MASK else Check.LOCKS
            entry = log.step_entry(number, fault)
            if entry in proven:
                continue
            detail = f"deal {deal.number}: {_FLAWS[fault.flaw]}"
            found.fail(check, Blame(fault.seat, Fault(fault.name), log.number, entry, detail))
        absent = {taken.seat for taken in deal.taken} - set(secrets)
        if absent:
            found.unchecked.setdefault(Check.MASKS, "a seed is missing")
            found.unchecked.setdefault(Check.LOCKS, "a seed is missing")


def _shares(
    log: RoundRecord,
    secrets: Mapping[int, RoundSecrets],
    views: Mapping[int, ViewSecrets],
    found: _Findings,
) -> None:
    """Every share against its hash; and against its box, where that can be opened.

    What was sealed to somebody who left is passed over: the round went on without it, and nobody is
    blamed for a box that nobody can open.
    """
    for seat in sorted(log.escrows):
        if seat not in secrets:
            found.unchecked.setdefault(Check.SHARES, "a seed is missing")
            continue
        receivers = log.share_receivers(seat)
        boxes = [log.box_of(to, seat) for to in receivers]
        for place, (to, share) in enumerate(
            zip(receivers, split(secrets[seat], receivers, boxes), strict=True)
        ):
            right = check_share(share, log.escrows[seat].hashes[place], log.context(seat), to)
            if to in views:
                right = right and log.read_share(seat, to, views[to].box_private(seat)) == share
            elif to not in log.recovered:
                found.unchecked.setdefault(Check.SHARES, "a seed is missing")
            if not right:
                detail = f"share {place} is not the seed's"
                entry = log.escrow_entries[seat]
                found.fail(Check.SHARES, Blame(seat, Fault.BAD_SHARE, log.number, entry, detail))


def _shown(log: RoundRecord, views: Mapping[int, ViewSecrets], found: _Findings) -> None:
    """Every box against the keys published for its slots: what its author could check too."""
    for shown in log.shown:
        if shown.to in log.recovered and shown.to not in views:
            continue  # what was sealed to somebody who left can hurt nobody else
        if shown.to not in views:
            found.unchecked.setdefault(Check.KEYS, "a seed is missing")
            continue
        info = seal_info(log.table_id, log.open_hash, shown.seat, shown.to, shown.purpose)
        try:
            content = unseal(shown.sealed, views[shown.to].private_key, info)
        except DealingError:
            content = b""
        owners = [log.key_owner(slot, shown.seat) for slot in shown.slots]
        if not holds_keys(content, log.slots, shown.slots, owners):
            detail = "the hand shown is not the hand held"
            found.fail(
                Check.KEYS, Blame(shown.seat, Fault.BAD_SEAL, log.number, shown.entry, detail)
            )


def _cards_and_rules(
    log: RoundRecord, secrets: Mapping[int, RoundSecrets], found: _Findings
) -> None:
    """Every opened card against the shuffle, then every action with all hands known."""
    later = (Check.CARDS, Check.RULES, Check.SCORES)
    if any(check in found.failed for check in (Check.MASKS, Check.LOCKS, Check.COMMITMENTS)):
        for check in later:
            found.unchecked.setdefault(check, "the shuffle is not what it should be")
        return
    try:
        cards = dealt_cards(log.slots.deals, secrets)
    except DealingError:
        for check in later:
            found.unchecked.setdefault(check, "a seed is missing")
        return
    engine = log.new_engine()
    engine.start()
    for fed in log.inputs:
        slot, card = _laid_open(fed)
        if slot is not None and cards.get(slot) != card:
            found.unchecked.setdefault(Check.CARDS, f"slot {slot} held another card")
            return
        if isinstance(fed, Acted):
            _judge(log, engine, fed, cards, found)
        feed(engine, fed)
    if log.void is not None:
        found.unchecked.setdefault(Check.SCORES, f"void: {log.void.name.lower()}")
    elif log.result is None:
        found.unchecked.setdefault(Check.SCORES, "the round was not finished")
    elif engine.reveal(cards) != log.result:
        found.unchecked.setdefault(Check.SCORES, "not the result that the hands give")


def feed(engine: Round | DealerRound, fed: Input) -> list[Event]:
    """Let an engine take what the round's own was fed when it was live."""
    match fed:
        case ShuffleDone():
            return engine.shuffled()
        case Opened():
            return engine.opened(fed.slot, fed.card)
        case Acted():
            return engine.act(fed.seat, fed.action)
        case Settled():
            assert isinstance(engine, Round)
            return engine.settle(fed.matter)
        case LeftRound():
            return engine.drop(fed.seat)
        case _:
            assert_never(fed)


def _laid_open(fed: Input) -> tuple[int | None, int]:
    """The slot whose card an input made public, and that card."""
    if isinstance(fed, Opened):
        return fed.slot, fed.card
    if isinstance(fed, Acted) and isinstance(fed.action, Play):
        return fed.action.slot, fed.action.card
    return None, 0


def _judge(
    log: RoundRecord,
    engine: Round | DealerRound,
    fed: Acted,
    cards: Mapping[int, int],
    found: _Findings,
) -> None:
    """Whether an action was legal, with every card known; the clock is nobody's fault."""
    if fed.by_clock:
        return
    refusal = engine.refusal(fed.seat, fed.action, cards)
    if refusal is None:
        return
    fault = Fault.FALSE_VERDICT if refusal is Refusal.FALSE_VERDICT else Fault.ILLEGAL_PLAY
    detail = refusal.name.lower().replace("_", " ")
    found.fail(Check.RULES, Blame(fed.seat, fault, log.number, fed.entry, detail))


def _halts(
    log: RoundRecord,
    secrets: Mapping[int, RoundSecrets],
    views: Mapping[int, ViewSecrets],
    found: _Findings,
) -> None:
    """Name each seat that claimed a fault which nobody's seeds show.

    That somebody signed two things excuses no halt: it may come to light after the attestations
    that name the halt. A seat is not judged while a box that was sealed to it cannot be opened.
    """
    all_out = set(secrets) >= set(log.commits)
    if not all_out or any(proves(each) and each.fault not in _SIGNED_TWICE for each in found.blame):
        return
    unopened = {shown.to for shown in log.shown} - set(views)
    for seat, (reason, entry) in log.halts.items():
        if seat in unopened:
            found.unchecked.setdefault(Check.KEYS, "a seed is missing")
            continue
        detail = f"claimed {reason.name.lower().replace('_', ' ')}, and nothing is wrong"
        found.fail(Check.RULES, Blame(seat, Fault.FALSE_HALT, log.number, entry, detail))
