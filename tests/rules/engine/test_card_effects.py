"""The table of effects has every card that is more than a number, and the rulebook has each."""

from __future__ import annotations

import pytest

from lanuno.rules.cards import Rank
from lanuno.rules.decks import DECKS
from lanuno.rules.engine.card_effects import EFFECTS
from lanuno.rules.rulebook.rulebook import rulebook
from lanuno.rules.ruleset import Ruleset


def test_every_rank_that_is_no_number_has_an_effect() -> None:
    assert set(EFFECTS) == {rank for rank in Rank if not rank.traits.is_number}


@pytest.mark.parametrize("deck", DECKS)
def test_the_rulebook_tells_of_every_effect(deck: int) -> None:
    told = {rule.id for section in rulebook(Ruleset(deck=deck)) for rule in section.rules}
    for rank in DECKS[deck].keys() & EFFECTS.keys():
        assert {f"actions.{rank.name.lower()}", f"start.{rank.name.lower()}"} <= told
