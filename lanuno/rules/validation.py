"""The check that finds the setting with which a ruleset cannot be played."""

from __future__ import annotations

from enum import IntEnum, unique

import msgspec

from lanuno.rules.cards import MAX_SEATS
from lanuno.rules.decks import deck_tables
from lanuno.rules.engine.house_rules.registry import house_rules_of
from lanuno.rules.ruleset import FOUR_SEAT_FORMATS, PRESET_LENGTH, Format, Ruleset, UnoRule
from lanuno.rules.settings import SETTINGS


@unique
class SettingProblem(IntEnum):
    """What is wrong with a setting."""

    TOO_LOW = 0
    TOO_HIGH = 1
    NOT_A_CHOICE = 2
    CONFLICT = 3  # valid alone, but not together with another setting


class SettingError(msgspec.Struct, frozen=True):
    """A setting that cannot be played, by its field name in `Ruleset`."""

    setting: str
    problem: SettingProblem
    limit: int | None = None
    """The nearest valid value, or the first one for NOT_A_CHOICE; None if there is none."""
    other: str | None = None
    """CONFLICT: the other setting, or "seats" for the number of seats."""


_FORMAT_SEATS: dict[Format, range] = {
    Format.ELIMINATION: range(3, 11),
    Format.PAIRS: range(4, 11, 2),
    **dict.fromkeys(FOUR_SEAT_FORMATS, range(4, 5)),
}


def validate(ruleset: Ruleset, seats: int) -> SettingError | None:
    """Return the setting that cannot be played with this many seats, or None if all can.

    The number of seats itself is reported as "seats". Each setting is checked alone first, then the
    conflicts between settings, always in the same order.
    """
    return _out_of_range(ruleset) or _wrong_seats(ruleset, seats) or _conflict(ruleset, seats)


def _out_of_range(ruleset: Ruleset) -> SettingError | None:
    if len(ruleset.preset) > PRESET_LENGTH:
        return SettingError("preset", SettingProblem.TOO_HIGH, PRESET_LENGTH)
    for name, setting in SETTINGS.items():
        if setting.bounds is not None:
            value, (low, high) = getattr(ruleset, name), setting.bounds
            if value < low:
                return SettingError(name, SettingProblem.TOO_LOW, low)
            if value > high:
                return SettingError(name, SettingProblem.TOO_HIGH, high)
    for name, setting in SETTINGS.items():
        if setting.choices and getattr(ruleset, name) not in setting.choices:
            return SettingError(name, SettingProblem.NOT_A_CHOICE, setting.choices[0])
    return None


def _wrong_seats(ruleset: Ruleset, seats: int) -> SettingError | None:
    if ruleset.seats_min > ruleset.seats_max:
        return SettingError("seats_min", SettingProblem.CONFLICT, ruleset.seats_max, "seats_max")
    if seats < ruleset.seats_min:
        return SettingError("seats", SettingProblem.TOO_LOW, ruleset.seats_min)
    if seats > ruleset.seats_max:
        return SettingError("seats", SettingProblem.TOO_HIGH, ruleset.seats_max)
    if seats not in _FORMAT_SEATS.get(ruleset.format, range(2, MAX_SEATS + 1)):
        return SettingError("seats", SettingProblem.NOT_A_CHOICE, None, "format")
    return None


def _conflict(ruleset: Ruleset, seats: int) -> SettingError | None:
    # After the deal the draw pile must hold a card that may start.
    largest = (len(deck_tables(ruleset.deck).starting) - 1) // seats
    if ruleset.hand_size > largest:
        return SettingError("hand_size", SettingProblem.CONFLICT, largest, "seats")
    if ruleset.uno is UnoRule.CATCH and ruleset.uno_catch_ms > ruleset.uno_hold_ms:
        return SettingError(
            "uno_catch_ms", SettingProblem.CONFLICT, ruleset.uno_hold_ms, "uno_hold_ms"
        )
    if ruleset.advice and seats < 3:
        return SettingError("advice", SettingProblem.CONFLICT, None, "seats")
    for rule in house_rules_of(ruleset):
        other = rule.conflict(ruleset)
        if other is not None:
            return SettingError(rule.name, SettingProblem.CONFLICT, None, other)
    return None
