"""How the rules of a table differ from the preset that they are named after.

The functions are pure. rulebook/relevance.py decides whether a setting makes a difference; the
texts for people are made in app/setting_texts.py and cli/rule_title.py.
"""

from __future__ import annotations

from msgspec import Struct

from lanuno.rules.engine.house_rules.registry import HOUSE_RULES
from lanuno.rules.presets import CLASSIC, PRESETS
from lanuno.rules.rulebook.relevance import is_played
from lanuno.rules.ruleset import Ruleset
from lanuno.rules.settings import SETTINGS

PLAYED = tuple(name for name, setting in SETTINGS.items() if setting.section is not None)
"""The settings that affect the game itself, in wire order.

The other settings limit which tables can be opened; a table shows its seats beside its rules.
"""


class Changes(Struct, frozen=True):
    """How a ruleset differs from its preset."""

    house: tuple[str, ...] = ()
    """House rules that are added, in the order of `HOUSE_RULES`."""
    settings: tuple[str, ...] = ()
    """Other settings that differ, in wire order."""

    def __bool__(self) -> bool:
        return bool(self.house or self.settings)


def changes(ruleset: Ruleset) -> Changes:
    """Return what a ruleset changes about its preset.

    A ruleset whose name is no preset is compared with the classic rules. Settings that make no
    difference are left out.
    """
    preset = PRESETS.get(ruleset.preset, CLASSIC)
    differing = differences(preset, ruleset)
    house = tuple([name for name in HOUSE_RULES if name in differing and getattr(ruleset, name)])
    others = tuple([name for name in differing if name not in house])
    return Changes(house, others)


def differences(before: Ruleset, after: Ruleset) -> tuple[str, ...]:
    """Return the settings that `after` plays and that differ from `before`, in wire order."""
    return tuple(
        [
            name
            for name in PLAYED
            if getattr(before, name) != getattr(after, name) and is_played(name, after)
        ]
    )
