"""Every setting of a ruleset, described once: its values, where it is shown, and when it matters.

The check of a ruleset, the rulebook, the commands, the window and the tests read this table. Types
and defaults are in `Ruleset`, conflicts between settings in validation.py, the effects on a game in
the engine, and names and hints in the catalogues (`setting.<name>`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from enum import Enum, IntEnum, unique
from types import MappingProxyType
from typing import Final, get_type_hints

from lanuno.rules.cards import MAX_SEATS
from lanuno.rules.decks import DECKS
from lanuno.rules.engine.house_rules.registry import HOUSE_RULES, amended
from lanuno.rules.rule import WhenChecked
from lanuno.rules.ruleset import FOUR_SEAT_FORMATS, Format, Manners, Ruleset, UnoRule, WildFour

_KINDS: Final[Mapping[str, type[int]]] = get_type_hints(Ruleset)

_TARGET_BY_SEATS: Final = (Format.POINTS, Format.LOW_SCORE)
"""Formats with a target that two players can play."""
_TARGET_ABOVE_TWO: Final = (Format.ELIMINATION, Format.PAIRS)
"""Formats with a target that need more than two players."""

_SEATS: Final = (2, MAX_SEATS)
_MOMENTS_MS: Final = (0, 500, 1000, 1500, 2000, 2500, 3000, 4000, 5000, 7500, 10_000)
_PAUSES_MS: Final = (5000, 10_000, 15_000, 20_000, 30_000, 45_000, 60_000)
_WAITS_S: Final = (0, 15, 30, 60, 120, 180, 300, 600, 1800, 3600)


@unique
class Unit(Enum):
    """The unit of a setting's number."""

    MILLISECONDS = "ms"
    SECONDS = "s"
    CARDS = "cards"


@dataclass(frozen=True, slots=True)
class Setting:
    """The description of one setting."""

    name: str
    """The name of its field in `Ruleset`."""
    _: KW_ONLY
    section: str | None = None
    """The section of the rulebook under which it is shown; None if it is not shown."""
    bounds: tuple[int, int] | None = None
    """For a number: the least and the greatest value."""
    choices: tuple[int, ...] = ()
    """For a number without bounds: the only values."""
    offered: tuple[int, ...] = ()
    """Values within the bounds to choose from, so that nobody has to type milliseconds."""
    unit: Unit | None = None
    """The unit shown after the number; None if the setting's name says what it counts."""
    checked: WhenChecked | None = None
    """When a breach is detected, if the setting is on or differs from its first choice; None if it
    forbids nothing. Every house rule has one."""
    matters: Callable[[Ruleset], bool] = lambda _rules: True
    """Whether it makes a difference under the other settings, for some number of players."""
    players: Mapping[Format, range] = field(default_factory=lambda: MappingProxyType({}))
    """By format: the numbers of players with which it makes a difference; for a format that is
    missing, all numbers."""

    @property
    def kind(self) -> type[int]:
        """`bool`, `int`, or the enum of its values."""
        return _KINDS[self.name]

    @property
    def values(self) -> tuple[int, ...]:
        """All values of a switch, an enum or a choice, lowest first; empty for other numbers."""
        if self.kind is bool:
            return (False, True)
        if issubclass(self.kind, IntEnum):
            return tuple(self.kind)
        return self.choices


