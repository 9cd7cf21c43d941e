"""Tests of the app state that is kept between starts."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lanuno.app.controllers.application import Application
from lanuno.store.app_state import MOST_PLACES, KnownPlace, TableWishes, load_app_state
from lanuno.store.paths import Home

WISHES = TableWishes(name="Kitchen", seats=3)


def place(number: int, name: str = "Ana") -> KnownPlace:
    return KnownPlace(host="192.0.2.1", port=number, fingerprint=f"{number:032x}", name=name)


def test_a_change_is_saved_at_once(
    app: Application, make_app: Callable[[Home], Application], home: Home
) -> None:
    app.app_state.change(table=WISHES, forgotten=("abc",))
    assert load_app_state(home) == (app.app_state.state, None)
    again = make_app(home).app_state.state
    assert (again.table, again.forgotten, again.practice) == (WISHES, ("abc",), None)


def test_the_same_state_is_not_written_again(app: Application, home: Home) -> None:
    app.app_state.change(table=WISHES)
    home.app_state.unlink()
    app.app_state.change(table=WISHES)
    assert not home.app_state.exists()
    app.app_state.change(table=None)
    assert home.app_state.exists()


def test_hosts_are_remembered_newest_first_and_once_each(app: Application, home: Home) -> None:
    for number in range(1, MOST_PLACES + 2):
        app.app_state.remember_host(place(number))
    app.app_state.remember_host(place(5, "Ben"))
    places = load_app_state(home)[0].places
    assert len(places) == MOST_PLACES
    assert [each.port for each in places[:3]] == [5, MOST_PLACES + 1, MOST_PLACES]
    assert [each.name for each in places if each.port == 5] == ["Ben"]


@pytest.mark.logs_warnings
def test_a_damaged_file_is_reported_and_replaced(
    make_app: Callable[[Home], Application], home: Home
) -> None:
    home.create()
    home.app_state.parent.mkdir(parents=True, exist_ok=True)
    home.app_state.write_text("nonsense")
    app = make_app(home)
    (notice,) = app._notices.rows
    assert notice.kind == "error"
    assert home.app_state.name in notice.text
    assert app.app_state.state.table is None
    app.app_state.change(table=WISHES)
    assert load_app_state(home)[0].table == WISHES
    aside = home.app_state.with_name(f"{home.app_state.name}.aside0")
    assert aside.read_text() == "nonsense"


@pytest.mark.logs_warnings
def test_a_state_that_cannot_be_saved_still_counts_until_the_end(
    app: Application, home: Home, caplog: pytest.LogCaptureFixture
) -> None:
    home.app_state.mkdir(parents=True)
    app.app_state.change(table=WISHES)
    assert app.app_state.state.table == WISHES
    assert any(each.startswith("not remembered: ") for each in caplog.messages)
    # The player has lost nothing that was visible, so no notice is shown.
    assert app._notices.rows == ()
