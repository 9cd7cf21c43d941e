"""Readiness in a lobby: a player is ready for certain rules and a number of seats. Pure functions.

The host may change both while players wait. A `Ready` therefore names the offer that it refers to.
One that crosses a change on the network does not count.
"""

from __future__ import annotations

from enum import IntEnum, unique

from lanuno.dealing.hashing import H
from lanuno.log.format.codec import encode
from lanuno.log.format.genesis import unplayable
from lanuno.rules.cards import MAX_SEATS
from lanuno.rules.ruleset import Format, Ruleset


@unique
class RulesRefusal(IntEnum):
    """Why a host cannot change the rules of its lobby."""

    STARTED = 0
    """The start is under way or done."""
    BOUND = 1
    """The table is part of a tournament, whose rules all players have signed."""
    TOO_MANY = 2
    """More seats are taken than the new number of seats."""
    UNPLAYABLE = 3
    """The rules do not allow this number of players."""
    NO_BOTS = 4
    """A tournament is for people only, and bots have seats."""


def offer_digest(ruleset: Ruleset, capacity: int) -> bytes:
    """Return the digest of a table's rules and number of seats, for `Ready.offer`."""
    return H("ready", encode(ruleset), capacity.to_bytes(4, "big"))


def why_not_for(ruleset: Ruleset, capacity: int, taken: int, *, bots: bool) -> RulesRefusal | None:
    """Return why the players in a lobby cannot play by these rules; None if they can.

    `taken`: number of taken seats. `bots`: whether some of them are bots'.
    """
    if not 2 <= capacity <= MAX_SEATS or unplayable(ruleset, capacity) is not None:
        return RulesRefusal.UNPLAYABLE
    if taken > capacity:
        return RulesRefusal.TOO_MANY
    if bots and ruleset.format is Format.ROTATION:
        return RulesRefusal.NO_BOTS
    return None
