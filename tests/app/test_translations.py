"""Tests of the translations: Qt finds every plural form, and the language changes at once."""

from __future__ import annotations

import gettext
import shutil
from collections.abc import Iterator
from pathlib import Path

import compile_languages as compiler
import pytest
from babel.messages.plurals import PLURALS
from PySide6.QtCore import QLocale, QTranslator
from PySide6.QtGui import QGuiApplication

from lanuno.app import setting_texts
from lanuno.app.problem_texts import play_refusal
from lanuno.app.texts import current_language
from lanuno.app.translations import Translations
from lanuno.client import languages
from lanuno.client.texts import Texts
from lanuno.rules.cards import Colour
from lanuno.rules.refusals import ActRefusal
from lanuno.rules.settings import SETTINGS

LANGUAGES = sorted(compiler.FOLDER.glob("*.po"))
NUMBERS = (*range(1250), *range(9_990, 10_130), 999_999)
MILLIONS = (1_000_000, 1_000_001, 2_000_011, 2**31 - 1)

# Formulas of the gettext manual ("Plural forms"), of Qt Linguist and of CLDR, as newer Babels have.
FORMULAS = {
    "fr": (2, "n>1"),
    "lv": (3, "n%10==1 && n%100!=11 ? 0 : n != 0 ? 1 : 2"),
    "ar": (6, "n==0?0:n==1?1:n==2?2:n%100>=3&&n%100<=10?3:n%100>=11?4:5"),
    "cy": (5, "n==0 ? 0 : n==1 ? 1 : (n>=2 && n<=5) ? 2 : n==6 ? 3 : 4"),
    "gd": (4, "(n==1||n==11) ? 0 : (n==2||n==12) ? 1 : (n>2 && n<20) ? 2 : 3"),
    "mk": (3, "n%100==1 ? 0 : n%100==2 ? 1 : 2"),
    "fil": (3, "n==1 ? 0 : (n%10==4 || n%10==6 || n%10==9) ? 1 : 2"),
    "unused": (3, "n>1 ? 2 : 0"),
    "late": (2, "n>=100"),
    "fr-cldr": (3, "(n == 0 || n == 1) ? 0 : n != 0 && n % 1000000 == 0 ? 1 : 2"),
    "it-cldr": (3, "(n == 1 ? 0 : n != 0 && n % 1000000 == 0 ? 1 : 2)"),
}
# Qt has no way to express the Cornish forms for thousands.
RULES = {f"{code}-babel": each for code, each in PLURALS.items() if code != "kw"} | FORMULAS


def catalogue(folder: Path, entries: str, forms: int = 2, formula: str = "n != 1") -> Path:
    """Write a catalogue with these entries."""
    path = folder / "es.po"
    header = f'"Language: es\\n"\n"Plural-Forms: nplurals={forms}; plural={formula};\\n"'
    name = 'msgid "language.name"\nmsgstr "Español"'
    path.write_text(f'msgid ""\nmsgstr ""\n{header}\n\n{name}\n\n{entries}\n', encoding="utf-8")
    return path


def loaded(source: Path, folder: Path) -> tuple[gettext.GNUTranslations, QTranslator]:
    """Compile a catalogue, and load it in Python and in Qt."""
    mo, qm = compiler.compiled(source)
    (folder / "language.mo").write_bytes(mo)
    (folder / "language.qm").write_bytes(qm)
    translator = QTranslator()
    assert translator.load(str(folder / "language.qm"))
    with (folder / "language.mo").open("rb") as file:
        return gettext.GNUTranslations(file), translator


@pytest.fixture(scope="module")
def compiled() -> None:
    compiler.compile_all()


