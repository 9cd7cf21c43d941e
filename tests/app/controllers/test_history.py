"""The history: it lists the games of the folder, opens them, and deletes them once confirmed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, cast

import pytest

from lanuno.app.controllers.application import Application
from lanuno.app.controllers.history import HistoryController, duration, removing_text
from lanuno.app.models.rows import Rows
from lanuno.client.history import read_games
from lanuno.log.faults import AuditVerdict
from lanuno.log.format.bodies import CloseReason
from lanuno.log.replay.course import Decided
from lanuno.rules.ruleset import Format
from lanuno.store.history import History
from lanuno.store.paths import Home
from lanuno.store.profile import load_profile
from tests.app.announcements import announced
from tests.app.waiting import until
from tests.harness.homes.played_games import DAY, keep, played, put, record
from tests.harness.log_table.log_table import LogTable, new_table


@pytest.fixture(scope="module")
def table() -> LogTable:
    """One real game between two players, neither of whom is the user."""
    return played(5)


@pytest.fixture
def past(app: Application) -> HistoryController:
    app.home_folders.create()
    app.settings_controller.change("language", "en")
    return app.history_controller


def looked(past: HistoryController) -> HistoryController:
    """Let the history read the folder, and return it."""
    past.refresh()
    until(lambda: not past.property("busy"))
    return past


def rows(past: HistoryController, name: str) -> tuple[Any, ...]:
    return cast("Rows[Any]", past.property(name)).rows


def test_where_nothing_was_played(past: HistoryController) -> None:
    assert past.property("state") == "unread"
    looked(past)
    assert past.property("state") == "done"
    assert past.property("empty")
    assert rows(past, "games") == ()


def test_a_game_that_was_verified_before_the_history_was_opened_is_verified_there(
    app: Application, home: Home, table: LogTable
) -> None:
    app.verify(keep(home, table))
    until(lambda: app.verifier_controller.property("state") == "done")
    past = app.history_controller
    until(lambda: [each.verdict for each in rows(looked(past), "games")] == ["good"])


def test_a_game_in_the_folder_is_shown_verified_and_deleted(
    app: Application, past: HistoryController, home: Home, table: LogTable
) -> None:
    path = keep(home, table)
    (game,) = rows(looked(past), "games")
    assert (game.name, game.played, game.verdict) == ("Classic", False, "")
    assert "ahead" in game.text
    assert "p0" in game.players
    assert game.accessible_name.startswith("Classic, ")
    said = announced(app)
    past.remove(game.id)
    assert past.property("removingText").endswith(
        ": the file of this game is deleted from this computer. The other players keep theirs."
    )
    past.cancelRemove()
    past.verify(game.id)
    assert app.property("page") == "verifier"
    until(lambda: app.verifier_controller.property("state") == "done")
    until(lambda: [each.verdict for each in rows(looked(past), "games")] == ["good"])
    past.remove("nothing")
    assert past.property("removing") == ""
    past.remove(game.id)
    assert past.property("removing") == game.id
    assert "Classic" in past.property("removingText")
    assert past.property("removingText") in said
    assert "the proof that it was fair" in past.property("removingText")
    past.cancelRemove()
    past.confirmRemove()
    assert path.exists()
    past.remove(game.id)
    past.confirmRemove()
    until(lambda: not path.exists())
    until(lambda: past.property("empty"))


@pytest.mark.usefixtures("past")
def test_nobody_else_keeps_a_game_against_own_bots(home: Home) -> None:
    keep(home, new_table(2, bots={1: 0}).run())
    history = History(home)
    history.refresh()
    (game,) = history.games(b"").games
    me = game.record.players[0].identity
    assert "keep theirs" not in removing_text(game, me)
    assert "keep theirs" in removing_text(game, b"")


def test_a_game_that_is_being_played_is_not_deleted(
    app: Application, past: HistoryController, home: Home, table: LogTable
) -> None:
    import fcntl

    path = keep(home, table)
    (game,) = rows(looked(past), "games")
    with path.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        past.remove(game.id)
        past.confirmRemove()
        until(lambda: app._notices.rows)
    assert path.exists()
    assert app._notices.rows[0].kind == "error"


def test_numbers_people_and_what_is_asked_for(
    app: Application,
    past: HistoryController,
    home: Home,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    me = load_profile(home).identity.public
    monkeypatch.setattr("tests.harness.homes.played_games.ME", me)
    monkeypatch.setattr("lanuno.store.history.History.refresh", lambda self, progress: 0)
    many = [record(9 + number, ["me", "Cleo"], won=["Cleo"]) for number in range(60)]
    put(
        home,
        [
            record(1, ["me", "Ana", "bot"], won=["me"], scores=[300, 20, 0], played_ms=5_000_000),
            record(2, ["me", "Ana"], won=["Ana"], scores=[10, 200], preset="duel"),
            record(3, ["me", "Ben", "Ana"], reason=CloseReason.STOPPED),
            record(4, ["me", "Ana", "Ben", "Cleo"], won=["me", "Ben"], preset="pairs"),
            record(5, ["Ana", "Ben"], won=["Ben"], reason=None),
            record(6, ["me", "Ben"], scores=[40, 7], reason=CloseReason.STOPPED),
            record(7, ["me", "Ben"], scores=[40, 70], reason=CloseReason.TOO_LONG),
            record(
                8,
                ["me", "Ben", "Ana"],
                scores=[40, 7, 90],
                gone=["Ben"],
                format_=Format.LOW_SCORE,
                reason=CloseReason.STOPPED,
            ),
            *many,
        ],
        [AuditVerdict.VERIFIED, AuditVerdict.CHEATING],
    )
    looked(past)
    assert past.property("total") == 68
    assert len(rows(past, "games")) == 40
    past.more()
    until(lambda: len(rows(past, "games")) == 68)
    shown = {row.id[-2:]: row for row in rows(past, "games")}
    assert shown["01"].text == "You won"
    assert (shown["01"].points, shown["01"].verdict_text) == (300, "Verified")
    assert (shown["02"].won, shown["02"].lost) == (False, False)
    assert "Ana" in shown["02"].text
    assert [number for number, row in shown.items() if "does not count" in row.text] == ["02"]
    assert shown["02"].verdict == "bad"
    assert shown["03"].text == "Ended before anybody won"
    assert shown["06"].text == "You were ahead when it ended"
    assert shown["07"].text == "\u2068Ben\u2069 was ahead when it ended"
    assert shown["08"].text == "You were ahead when it ended"
    assert shown["04"].text.startswith("You won, with ")
    assert not shown["05"].played
    figures = {row.key: row for row in rows(past, "statistics")}
    assert (figures["games"].value, figures["wins"].value) == ("66", "2")
    assert figures["longest"].value == "1 h 23 min"
    told = past.property("uncountedText")
    assert told == "1 more game is not counted: 1 with cheating."
    people = rows(past, "opponents")
    assert people[0].name == "Cleo"
    assert people[0].losses == 60
    past.setProperty("showing", "won")
    until(lambda: past.property("total") == 2)
    past.setProperty("search", "cle")
    until(lambda: past.property("total") == 1)
    assert not past.property("empty")
    app.settings_controller.change("language", "es")
    assert rows(past, "games")[0].text.startswith("Ganaste, con ")


def test_a_forfeit_is_told_as_in_the_verifier_and_is_no_win(
    past: HistoryController,
    home: Home,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    me = load_profile(home).identity.public
    monkeypatch.setattr("tests.harness.homes.played_games.ME", me)
    monkeypatch.setattr("lanuno.store.history.History.refresh", lambda self, progress: 0)
    forfeit = record(1, ["me", "Ana"], won=["me"], decided=Decided.ABSENCE)
    put(home, [forfeit], [AuditVerdict.VERIFIED])
    (row,) = rows(looked(past), "games")
    assert row.text == "You won; an absence decided it"
    assert (row.verdict, row.verdict_text) == ("open", "Decided by an absence")
    assert (row.won, row.lost) == (False, False)
    (wins,) = [each for each in rows(past, "statistics") if each.key == "wins"]
    assert (wins.value, wins.note) == ("0", "")


def test_a_list_that_cannot_be_read_is_told(
    past: HistoryController, home: Home, make_app: Callable[[Home], Application]
) -> None:
    home.history.mkdir()
    looked(past)
    assert past.property("state") == "failed"
    assert str(home.history) in past.property("problem")
    home.history.rmdir()
    looked(past)
    assert past.property("state") == "done"


def test_a_damaged_list_is_made_again(past: HistoryController, home: Home, table: LogTable) -> None:
    keep(home, table)
    home.history.write_bytes(b"nonsense" * 1000)
    (row,) = rows(looked(past), "games")
    assert row.id == table.genesis.table_id.hex()
    assert (past.property("state"), past.property("problem")) == ("done", "")


def test_rows_are_shown_before_the_last_game_is_read(
    past: HistoryController, home: Home, table: LogTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(home, table)
    keep(home, played(6), ended=2 * DAY)
    go_on, index = threading.Event(), History._index

    def second_waits(self: History, name: str) -> None:
        if name.startswith(table.genesis.table_id.hex()):
            assert go_on.wait(20)
        index(self, name)

    monkeypatch.setattr(History, "_index", second_waits)
    monkeypatch.setattr(read_games, "__kwdefaults__", {"pause": 0.0})
    past.refresh()
    until(lambda: rows(past, "games"))
    assert (past.property("state"), past.property("busy")) == ("done", True)
    assert past.property("readingText") == "One older game is still being read."
    go_on.set()
    until(lambda: not past.property("busy"))
    assert (len(rows(past, "games")), past.property("readingText")) == (2, "")


def test_files_that_are_no_games_are_counted(past: HistoryController, home: Home) -> None:
    (home.games / ("ab" * 32 + ".lanuno")).write_bytes(b"x" * 100)
    looked(past)
    assert past.property("unusableText") == "One file in the folder is not a game."


def test_how_long_something_took(past: HistoryController) -> None:
    assert [duration(each) for each in (0, 59 * 60_000, 3_900_000)] == [
        "1 min",
        "59 min",
        "1 h 05 min",
    ]
