"""The values that a round passes to its match, and the plan of the next round.

Here: the values that pass between a round and a match. Not here: how they are worked out.
"""

from __future__ import annotations

from enum import IntEnum, unique

import msgspec

from lanuno.rules.engine.events import RoundEnding


@unique
class RoundKind(IntEnum):
    """What a round is for."""

    DEALER = 0  # one open card each; the highest number deals
    PLAY = 1


class RoundPlan(msgspec.Struct, frozen=True):
    """The next round, as it follows from the match."""

    number: int
    """From 0, which chooses the dealer where one has to be chosen; void rounds use up theirs."""
    kind: RoundKind
    seats: tuple[int, ...]
    """Who plays, clockwise."""
    dealer: int | None
    """None where the round is there to choose one."""


class DealerResult(msgspec.Struct, frozen=True):
    """The outcome of choosing a dealer."""

    dealer: int


class RoundResult(msgspec.Struct, frozen=True):
    """The outcome of a round, with all hands known. Tuples are in the order of `seats`."""

    ending: RoundEnding
    seats: tuple[int, ...]
    """Who was dealt cards, clockwise."""
    winners: tuple[int, ...]
    """Who won the round: nobody if it is void or blocked with a tie; several if laps are tied."""
    points: tuple[int, ...]
    """Points left in each hand, with the draw caused by a last card; 0 for a seat that left."""
    cards: tuple[int, ...]
    """Cards left in each hand."""
    left: tuple[int, ...] = ()
    """Seats that left while it ran: their hands count for nobody."""


class RoundScored(msgspec.Struct, frozen=True):
    """A round counts. Tuples have one place per seat of the match."""

    number: int
    gains: tuple[int, ...]
    totals: tuple[int, ...]


class RoundVoid(msgspec.Struct, frozen=True):
    """A round counts for nothing; its number is used up and the same dealer deals again."""

    number: int


class SeatOut(msgspec.Struct, frozen=True):
    """This seat plays no further round of the match."""

    seat: int


class PlayOn(msgspec.Struct, frozen=True):
    """Only these seats go on: the others are out, or the end is a tie between these."""

    seats: tuple[int, ...]


class MatchOver(msgspec.Struct, frozen=True):
    """The match is decided; several winners share it."""

    winners: tuple[int, ...]


MatchEvent = RoundScored | RoundVoid | SeatOut | PlayOn | MatchOver
