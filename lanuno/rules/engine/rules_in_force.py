"""The rules of a round: a ruleset with its house rules applied.

The engine reads everything about house rules from here. The rules themselves are in house_rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from lanuno.rules.cards import Rank
from lanuno.rules.decks import deck_tables
from lanuno.rules.engine.actions import Action
from lanuno.rules.engine.card_effects import EFFECTS
from lanuno.rules.engine.effects import Effect
from lanuno.rules.engine.house_rules.house_rule import CardsNow, Check, HouseRule
from lanuno.rules.engine.house_rules.registry import amended, house_rules_of
from lanuno.rules.ruleset import Ruleset

_USUAL_EFFECTS = tuple([EFFECTS.get(rank, Effect()) for rank in Rank])
"""By rank: the effect of its cards without house rules."""


class RulesInForce(Struct, frozen=True):
    """The rules of a round, computed from its ruleset."""

    ruleset: Ruleset
    """The settings that the players agreed on."""
    amended: Ruleset
    """The settings as they are played, amended by the house rules."""
    house_rules: tuple[HouseRule, ...]
    """The house rules that are on, in the order of the registry."""
    effects: tuple[Effect, ...]
    """By rank: the effect of its cards."""
    hands_move: bool
    """Whether a card of the deck can make hands change owners."""
    penalty_cards: tuple[CardsNow, ...]
    """From house rules: the cards that pass a pending penalty on."""
    out_of_turn_cards: tuple[CardsNow, ...]
    """From house rules: the cards that may be laid out of turn."""
    checks: Mapping[type[Action], tuple[Check, ...]]
    """From house rules: further checks of legality, by kind of act."""
    draws_again: bool
    """Whether a house rule lets a seat draw several cards voluntarily in one turn."""

    def __reduce__(self) -> tuple[Callable[[Ruleset], RulesInForce], tuple[Ruleset]]:
        """Copy and pickle only the ruleset, from which everything else follows."""
        return rules_in_force, (self.ruleset,)


def rules_in_force(ruleset: Ruleset) -> RulesInForce:
    """Return the rules of a round under this ruleset."""
    deck = deck_tables(ruleset.deck)
    on = house_rules_of(ruleset)
    effects = list(_USUAL_EFFECTS)
    checks: dict[type[Action], tuple[Check, ...]] = {}
    for rule in on:
        for rank, effect in rule.effects.items():
            effects[rank] = effect
        for kind, check in rule.checks.items():
            checks[kind] = (*checks.get(kind, ()), check)
    return RulesInForce(
        ruleset=ruleset,
        amended=amended(ruleset),
        house_rules=on,
        effects=tuple(effects),
        hands_move=any(
            effect.moves_hands and cards
            for effect, cards in zip(effects, deck.of_rank, strict=True)
        ),
        penalty_cards=tuple([rule.penalty_cards for rule in on if rule.penalty_cards]),
        out_of_turn_cards=tuple([rule.out_of_turn_cards for rule in on if rule.out_of_turn_cards]),
        checks=checks,
        draws_again=any(rule.draws_again for rule in on),
    )
