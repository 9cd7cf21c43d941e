"""What one seat may see: the only thing that a bot or a screen is ever given.

Here: `view`, one pure function, and its value. Not here: any rule.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from lanuno.rules.cards import Card, CardId, Colour, Seat, Slot
from lanuno.rules.engine.actions import Action, Play
from lanuno.rules.engine.pile import nothing_left
from lanuno.rules.engine.round import Round
from lanuno.rules.engine.rules_in_force import rules_in_force
from lanuno.rules.engine.state import NOBODY, RoundPhase
from lanuno.rules.match.match import Match
from lanuno.rules.refusals import ActRefusal
from lanuno.rules.ruleset import Ruleset


class Held(msgspec.Struct, frozen=True):
    """A card in a hand that the viewer can see."""

    slot: Slot
    card: CardId
    face: Card


class SeatView(msgspec.Struct, frozen=True):
    """Everything that a seat, or a spectator (`seat` is None), may see. Tuples are clockwise."""

    ruleset: Ruleset
    seat: Seat | None
    seats: tuple[Seat, ...]
    """Who plays now."""
    dealer: Seat
    clockwise: bool
    phase: RoundPhase
    decider: Seat | None
    decision: int
    hand: tuple[Held, ...]
    """The own hand, oldest card first; slots not yet opened to this seat are missing."""
    counts: tuple[int, ...]
    """Cards in hand, in the order of `seats`."""
    seen: tuple[tuple[Seat, Held], ...]
    """Cards in other hands that this seat knows: taken back, or shown to it."""
    top: Card | None
    colour: Colour | None
    """The current colour; None while a starting wild card waits for one."""
    discards: tuple[Card, ...]
    """The discard pile from the bottom to the top."""
    draw_pile: int
    """How many cards it holds."""
    nothing_left: bool
    """Whether a draw would get no card, not even after a shuffle."""
    drawn: Slot | None
    penalty: int
    """Pending cards that the decider is hit by."""
    challengeable: bool
    accused: Seat | None
    """Who played the Wild Draw Four that may be, or is, challenged."""
    accused_colour: Colour | None
    """The colour it was played on: holding that colour is what a challenge is about."""
    uno_owed: Seat | None
    legal: tuple[Action, ...]
    unplayable: tuple[tuple[Slot, ActRefusal], ...]
    """While this seat may play: the cards of the hand that it may not, and why."""
    on_trial: tuple[Seat, Card] | None
    """A card laid on honour that players may still object to, and its player."""
    accusation: tuple[Seat, Seat] | None
    """A running vote: the accused and the accuser."""
    turns: int
    turn_limit: int
    """Turns after which the round ends; 0 if it does not."""
    totals: tuple[int, ...]
    """Points in the match, one place per seat of the match."""
    target: int
    number: int
    """The number of this round."""

    @property
    def question(self) -> str | None:
        """What the top card asks the decider, by the name of the question."""
        if self.phase is not RoundPhase.QUESTION or self.top is None:
            return None
        question = rules_in_force(self.ruleset).question_of(self.top.rank)
        return None if question is None else question.name


def view(match: Match, game: Round, seat: Seat | None, cards: Mapping[Slot, CardId]) -> SeatView:
    """What `seat` sees, `cards` being the slots that were opened to it.

    A spectator passes None and an empty mapping. Cards that this seat has given away since (by a
    swap of hands) still count as seen: a person remembers them too.
    """
    faces = game.deck.faces
    known = {**game.face_up, **cards}
    hand = () if seat is None else tuple(game.hands.get(seat, ()))
    legal = () if seat is None else game.legal(seat, known)
    running = game.accusation
    laid = game.laid
    return SeatView(
        ruleset=game.rules.ruleset,
        seat=seat,
        seats=game.seats,
        dealer=game.dealer,
        clockwise=game.direction > 0,
        phase=game.phase,
        decider=game.decider,
        decision=game.decision,
        hand=tuple([_held(slot, known[slot], faces) for slot in hand if slot in known]),
        counts=tuple([len(game.hands.get(each, ())) for each in game.seats]),
        seen=tuple(
            [
                (other, _held(slot, known[slot], faces))
                for other, slots in game.hands.items()
                if other != seat
                for slot in slots
                if slot in known
            ]
        ),
        top=faces[game.top] if game.top >= 0 else None,
        colour=Colour(game.colour) if game.colour >= 0 else None,
        discards=tuple([faces[card] for _, card in game.discard]),
        draw_pile=game.pile_end - game.pile_next,
        nothing_left=nothing_left(game),
        drawn=game.drawn,
        penalty=game.penalty,
        challengeable=game.accused != NOBODY and game.stage is RoundPhase.PENALTY,
        accused=None if game.accused == NOBODY else game.accused,
        accused_colour=Colour(game.accused_colour) if game.accused_colour >= 0 else None,
        uno_owed=game.uno_owed,
        legal=legal,
        unplayable=_unplayable(game, seat, hand, known) if legal and seat is not None else (),
        on_trial=None if laid is None else (laid.seat, faces[laid.card]),
        accusation=None if running is None else (running.accused, running.by),
        turns=game.turns,
        turn_limit=game.turn_limit,
        totals=tuple(match.totals),
        target=match.target,
        number=match.number,
    )


def _held(slot: Slot, card: CardId, faces: tuple[Card, ...]) -> Held:
    return Held(slot, card, faces[card])


def _unplayable(
    game: Round, seat: Seat, hand: tuple[Slot, ...], known: Mapping[Slot, CardId]
) -> tuple[tuple[Slot, ActRefusal], ...]:
    found: list[tuple[Slot, ActRefusal]] = []
    for slot in hand:
        if slot in known:
            card = known[slot]
            colour = 0 if game.deck.faces[card].is_wild else None
            why = game.refusal(seat, Play(slot, card, colour), known)
            if why is not None:
                found.append((slot, why))
    return tuple(found)
