"""Turns `--preset` and `--set key=value` into a playable ruleset, or a clear refusal.

`--rules NAME` stands for the preset and the settings that the player has saved under a name, in the
window or by hand.

A refusal names the setting, and either the valid values or the limit that other settings impose. It
mentions a number of players only if one was asked for, or if the number is what is wrong.
"""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Sequence
from enum import IntEnum
from typing import Any

import msgspec

from lanuno.cli.exits import ExitCode
from lanuno.cli.output import Failure
from lanuno.cli.rule_title import changed_pairs, option_value
from lanuno.log.format.genesis import unplayable
from lanuno.rules.cards import MAX_SEATS
from lanuno.rules.match.tournament import SCHEDULE, TOURNAMENT_PLAYERS, is_tournament
from lanuno.rules.presets import PRESETS
from lanuno.rules.rulebook.scope import playable_seats
from lanuno.rules.ruleset import Format, Ruleset
from lanuno.rules.settings import SETTINGS, Setting
from lanuno.rules.validation import SettingError, SettingProblem, validate
from lanuno.store.rule_sets import find_rule_set, load_rule_sets


def choose_rules(preset: str | None, settings: Sequence[tuple[str, str]], seats: int) -> Ruleset:
    """Return the ruleset for these options and seats. Raises a `Failure` (USAGE) with the error."""
    ruleset = changed_rules(preset, settings)
    wrong = unplayable(ruleset, seats)
    if wrong is None:
        return ruleset
    if wrong.setting == "seats":
        whole = (TOURNAMENT_PLAYERS,) if ruleset.format is Format.ROTATION else ()
        raise wrong_players(ruleset, seats, *whole)
    raise _refused(wrong, ruleset, seats)


def choose_for_anybody(preset: str | None, settings: Sequence[tuple[str, str]]) -> Ruleset:
    """Return the ruleset for these options, if it is playable with some number of players."""
    ruleset = changed_rules(preset, settings)
    if playable_seats(ruleset):
        return ruleset
    for seats in range(2, MAX_SEATS + 1):
        wrong = validate(ruleset, seats)
        if wrong is not None and wrong.setting != "seats":
            raise _refused(wrong, ruleset, seats)
    raise wrong_players(ruleset, 0)


def changed_rules(preset: str | None, settings: Sequence[tuple[str, str]]) -> Ruleset:
    """Return a preset with these settings, without checking that it is playable.

    `target` alone sets the points for every number of players, so that the match is played to the
    points asked for. `target_two` sets a different number for two players.
    """
    name = "classic" if preset is None else preset
    if name not in PRESETS:
        raise _misuse("error.preset", value=name, known=", ".join(PRESETS))
    changes: dict[str, Any] = {}
    for key, value in settings:
        setting = SETTINGS.get(key)
        if setting is None:
            raise _misuse("error.setting_unknown", setting=key, known=_nearest(key))
        changes[key] = _value(setting, value)
    if "target" in changes:
        changes.setdefault("target_two", changes["target"])
    ruleset: Ruleset = msgspec.structs.replace(PRESETS[name], **changes)
    return ruleset


def refuse_rounds(ruleset: Ruleset, seats: int, rounds: int | None) -> None:
    """Raise a `Failure` (USAGE) if a tournament, which has its rotations, is given rounds."""
    if is_tournament(ruleset, seats) and rounds is not None:
        raise _misuse("error.tournament_rounds", rotations=len(SCHEDULE))


def usual_seats(preset: str | None, otherwise: int) -> int:
    """Return the default number of seats for a preset: `otherwise`, within the preset's limits."""
    rules = PRESETS.get("classic" if preset is None else preset)
    if rules is None:
        return otherwise
    if rules.format is Format.ROTATION:
        return TOURNAMENT_PLAYERS
    return max(rules.seats_min, min(rules.seats_max, otherwise))


def wrong_players(ruleset: Ruleset, players: int, *others: int) -> Failure:
    """Return the failure for a wrong number of players, with the valid numbers and `others`."""
    fit = sorted({*playable_seats(ruleset), *others})
    if not fit:
        return _misuse(
            "error.no_players",
            format=ruleset.format.name.lower(),
            low=ruleset.seats_min,
            high=ruleset.seats_max,
        )
    return _misuse("error.players", players=players, choices=", ".join(map(str, fit)))


def _nearest(name: str) -> str:
    """Return the settings with names like this one, or all of them if there are none."""
    return ", ".join(difflib.get_close_matches(name, SETTINGS) or SETTINGS)


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
        raise _misuse("error.setting_number", setting=name, value=value, low=low, high=high)
    raise _misuse("error.setting_value", setting=name, value=value, choices=_choices(setting))


def _choices(setting: Setting) -> str:
    """Return the valid values of a setting, as written for `--set`."""
    if setting.kind is bool:
        return "on, off"
    return ", ".join(map(option_value, setting.values))


def _misuse(key: str, **values: object) -> Failure:
    return Failure(ExitCode.USAGE, key, **values)


def _refused(wrong: SettingError, ruleset: Ruleset, seats: int) -> Failure:
    """Return the failure for a wrong setting, with what is valid. Not for the number of players."""
    setting, limit = wrong.setting, wrong.limit
    if wrong.problem is SettingProblem.NOT_A_CHOICE:
        value, choices = getattr(ruleset, setting), _choices(SETTINGS[setting])
        return _misuse("error.setting_value", setting=setting, value=value, choices=choices)
    if wrong.problem is not SettingProblem.CONFLICT:
        low = wrong.problem is SettingProblem.TOO_LOW
        key = "error.setting_low" if low else "error.setting_high"
        return _misuse(key, setting=setting, limit=limit)
    if setting == "hand_size":
        return _misuse("error.hand_size", players=seats, limit=limit)
    if setting == "advice":
        return _misuse("error.advice")
    if limit is not None:
        return _misuse("error.setting_above", setting=setting, limit=limit, other=wrong.other)
    other = getattr(ruleset, wrong.other or "format")
    return _misuse(
        "error.setting_conflict",
        setting=setting,
        other=f"{wrong.other}={option_value(other)}",
    )


def use_saved(args: argparse.Namespace) -> None:
    """Replace `--rules` by its preset and settings, with every `--set` applied after them.

    Raises `Failure` (USAGE), and `StoreError` if the file of saved rules cannot be read.
    """
    if args.saved is None:
        return
    if args.preset is not None:
        raise _misuse("error.rules_and_preset")
    rule_sets = load_rule_sets(args.home)
    found = find_rule_set(rule_sets, args.saved)
    if found is None:
        known = ", ".join(each.name for each in rule_sets) or "-"
        raise _misuse("error.saved_rules", value=args.saved, known=known)
    apply_rule_set(args, found.ruleset)


def apply_rule_set(args: argparse.Namespace, ruleset: Ruleset) -> None:
    """Set `args` as if the rules had been written out. Values of `--set` take precedence."""
    saved = dict(changed_pairs(ruleset))
    if "target" in dict(args.settings):
        # A `target` in `--set` is for any number of players, whatever was saved for two.
        saved.pop("target_two", None)
    elif "target" in saved:
        # A `target` alone would also set the points for two players, which the rules may not do.
        saved["target_two"] = option_value(ruleset.target_two)
    args.preset = ruleset.preset
    args.settings = [*saved.items(), *args.settings]
