"""What a player in a lobby is ready for: the rules and the number of seats on the screen. Pure.

The host may change both while players wait. A "ready" names the offer that it is meant for, so that
one that crosses a change on its way does not count.
"""

from __future__ import annotations

from enum import IntEnum, unique

from lanuno.dealing.hashing import H
from lanuno.log.format.bodies import MAX_SEATS
from lanuno.log.format.codec import encode
from lanuno.log.format.genesis import unplayable
from lanuno.rules.ruleset import Format, Ruleset


@unique
class RulesRefusal(IntEnum):
    """Why a host cannot change the rules of its lobby."""

    STARTED = 0
    """The table has begun, or is beginning."""
    BOUND = 1
    """The table is part of a tournament, whose rules all its players have signed."""
    TOO_MANY = 2
    """More seats are taken than there would be."""
    UNPLAYABLE = 3
    """This number of players cannot play by these rules."""
    NO_BOTS = 4
    """A tournament is for people, and bots have seats."""


def offer_digest(ruleset: Ruleset, capacity: int) -> bytes:
    """The digest of a table's rules and number of seats, for a "ready"."""
    return H("ready", encode(ruleset), capacity.to_bytes(4, "big"))


def why_not_for(ruleset: Ruleset, capacity: int, taken: int, *, bots: bool) -> RulesRefusal | None:
    """Why the players in a lobby cannot play by these rules; None if they can.

    `taken`: number of taken seats. `bots`: whether bots are among them.
    """
    if not 2 <= capacity <= MAX_SEATS or unplayable(ruleset, capacity) is not None:
        return RulesRefusal.UNPLAYABLE
    if taken > capacity:
        return RulesRefusal.TOO_MANY
    if bots and ruleset.format is Format.ROTATION:
        return RulesRefusal.NO_BOTS
    return None
