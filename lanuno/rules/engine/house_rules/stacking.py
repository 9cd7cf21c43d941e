"""Stacking: a card of the same kind passes a penalty on to the next player, and the cards add up.

Three settings: Draw Twos, Wild Draw Fours, or either kind on either.
"""

from __future__ import annotations

from collections.abc import Iterator

from lanuno.rules.cards import CardId, Rank
from lanuno.rules.engine.house_rules.house_rule import HouseRule
from lanuno.rules.engine.state import RoundState
from lanuno.rules.rule import CheckedBy, Rule, WhenChecked, live
from lanuno.rules.ruleset import Ruleset, WildFour


def _twos_on_twos(r: RoundState) -> frozenset[CardId]:
    twos = r.deck.of_rank[Rank.DRAW_TWO]
    return twos if r.top in twos else frozenset()


def _fours_on_fours(r: RoundState) -> frozenset[CardId]:
    fours = r.deck.of_rank[Rank.WILD_FOUR]
    return fours if r.top in fours else frozenset()


def _either_on_either(r: RoundState) -> frozenset[CardId]:
    """Allow a Draw Two on a Wild Draw Four only in the named colour."""
    twos = r.deck.of_rank[Rank.DRAW_TWO]
    fours = r.deck.of_rank[Rank.WILD_FOUR]
    return fours | (twos if r.top in twos else twos & r.deck.of_colour[r.colour])


def _stacks_twos(rules: Ruleset) -> bool:
    return rules.stack_draw_two or rules.stack_cross


def _stacks_fours(rules: Ruleset) -> bool:
    return rules.stack_wild_four or rules.stack_cross


def _details(rules: Ruleset) -> Iterator[Rule]:
    yield live("house.stack_turn")
    if _stacks_fours(rules) and rules.wild_four is WildFour.BLUFF:
        yield live("house.stack_challenge")
    elif _stacks_fours(rules):
        yield Rule("house.stack_strict", CheckedBy.AUDIT)
    yield live("house.stack_last")


def _reword(rules: Ruleset, said: Rule) -> Iterator[Rule]:
    twos, fours = _stacks_twos(rules), _stacks_fours(rules)
    match said.id:
        case "start.draw_two" | "start.two" if twos:
            yield Rule(f"{said.id}_passed", said.checked, said.values)
        case "actions.two":
            yield live("actions.two_passed")
        case "actions.no_stacking":
            if not fours:
                yield live("actions.no_stacking_fours")
            elif not twos:
                yield live("actions.no_stacking_twos")
        case "four.guilty" if fours:
            yield live("four.guilty_sum")
        case "four.innocent" if fours:
            extra = rules.challenge_penalty
            yield live("four.innocent_sum", extra=extra) if extra else live("four.innocent_only")
        case "ending.laps_draws":
            yield said
            yield live("ending.laps_no_passing")
        case "timers.turn" if rules.wild_four is not WildFour.BLUFF:
            yield said
            yield live("timers.penalty")
        case "sources.no_stacking":
            yield Rule("sources.stacking", said.checked)
        case _:
            yield said


STACK_DRAW_TWO = HouseRule(
    "stack_draw_two",
    WhenChecked.LIVE,
    penalty_cards=_twos_on_twos,
    shared_details=_details,
    reword=_reword,
)
STACK_WILD_FOUR = HouseRule(
    "stack_wild_four",
    WhenChecked.LIVE,
    penalty_cards=_fours_on_fours,
    shared_details=_details,
    reword=_reword,
)
STACK_CROSS = HouseRule(
    "stack_cross",
    WhenChecked.LIVE,
    replaces=frozenset({"stack_draw_two", "stack_wild_four"}),
    penalty_cards=_either_on_either,
    shared_details=_details,
    reword=_reword,
)
