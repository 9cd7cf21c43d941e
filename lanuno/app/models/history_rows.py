"""The rows of the history: games, numbers, and the people one played with."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GameRow:
    """One game."""

    id: str
    """Of its table, in hexadecimal."""
    name: str
    """What was played."""
    when: str
    text: str
    """Who won, or why nobody did."""
    players: str
    """Who sat there, isolated."""
    rounds: int
    won: bool
    lost: bool
    points: int
    played: bool
    """Whether the user had a seat."""
    verdict: str
    """"verified", "cheating", "incomplete", "changed", "unreadable", or "" if nobody asked."""
    verdict_text: str
    accessible_name: str


@dataclass(frozen=True, slots=True)
class Figure:
    """A number worth knowing."""

    key: str
    name: str
    value: str
    note: str


@dataclass(frozen=True, slots=True)
class PersonRow:
    """Somebody one played with."""

    id: str
    name: str
    text: str
    games: int
    wins: int
    """Won by the user and not by them."""
    losses: int
    """The other way round."""
    avatar: int
