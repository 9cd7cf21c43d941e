"""Chat and reactions at a table: what a host passes on, and what a node shows. Sans I/O.

Chat and reactions are in no log, and prove nothing. The host knows the author of a line by its
connection; all other nodes have to believe the host.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Protocol

from lanuno.log.format.genesis import clean_name, look_alike
from lanuno.table import messages
from lanuno.table.budget import (
    CHAT_BURST,
    CHAT_RATE,
    REACTION_BURST,
    REACTION_RATE,
    SPECTATORS_CHAT_BURST,
    SPECTATORS_CHAT_RATE,
    Budget,
)
from lanuno.table.outputs import ChatReceived, ReactionSeen, Spectator

REMEMBERED_SPEAKERS: Final = 64
"""Number of people whose budgets a host keeps; beyond that it forgets the first speaker."""

LONGEST_SHOWN: Final = 32
LONGEST_SHOWN_BYTES: Final = 128
"""Bounds of a displayed name: names of tables are longer than names of people."""


class NamedPlayer(Protocol):
    """A player with a seat, before genesis or after it."""

    @property
    def name(self) -> str:
        """The name that everybody sees."""

    @property
    def identity(self) -> bytes:
        """The identity that has the seat."""

    @property
    def bot(self) -> bool:
        """Whether a program plays it."""


class ChatBudget:
    """How many lines and reactions the host of a table passes on."""

    def __init__(self) -> None:
        """All budgets are full."""
        self._spectators = Budget(SPECTATORS_CHAT_RATE, SPECTATORS_CHAT_BURST)
        self._each: dict[bytes, Budget] = {}
        self._reactions: dict[int, Budget] = {}
        """By seat: spectators cannot react."""

    def takes(self, speaker: bytes, now: float, *, watches: bool) -> bool:
        """Whether a line of this person is within the budget; if so, it counts."""
        each = self._each.get(speaker)
        if each is None:
            each = self._each[speaker] = Budget(CHAT_RATE, CHAT_BURST)
            if len(self._each) > REMEMBERED_SPEAKERS:
                del self._each[next(iter(self._each))]
        if watches and not self._spectators.open(now):
            return False
        if not each.take(now):
            return False
        if watches:
            self._spectators.spend(1, now)
        return True

    def shows(self, seat: int, now: float) -> bool:
        """Whether a reaction of this seat is within the budget; if so, it counts."""
        budget = self._reactions.setdefault(seat, Budget(REACTION_RATE, REACTION_BURST))
        return budget.take(now)


def displayable_line(text: str) -> str | None:
    """A line as it is passed on and shown; None if it may not be shown."""
    return clean_name(text, messages.LONGEST_CHAT, 4 * messages.LONGEST_CHAT)


def is_name_taken(name: str, identity: bytes, spectators: Iterable[Spectator]) -> bool:
    """Whether another spectator has a name that looks like this one."""
    return any(each.identity != identity and look_alike(each.name, name) for each in spectators)


def checked_chat(message: messages.Said, seats: Sequence[NamedPlayer]) -> list[ChatReceived]:
    """A line of chat from the host, if it may be shown: the host may be dishonest.

    A line of a seat gets the name of that seat, and no spectator may have a name that looks like
    it.
    """
    text = displayable_line(message.text)
    if message.seat >= 0:
        if text is None or message.watcher is not None or message.seat >= len(seats):
            return []
        return [ChatReceived(seats[message.seat].name, message.seat, text)]
    name = displayable_name(message.name)
    if text is None or name is None or message.watcher is None:
        return []
    if any(seat.identity == message.watcher or look_alike(seat.name, name) for seat in seats):
        return []
    return [ChatReceived(name, message.seat, text, message.watcher)]


def checked_reaction(message: messages.Reacted, seats: Sequence[NamedPlayer]) -> list[ReactionSeen]:
    """A reaction from the host, if it is of a player. Bots do not react."""
    if message.seat >= len(seats) or seats[message.seat].bot:
        return []
    return [ReactionSeen(seats[message.seat].name, message.seat, message.reaction)]


def displayable_name(name: str) -> str | None:
    """A name of a person or a table as it may be shown; None if it may not."""
    return clean_name(name, LONGEST_SHOWN, LONGEST_SHOWN_BYTES)
