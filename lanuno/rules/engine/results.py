"""The values that pass between a round and its match: results, and the plan of the next round.

`Round`, `DealerRound` and `Match` compute them.
"""

from __future__ import annotations

from enum import IntEnum, unique

import msgspec

from lanuno.rules.engine.events import RoundEnding


@unique
class RoundKind(IntEnum):
    """The purpose of a round."""

    DEALER = 0  # one open card each; the highest number deals
    PLAY = 1


class RoundPlan(msgspec.Struct, frozen=True):
    """The next round, as the match determines it."""

    number: int
    """From 0 if the dealer has to be chosen first, else from 1. A void round uses up its number."""
    kind: RoundKind
    seats: tuple[int, ...]
    """The seats that play, clockwise."""
    dealer: int | None
    """None if the round is to choose the dealer."""


class DealerResult(msgspec.Struct, frozen=True):
    """The outcome of a round that chooses the dealer."""

    dealer: int


class RoundResult(msgspec.Struct, frozen=True):
    """The outcome of a round, with all hands known. Tuples are in the order of `seats`."""

    ending: RoundEnding
    seats: tuple[int, ...]
    """The seats that were dealt cards, clockwise."""
    winners: tuple[int, ...]
    """Empty if the round is void or blocked with a tie; several seats if laps end in a tie."""
    points: tuple[int, ...]
    """Points left in each hand, with the draw caused by a last card."""
    cards: tuple[int, ...]
    """Cards left in each hand."""
    left: tuple[int, ...] = ()
    """Seats that left during the round; their hands count as they were when they left."""


class RoundScored(msgspec.Struct, frozen=True):
    """A round that counts. Tuples have one item per seat of the match."""

    number: int
    gains: tuple[int, ...]
    totals: tuple[int, ...]


class RoundVoid(msgspec.Struct, frozen=True):
    """A round that does not count. Its number is used up, and the same dealer deals again."""

    number: int


class SeatOut(msgspec.Struct, frozen=True):
    """This seat plays no further round of the match."""

    seat: int


class PlayOn(msgspec.Struct, frozen=True):
    """Only these seats play on: the others are out, or these are tied at the end."""

    seats: tuple[int, ...]


class MatchOver(msgspec.Struct, frozen=True):
    """The match is decided; several winners share the win."""

    winners: tuple[int, ...]


MatchEvent = RoundScored | RoundVoid | SeatOut | PlayOn | MatchOver
