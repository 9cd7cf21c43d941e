"""Tests of tournaments in the app: what is told from table to table, and two whole ones.

In those, two apps play with six programs that sit in one loop.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest

from lanuno.app.controllers.application import Application
from lanuno.app.controllers.result import ResultFace, tournament_face
from lanuno.app.worker import tourney
from lanuno.app.worker.follower import TournamentStands
from lanuno.net.tournament_breaks import Break, Why
from lanuno.rules import tournament as rules
from tests.app.crowd import Crowd
from tests.app.network import Sit, followed, opened, play, plays, shows
from tests.app.waiting import until

NAMES = ("Ana", "Ben", "Cleo", "Dora", "Eva", "Fito", "Gus", "Hal")


def stands(
    *,
    rotation: int = 1,
    winners: tuple[int, ...] = (),
    waits: bool = False,
    broken: Break | None = None,
) -> TournamentStands:
    return TournamentStands(
        names=NAMES,
        avatars=tuple(range(8)),
        totals=(10, 0, 0, 10, 45, 0, 45, 10),
        mine=2,
        rotation=rotation,
        rotations=7,
        winners=winners,
        waits=waits,
        broken=broken,
    )


RULES = {"hand_size": 2, "hands": 1}
"""One short hand with every partner."""


@pytest.fixture
def crowd(monkeypatch: pytest.MonkeyPatch) -> Iterator[Crowd]:
    monkeypatch.setattr(tourney, "LOOK_SECONDS", 0.2)
    made = Crowd()
    yield made
    made.close()


def entered(sit: Sit, crowd: Crowd, table_name: str) -> tuple[Application, Application]:
    """A tournament of two apps and six others begins; who opened it, and who came."""
    ana, ben = sit("Ana"), sit("Ben")
    ana.opener.choosePreset("tournament")
    for key, value in RULES.items():
        ana.opener.set(key, value)
    opened(ana, table_name, seats=8)
    link = ana.room_screen.property("link")
    followed(ben, link)
    until(partial(shows, ben, "room"))
    crowd.come(link, NAMES[2:])
    ben.room_screen.setReady(True)
    until(lambda: ana.room_screen.property("canStart"))
    assert ana.room_screen.property("taken") == 8
    ana.room_screen.begin()
    return ana, ben


def test_a_whole_tournament(
    sit: Sit, crowd: Crowd, table_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three of the seven rotations: each is like the others, and takes its seconds."""
    for module in (rules, tourney):
        monkeypatch.setattr(module, "SCHEDULE", rules.SCHEDULE[:3])
    apps = entered(sit, crowd, table_name)

    def over() -> bool:
        return all(app.result_screen.property("title") == "The tournament is over" for app in apps)

    play(list(apps), over, patience=180)
    until(lambda: not any(app.playing.property("busy") for app in apps))
    for app in apps:
        result = app.result_screen
        assert shows(app, "result")
        assert result.property("matchOver")
        assert "won the tournament" in result.property("winnerText")
        standings = result.face.standings
        assert sorted(row.name for row in standings) == sorted(NAMES)
        assert [row.name for row in standings if row.me] == [app.preferences.property("playerName")]
    assert apps[0].result_screen.face.standings[0].points > 0
    totals = [[(row.name, row.points) for row in app.result_screen.face.standings] for app in apps]
    assert totals[0] == totals[1]


def test_who_opened_a_tournament_leaves_it(sit: Sit, crowd: Crowd, table_name: str) -> None:
    ana, ben = entered(sit, crowd, table_name)
    for app in (ana, ben):
        until(partial(plays, app))
    ana.ask_to_leave(lambda: None)
    assert "ends for everybody" in ana.property("leaveQuestion")
    ana.confirmLeave()
    assert shows(ana, "home")
    until(lambda: ben.result_screen.property("title") == "The tournament ended early")
    assert shows(ben, "result")
    assert ben.result_screen.property("winnerText") == "\u2068Ana\u2069 left."
    until(lambda: not any(app.playing.property("busy") for app in (ana, ben)))


def test_the_points_of_all_tables_count(desk: Application) -> None:
    desk.preferences.put("language", "en")
    face = tournament_face(ResultFace(), stands())
    assert [(row.place, row.name) for row in face.standings][:3] == [
        (1, "Eva"),
        (1, "Gus"),
        (3, "Ana"),
    ]
    assert [row.name for row in face.standings if row.me] == ["Cleo"]
    assert face.title == "Rotation 1 of 7"
    assert not face.match_over


def test_the_other_table_is_waited_for(desk: Application) -> None:
    desk.preferences.put("language", "en")
    result = desk.result_screen
    result.stand(stands(waits=True))
    assert result.property("winnerText") == "Waiting for the other table…"
    assert result.property("title") == "Rotation 2 of 7"
    assert result.property("waiting") == "The next tables open by themselves, with other partners."
    assert not result.property("goesOn")
    result.stand(stands(rotation=2))
    assert (
        result.property("winnerText") == "\u2068Eva\u2069 and \u2068Gus\u2069 lead the tournament"
    )
    result.stand(stands(rotation=6, waits=True))
    assert result.property("waiting") == "It was the last rotation."
    result.stand(stands(rotation=7, winners=(4,)))
    assert result.property("waiting") == ""


def test_the_end_of_a_tournament(desk: Application) -> None:
    desk.preferences.put("language", "en")
    over = tournament_face(ResultFace(), stands(rotation=7, winners=(4, 6)))
    assert over.match_over
    assert over.title == "The tournament is over"
    assert over.winner_text == "\u2068Eva\u2069 and \u2068Gus\u2069 won the tournament"
    left = Break(Why.LEFT, ("Ana", "Ben"))
    broken = tournament_face(ResultFace(), stands(broken=left))
    assert broken.match_over
    assert broken.title == "The tournament ended early"
    assert broken.winner_text == "\u2068Ana\u2069 and \u2068Ben\u2069 left."


def test_a_tournament_has_eight_people_and_no_bots(desk: Application) -> None:
    desk.preferences.put("language", "en")
    host = desk.opener
    host.setProperty("bots", 2)
    host.choosePreset("tournament")
    assert host.property("seatChoices") == [8]
    assert host.property("seats") == 8
    assert host.property("botsMax") == 0
    assert (host.property("bots"), host.property("problem")) == (0, "")
    host.setProperty("practice", True)
    assert host.property("problem") == "A tournament is played by eight people: no bots."
