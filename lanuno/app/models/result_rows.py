"""The rows of results. Values only."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """A round in the table of scores; one place per seat of the match."""

    number: int
    text: str
    points: tuple[int, ...]
    totals: tuple[int, ...]
    void: bool
    verified: int
    of: int


@dataclass(frozen=True, slots=True)
class StandingRow:
    """Where somebody stands."""

    seat: int
    place: int
    name: str
    points: int
    gained: int
    team: int
    winner: bool
    me: bool
    bot: bool
    avatar: int


@dataclass(frozen=True, slots=True)
class LeftHand:
    """What somebody held when the round ended."""

    seat: int
    name: str
    cards: tuple[dict[str, int], ...]
    points: int
