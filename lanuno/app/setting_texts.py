"""What every setting of the rules is called, what it means, and what is wrong with it, in words.

Which settings there are, their bounds and choices is the ruleset's own declaration; a test holds
this file to it. Sentences about rules themselves are in resources/rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from PySide6.QtCore import QT_TRANSLATE_NOOP, QLocale

from lanuno.app.rule_texts import preset_name, preset_summary, rule_texts
from lanuno.app.texts import translate
from lanuno.rules.changes import Changes, changes, differences
from lanuno.rules.presets import PRESETS
from lanuno.rules.rulebook.match import house_rule
from lanuno.rules.rulebook.scope import playable_seats
from lanuno.rules.ruleset import DrawnRule, DrawRule, Format, Manners, Ruleset, UnoRule, WildFour
from lanuno.rules.settings import HOUSE_RULES, SETTINGS, Setting, Unit
from lanuno.rules.validation import SettingError, SettingProblem


@dataclass(frozen=True, slots=True)
class _Words:
    name: object
    hint: object


_WORDS: Final[Mapping[str, _Words]] = {
    "stack_draw_two": _Words(QT_TRANSLATE_NOOP("Setting", "Stack Draw Twos"), ""),
    "stack_wild_four": _Words(QT_TRANSLATE_NOOP("Setting", "Stack Wild Draw Fours"), ""),
    "stack_cross": _Words(QT_TRANSLATE_NOOP("Setting", "Stack both on each other"), ""),
    "seven_zero": _Words(QT_TRANSLATE_NOOP("Setting", "Seven swaps, zero passes on"), ""),
    "jump_in": _Words(QT_TRANSLATE_NOOP("Setting", "Jump in"), ""),
    "draw_until_playable": _Words(QT_TRANSLATE_NOOP("Setting", "Draw until something fits"), ""),
    "forced_play": _Words(QT_TRANSLATE_NOOP("Setting", "Play the card you drew"), ""),
    "no_bluff": _Words(QT_TRANSLATE_NOOP("Setting", "No bluffing"), ""),
    "winner_deals": _Words(
        QT_TRANSLATE_NOOP("Setting", "The winner deals"),
        "",
    ),
    "format": _Words(
        QT_TRANSLATE_NOOP("Setting", "What wins the match"),
        QT_TRANSLATE_NOOP("Setting", "How rounds count, and when the match is over."),
    ),
    "target": _Words(
        QT_TRANSLATE_NOOP("Setting", "Points to play to"),
        QT_TRANSLATE_NOOP("Setting", "With three players or more."),
    ),
    "target_two": _Words(
        QT_TRANSLATE_NOOP("Setting", "Points to play to, for two"),
        QT_TRANSLATE_NOOP("Setting", "If two players begin the match."),
    ),
    "laps": _Words(
        QT_TRANSLATE_NOOP("Setting", "Laps"),
        QT_TRANSLATE_NOOP("Setting", "A lap has one turn for each player."),
    ),
    "hands": _Words(
        QT_TRANSLATE_NOOP("Setting", "Rounds to play"),
        QT_TRANSLATE_NOOP("Setting", "With each partner; without partners, in all."),
    ),
    "cycles": _Words(
        QT_TRANSLATE_NOOP("Setting", "Times through all partners"),
        "",
    ),
    "deck": _Words(
        QT_TRANSLATE_NOOP("Setting", "Cards in the deck"),
        QT_TRANSLATE_NOOP("Setting", "The larger deck has four more Wild cards."),
    ),
    "hand_size": _Words(QT_TRANSLATE_NOOP("Setting", "Cards dealt to each player"), ""),
    "draw": _Words(QT_TRANSLATE_NOOP("Setting", "Drawing"), ""),
    "drawn": _Words(QT_TRANSLATE_NOOP("Setting", "A card just drawn that fits"), ""),
    "wild_four": _Words(QT_TRANSLATE_NOOP("Setting", "When it may be played"), ""),
    "challenge_penalty": _Words(
        QT_TRANSLATE_NOOP("Setting", "Penalty cards for a failed challenge"),
        QT_TRANSLATE_NOOP("Setting", "In addition to the cards that had to be drawn anyway."),
    ),
    "uno": _Words(QT_TRANSLATE_NOOP("Setting", "Forgetting “UNO”"), ""),
    "uno_penalty": _Words(QT_TRANSLATE_NOOP("Setting", "Penalty cards for forgetting “UNO”"), ""),
    "uno_hold_ms": _Words(
        QT_TRANSLATE_NOOP("Setting", "How long the next turn waits for “UNO”"),
        QT_TRANSLATE_NOOP("Setting", "So that nobody loses because of a slow connection."),
    ),
    "uno_catch_ms": _Words(
        QT_TRANSLATE_NOOP("Setting", "When catching becomes possible"),
        QT_TRANSLATE_NOOP("Setting", "Time after the card is played."),
    ),
    "manners": _Words(QT_TRANSLATE_NOOP("Setting", "Cards that do not fit"), ""),
    "objection_penalty": _Words(
        QT_TRANSLATE_NOOP("Setting", "Penalty cards for a wrong card"),
        "",
    ),
    "objection_ms": _Words(
        QT_TRANSLATE_NOOP("Setting", "Time to object"),
        QT_TRANSLATE_NOOP("Setting", "How long a card waits before it takes effect."),
    ),
    "advice": _Words(
        QT_TRANSLATE_NOOP("Setting", "Vote on advising"),
        QT_TRANSLATE_NOOP(
            "Setting",
            "Anybody may accuse another player of having advised a move; the others vote.",
        ),
    ),
    "advice_penalty": _Words(
        QT_TRANSLATE_NOOP("Setting", "Penalty cards for advising"),
        "",
    ),
    "vote_ms": _Words(QT_TRANSLATE_NOOP("Setting", "Time to vote"), ""),
    "turn_clock_s": _Words(
        QT_TRANSLATE_NOOP("Setting", "Time for a decision"),
        QT_TRANSLATE_NOOP(
            "Setting", "When it is over, the clock draws a card or keeps the one drawn."
        ),
    ),
    "turn_extra_ms": _Words(
        QT_TRANSLATE_NOOP("Setting", "Extra time to see the last move"),
        "",
    ),
    "grace_first_s": _Words(
        QT_TRANSLATE_NOOP("Setting", "Wait for a lost connection"),
        QT_TRANSLATE_NOOP("Setting", "How long the table waits each time."),
    ),
    "grace_total_s": _Words(
        QT_TRANSLATE_NOOP("Setting", "Wait for one player in a match"),
        QT_TRANSLATE_NOOP("Setting", "All waits for the same player together."),
    ),
}

_CHOICES: Final[Mapping[type, Mapping[int, object]]] = {
    Format: {
        Format.POINTS: QT_TRANSLATE_NOOP(
            "Setting", "The winner of a round gets the others' points"
        ),
        Format.LOW_SCORE: QT_TRANSLATE_NOOP(
            "Setting", "The points in your hand count against you; the lowest total wins"
        ),
        Format.SINGLE: QT_TRANSLATE_NOOP("Setting", "One round"),
        Format.LAPS: QT_TRANSLATE_NOOP("Setting", "One round of a few laps; the fewest cards win"),
        Format.ELIMINATION: QT_TRANSLATE_NOOP("Setting", "Players with too many points are out"),
        Format.PAIRS: QT_TRANSLATE_NOOP("Setting", "Pairs, face to face"),
        Format.PARTNERS: QT_TRANSLATE_NOOP("Setting", "Four with changing partners"),
        Format.ROTATION: QT_TRANSLATE_NOOP("Setting", "Tournament of eight"),
        Format.DEALS: QT_TRANSLATE_NOOP("Setting", "Some rounds; fewest cards in all win"),
    },
    DrawRule: {
        DrawRule.FREE: QT_TRANSLATE_NOOP("Setting", "Always allowed on your turn"),
        DrawRule.STUCK: QT_TRANSLATE_NOOP("Setting", "Only if nothing can be played"),
    },
    DrawnRule: {
        DrawnRule.FREE: QT_TRANSLATE_NOOP("Setting", "May be played or kept"),
        DrawnRule.STUCK: QT_TRANSLATE_NOOP("Setting", "Must be played if nothing else fits"),
        DrawnRule.FORCED: QT_TRANSLATE_NOOP("Setting", "Must be played"),
    },
    WildFour: {
        WildFour.BLUFF: QT_TRANSLATE_NOOP("Setting", "Always: bluffs can be challenged"),
        WildFour.STRICT: QT_TRANSLATE_NOOP("Setting", "Only without the current colour"),
        WildFour.STRICTEST: QT_TRANSLATE_NOOP("Setting", "Only if nothing else can be played"),
    },
    UnoRule: {
        UnoRule.CATCH: QT_TRANSLATE_NOOP("Setting", "costs cards if somebody catches it"),
        UnoRule.AUTOMATIC: QT_TRANSLATE_NOOP("Setting", "costs cards automatically"),
    },
    Manners: {
        Manners.ENFORCED: QT_TRANSLATE_NOOP("Setting", "cannot be played"),
        Manners.HONOUR: QT_TRANSLATE_NOOP("Setting", "can be played, and anybody may object"),
    },
}


def setting_name(key: str) -> str:
    """What a setting is called."""
    return translate("Setting", str(_WORDS[key].name))


def setting_hint(key: str) -> str:
    """One line about a setting; of a house rule its sentence in the rulebook."""
    if key in HOUSE_RULES:
        return rule_texts().sentence(house_rule(key))
    hint = str(_WORDS[key].hint)
    return translate("Setting", hint) if hint else ""


def options(setting: Setting, rules: Ruleset) -> tuple[int, ...]:
    """The values that a setting is chosen from; empty if it is a number or a switch."""
    if setting.kind is bool:
        return ()
    if setting.offered:
        return tuple(sorted({*setting.offered, int(getattr(rules, setting.name))}))
    return tuple(map(int, setting.values))


def value_text(setting: Setting, value: int) -> str:
    """A value of a setting in words."""
    kind = setting.kind
    if kind is bool:
        return translate("Setting", "on") if value else translate("Setting", "off")
    if issubclass(kind, IntEnum):
        return translate("Setting", str(_CHOICES[kind][value]))
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
    """`2.5 s`, `3 min`."""
    if seconds >= 120 and seconds % 60 == 0:
        return translate("Setting", "{number} min").replace("{number}", str(int(seconds // 60)))
    return translate("Setting", "{number} s").replace(
        "{number}", QLocale().toString(float(seconds), "g")
    )


def rules_title(preset: str, changed: Changes) -> str:
    """`Classic + 2 house rules, 1 changed setting`: short enough for a line of a list."""
    return rules_title_of(preset, len(changed.house), len(changed.settings))


def rules_title_of(preset: str, house: int, settings: int) -> str:
    """The same where only the numbers are known."""
    parts = []
    if house:
        parts.append(translate("Setting", "%n house rules", "", house))
    if settings:
        parts.append(translate("Setting", "%n changed settings", "", settings))
    name = preset_name(preset)
    return f"{name} + {', '.join(parts)}" if parts else name


def change_text(key: str, rules: Ruleset) -> str:
    """A setting and what it is set to: `Jump in: on`."""
    return f"{setting_name(key)}: {value_text(SETTINGS[key], int(getattr(rules, key)))}"


def rules_news(before: Ruleset, after: Ruleset) -> tuple[str, ...]:
    """What has changed: the settings, or another preset with all that it changes."""
    if before.preset != after.preset:
        changed = changes(after)
        name = preset_name(after.preset)
        return (name, *(change_text(key, after) for key in (*changed.house, *changed.settings)))
    keys = sorted(differences(before, after), key=lambda key: key not in HOUSE_RULES)
    return tuple(change_text(key, after) for key in keys)


def summary(rules: Ruleset) -> tuple[str, ...]:
    """What is played, in a few sentences: the preset, and what is different."""
    said = []
    if rules.preset in PRESETS:
        said.append(rule_texts().preset(rules)[1])
    changed = changes(rules)
    said += [setting_hint(key) for key in changed.house]
    said += [change_text(key, rules) for key in changed.settings]
    return tuple(said)


def summary_of(preset: str, house: Sequence[str], unnamed: int, settings: int) -> tuple[str, ...]:
    """The same of an advert, which names house rules only and has numbers for the rest."""
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
    """Why a table cannot be opened by such rules, and by how many they can be played."""
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
        other = translate("Setting", "Possible: {numbers}.").replace("{numbers}", numbers)
        return f"{said} {other}"
    if wrong.problem is SettingProblem.CONFLICT:
        return _conflict(wrong, limit)
    name = setting_name(wrong.setting) if wrong.setting in _WORDS else wrong.setting
    texts = {
        SettingProblem.TOO_LOW: translate("Setting", "{name}: at least {limit}."),
        SettingProblem.TOO_HIGH: translate("Setting", "{name}: at most {limit}."),
    }
    text = texts.get(wrong.problem, translate("Setting", "{name}: this cannot be chosen."))
    return text.replace("{name}", name).replace("{limit}", str(limit))


def _conflict(wrong: SettingError, limit: int) -> str:
    match wrong.setting:
        case "hand_size":
            return translate(
                "Setting", "With so many players each can be dealt at most %n cards.", "", limit
            )
        case "uno_catch_ms":
            return translate(
                "Setting", "A catch must count before the next turn begins: choose a shorter time."
            )
        case "advice":
            return translate("Setting", "Voting on advising needs at least three players.")
        case "winner_deals":
            return translate(
                "Setting", "With changing partners everybody deals in turn: the winner cannot deal."
            )
        case _:
            return translate("Setting", "These settings do not go together.")
