"""Tests of the result page: scores, standings, and what follows."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from lanuno.app.controllers.application import Application
from lanuno.app.controllers.result import (
    READING_SECONDS,
    ROUND_RESULT_SECONDS,
    ResultView,
    broken_tournament_text,
    result_view,
    tournament_view,
)
from lanuno.client.events import TournamentStanding
from lanuno.client.observed_state import RoundScore
from lanuno.client.snapshot import TableStage
from lanuno.client.tournament_breaks import BreakReason, TournamentBreak
from lanuno.log.faults import VoidReason
from lanuno.log.format.bodies import CloseReason
from lanuno.log.replay.course import Decided
from lanuno.rules.presets import CLASSIC, PRESETS
from tests.app.announcements import plain
from tests.app.pictures.tables import Simulated

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
    view = tournament_view(ResultView(), tournament_standing())
    assert [(row.place, row.name) for row in view.standings][:3] == [
        (1, "Eva"),
        (1, "Gus"),
        (3, "Ana"),
    ]
    assert [row.name for row in view.standings if row.me] == ["Cleo"]
    assert view.title == "Rotation 1 of 7"
    assert not view.match_over


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
    ended = tournament_standing(rotation=7, winners=(4, 6))
    absent = tournament_view(ResultView(), replace(ended, decided=Decided.ABSENCE))
    assert absent.closing_text == "An absence decided this match, not the cards alone."
    over = tournament_view(ResultView(), ended)
    assert over.match_over
    assert over.title == "The tournament is over"
    assert over.winner_text == "\u2068Eva\u2069 and \u2068Gus\u2069 won the tournament"
    left = TournamentBreak(BreakReason.LEFT, ("Ana", "Ben"))
    broken = tournament_view(ResultView(), tournament_standing(broken=left))
    assert broken.match_over
    assert broken.title == "The tournament ended early"
    assert broken.winner_text == "\u2068Ana\u2069 and \u2068Ben\u2069 left."
    said = broken_tournament_text(TournamentBreak(BreakReason.LEFT, ("{host}",), "Cleo"))
    assert said == "According to \u2068Cleo\u2069, \u2068{host}\u2069 left."


# ---- the result of a round and of a match -------------------------------------------------------


def result_of(*rounds: RoundScore, seats: int = 3, **values: Any) -> ResultView:
    """Return what is shown of these rounds; the totals are those of the last one."""
    table = Simulated(seats, names=NAMES[:seats], rules=values.pop("rules", CLASSIC))
    known: dict[str, Any] = {"scores": rounds, "totals": rounds[-1].totals if rounds else (0,) * 3}
    return result_view(table.snapshot(values.pop("stage", TableStage.BETWEEN), **known | values))


def scored(number: int, *totals: int, won: tuple[int, ...] = (0,), **values: Any) -> RoundScore:
    known: dict[str, Any] = {"void": None, "attested": 3, "players": 3, "here": 3, "gains": totals}
    known |= values
    known.setdefault("counted", known["void"] is None)
    return RoundScore(number=number, winners=won, totals=totals, **known)


@pytest.mark.usefixtures("english")
def test_equal_points_share_a_place() -> None:
    view = result_of(scored(1, 20, 50, 20))
    assert [(row.place, row.name) for row in view.standings] == [
        (1, "Ben"),
        (2, "Ana"),
        (2, "Cleo"),
    ]
    assert [row.name for row in view.standings if row.me] == ["Ana"]


@pytest.mark.usefixtures("english")
def test_the_fewest_points_are_best_where_the_format_says_so() -> None:
    view = result_of(scored(1, 20, 50, 10), rules=PRESETS["low-score"])
    assert [row.name for row in view.standings] == ["Cleo", "Ana", "Ben"]


@pytest.mark.usefixtures("english")
def test_a_winner_comes_first_whatever_the_points_are() -> None:
    """After a forfeit, the winner may have fewer points."""
    view = result_of(scored(1, 90, 20, 10), winners=(1,), closed=CloseReason.FINISHED)
    assert (view.standings[0].name, view.standings[0].winner) == ("Ben", True)
    assert view.match_over
    assert plain(view.winner_text) == "Ben has won the match"


@pytest.mark.usefixtures("english")
def test_a_round_names_its_winners_or_says_why_it_does_not_count() -> None:
    won = result_of(scored(1, 20, 50, 20, won=(1,)))
    assert (won.title, plain(won.winner_text)) == ("Round 1", "Ben has won this round")
    nobody = result_of(scored(1, 0, 0, 0, won=()))
    assert nobody.winner_text == "Nobody won this round"
    gone = {"void": VoidReason.LOST, "void_without": ((2, True),)}
    void = result_of(scored(2, 0, 0, 0, won=(), **gone))
    assert (void.title, plain(void.winner_text)) == ("Round 2 is void", "Cleo chose to leave.")
    nothing = result_of()
    assert (nothing.title, nothing.winner_text) == ("No round was finished", "")


@pytest.mark.usefixtures("english")
@pytest.mark.parametrize(
    ("score", "values", "state", "text"),
    [
        ({}, {}, "good", "Shuffle verified by 3 of 3 players"),
        ({"attested": 2}, {}, "open", "Shuffle verified by 2 of 3 players"),
        # A round that does not count is not called verified, although all have attested it.
        ({"void": VoidReason.LOST, "attested": 1, "here": 1}, {}, "open", "Does not count"),
        ({"counted": False, "attested": 0, "here": 0}, {}, "open", "Does not count"),
        (
            {"attested": 1, "here": 1},
            {"winners": (0,), "closed": CloseReason.FINISHED, "decided": Decided.ABSENCE},
            *("open", "Decided by an absence"),
        ),
        (
            {"void": VoidReason.LOST},
            {"closed": CloseReason.STOPPED, "decided": None},
            *("open", "Does not count"),
        ),
        ({}, {"closed": CloseReason.INCOMPLETE}, "open", "Incomplete"),
        # One player with bots of their own.
        (
            {"attested": 1, "players": 1, "here": 1},
            {},
            *("good", "Shuffle verified by 1 of 1 player"),
        ),
        # A player who has left is still counted, but not needed.
        ({"attested": 2, "here": 2}, {}, "good", "Shuffle verified by 2 of 3 players"),
        ({"attested": 0, "here": 0}, {}, "open", "Shuffle verified by 0 of 3 players"),
        (
            # Seat 1 is a bot of seat 0.
            {"attested": 0},
            {"stage": TableStage.REVEALING, "attested": (0, 2)},
            "checking",
            "Verifying the shuffle: 2 of 2",
        ),
        ({}, {"blamed": (1,)}, "bad", "Something is wrong: the check blames Ben"),
    ],
)
def test_the_badge_says_who_has_verified_the_round(
    score: dict[str, Any], values: dict[str, Any], state: str, text: str
) -> None:
    badge = result_of(scored(1, 20, 50, 20, **score), **values).badge
    assert (badge["state"], plain(badge["text"])) == (state, text)


@pytest.mark.usefixtures("english")
def test_without_a_round_there_is_nothing_to_verify() -> None:
    assert result_of().badge == {"state": "nothing", "text": "Nothing to verify yet"}


@pytest.mark.usefixtures("english")
def test_a_match_that_ends_early_says_why() -> None:
    said = {
        reason: result_of(scored(1, 20, 50, 20), closed=reason).closing_text
        for reason in CloseReason
    }
    assert said.pop(CloseReason.FINISHED) == ""
    assert len(set(said.values())) == len(CloseReason) - 1
    assert plain(said[CloseReason.STOPPED]) == "Ana ended the match after this round."
    outgrown = result_of(scored(1, 20, 50, 20), closed=CloseReason.TOO_LONG)
    assert plain(outgrown.winner_text) == "Ben was ahead"
    cheated = result_of(scored(1, 20, 50, 20), closed=CloseReason.CHEATING, blamed=(1, 2))
    assert plain(cheated.winner_text) == "Ben and Cleo cheated"


def test_the_chart_begins_at_zero() -> None:
    view = result_of(scored(1, 20, -30, 0), scored(2, 70, -30, 10))
    assert [line["points"] for line in view.lines] == [[0, 20, 70], [0, -30, -30], [0, 0, 10]]
    assert view.target == 500


def test_the_page_opens_once_the_table_lets_it(english: Application) -> None:
    result, busy = english.result_controller, [True]
    result.wait_while(lambda: busy[0], english.table_controller.released)
    english.reset_to("table")
    result.open_soon(counting=True)
    assert (english.property("page"), result.opening_soon) == ("table", True)
    busy[0] = False
    english.table_controller.released.emit()
    assert (english.property("page"), result.opening_soon) == ("result", False)
    assert result.property("nextIn") == ROUND_RESULT_SECONDS
    result.read()
    assert result.property("nextIn") == READING_SECONDS
    result.goOn()
    assert (english.property("page"), result.property("nextIn")) == ("table", 0)
    result.read()
    assert result.property("nextIn") == 0, "nothing follows"
    result.open_soon(counting=True)
    result.open_soon()
    assert result.property("nextText") == "", "the match has ended meanwhile"


def test_an_opening_that_was_cancelled_does_not_happen(english: Application) -> None:
    result, busy = english.result_controller, [True]
    result.wait_while(lambda: busy[0], english.table_controller.released)
    english.reset_to("table")
    result.open_soon()
    result.cancel_opening()
    busy[0] = False
    english.table_controller.released.emit()
    assert english.property("page") == "table"


def test_only_the_end_of_a_tournament_replaces_other_pages(english: Application) -> None:
    result = english.result_controller
    english.reset_to("rules")
    result.open_soon()
    assert english.property("page") == "rules"
    result.open_soon(from_anywhere=True)
    assert english.property("page") == "result"


def test_a_rematch_is_requested_only_when_it_is_possible(english: Application) -> None:
    result, wanted = english.result_controller, list[bool]()
    result.rematchWanted.connect(lambda: wanted.append(True))
    result.rematch()
    assert wanted == []
    result.allow_rematch(True)
    result.rematch()
    assert wanted == [True]
    result.clear()
    assert not result.property("canRematch")
