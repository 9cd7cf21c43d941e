"""A ruleset as a list of rules for people to read: which apply, and with which numbers.

This module sets the order of the sections. resources/languages holds the sentences by the ids given
here; every number in them comes from the ruleset.

>>> from lanuno.rules.presets import EXPRESS
>>> [section.id for section in rulebook(EXPRESS)][:4]
['aim', 'cards', 'seats', 'deal']
>>> uno = next(section for section in rulebook(EXPRESS) if section.id == "uno")
>>> uno.rules[1].id, dict(uno.rules[1].values), uno.rules[1].checked.name
('uno.automatic', {'penalty': 2}, 'LIVE')
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lanuno.rules.errors import RulesError
from lanuno.rules.match.tournament import TABLES, is_tournament
from lanuno.rules.rule import Rule
from lanuno.rules.rulebook import match as rulebook_match
from lanuno.rules.rulebook import round as rulebook_round
from lanuno.rules.rulebook import sources
from lanuno.rules.rulebook.scope import Scope, Section, playable_seats
from lanuno.rules.ruleset import Ruleset

_Section = Callable[[Scope], Iterator[Rule]]

_SECTIONS: tuple[_Section, ...] = (
    rulebook_match.aim,
    rulebook_round.cards,
    rulebook_match.seats,
    rulebook_round.deal,
    rulebook_round.start,
    rulebook_round.turn,
    rulebook_round.actions,
    rulebook_round.four,
    rulebook_round.uno,
    rulebook_round.out,
    rulebook_round.pile,
    rulebook_match.scoring,
    rulebook_match.ending,
    rulebook_match.leaving,
    rulebook_match.manners,
    rulebook_match.house,
    rulebook_match.timers,
    sources.sources,
)


def rulebook(ruleset: Ruleset, seats: int | None = None) -> tuple[Section, ...]:
    """Return the rules of a match between `seats` players, or between any playable number.

    Raise `RulesError` if the ruleset cannot be played that way. The eight players of a tournament
    are four at each table, and their rules are the same.
    """
    counts = playable_seats(ruleset)
    if seats is not None and is_tournament(ruleset, seats):
        seats //= TABLES
    if seats in counts:
        counts = (seats,)
    elif seats is not None or not counts:
        raise RulesError("these rules cannot be played")
    scope = Scope(ruleset, counts)
    return tuple([Section(section.__name__, _reworded(section, scope)) for section in _SECTIONS])


def _reworded(section: _Section, scope: Scope) -> tuple[Rule, ...]:
    """Return the rules of a section, as changed by the house rules."""
    told = tuple(section(scope))
    played = scope.played
    for reword in dict.fromkeys(rule.reword for rule in played.house_rules):
        if reword is not None:
            told = tuple([new for old in told for new in reword(played.amended, old)])
    return told
