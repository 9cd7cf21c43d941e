"""The rules of a table in one line: the preset and the changes to it.

Uses identifiers, not translated names, because those are what `--preset` and `--set` accept.
"""

from __future__ import annotations

from enum import IntEnum

from lanuno.client.rule_texts import title_with_changes
from lanuno.client.texts import Texts
from lanuno.rules.presets import CLASSIC, PRESETS
from lanuno.rules.rulebook.relevance import matters
from lanuno.rules.ruleset import Ruleset
from lanuno.rules.ruleset_changes import Changes, changes
from lanuno.rules.settings import SETTINGS


def rules_line(text: Texts, ruleset: Ruleset) -> str:
    """Return the title followed by all changes: `(jump_in=on, target=300)`."""
    changed = changes(ruleset)
    title = title_with_changes(text, ruleset.preset, len(changed.house), len(changed.settings))
    named = [
        f"{key}={option_value(getattr(ruleset, key))}"
        for key in (*changed.house, *changed.settings)
    ]
    return f"{title} ({', '.join(named)})" if named else title


def changed_fields(ruleset: Ruleset | None) -> dict[str, object]:
    """Return the changes as JSON; empty if the rules cannot be read."""
    changed = Changes() if ruleset is None else changes(ruleset)
    return {
        "house_rules": list(changed.house),
        "changed_settings": {key: plain_value(getattr(ruleset, key)) for key in changed.settings},
    }


def changed_pairs(ruleset: Ruleset, seats: int | None = None) -> list[tuple[str, str]]:
    """Return every setting that differs from the preset's, as `--set` accepts it.

    Omits settings that make no difference, with this number of `seats` if given.
    """
    usual = PRESETS.get(ruleset.preset, CLASSIC)
    return [
        (name, option_value(getattr(ruleset, name)))
        for name in SETTINGS
        if getattr(ruleset, name) != getattr(usual, name) and matters(name, ruleset, seats)
    ]


def plain_value(value: int) -> int | str | bool:
    """Return the value of a setting for JSON; a choice becomes its name."""
    return value.name.lower() if isinstance(value, IntEnum) else value


def option_value(value: int) -> str:
    """Return the value of a setting as `--set` accepts it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(plain_value(value))
