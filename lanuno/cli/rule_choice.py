"""From `--preset` and `--set key=value` to a ruleset that can be played, or a clear refusal."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any, get_type_hints

import msgspec

from lanuno.cli.exits import ExitCode
from lanuno.cli.output import Failure
from lanuno.log.genesis import unplayable
from lanuno.rules.presets import PRESETS
from lanuno.rules.ruleset import Format, Problem, Ruleset, SettingError
from lanuno.rules.tournament import PLAYERS


def choose_rules(preset: str | None, settings: Sequence[tuple[str, str]], seats: int) -> Ruleset:
    """The ruleset for these options and seats; a `Failure` (USAGE) names what is wrong."""
    name = "classic" if preset is None else preset
    if name not in PRESETS:
        raise Failure(ExitCode.USAGE, "error.preset", value=name, known=", ".join(PRESETS))
    kinds = get_type_hints(Ruleset)
    changes: dict[str, Any] = {}
    for key, value in settings:
        if key not in kinds or key == "preset":
            raise Failure(ExitCode.USAGE, "error.setting_unknown", setting=key)
        changes[key] = _value(kinds[key], key, value)
    ruleset: Ruleset = msgspec.structs.replace(PRESETS[name], **changes)
    wrong = unplayable(ruleset, seats)
    if wrong is not None:
        raise Failure(ExitCode.USAGE, _message(wrong), **_values(wrong, seats))
    return ruleset


def usual_seats(preset: str | None, otherwise: int) -> int:
    """Seats to play a preset with, if nothing is asked for: `otherwise` where its limits allow."""
    rules = PRESETS.get("classic" if preset is None else preset)
    if rules is None:
        return otherwise
    if rules.format is Format.ROTATION:
        return PLAYERS
    return max(rules.seats_min, min(rules.seats_max, otherwise))


def _value(kind: type, key: str, value: str) -> int:
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
    raise Failure(ExitCode.USAGE, "error.setting_value", setting=key, value=value)


def _message(wrong: SettingError) -> str:
    if wrong.problem is Problem.CONFLICT:
        return "error.setting_conflict"
    if wrong.problem is Problem.NOT_A_CHOICE:
        return "error.setting_choice"
    return "error.setting_low" if wrong.problem is Problem.TOO_LOW else "error.setting_high"


def _values(wrong: SettingError, seats: int) -> dict[str, object]:
    return {
        "setting": wrong.setting,
        "other": wrong.other or "seats",
        "limit": "" if wrong.limit is None else wrong.limit,
        "seats": seats,
    }
