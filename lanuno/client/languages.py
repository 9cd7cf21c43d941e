"""The languages of the program: which there are, which one is wanted, and the texts of each.

A language is one file, resources/languages/<code>.po. packaging/compile_languages.py turns it into
the .mo that is read here, and into the .qm that the window loads (lanuno/app/translations.py). A
text that a language lacks is shown in English.
"""

from __future__ import annotations

import gettext
import re
import struct
from collections.abc import Mapping
from functools import cache
from typing import Final, NoReturn, TypeAlias

from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.resources import resource

Language: TypeAlias = str
"""A language by the name of its file: `es`, or with a country `pt_BR`."""

SOURCE: Final[Language] = "en"
"""The language that is complete by definition: the others are translated from it."""

_FOLDER: Final = "languages"


class _NoText(gettext.NullTranslations):
    """What is asked last: an id that not even English has is a mistake of the program."""

    def gettext(self, message: str) -> NoReturn:
        raise KeyError(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> NoReturn:
        raise KeyError(msgid1, msgid2, n)


@cache
def languages() -> tuple[Language, ...]:
    """All languages by code, English last.

    Raises `StoreError` MISSING_RESOURCES if the installation is broken.
    """
    codes = sorted(path.stem for path in resource(_FOLDER).glob("*.mo"))
    return (*(code for code in codes if code != SOURCE), SOURCE)


@cache
def catalogue(language: Language) -> gettext.NullTranslations:
    """The texts of a language.

    `gettext` and `ngettext` take an id, and raise `KeyError` for one that does not exist;
    `pgettext` takes an English text with its context, and returns it if there is no translation.

    Raises `StoreError` MISSING_RESOURCES or DAMAGED if the installation is broken.
    """
    path = resource(_FOLDER, f"{language}.mo")
    try:
        with path.open("rb") as file:
            found = gettext.GNUTranslations(file)
    except (OSError, ValueError, LookupError, struct.error) as error:
        raise StoreError(FileProblem.DAMAGED, path, str(error)) from error
    others = with_fallbacks(language)[1:]
    found.add_fallback(catalogue(others[0]) if others else _NoText())
    return found


def with_fallbacks(language: Language) -> tuple[Language, ...]:
    """A language, and what stands in where it lacks a text: `pt_BR`, `pt` if it exists, English."""
    code, _, country = language.partition("_")
    base = [code] if country and code in languages() else []
    return tuple(dict.fromkeys((language, *base, SOURCE)))


def has_text(language: Language, key: str) -> bool:
    """Whether a language, or one that stands in for it, has a text with this id.

    Raises `StoreError` as `catalogue` does.
    """
    try:
        catalogue(language).gettext(key)
    except KeyError:
        return False
    return True


def own_name(language: Language) -> str:
    """What its speakers call a language: `Español`; its code if its file is damaged."""
    try:
        return catalogue(language).gettext("language.name")
    except StoreError:
        return language


def choose_language(asked: str | None, environment: Mapping[str, str]) -> Language:
    """The language asked for, else the first known one of the system's locale, else English.

    As gettext does: LC_ALL, LC_MESSAGES, LANG decide, and LANGUAGE (a list) goes before them
    unless the locale is the C locale. Raises `StoreError` as `languages` does.
    """
    known = languages()
    if asked in known:
        return asked
    names = (environment.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    locale = next(filter(None, names), "C")
    wishes = [locale]
    if locale.partition(".")[0] not in ("C", "POSIX"):
        wishes = [*environment.get("LANGUAGE", "").split(":"), locale]
    for wish in wishes:
        # `pt_BR.UTF-8@euro`: a file for the country goes before one for the language.
        tag = re.split("[.@]", wish)[0].replace("-", "_").lower()
        while tag:
            for language in known:
                if tag == language.lower():
                    return language
            tag = tag.rpartition("_")[0]
    return SOURCE
