"""Every preset over the network, between separate programs: dealt, played and verified."""

from __future__ import annotations

import pytest

from lanuno.rules.engine.house_rules.registry import HOUSE_RULES
from lanuno.rules.match.formats import LOW_WINS
from lanuno.rules.presets import PRESETS
from lanuno.rules.ruleset import Format
from tests.harness.processes.programs import WAIT_SECONDS, WorkingFolder

TABLES = [name for name, rules in PRESETS.items() if rules.format is not Format.ROTATION]
DECIDED_IN_ONE_ROUND = ("masters", "masters-short")


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
        # The player who is ahead after the agreed round; nobody if the loser holds only a Zero.
        points = said["scores"].values()
        best = (min if PRESETS[preset].format in LOW_WINS else max)(points)
        leaders = [name for name in said["players"] if said["scores"][name] == best]
        assert said["winner"] == (", ".join(leaders) if len(set(points)) > 1 else None)


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
