"""Bodies that a seat has signed and that are not in its log yet: what is still right about them.

Here they are remembered, with the counters that are used up, and questions about them answered;
what is sent again or signed anew `session.py` decides. No repr shows what is in a body.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from lanuno.log import bodies
from lanuno.log.bodies import Payload, SignedBody
from lanuno.log.duties import Duty, DutyKind, answered_by, duties
from lanuno.log.faults import Unreadable
from lanuno.log.replay import Replay
from lanuno.log.round_record import Phase
from lanuno.rules.actions import ANY_TIME, OpenHand, Show, Verdict
from lanuno.rules.engine import Round
from lanuno.table.recall import SeatRecall

MOST_PENDING = 64
"""So many bodies are remembered: those that are not in the log, and the last ones that are."""


@dataclass(frozen=True, slots=True, repr=False)
class Sent:
    """A body under way to the host, and what it was for."""

    signed: SignedBody
    payload: Payload
    round: int
    head: bytes
    duties: tuple[Duty, ...] = ()
    tries: int = 1
    anew: bool = True
    """Whether it may be signed on another head: not what was decided in a situation that is gone
    with the end of the log that it came from."""

    @property
    def by_player(self) -> bool:
        """Whether somebody has decided it, and will want to know that it was not taken."""
        payload = self.payload
        by_itself = Show | Verdict | OpenHand
        return isinstance(payload, bodies.Act) and not isinstance(payload.action, by_itself)


@dataclass(frozen=True, slots=True, repr=False)
class Again:
    """What becomes of bodies under way once their author has caught up with the log."""

    same: tuple[Sent, ...]
    """To be sent again as they are, by counter."""
    anew: tuple[Sent, ...]
    """To be signed on the present head: the end that they were signed on is gone."""
    lost: bool
    """Whether a decision of this round is dropped."""


class Pending:
    """What one seat has signed of late, the counters that it has used up, and its seeds."""

    def __init__(self, kept: SeatRecall | None = None, public: bytes | None = None) -> None:
        """`kept`: what an earlier program of this seat remembers. `public`: who signs for it."""
        kept = kept or SeatRecall()
        self.counter = max([kept.next_counter, *(counter + 1 for counter in kept.bodies)])
        """No counter from this one on was ever used."""
        self.seeds = dict(kept.seeds)
        """By hash of their round's Open entry and label; what is drawn is added."""
        self._public = public
        self._sent: dict[int, Sent] = {}
        for counter in sorted(kept.bodies)[-MOST_PENDING:]:
            signed = kept.bodies[counter]
            try:
                body = signed.read()
            except Unreadable:
                continue  # nobody would take it
            self._sent[counter] = Sent(signed, body.payload, body.round, body.head)

    def __len__(self) -> int:
        return len(self._sent)

    def __repr__(self) -> str:
        return f"Pending({len(self)} bodies, <secret>)"

    def put(self, counter: int, sent: Sent) -> None:
        """Remember a body; the oldest is forgotten where there are too many."""
        self._sent[counter] = sent
        if len(self._sent) > MOST_PENDING:
            del self._sent[min(self._sent)]

    def take(self, counter: int) -> Sent | None:
        """Forget a body."""
        return self._sent.pop(counter, None)

    def next_counter(self, replay: Replay, seat: int) -> int:
        """The lowest counter that the log leaves to this seat's player."""
        return replay.next_counter(seat, self._public)

    def under_way(self, replay: Replay, seat: int) -> list[tuple[int, Sent]]:
        """What may still come into the log, by counter; all others are in it or passed over."""
        unused = self.next_counter(replay, seat)
        return [
            (counter, sent) for counter, sent in sorted(self._sent.items()) if counter >= unused
        ]

    def says(self, replay: Replay, seat: int, kind: type[Payload]) -> bool:
        """Whether something of a kind is under way."""
        return any(isinstance(sent.payload, kind) for _, sent in self.under_way(replay, seat))

    def look_again(self, replay: Replay, seat: int, cards: Mapping[int, int]) -> Again:
        """Sort out what is under way; only what is to be sent again is still remembered."""
        same: list[Sent] = []
        anew: list[Sent] = []
        lost = False
        for counter, sent in self.under_way(replay, seat):
            about = does_duties(replay, seat, sent.payload)
            wanted = still_wanted(replay, seat, cards, sent)
            late = may_come_late(replay, sent.payload)
            if fits_still(replay, sent) and (about or wanted or late):
                self._sent[counter] = replace(sent, duties=about)
                same.append(self._sent[counter])
                continue
            del self._sent[counter]
            if wanted and sent.anew:
                anew.append(sent)
            elif sent.by_player and sent.round == replay.number:
                lost = True
        return Again(tuple(same), tuple(anew), lost)

    def doubt(self, replay: Replay) -> None:
        """The end on which some acts were signed may be gone for good: this is what remains of it.

        Decisions are counted: whatever was not asked for here already, the same number may ask for
        in another situation later.
        """
        for counter, sent in self._sent.items():
            if isinstance(sent.payload, bodies.Act) and not replay.knows(sent.head):
                anew = sent.anew and _asked_now(replay, sent.round, sent.payload)
                self._sent[counter] = replace(sent, anew=anew)


def fits_still(replay: Replay, sent: Sent) -> bool:
    """Whether the very bytes that were signed may still come into the log."""
    return replay.closed is None and replay.knows(sent.head) and sent.round == replay.number


def does_duties(replay: Replay, seat: int, payload: Payload) -> tuple[Duty, ...]:
    """The duties of a seat that a payload of its own would do, or excuse it from."""
    if isinstance(payload, bodies.Complain):
        return tuple(
            [
                duty
                for duty in duties(replay)
                if duty.seat == seat
                and (
                    duty.kind is DutyKind.PASS
                    or (duty.kind, duty.item) == (DutyKind.SHARE, payload.of)
                )
            ]
        )
    return answered_by(replay, seat, payload)


def may_come_late(replay: Replay, payload: Payload) -> bool:
    """Whether a word that answers an earlier decision may be right: the host knows."""
    if not isinstance(payload, bodies.Act) or not isinstance(payload.action, ANY_TIME):
        return False
    current = replay.round
    return current is not None and current.phase is Phase.PLAY


def still_wanted(replay: Replay, seat: int, cards: Mapping[int, int], sent: Sent) -> bool:
    """Whether what was signed for an earlier head is right on the present one.

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
    playing = current is not None and current.phase is Phase.PLAY and replay.closed is None
    if current is None or current.number != sent.round or not playing:
        return False
    if isinstance(payload, bodies.Halt):
        # What was wrong on another end of the log need not be wrong here: it is looked for again.
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
