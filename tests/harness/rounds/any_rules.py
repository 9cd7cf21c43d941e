"""Random rulesets: a preset with some settings changed, each to a value within its own bounds.

The settings may not be playable together; `validate` checks that.
"""

from __future__ import annotations

from random import Random

import msgspec

from lanuno.rules.presets import PRESETS
from lanuno.rules.ruleset import Ruleset
from lanuno.rules.settings import SETTINGS

CHANGED = 0.4
"""The probability that a setting differs from the preset."""


def any_ruleset(chance: Random) -> Ruleset:
    """Return a random ruleset; every setting is within its own bounds."""
    ruleset = chance.choice(list(PRESETS.values()))
    changes = {
        name: any_value(name, getattr(ruleset, name), chance)
        for name in SETTINGS
        if chance.random() < CHANGED
    }
    changed: Ruleset = msgspec.structs.replace(ruleset, **changes)
    return changed


def any_value(name: str, usual: int, chance: Random) -> int:
    """Return a random value of one setting; the bounds are more likely than values between them."""
    setting = SETTINGS[name]
    if setting.kind is bool:
        return chance.random() < 0.5
    if setting.bounds is None:
        return chance.choice(setting.values)
    low, high = setting.bounds
    return chance.choice([low, high, usual, chance.randint(low, high)])
