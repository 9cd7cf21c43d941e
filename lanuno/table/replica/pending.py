"""Pending bodies: bodies that a seat has signed and that are not in its log yet.

This module keeps them, with the counters used so far, and determines which are still valid.
`seat.py` sends them again or signs their payloads anew. No repr shows the content of a body.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from lanuno.log.faults import Unreadable
from lanuno.log.format import bodies
from lanuno.log.format.bodies import Payload, SignedBody
from lanuno.log.replay.due_steps import (
    AutomaticStep,
    AutomaticStepKind,
    automatic_steps,
    steps_answered_by,
)
from lanuno.log.replay.replay import Replay
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.engine.actions import ANY_TIME, OpenHand, Show, Verdict
from lanuno.rules.engine.round import Round
from lanuno.table.recovery import RecoveredSeat

MOST_PENDING = 64
"""At most this many bodies are kept: the pending ones and the last ones in the log."""


@dataclass(frozen=True, slots=True, repr=False)
class SentBody:
    """A body sent to the host, and the automatic steps that it does."""

    signed: SignedBody
    payload: Payload
    round: int
    head: bytes
    steps: tuple[AutomaticStep, ...] = ()
    tries: int = 1
    sign_anew: bool = True
    """Whether its payload may be signed again on another head. False for a decision whose situation
    no longer exists, because the end of the log that led to it was given up."""

    @property
    def by_player(self) -> bool:
        """Whether the player decided it, and so has to be informed of a refusal."""
        payload = self.payload
        automatic = Show | Verdict | OpenHand
        return isinstance(payload, bodies.Act) and not isinstance(payload.action, automatic)


@dataclass(frozen=True, slots=True, repr=False)
class AfterCatchUp:
    """What to do with pending bodies once their author has caught up with the log."""

    send_again: tuple[SentBody, ...]
    """Bodies to send again as the same bytes, by rising counter."""
    sign_anew: tuple[SentBody, ...]
    """Bodies to sign again on the present head, because theirs was given up."""
    lost: bool
    """Whether a decision of the player in this round is lost."""


class PendingBodies:
    """The last bodies that one seat has signed, its used counters and its seeds."""

    def __init__(self, kept: RecoveredSeat | None = None, public: bytes | None = None) -> None:
        """`kept`: the recovered state of this seat. `public`: the key that signs for it."""
        kept = kept or RecoveredSeat()
        self.counter = max([kept.next_counter, *(counter + 1 for counter in kept.bodies)])
        """Upper bound of the used counters: all used ones are lower."""
        self.seeds = dict(kept.seeds)
        """By hash of the round's Open entry and label. `SeatKeys` adds new seeds."""
        self._public = public
        self._bodies: dict[int, SentBody] = {}
        for counter in sorted(kept.bodies)[-MOST_PENDING:]:
            signed = kept.bodies[counter]
            try:
                body = signed.read()
            except Unreadable:
                continue  # no host would accept it
            self._bodies[counter] = SentBody(signed, body.payload, body.round, body.head)

    def __len__(self) -> int:
        return len(self._bodies)

    def __repr__(self) -> str:
        return f"PendingBodies({len(self)} bodies, <secret>)"

    def put(self, counter: int, sent: SentBody) -> None:
        """Keep a body. Beyond `MOST_PENDING`, the oldest one is forgotten."""
        self._bodies[counter] = sent
        if len(self._bodies) > MOST_PENDING:
            del self._bodies[min(self._bodies)]

    def take(self, counter: int) -> SentBody | None:
        """Remove and return a body; None if it is not kept."""
        return self._bodies.pop(counter, None)

    def next_counter(self, replay: Replay, seat: int) -> int:
        """Return the lowest counter that the log still allows this seat's player."""
        return replay.next_counter(seat, self._public)

    def under_way(self, replay: Replay, seat: int) -> list[tuple[int, SentBody]]:
        """Return the bodies that can still enter the log, by counter. No others are pending."""
        unused = self.next_counter(replay, seat)
        return [
            (counter, sent) for counter, sent in sorted(self._bodies.items()) if counter >= unused
        ]

    def has(self, replay: Replay, seat: int, kind: type[Payload]) -> bool:
        """Whether a body with this kind of payload is pending."""
        return any(isinstance(sent.payload, kind) for _, sent in self.under_way(replay, seat))

    def sort_out(self, replay: Replay, seat: int, cards: Mapping[int, int]) -> AfterCatchUp:
        """Sort the pending bodies, and keep only those to be sent again."""
        same: list[SentBody] = []
        anew: list[SentBody] = []
        lost = False
        for counter, sent in self.under_way(replay, seat):
            steps_done = steps_done_by(replay, seat, sent.payload)
            wanted = still_wanted(replay, seat, cards, sent)
            late = may_come_late(replay, sent.payload)
            if fits_still(replay, sent) and (steps_done or wanted or late):
                self._bodies[counter] = replace(sent, steps=steps_done)
                same.append(self._bodies[counter])
                continue
            del self._bodies[counter]
            if wanted and sent.sign_anew:
                anew.append(sent)
            elif sent.by_player and sent.round == replay.number:
                lost = True
        return AfterCatchUp(tuple(same), tuple(anew), lost)

    def withdraw(self, replay: Replay) -> None:
        """Forbid signing acts again that were signed on an end of the log that is gone.

        Acts for the decision that is open now are exempt. Decisions are numbered, and the number of
        one that this log has not reached may belong to a different situation later.
        """
        for counter, sent in self._bodies.items():
            if isinstance(sent.payload, bodies.Act) and not replay.knows(sent.head):
                anew = sent.sign_anew and _asked_now(replay, sent.round, sent.payload)
                self._bodies[counter] = replace(sent, sign_anew=anew)


