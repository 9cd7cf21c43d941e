"""What a rulebook is made of: rules by id, and the few questions that decide which of them apply.

Here: the values that the sections share. Not here: which rules there are (round.py and
match.py) and the sentences (resources/languages).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum, unique
from types import MappingProxyType

from lanuno.rules.engine.state import RoundState
from lanuno.rules.match.formats import FORMATS
from lanuno.rules.ruleset import DrawnRule, DrawRule, Format, Ruleset, WildFour
from lanuno.rules.validation import validate

MOST_SEATS = 10


@unique
class CheckedBy(IntEnum):
    """Who checks a rule. The first two are the values of `settings.WhenChecked`."""

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


@dataclass(frozen=True, slots=True)
class Section:
    """Rules that belong together, in the order in which they are best read."""

    id: str
    rules: tuple[Rule, ...]


def live(name: str, **values: int) -> Rule:
    """A rule that is checked live."""
    return Rule(name, CheckedBy.LIVE, MappingProxyType(values))


def audited(name: str, **values: int) -> Rule:
    """A rule that only the audit can check, because it depends on a hidden hand."""
    return Rule(name, CheckedBy.AUDIT, MappingProxyType(values))


def agreed(name: str, **values: int) -> Rule:
    """A rule that no program can check: what people say to each other, and the host's clock."""
    return Rule(name, CheckedBy.AGREEMENT, MappingProxyType(values))


def playable_seats(ruleset: Ruleset) -> tuple[int, ...]:
    """The numbers of seats with which these rules can be played, rising; none if they cannot."""
    return tuple([n for n in range(2, MOST_SEATS + 1) if validate(ruleset, n) is None])


class Scope:
    """A ruleset and the numbers of seats that it is explained for."""

    def __init__(self, ruleset: Ruleset, counts: tuple[int, ...]) -> None:
        self.ruleset = ruleset
        self.counts = counts
        # The engine's own reading of how the settings work together.
        state = RoundState(ruleset, (0, 1), 0)
        self.wild_four: WildFour = state.wild_four
        self.bluffing = state.wild_four is WildFour.BLUFF
        stuck = ruleset.draw is DrawRule.STUCK and state.drawn_rule is DrawnRule.STUCK
        self.drawn: DrawnRule = DrawnRule.FORCED if stuck else state.drawn_rule
        """STUCK is FORCED where drawing needs a hand without a playable card."""
        self.format = ruleset.format
        self.teams = FORMATS[ruleset.format].teams
        self.scored = ruleset.format not in (Format.SINGLE, Format.LAPS)
        """Whether points are kept from round to round; in DEALS each card left is one."""
        self.two_may_play = min(counts) == 2
        """Whether two may play from the start."""
        self.more_may_play = max(counts) > 2
        self.may_become_two = not self.teams
        """Whether only two may be left in a round: a player leaves, or is out of the match."""
        self.stack_twos = ruleset.stack_draw_two or ruleset.stack_cross
        self.stack_fours = ruleset.stack_wild_four or ruleset.stack_cross
        self.stacking = self.stack_twos or self.stack_fours
