"""Chat and reactions at a table: what the host passes on and what a node shows. Sans I/O.

Chat and reactions are in no log and prove nothing. The host knows the author of a line by the
connection; all other nodes have to trust the host.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from lanuno.log.format.genesis import SeatInfo
from lanuno.log.format.names import clean_name, look_alike
from lanuno.table import messages
from lanuno.table.budget import (
    ADDRESS_CHAT_BURST,
    ADDRESS_CHAT_RATE,
    CHAT_BURST,
    CHAT_RATE,
    REACTION_BURST,
    REACTION_RATE,
    SPECTATORS_CHAT_BURST,
    SPECTATORS_CHAT_RATE,
    Budget,
)
from lanuno.table.outputs import ChatReceived, ReactionSeen, Spectator

LONGEST_SHOWN: Final = 32
LONGEST_SHOWN_BYTES: Final = 128
"""Limits for a displayed name, in code points and bytes of UTF-8. Table names are the longest."""


NamedPlayer = messages.LobbySeat | SeatInfo
"""A player with a seat, before or after genesis."""


class ChatBudget:
    """The number of lines and reactions that the host of a table passes on."""

    def __init__(self) -> None:
        """Start with full budgets."""
        self._each = Budget[bytes](CHAT_RATE, CHAT_BURST)
        self._addresses = Budget[str](ADDRESS_CHAT_RATE, ADDRESS_CHAT_BURST)
        self._together = Budget[bool](SPECTATORS_CHAT_RATE, SPECTATORS_CHAT_BURST)
        """For all spectators (True), and for all guests with a seat in a waiting room (False)."""
        self._reactions = Budget[int](REACTION_RATE, REACTION_BURST)
        """By seat. Spectators cannot react."""

    def takes(self, speaker: bytes, now: float, *, watches: bool, address: str = "") -> bool:
        """Charge a line to this speaker's budget; return whether the budget allows it.

        `address`: that of a guest with a seat in a waiting room, who may have a new key for every
        line; "" for all others.
        """
        shares = watches or bool(address)
        allowed = (
            self._each.open(speaker, now)
            and (not address or self._addresses.open(address, now))
            and (not shares or self._together.open(watches, now))
        )
        if not allowed:
            return False
        self._each.spend(speaker, 1, now)
        if address:
            self._addresses.spend(address, 1, now)
        if shares:
            self._together.spend(watches, 1, now)
        return True

    def shows(self, seat: int, now: float) -> bool:
        """Charge a reaction to this seat's budget; return whether the budget allows it."""
        return self._reactions.take(seat, now)


def displayable_line(text: str) -> str | None:
    """Return a line of chat as it is passed on and shown; None if it may not be shown."""
    return clean_name(text, messages.LONGEST_CHAT, 4 * messages.LONGEST_CHAT)


def is_name_taken(name: str, identity: bytes, spectators: Iterable[Spectator]) -> bool:
    """Whether another spectator has a name that looks like this one."""
    return any(each.identity != identity and look_alike(each.name, name) for each in spectators)


def checked_chat(message: messages.Said, seats: Sequence[NamedPlayer]) -> list[ChatReceived]:
    """Return a line of chat from the host as it is shown, or nothing: the host may be dishonest.

    A player's line gets the name of the seat. A spectator's name may not look like that of a seat.
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
    """Return a reaction from the host, or nothing if it is not a player's. Bots do not react."""
    if message.seat >= len(seats) or seats[message.seat].bot:
        return []
    return [ReactionSeen(seats[message.seat].name, message.seat, message.reaction)]


def displayable_name(name: str) -> str | None:
    """Return the name of a player, spectator or table as it is shown; None if it is not allowed."""
    return clean_name(name, LONGEST_SHOWN, LONGEST_SHOWN_BYTES)
