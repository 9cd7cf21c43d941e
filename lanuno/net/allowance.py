"""How much one computer may say: what people do at 20 a second, the automatic steps much more.

How many lines of chat a host passes on is decided in `lanuno.table.chat`; here is how many a
computer takes from its host.
"""

from __future__ import annotations

from typing import Final

from lanuno.log import bodies
from lanuno.log.faults import Unreadable
from lanuno.net.limits import Limits
from lanuno.net.rate import TokenBucket
from lanuno.table import messages
from lanuno.table.messages import AtTable

STEPS_RATE: Final = 400.0
STEPS_BURST: Final = 2_000
"""Automatic messages of one computer: what an honest one sends while cards are dealt, and room."""

STRANGERS_STEPS_RATE: Final = 40.0
STRANGERS_STEPS_BURST: Final = 200
"""The same of somebody without a seat, or in a waiting room, who only asks for parts of the log: 26
of them at the rate of players would keep the host from all else, and each handshake brings as much
at once again. All that a spectator may fetch at once is some 90 parts."""

CHAT_RATE: Final = 20.0
CHAT_BURST: Final = 120
"""Lines of chat that are shown, whatever a host sends: more than a full table and all of its
spectators may say (14 a second and 100 at once)."""

REACTIONS_RATE: Final = 12.0
REACTIONS_BURST: Final = 40
"""Reactions of a host that are shown: more than a full table may send (10 a second, 30 at once)."""

ANSWERS_RATE: Final = 12.0
ANSWERS_BURST: Final = 60
"""Counts of a rematch that are heard: ten players come and say yes, so a keeper tells some 20 at
once. More follow only where somebody leaves or comes back."""

OF_STRANGERS: Final = (messages.Watch, messages.Join, messages.Say, messages.Fetch)
"""All that somebody without a seat has to say at a table that plays."""

_STRANGERS_STEPS: Final = STRANGERS_STEPS_RATE, STRANGERS_STEPS_BURST
_BY_HAND = (
    messages.Say,
    messages.React,
    messages.PlayAgain,
    messages.Watch,
    messages.Join,
    messages.Ready,
    messages.Agree,
    messages.NonceOut,
    messages.TakeSeat,
)


class Allowance:
    """The buckets of one connection."""

    def __init__(self, limits: Limits, now: float, *, plays: bool = True) -> None:
        """All are full. `plays`: whether the other end plays at this table, or hosts it."""
        steps = (STEPS_RATE, STEPS_BURST) if plays else _STRANGERS_STEPS
        self._moves = TokenBucket(limits.rate, limits.burst, now)
        self._steps = TokenBucket(*steps, now)
        self._chat = TokenBucket(CHAT_RATE, CHAT_BURST, now)
        self._reactions = TokenBucket(REACTIONS_RATE, REACTIONS_BURST, now)
        self._answers = TokenBucket(ANSWERS_RATE, ANSWERS_BURST, now)

    def take(self, message: AtTable, now: float) -> bool:
        """Whether this message may still come."""
        by_hand = isinstance(message, _BY_HAND) or (
            isinstance(message, messages.Submit) and _is_act(message)
        )
        return (self._moves if by_hand else self._steps).take(now)

    def shows(self, message: AtTable, now: float) -> bool:
        """Whether this message is heard at all: talk beyond what a table can say is not."""
        if isinstance(message, messages.Said):
            return self._chat.take(now)
        if isinstance(message, messages.Reacted):
            return self._reactions.take(now)
        if isinstance(message, messages.Rematch):
            return self._answers.take(now)
        return True


def _is_act(message: messages.Submit) -> bool:
    try:
        return isinstance(message.body.read().payload, bodies.Act)
    except Unreadable:
        return True
