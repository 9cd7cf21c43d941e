"""What somebody in a waiting room is ready for: the rules and the seats that they were shown. Pure.

The host may change both while people wait. A "ready" names what it was said about, so that one that
crosses a change on its way counts for nothing.
"""

from __future__ import annotations

from enum import IntEnum, unique

from lanuno.dealing.hashing import H
from lanuno.log.bodies import MAX_SEATS
from lanuno.log.codec import encode
from lanuno.log.genesis import unplayable
from lanuno.rules.ruleset import Format, Ruleset


@unique
class RulesRefusal(IntEnum):
    """Why a host cannot change the rules of its waiting room."""

    STARTED = 0
    """The table has begun, or is beginning."""
    BOUND = 1
    """The table is part of a tournament, whose rules all its players have signed."""
    TOO_MANY = 2
    """More people sit there than would have a seat."""
    UNPLAYABLE = 3
    """This number of players cannot play by these rules."""
    NO_BOTS = 4
    """A tournament is for people, and bots sit there."""


def offer_digest(ruleset: Ruleset, capacity: int) -> bytes:
    """Stands for a table's rules and number of seats in a "ready"."""
    return H("ready", encode(ruleset), capacity.to_bytes(4, "big"))


def why_not_for(ruleset: Ruleset, capacity: int, taken: int, *, bots: bool) -> RulesRefusal | None:
    """Why those who wait cannot play by these rules; None if they can.

    `taken`: seats that have somebody. `bots`: whether bots are among them.
    """
    if not 2 <= capacity <= MAX_SEATS or unplayable(ruleset, capacity) is not None:
        return RulesRefusal.UNPLAYABLE
    if taken > capacity:
        return RulesRefusal.TOO_MANY
    if bots and ruleset.format is Format.ROTATION:
        return RulesRefusal.NO_BOTS
    return None
