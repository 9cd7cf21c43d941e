"""Every preset over the network, between separate programs: dealt, played and verified."""

from __future__ import annotations

from pathlib import Path

import pytest

from lanuno.rules.engine.house_rules.registry import HOUSE_RULES
from lanuno.rules.match.tournament import PLAYERS
from lanuno.rules.presets import PRESETS
from lanuno.rules.ruleset import Format
from tests.harness.processes.programs import WAIT_SECONDS, WorkingFolder

TABLES = [name for name, rules in PRESETS.items() if rules.format is not Format.ROTATION]
LONG = 600.0
"""Seconds for fourteen tables of four programs each, far more than the slowest machine needs."""
DECIDED_IN_ONE_ROUND = ("masters", "masters-short")
LEAST_TARGET = 100


@pytest.mark.parametrize("preset", TABLES)
def test_a_round_of_every_preset(table: WorkingFolder, preset: str) -> None:
    players = PRESETS[preset].seats_min
    arguments = ("--preset", preset, "--players", str(players), "--rounds", "1", "--json")
    said = table.run("demo", *arguments, name="demo").end(0).json
    assert (said["preset"], said["verdict"], said["rounds"]) == (preset, "verified", 1)
    assert (said["copies"], said["attestations"]) == (players, 2 * players)
    if preset in DECIDED_IN_ONE_ROUND:
        assert said["winner"] is not None
    else:
        # One round may happen to be worth the whole match.
        assert said["winner"] is None or max(said["scores"].values()) >= LEAST_TARGET


def test_a_round_with_every_house_rule_at_once(table: WorkingFolder) -> None:
    rules = [f"--set={rule}=yes" for rule in HOUSE_RULES if rule != "no_bluff"]
    arguments = ("--players", "3", "--rounds", "1", "--json", *rules)
    said = table.run("demo", *arguments, name="demo").end(0).json
    assert (said["verdict"], said["copies"]) == ("verified", 3)


def test_a_round_on_honour(table: WorkingFolder) -> None:
    # Every card waits for objections, so use few cards and the shortest wait. Still, about one
    # round in a thousand lays a hundred cards.
    rules = ("--set", "manners=honour", "--set", "objection_ms=1000", "--set", "hand_size=2")
    arguments = ("--players", "3", "--rounds", "1", "--json", *rules)
    said = table.run("demo", *arguments, name="demo").end(0, 2 * WAIT_SECONDS).json
    assert (said["verdict"], said["copies"]) == ("verified", 3)


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


def test_a_host_of_a_tournament_has_no_bots(table: WorkingFolder) -> None:
    ended = table.host("--preset", "tournament", "--bots", "2").end(2)
    assert "eight players" in ended.err
