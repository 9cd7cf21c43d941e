"""Tests of the language compiler: what it refuses and writes. tests/app shows what Qt reads."""

from __future__ import annotations

import errno
import gettext
import os
import shutil
import subprocess
import sys
from pathlib import Path

import compile_languages as compiler
import pytest

from tests.harness.processes.packaging_programs import PACKAGING

HEADER = """msgid ""
msgstr ""
"Language: es\\n"
"PO-Revision-Date: last Tuesday\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

"""
NAME = 'msgid "language.name"\nmsgstr "Español"\n\n'
LEAVE = 'msgctxt "Room"\nmsgid "Leave"\nmsgstr "Salir"\n\n'
CARDS = """msgctxt "Table"
msgid "%n cards"
msgid_plural "%n cards"
msgstr[0] "%n carta"
msgstr[1] "%n cartas"

"""
CATALOGUE = HEADER + NAME + CARDS + LEAVE


def written(folder: Path, text: str, name: str = "es.po") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def made_at(path: Path, nanoseconds: int) -> None:
    os.utime(path, ns=(nanoseconds, nanoseconds))


def loaded(path: Path) -> gettext.GNUTranslations:
    with path.open("rb") as file:
        return gettext.GNUTranslations(file)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "Language: es"),
        (CATALOGUE.replace("Language: es", "Language: fr"), "Language: es"),
        (LEAVE + CATALOGUE, "Language: es"),
        (CATALOGUE.replace('"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n', ""), "Plural-For"),
        (CATALOGUE.replace("nplurals=2", "nplurals=two"), "Plural-Forms"),
        (CATALOGUE.replace("plural=(", "plural"), "Plural-Forms"),
        (CATALOGUE.replace("(n != 1)", "(n != 1"), "Plural-Forms"),
        (CATALOGUE.replace("(n != 1)", "m"), "Plural-Forms"),
        (CATALOGUE.replace("(n != 1)", "n % (n - n)"), "Plural-Forms"),
        (CATALOGUE.replace("(n != 1)", "n"), "form 2 of 2 for 2"),
        (CATALOGUE.replace("(n != 1)", "n == 10000"), "Qt has no such plural rule"),
        (CATALOGUE.replace("(n != 1)", "n == 200"), "Qt has no such plural rule"),
        (CATALOGUE.replace("(n != 1)", "n % 1000 == 123"), "Qt has no such plural rule"),
        (CATALOGUE.replace('"Salir"', '"Salir'), ":18: this is not a line of a .po"),
        (CATALOGUE.replace("Salir", "\\Salir"), ":18: this is not a line of a .po"),
        (CATALOGUE.replace("msgid ", "msg ", 2), ":1: this is not a line of a .po"),
        (CATALOGUE.replace('msgstr "Salir"', ""), ":17: missing msgstr"),
        (CATALOGUE.replace('msgstr[1] "%n cartas"', ""), ":11: not all of 2 plural forms"),
        (CATALOGUE.replace("%n cartas", ""), ":11: not all of 2 plural forms"),
        (CATALOGUE.replace("msgstr[1]", "msgstr[2]"), ":11: msg has more translations"),
        (CATALOGUE + LEAVE, ":21: this entry is in the file twice"),
        (CATALOGUE + HEADER, ":20: this entry has an empty text"),
        (HEADER + LEAVE, "language.name"),
        (CATALOGUE.replace("Español", ""), "language.name"),
    ],
)
def test_a_bad_catalogue_is_named(text: str, why: str, tmp_path: Path) -> None:
    path = written(tmp_path, text)
    with pytest.raises(compiler.BadCatalogue) as caught:
        compiler.compile_all(tmp_path)
    assert str(caught.value).startswith(str(path))
    assert why in str(caught.value)
    assert [each.name for each in tmp_path.iterdir()] == ["es.po"]


def test_a_catalogue_in_another_encoding_is_named(tmp_path: Path) -> None:
    (tmp_path / "es.po").write_text(CATALOGUE, encoding="latin-1")
    with pytest.raises(compiler.BadCatalogue, match=r"es\.po: not UTF-8"):
        compiler.compile_all(tmp_path)


ENGLISH = (
    HEADER.replace("es", "en")
    + """msgid "language.name"
msgstr "English"

msgid "error.high"
msgstr "'{setting}' is {limit:points} at most"

msgid "table.drew"
msgid_plural "table.drew"
msgstr[0] "{name} draws {number} card"
msgstr[1] "{name} draws {number} cards"

"""
)


