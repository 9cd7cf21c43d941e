"""One rule as it is told to people: the id of a sentence, its numbers, and who checks it.

Here: the values. Not here: which rules apply (rulebook and engine/house_rules) and the sentences
(resources/languages).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum, unique
from types import MappingProxyType


@unique
class WhenChecked(IntEnum):
    """When a breach of a rule is found."""

    LIVE = 0  # at once, by what everybody can see
    AUDIT = 1  # after the round, when all hands are known


@unique
class CheckedBy(IntEnum):
    """Who checks a rule. The first two are the values of `WhenChecked`."""

    LIVE = 0  # every program, at once
    AUDIT = 1  # the own program at once, all others after the round, with all hands open
    AGREEMENT = 2  # the players or the host; no program can check it
    NOTE = 3  # it is no rule: where the rules come from


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: the id of a sentence, the numbers that it needs, and how it is checked."""

    id: str
    """`<section>.<rule>`; the same id always needs the same values."""
    checked: CheckedBy
    values: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))


def live(name: str, **values: int) -> Rule:
    """A rule that is checked live."""
    return Rule(name, CheckedBy.LIVE, MappingProxyType(values))


def audited(name: str, **values: int) -> Rule:
    """A rule that only the audit can check, because it depends on a hidden hand."""
    return Rule(name, CheckedBy.AUDIT, MappingProxyType(values))


def agreed(name: str, **values: int) -> Rule:
    """A rule that no program can check: what people say to each other, and the host's clock."""
    return Rule(name, CheckedBy.AGREEMENT, MappingProxyType(values))
