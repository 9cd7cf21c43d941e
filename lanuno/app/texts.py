"""Words that depend on the language that is spoken now: cards, colours, lists, numbers.

Nothing here remembers anything: after a change of language everything is put into words again.
Why something is refused is told in `problem_texts.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale

from lanuno.client.languages import SOURCE, Language
from lanuno.client.texts import Texts
from lanuno.rules.cards import Card, Colour

translate = QCoreApplication.translate
"""`translate("Context", "text", "", number)`: the texts to translate are found by this very name
(packaging/catalogues.py)."""

LANGUAGE_PROPERTY: Final = "language"
"""Of the application object: what `Translations` has installed."""

ISOLATE, END_ISOLATE = "\u2068", "\u2069"


def current_language() -> Language:
    """The language that is spoken now."""
    app = QCoreApplication.instance()
    return SOURCE if app is None else str(app.property(LANGUAGE_PROPERTY) or SOURCE)


@cache
def _texts(language: Language) -> Texts:
    return Texts(language)


def texts() -> Texts:
    """The messages that are shared with the command line."""
    return _texts(current_language())


def colour_name(colour: Colour | int) -> str:
    """`red`; the same words as on the command line."""
    return texts().member(Colour(colour))


def card_name(card: Card) -> str:
    """`red 7`, `Wild Draw Four`; the same words as on the command line."""
    rank = texts().member(card.rank)
    if card.colour is None:
        return rank
    return texts()("card.coloured", colour=colour_name(card.colour), rank=rank)


def sentence(text: str) -> str:
    """With a capital letter."""
    return text[:1].upper() + text[1:]


def isolated(text: str) -> str:
    """Text from outside, so that its direction does not turn the sentence around it."""
    return f"{ISOLATE}{text}{END_ISOLATE}"


def listed(names: Sequence[str]) -> str:
    """`Ann, Ben and Cleo`."""
    return QLocale().createSeparatedList(list(names))


def moment(seconds: float) -> str:
    """`21 Nov 2026, 10:05`: a time since 1970, as this computer's clock shows it."""
    when = QDateTime.fromSecsSinceEpoch(int(seconds))
    return str(QLocale().toString(when, "d MMM yyyy, HH:mm"))
