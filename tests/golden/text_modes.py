"""The texts with which a golden output is recorded: those of a language, or none.

What scripts read (exit codes, keys, values, ids of messages) is recorded in the mode `keys`. There
each message is its id and its values, so that better wording changes nothing. The texts of argparse
stay unchanged. The texts themselves are recorded in each language.
"""

from __future__ import annotations

import gettext
import string
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Literal
from unittest.mock import patch

from lanuno.client.languages import SOURCE, Language, catalogue
from lanuno.client.texts import Texts, plain

TextMode = Literal["keys", "en", "es"]
TEXT_MODES: tuple[TextMode, ...] = ("keys", "en", "es")

RECORDED_LANGUAGES = ("es", "en")
"""The languages that a command offers during recording: a new language changes no recording."""


class Keys(Texts):
    """Texts that return the id of a message and its values."""

    def __call__(self, key: str, /, **values: object) -> str:
        super().__call__(key, **values)  # raises if the message needs a value that is missing
        return _key_with_values(key, values)

    def count(self, key: str, number: int, /, **values: object) -> str:
        super().count(key, number, **values)
        return _key_with_values(_form(key, number), {"number": number, **values})


class KeyCatalogue(gettext.NullTranslations):
    """A catalogue that returns the id of a sentence and the values that the sentence needs."""

    def gettext(self, message: str) -> str:
        text = catalogue(SOURCE).gettext(message)
        if message == "language.decimal_sign":
            return text
        names = {name for _, name, _, _ in string.Formatter().parse(text) if name}
        return " ".join((message, *(f"{name}={{{name}}}" for name in sorted(names))))

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"{_form(msgid1, n)}={{number}}"


def _key_with_values(key: str, values: dict[str, object]) -> str:
    given = [f"{name}={plain(str(values[name]))}" for name in sorted(values)]
    return " ".join((key, *given))


def _form(key: str, number: int) -> str:
    return f"{key}.one" if number == 1 else f"{key}.other"


def texts_of(voice: TextMode) -> Texts:
    """Return the messages of a text mode."""
    return Keys(SOURCE) if voice == "keys" else Texts(voice)


def language_of(voice: TextMode) -> Language:
    """Return the value of `--lang` for a text mode."""
    return SOURCE if voice == "keys" else voice


@contextmanager
def spoken(voice: TextMode) -> Iterator[None]:
    """Within the context, commands in the language of the text mode use its texts."""
    with ExitStack() as patches:
        patches.enter_context(patch("lanuno.cli.parser.languages", lambda: RECORDED_LANGUAGES))
        if voice == "keys":
            patches.enter_context(patch("lanuno.cli.main.Texts", Keys))
            patches.enter_context(
                patch("lanuno.client.rule_texts.catalogue", lambda _: KeyCatalogue())
            )
        yield
