"""Writes the README.txt of the portable archive and of the packages for Windows."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable
from typing import Final

from distribution.project import version
from distribution.system import Needs
from lanuno.client.languages import SOURCE, languages, own_name
from lanuno.client.texts import Texts

WIDTH: Final = 100
PACKAGES_IN_A_ROW: Final = 5


def text(wanted: Needs) -> str:
    """Return the archive's text: how to start the program, and what it needs."""
    desktop = "./lanuno -m lanuno.app.desktop"
    return _in_every_language(
        lambda words: (
            _wrapped(words("portable.start")),
            _wrapped(words("portable.menu")),
            _commands(f"{desktop} install", f"{desktop} remove"),
            _wrapped(words("portable.folder")),
            _wrapped(words("portable.needs", glibc=wanted.glibc)),
            _commands(f"sudo apt-get install {_packages(wanted)}"),
            _wrapped(words("portable.sounds")),
            _wrapped(words("portable.others")),
        )
    )


def for_windows() -> str:
    """Return the text for Windows: how to start the program, and where it keeps its files."""
    return _in_every_language(
        lambda words: (
            _wrapped(words("windows.start")),
            _wrapped(words("windows.network")),
            _wrapped(words("windows.folder")),
            _wrapped(words("windows.licences")),
        )
    )


def _in_every_language(paragraphs: Callable[[Texts], Iterable[str]]) -> str:
    """Return a section in each language. English comes first."""
    others = (language for language in languages() if language != SOURCE)
    sections = []
    for language in (SOURCE, *others):
        title = f"LanUNO {version()} - {own_name(language)}"
        body = "\n\n".join(paragraphs(Texts(language)))
        sections.append(f"{title}\n{'=' * len(title)}\n\n{body}\n")
    return "\n\n".join(sections)


def _wrapped(paragraph: str) -> str:
    return textwrap.fill(paragraph, WIDTH, break_long_words=False, break_on_hyphens=False)


def _commands(*lines: str) -> str:
    return "\n".join(f"    {line}" for line in lines)


def _packages(wanted: Needs) -> str:
    names = wanted.names()
    rows = [
        " ".join(names[start : start + PACKAGES_IN_A_ROW])
        for start in range(0, len(names), PACKAGES_IN_A_ROW)
    ]
    return " \\\n        ".join(rows)
