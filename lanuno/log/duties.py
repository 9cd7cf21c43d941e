"""What each seat owes the table without being asked: the automatic steps of a round.

Pure reading of the public state. Everybody derives the same duties, so a seat knows what to do and
the host knows whom it waits for. What a person decides is no duty; the turn clock sees to that.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from lanuno.dealing.deal import StepKind
from lanuno.log import bodies
from lanuno.log.bodies import Payload
from lanuno.log.replay import Replay
from lanuno.log.round_record import Phase, RoundRecord


class DutyKind(IntEnum):
    """The automatic steps."""

    COMMIT = 0
    ESCROW = 1
    PASS = 2
    UNLOCK = 3
    REVEAL = 4
    ATTEST = 5
    HAND = 6
    """Hand over the keys of a hand that was given away."""
    SHARE = 7
    """Publish one's share of a lost seat's seed."""


_RELEASES = frozenset(
    {DutyKind.ESCROW, DutyKind.UNLOCK, DutyKind.REVEAL, DutyKind.HAND, DutyKind.SHARE}
)


@dataclass(frozen=True, slots=True)
class Duty:
    """One automatic step that one seat owes now."""

    seat: int
    kind: DutyKind
    round: int
    item: int = 0
    """Pass: how many were done in its deal before. Unlock: number of the need. Hand: number of the
    move. Share: the lost seat."""
    deal: int = 0
    """Pass: number of the deal. One that a seat has left is given up, and another takes its place:
    no step of the one is a step of the other."""
    common: bool = False
    """Whether it is a pass that takes the locks off slots."""

    @property
    def releases(self) -> bool:
        """Whether it publishes a secret: done only once the entry that asks for it is firm."""
        return self.common or self.kind in _RELEASES


def duties(replay: Replay) -> tuple[Duty, ...]:
    """All automatic steps that the table waits for, by kind, item and seat."""
    current = replay.round
    if current is None or replay.closed is not None:
        return ()
    shares = tuple(
        Duty(seat, DutyKind.SHARE, current.number, of)
        for of in sorted(current.recovering)
        for seat in current.missing_shares(of)
    )
    if current.phase is Phase.PLAY:
        # While a lost seat is being recovered everything else stands still.
        return shares or _in_play(current)
    kind = _STEP_OF_PHASE.get(current.phase)
    return () if kind is None else _each(current, kind) + shares


def answered_by(replay: Replay, seat: int, payload: Payload) -> tuple[Duty, ...]:
    """The duties of a seat that a payload of its own, signed some time ago, would do."""
    return tuple([each for each in duties(replay) if each.seat == seat and _does(each, payload)])


def _does(duty: Duty, payload: Payload) -> bool:
    match payload:
        case bodies.Unlock():
            needs = [keys.need for keys in payload.lists]
            return duty.kind is DutyKind.UNLOCK and duty.item in needs
        case bodies.HandOver():
            return duty.kind is DutyKind.HAND and duty.item == payload.move
        case bodies.Share():
            return duty.kind is DutyKind.SHARE and duty.item == payload.of
        case bodies.Pass():
            due = (duty.deal, duty.item)
            return duty.kind is DutyKind.PASS and due == (payload.deal, payload.step)
        case _:
            return type(payload) is _PAYLOAD_OF_STEP.get(duty.kind)


_PAYLOAD_OF_STEP = {
    DutyKind.COMMIT: bodies.Commit,
    DutyKind.ESCROW: bodies.Escrow,
    DutyKind.REVEAL: bodies.Reveal,
    DutyKind.ATTEST: bodies.Attest,
}

_STEP_OF_PHASE = {
    Phase.COMMIT: DutyKind.COMMIT,
    Phase.ESCROW: DutyKind.ESCROW,
    Phase.REVEAL: DutyKind.REVEAL,
    Phase.ATTEST: DutyKind.ATTEST,
}


def _in_play(current: RoundRecord) -> tuple[Duty, ...]:
    """Keys, hands that were given away, and the next pass."""
    number = current.number
    found = [
        Duty(seat, DutyKind.UNLOCK, number, need.number)
        for need in current.needs.values()
        for seat in sorted(need.waiting)
    ]
    found += [
        Duty(move.seat, DutyKind.HAND, number, move.number) for move in current.moves.values()
    ]
    deal = current.deal
    if deal is not None and deal.expected is not None:
        step, (kind, seat) = len(deal.taken), deal.expected
        common = kind is StepKind.COMMON
        found.append(Duty(seat, DutyKind.PASS, number, step, deal.number, common))
    return tuple(found)


def _each(current: RoundRecord, kind: DutyKind) -> tuple[Duty, ...]:
    return tuple(Duty(seat, kind, current.number) for seat in current.missing())
