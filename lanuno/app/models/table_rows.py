"""The rows of the table: cards, players, moves, chat. Plain values only."""

from __future__ import annotations

from msgspec import Struct


class HandCard(Struct, frozen=True):
    """A card of this player's hand."""

    slot: int
    colour: int
    """-1 for a wild card."""
    rank: int
    playable: bool
    why_not: str
    """Why it cannot be played now; "" if it can, or if it is not this player's turn."""
    drawn: bool
    """Drawn in this turn."""
    name: str
    accessible_name: str


class Opponent(Struct, frozen=True):
    """Another player at the table."""

    seat: int
    name: str
    count: int
    turn: bool
    bot: bool
    uno: bool
    """Has called "UNO", and has one card left."""
    owes_uno: bool
    catchable: bool
    dropped: bool
    has_left: bool
    """Whether it was dropped because its player chose to leave."""
    asleep: bool
    """The table waits for this player's computer."""
    waiting: int
    """Seconds for which the table still waits; -1 if it does not."""
    points: int
    team: int
    partner: bool
    dealer: bool
    last: bool
    """Made the last move."""
    avatar: int
    out: bool
    """Does not play in this round."""
    expelled: bool
    """Is out of the match for good."""
    host: bool
    accessible_name: str


class MoveLine(Struct, frozen=True):
    """A move in words."""

    id: int
    seat: int
    text: str
    colour: int
    kind: str


class DealLine(Struct, frozen=True):
    """What a seat has done for the shuffle."""

    seat: int
    name: str
    committed: bool
    shuffled: bool
    locked: bool
    text: str


class ChatLine(Struct, frozen=True):
    """A line of the chat."""

    id: int
    seat: int
    name: str
    text: str
    mine: bool
    watching: bool = False
