"""Words that all kinds of scenarios share: names of players and cards, rulesets, lists.

This module reads single words and lists; the other modules carry out whole lines.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from lanuno.rules.cards import CardId, Colour, Rank
from lanuno.rules.decks import deck_tables
from lanuno.rules.presets import PRESETS
from lanuno.rules.ruleset import Ruleset

NAMES = ("Ana", "Ben", "Carla", "Dan", "Eva", "Finn", "Gil", "Hana", "Ivo", "Jo")

RANKS = {
    **{str(number): Rank(number) for number in range(10)},
    "skip": Rank.SKIP,
    "reverse": Rank.REVERSE,
    "+2": Rank.DRAW_TWO,
    "wild": Rank.WILD,
    "wild four": Rank.WILD_FOUR,
}


def listed(words: str) -> list[str]:
    """Return the parts of "red 7, wild" or "Ana, Ben and Carla"."""
    return [part.strip() for part in re.split(r",| and ", words) if part.strip()]


def numbered(words: str) -> dict[str, int]:
    """Return the parts of "Ana 0, Ben 12" with the number at the end of each."""
    parts = (part.rsplit(" ", 1) for part in listed(words))
    return {name: int(number) for name, number in parts}


def face_ids(name: str, deck: int) -> list[CardId]:
    """Return all cards with a name such as "red 7", "blue skip", "green +2" or "wild four"."""
    colour: Colour | None = None
    if name not in ("wild", "wild four"):
        first, _, name = name.partition(" ")
        colour = Colour[first.upper()]
    return [
        card
        for card, face in enumerate(deck_tables(deck).faces)
        if face.colour == colour and face.rank == RANKS[name]
    ]


def ruleset_from(settings: dict[str, Any]) -> Ruleset:
    """Return a preset (by default `classic`) with changed settings; enumerations by name."""
    settings = dict(settings)
    base = PRESETS[settings.pop("preset", "classic")]
    changes = {name: setting(base, name, value) for name, value in settings.items()}
    return msgspec.structs.replace(base, **changes)


def setting(base: Ruleset, name: str, value: Any) -> Any:
    """Return the value of a setting written as a number, as true or false, or as a word."""
    kind = type(getattr(base, name))
    if kind is str or not isinstance(value, str):
        return value
    if kind is bool:
        return {"on": True, "off": False}[value]
    return int(value) if kind is int else kind[value.upper().replace("-", "_")]
