"""Tests of the rules page: presets in both languages, the search, and how rules are checked."""

from __future__ import annotations

from typing import cast

import pytest

from lanuno.app.controllers.application import Application
from lanuno.app.controllers.rules import RulesController
from lanuno.app.models.rows import Rows
from lanuno.app.models.rule_rows import PresetRow, RuleSection
from lanuno.client.languages import languages
from lanuno.rules.engine.house_rules.registry import HOUSE_RULES
from lanuno.rules.presets import PRESETS


def sections(rules: RulesController) -> tuple[RuleSection, ...]:
    return cast("Rows[RuleSection]", rules.property("sections")).rows


@pytest.fixture
def rules(app: Application) -> RulesController:
    app.settings_controller.change("language", "en")
    return app.rules_controller


@pytest.mark.parametrize("language", languages())
def test_every_preset_is_told(app: Application, rules: RulesController, language: str) -> None:
    app.settings_controller.change("language", language)
    presets = cast("Rows[PresetRow]", rules.property("presets")).rows
    told: list[dict[str, str]] = []
    assert [row.id for row in presets] == [*PRESETS, "house"]
    for row in presets:
        rules.setProperty("preset", row.id)
        assert rules.property("title") == row.name != ""
        assert rules.property("summary") == row.summary != ""
        told = [line for section in sections(rules) for line in section.paragraphs]
        assert rules.property("found") == len(told) > 0
        assert all(line["text"] and line["checkedText"] for line in told)
        assert {line["checked"] for line in told} <= {"live", "audit", "agreement", "note"}
    assert len(told) == len(HOUSE_RULES)


def test_rules_are_found_by_the_beginnings_of_words(
    app: Application, rules: RulesController
) -> None:
    rules.setProperty("search", "SHUFF secret")
    assert [section.id for section in sections(rules)] == ["cards"]
    rules.setProperty("search", "huffle")
    assert (sections(rules), rules.property("found")) == ((), 0)
    app.settings_controller.change("language", "es")
    rules.setProperty("search", "numeros SECRÉTOS")
    assert rules.property("found") == 1
    rules.setProperty("search", "")
    assert rules.property("found") > 20


def test_the_language_changes_what_is_read(app: Application, rules: RulesController) -> None:
    heard: list[bool] = []
    rules.changed.connect(lambda: heard.append(True))
    assert rules.property("title") == "Classic"
    assert heard == []
    app.settings_controller.change("language", "es")
    assert rules.property("title") == "Clásico"
    assert heard == [True]
    rules.setProperty("preset", "nothing")
    assert rules.property("preset") == "classic"
