"""Which settings make a difference under the others, so that no text shows an unused one.

settings.py holds the conditions; match/formats.py and engine/state.py apply the settings. For the
settings that end a match, and for those that another setting replaces, a test plays both ways and
compares.
"""

from __future__ import annotations

from lanuno.rules.engine.house_rules.registry import HOUSE_RULES, house_rules_of
from lanuno.rules.rulebook.scope import playable_seats
from lanuno.rules.ruleset import Ruleset
from lanuno.rules.settings import SETTINGS


def has_target(ruleset: Ruleset) -> bool:
    """Whether points end a match under these rules."""
    return SETTINGS["target"].matters(ruleset)


def matters(name: str, ruleset: Ruleset, seats: int | None = None) -> bool:
    """Whether a match depends on this setting, with `seats` players or with any possible number."""
    setting = SETTINGS[name]
    if not setting.matters(ruleset):
        return False
    players = setting.players.get(ruleset.format)
    if players is None:
        return True
    counts = playable_seats(ruleset) if seats is None else (seats,)
    return any(count in players for count in counts)


def is_played(name: str, ruleset: Ruleset) -> bool:
    """Whether the setting matters and no other setting is played instead.

    A page for choosing rules shows both settings, so it asks `matters`.
    """
    rule = HOUSE_RULES.get(name)
    replaced = rule is not None and rule.replaced(ruleset)
    overridden = any(name in each.replaces for each in house_rules_of(ruleset))
    return matters(name, ruleset) and not replaced and not overridden
