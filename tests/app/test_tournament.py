"""Tests of tournaments: two apps play with six programs that share one event loop."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import pytest

from lanuno.app.controllers.application import Application
from lanuno.client import session as client_session
from lanuno.client import tournament_run as client_tournament
from lanuno.rules.match import tournament as rules
from lanuno.store.paths import Home
from tests.app.network import (
    AppFactory,
    closed,
    follow_link,
    is_playing,
    open_table,
    play_until,
    say_ready,
    shows_page,
)
from tests.app.tournament_players import TournamentPlayers
from tests.app.waiting import until

NAMES = ("Ana", "Ben", "Cleo", "Dora", "Eva", "Fito", "Gus", "Hal")


RULES = {"hand_size": 2, "hands": 1}
"""Settings for one short hand with every partner."""


@pytest.fixture
def players(monkeypatch: pytest.MonkeyPatch) -> Iterator[TournamentPlayers]:
    monkeypatch.setattr(client_session, "ROTATION_RESULT_SECONDS", 0.2)
    made = TournamentPlayers()
    yield made
    made.close()


def entered(
    app_of: AppFactory, players: TournamentPlayers, table_name: str
) -> tuple[Application, Application]:
    """Begin a tournament of two apps and six others; return the host's app and the guest's."""
    ana, ben = app_of("Ana"), app_of("Ben")
    ana.host_controller.choosePreset("tournament")
    for key, value in RULES.items():
        ana.host_controller.set(key, value)
    open_table(ana, table_name, seats=8)
    link = ana.room_controller.property("link")
    follow_link(ben, link)
    until(partial(shows_page, ben, "room"))
    players.come(link, NAMES[2:])
    until(lambda: ben.room_controller.property("taken") == 8)
    say_ready(ben)
    until(lambda: ana.room_controller.property("canStart"))
    assert ana.room_controller.property("taken") == 8
    ana.room_controller.begin()
    return ana, ben


def test_a_whole_tournament(
    app_of: AppFactory, players: TournamentPlayers, table_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Play three of the seven rotations, because all rotations are alike and each takes seconds."""
    for module in (rules, client_tournament):
        monkeypatch.setattr(module, "SCHEDULE", rules.SCHEDULE[:3])
    apps = entered(app_of, players, table_name)

    def over() -> bool:
        return all(
            app.result_controller.property("title") == "The tournament is over" for app in apps
        )

    play_until(list(apps), over, patience=180)
    until(lambda: all(app.session_controller.session is None for app in apps))
    for app in apps:
        result = app.result_controller
        assert shows_page(app, "result")
        assert result.property("matchOver")
        assert "won the tournament" in result.property("winnerText")
        standings = result.view.standings
        assert sorted(row.name for row in standings) == sorted(NAMES)
        assert [row.name for row in standings if row.me] == [
            app.settings_controller.property("playerName")
        ]
    assert apps[0].result_controller.view.standings[0].points > 0
    totals = [
        [(row.name, row.points) for row in app.result_controller.view.standings] for app in apps
    ]
    assert totals[0] == totals[1]


def test_a_player_whose_window_was_killed_goes_on_with_the_tournament(
    app_of: AppFactory,
    players: TournamentPlayers,
    table_name: str,
    make_app: Callable[[Home], Application],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in (rules, client_tournament):
        monkeypatch.setattr(module, "SCHEDULE", rules.SCHEDULE[:2])
    ana, ben = entered(app_of, players, table_name)
    until(partial(is_playing, ben))
    ben.settings_controller.save()
    closed(ben)
    again = make_app(ben.home_folders)
    again.start()
    rows = again.home_controller._interrupted_tables.rows
    until(lambda: rows.rowCount() == 1)
    assert rows.rows[0].name == "A tournament"
    again.home_controller.goOn(rows.rows[0].id)
    until(partial(is_playing, again))
    again.ask_to_leave(lambda: None)
    assert "ends for everybody" in again.property("leaveQuestion")
    again.cancelLeave()

    def over() -> bool:
        title = "The tournament is over"
        return all(app.result_controller.property("title") == title for app in (ana, again))

    play_until([ana, again], over, patience=180)
    until(lambda: again.session_controller.session is None)
    assert not again.result_controller.property("canRematch")
    totals = [
        [(row.name, row.points) for row in app.result_controller.view.standings]
        for app in (ana, again)
    ]
    assert totals[0] == totals[1]
    again.reset_to("home")
    again.home_controller._interrupted_tables.refresh()
    until(lambda: rows.rowCount() == 0)


def test_who_opened_a_tournament_leaves_it(
    app_of: AppFactory, players: TournamentPlayers, table_name: str
) -> None:
    ana, ben = entered(app_of, players, table_name)
    for app in (ana, ben):
        until(partial(is_playing, app))
    ana.ask_to_leave(lambda: None)
    assert "ends for everybody" in ana.property("leaveQuestion")
    ana.confirmLeave()
    assert shows_page(ana, "home")
    until(lambda: ben.result_controller.property("title") == "The tournament ended early")
    assert shows_page(ben, "result")
    assert ben.result_controller.property("winnerText") == "\u2068Ana\u2069 left."
    until(lambda: all(app.session_controller.session is None for app in (ana, ben)))
