"""The automatic steps of a round: what each seat must do without a decision of its player.

They follow from the public state alone. Every node derives the same steps, so a seat knows what to
do and the host knows which seats it waits for. Decisions of players are not automatic steps; the
turn clock limits those.
"""

from __future__ import annotations

from enum import IntEnum

from msgspec import Struct

from lanuno.dealing.deal import StepKind
from lanuno.log.format import bodies
from lanuno.log.format.bodies import Payload
from lanuno.log.replay.replay import Replay
from lanuno.log.round.round_record import ProtocolPhase, RoundRecord


class AutomaticStepKind(IntEnum):
    """The kinds of automatic steps."""

    COMMIT = 0
    ESCROW = 1
    PASS = 2
    UNLOCK = 3
    REVEAL = 4
    ATTEST = 5
    HAND = 6
    """Hand over the keys of a hand that was given away."""
    SHARE = 7
    """Publish this seat's share of a lost seat's seed."""


_RELEASES_NOTHING = (AutomaticStepKind.COMMIT, AutomaticStepKind.PASS, AutomaticStepKind.ATTEST)


class AutomaticStep(Struct, frozen=True):
    """One automatic step that a seat owes now."""

    seat: int
    kind: AutomaticStepKind
    round: int
    item: int = 0
    """Pass: number of earlier steps in its deal. Unlock: number of the need. Hand: number of the
    move. Share: the lost seat."""
    deal: int = 0
    """Pass: number of the deal. When a seat leaves, the deal is abandoned and a new one replaces
    it; this field distinguishes the steps of the two."""
    common: bool = False
    """Whether this is the pass that removes the separate locks from slots."""

    @property
    def releases(self) -> bool:
        """Whether the step publishes a secret: allowed only once the entry that asks is final."""
        return self.common or self.kind not in _RELEASES_NOTHING


def automatic_steps(replay: Replay) -> tuple[AutomaticStep, ...]:
    """Return all automatic steps for which the table waits."""
    current = replay.round
    if current is None or replay.closed is not None:
        return ()
    shares = tuple(
        AutomaticStep(seat, AutomaticStepKind.SHARE, current.number, of)
        for of in sorted(current.recovering)
        for seat in current.missing_shares(of)
    )
    if current.phase is ProtocolPhase.PLAY:
        # The game is paused while a lost seat is being recovered.
        return shares or _steps_in_play(current)
    steps = [
        AutomaticStep(seat, _STEP_OF_PHASE[current.phase], current.number)
        for seat in current.missing()
    ]
    return (*steps, *shares)


def steps_answered_by(replay: Replay, seat: int, payload: Payload) -> tuple[AutomaticStep, ...]:
    """Return the due steps of a seat that a payload it has already signed would do."""
    due = [each for each in automatic_steps(replay) if each.seat == seat]
    return tuple([each for each in due if _is_done_by(each, payload)])


def _is_done_by(step: AutomaticStep, payload: Payload) -> bool:
    match payload:
        case bodies.Unlock():
            needs = [keys.need for keys in payload.lists]
            return step.kind is AutomaticStepKind.UNLOCK and step.item in needs
        case bodies.HandOver():
            return step.kind is AutomaticStepKind.HAND and step.item == payload.move
        case bodies.Share():
            return step.kind is AutomaticStepKind.SHARE and step.item == payload.of
        case bodies.Pass():
            due = (step.deal, step.item)
            return step.kind is AutomaticStepKind.PASS and due == (payload.deal, payload.step)
        case _:
            return type(payload) is _PAYLOAD_OF_STEP.get(step.kind)


_PAYLOAD_OF_STEP = {
    AutomaticStepKind.COMMIT: bodies.Commit,
    AutomaticStepKind.ESCROW: bodies.Escrow,
    AutomaticStepKind.REVEAL: bodies.Reveal,
    AutomaticStepKind.ATTEST: bodies.Attest,
}

_STEP_OF_PHASE = {
    ProtocolPhase.COMMIT: AutomaticStepKind.COMMIT,
    ProtocolPhase.ESCROW: AutomaticStepKind.ESCROW,
    ProtocolPhase.REVEAL: AutomaticStepKind.REVEAL,
    ProtocolPhase.ATTEST: AutomaticStepKind.ATTEST,
}


def _steps_in_play(current: RoundRecord) -> tuple[AutomaticStep, ...]:
    """Return the keys and given-away hands that are owed, and the next pass."""
    number = current.number
    found = [
        AutomaticStep(seat, AutomaticStepKind.UNLOCK, number, need.number)
        for need in current.needs.values()
        for seat in sorted(need.waiting)
    ]
    found += [
        AutomaticStep(move.seat, AutomaticStepKind.HAND, number, move.number)
        for move in current.moves.values()
    ]
    deal = current.deal
    if deal is not None and deal.expected is not None:
        step, (kind, seat) = len(deal.accepted), deal.expected
        common = kind is StepKind.COMMON
        found.append(AutomaticStep(seat, AutomaticStepKind.PASS, number, step, deal.number, common))
    return tuple(found)
