"""Saved rule sets load unchanged; a damaged, foreign or edited file does no harm."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from lanuno.rules.presets import CLASSIC, PRESETS
from lanuno.rules.ruleset import Ruleset, WildFour
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.paths import Home
from lanuno.store.rule_sets import (
    MOST_RULE_SETS,
    RuleSet,
    find_rule_set,
    load_rule_sets,
    open_rule_sets,
    rules_name,
    save_rule_sets,
    with_rule_set,
)
from tests.harness.systems import is_private

FRIDAY = RuleSet("Friday", Ruleset(jump_in=True, target=300, wild_four=WildFour.STRICT))
EXPRESS = RuleSet("At granny’s", msgspec.structs.replace(PRESETS["express"], seven_zero=True))


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home.at(tmp_path)


def write(home: Home, *rule_sets: object, version: object = 1) -> None:
    home.rule_sets.write_text(json.dumps({"version": version, "rule_sets": list(rule_sets)}))


def kept(**changes: object) -> dict[str, object]:
    return {"name": "Friday", "preset": "classic", "settings": {"jump_in": True}, **changes}


def test_saved_rules_come_back(home: Home) -> None:
    assert load_rule_sets(home) == ()
    save_rule_sets(home, [FRIDAY, EXPRESS])
    assert load_rule_sets(home) == (FRIDAY, EXPRESS)
    assert open_rule_sets(home) == ((FRIDAY, EXPRESS), None)
    assert is_private(home.rule_sets)
    said = json.loads(home.rule_sets.read_text())
    assert said["rule_sets"][0] == {
        "name": "Friday",
        "preset": "classic",
        "settings": {"target": 300, "wild_four": "strict", "jump_in": True},
    }


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_every_preset_can_be_saved(home: Home, preset: Ruleset) -> None:
    save_rule_sets(home, [RuleSet("mine", preset)])
    assert load_rule_sets(home) == (RuleSet("mine", preset),)


def test_names_ignore_case_and_may_not_look_like_a_preset() -> None:
    assert rules_name("  Friday   night ") == "Friday night"
    for bad in ("", "a\u202eb", "x" * 33, "\U0001f600" * 33, "classic", "CLASSIC", "Сlassic"):
        assert rules_name(bad) is None
    assert find_rule_set([FRIDAY], "FRIDAY") is FRIDAY
    assert find_rule_set([FRIDAY], "Saturday") is None
    assert find_rule_set([FRIDAY], "\x07") is None
    same = RuleSet("FRIDAY", CLASSIC)
    assert with_rule_set([FRIDAY, EXPRESS], same) == (same, EXPRESS)
    assert with_rule_set([FRIDAY], EXPRESS) == (FRIDAY, EXPRESS)
    with pytest.raises(ValueError, match="no name"):
        with_rule_set([], RuleSet("classic", CLASSIC))
    with pytest.raises(ValueError, match="no such preset"):
        with_rule_set([], RuleSet("Saturday", Ruleset(preset="of my own")))


def test_the_number_of_saved_rules_is_limited() -> None:
    many = [RuleSet(f"set {number}", CLASSIC) for number in range(MOST_RULE_SETS)]
    with pytest.raises(ValueError, match="more than"):
        with_rule_set(many, FRIDAY)
    assert len(with_rule_set(many, RuleSet("set 3", FRIDAY.ruleset))) == MOST_RULE_SETS


@pytest.mark.parametrize(
    "foreign",
    [
        kept(preset="later"),
        kept(settings={"later": True}),
        kept(settings={"wild_four": "later"}),
        kept(settings={"jump_in": 1}),
        kept(settings={"target": True}),
        kept(settings={"target": 0}),
        kept(settings={"seats_min": 3}),
        kept(settings={"preset": "x"}),
    ],
)
def test_a_rule_set_of_another_version_stays_in_the_file(
    home: Home, foreign: dict[str, object]
) -> None:
    write(home, foreign)
    assert load_rule_sets(home) == ()
    save_rule_sets(home, [EXPRESS])
    assert load_rule_sets(home) == (EXPRESS,)
    assert json.loads(home.rule_sets.read_text())["rule_sets"][1] == foreign


def test_a_set_of_another_version_is_not_kept_twice(home: Home) -> None:
    write(home, kept(preset="later"))
    before = home.rule_sets.read_bytes()
    with pytest.raises(StoreError) as caught:
        save_rule_sets(home, [EXPRESS, RuleSet("FRIDAY", CLASSIC)])
    assert caught.value.problem is FileProblem.BAD_NAME
    assert home.rule_sets.read_bytes() == before
    assert load_rule_sets(home) == ()


def test_no_set_of_another_version_is_dropped_for_room(home: Home) -> None:
    foreign = kept(preset="later")
    write(home, foreign)
    many = [RuleSet(f"set {number}", CLASSIC) for number in range(MOST_RULE_SETS)]
    with pytest.raises(StoreError) as caught:
        save_rule_sets(home, many)
    assert caught.value.problem is FileProblem.FOREIGN
    assert json.loads(home.rule_sets.read_text())["rule_sets"] == [foreign]
    save_rule_sets(home, many[1:])
    assert json.loads(home.rule_sets.read_text())["rule_sets"][-1] == foreign


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("nonsense", 0),
        ("[]", 0),
        ('{"version": 1}', 0),
        ('{"version": 1, "rule_sets": 7}', 0),
        ([kept(), kept(name="FRIDAY")], 1),
        ([kept(), kept(name="a\u202eb")], 1),
        ([kept(), kept(name="classic")], 1),
        ([kept(), {"name": 7}], 1),
        ([kept(), kept(name="x" * 99)], 1),
        ([kept(name=f"set {number}") for number in range(MOST_RULE_SETS + 1)], MOST_RULE_SETS),
    ],
)
def test_a_damaged_file_is_moved_aside_and_valid_rule_sets_are_loaded(
    home: Home, wrong: str | list[object], right: int
) -> None:
    if isinstance(wrong, str):
        home.rule_sets.write_text(wrong)
    else:
        write(home, *wrong)
    before = home.rule_sets.read_bytes()
    with pytest.raises(StoreError) as caught:
        save_rule_sets(home, [])
    assert caught.value.problem is FileProblem.DAMAGED
    assert home.rule_sets.read_bytes() == before
    found, trouble = open_rule_sets(home)
    assert len(found) == right
    assert trouble is not None
    assert trouble.problem is FileProblem.DAMAGED
    assert home.rule_sets.with_name("rule_sets.json.aside0").read_bytes() == before
    assert open_rule_sets(home) == (found, None)


def test_a_file_of_a_later_version_or_without_end_is_moved_aside(home: Home) -> None:
    write(home, kept(), version=2)
    found, trouble = open_rule_sets(home)
    assert [each.name for each in found] == ["Friday"]
    assert trouble is not None
    assert trouble.problem is FileProblem.FOREIGN
    home.rule_sets.write_bytes(b" " * 300_000)
    found, trouble = open_rule_sets(home)
    assert found == ()
    assert trouble is not None
    assert trouble.problem is FileProblem.TOO_LARGE


def test_rule_sets_that_cannot_be_read_or_moved_are_reported(home: Home) -> None:
    home.rule_sets.mkdir()
    found, trouble = open_rule_sets(home)
    assert found == ()
    assert trouble is not None
    assert trouble.problem is FileProblem.NOT_A_FILE


def test_valid_rule_sets_are_loaded_even_if_nothing_can_be_written(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(home, kept(), {"name": 7})

    def refuse(path: Path) -> None:
        raise StoreError(FileProblem.READ_ONLY, path)

    monkeypatch.setattr("lanuno.store.rule_sets.set_aside", refuse)
    found, trouble = open_rule_sets(home)
    assert [each.name for each in found] == ["Friday"]
    assert trouble is not None
    assert trouble.problem is FileProblem.READ_ONLY
