"""What each card does: one entry for every rank that is more than a number.

A new card needs an entry in `EFFECTS`. house_rules holds the effects that house rules add, and
effects.py decides when an effect takes place.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from lanuno.rules.cards import CardId, Rank, Seat
from lanuno.rules.engine.effects import Effect, pass_turn, take_penalty
from lanuno.rules.engine.events import DirectionTurned, GameEvent
from lanuno.rules.engine.legality import penalty_cards
from lanuno.rules.engine.state import AgendaStep, RoundState
from lanuno.rules.engine.turns import insert_first, next_seat
from lanuno.rules.ruleset import WildFour


def _skip(r: RoundState, seat: Seat, _card: CardId, _events: list[GameEvent]) -> None:
    hit = next_seat(r, seat)
    insert_first(r, (AgendaStep.LOSE, hit, 0, 0), (AgendaStep.NEXT, hit, 0, 0))


def _reverse(r: RoundState, seat: Seat, card: CardId, events: list[GameEvent]) -> None:
    _turn_direction(r, seat, events)
    if len(r.seats) == 2:
        _skip(r, seat, card, events)
    else:
        pass_turn(r, seat, card, events)


def _begin_reversed(r: RoundState, dealer: Seat, _card: CardId, events: list[GameEvent]) -> None:
    """Let the dealer play first, then the seat to the dealer's right."""
    first = r.left_of[dealer]
    _turn_direction(r, None, events)
    insert_first(r, (AgendaStep.NEXT, first, 0, 0))


def _turn_direction(r: RoundState, seat: Seat | None, events: list[GameEvent]) -> None:
    r.direction = -r.direction
    events.append(DirectionTurned(r.direction > 0, seat))


def _hit(r: RoundState, seat: Seat, card: CardId, _events: list[GameEvent]) -> None:
    """Make the next seat draw, immediately or after its answer."""
    r.penalty += r.deck.draws[card]
    hit = next_seat(r, seat)
    if _may_answer(r, card):
        insert_first(r, (AgendaStep.ANSWER, hit, 0, 0))
    else:
        take_penalty(r, hit)


def _may_answer(r: RoundState, card: CardId) -> bool:
    """Whether the seat hit by this card has a choice: to challenge, or to pass the penalty on."""
    doubtful = r.ruleset.wild_four is WildFour.BLUFF and card in r.deck.restricted
    return doubtful or bool(penalty_cards(r))


EFFECTS: Final[Mapping[Rank, Effect]] = MappingProxyType(
    {
        Rank.DRAW_TWO: Effect(_hit, turned_up=_hit),
        Rank.SKIP: Effect(_skip, turned_up=_skip),
        Rank.REVERSE: Effect(_reverse, turned_up=_begin_reversed),
        Rank.WILD: Effect(),
        Rank.WILD_FOUR: Effect(_hit),
    }
)
"""By rank, in the order in which the rulebook lists them. Numbers have no effect."""
