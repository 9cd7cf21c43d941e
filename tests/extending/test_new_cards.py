"""Two cards and a deck, added to a copy of the project, can be played like any others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.harness.changes_to_a_copy.changed_project import ChangedProject
from tests.harness.changes_to_a_copy.new_cards import DECK, ENGLISH, SPANISH, add_cards

NEW = ("discard_all", "swap_hands")
KINDS = ("sensible", "random", "cautious", "reckless")
SET = ("--set", f"deck={DECK}")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> ChangedProject:
    """Return the copy with the cards."""
    changed = ChangedProject(tmp_path_factory.mktemp("new-cards"), "tests/extending")
    add_cards(changed)
    return changed


@pytest.fixture(scope="module")
def rounds(project: ChangedProject) -> dict[str, dict[str, dict[str, int]]]:
    """Return the counts of the rounds that `play_rounds.py` plays and checks."""
    found: dict[str, dict[str, dict[str, int]]] = json.loads(
        project.python("-m", "tests.extending.play_rounds").out
    )
    return found


def test_the_copy_is_what_runs(project: ChangedProject) -> None:
    said = project.python(
        "-c", "import lanuno.rules.cards as c; print(c.__file__, len(c.Rank))"
    ).out
    assert said.split() == [str(project.folder / "lanuno" / "rules" / "cards.py"), "17"]


@pytest.mark.parametrize(("language", "texts"), [("en", ENGLISH), ("es", SPANISH)])
def test_the_rules_tell_of_them(
    project: ChangedProject, language: str, texts: dict[str, str]
) -> None:
    shown = project.lanuno("rules", "classic", *SET, "--json", language=language).json
    assert shown["settings"]["deck"] == DECK
    told = {rule["id"]: rule["text"] for section in shown["sections"] for rule in section["rules"]}
    for name in NEW:
        for section in ("cards", "scoring", "start", "actions"):
            assert texts[f"rank.{name}"] in told[f"{section}.{name}"]
    assert told["cards.trade_swap_hands"] == texts["cards.trade_swap_hands"]
    assert told["timers.discard_all"] == texts["timers.discard_all"]
    assert "timers.swap" in told
    assert "leaving.hands_moved" in told
    assert not {"cards.trade_never", "sources.deck_small", "sources.deck_large"} & set(told)
    assert all(text != name and "{" not in text for name, text in told.items())
    lines = project.lanuno("rules", "classic", *SET, language=language).out
    assert not any(name in lines for name in told)


def test_other_decks_are_told_as_before(project: ChangedProject) -> None:
    for deck in ("108", "112"):
        shown = project.lanuno("rules", "classic", "--set", f"deck={deck}").out
        assert not any(ENGLISH[f"rank.{name}"] in shown for name in NEW)


def test_new_cards_have_their_effects(rounds: dict[str, dict[str, dict[str, int]]]) -> None:
    for name, seen in rounds["chance"].items():
        assert min(seen[f"played {rank.upper()}"] for rank in NEW) > 10, (name, seen)
        assert min(seen[each] for each in ("laid under", "kept", "swapped")) > 10, (name, seen)
    once = rounds["chance"]["plain"]
    assert min(once["uno said"], once["uno owed"], once["out by a card laid under"]) > 0, once
    assert once["laid under, with an effect of its own"] > 0


def test_bots_of_all_kinds_play_them(rounds: dict[str, dict[str, dict[str, int]]]) -> None:
    for name, seen in rounds["bots"].items():
        for kind in KINDS:
            assert seen.get(f"{kind}: swap Swap", 0) > 0, (name, kind)
            answers = [seen.get(f"{kind}: discard_all {act}", 0) for act in ("Play", "Keep")]
            assert sum(answers) > 0, (name, kind)


@pytest.mark.parametrize(
    "more", [(), ("seven_zero=on", "jump_in=on", "stack_cross=on"), ("manners=honour",)]
)
def test_lanuno_simulates_rounds_with_them(project: ChangedProject, more: tuple[str, ...]) -> None:
    settings = [part for each in more for part in ("--set", each)]
    command = ("simulate", "--players", "5", "--rounds", "20", "--seed", "1", "--json")
    assert project.lanuno(*command, *SET, *settings).json["rounds"] == 20


@pytest.mark.parametrize("more", [{}, {"seven_zero": True, "hand_size": 6}])
def test_a_table_with_dealing_log_and_audit_plays_them(
    project: ChangedProject, more: dict[str, Any], tmp_path: Path
) -> None:
    file = tmp_path / "table.lanuno"
    rules = json.dumps({"deck": DECK, "hand_size": 12} | more)
    project.python("-m", "tests.extending.play_table", rules, str(file))
    assert project.lanuno("verify", str(file), "--json").json["verdict"] == "verified"


def test_lanuno_plays_a_demo_with_them(project: ChangedProject) -> None:
    """The demo runs separate programs over the network."""
    command = ("demo", "--players", "2", "--rounds", "1", *SET, "--json")
    said = project.lanuno(*command, language="es").json
    assert (said["verdict"], said["copies"], said["blame"]) == ("verified", 2, [])
    checked = project.lanuno("verify", said["transcript"], "--json").json
    assert checked["verdict"] == "verified"
