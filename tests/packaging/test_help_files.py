"""Tests of the manual pages and completions, which are made from the command line's help."""

from __future__ import annotations

import argparse
import gzip
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest
from distribution import completions, manual
from distribution.parsers import complete_parser, subparsers

from lanuno.cli.parser import COMMANDS
from lanuno.client.languages import Language, languages
from lanuno.rules.presets import PRESETS

DATE = datetime(2026, 11, 21, tzinfo=UTC)


def tool(name: str, package: str) -> str:
    found = shutil.which(name)
    assert found is not None, f"{name} is missing: apt-get install {package}"
    return found


@pytest.mark.parametrize("language", languages())
def test_the_parser_has_the_arguments_of_every_command(language: Language) -> None:
    commands = subparsers(complete_parser(language)).choices
    assert commands is not None
    assert tuple(commands) == COMMANDS
    options = {name: set(one._option_string_actions) for name, one in commands.items()}
    assert "--chaos" in options["demo"]
    assert "--port" in options["host"]
    assert "--chaos" not in options["host"]
    (preset,) = (each for each in commands["demo"]._actions if "--preset" in each.option_strings)
    assert list(preset.choices or ()) == list(PRESETS)


# Manual pages.


@pytest.mark.parametrize("language", languages())
def test_the_manual_has_every_option_that_the_help_has(language: Language) -> None:
    text = manual.page(language, "1.2.3", DATE)
    commands = subparsers(complete_parser(language)).choices or {}
    for name, command in commands.items():
        assert f".SS {name}\n" in text
        for action in command._actions:
            for option in action.option_strings:
                shown = f"\\fB{manual.escaped(option)}\\fR" in text
                assert shown is (action.help != argparse.SUPPRESS), option
    assert text.startswith('.TH LANUNO 6 2026-11-21 "LanUNO 1.2.3"')
    assert "%(" not in text


def test_each_language_has_its_headings() -> None:
    assert ".SH SYNOPSIS\n" in manual.page("en", "1", DATE)
    spanish = manual.page("es", "1", DATE)
    assert ".SH SINOPSIS\n" in spanish
    assert ".SH CÓDIGOS DE SALIDA\n" in spanish
    assert "SYNOPSIS" not in spanish


def test_a_value_that_may_be_left_out_is_in_brackets() -> None:
    text = manual.page("en", "1", DATE)
    assert "\\fB\\-\\-resume\\fR [\\fITABLE\\fR]" in text
    assert "\\fB\\-\\-table\\fR \\fINAME\\fR" in text


def test_nothing_in_the_text_is_taken_for_a_request() -> None:
    assert manual.escaped(".TH\n'x' a-b\\c") == "\\&.TH\n\\&'x' a\\-b\\(rsc"


@pytest.mark.parametrize("language", languages())
def test_man_finds_nothing_wrong(language: Language, tmp_path: Path) -> None:
    program = tool("man", "man-db")
    manual.write(tmp_path, "1", DATE)
    (path,) = tmp_path.glob(f"man/{'' if language == 'en' else language}/man6/lanuno.6.gz")
    assert gzip.decompress(path.read_bytes()).decode().startswith(".TH LANUNO")
    done = subprocess.run(
        [program, "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", str(path)],
        env={"LC_ALL": "C.UTF-8", "MANWIDTH": "80", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


# Completions.


@pytest.fixture(scope="module")
def share(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("share")
    completions.write(folder)
    return folder


def said(*command: str) -> list[str]:
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.split("\n")


CASES = [
    ("lanuno ho", {"host"}),
    ("lanuno demo --chao", {"--chaos"}),
    ("lanuno host --chao", set()),
    ("lanuno demo --preset ma", {"masters", "masters-short"}),
    ("lanuno --lang e", {language for language in languages() if language.startswith("e")}),
]


@pytest.mark.parametrize(("line", "offered"), CASES)
def test_bash_completes(share: Path, line: str, offered: set[str]) -> None:
    file = share / completions.PLACES["bash"]
    words = line.split()
    script = (
        f"source {file}; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; "
        'complete -p lanuno | grep -o "_shtab[a-z_]*" >/dev/null && _shtab_lanuno; '
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    assert {each for each in said("bash", "--norc", "-c", script) if each} == offered


@pytest.mark.parametrize(("line", "offered"), CASES)
def test_fish_completes(
    share: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, offered: set[str]
) -> None:
    program = tool("fish", "fish")
    monkeypatch.setenv("HOME", str(tmp_path))
    file = share / completions.PLACES["fish"]
    found = said(program, "--no-config", "-c", f"source {file}; complete -C '{line}'")
    assert {each.split("\t")[0] for each in found if each} == offered


def test_zsh_can_read_its_completions(share: Path) -> None:
    program = tool("zsh", "zsh")
    file = share / completions.PLACES["zsh"]
    assert file.read_text(encoding="utf-8").startswith("#compdef lanuno\n")
    assert said(program, "-f", "-n", str(file)) == [""]
