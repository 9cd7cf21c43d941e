"""Tests of the player's settings: they take effect at once, last, and survive damage."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from PySide6.QtGui import QGuiApplication

from lanuno.app.controllers.settings import fitted_name
from lanuno.app.running import Running
from lanuno.log.format.avatar import AVATARS
from lanuno.store.paths import Home
from lanuno.store.profile import load_profile
from lanuno.store.settings import load_settings


@pytest.mark.logs_warnings
def test_settings_take_effect_and_last(opened: Callable[[], Running], home: Home) -> None:
    running = opened()
    settings = running.app.settings_controller
    changed: list[str] = []
    for name in ("theme", "textScale", "motion", "avatar", "sorting"):
        getattr(settings, f"{name}Changed").connect(lambda name=name: changed.append(name))
    for name, value in (
        ("theme", "dark"),
        ("textScale", 1.3),
        ("motion", 0.0),
        ("avatar", (settings.property("avatar") + 1) % AVATARS),
        ("sorting", "value"),
        ("playerName", "  Ana "),
    ):
        assert settings.setProperty(name, value)
    settings.setProperty("theme", "dark")
    assert changed == ["theme", "textScale", "motion", "avatar", "sorting"]
    assert settings.property("dark")
    settings.setProperty("theme", "pink")
    running.app.settings_controller.save_if_changed()
    assert settings.property("theme") == "dark"
    kept = load_settings(home)
    assert (kept.theme, kept.text_scale, kept.motion) == ("dark", 1.3, 0.0)
    assert load_profile(home).name == "Ana"
    assert opened().app.settings_controller.property("sorting") == "value"


def test_a_name_that_cannot_be_shown_is_told(running: Running) -> None:
    before = running.app.settings_controller.property("playerName")
    running.app.settings_controller.setProperty("playerName", "\u202e")
    assert running.app.settings_controller.property("playerName") == before
    assert running.app._notices.rows[0].kind == "error"


def test_damaged_settings_are_told_and_set_aside(opened: Callable[[], Running], home: Home) -> None:
    home.create()
    home.settings.write_text('{"theme": "pink", "avatar": 3}')
    running = opened()
    assert "damaged" in running.app._notices.rows[0].text
    running.app.settings_controller.setProperty("theme", "dark")
    running.app.settings_controller.save()
    kept = load_settings(home)
    assert (kept.theme, kept.avatar) == ("dark", 3)
    aside = home.settings.with_name("settings.json.aside0")
    assert aside.read_text() == '{"theme": "pink", "avatar": 3}'


def test_the_language_changes_at_once(running: Running) -> None:
    settings, again = running.app.settings_controller, []
    running.app.retranslated.connect(lambda: again.append(settings._translations.language))
    settings.setProperty("language", "es")
    settings.setProperty("language", "en")
    assert again == ["es", "en"]


def test_diagnostics_go_to_the_clipboard(running: Running, home: Home) -> None:
    running.app.settings_controller.copyDiagnostics()
    text = QGuiApplication.clipboard().text()
    assert "PySide6" in text
    assert json.loads(text.partition("settings: ")[2].splitlines()[0])["theme"] == "system"
    assert f"log: {home.log}\nlog can be written: yes" in text


@pytest.mark.parametrize(
    ("before", "after", "kept"),
    [
        ("Ana", "Anab", "Anab"),
        ("x" * 20, "x" * 20 + "y", "x" * 20),
        ("ab" + "x" * 18, "aYb" + "x" * 18, "ab" + "x" * 18),
        ("ab" + "x" * 16, "a1234b" + "x" * 16, "a12b" + "x" * 16),
        ("Ana", "x" * 50, "x" * 20),
        ("Ana", "\U0001f600" * 30, "\U0001f600" * 16),
        ("Ana", "  " + "x" * 20 + "  ", "x" * 20),
        ("x" * 20, "x" * 20 + " ", "x" * 20),
        ("x" * 19, "x" * 19 + "  ", "x" * 19),
        ("Ana", "\ufb03" * 20, "\ufb03" * 6),
        ("Ana", "e\u0301" * 20, "e\u0301" * 20),
        ("x" * 30, "x" * 31, "x" * 30),
        ("x" * 30, "", ""),
        ("", "\udc00", "\udc00"),
        ("Ana", "x" * 20_000, "x" * 20),
        ("Ana", "Ana" + " b" * 20_000, "Anab" + " b" * 8),
    ],
)
def test_an_edit_that_is_too_long_is_shortened(before: str, after: str, kept: str) -> None:
    """The limits in letters and bytes apply to the name composed and without double spaces."""
    assert fitted_name(before, after) == kept


def test_a_new_player_has_a_colour_of_their_own_until_they_choose(
    opened: Callable[[], Running], home: Home
) -> None:
    profile = load_profile(home)
    settings = opened().app.settings_controller
    assert settings.property("avatar") == profile.identity.public[0] % AVATARS
    settings.setProperty("avatar", 4)
    settings.save()
    assert load_settings(home).avatar == 4
