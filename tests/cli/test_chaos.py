"""Programs of a whole demo that are killed and restarted.

To try more seeds by hand: `lanuno demo --chaos SEED --set target=200`.
"""

from __future__ import annotations

from tests.cli.matches import PROMISED
from tests.harness.processes.programs import WorkingFolder


def test_a_demo_survives_killed_programs(table: WorkingFolder) -> None:
    ended = table.run("demo", "--chaos", "27959", "--rounds", "2", "--json", name="demo").end(0)
    said = ended.json
    assert sorted(said) == sorted([*PROMISED, "chaos"])
    assert (said["verdict"], said["copies"], said["rounds"]) == ("verified", 4, 2)
    chaos = said["chaos"]
    assert chaos["seed"] == 27959
    assert ended.err.count("-- killing the program of ") == chaos["kills"] > 0
    assert ended.err.count(", the host; it restarts after ") == chaos["host_kills"]
    assert chaos["resumed"] + chaos["empty_handed"] == chaos["starts"] <= chaos["kills"]
    assert chaos["starts"] > 0
    assert chaos["hands"] >= chaos["resumed"]
    assert chaos["wrong_hands"] == 0


def test_chaos_is_refused_in_a_tournament(table: WorkingFolder) -> None:
    said = table.run("demo", "--chaos", "1", "--preset", "tournament", "--json", name="demo")
    assert said.end(2).json["error"]["id"] == "error.tournament_chaos"
