"""Where the sources of these rules disagree, and which of them is followed.

Five descriptions of the game were compared: the sheets of the games with 108 and with 112 cards,
online rules for two to four players, the Masters rules, and rules for two players. Each point on
which they differ has one note, chosen by the settings. Points that no source mentions have none.
"""

from __future__ import annotations

from collections.abc import Iterator

from lanuno.rules.presets import PRESETS
from lanuno.rules.rule import CheckedBy, Rule
from lanuno.rules.rulebook.scope import Scope
from lanuno.rules.ruleset import Format

_FOLLOWED = {
    "deck112": "large",
    "express": "online",
    "masters": "masters",
    "masters-short": "masters",
    "duel": "two",
}
"""By preset: the source that it follows. All others follow the sheet of the game with 108 cards."""

_DECKS = {108: ("deck_small",), 112: ("deck_large",)}
"""By deck: the notes on what the sources say about it."""


def sources(s: Scope) -> Iterator[Rule]:
    """Yield which source is followed, in general and on each point of difference."""
    yield _note("compared")
    if s.ruleset.preset in PRESETS:
        yield _note(_FOLLOWED.get(s.ruleset.preset, "small"))
    yield from map(_note, _DECKS.get(s.ruleset.deck, ()))
    yield _note(f"four_{s.wild_four.name.lower()}")
    yield _note(f"uno_{s.ruleset.uno.name.lower()}")
    yield _note(f"draw_{s.ruleset.draw.name.lower()}")
    yield _note(f"drawn_{s.drawn.name.lower()}")
    yield _note("no_stacking")
    yield from _ending(s)


def _ending(s: Scope) -> Iterator[Rule]:
    if s.format is Format.POINTS:
        if s.counts[-1] > 4:
            yield _note("seats_open")
        few, many = s.ruleset.target_two, s.ruleset.target
        played = {(count == 2, few if count == 2 else many) for count in s.counts}
        if played <= {(True, 500), (False, 500)}:
            yield _note("points_sheets")
        elif played <= {(True, 100), (False, 200)}:
            yield _note("points_online")
        else:
            yield _note("points_own")
    elif s.format is Format.LAPS:
        yield _note("short_laps")
    elif s.format is Format.DEALS:
        yield _note("short_deals")


def _note(name: str) -> Rule:
    return Rule(f"sources.{name}", CheckedBy.NOTE)
