"""Tests of the settings in words: every name, value, summary and problem."""

from __future__ import annotations

import pytest
from msgspec import structs

from lanuno.app.controllers.application import Application
from lanuno.app.setting_texts import (
    options,
    rules_news,
    rules_title,
    setting_hint,
    setting_name,
    setting_problem,
    summary,
    summary_of,
    value_text,
)
from lanuno.client.languages import languages
from lanuno.rules.presets import EXPRESS, PRESETS
from lanuno.rules.ruleset import Format, Ruleset
from lanuno.rules.ruleset_changes import changes
from lanuno.rules.settings import SECTIONS
from lanuno.rules.validation import SettingError, SettingProblem


@pytest.mark.parametrize(
    ("language", "rules", "title"),
    [
        ("en", Ruleset(), "Classic"),
        ("en", Ruleset(jump_in=True), "Classic + 1 house rule"),
        ("en", Ruleset(jump_in=True, no_bluff=True), "Classic + 2 house rules"),
        ("en", Ruleset(target=300), "Classic + 1 changed setting"),
        ("en", Ruleset(jump_in=True, target=300), "Classic + 1 house rule, 1 changed setting"),
        ("es", Ruleset(jump_in=True), "Clásico + 1 regla de la casa"),
        (
            "es",
            Ruleset(jump_in=True, no_bluff=True, target=300, hand_size=5),
            "Clásico + 2 reglas de la casa, 2 ajustes cambiados",
        ),
        ("en", Ruleset(preset="<b>mine</b>"), "\u2068<b>mine</b>\u2069"),
    ],
)
def test_a_title_counts_the_changes(
    app: Application, language: str, rules: Ruleset, title: str
) -> None:
    app.settings_controller.change("language", language)
    assert rules_title(rules.preset, changes(rules)) == title


@pytest.mark.usefixtures("english")
def test_the_differences_between_two_rulesets_are_named() -> None:
    other = Ruleset(hand_size=5, jump_in=True)
    assert rules_news(Ruleset(), other) == ("Jump in: on", "Cards dealt to each player: 5")
    assert rules_news(other, Ruleset()) == ("Jump in: off", "Cards dealt to each player: 7")
    assert rules_news(Ruleset(), EXPRESS) == ("Express",)


@pytest.mark.usefixtures("english")
def test_the_list_of_rules_has_the_numbers_of_the_table() -> None:
    said = summary(Ruleset(target=300, deck=112, jump_in=True), 4)
    assert "112 cards, to 300 points" in said[0]
    assert len(said) == 4
    assert summary(Ruleset(target=9999), 4)[-1].startswith("This match may be too long")


@pytest.mark.usefixtures("english")
def test_a_match_of_one_round_names_no_points_to_reach() -> None:
    for preset in PRESETS.values():
        rules = structs.replace(preset, target=400, target_two=400)
        assert "400" not in "".join(summary(rules, 4, 1))
    said = summary(structs.replace(EXPRESS, target=400), 4, 2)
    assert "to 400 points" in said[0]
    assert summary(Ruleset(format=Format.LAPS), 4, 1) == summary(Ruleset(format=Format.LAPS), 4)


@pytest.mark.usefixtures("english")
def test_unnamed_changes_of_an_advert_are_counted() -> None:
    said = summary_of("later", ("jump_in",), 2, 1)
    assert len(said) == 3
    assert said[1] == "2 house rules that this version does not know"
    assert said[2].startswith("1 other setting is changed")
    assert len(summary_of("classic", (), 0, 0)) == 1


SHOWN = [setting for section in SECTIONS.values() for setting in section]


@pytest.mark.parametrize("language", languages())
def test_every_setting_and_value_has_words(app: Application, language: str) -> None:
    app.settings_controller.change("language", language)
    rules = Ruleset()
    for setting in SHOWN:
        assert setting_name(setting.name)
        values = options(setting, rules) or setting.values or setting.bounds
        assert values
        texts = [value_text(setting, value) for value in values]
        assert all(texts)
        assert len(set(texts)) == len(texts), setting.name
        assert "{" not in setting_hint(setting.name)
    for preset in PRESETS.values():
        assert summary(preset, preset.seats_max)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (SettingError("seats", SettingProblem.TOO_LOW, 3), "These rules need at least 3 players."),
        (SettingError("seats", SettingProblem.TOO_HIGH, 4), "These rules allow at most 4 players."),
        (
            SettingError("seats", SettingProblem.NOT_A_CHOICE),
            "These rules cannot be played by 5 players.",
        ),
        (SettingError("laps", SettingProblem.TOO_LOW, 1), "Laps: at least 1."),
        (SettingError("laps", SettingProblem.TOO_HIGH, 99), "Laps: at most 99."),
        (
            SettingError("deck", SettingProblem.NOT_A_CHOICE),
            "Cards in the deck: this cannot be chosen.",
        ),
        (
            SettingError("advice", SettingProblem.CONFLICT),
            "Voting on advising needs at least three",
        ),
        (
            SettingError("winner_deals", SettingProblem.CONFLICT),
            "With changing partners everybody deals",
        ),
        (SettingError("seats_min", SettingProblem.CONFLICT), "These settings do not go together."),
    ],
)
@pytest.mark.usefixtures("english")
def test_problems_in_words(wrong: SettingError, words: str) -> None:
    assert setting_problem(wrong, 5, Ruleset()).startswith(words)


@pytest.mark.usefixtures("english")
def test_the_possible_numbers_of_players_are_named() -> None:
    wrong, rules = SettingError("seats", SettingProblem.NOT_A_CHOICE), PRESETS["pairs"]
    said = setting_problem(wrong, 5, rules)
    assert said == "These rules cannot be played by 5 players. Possible: 4, 6, 8, 10."
    nobody = structs.replace(rules, seats_max=4, seats_min=5)
    assert setting_problem(wrong, 5, nobody) == "These rules cannot be played by 5 players."
