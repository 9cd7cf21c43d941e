"""A pseudo-language made from English: a text that is not in it was never translated.

Every text is put in brackets, with accents and every vowel doubled. This makes it about two fifths
longer, which is more than most languages need compared with English.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from unittest.mock import patch

import catalogues
import compile_languages

from lanuno.client import languages
from lanuno.store.resources import resources
from tests.harness.catalogues import forms_of, source_of

CODE: Final = "eo"
"""Qt and Babel know this language, and LanUNO does not."""

_KEPT = re.compile(
    # Places for values, marks of HTML, escapes of troff, options and commands of the program.
    r"\{[^{}]*\}|%n|%L?\d+|%\(\w+\)[a-z]|%[srd]|<[^<>]*>|&\w+;|--?[a-z][\w-]*|\blanuno\b[ \w]*"
)
_DOUBLED = str.maketrans(
    {
        "a": "áa",
        "e": "ée",
        "i": "íi",
        "o": "óo",
        "u": "úu",
        "A": "Áa",
        "E": "Ée",
        "I": "Íi",
        "O": "Óo",
        "U": "Úu",
    }
)


def pseudo(text: str) -> str:
    """Return an English text in the pseudo-language; line breaks and placeholders are kept."""
    parts, end = [], 0
    for kept in _KEPT.finditer(text):
        parts += [text[end : kept.start()].translate(_DOUBLED), kept[0]]
        end = kept.end()
    words = "".join([*parts, text[end:].translate(_DOUBLED)])
    lead = words[: len(words) - len(words.lstrip())]
    return f"{lead}[{words.strip()}]{words[len(words.rstrip()) :]}"


def not_in_brackets(text: str) -> str:
    """Return the parts of a text outside brackets."""
    depth, found = 0, []
    for letter in text:
        depth += letter == "["
        found.append(" " if depth else letter)
        depth -= letter == "]" and depth > 0
    return "".join(found)


def write_language(folder: Path) -> Path:
    """Write the one file that makes this a language of the program."""
    english = compile_languages.read(folder / "en.po")
    entries = list(catalogues.template(english, CODE))
    for entry in entries:
        known = english.get(entry.id, entry.context)
        texts = () if known is None else forms_of(known)
        if not any(texts):
            texts = (source_of(entry),) * (1 + entry.pluralizable)
        kept = entry.id == "language.decimal_sign"
        texts = texts if kept else tuple(pseudo(text) for text in texts)
        entry.string = texts if entry.pluralizable else texts[0]
    path = folder / f"{CODE}.po"
    plural = "nplurals=2; plural=(n != 1);"
    fields = (
        f"Language: {CODE}",
        "Content-Type: text/plain; charset=UTF-8",
        f"Plural-Forms: {plural}",
    )
    lines = "".join(f'"{field}\\n"\n' for field in fields)
    header = f'msgid ""\nmsgstr ""\n{lines}'
    path.write_text(catalogues.written(header, entries, plural), encoding="utf-8")
    return path


@contextmanager
def resources_with_it(folder: Path) -> Iterator[Path]:
    """The program's resources and this one file more, which the program finds inside."""
    ours = resources()
    for each in ours.iterdir():
        if each.name != "languages":
            (folder / each.name).symlink_to(each, target_is_directory=True)
    shutil.copytree(
        ours / "languages", folder / "languages", ignore=shutil.ignore_patterns("*.mo*", "*.qm*")
    )
    write_language(folder / "languages")
    compile_languages.compile_all(folder / "languages")
    with patch("lanuno.store.resources.resources", lambda: folder):
        _forget()
        try:
            yield folder
        finally:
            _forget()


def _forget() -> None:
    languages.languages.cache_clear()
    languages.catalogue.cache_clear()
