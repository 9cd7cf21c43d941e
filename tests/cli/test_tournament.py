"""A whole tournament on one computer, shown as its players and a verifier see it."""

from __future__ import annotations

from pathlib import Path

import pytest

from lanuno.rules.match.tournament import PLAYERS
from tests.harness.processes.programs import WAIT_SECONDS, WorkingFolder

LONG = 600.0
"""Seconds for fourteen tables of four programs each, far more than the slowest machine needs."""


@pytest.mark.timeout(LONG + 3 * WAIT_SECONDS)
def test_a_tournament_of_eight(table: WorkingFolder, tmp_path: Path) -> None:
    saved = tmp_path / "tournament"
    # Short hands: the test is about the pairings and the totals of fourteen tables.
    short = ("--hands-per-rotation", "1", "--set", "hand_size=2")
    arguments = ("--preset", "tournament", *short, "--save", str(saved))
    said = table.run("demo", *arguments, "--json", name="demo").end(0, LONG).json
    assert (said["verdict"], said["rotations"], said["copies"]) == ("verified", 7, PLAYERS)
    assert len(said["tables"]) == 14
    assert {each["verdict"] for each in said["tables"]} == {"verified"}
    scores = said["scores"]
    assert len(said["players"]) == len(scores) == PLAYERS
    winners = said["winner"].split(", ")
    assert {scores[name] for name in winners} == {max(scores.values())}
    totals = dict.fromkeys(scores, 0)
    for each in said["tables"]:
        for name, points in each["scores"].items():
            totals[name] += points
    assert totals == scores

    files = [str(path) for path in sorted(saved.iterdir())]
    assert len(files) == 15
    told = table.run("verify", "--json", *files, name="verifier").end(0).json
    assert told["verdict"] == "verified"
    assert told["tournament"]["scores"] == scores
    whole, last = (
        saved / f"{each}.lanuno" for each in (said["tournament_id"], said["tables"][-1]["table_id"])
    )
    without_one = [each for each in files if each != str(last)]
    cut = table.run("verify", "--json", *without_one, name="verifier").end(4).json
    assert (cut["verdict"], cut["tournament"]["verdict"]) == ("incomplete", "incomplete")
    # Without the genesis, the tables are separate games, and their expected number is unknown.
    tables = [each for each in files if each != str(whole)]
    alone = table.run("verify", "--json", *tables, name="verifier").end(0).json
    assert alone["verdict"] == "verified"
    assert "tournament" not in alone
