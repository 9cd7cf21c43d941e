"""Plays every scenario of `scenarios/*.toml`, line by line."""

from __future__ import annotations

import pytest

from lanuno.rules.refusals import Refusal
from tests.rules.scenario_language import Scenario, Stage, scenarios

ALL = scenarios()


@pytest.mark.parametrize("scenario", ALL, ids=[f"{each.file}: {each.title}" for each in ALL])
def test_scenario(scenario: Scenario) -> None:
    stage = Stage(scenario)
    for number, line in enumerate(scenario.steps, 1):
        try:
            stage.do(line)
        except AssertionError as fault:
            pytest.fail(f"step {number}, “{line}”: {fault}", pytrace=False)


def test_titles_are_unique_and_every_scenario_names_its_rule() -> None:
    titles = [each.title for each in ALL]
    assert len(set(titles)) == len(titles)
    assert all(each.rule.endswith(".") for each in ALL)


def test_every_refusal_is_given_somewhere() -> None:
    """By a scenario, or by `test_engine.test_wrong_cards_on_paper`."""
    lines = [line for each in ALL for line in each.steps]
    named = {line.split(", ")[1].split(":")[0] for line in lines if line.startswith("refused")}
    assert named | {"NO_SUCH_CARD", "WRONG_CARD"} == set(Refusal.__members__)
