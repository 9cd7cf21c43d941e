"""What a table changes about its preset, without settings that make no difference."""

from __future__ import annotations

import msgspec
import pytest

from lanuno.rules.presets import CLASSIC, PRESETS
from lanuno.rules.rulebook.relevance import matters
from lanuno.rules.ruleset import Format, Manners, Ruleset, UnoRule, WildFour
from lanuno.rules.ruleset_changes import PLAYED, Changes, changes, differences


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_a_preset_changes_nothing(preset: Ruleset) -> None:
    assert changes(preset) == Changes()
    assert not changes(preset)


def test_house_rules_are_separate_from_other_settings() -> None:
    rules = msgspec.structs.replace(
        PRESETS["express"], winner_deals=True, jump_in=True, hand_size=5, uno=UnoRule.CATCH
    )
    changed = changes(rules)
    assert changed.house == ("jump_in", "winner_deals")
    assert changed.settings == ("hand_size", "uno")
    assert changed


def test_an_unknown_preset_is_compared_with_classic() -> None:
    assert changes(Ruleset(preset="mine", jump_in=True)).house == ("jump_in",)
    assert changes(Ruleset(preset="mine")) == Changes()


def test_the_limits_of_the_seats_are_not_a_change() -> None:
    assert changes(Ruleset(seats_min=3, seats_max=4)) == Changes()
    assert set(PLAYED) == set(Ruleset.__struct_fields__) - {"preset", "seats_min", "seats_max"}


DIFFERENCE = (
    ("target", Ruleset(), Ruleset(format=Format.SINGLE)),
    ("target_two", Ruleset(), Ruleset(format=Format.ELIMINATION)),
    ("laps", Ruleset(format=Format.LAPS), Ruleset()),
    ("hands", Ruleset(format=Format.ROTATION), Ruleset()),
    ("cycles", Ruleset(format=Format.PARTNERS), Ruleset(format=Format.ROTATION)),
    ("winner_deals", Ruleset(), Ruleset(format=Format.PARTNERS)),
    ("challenge_penalty", Ruleset(), Ruleset(no_bluff=True)),
    ("challenge_penalty", Ruleset(), Ruleset(wild_four=WildFour.STRICT)),
    ("uno_catch_ms", Ruleset(), Ruleset(uno=UnoRule.AUTOMATIC)),
    ("objection_penalty", Ruleset(manners=Manners.HONOUR), Ruleset()),
    ("objection_ms", Ruleset(manners=Manners.HONOUR), Ruleset()),
    ("advice_penalty", Ruleset(advice=True), Ruleset()),
    ("vote_ms", Ruleset(advice=True), Ruleset()),
    ("turn_extra_ms", Ruleset(), Ruleset(turn_clock_s=0)),
)


@pytest.mark.parametrize(("setting", "where", "elsewhere"), DIFFERENCE)
def test_a_setting_without_an_effect_is_not_counted(
    setting: str, where: Ruleset, elsewhere: Ruleset
) -> None:
    assert matters(setting, where)
    assert not matters(setting, elsewhere)
    assert matters("deck", elsewhere)
    value = 1 if setting == "winner_deals" else getattr(CLASSIC, setting) + 1
    base = msgspec.structs.replace(elsewhere, **{setting: value})
    assert setting not in differences(elsewhere, base)
    assert setting in differences(where, msgspec.structs.replace(where, **{setting: value}))


REPLACED = (
    ("drawn", Ruleset(), Ruleset(forced_play=True)),
    ("stack_draw_two", Ruleset(stack_wild_four=True), Ruleset(stack_cross=True)),
    ("stack_wild_four", Ruleset(stack_draw_two=True), Ruleset(stack_cross=True)),
    ("no_bluff", Ruleset(), Ruleset(wild_four=WildFour.STRICTEST)),
)


@pytest.mark.parametrize(("setting", "where", "elsewhere"), REPLACED)
def test_a_replaced_setting_is_not_counted_but_can_be_chosen(
    setting: str, where: Ruleset, elsewhere: Ruleset
) -> None:
    value = type(getattr(CLASSIC, setting))(1)
    there, replaced = (
        msgspec.structs.replace(rules, **{setting: value}) for rules in (where, elsewhere)
    )
    assert differences(where, there) == (setting,)
    assert differences(elsewhere, replaced) == ()
    assert changes(replaced) == changes(elsewhere)
    assert matters(setting, replaced)


def test_a_house_rule_of_the_preset_that_is_off_is_a_changed_setting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loud = Ruleset(preset="loud", jump_in=True)
    monkeypatch.setitem(PRESETS, "loud", loud)
    assert changes(loud) == Changes()
    assert changes(Ruleset(preset="loud")) == Changes((), ("jump_in",))
