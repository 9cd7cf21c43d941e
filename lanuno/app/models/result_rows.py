"""The rows of the result page. Plain values only."""

from __future__ import annotations

from msgspec import Struct


class ScoreLine(Struct, frozen=True):
    """A round in the table of scores, with one place per seat of the match."""

    number: int
    text: str
    points: tuple[int, ...]
    totals: tuple[int, ...]


class StandingRow(Struct, frozen=True):
    """The place of a player or a pair in the standings."""

    seat: int
    place: int
    name: str
    names: tuple[str, ...]
    points: int
    gained: int
    team: int
    winner: bool
    me: bool
    bot: bool
    avatar: int


class LeftHand(Struct, frozen=True):
    """The cards that a seat held when the round ended."""

    seat: int
    name: str
    avatar: int
    bot: bool
    cards: tuple[dict[str, int], ...]
    points: int
