"""The contents of the language catalogues, read from their sources with Babel."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from lanuno.client.languages import Language

FOLDER: Final = Path(__file__).resolve().parents[2] / "resources" / "languages"

RULE_SECTIONS: Final = frozenset(
    {
        *("actions", "aim", "cards", "checked", "deal", "ending", "four", "goal", "house"),
        *("leaving", "manners", "out", "pile", "preset", "scoring", "seats", "section", "sources"),
        *("start", "timers", "turn", "uno", "word"),
    }
)
"""The first parts of the ids of sentences about rules; all other ids belong to messages."""

NOT_OF_THE_WINDOW: Final = frozenset({"argparse", "desktop"})
"""Contexts of texts shown outside the window: in a command's help, in the desktop's menu."""


@cache
def catalogue(language: Language) -> Catalog:
    """Return the catalogue of a language, as its file contains it."""
    with (FOLDER / f"{language}.po").open("rb") as file:
        return read_po(file, abort_invalid=True)


def source_of(message: Message) -> str:
    """Return the id of a message, or the English text that it translates."""
    return message.id if isinstance(message.id, str) else message.id[0]


def forms_of(message: Message) -> tuple[str, ...]:
    """Return the texts of a message: one, or one for each plural form."""
    assert message.string is not None
    return (message.string,) if isinstance(message.string, str) else tuple(message.string)


@cache
def ids(language: Language) -> Mapping[str, tuple[str, ...]]:
    """Return all texts that have an id, in all their forms."""
    return {
        source_of(message): forms_of(message)
        for message in catalogue(language)
        if message.id and message.context is None
    }


def messages(language: Language) -> dict[str, tuple[str, ...]]:
    """Return the texts with an id that do not describe rules."""
    return {key: forms for key, forms in ids(language).items() if not _is_rule(key)}


def sentences(language: Language) -> dict[str, tuple[str, ...]]:
    """Return the texts with an id that describe rules."""
    return {key: forms for key, forms in ids(language).items() if _is_rule(key)}


def with_context(language: Language) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield each message that is keyed by its English text: context, English text, translations."""
    for message in catalogue(language):
        if message.context is not None:
            yield message.context, source_of(message), forms_of(message)


def _is_rule(key: str) -> bool:
    return key.partition(".")[0] in RULE_SECTIONS
