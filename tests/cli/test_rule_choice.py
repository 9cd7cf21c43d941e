"""Rules chosen on the command line, and refusals that name the setting and its limits."""

from __future__ import annotations

import argparse
import json
import re

import pytest

from lanuno.cli.console import ConsoleRenderer
from lanuno.cli.exits import ExitCode
from lanuno.cli.main import main
from lanuno.cli.rule_choice import apply_rule_set, changed_rules
from lanuno.client.languages import Language
from lanuno.client.observer import TableObserver
from lanuno.rules.ruleset import Ruleset, WildFour
from lanuno.store.paths import Home
from lanuno.store.rule_sets import RuleSet, save_rule_sets
from lanuno.table.messages import LobbyPhase, LobbyState
from tests.cli.captured_output import CapturedOutput

pytestmark = pytest.mark.usefixtures("own_home")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["nonesuch"], "nonesuch"),
        (["classic", "--set", "handsize=5"], "called 'handsize'; there are: hand_size"),
        (["classic", "--set", "foo=1"], "called 'foo'; there are: deck, "),
        (["classic", "--set", "hand_size=many"], "'hand_size'; choose a number from 2 to 20"),
        (["classic", "--set", "wild_four=maybe"], "choose one of: bluff, strict, strictest"),
        (["classic", "--set", "jump_in=maybe"], "choose one of: on, off"),
        (["classic", "--set", "deck=110"], "choose one of: 108, 112"),
        (
            ["classic", "--seats", "10", "--set", "hand_size=20"],
            "with 10 players, 'hand_size' can be at most",
        ),
        (
            ["classic", "--set", "hand_size=20", "--set", "seats_min=8"],
            "with 8 players, 'hand_size' can be at most",
        ),
        (["classic", "--set", "format=pairs", "--set", "seats_max=3"], "format pairs"),
        (["pairs", "--seats", "3", "--set", "seats_max=3"], "'seats_min' can be at most 3"),
        (
            ["--set", "format=pairs", "--seats", "3", "--set", "seats_max=3"],
            "no number of players",
        ),
        (["classic", "--set", "hand_size=21"], "'hand_size' is too high; the maximum is 20"),
        (["classic", "--set", "hand_size=1"], "'hand_size' is too low; the minimum is 2"),
        (["classic", "--set", "preset=other"], "preset"),
        (
            ["classic", "--set", "uno_catch_ms=9000"],
            "at most 2500, the value of 'uno_hold_ms'",
        ),
        (["pairs", "--set", "seats_max=3"], "seats_min"),
        (
            ["partners", "--set", "winner_deals=on"],
            "'winner_deals' and 'format=partners' cannot be combined",
        ),
        (["duel", "--set", "advice=on"], "advice"),
        (["express", "--seats", "5"], "5 players; choose one of: 2, 3, 4"),
        (["classic", "--seats", "11"], "11"),
    ],
)
def test_a_refusal_names_the_invalid_setting(
    arguments: list[str], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", *arguments]) == ExitCode.USAGE
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines()[-1].startswith("lanuno: ")
    assert named in err.splitlines()[-1]


@pytest.mark.parametrize("setting", ["deck=1", "hand_size=99", "uno=x", "laps=0", "jump_in=x"])
def test_a_refusal_mentions_players_only_if_asked(
    setting: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", "classic", "--set", setting]) == ExitCode.USAGE
    assert not re.search("seat|player", capsys.readouterr().err.splitlines()[-1])


# ---- saved rules ---------------------------------------------------------------------------------


FRIDAY = RuleSet("Friday night", Ruleset(jump_in=True, target=300, wild_four=WildFour.STRICT))


def state(rules: Ruleset) -> LobbyState:
    return LobbyState(bytes(16), "mesa", LobbyPhase.OPEN, rules, 4, (), 0)


@pytest.fixture
def empty(own_home: None) -> Home:
    """A home used by this test only."""
    home = Home.default()
    home.create()
    return home


@pytest.fixture
def home(empty: Home) -> Home:
    """A home with Friday's rules saved."""
    save_rule_sets(empty, [FRIDAY])
    return empty


@pytest.mark.usefixtures("home")
def test_saved_rules_are_listed_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--lang", "en"]) == ExitCode.OK
    assert "  - Friday night: classic + 1 house rule, 2 changed" in capsys.readouterr().out
    assert main(["rules", "--json"]) == ExitCode.OK
    assert json.loads(capsys.readouterr().out)["saved"] == [
        {
            "name": "Friday night",
            "preset": "classic",
            "settings": {"target": "300", "wild_four": "strict", "jump_in": "on"},
        }
    ]
    assert main(["rules", "friday NIGHT", "--json"]) == ExitCode.OK
    told = json.loads(capsys.readouterr().out)
    assert (told["preset"], told["settings"]["target"]) == ("classic", 300)


@pytest.mark.usefixtures("home")
def test_saved_rules_are_played_by_and_changed_further(capsys: pytest.CaptureFixture[str]) -> None:
    simulate = ["simulate", "--rounds", "1", "--json", "--rules", "Friday night"]
    assert main(simulate) == ExitCode.OK
    assert json.loads(capsys.readouterr().out)["preset"] == "classic"
    assert main([*simulate, "--set", "target=0"]) == ExitCode.USAGE
    assert "target" in json.loads(capsys.readouterr().out)["error"]["text"]


@pytest.mark.parametrize("command", ["host", "demo", "simulate"])
@pytest.mark.usefixtures("home")
def test_rules_that_nobody_saved_are_refused_and_those_there_are_named(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "--rules", "Saturday", "--json", "--lang", "en"]) == ExitCode.USAGE
    said = json.loads(capsys.readouterr().out)["error"]
    assert (said["id"], "Friday night" in said["text"]) == ("error.saved_rules", True)
    both = [command, "--rules", "Friday night", "--preset", "express", "--json"]
    assert main(both) == ExitCode.USAGE
    assert json.loads(capsys.readouterr().out)["error"]["id"] == "error.rules_and_preset"


def test_a_file_that_cannot_be_read_is_named(
    empty: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    empty.rule_sets.write_text("nonsense")
    assert main(["simulate", "--rules", "x", "--json"]) == ExitCode.FILES
    assert json.loads(capsys.readouterr().out)["error"]["path"] == str(empty.rule_sets)
    assert empty.rule_sets.read_text() == "nonsense"


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_change_in_the_waiting_room_is_told_once(language: Language) -> None:
    captured = CapturedOutput(language)
    renderer = ConsoleRenderer(captured.out)
    observer = TableObserver(renderer, lambda: None, snapshots=False)
    for rules in (Ruleset(), Ruleset(), FRIDAY.ruleset, FRIDAY.ruleset):
        observer(state(rules))
    said = [line for line in captured.all_lines if "classic" in line]
    assert len(said) == 2
    assert said[1].endswith("(jump_in=on, target=300, wild_four=strict)")
    assert [each["id"] for each in renderer.notices] == ["table.rules_changed"]


@pytest.mark.parametrize("target_two", [500, 200, 300])
def test_saved_rules_are_played_exactly_as_they_were_saved(target_two: int) -> None:
    """500 is the preset's number for two players, so it is not among the changes."""
    saved = Ruleset(target=300, target_two=target_two, jump_in=True)
    args = argparse.Namespace(preset=None, settings=[])
    apply_rule_set(args, saved)
    assert changed_rules(args.preset, args.settings) == saved


def test_a_setting_beside_saved_rules_has_the_last_word() -> None:
    args = argparse.Namespace(preset=None, settings=[("target", "100"), ("jump_in", "off")])
    apply_rule_set(args, FRIDAY.ruleset)
    found = changed_rules(args.preset, args.settings)
    assert (found.target, found.target_two, found.jump_in) == (100, 100, False)
    assert found.wild_four is WildFour.STRICT


@pytest.mark.parametrize("target_two", [500, 200, 300])
def test_points_set_beside_saved_rules_are_for_any_number_of_players(target_two: int) -> None:
    """As `--set target` promises, whatever the saved points for two; 500 is the preset's number."""
    saved = Ruleset(target=400, target_two=target_two)
    args = argparse.Namespace(preset=None, settings=[("target", "100")])
    apply_rule_set(args, saved)
    found = changed_rules(args.preset, args.settings)
    assert (found.target, found.target_two) == (100, 100)
    args = argparse.Namespace(preset=None, settings=[("target", "100"), ("target_two", "50")])
    apply_rule_set(args, saved)
    found = changed_rules(args.preset, args.settings)
    assert (found.target, found.target_two) == (100, 50)
