"""The rows of the verifier: sentences, checks, rounds, hands, and where a card was."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sentence:
    """Something that is promised, and whether it holds."""

    id: str
    text: str
    state: str
    """`good`, `bad`, or `open` where it could not be checked."""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class CheckLine:
    """One named check, over all rounds."""

    id: str
    text: str
    state: str
    detail: str


@dataclass(frozen=True, slots=True)
class RoundLine:
    """One round of the game."""

    number: int
    title: str
    detail: str
    state: str


@dataclass(frozen=True, slots=True)
class OpenHandLine:
    """What somebody holds at the moment that is shown."""

    seat: int
    name: str
    avatar: int
    turn: bool
    mine: bool
    cards: tuple[dict[str, int], ...]
    """Cards with `card`, `colour` and `rank`; unknown ones have -2."""
    accessible_name: str


@dataclass(frozen=True, slots=True)
class CardStop:
    """Where the chosen card was."""

    id: int
    text: str
    moment: int
    kind: str
    """`deck`, `shuffled`, `pile`, `hand`, `discard`."""
    now: bool
    """Whether it is there at the moment that is shown."""
