"""Tests of catalogues.py: which texts it finds, and how it changes the files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import catalogues
import compile_languages
import pytest
from babel.messages import plurals
from babel.messages.plurals import get_plural
from catalogues import BadSource, SourceText
from compile_languages import BadCatalogue

from tests.harness.processes.packaging_programs import PACKAGING, ROOT

LANGUAGES = sorted((ROOT / "resources" / "languages").glob("*.po"))


# Texts found in the sources.


def in_qml(folder: Path, source: str) -> list[SourceText]:
    path = folder / "Table.qml"
    path.write_text(f"import QtQuick\nItem {{\n{source}\n}}\n", encoding="utf-8")
    return list(catalogues.qml_texts(path))


@pytest.mark.parametrize(
    ("source", "text", "plural"),
    [
        ('text: qsTr("Leave")', "Leave", False),
        ("text: qsTr('Leave')", "Leave", False),
        ('text: qsTr ( "Lea" +\n // the rest\n "ve" )', "Leave", False),
        (r'text: qsTr("a\tb\n\"c\" \\n \u2068 \x41 \u{1f0a1} \ud83c\udca1 \'")', None, False),
        ('text: qsTr("one \\\nline")', "one line", False),
        ('text: qsTr("%n cards", "", Math.max(1, [2, 3][0]))', "%n cards", True),
        ('text: qsTr("cards in a row", "", { n: 1 }.n)', "cards in a row", True),
        ('text: qsTr("%n cards")', "%n cards", True),
        ('text: qsTr("%1 (%2)").arg(a / b).arg(c / d)', "%1 (%2)", False),
        ('text: a / b > 1 ? qsTr("so, it is (a) “quote”") : ""', "so, it is (a) “quote”", False),
        ('text: `${a}` + qsTr("Leave")', "Leave", False),
        ('text: `a ${qsTr("Leave")} b`', "Leave", False),
    ],
)
def test_texts_of_qml_are_found(
    source: str, text: str | None, plural: bool, tmp_path: Path
) -> None:
    expected = text or 'a\tb\n"c" \\n \u2068 A 🂡 🂡 \''
    assert in_qml(tmp_path, source) == [SourceText("Table", expected, plural)]


def test_comments_have_no_texts(tmp_path: Path) -> None:
    assert in_qml(tmp_path, '// qsTr("a")\n/* qsTr(b) */') == []


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("text: qsTr(name)", "qsTr needs a plain string"),
        ('text: qsTr("a" + name)', "qsTr needs a plain string"),
        ('text: qsTr("a" "b")', "qsTr needs a plain string"),
        ('text: qsTr("a" +)', "qsTr needs a plain string"),
        ("text: qsTr(`a`)", "qsTr needs a plain string"),
        ("text: qsTr()", "qsTr needs a plain string"),
        ('text: qsTr("Open", "a file")', "qsTr with a disambiguation"),
        ('text: qsTr("Open", what, 1)', "qsTr needs a plain string"),
        ("text: qsTr", "qsTr is not called"),
        ('text: qsTr("a"', "the brackets of qsTr do not match"),
        ("""text: 'qsTr("a")'""", "qsTr inside a string"),
        ('text: qsTranslate("Room", "a")', "qsTranslate is not supported"),
    ],
)
def test_texts_of_qml_that_nobody_can_translate(source: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(BadSource) as caught:
        in_qml(tmp_path, f"id: table\n{source}")
    assert str(caught.value).startswith(f"{tmp_path / 'Table.qml'}:4: {why}")


def in_python(folder: Path, source: str) -> list[SourceText]:
    path = folder / "texts.py"
    path.write_text(source, encoding="utf-8")
    return list(catalogues.python_texts(path))


@pytest.mark.parametrize(
    ("source", "text", "plural"),
    [
        ('translate("Room", "Leave")', "Leave", False),
        ('QCoreApplication.translate("Room", "Leave")', "Leave", False),
        ('translate("Room", "Lea" "ve", "")', "Leave", False),
        ('translate("Room", "%n cards", "", len(cards))', "%n cards", True),
        ('translate("Room", "in a row", "", number)', "in a row", True),
        ('QT_TRANSLATE_NOOP("Room", "%n cards")', "%n cards", True),
        ('QT_TRANSLATE_NOOP("Room", "Leave")', "Leave", False),
        ("""f'{1}: {translate("Room", "Leave")}'""", "Leave", False),
        ("""f'{translate("Room", "Leave").replace(chr(1), f"{2}")!r:>{3}}'""", "Leave", False),
    ],
)
def test_texts_of_python_are_found(source: str, text: str, plural: bool, tmp_path: Path) -> None:
    assert in_python(tmp_path, source) == [SourceText("Room", text, plural)]


def test_texts_of_python_are_in_order(tmp_path: Path) -> None:
    source = 'def a():\n    return b(translate("R", "1"), c(translate("R", "2")))\n\n'
    found = in_python(tmp_path, source + 'd = translate("R", "3")\n')
    assert [each.text for each in found] == ["1", "2", "3"]


@pytest.mark.parametrize(
    "source", ['translate("Room", str(WORDS[key]))', 'translate("Room", text)', "a.translate(b)"]
)
def test_what_was_marked_elsewhere_is_left_out(source: str, tmp_path: Path) -> None:
    assert in_python(tmp_path, source) == []


@pytest.mark.parametrize(
    "call",
    [
        'translate("Room", f"{name} left")',
        'translate("Room", "a" + b)',
        'translate(context, "Leave")',
        'translate("Room", "Open", "a file")',
        'translate("Room", "%n cards", what, 1)',
        'QT_TRANSLATE_NOOP("Room", name)',
        'QT_TRANSLATE_NOOP("Leave")',
    ],
)
def test_texts_of_python_that_nobody_can_translate(call: str, tmp_path: Path) -> None:
    with pytest.raises(BadSource, match=r"texts\.py:2: \w+ needs a context and a plain text"):
        in_python(tmp_path, f"\n{call}\n")


def test_every_text_of_the_window_is_found() -> None:
    calls = sum(
        path.read_text(encoding="utf-8").count("qsTr(") for path in catalogues.QML.rglob("*.qml")
    )
    found = [each for path in catalogues.QML.rglob("*.qml") for each in catalogues.qml_texts(path)]
    assert len(found) == calls > 400
    texts = list(catalogues.source_texts())
    assert len(texts) == len({(each.context, each.text) for each in texts}) > 800
    assert [each.context for each in texts] == sorted(each.context for each in texts)


# Changes of the catalogues.

HEADER = """# What the window says.
msgid ""
msgstr ""
"Language: {}\\n"
"X-Editor: any\\n"
"Plural-Forms: {}\\n"

