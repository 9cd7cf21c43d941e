"""The rules of a table in a line: its preset, and what it changes about that.

Identifiers, not words: they are what `--preset` and `--set` take.
"""

from __future__ import annotations

from enum import IntEnum

from lanuno.client.texts import Texts
from lanuno.rules.changes import Changes, changes
from lanuno.rules.presets import CLASSIC, PRESETS
from lanuno.rules.rulebook.relevance import matters
from lanuno.rules.ruleset import Ruleset
from lanuno.rules.settings import SETTINGS


def rules_title(text: Texts, preset: str, house: int, settings: int) -> str:
    """`classic + 2 house rules, 1 changed setting`."""
    parts = []
    if house:
        parts.append(text.count("rules.house_rules", house))
    if settings:
        parts.append(text.count("rules.changed_settings", settings))
    return f"{preset} + {', '.join(parts)}" if parts else preset


def rules_line(text: Texts, ruleset: Ruleset) -> str:
    """The same, and behind it all of them: `(jump_in=on, target=300)`."""
    changed = changes(ruleset)
    title = rules_title(text, ruleset.preset, len(changed.house), len(changed.settings))
    named = [
        f"{key}={option_value(getattr(ruleset, key))}"
        for key in (*changed.house, *changed.settings)
    ]
    return f"{title} ({', '.join(named)})" if named else title


def changed_fields(ruleset: Ruleset | None) -> dict[str, object]:
    """The same as JSON; nothing where the rules cannot be read."""
    changed = Changes() if ruleset is None else changes(ruleset)
    return {
        "house_rules": list(changed.house),
        "changed_settings": {key: plain_value(getattr(ruleset, key)) for key in changed.settings},
    }


def changed_pairs(ruleset: Ruleset, seats: int | None = None) -> list[tuple[str, str]]:
    """Every setting that differs from the preset's, as `--set` takes it.

    A setting that makes no difference is left out; `seats`: with this number of players.
    """
    usual = PRESETS.get(ruleset.preset, CLASSIC)
    return [
        (name, option_value(getattr(ruleset, name)))
        for name in SETTINGS
        if getattr(ruleset, name) != getattr(usual, name) and matters(name, ruleset, seats)
    ]


def plain_value(value: int) -> int | str | bool:
    """A value of a setting: a choice by its name."""
    return value.name.lower() if isinstance(value, IntEnum) else value


def option_value(value: int) -> str:
    """The same as `--set` takes it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(plain_value(value))
