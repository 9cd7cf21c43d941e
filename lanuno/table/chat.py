"""What people say to each other at a table: what of it a host passes on, and what is shown of it.

Chat and reactions are in no log, and prove nothing. Who said a line is known to the host by the
connection that it came over; everybody else has the host's word for it. Sans I/O.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Protocol

from lanuno.log.genesis import clean_name, look_alike
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
from lanuno.table.outputs import ChatHeard, Output, ReactionSeen, Spectator

REMEMBERED_SPEAKERS: Final = 64
"""Of so many people a host knows how much they said; then it forgets the one who spoke first."""

LONGEST_SHOWN: Final = 32
LONGEST_SHOWN_BYTES: Final = 128
"""Bounds of a name that a host may show: those of tables are longer than those of people."""


class Named(Protocol):
    """Somebody with a seat, before genesis or after it."""

    @property
    def name(self) -> str:
        """As everybody sees it."""

    @property
    def identity(self) -> bytes:
        """Whose seat it is."""

    @property
    def bot(self) -> bool:
        """Whether a program plays it."""


class Talk:
    """How much was said at the table of one host."""

    def __init__(self) -> None:
        """Nobody has said anything."""
        self._spectators = Budget(SPECTATORS_CHAT_RATE, SPECTATORS_CHAT_BURST)
        self._each: dict[bytes, Budget] = {}
        self._reactions: dict[int, Budget] = {}
        """By seat: people who watch have none."""

    def takes(self, speaker: bytes, now: float, *, watches: bool) -> bool:
        """Whether a line of this person is passed on; what is too much is not."""
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
        """Whether a reaction of this seat is passed on; what is too much is not."""
        budget = self._reactions.setdefault(seat, Budget(REACTION_RATE, REACTION_BURST))
        return budget.take(now)


def spoken(text: str) -> str | None:
    """A line as it is passed on and shown; None if it is nothing that may be."""
    return clean_name(text, messages.LONGEST_CHAT, 4 * messages.LONGEST_CHAT)


def taken(name: str, identity: bytes, spectators: Iterable[Spectator]) -> bool:
    """Whether another one of these has a name like this."""
    return any(each.identity != identity and look_alike(each.name, name) for each in spectators)


def heard(said: messages.Said, seats: Sequence[Named]) -> list[Output]:
    """What somebody said, if it may be shown: the host is believed as little as anybody.

    What has a seat bears the name of that seat, and nothing else bears a name like it.
    """
    text = spoken(said.text)
    if said.seat >= 0:
        if text is None or said.watcher is not None or said.seat >= len(seats):
            return []
        return [ChatHeard(seats[said.seat].name, said.seat, text)]
    name = shown(said.name)
    if text is None or name is None or said.watcher is None:
        return []
    if any(seat.identity == said.watcher or look_alike(seat.name, name) for seat in seats):
        return []
    return [ChatHeard(name, said.seat, text, said.watcher)]


def seen(said: messages.Reacted, seats: Sequence[Named]) -> list[Output]:
    """What a player showed, if there is such a player. Bots show nothing."""
    if said.seat >= len(seats) or seats[said.seat].bot:
        return []
    return [ReactionSeen(seats[said.seat].name, said.seat, said.reaction)]


def shown(name: str) -> str | None:
    """A name of a person or a table that may be shown as it is."""
    return clean_name(name, LONGEST_SHOWN, LONGEST_SHOWN_BYTES)
