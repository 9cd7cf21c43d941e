"""Tests of the list of interrupted tables."""

from __future__ import annotations

import asyncio
import threading

import pytest

from lanuno.app.controllers import resumable
from lanuno.app.controllers.application import Application
from lanuno.app.controllers.resumable import last_played
from lanuno.app.texts import moment
from lanuno.client.resume import ResumableTables
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.paths import Home
from tests.app.announcements import plain
from tests.app.waiting import settle, until


@pytest.mark.usefixtures("english")
def test_the_other_players_and_the_time_of_an_interrupted_table_are_named() -> None:
    """A name that looks like a placeholder is shown as it is."""
    when = moment(1_790_000_000)
    assert plain(last_played(("Ben", "Cleo"), 1_790_000_000)) == (
        f"With Ben and Cleo, last played {when}"
    )
    assert plain(last_played(("{when}",), 1_790_000_000)) == f"With {{when}}, last played {when}"


def test_the_later_of_two_searches_for_interrupted_tables_counts(
    app: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each search runs on its own thread. An earlier one that ends later is ignored."""
    home = app.home_folders
    first, looks = threading.Event(), list[StoreError]()

    def look(_home: Home) -> ResumableTables:
        wrong = StoreError(FileProblem.DAMAGED, home.games / f"{len(looks)}.lanuno", "")
        looks.append(wrong)
        if len(looks) == 1:
            assert first.wait(20)
        return ResumableTables((), (wrong,))

    monkeypatch.setattr(resumable, "find_resumable", look)
    there = app.home_controller._interrupted_tables
    there.refresh()
    until(lambda: len(looks) == 1)
    there.refresh()
    until(lambda: there._reported_paths)
    first.set()
    # This job ends after the first search, on the same path.
    asked = app.bridge.run(asyncio.to_thread(int))
    until(asked.future.done)
    settle()
    assert there._reported_paths == {str(looks[1].path)}
