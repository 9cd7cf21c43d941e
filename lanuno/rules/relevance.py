"""Which of the settings that end a match make a difference, so that no text shows another number.

Here: the target, the laps and the numbers of rounds, by the format and the number of players. Not
here: what the settings do (formats.py, state.py); a test plays both ways and compares.
"""

from __future__ import annotations

from lanuno.rules.rulebook_scope import playable_seats
from lanuno.rules.ruleset import Format, Ruleset

BY_SEATS = (Format.POINTS, Format.LOW_SCORE)
"""Formats that two can play to a target."""
FOR_MORE = (Format.ELIMINATION, Format.PAIRS)
"""Formats with a target that two cannot play."""


def has_target(ruleset: Ruleset) -> bool:
    """Whether points end a match by these rules."""
    return ruleset.format in (*BY_SEATS, *FOR_MORE)


def matters(setting: str, ruleset: Ruleset, seats: int | None = None) -> bool:
    """Whether a match between so many, or any number that can play, depends on this setting."""
    counts = playable_seats(ruleset) if seats is None else (seats,)
    form = ruleset.format
    if setting == "target":
        return form in FOR_MORE or (form in BY_SEATS and any(count > 2 for count in counts))
    if setting == "target_two":
        return form in BY_SEATS and 2 in counts
    if setting == "laps":
        return form is Format.LAPS
    if setting == "hands":
        return form in (Format.PARTNERS, Format.ROTATION, Format.DEALS)
    if setting == "cycles":
        return form is Format.PARTNERS
    return True
