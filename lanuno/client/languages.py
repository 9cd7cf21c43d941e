"""The languages of the program: which exist, which one to use, and the texts of each.

Each language is one file, resources/languages/<code>.po. packaging/compile_languages.py turns it
into the .mo that is read here and the .qm that the window loads (lanuno/app/translations.py). A
text that a language lacks is shown in English.
"""

from __future__ import annotations

import gettext
import re
import struct
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, NoReturn, TypeAlias

from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.resources import resource

Language: TypeAlias = str
"""A language, by the name of its file: `es`, or `pt_BR` with a country."""

SOURCE: Final[Language] = "en"
"""The language that is complete by definition. All others are translated from it."""

_FOLDER: Final = "languages"


class _NoText(gettext.NullTranslations):
    """The last fallback. An id that even English lacks is a bug in the program."""

    def gettext(self, message: str) -> NoReturn:
        raise KeyError(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> NoReturn:
        raise KeyError(msgid1, msgid2, n)


@cache
def languages() -> tuple[Language, ...]:
    """Return the codes of all languages in order, English last.

    Raises `StoreError` MISSING_RESOURCES if the installation is broken.
    """
    codes = sorted(path.stem for path in resource(_FOLDER).glob("*.mo"))
    return (*(code for code in codes if code != SOURCE), SOURCE)


@cache
def catalogue(language: Language) -> gettext.NullTranslations:
    """Return the texts of a language.

    `gettext` and `ngettext` accept an id, and raise `KeyError` if it does not exist. `pgettext`
    accepts an English text with its context, and returns the text if there is no translation.

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
    """Return a language and its fallbacks in order: `pt_BR`, `pt` if it exists, English."""
    code, _, country = language.partition("_")
    base = [code] if country and code in languages() else []
    return tuple(dict.fromkeys((language, *base, SOURCE)))


def has_text(language: Language, key: str) -> bool:
    """Whether a language, or one of its fallbacks, has a text with this id.

    Raises `StoreError` as `catalogue` does.
    """
    try:
        catalogue(language).gettext(key)
    except KeyError:
        return False
    return True


def own_name(language: Language) -> str:
    """Return the language's own name, such as `Español`, or its code if its file is damaged."""
    try:
        return catalogue(language).gettext("language.name")
    except StoreError:
        return language


def own_names() -> list[str]:
    """Return the own names of all languages, sorted.

    Raises `StoreError` as `languages` does.
    """
    return sorted(map(own_name, languages()))


def choose_language(
    asked: str | None, environment: Mapping[str, str], system: Sequence[str] = ()
) -> Language:
    """Return the language asked for, else the first known one of the system locale, else English.

    As in gettext, LC_ALL, LC_MESSAGES and LANG select the locale. Unless that is the C locale, the
    list in LANGUAGE has precedence. Where no variable says anything, the user's languages by the
    `system`, in order, count. Raises `StoreError` as `languages` does.
    """
    known = {language.lower(): language for language in languages()}
    if asked is not None and asked in known.values():
        return asked
    names = (environment.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    locale = next(filter(None, names), "")
    order = environment.get("LANGUAGE", "")
    wishes = [*order.split(":"), locale]
    if not locale and not order:
        wishes = list(system)
    elif locale.partition(".")[0] in ("", "C", "POSIX"):
        wishes = []
    for wish in wishes:
        for tag in _tags(wish):
            if tag in known:
                return known[tag]
    return SOURCE


def _tags(wish: str) -> list[str]:
    """Return the names in small letters of the files for a locale, the most exact one first.

    `pt_BR.UTF-8@euro`: `pt_br`, `pt`. `zh-Hant-TW`: `zh_hant_tw`, `zh_tw`, `zh_hant`, `zh`.
    """
    language, *parts = re.split("[.@]", wish)[0].replace("-", "_").lower().split("_")
    lists = [parts[:number] for number in range(len(parts), -1, -1)]
    # Of the subtags, only a script has four letters.
    country = [part for part in parts if len(part) != 4]
    if country != parts:
        lists.insert(1, country)
    return ["_".join([language, *each]) for each in lists]
