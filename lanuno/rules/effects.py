"""What a card does once it lies: the starting card and every card played.

Here: one function per kind of card, each of which puts steps on the agenda. Not here: whether the
card may be played, and how the steps are carried out (agenda.py).
"""

from __future__ import annotations

from lanuno.rules.cards import CardId, Rank, Seat, Slot
from lanuno.rules.events import (
    DirectionTurned,
    Ending,
    Event,
    StartingCard,
    StartingCardReturned,
    Why,
)
from lanuno.rules.pile import ask_shuffle
from lanuno.rules.ruleset import WildFour
from lanuno.rules.state import NOBODY, Phase, RoundState, Step, Todo
from lanuno.rules.swapping import move_hands, moves_hands
from lanuno.rules.turns import decide, following, laps_played, start_turn

_NINE = int(Rank.NINE)
PENALTY_CARDS = {int(Rank.DRAW_TWO): 2, int(Rank.WILD_DRAW_FOUR): 4}


def start_with(r: RoundState, slot: Slot, card: CardId, events: list[Event]) -> None:
    """The card turned up starts the discard pile and takes effect."""
    rank = r.deck.ranks[card]
    if rank == Rank.WILD_DRAW_FOUR:
        events.append(StartingCardReturned(slot, card))
        ask_shuffle(r, (card,), tuple(range(r.pile_next, r.pile_end)), events)
        r.agenda.insert(0, (Step.TURN_UP, NOBODY, 0, 0))
        return
    r.discard.append((slot, card))
    r.face_up[slot] = card
    r.top = card
    r.colour = r.deck.colours[card]
    events.append(StartingCard(slot, card))
    first = r.left_of[r.dealer]
    if rank == Rank.WILD:
        decide(r, Phase.COLOUR, first)
    elif rank == Rank.DRAW_TWO:
        _hit(r, r.dealer, rank)
    elif rank == Rank.SKIP:
        _then(r, (Step.LOSE, first, 0, 0), (Step.NEXT, first, 0, 0))
    elif rank == Rank.REVERSE:
        _turn_direction(r, None, events)
        # The dealer plays, then the dealer's right.
        _then(r, (Step.NEXT, first, 0, 0))
    else:
        _then(r, (Step.TURN, first, 0, 0))


def apply_card(r: RoundState, seat: Seat, card: CardId, events: list[Event]) -> None:
    """The card played by `seat` takes effect."""
    rank = r.deck.ranks[card]
    hand = r.hands.get(seat)
    if rank <= _NINE and hand and not r.ruleset.seven_zero:
        # What most cards do: nothing.
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
            start_turn(r, following(r, seat), events)
    elif rank in PENALTY_CARDS:
        _hit(r, seat, rank)
    else:
        start_turn(r, following(r, seat), events)


def _then(r: RoundState, *steps: Todo) -> None:
    """Do these next."""
    r.agenda[0:0] = steps


def _turn_direction(r: RoundState, seat: Seat | None, events: list[Event]) -> None:
    r.direction = -r.direction
    events.append(DirectionTurned(r.direction > 0, seat))


def _skip(r: RoundState, seat: Seat) -> None:
    hit = following(r, seat)
    _then(r, (Step.LOSE, hit, 0, 0), (Step.NEXT, hit, 0, 0))


def _hit(r: RoundState, seat: Seat, rank: int) -> None:
    """A Draw Two or Wild Draw Four: the next seat draws, now or after having answered."""
    r.penalty += PENALTY_CARDS[rank]
    hit = following(r, seat)
    if may_answer(r, rank):
        _then(r, (Step.ANSWER, hit, 0, 0))
    else:
        take_penalty(r, hit)


def may_answer(r: RoundState, rank: int) -> bool:
    """Whether whoever is hit by this card has a choice."""
    rules = r.ruleset
    if rank == Rank.WILD_DRAW_FOUR and r.wild_four is WildFour.BLUFF:
        return True
    return not laps_played(r) and (
        rules.stack_cross
        or (rules.stack_draw_two and rank == Rank.DRAW_TWO)
        or (rules.stack_wild_four and rank == Rank.WILD_DRAW_FOUR)
    )


def take_penalty(r: RoundState, seat: Seat) -> None:
    """The seat draws all pending cards and loses its turn."""
    count = r.penalty
    r.penalty = 0
    _then(
        r,
        (Step.DRAW, seat, count, Why.PENALTY),
        (Step.LOSE, seat, 0, 0),
        (Step.NEXT, seat, 0, 0),
    )


def _go_out(r: RoundState, seat: Seat, rank: int) -> None:
    """The hand is empty; what the last card makes somebody draw still counts."""
    over = (Step.FINISH, seat, Ending.OUT, 0)
    if rank in PENALTY_CARDS:
        count = r.penalty + PENALTY_CARDS[rank]
        r.penalty = 0
        _then(r, (Step.DRAW, following(r, seat), count, Why.PENALTY), over)
    else:
        _then(r, over)
