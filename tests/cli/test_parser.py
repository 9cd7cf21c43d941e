"""The command line: the arguments of every command, its help, and wrong usage."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from lanuno.cli import parser as parsing
from lanuno.cli.exits import ExitCode
from lanuno.cli.main import main
from lanuno.cli.options import LOG_LEVELS
from lanuno.cli.parser import COMMANDS, early_options
from lanuno.client.languages import catalogue, languages

pytestmark = pytest.mark.usefixtures("own_home")


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", [None, *COMMANDS])
def test_help_has_examples_and_no_gaps(
    name: str | None, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--lang", language, "--help"] if name is None else [name, "-h", "--lang", language]
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert {"en": "examples:", "es": "ejemplos:"}.get(language, "lanuno ") in out
    assert catalogue(language).pgettext("argparse", "usage: ") in out
    choices = (f"{{{','.join(languages())}}}", f"{{{','.join(LOG_LEVELS)}}}")
    assert "{" not in out.replace(choices[0], "").replace(choices[1], "")
    for code in ExitCode if name is None else ():
        assert f" {int(code)} " in out
    if language == "es":
        assert "show" not in out
        assert "options" not in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nonsense"], "elige entre"),
        (["host", "--nonsense"], "argumentos desconocidos: --nonsense"),
        (["host", "--seats"], "se esperaba un argumento"),
        (["host", "--seats", "11"], "'11' no es un número de 2 a 10"),
        (["host", "--port", "٣"], "no es un número de 1 a 65535"),
        (["host", "--set", "x"], "no tiene la forma clave=valor"),
        (["find", "--seconds", "nan"], "'nan' no es un número de 0.1 a 3600"),
        (["find", "--lang", "xx"], "elige entre"),
        (["verify"], "faltan estos argumentos: ARCHIVO"),
        (["bot"], "falta uno de estos argumentos"),
        (["bot", "--table", "x", "y"], "no se permite junto con"),
        (["demo", "--play", "4"], "argumentos desconocidos"),
    ],
)
def test_wrong_use_is_explained_in_the_language(
    arguments: list[str],
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("LANG", "es_MX.UTF-8")
    assert main(arguments) == ExitCode.USAGE
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert main(["--json", *arguments]) == ExitCode.USAGE
    found = json.loads(capsys.readouterr().out)
    assert found["exit"] == ExitCode.USAGE
    assert found["error"]["id"] == "usage"
    assert words in found["error"]["text"]


def test_arguments_of_the_commands() -> None:
    from lanuno.client.texts import Texts

    def parse(line: str) -> argparse.Namespace:
        words = line.split()
        return parsing.build(Texts("en"), early_options(words).command).parse_args(words)

    host = parse("host --table T --seats 4 --bots 3 --set a=1 --set b=x=y --port 47474 --save f")
    assert (host.table, host.seats, host.bots, host.port) == ("T", 4, 3, 47474)
    assert host.settings == [("a", "1"), ("b", "x=y")]
    assert host.save == Path("f")
    assert parse("host").settings == []
    assert parse("find --seconds 2.5 --adapter eth0").seconds == 2.5
    assert parse("bot lanuno://h:1/x#y").where == "lanuno://h:1/x#y"
    assert parse("bot --table T --name N").table == "T"
    assert parse("verify a b").files == [Path("a"), Path("b")]
    demo = parse("demo --players 10 --rounds 2 --preset p --set a=b --save f")
    assert (demo.players, demo.rounds, demo.preset) == (10, 2, "p")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_a_module_of_the_right_shape(name: str) -> None:
    command = parsing.command_module(name)
    assert callable(command.add)
    assert callable(command.run)


@pytest.mark.parametrize(
    ("arguments", "command", "language", "as_json"),
    [
        ([], None, None, False),
        (["--home", "find", "host"], "host", None, False),
        (["--home=x", "host", "find"], "host", None, False),
        (["--lang", "es", "--json", "bot"], "bot", "es", True),
        (["bot", "--lang=en"], "bot", "en", False),
        (["nonsense", "bot"], None, None, False),
        (["verify", "--", "--json", "--lang", "es"], "verify", None, False),
        (["--lang"], None, "", False),
        (["--log", "debug", "bot"], "bot", None, False),
    ],
)
def test_early_options_are_found_without_parsing(
    arguments: list[str], command: str | None, language: str | None, as_json: bool
) -> None:
    seen = early_options(arguments)
    assert (seen.command, seen.language, seen.as_json) == (command, language, as_json)
