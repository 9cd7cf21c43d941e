"""Tests of how a tournament is told while it goes from table to table, and when it ends."""

from __future__ import annotations

from lanuno.app.controllers.application import Application
from lanuno.app.controllers.result import ResultFace, tournament_face
from lanuno.app.worker.follower import TournamentStands

NAMES = ("Ana", "Ben", "Cleo", "Dora", "Eva", "Fito", "Gus", "Hal")


def stands(
    *,
    rotation: int = 1,
    winners: tuple[int, ...] = (),
    waits: bool = False,
    broken: bool = False,
) -> TournamentStands:
    return TournamentStands(
        names=NAMES,
        totals=(10, 0, 0, 10, 45, 0, 45, 10),
        mine=2,
        rotation=rotation,
        rotations=7,
        winners=winners,
        waits=waits,
        broken=broken,
    )


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
    assert result.property("waiting") == "Waiting for the other table…"
    result.stand(stands(rotation=2))
    assert result.property("waiting") == ""


def test_the_end_of_a_tournament(desk: Application) -> None:
    desk.preferences.put("language", "en")
    over = tournament_face(ResultFace(), stands(rotation=7, winners=(4, 6)))
    assert over.match_over
    assert over.title == "The tournament is over"
    assert over.winner_text == "\u2068Eva\u2069 and \u2068Gus\u2069 won the tournament"
    broken = tournament_face(ResultFace(), stands(broken=True))
    assert broken.match_over
    assert broken.title == "The tournament was broken off"


def test_a_tournament_has_eight_people_and_no_bots(desk: Application) -> None:
    desk.preferences.put("language", "en")
    host = desk.opener
    host.setProperty("bots", 2)
    host.setProperty("preset", "tournament")
    assert host.property("seatChoices") == [8]
    assert host.property("seats") == 8
    assert host.property("botsMax") == 0
    assert (host.property("bots"), host.property("problem")) == (0, "")
    host.setProperty("practice", True)
    assert host.property("problem") == "A tournament is played by eight people: no bots."
