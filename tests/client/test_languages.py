"""The languages: which exist, which one is chosen, and what happens if texts are missing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from lanuno.client.languages import SOURCE, catalogue, choose_language, languages, own_name
from lanuno.store.errors import FileProblem, StoreError
from tests.harness.catalogues import FOLDER


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An installation without any language."""
    (tmp_path / "languages").mkdir()
    monkeypatch.setattr("lanuno.store.resources.resources", lambda: tmp_path)
    languages.cache_clear()
    catalogue.cache_clear()
    yield tmp_path / "languages"
    languages.cache_clear()
    catalogue.cache_clear()


def add(folder: Path, language: str, **texts: str) -> None:
    """Add a compiled language with these texts."""
    made = Catalog(locale=language, fuzzy=False)
    for key, text in texts.items():
        made.add(key, text)
    if language == SOURCE:
        made.add(("cards", "cards"), ["{number} one", "{number} many"])
    with (folder / f"{language}.mo").open("wb") as file:
        write_mo(file, made)


def test_every_file_is_a_language() -> None:
    assert set(languages()) == {path.stem for path in FOLDER.glob("*.po")}
    assert languages()[-1] == SOURCE
    assert [own_name(language) for language in ("es", "en")] == ["Español", "English"]


def test_a_new_file_is_a_new_language(folder: Path) -> None:
    for language in ("en", "pt_BR", "fr", "es"):
        add(folder, language)
    assert languages() == ("es", "fr", "pt_BR", "en")


def test_what_a_language_lacks_is_english(folder: Path) -> None:
    add(folder, "en", hello="Hello", bye="Bye")
    add(folder, "fr", hello="Bonjour")
    french = catalogue("fr")
    assert french.gettext("hello") == "Bonjour"
    assert french.gettext("bye") == "Bye"
    assert french.ngettext("cards", "cards", 2) == "{number} many"
    assert french.pgettext("argparse", "usage: ") == "usage: "
    with pytest.raises(KeyError):
        french.gettext("x")
    with pytest.raises(KeyError):
        french.ngettext("x", "x", 1)


def test_an_installation_without_languages_says_so(folder: Path) -> None:
    with pytest.raises(StoreError) as caught:
        catalogue(SOURCE)
    assert caught.value.problem is FileProblem.MISSING_RESOURCES
    assert caught.value.path == folder / "en.mo"


@pytest.mark.parametrize("length", [0, 3, 20, 30, 200, -30])
def test_a_damaged_file_says_so(folder: Path, length: int) -> None:
    add(folder, "en", hello="Hello", bye="Bye")
    path = folder / "en.mo"
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(StoreError) as caught:
        catalogue(SOURCE)
    assert caught.value.problem is FileProblem.DAMAGED


@pytest.mark.parametrize(
    ("asked", "environment", "language"),
    [
        (None, {}, "en"),
        (None, {"LANG": "C.UTF-8"}, "en"),
        (None, {"LANG": "es_ES.UTF-8"}, "es"),
        (None, {"LANG": "es"}, "es"),
        (None, {"LANG": "est_EE.UTF-8"}, "en"),
        (None, {"LANG": "de_DE.UTF-8"}, "en"),
        (None, {"LANG": "en_GB.UTF-8", "LC_MESSAGES": "es_AR"}, "es"),
        (None, {"LANG": "es_ES", "LC_ALL": "en_GB"}, "en"),
        (None, {"LANG": "ca_ES.UTF-8", "LANGUAGE": "ca:es:en"}, "es"),
        (None, {"LANG": "C", "LANGUAGE": "es"}, "en"),
        (None, {"LANGUAGE": "es"}, "en"),
        ("en", {"LANG": "es_ES.UTF-8"}, "en"),
        ("es", {}, "es"),
        ("fr", {"LANG": "es_ES.UTF-8"}, "es"),
    ],
)
def test_the_language(
    folder: Path, asked: str | None, environment: dict[str, str], language: str
) -> None:
    for code in ("en", "es"):
        add(folder, code)
    assert choose_language(asked, environment) == language


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        ("pt_BR.UTF-8", "pt_BR"),
        ("pt_PT", "en"),
        ("sr_RS@latin", "sr"),
        ("sr-Latn-RS", "sr"),
        ("zh_TW.Big5", "zh_TW"),
        ("zh-Hant-TW", "zh_TW"),
    ],
)
def test_a_country_may_have_a_file_of_its_own(folder: Path, locale: str, language: str) -> None:
    for code in ("en", "pt_BR", "sr", "zh", "zh_TW"):
        add(folder, code)
    assert choose_language(None, {"LANG": locale}) == language


@pytest.mark.parametrize(
    ("environment", "system", "language"),
    [
        ({}, ["es-Latn-MX", "es-MX", "es-Latn", "es"], "es"),
        ({}, ["ca-ES", "fr-FR", "fr", "es-ES"], "fr"),
        ({}, ["ca-ES", "es-ES", "fr-FR"], "es"),
        ({}, ["de-DE", "en-GB", "es"], "en"),
        ({}, ["C"], "en"),
        ({"LC_NUMERIC": "de_DE.UTF-8", "LANG": ""}, ["es"], "es"),
        ({"LANG": "C"}, ["es"], "en"),
        ({"LANG": "fr_FR.UTF-8"}, ["es"], "fr"),
        ({"LC_ALL": "xx_YY.none"}, ["es"], "en"),
    ],
)
def test_the_system_is_asked_where_no_variable_says_anything(
    folder: Path, environment: dict[str, str], system: list[str], language: str
) -> None:
    for code in ("en", "es", "fr"):
        add(folder, code)
    assert choose_language(None, environment, system) == language
