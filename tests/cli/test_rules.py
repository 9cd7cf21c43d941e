"""`lanuno rules`: every preset and setting explained, in two languages and as JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lanuno.cli.exits import ExitCode
from lanuno.cli.main import main
from lanuno.client.languages import languages
from lanuno.rules.engine.house_rules.registry import HOUSE_RULES
from lanuno.rules.presets import PRESETS
from lanuno.rules.ruleset import Ruleset

pytestmark = pytest.mark.usefixtures("own_home")


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["rules", *arguments, "--json"]) == ExitCode.OK
    said: dict[str, Any] = json.loads(capsys.readouterr().out)
    return said


def rules_of(said: dict[str, Any]) -> dict[str, dict[str, str]]:
    return {rule["id"]: rule for section in said["sections"] for rule in section["rules"]}


def test_without_a_preset_all_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == ExitCode.OK
    lines = capsys.readouterr().out
    for name in (*PRESETS, *HOUSE_RULES):
        assert f"  - {name}: " in lines
    said = answer(capsys)
    assert [each["preset"] for each in said["presets"]] == list(PRESETS)
    assert all(set(each) == {"preset", "name", "summary"} for each in said["presets"])
    assert [each["id"] for each in said["house_rules"]] == [f"house.{name}" for name in HOUSE_RULES]


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_as_json(
    preset: str, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = answer(capsys, preset, "--lang", language)
    assert set(said) == {"command", "preset", "settings", "sections", "exit"}
    assert said["preset"] == preset
    assert set(said["settings"]) == set(Ruleset.__struct_fields__) - {"preset"}
    assert said["settings"]["hand_size"] == PRESETS[preset].hand_size
    for section in said["sections"]:
        assert set(section) == {"id", "title", "rules"}
        for rule in section["rules"]:
            assert set(rule) == {"id", "text", "checked"}
            assert rule["checked"] in ("live", "audit", "agreement", "note")


def test_settings_are_told_as_they_are_given(capsys: pytest.CaptureFixture[str]) -> None:
    usual = answer(capsys, "classic")
    given = [f"--set={name}={value}" for name, value in usual["settings"].items()]
    assert answer(capsys, "classic", *[each.lower() for each in given]) == usual


def test_changed_settings_are_shown_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    changes = ["--set", "stack_draw_two=on", "--set", "hand_size=5", "--set", "uno=automatic"]
    assert main(["rules", "classic", *changes]) == ExitCode.OK
    out = capsys.readouterr().out
    assert out.splitlines()[:2] == [
        "Classic (classic)",
        "changed: hand_size=5, uno=automatic, stack_draw_two=on",
    ]
    assert "5 cards" in out
    assert "[agreement]" in out
    rules = rules_of(answer(capsys, "classic", *changes))
    assert "house.stack_draw_two" in rules
    assert "actions.no_stacking" not in rules


def test_settings_alone_are_those_of_the_classic_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(capsys, "--set", "deck=112")["preset"] == "classic"
    assert "seats.exactly" in rules_of(answer(capsys, "--seats", "3"))


def test_the_seats_choose_what_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    two = rules_of(answer(capsys, "express", "--seats", "2", "--lang", "es"))
    assert "100 puntos" in two["ending.points"]["text"]
    assert "ending.points_by_seats" in rules_of(answer(capsys, "express"))
    assert rules_of(answer(capsys, "tournament", "--seats", "8")) == rules_of(
        answer(capsys, "tournament")
    )


def test_few_seats_may_be_all_that_is_possible(capsys: pytest.CaptureFixture[str]) -> None:
    rules = rules_of(answer(capsys, "classic", "--set", "hand_size=20"))
    assert rules["seats.range"]["text"] == "For 2 to 5 players."
    rules = rules_of(answer(capsys, "classic", "--set", "advice=on"))
    assert rules["seats.range"]["text"] == "For 3 to 10 players."


@pytest.mark.parametrize(
    ("arguments", "changed"),
    [
        (["duel", "--set", "target=200"], "target_two=200"),
        (["express", "--set", "target=300"], "target=300, target_two=300"),
        (["express", "--set", "target=300", "--set", "target_two=50"], "target=300, target_two=50"),
        (["express", "--seats", "3", "--set", "target=300"], "target=300"),
        (["pairs", "--set", "target=300"], "target=300"),
        (["masters-short", "--set", "laps=7", "--set", "hands=3"], "laps=7"),
        (["masters-short", "--set", "format=deals", "--set", "laps=7"], "format=deals"),
    ],
)
def test_only_what_is_played_is_shown_as_changed(
    arguments: list[str], changed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", *arguments]) == ExitCode.OK
    assert capsys.readouterr().out.splitlines()[1] == f"changed: {changed}"


def test_lines_are_short(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "classic", "--lang", "es"]) == ExitCode.OK
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 96
    assert not any(line.endswith(" ") for line in lines)
