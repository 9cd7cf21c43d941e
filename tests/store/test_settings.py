"""The settings: defaults, unknown keys, and files with mistakes in them."""

from __future__ import annotations

import errno
import json
from pathlib import Path

import pytest

from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.paths import Home
from lanuno.store.settings import VERSION, Settings, load_settings, open_settings, save_settings
from lanuno.system import files
from tests.store.failing_disk import failing


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
        '{"language": 1}',
        '{"language": "' + "x" * 33 + '"}',
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
        assert caught.value.problem is FileProblem.DAMAGED
        assert caught.value.path == home.settings
    assert home.settings.read_text() == text


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    home = Home.at(tmp_path)
    home.settings.write_bytes(b'{"adapter": "\xff"}')
    with pytest.raises(StoreError) as caught:
        load_settings(home)
    assert caught.value.problem is FileProblem.DAMAGED


def test_a_later_version_is_not_misunderstood(tmp_path: Path) -> None:
    home = Home.at(tmp_path)
    save_settings(home, Settings(language="es"))
    assert json.loads(home.settings.read_text())["version"] == VERSION
    text = json.dumps({"version": VERSION + 1, "language": "en", "theme": 5})
    home.settings.write_text(text)
    for use in (lambda: load_settings(home), lambda: save_settings(home, Settings())):
        with pytest.raises(StoreError) as caught:
            use()
        assert caught.value.problem is FileProblem.FOREIGN
    assert home.settings.read_text() == text


@pytest.mark.parametrize(
    ("text", "right", "problem"),
    [
        ("{", Settings(), FileProblem.DAMAGED),
        ("[]", Settings(), FileProblem.DAMAGED),
        ("[" * 100_000, Settings(), FileProblem.DAMAGED),
        (" " * (1024 * 1024 + 1), Settings(), FileProblem.TOO_LARGE),
        ('{"version": 99, "language": "es"}', Settings(language="es"), FileProblem.FOREIGN),
        (
            '{"language": "es", "theme": "pink", "text_scale": 1.5, "port": 0, "new": 1}',
            Settings(language="es", text_scale=1.5),
            FileProblem.DAMAGED,
        ),
    ],
)
def test_a_file_with_invalid_settings_is_set_aside_and_valid_ones_are_loaded(
    text: str, right: Settings, problem: FileProblem, tmp_path: Path
) -> None:
    home = Home.at(tmp_path)
    home.settings.write_text(text)
    settings, trouble = open_settings(home)
    assert settings == right
    assert trouble is not None
    assert (trouble.problem, trouble.path) == (problem, home.settings)
    kept = home.settings.with_name("settings.json.aside0")
    assert kept.read_text() == text
    assert open_settings(home) == (right, None)
    save_settings(home, Settings(theme="dark"))
    assert load_settings(home).theme == "dark"
    home.settings.write_text("{")
    open_settings(home)
    assert kept.read_text() == text
    assert home.settings.with_name("settings.json.aside1").read_text() == "{"


def test_settings_that_cannot_be_read_or_moved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Home.at(tmp_path)
    assert open_settings(home) == (Settings(), None)
    home.settings.write_text('{"language": "es", "theme": 1}')
    with monkeypatch.context() as locked:
        locked.setattr(files, "replace", failing(errno.EROFS))
        settings, trouble = open_settings(home)
    assert settings == Settings(language="es")
    assert trouble is not None
    assert trouble.problem is FileProblem.READ_ONLY
    home.settings.unlink()
    home.settings.mkdir()
    settings, trouble = open_settings(home)
    assert settings == Settings()
    assert trouble is not None
    assert trouble.problem is FileProblem.NOT_A_FILE
    assert home.settings.is_dir()
