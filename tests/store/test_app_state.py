"""The automatically saved state of the app: bounded, replaced as a whole, and expendable."""

from __future__ import annotations

import errno
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from lanuno.store.app_state import (
    MOST_PLACES,
    VERSION,
    AppState,
    KnownPlace,
    TableWishes,
    WindowPlace,
    load_app_state,
    save_app_state,
)
from lanuno.store.errors import FileProblem
from lanuno.store.paths import Home
from lanuno.system import files
from tests.harness.systems import is_private
from tests.store.failing_disk import failing

PLACE = KnownPlace(host="192.168.1.7", port=47474, fingerprint="ab12", name="Ana")
ALL = AppState(
    window=WindowPlace(x=-5, y=0, width=1024, height=640, maximized=True, screen="HDMI-1"),
    table=TableWishes(
        name="Casa",
        preset="express",
        rules={"target": 500, "jump_in": True, "draw": "stuck"},
        seats=6,
        bots=2,
        asks_pin=True,
        spectators=False,
        rounds=3,
    ),
    practice=TableWishes(bots=9, seats=10),
    places=(PLACE,),
)


def test_nothing_is_remembered_at_first(tmp_path: Path) -> None:
    home = Home.at(tmp_path / "h")
    assert load_app_state(home) == (AppState(), None)
    assert not (tmp_path / "h").exists()


def test_saved_state_is_loaded_again(tmp_path: Path) -> None:
    home = Home.at(tmp_path / "h")
    save_app_state(home, ALL)
    assert load_app_state(home) == (ALL, None)
    assert is_private(home.app_state)
    save_app_state(home, AppState())
    assert load_app_state(home) == (AppState(), None)


def test_places_are_few_and_the_last_is_first() -> None:
    kept = AppState()
    for number in range(MOST_PLACES + 5):
        place = KnownPlace(host="h", port=number + 1, fingerprint=f"f{number}")
        kept = kept.with_place(place)
    assert len(kept.places) == MOST_PLACES
    moved = KnownPlace(host="elsewhere", port=9, fingerprint="f10")
    kept = kept.with_place(moved)
    assert len(kept.places) == MOST_PLACES
    assert kept.places[0] == moved
    assert [place.fingerprint for place in kept.places].count("f10") == 1


def file(**fields: Any) -> str:
    return json.dumps({"version": VERSION, "remembered": fields})


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", FileProblem.DAMAGED),
        ("[]", FileProblem.DAMAGED),
        ("{}", FileProblem.DAMAGED),
        ("[" * 100_000, FileProblem.DAMAGED),
        (json.dumps({"version": VERSION + 1, "remembered": {}}), FileProblem.FOREIGN),
        (json.dumps({"version": 0, "remembered": {}}), FileProblem.DAMAGED),
        (json.dumps({"version": "x", "remembered": {}}), FileProblem.DAMAGED),
        (json.dumps({"version": VERSION, "remembered": {}, "more": 1}), FileProblem.DAMAGED),
        (file(window={"x": 0, "y": 0, "width": 0, "height": 1}), FileProblem.DAMAGED),
        (file(table={"seats": 11}), FileProblem.DAMAGED),
        (file(table={"rules": {str(n): n for n in range(101)}}), FileProblem.DAMAGED),
        (file(table={"name": "x" * 65}), FileProblem.DAMAGED),
        (file(places=[msgspec.to_builtins(PLACE)] * (MOST_PLACES + 1)), FileProblem.DAMAGED),
        (" " * (256 * 1024 + 1), FileProblem.TOO_LARGE),
    ],
)
def test_an_invalid_state_file_is_set_aside(
    text: str, problem: FileProblem, tmp_path: Path
) -> None:
    home = Home.at(tmp_path)
    home.app_state.write_text(text)
    found, trouble = load_app_state(home)
    assert found == AppState()
    assert trouble is not None
    assert (trouble.problem, trouble.path) == (problem, home.app_state)
    assert home.app_state.with_name("remembered.json.aside0").read_text() == text
    assert load_app_state(home) == (AppState(), None)


def test_keys_of_a_later_program_are_no_damage(tmp_path: Path) -> None:
    home = Home.at(tmp_path)
    home.app_state.write_text(file(table={"name": "Casa", "colour": "red"}, pets=3))
    assert load_app_state(home) == (AppState(table=TableWishes(name="Casa")), None)


def test_a_file_that_cannot_be_read_or_moved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Home.at(tmp_path)
    home.app_state.write_text("?")
    with monkeypatch.context() as locked:
        locked.setattr(files, "replace", failing(errno.EROFS))
        _, trouble = load_app_state(home)
    assert trouble is not None
    assert trouble.problem is FileProblem.READ_ONLY
    home.app_state.unlink()
    home.app_state.mkdir()
    _, trouble = load_app_state(home)
    assert trouble is not None
    assert trouble.problem is FileProblem.NOT_A_FILE


def test_state_that_could_not_be_read_again_is_not_saved(tmp_path: Path) -> None:
    home = Home.at(tmp_path)
    save_app_state(home, ALL)
    wrong = msgspec.structs.replace(ALL, table=TableWishes(name="x" * 65))
    with pytest.raises(ValueError, match="cannot be kept"):
        save_app_state(home, wrong)
    assert load_app_state(home) == (ALL, None)
