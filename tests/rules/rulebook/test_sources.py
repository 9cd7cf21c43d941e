"""The notes on which source is followed."""

from __future__ import annotations

from lanuno.rules.rulebook.rulebook import rulebook
from lanuno.rules.ruleset import Ruleset


def test_rules_of_an_unknown_name_follow_no_source_as_a_whole() -> None:
    """The host of a table can write any name into its log."""
    (known, unknown) = (
        {rule.id for rule in rulebook(Ruleset(preset=name))[-1].rules}
        for name in ("classic", "of my own")
    )
    assert known - unknown == {"sources.small"}
