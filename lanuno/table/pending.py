"""Bodies that a seat has signed and that are not in its log yet: what is still right about them.

Here only questions are answered; what is sent again or signed anew `session.py` decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lanuno.log import bodies
from lanuno.log.bodies import Payload, SignedBody
from lanuno.log.duties import Duty
from lanuno.log.replay import Replay
from lanuno.log.round_record import Phase
from lanuno.rules.engine import Round


@dataclass(frozen=True, slots=True, repr=False)
class Sent:
    """A body under way to the host, and what it was for."""

    signed: SignedBody
    payload: Payload
    round: int
    head: bytes
    duties: tuple[Duty, ...]
    tries: int


def fits_still(replay: Replay, sent: Sent) -> bool:
    """Whether the very bytes that were signed may still come into the log."""
    return replay.knows(sent.head) and sent.round == replay.number


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
        return True
    engine = current.engine
    return (
        isinstance(payload, bodies.Act)
        and isinstance(engine, Round)
        and payload.decision == engine.decision
        and engine.refusal(seat, payload.action, cards) is None
    )
