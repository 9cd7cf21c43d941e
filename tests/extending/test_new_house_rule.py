"""A house rule added to a copy of the project works like any other."""

from __future__ import annotations

import json

import pytest

from tests.extending.new_house_rule import ENGLISH, SPANISH, add_house_rule
from tests.harness.changes_to_a_copy.changed_project import AnchorError, ChangedProject


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> ChangedProject:
    """Return the copy with the house rule."""
    changed = ChangedProject(tmp_path_factory.mktemp("new-house-rule"), "tests/extending")
    add_house_rule(changed)
    return changed


@pytest.mark.parametrize(("language", "texts"), [("en", ENGLISH), ("es", SPANISH)])
def test_the_rules_tell_of_it(
    project: ChangedProject, language: str, texts: dict[str, str]
) -> None:
    command = ("rules", "classic", "--set", "skip_draws=on", "--json")
    shown = project.lanuno(*command, language=language).json
    assert shown["settings"]["skip_draws"] is True
    told = {rule["id"]: rule["text"] for section in shown["sections"] for rule in section["rules"]}
    for name in ("house.skip_draws", "start.skip_draws", "actions.skip_draws"):
        assert told[name] == texts[name]
    assert not {"start.skip", "actions.skip", "house.none"} & set(told)
    listed = project.lanuno("rules", "--json", language=language).json["house_rules"]
    assert (listed[-1]["id"], listed[-1]["checked"]) == ("house.skip_draws", "live")
    assert listed[-1]["text"] == texts["house.skip_draws"]


def test_it_is_off_unless_it_is_chosen(project: ChangedProject) -> None:
    shown = project.lanuno("rules", "classic", "--json").json
    assert shown["settings"]["skip_draws"] is False
    assert ENGLISH["actions.skip_draws"] not in json.dumps(shown)


def test_a_round_shows_its_effect_and_an_advert_its_bit(project: ChangedProject) -> None:
    found = json.loads(project.python("-m", "tests.extending.play_house_rule").out)
    assert found["off"] == [[7, 2], [7, 1]]
    assert found["on"] == [[8, 2], [8, 1]]
    assert (found["bits"], found["names"]) == (1 << 9, ["skip_draws"])


def test_lanuno_plays_with_it(project: ChangedProject) -> None:
    more = ("--set", "skip_draws=on", "--set", "jump_in=on")
    simulate = ("simulate", "--players", "4", "--rounds", "30", "--seed", "1", "--json")
    assert project.lanuno(*simulate, *more).json["rounds"] == 30
    demo = project.lanuno("demo", "--players", "2", "--rounds", "1", "--json", *more).json
    assert (demo["verdict"], demo["blame"]) == ("verified", [])


def test_an_anchor_that_is_not_there_once_is_an_error(project: ChangedProject) -> None:
    for anchor in ("no such line", "bool = False"):
        with pytest.raises(AnchorError):
            project.insert_after("lanuno/rules/ruleset.py", anchor, "")
    with pytest.raises(AnchorError):
        project.add_texts("en", {"rank.zero": "0"})
