"""Tests of the translations: complete in both languages, and a change of language at once."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication

from lanuno.app.reasons import play_refusal
from lanuno.app.translations import Translations
from lanuno.rules.refusals import Refusal

ROOT = Path(__file__).resolve().parents[2]


def program(name: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, f"packaging/{name}.py", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.fixture(scope="module")
def compiled() -> None:
    program("compile_translations")


def test_nothing_is_left_untranslated() -> None:
    assert json.loads(program("translations", "missing")) == {}


def test_words_change_with_the_language(qt: QGuiApplication, compiled: None) -> None:
    translations = Translations()
    assert translations.speak("es")
    assert play_refusal(Refusal.NOT_YOUR_TURN) == "No es tu turno."
    assert translations.speak("en")
    assert play_refusal(Refusal.NOT_YOUR_TURN) == "It is not your turn."
