"""Tests of the .qm compiler: what it refuses and writes. tests/app shows what Qt reads from it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.harness.processes.packaging_programs import PACKAGING, load_program

compiler = load_program("compile_languages")

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
    program = PACKAGING / "compile_languages.py"
    done = subprocess.run(
        [sys.executable, "-I", "-S", program], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
