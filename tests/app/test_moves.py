"""Tests of the list of moves: every line says who did what."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QGuiApplication

from lanuno.app.moves import Names, line
from lanuno.app.translations import Translations
from lanuno.rules import events
from tests.app.test_translations import program

NAMES = Names(("Ada", "Ben", "Cleo"), 0, 108)


@pytest.mark.parametrize(
    ("language", "seat", "said"),
    [
        ("en", 1, "\u2068Ben\u2069 reverses"),
        ("es", 1, "\u2068Ben\u2069 cambia el sentido"),
        ("en", None, "The starting card reverses"),
        ("es", None, "La carta inicial cambia el sentido"),
    ],
)
def test_a_reverse_says_whose_it_was(
    qt: QGuiApplication, language: str, seat: int | None, said: str
) -> None:
    program("compile_translations")
    translations = Translations()
    assert translations.speak(language)
    told = line(1, events.DirectionTurned(clockwise=False, seat=seat), NAMES)
    assert translations.speak("en")
    assert told is not None
    assert (told.text, told.seat) == (said, -1 if seat is None else seat)
