"""Tests of the words: both languages complete, nothing unused, nothing foreign that bites."""

from __future__ import annotations

import argparse
import ast
import importlib
import inspect
import re
import string
from collections import Counter
from enum import Enum
from itertools import chain
from pathlib import Path

import pytest

from lanuno.cli.parser import COMMANDS
from lanuno.client.texts import (
    FAMILIES,
    LANGUAGES,
    Language,
    Texts,
    choose_language,
    messages,
    plain,
)
from lanuno.rules.settings import HOUSE_RULES, SECTIONS
from lanuno.store.errors import FileProblem

ROOT = Path(__file__).resolve().parents[2]
FORMS = (".one", ".other")


def placeholders(message: str, key: str) -> Counter[str]:
    if key.startswith("argparse."):
        return Counter(re.findall(r"%(?:\(\w+\))?[a-z]", message))
    return Counter(name for _, name, _, _ in string.Formatter().parse(message) if name is not None)


def named_keys() -> set[str]:
    """Every string in the sources of the commands and the client that has the form of an id."""
    tops = {key.partition(".")[0] for key in messages("en")}
    form = re.compile(rf"(?:{'|'.join(sorted(tops))})(?:\.[a-z0-9_]+)+\Z")
    return {
        node.value
        for package in ("cli", "client")
        for path in (ROOT / "lanuno" / package).glob("**/*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and form.match(node.value)
    }


def family_keys() -> set[str]:
    keys = set()
    for name, prefix in FAMILIES.items():
        module, _, kind = name.rpartition(".")
        members: type[Enum] = getattr(importlib.import_module(module), kind)
        keys |= {f"{prefix}.{member.name.lower()}" for member in members}
    return keys


def setting_keys() -> set[str]:
    """Names and choices of the settings that are shown, and hints where there are any."""
    keys = set()
    for setting in chain.from_iterable(SECTIONS.values()):
        prefix = f"setting.{setting.name}"
        choices = [each for each in setting.values if isinstance(each, Enum)]
        keys |= {f"{prefix}.name", *(f"{prefix}.{each.name.lower()}" for each in choices)}
        # That of a house rule is its sentence in the rulebook.
        if setting.name not in HOUSE_RULES:
            keys |= {f"{prefix}.hint"} & messages("en").keys()
    return keys


def used_keys() -> set[str]:
    """Keys in both forms where a number decides."""
    keys = named_keys() | family_keys() | setting_keys()
    keys |= {f"help.{name}.{part}" for name in COMMANDS for part in ("summary", "examples")}
    known = messages("en")
    counted = {key for key in keys if key not in known and key + FORMS[0] in known}
    return (keys - counted) | {key + form for key in counted for form in FORMS}


def test_both_languages_have_the_same_messages() -> None:
    english, spanish = messages("en"), messages("es")
    assert english.keys() == spanish.keys()
    for key, message in english.items():
        assert placeholders(message, key) == placeholders(spanish[key], key), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_says_something(language: Language) -> None:
    assert [key for key, message in messages(language).items() if not message.strip()] == []


def test_every_used_message_exists_and_every_message_is_used() -> None:
    used = used_keys()
    known = {key for key in messages("en") if not key.startswith("argparse.")}
    assert used - known - {"argparse.version"} == set()
    assert known - used == set()


def test_the_words_of_argparse_are_its_own() -> None:
    source = re.sub(r"'\s*\n\s*'", "", inspect.getsource(argparse))
    unknown = [
        message
        for key, message in messages("en").items()
        if key.startswith("argparse.") and message not in source
    ]
    assert unknown == []


def test_values_are_put_in() -> None:
    text = Texts("en")
    assert text("error.number", value="x", low=1, high=2.5) == "'x' is not a number from 1 to 2.5"
    assert text.member(FileProblem.NOT_READABLE, path=Path("f")) == "cannot read f"


def test_a_number_chooses_the_form(monkeypatch: pytest.MonkeyPatch) -> None:
    text = Texts("es")
    forms = {"x.cards.one": "{number} carta de {who}", "x.cards.other": "{number} cartas de {who}"}
    monkeypatch.setattr(text, "_messages", forms)
    assert text.count("x.cards", 1, who="Ana") == "1 carta de Ana"
    assert text.count("x.cards", 0, who="Ana") == "0 cartas de Ana"
    assert text.count("x.cards", 21, who="Ana") == "21 cartas de Ana"


def test_foreign_text_cannot_steer_the_terminal() -> None:
    message = Texts("en")("host.link", link="\x1b[2Jhi\r\n{0}\u202e")
    assert message == "link: \ufffd[2Jhi\ufffd\ufffd{0}\ufffd"


@pytest.mark.parametrize("text", ["", "plain", "ñandú", "卡", "🂡", "a b", "'\"\\{}%s"])
def test_harmless_text_is_left_alone(text: str) -> None:
    assert plain(text) == text


@pytest.mark.parametrize(
    "letter", ["\0", "\n", "\x1b", "\x7f", "\x9b", "\u200b", "\u2028", "\u2066", "\ue000", "\udcff"]
)
def test_harmful_letters_are_replaced(letter: str) -> None:
    assert plain(f"a{letter}b") == "a\ufffdb"


@pytest.mark.parametrize(
    ("asked", "environment", "language"),
    [
        (None, {}, "en"),
        (None, {"LANG": "C.UTF-8"}, "en"),
        (None, {"LANG": "es_ES.UTF-8"}, "es"),
        (None, {"LANG": "es"}, "es"),
        (None, {"LANG": "est_EE.UTF-8"}, "en"),
        (None, {"LANG": "de_DE.UTF-8"}, "en"),
        (None, {"LANG": "en_GB.UTF-8", "LC_MESSAGES": "es_AR"}, "es"),
        (None, {"LANG": "es_ES", "LC_ALL": "en_GB"}, "en"),
        (None, {"LANG": "ca_ES.UTF-8", "LANGUAGE": "ca:es:en"}, "es"),
        (None, {"LANG": "C", "LANGUAGE": "es"}, "en"),
        (None, {"LANGUAGE": "es"}, "en"),
        ("en", {"LANG": "es_ES.UTF-8"}, "en"),
        ("es", {}, "es"),
        ("fr", {"LANG": "es_ES.UTF-8"}, "es"),
    ],
)
def test_the_language(asked: str | None, environment: dict[str, str], language: str) -> None:
    assert choose_language(asked, environment) == language
