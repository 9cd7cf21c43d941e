"""Tests of the page that opens a table: presets, settings, problems, and saved rules."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from msgspec import structs

from lanuno.app.controllers.application import Application
from lanuno.app.controllers.host import HostController, seat_choices
from lanuno.app.setting_texts import options
from lanuno.client.requests import HostRequest
from lanuno.rules.engine.house_rules.registry import HOUSE_RULES
from lanuno.rules.presets import PRESETS
from lanuno.rules.ruleset import Ruleset
from lanuno.rules.settings import SECTIONS
from lanuno.rules.validation import SettingProblem, validate
from lanuno.store.paths import Home
from lanuno.store.rule_sets import MOST_RULE_SETS, load_rule_sets
from tests.app.network import AppFactory

SHOWN = [setting for section in SECTIONS.values() for setting in section]


@pytest.fixture
def host(app: Application) -> HostController:
    app.settings_controller.change("language", "en")
    return app.host_controller


def line(host: HostController, key: str) -> dict[str, object]:
    (found,) = [each for each in host._rows.rows if each.key == key]
    return {name: getattr(found, name) for name in found.__struct_fields__}


def test_every_setting_of_the_rules_can_be_set() -> None:
    elsewhere = {"preset", "seats_min", "seats_max"}
    names = [setting.name for setting in SHOWN]
    assert sorted(names) == sorted(set(Ruleset.__struct_fields__) - elsewhere)
    assert names[: len(HOUSE_RULES)] == list(HOUSE_RULES)


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
        ({"pin": "a\u202eb"}, "A PIN is a word or a number"),
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
    said = " ".join(host.property("summary"))
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


HOUSE = ("jump_in", "seven_zero", "stack_draw_two")


def test_rules_are_saved_chosen_renamed_and_deleted(english: Application) -> None:
    host = english.host_controller
    for key in HOUSE:
        host.set(key, 1)
    assert host.savedProblem("Friday", "") == ""
    host.saveRules("  Friday ")
    assert host.property("savedName") == "Friday"
    (line,) = host._saved.rows
    assert (line.name, line.summary) == ("Friday", "Classic + 3 house rules")
    host.choosePreset("classic")
    assert (host.property("rulesTitle"), host.property("savedName")) == ("Classic", "")
    host.choosePreset("express")
    host.choosePreset("nonsense")
    assert host.property("preset") == "express"
    host.chooseSaved("FRIDAY")
    assert host.property("rulesTitle") == "Classic + 3 house rules"
    # Saving under the same name replaces the rule set.
    host.set("target", 300)
    assert host.isSaved("friday")
    host.saveRules("Friday")
    assert [each.ruleset.target for each in load_rule_sets(english.home_folders)] == [300]
    host.set("target", 400)
    host.saveRules("Saturday")
    assert host.savedProblem("FRIDAY", "Saturday") == "Other rules have this name."
    host.renameSaved("Saturday", "Friday")
    assert [each.name for each in host._saved.rows] == ["Friday", "Saturday"]
    host.renameSaved("Saturday", "Sunday")
    host.renameSaved("Monday", "Tuesday")
    assert [each.name for each in host._saved.rows] == ["Friday", "Sunday"]
    host.deleteSaved("Friday")
    host.chooseSaved("Friday")
    assert [each.name for each in load_rule_sets(english.home_folders)] == ["Sunday"]


def test_names_that_mislead_are_refused(english: Application) -> None:
    host = english.host_controller
    for name in ("", "\u202e", "Classic", "classic", "ехpress", "x" * 33):
        assert host.savedProblem(name, "").startswith("Choose another name")
        host.saveRules(name)
    assert host._saved.rows == ()
    sets = [f"set {number}" for number in range(MOST_RULE_SETS)]
    for name in sets:
        host.saveRules(name)
    assert host.savedProblem("one more", "") == "50 sets of rules are saved: delete one first."
    assert host.savedProblem("set 3", "") == ""
    host.saveRules("one more")
    assert host._saved.rowCount() == MOST_RULE_SETS


def test_a_damaged_file_of_saved_rules_is_told_at_the_start(app_of: AppFactory) -> None:
    ana = app_of("Ana")
    ana.home_folders.rule_sets.write_text("nonsense")
    again = app_of("Ana")
    assert any("rule_sets.json" in each.text for each in again._notices.rows)
    assert again.home_folders.rule_sets.with_name("rule_sets.json.aside0").exists()


def test_where_nothing_can_be_saved_it_is_told(english: Application) -> None:
    english.home_folders.rule_sets.mkdir(parents=True)
    english.host_controller.set("jump_in", 1)
    english.host_controller.saveRules("Friday")
    assert english.host_controller._saved.rows == ()
    assert english._notices.rowCount() == 1


def test_every_preset_can_be_chosen_beside_saved_rules(english: Application) -> None:
    for preset in PRESETS:
        english.host_controller.choosePreset(preset)
        assert english.host_controller.property("preset") == preset


def test_rules_of_another_version_keep_their_name(english: Application) -> None:
    kept = {"name": "Friday", "preset": "later", "settings": {"jump_in": True}}
    file = english.home_folders.rule_sets
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"version": 1, "rule_sets": [kept]}), encoding="utf-8")
    english.host_controller.saveRules("Friday")
    assert [each.text for each in english._notices.rows] == ["Other rules have this name."]
    assert english.host_controller._saved.rows == ()
    assert json.loads(file.read_text())["rule_sets"] == [kept]


def test_a_tournament_has_eight_people_and_no_bots(app: Application) -> None:
    app.settings_controller.change("language", "en")
    host = app.host_controller
    host.setProperty("bots", 2)
    host.choosePreset("tournament")
    assert host.property("seatChoices") == [8]
    assert host.property("seats") == 8
    assert host.property("botsMax") == 0
    assert (host.property("bots"), host.property("problem")) == (0, "")
    assert host.property("tournament")
    host.setProperty("practice", True)
    assert host.property("problem") == "A tournament is played by eight people: no bots."


def test_practice_is_against_as_many_bots_and_rounds_as_were_asked_for(app: Application) -> None:
    host = app.host_controller
    host.setProperty("bots", 2)
    host.setProperty("rounds", 1)
    host.setProperty("practice", True)
    assert (host.property("seats"), host.property("bots")) == (3, 2)
    host.begin()
    session = app.session_controller.session
    assert session is not None
    assert isinstance(session.request, HostRequest)
    assert (session.request.bots, session.request.rounds) == (2, 1)
