"""The name and the PIN with which a command joins a table."""

from __future__ import annotations

from pathlib import Path

import pytest

from lanuno.cli.exits import ExitCode
from lanuno.cli.output import Failure
from lanuno.cli.player_options import checked_pin, player_name
from lanuno.store.paths import Home
from lanuno.store.profile import load_profile, rename


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A home that does not exist yet."""
    return Home.at(tmp_path / "home")


def test_without_a_name_the_profile_has_it(home: Home) -> None:
    home.create()
    rename(home, "Ana")
    assert player_name(None, home) == "Ana"


def test_the_name_asked_for_is_tidied_and_changes_no_profile(home: Home) -> None:
    home.create()
    rename(home, "Ana")
    assert player_name("  Beto   Ruiz ", home) == "Beto Ruiz"
    assert load_profile(home).name == "Ana"


@pytest.mark.parametrize("name", ["", "   ", "a\nb", "\u202eanA", "x" * 1000])
def test_a_name_that_may_not_be_shown_is_refused_before_anything_is_written(
    name: str, home: Home
) -> None:
    with pytest.raises(Failure) as caught:
        player_name(name, home)
    assert (caught.value.code, caught.value.key) == (ExitCode.USAGE, "store.bad_name")
    assert not home.data.exists()


def test_a_pin_is_taken_as_it_is() -> None:
    assert checked_pin("q7X") == "q7X"
    assert checked_pin("") == ""


@pytest.mark.parametrize("pin", ["47 11", "é", "a" * 17])
def test_an_invalid_pin_is_refused(pin: str) -> None:
    with pytest.raises(Failure) as caught:
        checked_pin(pin)
    assert (caught.value.code, caught.value.key) == (ExitCode.USAGE, "error.pin")
    assert pin not in caught.value.values.values(), "a PIN is a secret"
