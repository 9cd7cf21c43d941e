"""The messages for a place or a table that does not exist."""

from __future__ import annotations

from pathlib import Path

import pytest

from lanuno.cli.exits import ExitCode
from lanuno.cli.network import checked_pin, place_of, player_name, table_failure
from lanuno.cli.output import Failure
from lanuno.client.find import NotFoundReason, TableNotFound
from lanuno.client.texts import Texts
from lanuno.store.paths import Home
from lanuno.store.profile import load_profile, rename


@pytest.mark.parametrize("reason", NotFoundReason)
def test_why_a_table_was_not_found(reason: NotFoundReason) -> None:
    failure = table_failure(TableNotFound("Kitchen", reason))
    assert failure.code is ExitCode.NETWORK
    assert Texts("en")(failure.key, **failure.values)
    assert failure.values == {"table": "Kitchen"}


@pytest.mark.parametrize(("where", "key"), [("lanuno:x", "error.link"), ("127.0.0", "error.where")])
def test_an_invalid_place_is_a_usage_error(where: str, key: str) -> None:
    assert place_of("127.0.0.1:1").hosts == ("127.0.0.1",)
    with pytest.raises(Failure) as caught:
        place_of(where)
    assert (caught.value.code, caught.value.key) == (ExitCode.USAGE, key)
    assert caught.value.values == {"value": where}


# ---- names and PINs ------------------------------------------------------------------------------


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


def test_a_pin_is_normalised() -> None:
    assert checked_pin(" q7X") == "q7x"
    assert checked_pin("") == ""


@pytest.mark.parametrize("pin", ["47\n11", "\u202e", "a" * 33])
def test_an_invalid_pin_is_refused(pin: str) -> None:
    with pytest.raises(Failure) as caught:
        checked_pin(pin)
    assert (caught.value.code, caught.value.key) == (ExitCode.USAGE, "error.pin")
    assert pin not in caught.value.values.values(), "a PIN is a secret"