def translated(key: str, *forms: str, context: str = "") -> str:
    """Return an entry of a .po."""
    lines = [f'msgctxt "{context}"'] if context else []
    lines.append(f'msgid "{key}"')
    if len(forms) > 1:
        lines.append(f'msgid_plural "{key}"')
        lines += [f'msgstr[{number}] "{form}"' for number, form in enumerate(forms)]
    else:
        lines.append(f'msgstr "{forms[0]}"')
    return "\n".join(lines) + "\n\n"


@pytest.mark.parametrize(
    "entry",
    [
        translated("error.high", "{seting} {limit:points}"),
        translated("error.high", "{setting.__class__} {limit:points}"),
        translated("error.high", "{setting!r} {limit:points}"),
        translated("error.high", "{setting} {limit}"),
        translated("error.high", "{setting} {limit:points"),
        translated("error.high", "{setting} {limit:points} {0}"),
        translated("error.high", "}"),
        translated("table.drew", "{name}", "{name}"),
        translated("table.drew", "{number}", "{name} {number}"),
        translated("%n of %1", "%n", context="Table"),
        translated("%n of %1", "%1 %2 %n", context="Table"),
        translated("With {name}", "Con {nombre}", context="Home"),
        translated("unrecognized arguments: %s", "no", context="argparse"),
        translated("unrecognized arguments: %s", "no: %d", context="argparse"),
        translated("argument %(argument_name)s", "%(x)s", context="argparse"),
    ],
)
def test_a_wrong_place_for_a_value_is_named(entry: str, tmp_path: Path) -> None:
    """The program would crash when it shows such a text."""
    written(tmp_path, ENGLISH, "en.po")
    path = written(tmp_path, CATALOGUE + entry)
    with pytest.raises(compiler.BadCatalogue) as caught:
        compiler.compile_all(tmp_path)
    line = 21 if "msgctxt" in entry else 20
    assert str(caught.value).startswith(f"{path}:{line}: ")


@pytest.mark.parametrize(
    "entry",
    [
        translated("error.high", "{limit:points}: {setting}"),
        translated("table.drew", "una carta para {name}", "{number} cartas para {name}"),
        translated("%n of %1", "%1 %n", context="Table"),
        translated("50 % of it", "50 % de ello", context="Table"),
        translated("argument %(argument_name)s", "«%(argument_name)s»", context="argparse"),
    ],
)
def test_places_may_change_their_order(entry: str, tmp_path: Path) -> None:
    written(tmp_path, ENGLISH, "en.po")
    written(tmp_path, CATALOGUE + entry)
    assert len(compiler.compile_all(tmp_path)) == 4


@pytest.mark.parametrize("name", ["es_ES.bak.po", "ES.po", "es-MX.po", "sr_Latn.po", "x.po"])
def test_a_name_that_no_computer_asks_for_is_named(name: str, tmp_path: Path) -> None:
    path = written(tmp_path, CATALOGUE.replace("Language: es", f"Language: {name[:-3]}"), name)
    with pytest.raises(compiler.BadCatalogue, match="not a language code") as caught:
        compiler.compile_all(tmp_path)
    assert str(path) in str(caught.value)


def test_a_mark_of_the_byte_order_is_no_fault(tmp_path: Path) -> None:
    written(tmp_path, "\ufeff" + CATALOGUE)
    assert loaded(compiler.compile_all(tmp_path)[0]).gettext("language.name") == "Español"


def test_what_is_up_to_date_on_a_disk_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, CATALOGUE)
    for path in compiler.compile_all(tmp_path):
        made_at(path, 1)

    def read_only(path: Path) -> None:
        raise OSError(errno.EROFS, "Read-only file system", str(path))

    monkeypatch.setattr(Path, "touch", read_only)
    assert len(compiler.compile_all(tmp_path)) == 2


def test_two_starts_may_remove_the_same_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, CATALOGUE)
    (tmp_path / "old.mo").write_bytes(b"")
    glob = Path.glob

    def slow(folder: Path, pattern: str) -> list[Path]:
        found = list(glob(folder, pattern))
        # The other program removes the file first.
        (tmp_path / "old.mo").unlink(missing_ok=True)
        return found

    monkeypatch.setattr(Path, "glob", slow)
    compiler.compile_all(tmp_path)
    assert not (tmp_path / "old.mo").exists()


