"""Rate limits for one peer: 20 human actions per second, and many more automatic steps.

`lanuno.table.chat` limits the chat that a host passes on. This module limits the chat that a node
accepts from its host.
"""

from __future__ import annotations

from typing import Final

from lanuno.log.faults import Unreadable
from lanuno.log.format import bodies
from lanuno.net.transport.limits import Limits
from lanuno.net.transport.rate import TokenBucket
from lanuno.table import messages
from lanuno.table.messages import AtTable

STEPS_RATE: Final = 400.0
STEPS_BURST: Final = 2_000
"""Automatic messages of one node: more than an honest node sends while cards are dealt."""

STRANGERS_STEPS_RATE: Final = 40.0
STRANGERS_STEPS_BURST: Final = 200
"""Automatic messages of a peer without a seat, or in the lobby, which only fetches parts of the
log. At the players' rate, 26 such peers would keep the host busy, and every new connection starts
with a full burst. A spectator may fetch some 90 parts in a burst."""

SHOWN_CHAT_RATE: Final = 20.0
SHOWN_CHAT_BURST: Final = 120
"""Lines of chat that are shown, regardless of what a host sends. A full table with all of its
spectators may send fewer (14 per second, 100 in a burst)."""

SHOWN_REACTIONS_RATE: Final = 12.0
SHOWN_REACTIONS_BURST: Final = 40
"""Reactions that are shown. A full table may send fewer (10 per second, 30 in a burst)."""

ANSWERS_RATE: Final = 12.0
ANSWERS_BURST: Final = 60
"""Rematch states that are accepted. With ten players some 20 arrive in a burst. Further ones follow
only when a player leaves or returns."""

STRANGER_MESSAGES: Final = (messages.Watch, messages.Join, messages.Say, messages.Fetch)
"""All messages that a peer without a seat may send at a table in progress."""

_BY_HAND = (
    messages.Say,
    messages.React,
    messages.PlayAgain,
    messages.Watch,
    messages.Join,
    messages.RevealNonce,
    messages.TakeSeat,
)


class MessageBudget:
    """The token buckets of one connection."""

    def __init__(self, limits: Limits, now: float, *, plays: bool = True) -> None:
        """Start full. `plays` is whether the peer plays at this table, or hosts it."""
        rate = STEPS_RATE if plays else STRANGERS_STEPS_RATE
        burst = STEPS_BURST if plays else STRANGERS_STEPS_BURST
        self._moves = TokenBucket(limits.rate, limits.burst, now)
        self._steps = TokenBucket(rate, burst, now)
        self._shown: dict[type[object], TokenBucket] = {
            messages.Said: TokenBucket(SHOWN_CHAT_RATE, SHOWN_CHAT_BURST, now),
            messages.Reacted: TokenBucket(SHOWN_REACTIONS_RATE, SHOWN_REACTIONS_BURST, now),
            messages.RematchState: TokenBucket(ANSWERS_RATE, ANSWERS_BURST, now),
        }

    def take(self, message: AtTable, now: float) -> bool:
        """Whether this message is within the budget. A peer that exceeds it is disconnected."""
        by_hand = isinstance(message, _BY_HAND) or (
            isinstance(message, messages.Submit) and _is_act(message)
        )
        return (self._moves if by_hand else self._steps).take(now)

    def allows_display(self, message: AtTable, now: float) -> bool:
        """Whether to show this message. Chat beyond what a full table can send is ignored."""
        bucket = self._shown.get(type(message))
        return bucket is None or bucket.take(now)


def _is_act(message: messages.Submit) -> bool:
    try:
        return isinstance(message.body.read().payload, bodies.Act)
    except Unreadable:
        return True
