"""The sections of a rulebook, and the few facts that decide which rules apply.

The sections share these values. The rules are in round.py and match.py, and the value of one rule
in rules/rule.py.
"""

from __future__ import annotations

from msgspec import Struct

from lanuno.rules.cards import MAX_SEATS
from lanuno.rules.decks import DECKS
from lanuno.rules.engine.rules_in_force import rules_in_force
from lanuno.rules.match.formats import FORMATS
from lanuno.rules.rule import Rule
from lanuno.rules.ruleset import DrawnRule, DrawRule, Format, Ruleset, WildFour
from lanuno.rules.validation import validate

_USUAL_RANKS = DECKS[108]
"""The ranks that the sentences about the deck and the points name."""


class Section(Struct, frozen=True):
    """Rules that belong together, in the best order for reading."""

    id: str
    rules: tuple[Rule, ...]


def playable_seats(ruleset: Ruleset) -> tuple[int, ...]:
    """Return the numbers of seats that can play by these rules, rising; empty if none can."""
    return tuple([n for n in range(2, MAX_SEATS + 1) if validate(ruleset, n) is None])


class Scope:
    """A ruleset, and the numbers of seats for which it is explained."""

    def __init__(self, ruleset: Ruleset, counts: tuple[int, ...]) -> None:
        self.counts = counts
        self.played = rules_in_force(ruleset)
        self.ruleset = rules = self.played.amended
        """The settings as they are played."""
        self.wild_four: WildFour = rules.wild_four
        self.bluffing = rules.wild_four is WildFour.BLUFF
        stuck = rules.draw is DrawRule.STUCK and rules.drawn is DrawnRule.STUCK
        self.drawn: DrawnRule = DrawnRule.FORCED if stuck else rules.drawn
        """STUCK counts as FORCED if drawing already requires a hand without a playable card."""
        self.format = rules.format
        self.teams = FORMATS[rules.format].teams
        self.scored = rules.format not in (Format.SINGLE, Format.LAPS)
        """Whether points are kept from round to round; in DEALS each card left is one."""
        self.two_may_play = min(counts) == 2
        """Whether a match may start with two seats."""
        self.more_may_play = max(counts) > 2
        self.may_become_two = not self.teams
        """Whether a round can have only two seats left: a player leaves, or is out of the match."""
        self.ranks = tuple(DECKS[rules.deck])
        """The ranks in the deck."""
        self.unusual_ranks = tuple([rank for rank in self.ranks if rank not in _USUAL_RANKS])
        """The ranks that the general sentences do not name; each has sentences of its own."""
        questions = [self.played.effects[rank].question for rank in self.ranks]
        self.questions = tuple(dict.fromkeys(each.name for each in questions if each is not None))
        """The names of the questions that cards ask their players."""
