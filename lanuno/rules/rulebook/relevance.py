"""Which settings make a difference under the others, so that no text shows what is not played.

Here: the target, the laps and the numbers of rounds by the format and the number of players, and
what depends on another setting alone. Not here: what the settings do (match/formats.py,
engine/state.py). For those that end a match, and for those that another setting replaces, a test
plays both ways and compares.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lanuno.rules.rulebook.scope import playable_seats
from lanuno.rules.ruleset import Format, Manners, Ruleset, UnoRule, WildFour

TARGET_BY_SEATS = (Format.POINTS, Format.LOW_SCORE)
"""Formats that two can play to a target."""
TARGET_ABOVE_TWO = (Format.ELIMINATION, Format.PAIRS)
"""Formats with a target that two cannot play."""
_FOUR_SEAT_FORMATS = (Format.PARTNERS, Format.ROTATION)

_CONDITIONS: Mapping[str, Callable[[Ruleset], bool]] = {
    "winner_deals": lambda rules: rules.format not in _FOUR_SEAT_FORMATS,
    "laps": lambda rules: rules.format is Format.LAPS,
    "hands": lambda rules: rules.format in (*_FOUR_SEAT_FORMATS, Format.DEALS),
    "cycles": lambda rules: rules.format is Format.PARTNERS,
    "challenge_penalty": lambda rules: rules.wild_four is WildFour.BLUFF and not rules.no_bluff,
    "uno_catch_ms": lambda rules: rules.uno is UnoRule.CATCH,
    "objection_penalty": lambda rules: rules.manners is Manners.HONOUR,
    "objection_ms": lambda rules: rules.manners is Manners.HONOUR,
    "advice_penalty": lambda rules: rules.advice,
    "vote_ms": lambda rules: rules.advice,
    "turn_extra_ms": lambda rules: bool(rules.turn_clock_s),
}
"""By setting: when it makes a difference with any number of players; all others always do."""

_REPLACED: Mapping[str, Callable[[Ruleset], bool]] = {
    "drawn": lambda rules: rules.forced_play,
    "stack_draw_two": lambda rules: rules.stack_cross,
    "stack_wild_four": lambda rules: rules.stack_cross,
    "no_bluff": lambda rules: rules.wild_four is not WildFour.BLUFF,
}
"""By setting: when another one is played in its place."""


def has_target(ruleset: Ruleset) -> bool:
    """Whether points end a match by these rules."""
    return ruleset.format in (*TARGET_BY_SEATS, *TARGET_ABOVE_TWO)


def matters(setting: str, ruleset: Ruleset, seats: int | None = None) -> bool:
    """Whether a match depends on this setting, with `seats` players or with any possible number."""
    counts = playable_seats(ruleset) if seats is None else (seats,)
    form = ruleset.format
    if setting == "target":
        return form in TARGET_ABOVE_TWO or (
            form in TARGET_BY_SEATS and any(count > 2 for count in counts)
        )
    if setting == "target_two":
        return form in TARGET_BY_SEATS and 2 in counts
    condition = _CONDITIONS.get(setting)
    return condition is None or condition(ruleset)


def is_played(setting: str, ruleset: Ruleset) -> bool:
    """Whether it matters, and no other setting is played in its place.

    A page on which rules are chosen shows both settings: it asks `matters`.
    """
    replaced = _REPLACED.get(setting)
    return matters(setting, ruleset) and (replaced is None or not replaced(ruleset))
