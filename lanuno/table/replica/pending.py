"""Pending bodies: a seat has signed them and they are not in its log yet.

This module keeps them, with the counters that are used up, and finds out which are still valid;
`seat.py` sends them again or signs them anew. No repr shows what is in a body.
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
"""Number of bodies that are kept: those that are not in the log, and the last ones that are."""


@dataclass(frozen=True, slots=True, repr=False)
class SentBody:
    """A body under way to the host, and the steps that it does."""

    signed: SignedBody
    payload: Payload
    round: int
    head: bytes
    steps: tuple[AutomaticStep, ...] = ()
    tries: int = 1
    sign_anew: bool = True
    """Whether it may be signed on another head: not a decision in a situation that is gone with the
    end of the log that it came from."""

    @property
    def by_player(self) -> bool:
        """Whether the player decided it, and has to know if it is refused."""
        payload = self.payload
        automatic = Show | Verdict | OpenHand
        return isinstance(payload, bodies.Act) and not isinstance(payload.action, automatic)


@dataclass(frozen=True, slots=True, repr=False)
class AfterCatchUp:
    """What to do with pending bodies once their author has caught up with the log."""

    send_again: tuple[SentBody, ...]
    """To be sent again as they are, by counter."""
    sign_anew: tuple[SentBody, ...]
    """To be signed on the present head: the end on which they were signed is gone."""
    lost: bool
    """Whether a decision of this round is dropped."""


class PendingBodies:
    """The bodies that one seat has signed last, the counters that it has used up, and its seeds."""

    def __init__(self, kept: RecoveredSeat | None = None, public: bytes | None = None) -> None:
        """`kept`: from an earlier program of this seat. `public`: the key that signs for it."""
        kept = kept or RecoveredSeat()
        self.counter = max([kept.next_counter, *(counter + 1 for counter in kept.bodies)])
        """No counter from this one on was ever used."""
        self.seeds = dict(kept.seeds)
        """By hash of their round's Open entry and label; new seeds are added."""
        self._public = public
        self._bodies: dict[int, SentBody] = {}
        for counter in sorted(kept.bodies)[-MOST_PENDING:]:
            signed = kept.bodies[counter]
            try:
                body = signed.read()
            except Unreadable:
                continue  # no host would take it
            self._bodies[counter] = SentBody(signed, body.payload, body.round, body.head)

    def __len__(self) -> int:
        return len(self._bodies)

    def __repr__(self) -> str:
        return f"PendingBodies({len(self)} bodies, <secret>)"

    def put(self, counter: int, sent: SentBody) -> None:
        """Keep a body; the oldest is forgotten if there are too many."""
        self._bodies[counter] = sent
        if len(self._bodies) > MOST_PENDING:
            del self._bodies[min(self._bodies)]

    def take(self, counter: int) -> SentBody | None:
        """Forget a body."""
        return self._bodies.pop(counter, None)

    def next_counter(self, replay: Replay, seat: int) -> int:
        """The lowest counter that the log leaves to this seat's player."""
        return replay.next_counter(seat, self._public)

    def under_way(self, replay: Replay, seat: int) -> list[tuple[int, SentBody]]:
        """Bodies that may still come into the log, by counter; the others are in it or skipped."""
        unused = self.next_counter(replay, seat)
        return [
            (counter, sent) for counter, sent in sorted(self._bodies.items()) if counter >= unused
        ]

    def has(self, replay: Replay, seat: int, kind: type[Payload]) -> bool:
        """Whether a body of a kind is under way."""
        return any(isinstance(sent.payload, kind) for _, sent in self.under_way(replay, seat))

    def sort_out(self, replay: Replay, seat: int, cards: Mapping[int, int]) -> AfterCatchUp:
        """Sort the pending bodies; only those that are to be sent again are kept."""
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
        """Mark acts signed on an end of the log that is gone, so that none of them is signed anew.

        Decisions are numbered: the number of one that this log has not reached may belong to
        another situation later.
        """
        for counter, sent in self._bodies.items():
            if isinstance(sent.payload, bodies.Act) and not replay.knows(sent.head):
                anew = sent.sign_anew and _asked_now(replay, sent.round, sent.payload)
                self._bodies[counter] = replace(sent, sign_anew=anew)


def fits_still(replay: Replay, sent: SentBody) -> bool:
    """Whether the signed bytes themselves may still come into the log."""
    return replay.closed is None and replay.knows(sent.head) and sent.round == replay.number


def steps_done_by(replay: Replay, seat: int, payload: Payload) -> tuple[AutomaticStep, ...]:
    """The automatic steps of a seat that a payload of its own would do, or excuse it from."""
    if isinstance(payload, bodies.Complain):
        return tuple(
            [
                step
                for step in automatic_steps(replay)
                if step.seat == seat
                and (
                    step.kind is AutomaticStepKind.PASS
                    or (step.kind, step.item) == (AutomaticStepKind.SHARE, payload.of)
                )
            ]
        )
    return steps_answered_by(replay, seat, payload)


def may_come_late(replay: Replay, payload: Payload) -> bool:
    """Whether a word that answers an earlier decision may still count: the host decides that."""
    if not isinstance(payload, bodies.Act) or not isinstance(payload.action, ANY_TIME):
        return False
    current = replay.round
    return current is not None and current.phase is ProtocolPhase.PLAY


def still_wanted(replay: Replay, seat: int, cards: Mapping[int, int], sent: SentBody) -> bool:
    """Whether a payload that was signed for an earlier head is right on the present one.

    `cards`: what the seat can read.
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
        # A fault on another end of the log need not be one here: it is searched for again.
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
