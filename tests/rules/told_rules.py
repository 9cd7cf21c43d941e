"""The rulebook of a ruleset by the ids of its rules."""

from __future__ import annotations

from lanuno.rules.rule import Rule
from lanuno.rules.rulebook.rulebook import rulebook
from lanuno.rules.ruleset import Ruleset


def rules_by_id(ruleset: Ruleset, seats: int | None = None) -> dict[str, Rule]:
    """Return the rules by their ids."""
    rules = [rule for section in rulebook(ruleset, seats) for rule in section.rules]
    found = {rule.id: rule for rule in rules}
    assert len(found) == len(rules), "a rule appears twice"
    return found
