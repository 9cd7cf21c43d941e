"""Rules chosen on the command line, and refusals that name the setting and its limits."""

from __future__ import annotations

import re

import pytest

from lanuno.cli.exits import ExitCode
from lanuno.cli.main import main

pytestmark = pytest.mark.usefixtures("own_home")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["nonesuch"], "nonesuch"),
        (["classic", "--set", "handsize=5"], "handsize"),
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