_TABLE: Final = (
    Setting("seats_min", bounds=_SEATS),
    Setting("seats_max", bounds=_SEATS),
    *(
        Setting(rule.name, section="house", checked=rule.checked, matters=rule.matters)
        for rule in HOUSE_RULES.values()
    ),
    Setting("format", section="ending"),
    Setting(
        "target",
        section="ending",
        bounds=(1, 9999),
        matters=lambda rules: rules.format in (*_TARGET_BY_SEATS, *_TARGET_ABOVE_TWO),
        players=MappingProxyType(dict.fromkeys(_TARGET_BY_SEATS, range(3, 11))),
    ),
    Setting(
        "target_two",
        section="ending",
        bounds=(1, 9999),
        matters=lambda rules: rules.format in _TARGET_BY_SEATS,
        players=MappingProxyType(dict.fromkeys(_TARGET_BY_SEATS, range(2, 3))),
    ),
    Setting(
        "laps",
        section="ending",
        bounds=(1, 99),
        matters=lambda rules: rules.format is Format.LAPS,
    ),
    Setting(
        "hands",
        section="ending",
        bounds=(1, 20),
        matters=lambda rules: rules.format in (*FOUR_SEAT_FORMATS, Format.DEALS),
    ),
    Setting(
        "cycles",
        section="ending",
        bounds=(1, 10),
        matters=lambda rules: rules.format is Format.PARTNERS,
    ),
    Setting("deck", section="deal", choices=tuple(DECKS), unit=Unit.CARDS),
    Setting("hand_size", section="deal", bounds=(2, 20)),
    Setting("draw", section="turn", checked=WhenChecked.AUDIT),
    Setting("drawn", section="turn", checked=WhenChecked.AUDIT),
    Setting("wild_four", section="four", checked=WhenChecked.AUDIT),
    Setting(
        "challenge_penalty",
        section="four",
        bounds=(0, 10),
        matters=lambda rules: amended(rules).wild_four is WildFour.BLUFF,
    ),
    Setting("uno", section="uno"),
    Setting("uno_penalty", section="uno", bounds=(1, 10)),
    Setting(
        "uno_hold_ms",
        section="uno",
        bounds=(0, 10_000),
        offered=_MOMENTS_MS,
        unit=Unit.MILLISECONDS,
    ),
    Setting(
        "uno_catch_ms",
        section="uno",
        bounds=(0, 10_000),
        offered=_MOMENTS_MS,
        unit=Unit.MILLISECONDS,
        matters=lambda rules: rules.uno is UnoRule.CATCH,
    ),
    Setting("manners", section="manners"),
    Setting(
        "objection_penalty",
        section="manners",
        bounds=(1, 10),
        matters=lambda rules: rules.manners is Manners.HONOUR,
    ),
    Setting(
        "objection_ms",
        section="manners",
        bounds=(1000, 30_000),
        offered=(*_MOMENTS_MS[2:], 15_000, 30_000),
        unit=Unit.MILLISECONDS,
        matters=lambda rules: rules.manners is Manners.HONOUR,
    ),
    Setting("advice", section="manners"),
    Setting(
        "advice_penalty",
        section="manners",
        bounds=(1, 10),
        matters=lambda rules: rules.advice,
    ),
    Setting(
        "vote_ms",
        section="manners",
        bounds=(5000, 60_000),
        offered=_PAUSES_MS,
        unit=Unit.MILLISECONDS,
        matters=lambda rules: rules.advice,
    ),
    Setting("turn_clock_s", section="timers", choices=(0, 30, 60), unit=Unit.SECONDS),
    Setting(
        "turn_extra_ms",
        section="timers",
        bounds=(0, 10_000),
        offered=_MOMENTS_MS,
        unit=Unit.MILLISECONDS,
        matters=lambda rules: bool(rules.turn_clock_s),
    ),
    Setting(
        "grace_first_s",
        section="leaving",
        bounds=(0, 3600),
        offered=_WAITS_S,
        unit=Unit.SECONDS,
    ),
    Setting(
        "grace_total_s",
        section="leaving",
        bounds=(0, 3600),
        offered=_WAITS_S,
        unit=Unit.SECONDS,
    ),
)
"""All settings in display order."""

_BY_NAME: Final = {setting.name: setting for setting in _TABLE}

SETTINGS: Final[Mapping[str, Setting]] = MappingProxyType(
    {name: _BY_NAME[name] for name in Ruleset.__struct_fields__ if name != "preset"}
)
"""By name, in wire order: all fields of `Ruleset` except the preset's name."""

SECTIONS: Final[Mapping[str, tuple[Setting, ...]]] = MappingProxyType(
    {
        section: tuple(setting for setting in _TABLE if setting.section == section)
        for section in dict.fromkeys(setting.section for setting in _TABLE)
        if section is not None
    }
)
"""The settings that are shown, by section of the rulebook, in display order."""
