"""Tests of the list of interrupted tables."""

from __future__ import annotations

import asyncio
import threading
from functools import partial
from pathlib import Path

import pytest

from lanuno.app.controllers import resumable
from lanuno.app.controllers.application import Application
from lanuno.app.controllers.resumable import last_played
from lanuno.app.texts import moment
from lanuno.client.find import DiscoveredTable
from lanuno.client.resume import Interrupted, ResumableTables, ResumeRequest
from lanuno.dealing.identity import fingerprint
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.paths import Home
from lanuno.store.recovery import UnfinishedTable
from lanuno.table.messages import PeerAddress
from tests.app.announcements import plain
from tests.app.waiting import settle, until
from tests.harness.log_table.log_table import make_roster


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


@pytest.mark.parametrize("answered", [False, True])
def test_only_a_table_whose_host_answers_leads_back_to_an_interrupted_one(
    app: Application, monkeypatch: pytest.MonkeyPatch, answered: bool
) -> None:
    """Anybody may announce the id and the key of a table at any address."""
    roster = make_roster(2)
    names = tuple(seat.name for seat in roster.seats)
    kept = UnfinishedTable(b"t" * 32, Path("kept.lanuno"), names, 0.0, roster)
    announced = DiscoveredTable(
        key="one",
        id=roster.lobby,
        fingerprint=fingerprint(roster.seats[0].identity),
        addresses=("203.0.113.7",),
        port=47474,
        answered=answered,
    )
    there = app.home_controller._interrupted_tables
    asked: list[ResumeRequest] = []

    def start_session(session: partial[object], _options: object) -> None:
        asked.append(session.args[1])

    monkeypatch.setattr(there._sessions, "start_session", start_session)
    there.resume(Interrupted(kept, "Kitchen"), announced)
    place = PeerAddress(0, "203.0.113.7", 47474)
    assert [each.owner_place for each in asked] == [place if answered else None]
