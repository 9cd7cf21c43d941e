"""The rows of the history: games, figures, and the people with whom the user has played."""

from __future__ import annotations

from msgspec import Struct


class GameRow(Struct, frozen=True):
    """A game that was played."""

    id: str
    """The table id, in hexadecimal."""
    name: str
    """The name of the preset."""
    when: str
    text: str
    """Who won, or why nobody did."""
    players: str
    """The other players, isolated."""
    rounds: int
    won: bool
    """Whether the user won by the cards."""
    lost: bool
    points: int
    played: bool
    """Whether the user had a seat."""
    verdict: str
    """"good", "open" or "bad", or "" if never checked."""
    verdict_text: str
    accessible_name: str


class Figure(Struct, frozen=True):
    """A number of the statistics."""

    key: str
    name: str
    value: str
    note: str


class PersonRow(Struct, frozen=True):
    """A person with whom the user has played."""

    id: str
    name: str
    text: str
    games: int
    wins: int
    """Games that the user won and this person did not."""
    losses: int
    """Games that this person won and the user did not."""
    avatar: int
