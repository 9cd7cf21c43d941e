"""The rows of what stands on a table: cards, players, moves, chat. Values only."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HandCard:
    """A card of the own hand."""

    slot: int
    colour: int
    """-1 for a wild card."""
    rank: int
    playable: bool
    why_not: str
    """Why it cannot be played now; "" if it can, or if it is not one's turn."""
    wild: bool
    drawn: bool
    """Just drawn, in this turn."""
    name: str
    accessible_name: str


@dataclass(frozen=True, slots=True)
class Opponent:
    """Somebody else at the table."""

    seat: int
    name: str
    count: int
    turn: bool
    bot: bool
    uno: bool
    """Has said it, with one card left."""
    owes_uno: bool
    catchable: bool
    dropped: bool
    asleep: bool
    """The table waits for this computer."""
    waiting: int
    """Seconds that it waits; -1 if it does not."""
    points: int
    team: int
    partner: bool
    dealer: bool
    last: bool
    """Made the last move."""
    avatar: int
    out: bool
    """Does not play in this round."""
    host: bool
    accessible_name: str


@dataclass(frozen=True, slots=True)
class MoveLine:
    """A move in words."""

    id: int
    seat: int
    text: str
    colour: int
    kind: str


@dataclass(frozen=True, slots=True)
class DealLine:
    """What somebody has done for the shuffle."""

    seat: int
    name: str
    committed: bool
    shuffled: bool
    locked: bool
    text: str


@dataclass(frozen=True, slots=True)
class TotalLine:
    """Somebody's points in the match."""

    seat: int
    name: str
    points: int
    team: int
    me: bool


@dataclass(frozen=True, slots=True)
class ChatLine:
    """Something that was said."""

    id: int
    seat: int
    name: str
    text: str
    mine: bool
    watching: bool = False


@dataclass(frozen=True, slots=True)
class AbsentPlayer:
    """Somebody whose computer the table waits for."""

    seat: int
    name: str
    seconds_left: int
