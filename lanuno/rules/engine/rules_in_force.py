"""What a ruleset means for a round, once its house rules are counted in.

Here: all that the engine asks about house rules, worked out once for a ruleset. Not here: the
rules themselves (house_rules).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from lanuno.rules.cards import Rank
from lanuno.rules.decks import deck_tables
from lanuno.rules.engine.actions import Action
from lanuno.rules.engine.card_effects import EFFECTS
from lanuno.rules.engine.effects import Effect
from lanuno.rules.engine.house_rules.house_rule import CardsNow, Check, HouseRule
from lanuno.rules.engine.house_rules.registry import amended, house_rules_of
from lanuno.rules.engine.question import Question
from lanuno.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class RulesInForce:
    """The rules of a round."""

    ruleset: Ruleset
    """The settings that were agreed on."""
    amended: Ruleset
    """The settings as they are played: the house rules amend them."""
    house_rules: tuple[HouseRule, ...]
    """Those that are on, in the order of the registry."""
    effects: tuple[Effect | None, ...]
    """By rank: what its cards do; None if they do nothing."""
    hands_move: bool
    """Whether a card of the deck can make hands change owners."""
    penalty_cards: tuple[CardsNow, ...]
    """House rules: which cards pass a pending penalty on."""
    out_of_turn_cards: tuple[CardsNow, ...]
    """House rules: which cards may be laid out of turn."""
    checks: Mapping[type[Action], tuple[Check, ...]]
    """House rules: by kind of act, what else to ask whether it is legal."""
    draws_again: bool
    """Whether a house rule lets a seat draw several cards in one turn of its own accord."""

    def question_of(self, rank: int) -> Question | None:
        """What cards of this rank ask their player."""
        effect = self.effects[rank]
        return None if effect is None else effect.question

    def __reduce__(self) -> tuple[Callable[[Ruleset], RulesInForce], tuple[Ruleset]]:
        """It follows from the ruleset: copies and pickles hold only that."""
        return rules_in_force, (self.ruleset,)


def rules_in_force(ruleset: Ruleset) -> RulesInForce:
    """The rules of a round by this ruleset."""
    deck = deck_tables(ruleset.deck)
    on = house_rules_of(ruleset)
    effects = dict(EFFECTS)
    checks: dict[type[Action], tuple[Check, ...]] = {}
    for rule in on:
        effects.update(rule.effects)
        for kind, check in rule.checks.items():
            checks[kind] = (*checks.get(kind, ()), check)
    return RulesInForce(
        ruleset=ruleset,
        amended=amended(ruleset),
        house_rules=on,
        effects=tuple(effects.get(rank) for rank in Rank),
        hands_move=any(each.moves_hands for rank, each in effects.items() if deck.of_rank[rank]),
        penalty_cards=tuple([rule.penalty_cards for rule in on if rule.penalty_cards]),
        out_of_turn_cards=tuple([rule.out_of_turn_cards for rule in on if rule.out_of_turn_cards]),
        checks=checks,
        draws_again=any(rule.draws_again for rule in on),
    )
