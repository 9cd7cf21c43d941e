"""What one seat may see of a round: the only input of bots and screens.

`view` is a pure function that copies the visible facts and decides no rule.
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
    """Everything that a seat, or a spectator (`seat` is None), may see. Seats are clockwise."""

    ruleset: Ruleset
    seat: Seat | None
    seats: tuple[Seat, ...]
    """The seats that play now."""
    dealer: Seat
    clockwise: bool
    phase: RoundPhase
    decider: Seat | None
    decision: int
    hand: tuple[Held, ...]
    """This seat's hand, oldest card first; slots not yet opened to this seat are missing."""
    counts: tuple[int, ...]
    """The number of cards in each hand, in the order of `seats`."""
    seen: tuple[tuple[Seat, Held], ...]
    """Cards in other hands that this seat knows: they went back to the hand, were opened or shown,
    or were once its own."""
    top: Card | None
    colour: Colour | None
    """The current colour; None while a starting wild card waits for one."""
    discards: tuple[Card, ...]
    """The discard pile from bottom to top."""
    draw_pile: int
    """The number of cards in the draw pile."""
    nothing_left: bool
    """Whether a draw would get no card, even after a shuffle."""
    drawn: Slot | None
    penalty: int
    """Cards of the pending penalty. They stay at stake during a challenge, even while the accused
    is the decider."""
    challengeable: bool
    accused: Seat | None
    """Who played the Wild Draw Four that can be, or is being, challenged."""
    accused_colour: Colour | None
    """The colour that it was played on; a challenge asks whether the accused held that colour."""
    uno_owed: Seat | None
    legal: tuple[Action, ...]
    unplayable: tuple[tuple[Slot, ActRefusal], ...]
    """While this seat has any legal act: the known cards of its hand that it may not play, and
    why."""
    on_trial: tuple[Seat, Card] | None
    """The player of a card laid on honour that players may still object to, and the card."""
    accusation: tuple[Seat, Seat] | None
    """A running vote: the accused and the accuser."""
    turns: int
    turn_limit: int
    """The number of turns after which the round ends; 0 means no limit."""
    totals: tuple[int, ...]
    """Points in the match, one item per seat of the match."""
    target: int
    number: int
    """The number of this round."""

    @property
    def question(self) -> str | None:
        """The name of the question that the top card asks the decider, if there is one."""
        if self.phase is not RoundPhase.QUESTION or self.top is None:
            return None
        question = rules_in_force(self.ruleset).effects[self.top.rank].question
        return None if question is None else question.name


def view(match: Match, game: Round, seat: Seat | None, cards: Mapping[Slot, CardId]) -> SeatView:
    """Return what `seat` sees, given the slots that were opened to it in `cards`.

    For a spectator, pass None and an empty mapping. Cards that this seat has since given away,
    when hands changed owners, still count as seen, because a player remembers them too.
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