"""
TWO_FORMS = "nplurals=2; plural=(n != 1);"
ENGLISH = (
    HEADER.format("en", TWO_FORMS)
    + """msgid "language.name"
msgstr "English"

msgid "language.decimal_sign"
msgstr "."

msgid "table.drew"
msgid_plural "table.drew"
msgstr[0] "{name} drew {n} card"
msgstr[1] "{name} drew {n} cards"

msgctxt "argparse"
msgid "usage: "
msgstr ""

msgctxt "Table"
msgid "%n cards"
msgid_plural "%n cards"
msgstr[0] "%n card"
msgstr[1] "%n cards"
"""
)
SPANISH = (
    HEADER.format("es", TWO_FORMS)
    + """#. English
msgid "language.name"
msgstr "Español"

#. .
msgid "language.decimal_sign"
msgstr ","

# Of the pile.
#. {name} drew {n} card
#. {name} drew {n} cards
msgid "table.drew"
msgid_plural "table.drew"
msgstr[0] "{name} toma {n} carta"
msgstr[1] "{name} toma {n} cartas"

msgctxt "argparse"
msgid "usage: "
msgstr "uso: "

msgctxt "Room"
msgid "10 % of {name}"
msgstr "El 10 % de {name}"

msgctxt "Table"
msgid "Leave"
msgstr "Salir"

