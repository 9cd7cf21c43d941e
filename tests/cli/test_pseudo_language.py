"""Every command in a pseudo-language made from English: no untranslated words appear."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from lanuno.cli.main import main
from lanuno.cli.parser import COMMANDS
from lanuno.rules.presets import PRESETS
from tests.harness.pseudo_language import CODE, not_in_brackets, resources_with_it

VALUES = re.compile(
    # Options, choices, commands, names of presets, keys of settings, numbers, paths, addresses.
    r"(?<!\w)--?[a-z][\w-]*|\{[^{}]*\}|\S*[./_=]\w\S*|\blanuno\b|LanUNO"
)


@pytest.fixture(scope="module", autouse=True)
def language(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with resources_with_it(tmp_path_factory.mktemp("resources")):
        yield


def untranslated(text: str, *known: str) -> list[str]:
    """Return the words that are neither in brackets nor values."""
    assert text.count("[") == text.count("]")
    rest = VALUES.sub(" ", not_in_brackets(text))
    words = re.findall(r"[^\W\d_][\w-]+", rest)
    return [word for word in words if word not in {*known, *COMMANDS, *PRESETS}]


def said(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    main(["--lang", CODE, *arguments])
    captured = capsys.readouterr()
    return captured.out + captured.err


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_the_help_is_translated(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = said([*([command] if command else []), "--help"], capsys)
    assert CODE in text
    assert untranslated(text) == []


@pytest.mark.parametrize(
    "arguments",
    [
        ["rules"],
        *(["rules", preset] for preset in PRESETS),
        ["rules", "classic", "--seats", "2", "--set", "jump_in=on", "--set", "hand_size=5"],
        ["simulate", "--rounds", "2", "--seed", "3"],
        ["find", "--seconds", "0.2", "--adapter", "127.0.0.1"],
        ["verify", "no-such.lanuno"],
        ["rules", "no-such"],
        ["rules", "--set", "hand_size=99"],
        ["rules", "--no-such"],
        ["host", "--seats"],
        ["host", "--table", "T", "--log", "loud"],
        ["bot"],
    ],
    ids=" ".join,
)
def test_what_a_command_says_is_translated(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = said([*arguments, "--home", str(tmp_path)], capsys)
    assert text
    assert untranslated(text, *arguments) == []


def test_a_word_of_another_language_is_seen() -> None:
    assert untranslated("[Póoíints]: 3 points, lanuno rules classic --set x=1 [a [b] c]") == [
        "points"
    ]
