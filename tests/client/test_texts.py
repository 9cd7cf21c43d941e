"""The messages: every language complete, none unused, and foreign text made harmless."""

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
from lanuno.client.languages import SOURCE, Language, languages
from lanuno.client.texts import FAMILIES, Texts, member_key, plain
from lanuno.log.audit.conclusion import Conclusion
from lanuno.net.errors import NetFault
from lanuno.rules.engine.card_effects import EFFECTS
from lanuno.rules.engine.house_rules.registry import HOUSE_RULES
from lanuno.rules.settings import SECTIONS
from lanuno.store.errors import FileProblem
from lanuno.table.messages import LobbyRefusal
from tests.harness.catalogues import messages, with_context

ROOT = Path(__file__).resolve().parents[2]


def placeholders(message: str) -> Counter[str]:
    return Counter(name for _, name, _, _ in string.Formatter().parse(message) if name is not None)


def named_keys() -> set[str]:
    """Return every string in the sources with the form of a message id."""
    tops = {key.partition(".")[0] for key in messages(SOURCE)}
    form = re.compile(rf"(?:{'|'.join(sorted(tops))})(?:\.[a-z0-9_]+)+\Z")
    return {
        node.value
        for folder in ("lanuno/cli", "lanuno/client", "packaging/distribution")
        for path in (ROOT / folder).glob("**/*.py")
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


def window_keys() -> set[str]:
    """Return the ids of members for which the window has another message than the commands."""
    return {
        f"window.{member_key(member)}"
        for kind in (Conclusion, LobbyRefusal, NetFault)
        for member in kind
    }


def setting_keys() -> set[str]:
    """Return the ids of the names, choices and hints of the displayed settings."""
    keys = set()
    for setting in chain.from_iterable(SECTIONS.values()):
        prefix = f"setting.{setting.name}"
        choices = [each for each in setting.values if isinstance(each, Enum)]
        keys |= {f"{prefix}.name", *(f"{prefix}.{each.name.lower()}" for each in choices)}
        # The hint of a house rule is its sentence in the rulebook.
        own = "conflict" if setting.name in HOUSE_RULES else "hint"
        keys |= {f"{prefix}.{own}"} & messages(SOURCE).keys()
    return keys


def question_keys() -> set[str]:
    """Return the ids for the questions that cards ask, with and without a house rule."""
    effects = [
        *EFFECTS.values(),
        *(e for rule in HOUSE_RULES.values() for e in rule.effects.values()),
    ]
    names = {effect.question.name for effect in effects if effect.question is not None}
    return {f"question.{name}.{person}" for name in names for person in ("own", "other")}


def used_keys() -> set[str]:
    keys = named_keys() | family_keys() | window_keys() | setting_keys() | question_keys()
    return keys | {f"help.{name}.{part}" for name in COMMANDS for part in ("summary", "examples")}


@pytest.mark.parametrize("language", languages())
def test_every_language_has_the_same_messages(language: Language) -> None:
    english, other = messages(SOURCE), messages(language)
    assert other.keys() == english.keys()
    for key, forms in other.items():
        wanted = placeholders(english[key][-1])
        # The singular form may omit the number.
        one = wanted - Counter(["number"])
        assert all(placeholders(form) in (one, wanted) for form in forms), key


@pytest.mark.parametrize("language", languages())
def test_every_message_says_something(language: Language) -> None:
    said = messages(language)
    assert [key for key, forms in said.items() if not all(form.strip() for form in forms)] == []


def test_every_used_message_exists_and_every_message_is_used() -> None:
    assert used_keys() - messages(SOURCE).keys() == set()
    assert messages(SOURCE).keys() - used_keys() == set()


def test_the_words_of_argparse_are_its_own() -> None:
    source = re.sub(r"'\s*\n\s*'", "", inspect.getsource(argparse))
    words = {text: forms for context, text, forms in with_context("es") if context == "argparse"}
    assert [text for text in words if text not in source] == []
    value = re.compile(r"%(?:\(\w+\))?[a-z]")
    for text, forms in words.items():
        assert all(value.findall(form) == value.findall(text) for form in forms), text


def test_values_are_put_in() -> None:
    text = Texts("en")
    assert text("error.number", value="x", low=1, high=2.5) == "'x' is not a number from 1 to 2.5"
    assert text.member(FileProblem.NOT_READABLE, path=Path("f")).startswith("cannot read f;")


def test_a_number_chooses_the_form() -> None:
    text = Texts("es")
    assert text.count("table.drew", 1, name="Ana") == "Ana toma 1 carta"
    assert text.count("table.drew", 0, name="Ana") == "Ana toma 0 cartas"
    assert text.count("table.drew", 21, name="A\x1b") == "A\ufffd toma 21 cartas"


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
