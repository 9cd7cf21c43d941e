"""One rule of the rulebook: the id of its sentence, its numbers, and who checks it.

rulebook and engine/house_rules decide which rules apply; the sentences are in resources/languages.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum, unique
from types import MappingProxyType

from msgspec import Struct, field


@unique
class WhenChecked(IntEnum):
    """When a breach of a rule is detected."""

    LIVE = 0  # immediately, from public information
    AUDIT = 1  # after the round, when all hands are known


@unique
class CheckedBy(IntEnum):
    """Who checks a rule. The first two are the values of `WhenChecked`."""

    LIVE = 0  # every node, immediately
    AUDIT = 1  # the player's own node immediately; all nodes after the round, with all hands open
    AGREEMENT = 2  # the players or the host; no node can check it
    NOTE = 3  # not a rule, but a note on where the rules come from


class Rule(Struct, frozen=True):
    """One rule: the id of its sentence, the numbers in the sentence, and who checks the rule."""

    id: str
    """`<section>.<rule>`; the same id always has the same names in `values`."""
    checked: CheckedBy
    values: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))


def live(name: str, **values: int) -> Rule:
    """Return a rule that is checked live."""
    return Rule(name, CheckedBy.LIVE, MappingProxyType(values))


def audited(name: str, **values: int) -> Rule:
    """Return a rule that only the audit can check, because it depends on a hidden hand."""
    return Rule(name, CheckedBy.AUDIT, MappingProxyType(values))


def agreed(name: str, **values: int) -> Rule:
    """Return a rule that no node can check: what players say to each other, or the host's clock."""
    return Rule(name, CheckedBy.AGREEMENT, MappingProxyType(values))
