"""Rate limits for each peer: 20 human actions per second, and many more automatic steps.

The limits count by key, so that a new connection does not renew them. A key costs nothing to those
who have no seat, so these share a limit.

`lanuno.table.chat` limits the chat that a host passes on. This module limits the chat that a node
accepts from its host.
"""

from __future__ import annotations

import asyncio
from typing import Final

from lanuno.log.faults import Unreadable
from lanuno.log.format import bodies
from lanuno.net.errors import Goodbye
from lanuno.net.transport.channel import Channel
from lanuno.net.transport.limits import DEFAULT
from lanuno.table import messages
from lanuno.table.budget import Budget
from lanuno.table.messages import AtTable

STEPS_RATE: Final = 400.0
STEPS_BURST: Final = 2_000
"""Automatic messages of one node: more than an honest node sends while cards are dealt. Further
ones wait. They end no connection, because another one of the same key may have sent them."""

STRANGERS_RATE: Final = 200.0
STRANGERS_BURST: Final = 400
"""Messages of all peers together that have no seat, or are in the lobby. Each connection has one
message waiting at most, so they take turns, and new keys for new connections gain nothing. All
spectators of a table together fetch some 90 parts of the log in a burst, and 22 per second."""

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

ADMISSION_MESSAGES: Final = (
    messages.BeginPinProof,
    messages.ConfirmPin,
    messages.Watch,
    messages.Join,
)
"""What a peer sends to be admitted to a table, and only the table's host may grant."""

STRANGER_MESSAGES: Final = (*ADMISSION_MESSAGES, messages.Say, messages.Fetch)
"""All messages that a peer without a seat may send at a table in progress."""

_BY_HAND = (
    messages.Say,
    messages.React,
    messages.ReadsScore,
    messages.PlayAgain,
    *ADMISSION_MESSAGES,
    messages.RevealNonce,
    messages.TakeSeat,
)


class MessageBudget:
    """The budgets of one node for the messages of all its peers, by key."""

    def __init__(self) -> None:
        """Start with full budgets."""
        self._by_hand = Budget[bytes](DEFAULT.rate, DEFAULT.burst)
        self._steps = Budget[bytes](STEPS_RATE, STEPS_BURST)
        self._strangers = Budget[None](STRANGERS_RATE, STRANGERS_BURST)
        self._shown: dict[type[object], Budget[bytes]] = {
            messages.Said: Budget(SHOWN_CHAT_RATE, SHOWN_CHAT_BURST),
            messages.Reacted: Budget(SHOWN_REACTIONS_RATE, SHOWN_REACTIONS_BURST),
            messages.RematchState: Budget(ANSWERS_RATE, ANSWERS_BURST),
        }

    async def wait_for_turn(
        self, channel: Channel, message: AtTable, *, plays: bool
    ) -> Goodbye | None:
        """Wait until this message may be handled, which is at once within the budgets.

        Meanwhile no other message of this connection is read, so a peer that sends more only fills
        its own queue. Returns the reason if the connection must be closed instead. `plays` is
        whether the peer plays at this table, or hosts it.
        """
        now = asyncio.get_running_loop().time()
        delay = self.charge(channel.identity, message, now, plays=plays)
        if delay is None:
            return Goodbye.FLOOD
        if delay <= 0:
            return None
        await asyncio.sleep(delay)
        return None if channel.end is None else Goodbye.DONE

    def charge(self, who: bytes, message: AtTable, now: float, *, plays: bool) -> float | None:
        """Charge a message to its key, and return for how many seconds it has to wait.

        None: more messages by hand than a person sends.
        """
        by_hand = isinstance(message, _BY_HAND) or (
            isinstance(message, messages.Submit) and _is_act(message)
        )
        if by_hand and not self._by_hand.take(who, now):
            return None
        if not plays:
            return self._strangers.delay(None, now)
        return 0.0 if by_hand else self._steps.delay(who, now)

    def allows_display(self, who: bytes, message: AtTable, now: float) -> bool:
        """Whether to show this message. Chat beyond what a full table can send is ignored."""
        budget = self._shown.get(type(message))
        return budget is None or budget.take(who, now)


def _is_act(message: messages.Submit) -> bool:
    try:
        return isinstance(message.body.read().payload, bodies.Act)
    except Unreadable:
        return True
