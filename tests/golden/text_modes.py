"""In which words a golden output is recorded: those of a language, or none at all.

What programs read (exit codes, keys, values, ids of messages) is recorded in the voice `keys`: each
message is its id and what goes into it, so that better wording changes nothing there. The words
themselves are recorded in each language.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Literal
from unittest.mock import patch

from lanuno.client import rule_texts, texts
from lanuno.client.texts import Language, Texts

TextMode = Literal["keys", "en", "es"]
TEXT_MODES: tuple[TextMode, ...] = ("keys", "en", "es")

WORDLESS: Language = "es"
"""The language whose words are left out in the voice `keys`: argparse finds its own words by the
English ones, so these must stay."""

_FOR_ARGPARSE = re.compile(r"%(?:\(\w+\))?[a-z]")


class Keys(Texts):
    """Says the id of a message and what goes into it."""

    def __call__(self, key: str, /, **values: object) -> str:
        super().__call__(key, **values)  # raises where the message wants what it is not given
        given = [f"{name}={texts.plain(str(values[name]))}" for name in sorted(values)]
        return " ".join((key, *given))


def texts_of(voice: TextMode) -> Texts:
    """The messages of a voice."""
    return Keys(WORDLESS) if voice == "keys" else Texts(voice)


def language_of(voice: TextMode) -> Language:
    """What `--lang` has to be for a voice."""
    return WORDLESS if voice == "keys" else voice


@contextmanager
def spoken(voice: TextMode) -> Iterator[None]:
    """Commands that are run meanwhile, in the language of the voice, speak with it."""
    if voice != "keys":
        yield
        return
    words, sentences = texts.messages(WORDLESS), rule_texts.sentences(WORDLESS)
    for_argparse = {key: _argparse_key(key, text) for key, text in words.items()}
    for_rules = {key: _rule_key(key, text) for key, text in sentences.items()}

    def messages(language: Language) -> Mapping[str, str]:
        return for_argparse if language == WORDLESS else texts.messages(language)

    with ExitStack() as patches:
        patches.enter_context(patch("lanuno.cli.main.Texts", Keys))
        patches.enter_context(patch("lanuno.cli.parser.messages", messages))
        patches.enter_context(patch("lanuno.client.rule_texts.sentences", lambda _: for_rules))
        yield


def _argparse_key(key: str, text: str) -> str:
    return " ".join((key, *sorted(set(_FOR_ARGPARSE.findall(text)))))


def _rule_key(key: str, text: str) -> str:
    if "{number}" in text:
        return f"{key}={{number}}"
    names = {name for _, name, _, _ in string.Formatter().parse(text) if name}
    return " ".join((key, *(f"{name}={{{name}}}" for name in sorted(names))))
