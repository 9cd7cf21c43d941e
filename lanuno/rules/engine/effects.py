"""What a card does after it is played or turned up: the starting card and every card played.

Here: one function per kind of card, each of which puts steps on the agenda. Not here: whether the
card may be played, and how the steps are carried out (agenda.py).
"""

from __future__ import annotations

from lanuno.rules.cards import CardId, Rank, Seat, Slot
from lanuno.rules.engine.events import (
    DirectionTurned,
    DrawReason,
    GameEvent,
    RoundEnding,
    StartingCard,
    StartingCardReturned,
)
from lanuno.rules.engine.pile import ask_shuffle
from lanuno.rules.engine.state import NOBODY, AgendaItem, AgendaStep, RoundPhase, RoundState
from lanuno.rules.engine.swapping import move_hands, moves_hands
from lanuno.rules.engine.turns import ask_decision, laps_played, next_seat, start_turn
from lanuno.rules.ruleset import WildFour

_NINE = int(Rank.NINE)
PENALTY_CARDS = {int(Rank.DRAW_TWO): 2, int(Rank.WILD_FOUR): 4}


def start_with(r: RoundState, slot: Slot, card: CardId, events: list[GameEvent]) -> None:
    """The card turned up starts the discard pile and takes effect."""
    rank = r.deck.ranks[card]
    if rank == Rank.WILD_FOUR:
        events.append(StartingCardReturned(slot, card))
        ask_shuffle(r, (card,), tuple(range(r.pile_next, r.pile_end)), events)
        r.agenda.insert(0, (AgendaStep.TURN_UP, NOBODY, 0, 0))
        return
    r.discard.append((slot, card))
    r.face_up[slot] = card
    r.top = card
    r.colour = r.deck.colours[card]
    events.append(StartingCard(slot, card))
    first = r.left_of[r.dealer]
    if rank == Rank.WILD:
        ask_decision(r, RoundPhase.COLOUR, first)
    elif rank == Rank.DRAW_TWO:
        _hit(r, r.dealer, rank)
    elif rank == Rank.SKIP:
        _insert_first(r, (AgendaStep.LOSE, first, 0, 0), (AgendaStep.NEXT, first, 0, 0))
    elif rank == Rank.REVERSE:
        _turn_direction(r, None, events)
        # The dealer plays, then the dealer's right.
        _insert_first(r, (AgendaStep.NEXT, first, 0, 0))
    else:
        _insert_first(r, (AgendaStep.TURN, first, 0, 0))


def apply_card(r: RoundState, seat: Seat, card: CardId, events: list[GameEvent]) -> None:
    """The card played by `seat` takes effect."""
    rank = r.deck.ranks[card]
    hand = r.hands.get(seat)
    if rank <= _NINE and hand and not r.ruleset.seven_zero:
        # Most cards have no effect.
        start_turn(r, r.left_of[seat] if r.direction > 0 else r.right_of[seat], events)
    elif hand == []:
        _go_out(r, seat, rank)
    elif moves_hands(r, seat, rank):
        move_hands(r, seat, rank, events)
    elif rank == Rank.SKIP:
        _skip(r, seat)
    elif rank == Rank.REVERSE:
        _turn_direction(r, seat, events)
        if len(r.seats) == 2:
            _skip(r, seat)
        else:
            start_turn(r, next_seat(r, seat), events)
    elif rank in PENALTY_CARDS:
        _hit(r, seat, rank)
    else:
        start_turn(r, next_seat(r, seat), events)


def _insert_first(r: RoundState, *steps: AgendaItem) -> None:
    """Put these steps before everything on the agenda."""
    r.agenda[0:0] = steps


def _turn_direction(r: RoundState, seat: Seat | None, events: list[GameEvent]) -> None:
    r.direction = -r.direction
    events.append(DirectionTurned(r.direction > 0, seat))


def _skip(r: RoundState, seat: Seat) -> None:
    hit = next_seat(r, seat)
    _insert_first(r, (AgendaStep.LOSE, hit, 0, 0), (AgendaStep.NEXT, hit, 0, 0))


def _hit(r: RoundState, seat: Seat, rank: int) -> None:
    """A Draw Two or Wild Draw Four: the next seat draws, now or after its answer."""
    r.penalty += PENALTY_CARDS[rank]
    hit = next_seat(r, seat)
    if may_answer(r, rank):
        _insert_first(r, (AgendaStep.ANSWER, hit, 0, 0))
    else:
        take_penalty(r, hit)


def may_answer(r: RoundState, rank: int) -> bool:
    """Whether the seat that is hit by this card has a choice."""
    rules = r.ruleset
    if rank == Rank.WILD_FOUR and r.wild_four is WildFour.BLUFF:
        return True
    return not laps_played(r) and (
        rules.stack_cross
        or (rules.stack_draw_two and rank == Rank.DRAW_TWO)
        or (rules.stack_wild_four and rank == Rank.WILD_FOUR)
    )


def take_penalty(r: RoundState, seat: Seat) -> None:
    """The seat draws all pending cards and loses its turn."""
    count = r.penalty
    r.penalty = 0
    _insert_first(
        r,
        (AgendaStep.DRAW, seat, count, DrawReason.PENALTY),
        (AgendaStep.LOSE, seat, 0, 0),
        (AgendaStep.NEXT, seat, 0, 0),
    )


def _go_out(r: RoundState, seat: Seat, rank: int) -> None:
    """The hand is empty; what the last card makes somebody draw still counts."""
    over = (AgendaStep.FINISH, seat, RoundEnding.OUT, 0)
    if rank in PENALTY_CARDS:
        count = r.penalty + PENALTY_CARDS[rank]
        r.penalty = 0
        _insert_first(r, (AgendaStep.DRAW, next_seat(r, seat), count, DrawReason.PENALTY), over)
    else:
        _insert_first(r, over)
