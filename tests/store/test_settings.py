"""Tests of the settings: defaults, unknown keys, and files that a person broke."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lanuno.store.errors import Problem, StoreError
from lanuno.store.paths import Home
from lanuno.store.settings import Settings, load_settings, save_settings


def test_no_file_means_defaults(tmp_path: Path) -> None:
    assert load_settings(Home.at(tmp_path / "h")) == Settings()
    assert not (tmp_path / "h").exists()


def test_saved_settings_come_back(tmp_path: Path) -> None:
    home = Home.at(tmp_path / "h")
    settings = Settings(language="es", adapter="eth0", port=47474)
    save_settings(home, settings)
    assert load_settings(home) == settings
    save_settings(home, Settings())
    assert load_settings(home) == Settings()


def test_unknown_keys_are_tolerated_and_kept(tmp_path: Path) -> None:
    home = Home.at(tmp_path)
    home.settings.write_text('{"language": "en", "from_the_future": {"a": [1, null]}}')
    assert load_settings(home) == Settings(language="en")
    save_settings(home, Settings(language="es"))
    kept = json.loads(home.settings.read_text())
    assert kept["from_the_future"] == {"a": [1, None]}
    assert (kept["adapter"], kept["language"], kept["port"]) == (None, "es", None)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"language": "fr"}',
        '{"port": 0}',
        '{"port": "47474"}',
        '{"adapter": "' + "x" * 65 + '"}',
        "[" * 100_000,
        '{"x": ' + "[" * 50_000 + "]" * 50_000 + "}",
    ],
)
def test_a_bad_file_is_named_and_kept(text: str, tmp_path: Path) -> None:
    home = Home.at(tmp_path)
    home.settings.write_text(text)
    for use in (lambda: load_settings(home), lambda: save_settings(home, Settings())):
        with pytest.raises(StoreError) as caught:
            use()
        assert caught.value.problem is Problem.DAMAGED
        assert caught.value.path == home.settings
    assert home.settings.read_text() == text


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    home = Home.at(tmp_path)
    home.settings.write_bytes(b'{"adapter": "\xff"}')
    with pytest.raises(StoreError) as caught:
        load_settings(home)
    assert caught.value.problem is Problem.DAMAGED
