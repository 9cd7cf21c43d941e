"""The window opens and plays in locales that differ in script, case, digits and encoding."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from lanuno.store.app_state import AppState, TableWishes, save_app_state
from lanuno.store.paths import Home
from lanuno.store.profile import rename
from lanuno.store.settings import Settings, save_settings
from tests.harness.screens.player import MousePlayer
from tests.harness.screens.screen import screen

NAME = "Çağrı İ"
"""A name with the letters whose case depends on the locale."""

NEEDED = {
    **{
        f"{code}.UTF-8": (code, "UTF-8")
        for code in (
            *("tr_TR", "lt_LT", "de_DE", "ar_EG", "fa_IR"),
            *("hi_IN", "th_TH", "ja_JP", "el_GR"),
        )
    },
    "tr_TR.ISO-8859-9": ("tr_TR", "ISO-8859-9"),
    "ja_JP.EUC-JP": ("ja_JP", "EUC-JP"),
}
"""The source and the character set of each locale that the tests use, by its name."""


class Locales:
    """Locales in a folder of their own: a bare Debian has none but C."""

    def __init__(self, folder: Path) -> None:
        """Compile them into this folder."""
        self._folder = folder

    def environment(self, variables: Mapping[str, str]) -> dict[str, str]:
        """Compile the locales that these variables name, and return the variables to set."""
        self._folder.mkdir()
        for name in {*variables.values()} & {*NEEDED}:
            source, charset = NEEDED[name]
            command = ["localedef", "--no-archive", "-i", source, "-f", charset]
            subprocess.run([*command, str(self._folder / name)], check=True)
        return {**variables, "LOCPATH": str(self._folder)}


@pytest.fixture
def locales(tmp_path: Path) -> Locales:
    """Return a function that returns the environment for a locale."""
    return Locales(tmp_path / "locales")


def acts(player: MousePlayer) -> int:
    """Let the player act, and return the number of its acts."""
    player.step()
    return player.acts


@pytest.mark.parametrize(
    "variables",
    [
        *({"LC_ALL": name} for name in NEEDED),
        {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ],
    ids=lambda variables: "-".join(variables.values()),
)
def test_the_window_plays(tmp_path: Path, locales: Locales, variables: dict[str, str]) -> None:
    home = Home.at(tmp_path / "home")
    home.create()
    rename(home, NAME)
    rules: dict[str, bool | int | str] = {"hand_size": 3}
    save_settings(home, Settings(adapter="lo", language="en", practice_bots=1, motion=0.0))
    save_app_state(home, AppState(table=TableWishes(rules=rules)))
    with screen(home.data, environment=locales.environment(variables)) as shown:
        shown.page("home")
        shown.take_keyboard()
        shown.click("Practise", role="Button")
        shown.page("table")
        player = MousePlayer(shown)
        shown.wait(lambda _: acts(player))
        shown.process.terminate()
        shown.end()
