"""The rows of the verifier: findings, checks, rounds, hands, and the path of a card."""

from __future__ import annotations

from msgspec import Struct


class Sentence(Struct, frozen=True):
    """A finding of the audit in one sentence: a promise, a check, a blame, and whether it holds."""

    id: str
    text: str
    state: str
    """`good`, `bad`, or `open` if it could not be checked."""
    detail: str = ""


class RoundLine(Struct, frozen=True):
    """One round of the game."""

    number: int
    title: str
    detail: str
    state: str


class OpenHandLine(Struct, frozen=True):
    """The hand of a seat at the moment that is shown."""

    seat: int
    name: str
    avatar: int
    bot: bool
    turn: bool
    mine: bool
    cards: tuple[dict[str, int], ...]
    """Cards with `card`, `colour` and `rank`; an unknown colour or rank is -2."""
    accessible_name: str


class CardStop(Struct, frozen=True):
    """A place on the path of the card that is followed."""

    id: int
    text: str
    moment: int
    kind: str
    """`deck`, `shuffled`, `pile`, `hand`, `discard`."""
    now: bool
    """Whether the card is there at the moment that is shown."""
