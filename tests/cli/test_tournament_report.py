"""The standing of a tournament as JSON, as lines, and as a report."""

from __future__ import annotations

import json
from copy import copy

import pytest
from msgspec.structs import replace

from lanuno.cli.tournament_report import show_tournament, tournament_fields, tournament_report
from lanuno.log.faults import AuditVerdict
from lanuno.log.replay.course import Decided
from lanuno.log.tournament import TournamentReplay
from lanuno.rules.match.tournament import TOURNAMENT_PLAYERS
from tests.cli.captured_output import CapturedOutput
from tests.harness.log_table.tournaments import play, tournament_genesis


@pytest.fixture
def tournament() -> TournamentReplay:
    """A tournament before its first table."""
    return TournamentReplay(tournament_genesis())


@pytest.fixture(scope="module")
def begun() -> TournamentReplay:
    """A tournament after its first rotation, shared, so it must not be changed."""
    replay = TournamentReplay(tournament_genesis())
    replay.add_all([play(replay.table(number)) for number in range(2)])
    return replay


def lines(tournament: TournamentReplay) -> list[str]:
    captured = CapturedOutput()
    show_tournament(captured.out, tournament)
    return captured.lines


def test_a_tournament_without_tables_is_incomplete(tournament: TournamentReplay) -> None:
    fields = tournament_fields(tournament)
    assert (fields["verdict"], fields["tables"], fields["winner"]) == ("incomplete", [], None)
    assert fields["scores"] == {f"p{number}": 0 for number in range(TOURNAMENT_PLAYERS)}
    report = tournament_report(tournament)
    assert (report.verdict, report.entries) == (AuditVerdict.INCOMPLETE, 0)
    assert (report.decided, fields["decided"]) == (None, None)


def test_the_tables_are_in_order_with_their_own_points(begun: TournamentReplay) -> None:
    fields = tournament_fields(begun)
    assert json.loads(json.dumps(fields)) == fields
    tables = fields["tables"]
    assert isinstance(tables, list)
    assert [(each["rotation"], each["table"]) for each in tables] == [(1, 1), (1, 2)]
    assert {each["verdict"] for each in tables} == {"verified"}
    together = {name: points for each in tables for name, points in each["scores"].items()}
    assert fields["scores"] == together
    assert len(together) == TOURNAMENT_PLAYERS
    assert (fields["rotations"], fields["verdict"]) == (1, "incomplete")


def test_the_report_on_a_tournament_has_its_points(begun: TournamentReplay) -> None:
    own = tournament_report(begun)
    assert own.table_id == begun.id
    assert own.players == tuple(f"p{number}" for number in range(TOURNAMENT_PLAYERS))
    assert own.scores == tuple(begun.results.totals)
    assert (own.verdict, own.preset) == (AuditVerdict.INCOMPLETE, "tournament")


def test_an_absence_at_one_table_decides_the_tournament(begun: TournamentReplay) -> None:
    """The points of all tables count, so one table changes the ranking."""
    tournament = copy(begun)
    tournament.reports = dict(begun.reports)
    tournament.reports[0, 1] = replace(begun.reports[0, 1], decided=Decided.ABSENCE)
    fields = tournament_fields(tournament)
    assert isinstance(fields["tables"], list)
    assert [each["decided"] for each in fields["tables"]] == ["cards", "absence"]
    assert fields["decided"] == "absence"
    assert tournament_report(tournament).decided is Decided.ABSENCE
    assert "Decided by somebody's absence." in lines(tournament)[1]


def test_the_ranking_begins_with_the_most_points(begun: TournamentReplay) -> None:
    said = lines(begun)
    assert said[0].startswith("INCOMPLETE")
    assert "2 tables" in said[0]
    assert said[1] == "Decided by the cards."
    points = [int(line.partition(" ")[0]) for line in said[2:]]
    assert points == sorted(begun.results.totals, reverse=True)
    names = {line.rpartition(" ")[2] for line in said[2:]}
    assert names == {f"p{number}" for number in range(TOURNAMENT_PLAYERS)}
