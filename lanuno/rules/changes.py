"""What a table changes about the preset that it is named after. Pure.

Here: which settings differ, and which of them are house rules. Not here: which of them make a
difference (rulebook/relevance.py), words for them (app/setting_texts.py, cli/rule_title.py).
"""

from __future__ import annotations

from dataclasses import dataclass

from lanuno.rules.engine.house_rules.registry import HOUSE_RULES
from lanuno.rules.presets import CLASSIC, PRESETS
from lanuno.rules.rulebook.relevance import is_played
from lanuno.rules.ruleset import Ruleset
from lanuno.rules.settings import SETTINGS

PLAYED = tuple(name for name, setting in SETTINGS.items() if setting.section is not None)
"""The settings that decide about a game, in wire order.

The others limit which tables may be opened; the seats of a table are shown beside its rules.
"""


@dataclass(frozen=True, slots=True)
class Changes:
    """How a ruleset differs from its preset."""

    house: tuple[str, ...] = ()
    """House rules that are added, in the order of `HOUSE_RULES`."""
    settings: tuple[str, ...] = ()
    """Other settings that differ, in wire order."""

    def __bool__(self) -> bool:
        return bool(self.house or self.settings)


def changes(ruleset: Ruleset) -> Changes:
    """What a ruleset changes. If its name is no preset, it is compared with the classic rules.

    A setting that makes no difference is not counted.
    """
    preset = PRESETS.get(ruleset.preset, CLASSIC)
    differing = differences(preset, ruleset)
    house = tuple([name for name in HOUSE_RULES if name in differing and getattr(ruleset, name)])
    others = tuple([name for name in differing if name not in house])
    return Changes(house, others)


def differences(before: Ruleset, after: Ruleset) -> tuple[str, ...]:
    """The settings that another ruleset changes, as far as they are played then; in wire order."""
    return tuple(
        [
            name
            for name in PLAYED
            if getattr(before, name) != getattr(after, name) and is_played(name, after)
        ]
    )