def fits_still(replay: Replay, sent: SentBody) -> bool:
    """Whether the signed bytes themselves can still enter the log."""
    return replay.closed is None and replay.knows(sent.head) and sent.round == replay.number


def steps_done_by(replay: Replay, seat: int, payload: Payload) -> tuple[AutomaticStep, ...]:
    """Return the automatic steps of a seat that its payload would do, or replace."""
    if not isinstance(payload, bodies.Complain):
        return steps_answered_by(replay, seat, payload)
    share = (AutomaticStepKind.SHARE, payload.of)
    return tuple(
        step
        for step in automatic_steps(replay)
        if step.seat == seat
        and (step.kind is AutomaticStepKind.PASS or (step.kind, step.item) == share)
    )


def may_come_late(replay: Replay, payload: Payload) -> bool:
    """Whether this is a word, which may count for an earlier decision. The host decides that."""
    word = isinstance(payload, bodies.Act) and isinstance(payload.action, ANY_TIME)
    return word and replay.round is not None and replay.round.phase is ProtocolPhase.PLAY


def still_wanted(replay: Replay, seat: int, cards: Mapping[int, int], sent: SentBody) -> bool:
    """Whether a payload that was signed for an earlier head is valid for the present one.

    `cards`: the slots that the seat can read, with their cards.
    """
    current, payload = replay.round, sent.payload
    match payload:
        case bodies.Leave():
            return seat not in replay.leaving and seat not in replay.dropped
        case bodies.Return():
            return seat in replay.dropped
        case bodies.Listen():
            return replay.ports.get(seat) != payload.port
        case _:
            pass
    playing = current is not None and current.phase is ProtocolPhase.PLAY and replay.closed is None
    if current is None or current.number != sent.round or not playing:
        return False
    if isinstance(payload, bodies.Halt):
        # A fault on another end of the log may not exist here. The seat searches for it again.
        reachable = payload.reason is bodies.HaltReason.REACHABLE
        return replay.knows(sent.head) and (not reachable or payload.of in current.recovering)
    engine = current.engine
    return (
        isinstance(payload, bodies.Act)
        and isinstance(engine, Round)
        and _asked_now(replay, sent.round, payload)
        and engine.refusal(seat, payload.action, cards) is None
    )


def _asked_now(replay: Replay, number: int, act: bodies.Act) -> bool:
    """Whether the decision that an act answers is open."""
    current = replay.round
    engine = None if current is None or current.number != number else current.engine
    return isinstance(engine, Round) and engine.decision == act.decision
