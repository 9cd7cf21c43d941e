"""Writes the README.txt of the portable archive, with one section in every language."""

from __future__ import annotations

import textwrap
from typing import Final

from distribution.project import version
from distribution.system import Needs
from lanuno.client.languages import SOURCE, Language, languages, own_name
from lanuno.client.texts import Texts

WIDTH: Final = 100
PACKAGES_IN_A_ROW: Final = 5


def text(wanted: Needs) -> str:
    """Return the file's text: how to start the program, and what it needs. English comes first."""
    others = (language for language in languages() if language != SOURCE)
    return "\n\n".join(_section(language, wanted) for language in (SOURCE, *others))


def _section(language: Language, wanted: Needs) -> str:
    words = Texts(language)
    title = f"LanUNO {version()} - {own_name(language)}"
    paragraphs = (
        f"{title}\n{'=' * len(title)}",
        _wrapped(words("portable.start")),
        _wrapped(words("portable.menu")),
        _commands(
            "./lanuno -m lanuno.app.desktop install", "./lanuno -m lanuno.app.desktop remove"
        ),
        _wrapped(words("portable.folder")),
        _wrapped(words("portable.needs", glibc=wanted.glibc)),
        _commands(f"sudo apt-get install {_packages(wanted)}"),
        _wrapped(words("portable.sounds")),
        _wrapped(words("portable.others")),
    )
    return "\n\n".join(paragraphs) + "\n"


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