msgctxt "Table"
msgid "%n cards"
msgid_plural "%n cards"
msgstr[0] "%n carta"
msgstr[1] "%n cartas"
"""
)


class Tree:
    """Sources and catalogues that belong together."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.languages = folder / "languages"
        folders = {"FOLDER": "languages", "QML": "qml", "PYTHON": "app", "DESKTOP": "desktop"}
        for constant, name in folders.items():
            (folder / name).mkdir()
            monkeypatch.setattr(catalogues, constant, folder / name)
        self.say('text: qsTr("Leave"); value: qsTr("%n cards", "", 2)')
        self.write("app/room.py", 'translate("Room", "10 % of {name}")')
        self.write("languages/en.po", ENGLISH)
        self.write("languages/es.po", SPANISH)

    def say(self, source: str) -> None:
        self.write("qml/Table.qml", source)

    def write(self, name: str, text: str) -> None:
        (self.languages.parent / name).write_text(text, encoding="utf-8")

    def read(self, language: str) -> str:
        return (self.languages / f"{language}.po").read_text(encoding="utf-8")

    def missing(self, capsys: pytest.CaptureFixture[str]) -> list[str]:
        code = catalogues.main(["missing"])
        lines = capsys.readouterr().out.splitlines()
        assert code == (1 if lines else 0)
        return lines


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tree:
    return Tree(tmp_path, monkeypatch)


def test_nothing_changes_where_all_is_up_to_date(
    tree: Tree, capsys: pytest.CaptureFixture[str]
) -> None:
    assert catalogues.main(["update"]) == 0
    assert (tree.read("en"), tree.read("es")) == (ENGLISH, SPANISH)
    assert tree.missing(capsys) == []


def test_new_texts_come_and_old_ones_go(tree: Tree, capsys: pytest.CaptureFixture[str]) -> None:
    tree.say('text: qsTr("Leave now"); value: qsTr("%n cards", "", 2); more: qsTr("%n", "", 1)')
    assert tree.missing(capsys) == ["en: Table: %n", "es: Table: Leave now", "es: Table: %n"]
    catalogues.update()
    assert tree.missing(capsys) == ["en: Table: %n", "es: Table: Leave now", "es: Table: %n"]
    spanish = tree.read("es")
    assert "Salir" not in spanish
    assert 'msgid "%n"\nmsgid_plural "%n"\nmsgstr[0] ""\nmsgstr[1] ""\n' in spanish
    assert spanish.index('"Leave now"') < spanish.index('"%n carta"') < spanish.index('"%n"')
    assert '"Leave now"' not in tree.read("en")
    # Nothing is guessed, and a dropped text does not come back with its translation.
    tree.say('text: qsTr("Leave"); value: qsTr("%n cards", "", 2)')
    catalogues.update()
    assert tree.missing(capsys) == ["es: Table: Leave"]
    assert tree.read("en") == ENGLISH
    assert tree.read("es") == SPANISH.replace("Salir", "")


def test_messages_come_from_english(tree: Tree, capsys: pytest.CaptureFixture[str]) -> None:
    lines = "One line.\\n{n} % of another, " + "long " * 20
    new = (
        f'msgid "table.left"\nmsgstr "{lines}"\n\nmsgctxt "argparse"\nmsgid "options"\nmsgstr ""\n'
    )
    changed = ENGLISH.replace(
        'msgid "language.decimal_sign"\nmsgstr "."\n', new.replace("{n}", "{share}")
    )
    tree.write("languages/en.po", changed.replace('"{name} drew {n} card"', '"{name} drew a card"'))
    catalogues.update()
    spanish = tree.read("es")
    assert "language.decimal_sign" not in spanish
    assert "#. {name} drew a card\n#. {name} drew {n} cards\nmsgid" in spanish
    assert "#. One line. {share} % of another, long long" in spanish
    assert "format" not in spanish
    assert "# Of the pile.\n" in spanish
    assert tree.missing(capsys) == ["es: table.left", "es: argparse: options"]
    catalogues.update()
    assert tree.read("es") == spanish


def test_doubts_of_a_translator_stay(tree: Tree, capsys: pytest.CaptureFixture[str]) -> None:
    doubtful = SPANISH.replace(
        'msgctxt "Table"\nmsgid "Leave"', '#, fuzzy\nmsgctxt "Table"\nmsgid "Leave"'
    )
    tree.write("languages/es.po", doubtful)
    catalogues.update()
    assert tree.read("es") == doubtful
    assert tree.missing(capsys) == ["es: Table: Leave"]


def test_a_text_that_gets_a_number_is_translated_anew(
    tree: Tree, capsys: pytest.CaptureFixture[str]
) -> None:
    tree.say('text: qsTr("Leave", "", 1); value: qsTr("%n cards", "", 2)')
    catalogues.update()
    assert tree.missing(capsys) == ["en: Table: Leave", "es: Table: Leave"]


