"""Tests of the result page: scores, standings, and what follows."""

from __future__ import annotations

from lanuno.app.controllers.application import Application
from lanuno.app.controllers.result import ResultView, tournament_view
from lanuno.client.events import TournamentStanding
from lanuno.client.tournament_breaks import BreakReason, TournamentBreak

NAMES = ("Ana", "Ben", "Cleo", "Dora", "Eva", "Fito", "Gus", "Hal")


def tournament_standing(
    *,
    rotation: int = 1,
    winners: tuple[int, ...] = (),
    waits: bool = False,
    broken: TournamentBreak | None = None,
) -> TournamentStanding:
    return TournamentStanding(
        names=NAMES,
        avatars=tuple(range(8)),
        totals=(10, 0, 0, 10, 45, 0, 45, 10),
        mine=2,
        rotation=rotation,
        rotations=7,
        winners=winners,
        awaiting_other_table=waits,
        broken=broken,
    )


def test_the_points_of_all_tables_count(app: Application) -> None:
    app.settings_controller.change("language", "en")
    face = tournament_view(ResultView(), tournament_standing())
    assert [(row.place, row.name) for row in face.standings][:3] == [
        (1, "Eva"),
        (1, "Gus"),
        (3, "Ana"),
    ]
    assert [row.name for row in face.standings if row.me] == ["Cleo"]
    assert face.title == "Rotation 1 of 7"
    assert not face.match_over


def test_the_other_table_is_waited_for(app: Application) -> None:
    app.settings_controller.change("language", "en")
    result = app.result_controller
    result.show_standing(tournament_standing(waits=True))
    assert result.property("winnerText") == "Waiting for the other table…"
    assert result.property("title") == "Rotation 2 of 7"
    assert result.property("waiting") == "The next tables open automatically, with other partners."
    assert not result.property("goesOn")
    result.show_standing(tournament_standing(rotation=2))
    assert (
        result.property("winnerText") == "\u2068Eva\u2069 and \u2068Gus\u2069 lead the tournament"
    )
    result.show_standing(tournament_standing(rotation=6, waits=True))
    assert result.property("waiting") == "It was the last rotation."
    result.show_standing(tournament_standing(rotation=7, winners=(4,)))
    assert result.property("waiting") == ""


def test_the_end_of_a_tournament(app: Application) -> None:
    app.settings_controller.change("language", "en")
    over = tournament_view(ResultView(), tournament_standing(rotation=7, winners=(4, 6)))
    assert over.match_over
    assert over.title == "The tournament is over"
    assert over.winner_text == "\u2068Eva\u2069 and \u2068Gus\u2069 won the tournament"
    left = TournamentBreak(BreakReason.LEFT, ("Ana", "Ben"))
    broken = tournament_view(ResultView(), tournament_standing(broken=left))
    assert broken.match_over
    assert broken.title == "The tournament ended early"
    assert broken.winner_text == "\u2068Ana\u2069 and \u2068Ben\u2069 left."
