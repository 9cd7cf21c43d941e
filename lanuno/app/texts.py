"""Words that depend on the current language: cards, colours, lists, numbers.

Nothing here keeps a text: after a change of language all texts are made again. `problem_texts.py`
explains refusals.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from functools import cache
from typing import Final

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale

from lanuno.client.languages import SOURCE, Language
from lanuno.client.texts import Texts, member_key
from lanuno.rules.cards import Card, Colour

translate = QCoreApplication.translate
"""`translate("Context", "text", "", number)`: packaging/catalogues.py finds the texts to translate
by this name, so call it by no other."""

LANGUAGE_PROPERTY: Final = "language"
"""The property of the application object with the language that `Translations` has installed."""

_PLACEHOLDER: Final = re.compile(r"\{(\w+)\}")

ISOLATE, END_ISOLATE = "\u2068", "\u2069"


def current_language() -> Language:
    """Return the current language of the app."""
    app = QCoreApplication.instance()
    return SOURCE if app is None else str(app.property(LANGUAGE_PROPERTY) or SOURCE)


@cache
def _texts(language: Language) -> Texts:
    return Texts(language)


def texts() -> Texts:
    """Return the messages that the app shares with the command line."""
    return _texts(current_language())


def window_member(value: Enum, **values: object) -> str:
    """Return the message of a member for which the command line has another message."""
    return texts()(f"window.{member_key(value)}", **values)


def colour_name(colour: Colour | int) -> str:
    """Return `red` and the like, in the words of the command line."""
    return texts().member(Colour(colour))


def card_name(card: Card) -> str:
    """Return `red 7`, `Wild Draw Four` and the like, in the words of the command line."""
    rank = texts().member(card.rank)
    if card.colour is None:
        return rank
    return texts()("card.coloured", colour=colour_name(card.colour), rank=rank)


def sentence(text: str) -> str:
    """Return the text with a capital first letter."""
    return text[:1].upper() + text[1:]


def isolated(text: str) -> str:
    """Isolate text from outside, so that its direction does not reorder the sentence around it."""
    return f"{ISOLATE}{text}{END_ISOLATE}"


def filled(text: str, **values: str) -> str:
    """Replace each `{key}` by its value, in one pass.

    Values may come from outside, such as the name of a player. One that looks like a placeholder,
    such as `{other}`, stays as it is: another name must not appear in its place.
    """
    return _PLACEHOLDER.sub(lambda found: values.get(found[1], found[0]), text)


def listed(names: Sequence[str]) -> str:
    """Join names as the language does: `Ann, Ben and Cleo`."""
    return QLocale().createSeparatedList(list(names))


def moment(seconds: float) -> str:
    """Return a time in seconds since 1970 as local time: `21 Nov 2026, 10:05`."""
    when = QDateTime.fromSecsSinceEpoch(int(seconds))
    return str(QLocale().toString(when, "d MMM yyyy, HH:mm"))
