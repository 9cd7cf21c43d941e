"""Messages for people, by id and in their language, and making foreign text harmless.

The messages are in resources/languages (see languages.py). No printing here.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from enum import Enum
from typing import Final

from lanuno.client.languages import Language, catalogue, has_text
from lanuno.log.format.name_characters import VISIBLE
from lanuno.log.format.names import JOINER, NON_JOINER

# Enums with one message per member: `<prefix>.<member in lower case>`. The enums are given by name,
# so that a command that does not need one does not load its module.
FAMILIES: Final[Mapping[str, str]] = {
    "lanuno.log.format.bodies.DropReason": "dropped",
    "lanuno.log.faults.Check": "check",
    "lanuno.log.faults.Fault": "fault",
    "lanuno.log.faults.NoGameReason": "unfit",
    "lanuno.log.audit.conclusion.Conclusion": "verdict",
    "lanuno.log.faults.VoidReason": "void",
    "lanuno.log.round.round_record.ClockEffect": "clock",
    "lanuno.net.diagnostics.doctor.FindingKind": "doctor",
    "lanuno.net.errors.NetFault": "net",
    "lanuno.client.tournament_breaks.BreakReason": "broken_off",
    "lanuno.net.discovery.advert.TableState": "state",
    "lanuno.net.transport.nearness.Nearness": "near",
    "lanuno.rules.cards.Colour": "colour",
    "lanuno.rules.cards.Rank": "rank",
    "lanuno.rules.refusals.ActRefusal": "refusal",
    "lanuno.store.errors.FileProblem": "store",
    "lanuno.table.lobby.readiness.RulesRefusal": "rules_refusal",
    "lanuno.table.messages.LobbyRefusal": "lobby",
    "lanuno.table.messages.Reaction": "reaction",
}


class Texts:
    """The messages of one language."""

    def __init__(self, language: Language) -> None:
        """Load the messages. Raises `StoreError` if the installation is broken."""
        self.language = language
        self._catalogue = catalogue(language)

    def __call__(self, key: str, /, **values: object) -> str:
        """Return the message with this id; foreign values are made harmless first."""
        return _filled(self._catalogue.gettext(key), values)

    def optional(self, key: str) -> str:
        """Return the message with this id, which takes no values; "" if it does not exist."""
        return self(key) if has_text(self.language, key) else ""

    def count(self, key: str, number: int, /, **values: object) -> str:
        """Return the plural form of a message for a number; the message may use {number}."""
        return _filled(self._catalogue.ngettext(key, key, number), {"number": number, **values})

    def member(self, value: Enum, /, **values: object) -> str:
        """Return the message of a member of one of the `FAMILIES`."""
        return self(member_key(value), **values)

    def counted_member(self, value: Enum, number: int, /, **values: object) -> str:
        """Return the message of a member, in the plural form for a number."""
        return self.count(member_key(value), number, **values)


def member_key(value: Enum) -> str:
    """Return the id of the message of a member of one of the `FAMILIES`."""
    kind = type(value)
    return f"{FAMILIES[f'{kind.__module__}.{kind.__qualname__}']}.{value.name.lower()}"


def _filled(message: str, values: Mapping[str, object]) -> str:
    harmless = {
        name: value if isinstance(value, int | float) else plain(str(value))
        for name, value in values.items()
    }
    return message.format(**harmless)


def plain(text: str) -> str:
    """Return text that cannot control a terminal or reorder its surroundings.

    Line breaks and characters that are control, format (including bidirectional), private,
    surrogate or unassigned become U+FFFD, but not those that a name may contain.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(letter if _is_plain(letter) else "\ufffd" for letter in text)


def _is_plain(letter: str) -> bool:
    # Python may be older than a pictograph in a name.
    if letter in VISIBLE or letter in (JOINER, NON_JOINER):
        return True
    return unicodedata.category(letter)[0] != "C" and letter not in "\u2028\u2029"
