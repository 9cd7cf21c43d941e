"""What the catalogues of the languages hold, read from their sources with Babel."""

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
"""What the ids of sentences about rules begin with; all others are messages."""

NOT_OF_THE_WINDOW: Final = frozenset({"argparse", "desktop"})
"""Contexts of texts that are read elsewhere: in the help of a command, in the desktop's menu."""


@cache
def catalogue(language: Language) -> Catalog:
    """A language as it stands in its file."""
    with (FOLDER / f"{language}.po").open("rb") as file:
        return read_po(file, abort_invalid=True)


def source_of(message: Message) -> str:
    """The id of a message, or the English text that it translates."""
    return message.id if isinstance(message.id, str) else message.id[0]


def forms_of(message: Message) -> tuple[str, ...]:
    """What a message says: one text, or one for each plural form."""
    assert message.string is not None
    return (message.string,) if isinstance(message.string, str) else tuple(message.string)


@cache
def ids(language: Language) -> Mapping[str, tuple[str, ...]]:
    """All texts that have an id, in all their forms."""
    return {
        source_of(message): forms_of(message)
        for message in catalogue(language)
        if message.id and message.context is None
    }


def messages(language: Language) -> dict[str, tuple[str, ...]]:
    """Those that no rule is told with."""
    return {key: forms for key, forms in ids(language).items() if not _is_rule(key)}


def sentences(language: Language) -> dict[str, tuple[str, ...]]:
    """Those that rules are told with."""
    return {key: forms for key, forms in ids(language).items() if _is_rule(key)}


def with_context(language: Language) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Everything that is found by its English text: the context, that text, what is said for it."""
    for message in catalogue(language):
        if message.context is not None:
            yield message.context, source_of(message), forms_of(message)


def _is_rule(key: str) -> bool:
    return key.partition(".")[0] in RULE_SECTIONS