@pytest.fixture
def other(
    qt: QGuiApplication, compiled: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """The languages of a program that also has Polish, which translates only its own name."""
    folder = tmp_path / "languages"
    shutil.copytree(compiler.FOLDER, folder)
    header = '"Language: pl\\n"\n"Plural-Forms: nplurals=2; plural=n != 1;\\n"'
    name = 'msgid "language.name"\nmsgstr "Polski"'
    (folder / "pl.po").write_text(f'msgid ""\nmsgstr ""\n{header}\n\n{name}\n', encoding="utf-8")
    compiler.compile_all(folder)
    monkeypatch.setattr("lanuno.store.resources.resources", lambda: tmp_path)
    caches = languages.languages, languages.catalogue
    for cache in caches:
        cache.cache_clear()
    yield folder
    for cache in caches:
        cache.cache_clear()
    monkeypatch.undo()
    assert Translations(qt).install("en")


def test_without_translators_everything_is_english(qt: QGuiApplication, compiled: None) -> None:
    """Else what runs in the same process afterwards would speak two languages."""
    translations = Translations()
    assert translations.install("es")
    assert play_refusal(ActRefusal.NOT_YOUR_TURN) == "No es tu turno."
    translations.remove()
    assert (translations.language, current_language()) == ("en", "en")
    assert QLocale().language() is QLocale.Language.English
    assert play_refusal(ActRefusal.NOT_YOUR_TURN) == "It is not your turn."


def test_what_a_language_lacks_is_english_with_its_plurals(other: Path) -> None:
    translations = Translations()
    assert translations.install("pl")
    assert current_language() == "pl"
    cards = [setting_texts.value_text(SETTINGS["deck"], number) for number in (1, 108)]
    assert cards == ["one card", "108 cards"]
    assert play_refusal(ActRefusal.NOT_YOUR_TURN) == "It is not your turn."
    translations.remove()


@pytest.mark.logs_warnings
@pytest.mark.parametrize("suffix", [".mo", ".qm"])
@pytest.mark.parametrize("data", [None, b"", b"\xde\x12\x04\x95 and no more"])
def test_a_damaged_language_leaves_the_window_english(
    other: Path, suffix: str, data: bytes | None, caplog: pytest.LogCaptureFixture
) -> None:
    assert "pl" in languages.languages()
    path = other / f"pl{suffix}"
    path.unlink()
    if data is not None:
        path.write_bytes(data)
    translations = Translations()
    assert translations.install("es")
    assert not translations.install("pl")
    assert (translations.language, current_language()) == ("en", "en")
    assert play_refusal(ActRefusal.NOT_YOUR_TURN) == "It is not your turn."
    assert str(path) in caplog.text
    assert languages.own_name("pl") == ("Polski" if suffix == ".qm" else "pl")
    translations.remove()


def test_a_country_takes_what_it_lacks_from_the_language(other: Path) -> None:
    (other / "es_MX.po").write_text(
        (other / "pl.po").read_text(encoding="utf-8").replace("pl", "es_MX", 1), encoding="utf-8"
    )
    compiler.compile_all(other)
    languages.languages.cache_clear()
    translations = Translations()
    assert translations.install("es_MX")
    assert play_refusal(ActRefusal.NOT_YOUR_TURN) == "No es tu turno."
    assert Texts("es_MX").member(Colour.RED) == "rojo"
    translations.remove()


def test_the_texts_of_qt_change_too(qt: QGuiApplication, compiled: None) -> None:
    """The texts of a file dialog change, too, on a desktop without a dialog of its own."""
    translations = Translations()
    try:
        for language, text in (("es", "Cancelar"), ("en", "Cancel"), ("es", "Cancelar")):
            assert translations.install(language)
            assert qt.translate("QPlatformTheme", "Cancel") == text
    finally:
        assert translations.install("en")


def test_words_change_with_the_language(qt: QGuiApplication, compiled: None) -> None:
    translations = Translations()
    assert translations.install("es")
    assert play_refusal(ActRefusal.NOT_YOUR_TURN) == "No es tu turno."
    assert translations.install("en")
    assert play_refusal(ActRefusal.NOT_YOUR_TURN) == "It is not your turn."


@pytest.mark.parametrize("source", LANGUAGES, ids=lambda path: path.stem)
def test_qt_finds_every_text_in_every_plural_form(source: Path, tmp_path: Path) -> None:
    python, qt = loaded(source, tmp_path)
    assert qt.language() == source.stem
    looked_up = 0
    for entry in compiler.read(source):
        text = compiler.text_of(entry)
        if entry.context is None or not compiler.is_translated(entry):
            continue
        if entry.pluralizable:
            for number in (*range(130), 1000, 1001, 1_000_000):
                wanted = python.npgettext(entry.context, text, text, number)
                assert qt.translate(entry.context, text, "", number) == wanted
                looked_up += 1
        else:
            assert qt.translate(entry.context, text) == python.pgettext(entry.context, text)
            looked_up += 1
    assert looked_up > 1000


@pytest.mark.parametrize(("forms", "formula"), RULES.values(), ids=RULES)
def test_qt_uses_the_plural_forms_of_gettext(forms: int, formula: str, tmp_path: Path) -> None:
    entry = 'msgctxt "Table"\nmsgid "%n cards"\nmsgid_plural "%n cards"\n'
    entry += "\n".join(f'msgstr[{form}] "%n in form {form}"' for form in range(forms))
    python, qt = loaded(catalogue(tmp_path, entry, forms, formula), tmp_path)
    # Nothing in the window is counted in millions, so Qt does without a form for them.
    for number in NUMBERS if "1000000" in formula else (*NUMBERS, *MILLIONS):
        wanted = python.npgettext("Table", "%n cards", "", number)
        assert wanted.startswith("%n in form ")
        assert qt.translate("Table", "%n cards", "", number) == wanted, number


def test_a_text_belongs_to_its_context(tmp_path: Path) -> None:
    entries = (
        'msgctxt "Table"\nmsgid "Leave"\nmsgstr "Abandonar"\n\n'
        'msgctxt "Room"\nmsgid "Leave"\nmsgstr "Salir"\n\n'
        'msgctxt "Room"\nmsgid "Say “UNO”"\nmsgstr "«UNO», \\"ñ\\",\\n🂡"\n'
    )
    _, qt = loaded(catalogue(tmp_path, entries), tmp_path)
    assert qt.translate("Table", "Leave") == "Abandonar"
    assert qt.translate("Room", "Leave") == "Salir"
    assert qt.translate("Room", "Say “UNO”") == '«UNO», "ñ",\n🂡'
    assert not qt.translate("Home", "Leave")


def test_what_is_not_translated_is_left_out(tmp_path: Path) -> None:
    entries = (
        '#, fuzzy\nmsgctxt "Table"\nmsgid "Draw"\nmsgstr "Rob"\n\n'
        'msgctxt "Table"\nmsgid "Say"\nmsgstr ""\n\n'
        'msgctxt "Table"\nmsgid "%n"\nmsgid_plural "%n"\nmsgstr[0] ""\nmsgstr[1] ""\n\n'
        '#~ msgctxt "Table"\n#~ msgid "Keep"\n#~ msgstr "Queda"\n'
    )
    _, qt = loaded(catalogue(tmp_path, entries), tmp_path)
    assert not any(qt.translate("Table", text) for text in ("Draw", "Say", "Keep"))
    assert not qt.translate("Table", "%n", "", 2)
