"""Tests of the names and summaries of presets in the window."""

from __future__ import annotations

import pytest

from lanuno.app.controllers.application import Application
from lanuno.app.rule_texts import preset_name, preset_summary, rule_texts
from lanuno.rules.presets import CLASSIC, PRESETS

LATER = "\u202elater"
"""The identifier of a preset that this version does not know, in letters that turn the text."""


@pytest.mark.parametrize(
    ("language", "name", "summary"),
    [
        ("en", "Classic", "2 to 10 players, 108 cards, to 500 points"),
        ("es", "Clásico", "De 2 a 10 jugadores, 108 cartas, a 500 puntos"),
    ],
)
def test_a_preset_has_a_name_and_a_summary_in_the_current_language(
    app: Application, language: str, name: str, summary: str
) -> None:
    app.settings_controller.change("language", language)
    assert preset_name("classic") == name
    assert preset_summary("classic").startswith(summary)
    assert (preset_name("classic"), preset_summary("classic")) == rule_texts().preset(CLASSIC)


@pytest.mark.usefixtures("english")
def test_no_two_presets_look_alike() -> None:
    assert len({preset_name(preset) for preset in PRESETS}) == len(PRESETS)
    assert len({preset_summary(preset) for preset in PRESETS}) == len(PRESETS)


@pytest.mark.usefixtures("english")
def test_the_identifier_of_an_unknown_preset_is_isolated() -> None:
    """It comes from another computer, so it must not reorder the sentence around it."""
    assert preset_name(LATER) == f"\u2068{LATER}\u2069"
    assert preset_summary(LATER) == ""
