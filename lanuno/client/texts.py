"""Words for people, by id, in their language; and how anything foreign becomes harmless text.

The words themselves are in resources/messages. No printing here.
"""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cache
from typing import Final, Literal, get_args

from lanuno.store.resources import resource

Language = Literal["es", "en"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)

# Enums whose members have a message each: `<prefix>.<member in lower case>`. By name, so that a
# command that does not need an enum does not load its module.
FAMILIES: Final[Mapping[str, str]] = {
    "lanuno.log.format.bodies.DropReason": "dropped",
    "lanuno.log.faults.Fault": "fault",
    "lanuno.log.faults.NoGameReason": "unfit",
    "lanuno.log.faults.AuditVerdict": "verdict",
    "lanuno.log.faults.VoidReason": "void",
    "lanuno.net.diagnostics.doctor.FindingKind": "doctor",
    "lanuno.net.errors.NetFault": "net",
    "lanuno.client.tournament_breaks.BreakReason": "broken_off",
    "lanuno.net.discovery.advert.TableState": "state",
    "lanuno.rules.cards.Colour": "colour",
    "lanuno.rules.cards.Rank": "rank",
    "lanuno.store.errors.FileProblem": "store",
    "lanuno.table.messages.LobbyRefusal": "lobby",
    "lanuno.table.messages.Reaction": "reaction",
}


class Texts:
    """The messages of one language."""

    def __init__(self, language: Language) -> None:
        """Load them. Raises `StoreError` MISSING_RESOURCES if the installation is broken."""
        self.language = language
        self._messages = messages(language)

    def __call__(self, key: str, /, **values: object) -> str:
        """The message with this id; foreign values are made harmless before they go in."""
        harmless = {
            name: value if isinstance(value, int | float) else plain(str(value))
            for name, value in values.items()
        }
        return self._messages[key].format(**harmless)

    def count(self, key: str, number: int, /, **values: object) -> str:
        """The message `key.one` or `key.other`, as the number asks; it may use {number}."""
        form = "one" if number == 1 else "other"
        return self(f"{key}.{form}", number=number, **values)

    def member(self, value: Enum, /, **values: object) -> str:
        """The message of a member of one of the `FAMILIES`."""
        kind = type(value)
        prefix = FAMILIES[f"{kind.__module__}.{kind.__qualname__}"]
        return self(f"{prefix}.{value.name.lower()}", **values)

    def counted_member(self, value: Enum, number: int, /, **values: object) -> str:
        """The same where a number decides between two forms."""
        kind = type(value)
        prefix = FAMILIES[f"{kind.__module__}.{kind.__qualname__}"]
        return self.count(f"{prefix}.{value.name.lower()}", number, **values)


@cache
def messages(language: Language) -> Mapping[str, str]:
    """All messages of a language by their dotted ids."""
    with resource("messages", f"{language}.toml").open("rb") as file:
        return dict(flat(tomllib.load(file)))


def flat(table: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, str]]:
    """The texts of nested tables by their dotted ids."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, str(value)


def choose_language(asked: str | None, environment: Mapping[str, str]) -> Language:
    """The language asked for, else the first known one of the system's locale, else English.

    As gettext does: LC_ALL, LC_MESSAGES, LANG decide, and LANGUAGE (a list) goes before them
    unless the locale is the C locale.
    """
    for language in LANGUAGES:
        if asked == language:
            return language
    names = (environment.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    locale = next(filter(None, names), "C")
    wishes = [locale]
    if locale.partition(".")[0] not in ("C", "POSIX"):
        wishes = [*environment.get("LANGUAGE", "").split(":"), locale]
    for wish in wishes:
        for language in LANGUAGES:
            if wish[:2].lower() == language and not wish[2:3].isalpha():
                return language
    return "en"


def plain(text: str) -> str:
    """Text that cannot steer a terminal or reorder its surroundings.

    Control, format (also bidirectional), private, surrogate and unassigned characters and line
    breaks become U+FFFD.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        "\ufffd" if unicodedata.category(letter)[0] == "C" or letter in "\u2028\u2029" else letter
        for letter in text
    )
