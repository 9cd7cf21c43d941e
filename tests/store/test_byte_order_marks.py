"""Some editors begin every text file with a byte order mark. That is no damage."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lanuno.rules.ruleset import Ruleset
from lanuno.store.app_state import AppState, load_app_state, save_app_state
from lanuno.store.paths import Home
from lanuno.store.profile import load_profile, rename
from lanuno.store.rule_sets import RuleSet, open_rule_sets, save_rule_sets
from lanuno.store.settings import Settings, open_settings, save_settings

FRIDAY = (RuleSet("Friday", Ruleset(target=300)),)


def write_all(home: Home) -> None:
    home.create()
    save_settings(home, Settings(language="es"))
    rename(home, "Ana")
    save_rule_sets(home, FRIDAY)
    save_app_state(home, AppState(forgotten=("x",)))


@pytest.mark.parametrize(
    ("file", "load", "content"),
    [
        ("settings", open_settings, (Settings(language="es"), None)),
        ("profile", lambda home: load_profile(home).name, "Ana"),
        ("rule_sets", open_rule_sets, (FRIDAY, None)),
        ("app_state", load_app_state, (AppState(forgotten=("x",)), None)),
    ],
)
def test_a_byte_order_mark_is_no_damage(
    tmp_path: Path, file: str, load: Callable[[Home], object], content: object
) -> None:
    home = Home.at(tmp_path)
    write_all(home)
    path: Path = getattr(home, file)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert load(home) == content
    assert list(path.parent.glob(f"{path.stem}*")) == [path], "nothing was set aside"


def test_values_beside_one_that_cannot_be_read_are_kept(tmp_path: Path) -> None:
    home = Home.at(tmp_path)
    home.settings.write_text('{"language": "es", "sounds": 7}', encoding="utf-8-sig")
    assert open_settings(home)[0] == Settings(language="es")
