"""Tests of the translations: complete in both languages, found by Qt, and changed at once."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from PySide6.QtCore import QTranslator
from PySide6.QtGui import QGuiApplication

from lanuno.app.problem_texts import play_refusal
from lanuno.app.translations import Translations
from lanuno.rules.refusals import ActRefusal
from tests.harness.processes.packaging_programs import load_program

ROOT = Path(__file__).resolve().parents[2]
CATALOGUES = sorted((ROOT / "resources" / "i18n").glob("*.ts"))
CATALOGUE = """<TS language="es"><context><name>Table</name>{}</context>
<context><name>Room</name><message><source>Leave</source>
<translation>Salir</translation></message></context></TS>
"""

compiler = load_program("compile_languages")


def translator(folder: Path, messages: str) -> QTranslator:
    """What Qt makes of a catalogue with these messages."""
    (folder / "words.ts").write_text(CATALOGUE.format(messages), encoding="utf-8")
    (path,) = compiler.compile_all(folder)
    loaded = QTranslator()
    assert loaded.load(str(path))
    return loaded


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
    program("compile_languages")


def test_nothing_is_left_untranslated() -> None:
    assert json.loads(program("catalogues", "missing")) == {}


def test_words_change_with_the_language(qt: QGuiApplication, compiled: None) -> None:
    translations = Translations()
    assert translations.install("es")
    assert play_refusal(ActRefusal.NOT_YOUR_TURN) == "No es tu turno."
    assert translations.install("en")
    assert play_refusal(ActRefusal.NOT_YOUR_TURN) == "It is not your turn."


@pytest.mark.parametrize("source", CATALOGUES, ids=lambda path: path.stem)
def test_qt_finds_every_text_in_every_plural_form(source: Path, tmp_path: Path) -> None:
    compiler.compile_all(target=tmp_path)
    loaded = QTranslator()
    assert loaded.load(str(tmp_path / f"{source.stem}.qm"))
    assert loaded.language() == source.stem.removeprefix("lanuno_")
    looked_up = 0
    for context in ET.parse(source).iter("context"):
        name = context.findtext("name", "")
        for message in context.iter("message"):
            text = message.findtext("source", "")
            forms = [form.text for form in message.iter("numerusform")]
            if forms:
                for number in (0, 1, 2, 3, 10, 11, 21, 100, 101, 1001):
                    wanted = forms[0 if number == 1 else 1]
                    assert loaded.translate(name, text, "", number) == wanted
                    looked_up += 1
            else:
                assert loaded.translate(name, text) == message.findtext("translation")
                looked_up += 1
    assert looked_up > 400


def test_a_text_belongs_to_its_context_and_disambiguation(tmp_path: Path) -> None:
    loaded = translator(
        tmp_path,
        "<message><source>Leave</source><translation>Abandonar</translation></message>"
        "<message><source>Open</source><comment>a file</comment>"
        "<translation>Abrir «ñ» 🂡</translation></message>",
    )
    assert loaded.translate("Table", "Leave") == "Abandonar"
    assert loaded.translate("Room", "Leave") == "Salir"
    assert loaded.translate("Table", "Open", "a file") == "Abrir «ñ» 🂡"
    assert not loaded.translate("Table", "Open")
    assert not loaded.translate("Home", "Leave")


def test_what_is_unfinished_or_vanished_is_left_out(tmp_path: Path) -> None:
    loaded = translator(
        tmp_path,
        '<message><source>Draw</source><translation type="unfinished">Rob</translation></message>'
        '<message><source>Keep</source><translation type="vanished">Queda</translation></message>'
        "<message><source>Play</source></message>"
        "<message><source>Say</source><translation></translation></message>",
    )
    assert not any(loaded.translate("Table", text) for text in ("Draw", "Keep", "Play", "Say"))