def test_all_that_is_translated_is_compiled(tmp_path: Path) -> None:
    more = (
        'msgid "table.left"\nmsgstr ""\n\n'
        '#, fuzzy\nmsgid "table.won"\nmsgstr "perdió"\n\n'
        '#~ msgid "table.old"\n#~ msgstr "vieja"\n\n'
        'msgid "table.drew"\nmsgid_plural "table.drew"\nmsgstr[0] ""\nmsgstr[1] ""\n\n'
    )
    written(tmp_path, CATALOGUE + more)
    mo, qm = compiler.compile_all(tmp_path)
    assert (mo.name, qm.name) == ("es.mo", "es.qm")
    found = loaded(mo)
    assert found.info()["language"] == "es"
    assert found.gettext("language.name") == "Español"
    assert found.pgettext("Room", "Leave") == "Salir"
    assert found.npgettext("Table", "%n cards", "", 2) == "%n cartas"
    missing = ("table.left", "table.won", "table.old")
    assert [found.gettext(each) for each in missing] == [*missing]
    assert found.ngettext("table.drew", "?", 2) == "?"
    # Qt gets the entries with a context.
    assert "Salir".encode("utf-16-be") in qm.read_bytes()
    assert "Español".encode("utf-16-be") not in qm.read_bytes()


def test_the_same_catalogue_makes_the_same_files(tmp_path: Path) -> None:
    source = written(tmp_path, CATALOGUE)
    first = compiler.compiled(source)
    assert compiler.compiled(source) == first
    assert compiler.compiled(written(tmp_path, CATALOGUE.replace("\n", "\r\n"))) == first


def test_only_what_changed_is_written_again(tmp_path: Path) -> None:
    source = written(tmp_path, CATALOGUE)
    made_at(source, 0)
    paths = compiler.compile_all(tmp_path)
    first = [path.stat() for path in paths]
    assert compiler.compile_all(tmp_path) == paths
    assert [path.stat() for path in paths] == first
    # Older than the program, but with the same contents: touched once and not rewritten.
    for path in paths:
        made_at(path, 1)
    compiler.compile_all(tmp_path)
    assert [path.stat().st_ino for path in paths] == [each.st_ino for each in first]
    assert all(path.stat().st_mtime_ns >= first[0].st_mtime_ns for path in paths)
    written(tmp_path, CATALOGUE.replace("Salir", "Irse"))
    made_at(source, first[1].st_mtime_ns + 10**9)
    compiler.compile_all(tmp_path)
    # Replaced, not changed, because a running app still maps the old file.
    assert all(path.stat().st_ino != each.st_ino for path, each in zip(paths, first, strict=True))
    assert loaded(paths[0]).pgettext("Room", "Leave") == "Irse"
    assert {each.name for each in tmp_path.iterdir()} == {"es.po", "es.mo", "es.qm"}


@pytest.mark.parametrize("suffix", [".mo", ".qm"])
def test_a_missing_half_is_made_again(suffix: str, tmp_path: Path) -> None:
    source = written(tmp_path, CATALOGUE)
    compiler.compile_all(tmp_path)
    source.with_suffix(suffix).unlink()
    compiler.compile_all(tmp_path)
    assert source.with_suffix(suffix).exists()


def test_what_has_no_source_is_removed(tmp_path: Path) -> None:
    written(tmp_path, CATALOGUE)
    target = tmp_path / "target"
    target.mkdir()
    for name in ("fr.mo", "fr.qm", "es.qm", "other"):
        (target / name).write_bytes(b"?")
    compiler.compile_all(tmp_path, target)
    assert {each.name for each in target.iterdir()} == {"es.mo", "es.qm", "other"}
    assert {each.name for each in tmp_path.iterdir()} == {"es.po", "target"}


# The program.


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with the program and one language."""
    (tmp_path / "packaging").mkdir()
    shutil.copy(PACKAGING / "compile_languages.py", tmp_path / "packaging")
    folder = tmp_path / "resources" / "languages"
    folder.mkdir(parents=True)
    written(folder, CATALOGUE)
    return tmp_path


def run(checkout: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-I", *options, checkout / "packaging" / "compile_languages.py"],
        capture_output=True,
        text=True,
        check=False,
    )


def test_without_babel_the_program_says_what_to_install(checkout: Path) -> None:
    # -S hides the installed packages.
    done = run(checkout, "-S")
    assert (done.returncode, done.stdout) == (1, "")
    assert "Traceback" not in done.stderr
    assert f"-m pip install -e '{checkout}[checkout]'" in done.stderr
    done = run(checkout)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    # If nothing has changed, Babel is not needed.
    assert run(checkout, "-S").returncode == 0
    later = (checkout / "resources" / "languages" / "es.qm").stat().st_mtime_ns + 1
    made_at(checkout / "packaging" / "compile_languages.py", later)
    assert run(checkout, "-S").returncode == 1


def test_a_bad_catalogue_ends_the_program(checkout: Path) -> None:
    written(checkout / "resources" / "languages", "?", "fr.po")
    done = run(checkout)
    assert (done.returncode, done.stdout) == (1, "")
    assert "fr.po:1: this is not a line of a .po file: ?\n" in done.stderr
    assert len(done.stderr.splitlines()) == 1