def test_a_text_with_and_without_a_number(tree: Tree, capsys: pytest.CaptureFixture[str]) -> None:
    tree.say('text: qsTr("Leave"); more: qsTr("Leave", "", 2)')
    assert catalogues.main(["update"]) == 1
    assert "'Leave' both with and without a number" in capsys.readouterr().err
    assert tree.read("es") == SPANISH


@pytest.mark.parametrize(
    ("code", "name", "sign"),
    [
        ("br", "Brezhoneg", ","),
        ("ca", "Català", ","),
        ("fr", "Français", ","),
        ("it", "Italiano", ","),
        ("ja", "日本語", "."),
        ("pl", "Polski", ","),
        ("pt", "Português", ","),
        ("pt_BR", "Português (Brasil)", ","),
    ],
)
def test_a_language_is_started(
    tree: Tree,
    code: str,
    name: str,
    sign: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert catalogues.main(["new", code]) == 0
    assert capsys.readouterr().out == f"{tree.languages / code}.po\n"
    text = tree.read(code)
    assert f'#. English\nmsgid "language.name"\nmsgstr "{name}"\n' in text
    assert f'msgid "language.decimal_sign"\nmsgstr "{sign}"\n' in text
    assert text.count("msgstr[") == 2 * get_plural(code).num_plurals
    compile_languages.compile_all(tree.languages)
    catalogues.update()
    assert tree.read(code) == text
    assert tree.missing(capsys) == [
        f"{code}: {each}"
        for each in (
            "table.drew",
            "argparse: usage: ",
            "Room: 10 % of {name}",
            "Table: Leave",
            "Table: %n cards",
        )
    ]


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("xx", "no such language"),
        ("not one", "no such language"),
        ("../pl", "no such language"),
        ("", "no such language"),
        ("es", "es.po exists already"),
    ],
)
def test_a_language_that_cannot_be_started(
    tree: Tree, code: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert catalogues.main(["new", code]) == 1
    assert why in capsys.readouterr().err
    assert {each.name for each in tree.languages.iterdir()} == {"en.po", "es.po"}


def test_a_language_whose_plurals_qt_cannot_form(
    tree: Tree, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In Cornish, thousands have forms of their own; whether Babel knows so depends on its age."""
    monkeypatch.setitem(plurals.PLURALS, "kw", (2, "n % 1000 == 0"))
    assert catalogues.main(["new", "kw"]) == 1
    assert "kw: Qt has no such plural rule" in capsys.readouterr().err
    assert {each.name for each in tree.languages.iterdir()} == {"en.po", "es.po"}


def test_a_bad_catalogue_is_left_alone(tree: Tree) -> None:
    tree.write("languages/es.po", SPANISH + "?")
    with pytest.raises(BadCatalogue):
        catalogues.update()
    assert tree.read("es") == SPANISH + "?"


# The program.


def test_wrong_words_are_answered_with_the_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert catalogues.main(["fill"]) == 2
    assert "catalogues.py new CODE" in capsys.readouterr().err


def test_without_its_libraries_it_says_what_to_install() -> None:
    done = subprocess.run(
        [sys.executable, "-S", PACKAGING / "catalogues.py", "new", "pl"],
        # Commands that ran in this process set PYTHONSAFEPATH, which a person does not.
        env={**os.environ, "PYTHONPATH": "", "PYTHONSAFEPATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert f"pip install -e '{ROOT}[test]'" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("path", LANGUAGES, ids=lambda path: path.stem)
def test_the_languages_are_up_to_date(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If this fails, run `packaging/catalogues.py update`."""
    for each in {path, path.with_name("en.po")}:
        shutil.copy(each, tmp_path)
    monkeypatch.setattr(catalogues, "FOLDER", tmp_path)
    catalogues.update()
    assert (tmp_path / path.name).read_text(encoding="utf-8") == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", LANGUAGES, ids=lambda path: path.stem)
def test_nothing_is_left_untranslated(path: Path) -> None:
    """If this fails, any editor for .po files shows the untranslated texts."""
    assert [line for line in catalogues.missing() if line.startswith(f"{path.stem}: ")] == []
