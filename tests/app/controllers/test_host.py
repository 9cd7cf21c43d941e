"""Tests of opening a table: presets, the text of every setting, impossible rules, last values."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec import structs

from lanuno.app.controllers.application import Application
from lanuno.app.controllers.host import HostController, seat_choices
from lanuno.app.setting_texts import (
    options,
    setting_hint,
    setting_name,
    setting_problem,
    summary,
    value_text,
)
from lanuno.rules.engine.house_rules.registry import HOUSE_RULES
from lanuno.rules.presets import PRESETS
from lanuno.rules.ruleset import Ruleset
from lanuno.rules.settings import SECTIONS
from lanuno.rules.validation import SettingError, SettingProblem, validate
from lanuno.store.paths import Home

SHOWN = [setting for section in SECTIONS.values() for setting in section]


@pytest.fixture
def host(app: Application) -> HostController:
    app.settings_controller.change("language", "en")
    return app.host_controller


def line(host: HostController, key: str) -> dict[str, object]:
    (found,) = [each for each in host._rows.rows if each.key == key]
    return {name: getattr(found, name) for name in found.__slots__}


def test_every_setting_of_the_rules_can_be_set() -> None:
    elsewhere = {"preset", "seats_min", "seats_max"}
    names = [setting.name for setting in SHOWN]
    assert sorted(names) == sorted(set(Ruleset.__struct_fields__) - elsewhere)
    assert names[: len(HOUSE_RULES)] == list(HOUSE_RULES)


@pytest.mark.parametrize("language", ["en", "es"])
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
        assert summary(preset)


def test_all_choices_can_be_played() -> None:
    for setting in SHOWN:
        for value in options(setting, Ruleset()):
            wrong = validate(structs.replace(Ruleset(), **{setting.name: value}), 4)
            assert wrong is None or wrong.problem is SettingProblem.CONFLICT, (setting.name, value)


def test_the_defaults_open_a_table(host: HostController) -> None:
    assert (host.property("preset"), host.property("seats"), host.property("bots")) == (
        "classic",
        4,
        0,
    )
    assert host.property("usualName").endswith("table")
    assert host.property("problem") == ""
    assert host.property("summary")[0].startswith("2 to 10 players, 108 cards, to 500 points")
    assert not host.property("rulesChanged")


def test_a_house_rule_and_a_number(host: HostController) -> None:
    assert line(host, "jump_in")["kind"] == "bool"
    assert str(line(host, "jump_in")["hint"]).startswith("If you hold the same card")
    host.set("jump_in", True)
    assert (line(host, "jump_in")["value"], line(host, "jump_in")["changed"]) == (1, True)
    host.set("target", 300)
    assert (line(host, "target")["text"], line(host, "target")["kind"]) == ("300", "int")
    assert host.property("rulesChanged")
    assert host.property("summary")[1:] == [
        str(line(host, "jump_in")["hint"]),
        "Points to play to: 300",
    ]
    for nonsense in ("many", 0, 99_999, None):
        host.set("target", nonsense)
    assert line(host, "target")["value"] == 300
    host.set("no_such_setting", 1)
    host.resetRules()
    assert not host.property("rulesChanged")


def test_a_choice(host: HostController) -> None:
    clock = line(host, "turn_clock_s")
    assert clock["kind"] == "choice"
    assert clock["choices"] == (
        {"value": 0, "text": "no clock"},
        {"value": 30, "text": "30 s"},
        {"value": 60, "text": "60 s"},
    )
    host.set("turn_clock_s", 0)
    assert line(host, "turn_clock_s")["text"] == "no clock"
    assert "turn_extra_ms" not in [each.key for each in host._rows.rows]
    assert line(host, "uno_hold_ms")["text"] == "2.5 s"


def test_seats_follow_from_the_preset(host: HostController) -> None:
    host.setProperty("seats", 10)
    host.setProperty("bots", 9)
    host.choosePreset("express")
    assert (host.property("seats"), host.property("bots")) == (4, 3)
    host.choosePreset("pairs")
    assert host.property("seatChoices") == [4, 6, 8, 10]
    host.setProperty("seats", 5)
    assert host.property("seats") == 4
    for preset in PRESETS:
        host.choosePreset(preset)
        assert host.property("problem") == "", preset
        assert host.property("seats") in seat_choices(PRESETS[preset])


@pytest.mark.parametrize(
    ("wishes", "problem"),
    [
        ({"tableName": "\u202e"}, "This name cannot be shown to others"),
        ({"pin": "a b"}, "A PIN has at most 16 letters"),
    ],
)
def test_what_cannot_be_opened_is_told(
    host: HostController, wishes: dict[str, object], problem: str
) -> None:
    for key, value in wishes.items():
        host.setProperty(key, value)
    assert host.property("problem").startswith(problem)
    host.begin()
    assert not host.property("busy")


def test_rules_that_do_not_go_together(host: HostController) -> None:
    host.setProperty("seats", 10)
    host.set("hand_size", 20)
    assert host.property("problem") == (
        "With this many players, each can be dealt at most 10 cards."
    )
    host.resetRules()
    host.set("uno_hold_ms", 0)
    assert host.property("problem").startswith("A catch must count before the next turn")


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
def test_problems_in_words(host: HostController, wrong: SettingError, words: str) -> None:
    assert setting_problem(wrong, 5, Ruleset()).startswith(words)


def test_a_number_of_players_that_cannot_play_is_told_which_can(host: HostController) -> None:
    wrong, rules = SettingError("seats", SettingProblem.NOT_A_CHOICE), PRESETS["pairs"]
    said = setting_problem(wrong, 5, rules)
    assert said == "These rules cannot be played by 5 players. Possible: 4, 6, 8, 10."
    nobody = structs.replace(rules, seats_max=4, seats_min=5)
    assert setting_problem(wrong, 5, nobody) == "These rules cannot be played by 5 players."


def test_only_the_points_that_are_played_to_can_be_set(host: HostController) -> None:
    """Only the targets that the preset uses can be set, and the summary shows them."""
    for preset, keys in (
        ("duel", {"target_two"}),
        ("express", {"target", "target_two"}),
        ("pairs", {"target"}),
        ("masters-short", set()),
    ):
        host.choosePreset(preset)
        shown = {each.key for each in host._rows.rows}
        assert shown & {"target", "target_two"} == keys
    host.choosePreset("duel")
    host.set("target_two", 200)
    said = " ".join(summary(host._rules))
    assert "200" in said
    assert "500" not in said


def test_the_last_table_is_remembered(
    host: HostController, make_app: Callable[[Home], Application], home: Home
) -> None:
    host.setProperty("tableName", "Casa")
    host.choosePreset("low-score")
    host.set("seven_zero", True)
    host.set("target", 100)
    host.setProperty("seats", 3)
    host.setProperty("practice", True)
    host.setProperty("pin", "1234")
    host.begin()
    again = make_app(home).host_controller
    assert again.property("tableName") == "Casa"
    assert again.property("preset") == "low-score"
    assert again.property("seats") == 3
    assert again._rules.seven_zero
    assert again._rules.target == 100
    assert again.property("pin") == ""
