"""What a rulebook is made of: sections, and the few questions that decide which rules apply.

Here: the values that the sections share. Not here: which rules there are (round.py and match.py)
and the value of one rule (rules/rule.py).
"""

from __future__ import annotations

from dataclasses import dataclass

from lanuno.rules.decks import DECKS
from lanuno.rules.engine.rules_in_force import rules_in_force
from lanuno.rules.match.formats import FORMATS
from lanuno.rules.rule import Rule
from lanuno.rules.ruleset import DrawnRule, DrawRule, Format, Ruleset, WildFour
from lanuno.rules.validation import validate

MOST_SEATS = 10

_USUAL_RANKS = DECKS[108]
"""Those that the sentences about the deck and the points name."""


@dataclass(frozen=True, slots=True)
class Section:
    """Rules that belong together, in the order in which they are best read."""

    id: str
    rules: tuple[Rule, ...]


def playable_seats(ruleset: Ruleset) -> tuple[int, ...]:
    """The numbers of seats with which these rules can be played, rising; none if they cannot."""
    return tuple([n for n in range(2, MOST_SEATS + 1) if validate(ruleset, n) is None])


class Scope:
    """A ruleset and the numbers of seats that it is explained for."""

    def __init__(self, ruleset: Ruleset, counts: tuple[int, ...]) -> None:
        self.counts = counts
        self.played = rules_in_force(ruleset)
        self.ruleset = rules = self.played.amended
        """The settings as they are played."""
        self.wild_four: WildFour = rules.wild_four
        self.bluffing = rules.wild_four is WildFour.BLUFF
        stuck = rules.draw is DrawRule.STUCK and rules.drawn is DrawnRule.STUCK
        self.drawn: DrawnRule = DrawnRule.FORCED if stuck else rules.drawn
        """STUCK is FORCED where drawing needs a hand without a playable card."""
        self.format = rules.format
        self.teams = FORMATS[rules.format].teams
        self.scored = rules.format not in (Format.SINGLE, Format.LAPS)
        """Whether points are kept from round to round; in DEALS each card left is one."""
        self.two_may_play = min(counts) == 2
        """Whether two may play from the start."""
        self.more_may_play = max(counts) > 2
        self.may_become_two = not self.teams
        """Whether only two may be left in a round: a player leaves, or is out of the match."""
        self.ranks = tuple(DECKS[rules.deck])
        """Those in the deck."""
        self.unusual_ranks = tuple([rank for rank in self.ranks if rank not in _USUAL_RANKS])
        """Those that no sentence about all cards names: each has sentences of its own."""
        questions = map(self.played.question_of, self.ranks)
        self.questions = tuple(dict.fromkeys(each.name for each in questions if each is not None))
        """What cards ask their player, by name."""
