"""From `--preset` and `--set key=value` to a ruleset that can be played, or a clear refusal.

A refusal names the setting, and the values that would do or the limit that follows from the others.
It speaks of a number of players only if that was asked for, or if it is what is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any

import msgspec

from lanuno.cli.exits import ExitCode
from lanuno.cli.output import Failure
from lanuno.cli.rule_title import option_value
from lanuno.log.format.genesis import unplayable
from lanuno.rules.match.tournament import PLAYERS
from lanuno.rules.presets import PRESETS
from lanuno.rules.rulebook.scope import MOST_SEATS, playable_seats
from lanuno.rules.ruleset import Format, Ruleset
from lanuno.rules.settings import SETTINGS, Setting
from lanuno.rules.validation import SettingError, SettingProblem, validate


def choose_rules(preset: str | None, settings: Sequence[tuple[str, str]], seats: int) -> Ruleset:
    """The ruleset for these options and seats; a `Failure` (USAGE) names what is wrong."""
    ruleset = changed_rules(preset, settings)
    wrong = unplayable(ruleset, seats)
    if wrong is None:
        return ruleset
    if wrong.setting == "seats":
        whole = (PLAYERS,) if ruleset.format is Format.ROTATION else ()
        raise wrong_players(ruleset, seats, *whole)
    raise _refused(wrong, ruleset, seats)


def choose_for_anybody(preset: str | None, settings: Sequence[tuple[str, str]]) -> Ruleset:
    """The ruleset for these options, if any number of players can play by it."""
    ruleset = changed_rules(preset, settings)
    if playable_seats(ruleset):
        return ruleset
    every = [validate(ruleset, seats) for seats in range(2, MOST_SEATS + 1)]
    for seats, wrong in enumerate(every, 2):
        if wrong is not None and wrong.setting != "seats":
            raise _refused(wrong, ruleset, seats)
    raise wrong_players(ruleset, 0)


def changed_rules(preset: str | None, settings: Sequence[tuple[str, str]]) -> Ruleset:
    """A preset with these settings, which nobody may be able to play by.

    `target` alone means the points for any number of players, so that what was asked for is what is
    played; `target_two` sets them apart where two play.
    """
    name = "classic" if preset is None else preset
    if name not in PRESETS:
        raise Failure(ExitCode.USAGE, "error.preset", value=name, known=", ".join(PRESETS))
    changes: dict[str, Any] = {}
    for key, value in settings:
        setting = SETTINGS.get(key)
        if setting is None:
            raise Failure(ExitCode.USAGE, "error.setting_unknown", setting=key)
        changes[key] = _value(setting, value)
    if "target" in changes:
        changes.setdefault("target_two", changes["target"])
    ruleset: Ruleset = msgspec.structs.replace(PRESETS[name], **changes)
    return ruleset


def usual_seats(preset: str | None, otherwise: int) -> int:
    """Seats to play a preset with, if nothing is asked for: `otherwise` where its limits allow."""
    rules = PRESETS.get("classic" if preset is None else preset)
    if rules is None:
        return otherwise
    if rules.format is Format.ROTATION:
        return PLAYERS
    return max(rules.seats_min, min(rules.seats_max, otherwise))


def wrong_players(ruleset: Ruleset, players: int, *others: int) -> Failure:
    """That this number cannot play by these rules, and which can; `others` besides those."""
    fit = sorted({*playable_seats(ruleset), *others})
    if not fit:
        return Failure(
            ExitCode.USAGE,
            "error.no_players",
            format=ruleset.format.name.lower(),
            low=ruleset.seats_min,
            high=ruleset.seats_max,
        )
    return Failure(ExitCode.USAGE, "error.players", players=players, choices=_listed(fit))


def _value(setting: Setting, value: str) -> int:
    kind = setting.kind
    if kind is bool:
        if value in ("yes", "on", "true", "1"):
            return True
        if value in ("no", "off", "false", "0"):
            return False
    elif issubclass(kind, IntEnum):
        for member in kind:
            if member.name.lower() == value.lower().replace("-", "_"):
                return member
    elif value.isascii() and value.isdigit() and len(value) < 10:
        return int(value)
    name = setting.name
    if setting.bounds is not None:
        low, high = setting.bounds
        raise Failure(
            ExitCode.USAGE, "error.setting_number", setting=name, value=value, low=low, high=high
        )
    raise Failure(
        ExitCode.USAGE, "error.setting_value", setting=name, value=value, choices=_choices(setting)
    )


def _choices(setting: Setting) -> str:
    """The values that a setting can have, as they are written behind `--set`."""
    if setting.kind is bool:
        return "on, off"
    return ", ".join(map(option_value, setting.values))


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


def _refused(wrong: SettingError, ruleset: Ruleset, seats: int) -> Failure:
    """What is wrong with a setting, and what would do. Not for the number of players itself."""
    setting, limit = wrong.setting, wrong.limit
    if wrong.problem is SettingProblem.NOT_A_CHOICE:
        value, choices = getattr(ruleset, setting), _choices(SETTINGS[setting])
        return Failure(
            ExitCode.USAGE, "error.setting_value", setting=setting, value=value, choices=choices
        )
    if wrong.problem is not SettingProblem.CONFLICT:
        low = wrong.problem is SettingProblem.TOO_LOW
        key = "error.setting_low" if low else "error.setting_high"
        return Failure(ExitCode.USAGE, key, setting=setting, limit=limit)
    if setting == "hand_size":
        return Failure(ExitCode.USAGE, "error.hand_size", players=seats, limit=limit)
    if setting == "advice":
        return Failure(ExitCode.USAGE, "error.advice")
    if limit is not None:
        return Failure(
            ExitCode.USAGE, "error.setting_above", setting=setting, limit=limit, other=wrong.other
        )
    other = getattr(ruleset, wrong.other or "format")
    return Failure(
        ExitCode.USAGE,
        "error.setting_conflict",
        setting=setting,
        other=f"{wrong.other}={option_value(other)}",
    )
