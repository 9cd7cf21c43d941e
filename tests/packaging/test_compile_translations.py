"""Tests of the .qm compiler: Qt itself reads what it wrote, and bad catalogues are named."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from PySide6.QtCore import QTranslator

from tests.packaging.loading import PACKAGING, ROOT, load_program

compiler = load_program("compile_translations")
CATALOGUES = sorted((ROOT / "resources" / "i18n").glob("*.ts"))

CATALOGUE = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="{language}" sourcelanguage="en">
<context><name>Table</name>{messages}</context>
<context><name>Room</name><message><source>Leave</source>
<translation>Salir</translation></message></context>
</TS>
"""

ONE_FORM = """<message numerus="yes"><source>%n</source>
<translation><numerusform>%n</numerusform></translation></message>"""


def catalogue(folder: Path, messages: str, language: str = "es") -> Path:
    path = folder / "words.ts"
    path.write_text(CATALOGUE.format(language=language, messages=messages), encoding="utf-8")
    return path


def translator(folder: Path) -> QTranslator:
    """What Qt makes of the catalogue in this folder."""
    (path,) = compiler.compile_all(folder)
    loaded = QTranslator()
    assert loaded.load(str(path))
    return loaded


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
    catalogue(
        tmp_path,
        "<message><source>Leave</source><translation>Abandonar</translation></message>"
        "<message><source>Open</source><comment>a file</comment>"
        "<translation>Abrir «ñ» 🂡</translation></message>",
    )
    loaded = translator(tmp_path)
    assert loaded.translate("Table", "Leave") == "Abandonar"
    assert loaded.translate("Room", "Leave") == "Salir"
    assert loaded.translate("Table", "Open", "a file") == "Abrir «ñ» 🂡"
    assert not loaded.translate("Table", "Open")
    assert not loaded.translate("Home", "Leave")


def test_what_is_unfinished_or_vanished_is_left_out(tmp_path: Path) -> None:
    catalogue(
        tmp_path,
        '<message><source>Draw</source><translation type="unfinished">Rob</translation></message>'
        '<message><source>Keep</source><translation type="vanished">Queda</translation></message>'
        "<message><source>Play</source></message>"
        "<message><source>Say</source><translation></translation></message>",
    )
    loaded = translator(tmp_path)
    assert not any(loaded.translate("Table", text) for text in ("Draw", "Keep", "Play", "Say"))


@pytest.mark.parametrize(
    ("messages", "language", "why"),
    [
        ("<message>", "es", "mismatched tag"),
        ("", "xx", "no plural rule for the language 'xx'"),
        (
            ONE_FORM,
            "es",
            "'%n': not 2 forms",
        ),
    ],
)
def test_a_bad_catalogue_is_named(messages: str, language: str, why: str, tmp_path: Path) -> None:
    path = catalogue(tmp_path, messages, language)
    with pytest.raises(compiler.BadCatalogue) as caught:
        compiler.compile_all(tmp_path)
    assert str(path) in str(caught.value)
    assert why in str(caught.value)
    assert [each.suffix for each in tmp_path.iterdir()] == [".ts"]


def test_only_what_changed_is_written_again(tmp_path: Path) -> None:
    source = catalogue(tmp_path, "")
    (path,) = compiler.compile_all(tmp_path)
    first = path.stat()
    assert compiler.compile_all(tmp_path) == [path]
    assert path.stat().st_ino == first.st_ino
    source.write_text(source.read_text(encoding="utf-8").replace("Salir", "Irse"), encoding="utf-8")
    compiler.compile_all(tmp_path)
    # Replaced, not changed: a running app still has the old file mapped.
    assert path.stat().st_ino != first.st_ino
    assert sorted(each.name for each in tmp_path.iterdir()) == ["words.qm", "words.ts"]


def test_compiling_needs_the_standard_library_alone() -> None:
    program = PACKAGING / "compile_translations.py"
    done = subprocess.run(
        [sys.executable, "-I", "-S", program], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
