"""The name, the meaning and the problems of every setting of the rules, in words.

Names, hints and choices have ids made from the names of the settings (`setting.<name>` in
resources/languages); a test reports missing ones. lanuno/rules/settings.py lists the settings.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from PySide6.QtCore import QLocale

from lanuno.app.rule_texts import preset_name, preset_summary, rule_texts
from lanuno.app.texts import filled, sentence, texts, translate
from lanuno.client.match_length import too_long
from lanuno.client.rule_texts import title_with_changes
from lanuno.rules.engine.house_rules.registry import HOUSE_RULES
from lanuno.rules.presets import PRESETS
from lanuno.rules.rulebook.scope import playable_seats
from lanuno.rules.ruleset import Ruleset
from lanuno.rules.ruleset_changes import PLAYED, Changes, changes, differences
from lanuno.rules.settings import SETTINGS, Setting, Unit
from lanuno.rules.validation import SettingError, SettingProblem


def setting_name(key: str) -> str:
    """Return the name of a setting."""
    return texts()(f"setting.{key}.name")


def setting_hint(key: str) -> str:
    """Return one line about a setting, or ""; for a house rule its sentence in the rulebook."""
    if key in HOUSE_RULES:
        return rule_texts().sentence(HOUSE_RULES[key].sentence)
    return texts().optional(f"setting.{key}.hint")


def options(setting: Setting, rules: Ruleset) -> tuple[int, ...]:
    """Return the values from which a setting is chosen; none if it is a number or a switch."""
    if setting.kind is bool:
        return ()
    if setting.offered:
        return tuple(sorted({*setting.offered, int(getattr(rules, setting.name))}))
    return tuple(map(int, setting.values))


def value_text(setting: Setting, value: int) -> str:
    """Return a value of a setting in words."""
    kind = setting.kind
    if kind is bool:
        return translate("Setting", "on") if value else translate("Setting", "off")
    if issubclass(kind, IntEnum):
        return texts()(f"setting.{setting.name}.{kind(value).name.lower()}")
    if setting.name == "turn_clock_s" and not value:
        return translate("Setting", "no clock")
    match setting.unit:
        case Unit.MILLISECONDS:
            return time_text(value / 1000)
        case Unit.SECONDS:
            return time_text(value)
        case Unit.CARDS:
            return translate("Setting", "%n cards", "", value)
        case None:
            return QLocale().toString(value)


def time_text(seconds: float) -> str:
    """Return a duration in words: `2.5 s`, `3 min`."""
    if seconds >= 120 and seconds % 60 == 0:
        return filled(translate("Setting", "{number} min"), number=str(int(seconds // 60)))
    return filled(
        translate("Setting", "{number} s"), number=QLocale().toString(float(seconds), "g")
    )


def rules_title(preset: str, changed: Changes) -> str:
    """Return a title for a line of a list: `Classic + 2 house rules, 1 changed setting`."""
    return rules_title_of(preset, len(changed.house), len(changed.settings))


def rules_title_of(preset: str, house: int, settings: int) -> str:
    """Return the same title where only the numbers are known."""
    return title_with_changes(texts(), preset_name(preset), house, settings)


def change_text(key: str, rules: Ruleset) -> str:
    """Return a setting and its value: `Jump in: on`."""
    return f"{setting_name(key)}: {value_text(SETTINGS[key], int(getattr(rules, key)))}"


def rules_news(before: Ruleset, after: Ruleset) -> tuple[str, ...]:
    """Return what has changed: single settings, or another preset with all its changes."""
    if before.preset != after.preset:
        changed = changes(after)
        name = preset_name(after.preset)
        return (name, *(change_text(key, after) for key in (*changed.house, *changed.settings)))
    keys = sorted(differences(before, after), key=lambda key: key not in HOUSE_RULES)
    return tuple(change_text(key, after) for key in keys)


def summary(rules: Ruleset, seats: int, rounds: int | None = None) -> tuple[str, ...]:
    """Describe the rules in a few sentences: the preset, the differences from it, and a warning.

    `seats` and `rounds` of the table: with them a match may need more rounds than a log can hold.
    One round has no target.
    """
    said = []
    if rules.preset in PRESETS:
        said.append(rule_texts().preset(rules, rounds)[1])
    changed = changes(rules)
    said += [setting_hint(key) for key in changed.house]
    unused = ("target", "target_two") if rounds == 1 else ()
    said += [change_text(key, rules) for key in changed.settings if key not in unused]
    fit = too_long(rules, seats, rounds)
    if fit is not None:
        said.append(sentence(texts()("rules.too_long", rounds=fit)) + ".")
    return tuple(said)


def summary_of(preset: str, house: Sequence[str], unnamed: int, settings: int) -> tuple[str, ...]:
    """Do the same for an advert, which names house rules only, and has numbers for the rest."""
    said = [preset_summary(preset)] if preset in PRESETS else []
    said += [setting_hint(key) for key in house]
    if unnamed:
        said.append(
            translate("Setting", "%n house rules that this version does not know", "", unnamed)
        )
    if settings:
        said.append(
            translate(
                "Setting",
                "%n other settings are changed: the waiting room names them",
                "",
                settings,
            )
        )
    return tuple(said)


def setting_problem(wrong: SettingError, seats: int, rules: Ruleset) -> str:
    """Return why no table can be opened with these rules, and which numbers of seats they allow."""
    limit = 0 if wrong.limit is None else wrong.limit
    if wrong.setting == "seats":
        if wrong.problem is SettingProblem.TOO_LOW:
            return translate("Setting", "These rules need at least %n players.", "", limit)
        if wrong.problem is SettingProblem.TOO_HIGH:
            return translate("Setting", "These rules allow at most %n players.", "", limit)
        said = translate("Setting", "These rules cannot be played by %n players.", "", seats)
        fit = playable_seats(rules)
        if not fit:
            return said
        numbers = ", ".join(map(str, fit))
        other = filled(translate("Setting", "Possible: {numbers}."), numbers=numbers)
        return f"{said} {other}"
    if wrong.problem is SettingProblem.CONFLICT:
        return _conflict(wrong, limit)
    name = setting_name(wrong.setting) if wrong.setting in PLAYED else wrong.setting
    limits = {
        SettingProblem.TOO_LOW: translate("Setting", "{name}: at least {limit}."),
        SettingProblem.TOO_HIGH: translate("Setting", "{name}: at most {limit}."),
    }
    text = limits.get(wrong.problem, translate("Setting", "{name}: this cannot be chosen."))
    return filled(text, name=name, limit=str(limit))


def _conflict(wrong: SettingError, limit: int) -> str:
    match wrong.setting:
        case "hand_size":
            return translate(
                "Setting", "With this many players, each can be dealt at most %n cards.", "", limit
            )
        case "uno_catch_ms":
            return translate(
                "Setting", "A catch must count before the next turn begins: choose a shorter time."
            )
        case "advice":
            return translate("Setting", "Voting on advising needs at least three players.")
        case _:
            why = texts().optional(f"setting.{wrong.setting}.conflict")
            return why or translate("Setting", "These settings do not go together.")
