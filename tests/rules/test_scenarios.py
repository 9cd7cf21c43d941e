"""Plays every scenario of `scenarios/*.toml`, line by line."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol

import pytest

from lanuno.rules.refusals import ActRefusal
from lanuno.rules.validation import SettingProblem
from tests.harness.rounds.scenario_language.dealers import DealerStage
from tests.harness.rounds.scenario_language.files import FOLDER, KINDS, Scenario, scenarios
from tests.harness.rounds.scenario_language.matches import MatchStage
from tests.harness.rounds.scenario_language.rounds import RoundStage
from tests.harness.rounds.scenario_language.settings import SettingsStage
from tests.harness.rounds.scenario_language.tournaments import TournamentStage

ALL = scenarios()


class Stage(Protocol):
    """A running scenario."""

    def do(self, line: str) -> None:
        """Carry out one line. Raise AssertionError with the difference from what is expected."""


STAGES: dict[str, Callable[[Scenario], Stage]] = {
    "settings": SettingsStage,
    "dealer": DealerStage,
    "round": RoundStage,
    "match": MatchStage,
    "tournament": TournamentStage,
}


@pytest.mark.parametrize("scenario", ALL, ids=[f"{each.file}: {each.title}" for each in ALL])
def test_scenario(scenario: Scenario) -> None:
    stage = STAGES[scenario.kind](scenario)
    for number, line in enumerate(scenario.steps, 1):
        try:
            stage.do(line)
        except AssertionError as fault:
            pytest.fail(f"step {number}, “{line}”: {fault}", pytrace=False)


def test_titles_are_unique_and_every_scenario_names_its_rule() -> None:
    titles = [each.title for each in ALL]
    assert len(set(titles)) == len(titles)
    assert all(each.rule.endswith(".") for each in ALL)
    assert set(STAGES) == set(KINDS)


def test_the_tests_named_in_the_readme_exist() -> None:
    root = FOLDER.parents[2]
    text = (FOLDER / "README.md").read_text("utf-8")
    named = re.findall(r"`(tests/(?:\w+/)+test_\w+\.py)`", text)
    assert named
    assert [path for path in named if not (root / path).exists()] == []


def test_every_refusal_is_given_somewhere() -> None:
    assert _named("round") == set(ActRefusal.__members__)
    assert _named("settings") == set(SettingProblem.__members__)


def _named(kind: str) -> set[str]:
    lines = [line for each in ALL if each.kind == kind for line in each.steps]
    return {line.split(", ")[1].split(":")[0] for line in lines if line.startswith("refused")}
