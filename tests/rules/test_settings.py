"""The table of the settings has every setting once, each with sensible values."""

from __future__ import annotations

from collections import Counter
from enum import IntEnum

import msgspec
import pytest

from lanuno.rules.engine.house_rules.registry import HOUSE_RULES
from lanuno.rules.presets import CLASSIC, PRESETS
from lanuno.rules.rule import WhenChecked
from lanuno.rules.rulebook.relevance import is_played
from lanuno.rules.ruleset import Format, Ruleset
from lanuno.rules.ruleset_changes import PLAYED
from lanuno.rules.settings import SECTIONS, SETTINGS, Setting, Unit
from tests.harness.rounds.audited_settings import checked_at_audit

each_setting = pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS.keys())
UNIT_OF_SUFFIX = {"ms": Unit.MILLISECONDS, "s": Unit.SECONDS}


def test_every_setting_has_one_entry_in_wire_order() -> None:
    assert ("preset", *SETTINGS) == Ruleset.__struct_fields__
    assert {name: setting.name for name, setting in SETTINGS.items()} == {
        name: name for name in SETTINGS
    }


def test_every_setting_is_shown_once_except_the_limits_of_the_seats() -> None:
    shown = Counter(setting.name for section in SECTIONS.values() for setting in section)
    assert set(shown.values()) == {1}
    assert SETTINGS.keys() - shown.keys() == {"seats_min", "seats_max"}
    assert set(PLAYED) == shown.keys()
    for section, settings in SECTIONS.items():
        assert {setting.section for setting in settings} == {section}


@each_setting
def test_a_number_has_bounds_or_choices_and_nothing_else_has(setting: Setting) -> None:
    is_number = setting.kind is int
    assert is_number or issubclass(setting.kind, bool | IntEnum)
    assert (setting.bounds is not None) + bool(setting.choices) == is_number
    assert bool(setting.values) is (setting.bounds is None)
    assert list(setting.values) == sorted(set(setting.values))
    assert {type(value) for value in setting.values} <= {setting.kind}


@each_setting
def test_the_default_and_what_is_offered_can_be_chosen(setting: Setting) -> None:
    presets = {getattr(rules, setting.name) for rules in PRESETS.values()}
    assert list(setting.offered) == sorted(set(setting.offered))
    for value in {getattr(Ruleset(), setting.name), *presets, *setting.offered}:
        if setting.bounds is None:
            assert value in setting.values
        else:
            low, high = setting.bounds
            assert low < high
            assert low <= value <= high


@each_setting
def test_the_unit_is_that_of_the_name(setting: Setting) -> None:
    suffix = setting.name.rpartition("_")[2]
    assert setting.unit is UNIT_OF_SUFFIX.get(suffix) or setting.unit is Unit.CARDS
    assert bool(setting.offered) is (setting.unit in UNIT_OF_SUFFIX.values() and not setting.values)


def test_every_house_rule_is_a_switch_with_a_mark_and_a_bit() -> None:
    house = [setting.name for setting in SECTIONS["house"]]
    assert list(HOUSE_RULES) == house == [name for name in SETTINGS if name in house]
    assert {SETTINGS[name].kind for name in house} == {bool}
    assert not any(getattr(Ruleset(), name) for name in house)


def test_only_the_audit_checks_a_setting_that_is_no_house_rule() -> None:
    """The first choice of such a setting forbids nothing."""
    others = {name: SETTINGS[name].checked for name in SETTINGS.keys() - HOUSE_RULES.keys()}
    marked = {name: checked for name, checked in others.items() if checked is not None}
    assert set(marked.values()) == {WhenChecked.AUDIT}
    assert not any(getattr(Ruleset(), name) for name in marked)


@each_setting
def test_a_setting_makes_a_difference_somewhere(setting: Setting) -> None:
    """It matters under the rules of some preset, or with one other setting changed."""
    changed = [
        msgspec.structs.replace(Ruleset(), **{other.name: value})
        for other in SETTINGS.values()
        for value in other.values
    ]
    candidates = [*PRESETS.values(), *changed]
    assert any(is_played(setting.name, rules) for rules in candidates)
    assert set(setting.players) <= set(Format)
    for rules in candidates:
        assert setting.matters(rules) or rules.format not in setting.players


def test_the_settings_of_presets_that_only_the_audit_can_check() -> None:
    assert checked_at_audit(CLASSIC) == ()
    assert checked_at_audit(PRESETS["deck112"]) == ("drawn",)
    assert checked_at_audit(PRESETS["express"]) == ("wild_four", "draw")
    assert checked_at_audit(Ruleset(forced_play=True, jump_in=True)) == ("forced_play",)
