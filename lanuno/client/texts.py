"""Words for people, by id, in their language; and how anything foreign becomes harmless text.

The words themselves are in resources/languages (languages.py). No printing here.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from enum import Enum
from typing import Final

from lanuno.client.languages import Language, catalogue, has_text

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
        """Load them. Raises `StoreError` if the installation is broken."""
        self.language = language
        self._catalogue = catalogue(language)

    def __call__(self, key: str, /, **values: object) -> str:
        """The message with this id; foreign values are made harmless before they go in."""
        return _filled(self._catalogue.gettext(key), values)

    def optional(self, key: str) -> str:
        """The message with this id, which has no values, or "" if there is none."""
        return self(key) if has_text(self.language, key) else ""

    def count(self, key: str, number: int, /, **values: object) -> str:
        """The form that a message with this id has for a number; it may use {number}."""
        return _filled(self._catalogue.ngettext(key, key, number), {"number": number, **values})

    def member(self, value: Enum, /, **values: object) -> str:
        """The message of a member of one of the `FAMILIES`."""
        return self(_member_key(value), **values)

    def counted_member(self, value: Enum, number: int, /, **values: object) -> str:
        """The same where a number decides about the form."""
        return self.count(_member_key(value), number, **values)


def _member_key(value: Enum) -> str:
    kind = type(value)
    return f"{FAMILIES[f'{kind.__module__}.{kind.__qualname__}']}.{value.name.lower()}"


def _filled(message: str, values: Mapping[str, object]) -> str:
    harmless = {
        name: value if isinstance(value, int | float) else plain(str(value))
        for name, value in values.items()
    }
    return message.format(**harmless)


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
