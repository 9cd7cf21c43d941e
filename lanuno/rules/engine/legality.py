"""Whether an act is legal, given the hidden cards that the caller knows.

`_CHECKS` says when an act answers a decision, and what else it requires. choices.py lists the legal
acts, and act_handlers.py carries them out.

`cards` maps slots to the cards that the caller knows: none (the live check of every peer), the
caller's own hand (the check of an honest client before it sends) or all (the audit). A check of
hidden cards refuses only what the known cards prove to be wrong. More knowledge can therefore turn
a legal act into an illegal one, but never the reverse.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Any

from lanuno.rules.cards import CardId, Seat, Slot
from lanuno.rules.engine.actions import (
    Accept,
    Accuse,
    Action,
    Catch,
    Challenge,
    Draw,
    Keep,
    NameColour,
    Object,
    OpenHand,
    Play,
    RefuseShow,
    RefuseVerdict,
    SayUno,
    Show,
    Swap,
    Verdict,
    Vote,
)
from lanuno.rules.engine.pile import nothing_left
from lanuno.rules.engine.question import Known, question_answered
from lanuno.rules.engine.state import NOBODY, RoundPhase, RoundState
from lanuno.rules.engine.turns import laps_played
from lanuno.rules.refusals import ActRefusal
from lanuno.rules.ruleset import DrawnRule, DrawRule, Manners, UnoRule, WildFour

_NO_CARDS: frozenset[CardId] = frozenset()
_WHILE_WAITING = (SayUno, Catch)
_PLAYING = (RoundPhase.TURN, RoundPhase.DRAWN, RoundPhase.PENALTY)
# Looked up once: reading an enum member costs as much as some of the rules here.
_NEW = RoundPhase.NEW
_OVER = RoundPhase.OVER
_TURN = RoundPhase.TURN
_DRAWN = RoundPhase.DRAWN
_PENALTY = RoundPhase.PENALTY
_QUESTION = RoundPhase.QUESTION
_ENFORCED = Manners.ENFORCED


def refusal(r: RoundState, seat: Seat, action: Action, cards: Known) -> ActRefusal | None:
    """Return why this act of this seat is illegal now, or None if no known card forbids it."""
    stage = r.stage
    if stage is _OVER:
        return ActRefusal.ROUND_OVER
    if stage is _NEW:
        return ActRefusal.WAITING
    if seat not in r.hands:
        return ActRefusal.NOT_SEATED
    if (r.shuffle is not None or r.opens) and not isinstance(action, _WHILE_WAITING):
        return ActRefusal.WAITING
    question = stage is _QUESTION and question_answered(r, seat, action)
    if question:
        fault = question.refusal(r, seat, action, cards)
    else:
        phases, check = _CHECKS[type(action)]
        if phases is None or (r.actor == seat and stage in phases):
            fault = check(r, seat, action, cards)
        else:
            fault = ActRefusal.WRONG_MOMENT if r.actor == seat else ActRefusal.NOT_YOUR_TURN
    checks = r.rules.checks
    if checks:
        for amend in checks.get(type(action), ()):
            fault = amend(r, seat, action, cards, fault)
    return fault


# Playing


def named_card_refusal(r: RoundState, seat: Seat, action: Play, cards: Known) -> ActRefusal | None:
    """Return why the seat cannot hold the named card in the named slot, as far as known."""
    slot = action.slot
    card = action.card
    if slot not in r.hands[seat]:
        return ActRefusal.NOT_YOUR_CARD
    if not 0 <= card < r.deck.size:
        return ActRefusal.NO_SUCH_CARD
    if cards.get(slot, card) != card or r.face_up.get(slot, card) != card:
        return ActRefusal.WRONG_CARD
    return None


def _play(r: RoundState, seat: Seat, action: Play, cards: Known) -> ActRefusal | None:
    fault = named_card_refusal(r, seat, action, cards)
    if fault is not None:
        return fault
    slot = action.slot
    card = action.card
    stage = r.stage
    if r.actor != seat:
        if card not in layable(r, seat):
            return ActRefusal.NOT_YOUR_TURN
    elif stage not in _PLAYING:
        return ActRefusal.WRONG_MOMENT
    elif stage is _DRAWN and slot != r.drawn and r.ruleset.manners is _ENFORCED:
        return ActRefusal.ONLY_DRAWN_CARD
    elif card not in layable(r, seat):
        return ActRefusal.UNPLAYABLE
    colour = action.colour
    if card not in r.deck.wild:
        if colour is not None:
            return ActRefusal.COLOUR_UNWANTED
    elif colour is None or not 0 <= colour <= 3:
        return ActRefusal.COLOUR_MISSING
    if action.uno and len(r.hands[seat]) != 2:
        return ActRefusal.NOTHING_TO_SAY
    if card in r.deck.restricted:
        return wild_four_refusal(r, seat, slot, cards)
    return None


def layable(r: RoundState, seat: Seat) -> Container[CardId]:
    """Return the cards that this seat may lay now by public information, wherever they are.

    Two rules are not applied: after a draw only the drawn card may be played, and a hand may forbid
    a Wild Draw Four.
    """
    if r.actor != seat:
        return out_of_turn_cards(r)
    if r.stage is _PENALTY:
        return penalty_cards(r)
    if r.ruleset.manners is not _ENFORCED:
        return range(r.deck.size)
    return r.deck.playable[r.colour][r.deck.ranks[r.top]]


def out_of_turn_cards(r: RoundState) -> frozenset[CardId]:
    """Return the cards that may be laid out of turn by a house rule."""
    if r.stage is not _TURN:
        return _NO_CARDS
    return _NO_CARDS.union(*[cards(r) for cards in r.rules.out_of_turn_cards])


def penalty_cards(r: RoundState) -> frozenset[CardId]:
    """Return the cards that pass the pending penalty on by a house rule, which uses a turn."""
    if laps_played(r):
        return _NO_CARDS
    return _NO_CARDS.union(*[cards(r) for cards in r.rules.penalty_cards])


def wild_four_refusal(r: RoundState, seat: Seat, slot: Slot, cards: Known) -> ActRefusal | None:
    """Return why the rest of the hand, as far as known, forbids the Wild Draw Four in `slot`."""
    return (
        None
        if r.ruleset.wild_four is WildFour.BLUFF
        else _wild_four_fault(r, seat, slot, cards, None)
    )


def _wild_four_fault(
    r: RoundState, seat: Seat, slot: Slot, cards: Known, without: Slot | None
) -> ActRefusal | None:
    """Return why this Wild Draw Four is wrong, bluffs included, ignoring the slot `without`."""
    deck = r.deck
    strictest = r.ruleset.wild_four is WildFour.STRICTEST
    against = deck.playable[r.colour][deck.ranks[r.top]] if strictest else deck.of_colour[r.colour]
    for other in r.hands[seat]:
        if other not in (slot, without) and cards.get(other, -1) in against:
            if not strictest:
                return ActRefusal.HOLDS_COLOUR
            if cards[other] not in deck.restricted:
                return ActRefusal.HOLDS_PLAYABLE
    return None


# Drawing and keeping


def holds_playable(r: RoundState, seat: Seat, cards: Known, without: Slot | None = None) -> bool:
    """Whether the hand, except the slot `without`, is known to hold a playable card."""
    return any(
        slot != without and _plays_without_fault(r, seat, slot, cards, without)
        for slot in r.hands[seat]
    )


def _plays_without_fault(
    r: RoundState, seat: Seat, slot: Slot, cards: Known, without: Slot | None = None
) -> bool | None:
    """Whether the card in `slot` can be played without any fault; None if that is not known.

    A bluff with a Wild Draw Four is legal, but no player can be obliged to bluff.
    """
    card = cards.get(slot)
    if card is None:
        return None
    deck = r.deck
    if card not in deck.playable[r.colour][deck.ranks[r.top]]:
        return False
    if card not in deck.restricted:
        return True
    if _wild_four_fault(r, seat, slot, cards, without) is not None:
        return False
    return True if all(other in cards or other == without for other in r.hands[seat]) else None


def drawn_playable(r: RoundState, seat: Seat, cards: Known) -> bool | None:
    """Whether the card just drawn can be played without any fault; None if that is not known."""
    return None if r.drawn is None else _plays_without_fault(r, seat, r.drawn, cards)


def _draw(r: RoundState, seat: Seat, _action: Draw, cards: Known) -> ActRefusal | None:
    if (r.ruleset.draw is DrawRule.STUCK or nothing_left(r)) and holds_playable(r, seat, cards):
        return ActRefusal.MUST_PLAY
    return None


def _keep(r: RoundState, seat: Seat, _action: Keep, cards: Known) -> ActRefusal | None:
    if not drawn_playable(r, seat, cards):
        return None
    if r.ruleset.drawn is DrawnRule.FORCED:
        return ActRefusal.MUST_PLAY_DRAWN
    if r.ruleset.drawn is DrawnRule.STUCK and _was_stuck(r, seat, cards):
        return ActRefusal.MUST_PLAY_DRAWN
    return None


def _was_stuck(r: RoundState, seat: Seat, cards: Known) -> bool:
    """Whether the hand is known to have held no playable card before the draw."""
    return all(slot in cards for slot in r.hands[seat]) and not holds_playable(
        r, seat, cards, without=r.drawn
    )


# Answers to the card just played


def _name_colour(
    _r: RoundState, _seat: Seat, action: NameColour, _cards: Known
) -> ActRefusal | None:
    return None if 0 <= action.colour <= 3 else ActRefusal.COLOUR_MISSING


def _challenge(r: RoundState, _seat: Seat, _action: Challenge, _cards: Known) -> ActRefusal | None:
    return ActRefusal.NOT_CHALLENGEABLE if r.accused == NOBODY else None


def _verdict(r: RoundState, _seat: Seat, action: Verdict, cards: Known) -> ActRefusal | None:
    truth = guilty(r, cards)
    return None if truth is None or truth == action.guilty else ActRefusal.FALSE_VERDICT


def guilty(r: RoundState, cards: Known) -> bool | None:
    """Whether the accused held the colour; None if the known cards do not settle that."""
    of_colour = r.deck.of_colour[r.accused_colour]
    known = [cards[slot] for slot in r.accused_hand if slot in cards]
    if any(card in of_colour for card in known):
        return True
    return False if len(known) == len(r.accused_hand) else None


# Acts that are possible at any time


def _say_uno(r: RoundState, seat: Seat, _action: SayUno, _cards: Known) -> ActRefusal | None:
    return None if r.uno_owed == seat else ActRefusal.NOTHING_TO_SAY


def _catch(r: RoundState, seat: Seat, action: Catch, _cards: Known) -> ActRefusal | None:
    if r.ruleset.uno is UnoRule.AUTOMATIC:
        return ActRefusal.NO_CATCHING
    if action.seat == seat:
        return ActRefusal.NOT_ONESELF
    if action.seat not in r.hands:
        return ActRefusal.NO_SUCH_SEAT
    return None if r.uno_owed == action.seat else ActRefusal.NOTHING_TO_CATCH


def _object(r: RoundState, seat: Seat, _action: Object, _cards: Known) -> ActRefusal | None:
    laid = r.laid
    if laid is None or r.stage is not RoundPhase.OBJECTION:
        return ActRefusal.WRONG_MOMENT
    if laid.seat == seat:
        return ActRefusal.NOT_ONESELF
    return None if laid.wrong else ActRefusal.RIGHT_CARD


def current_lap(r: RoundState) -> int:
    """Return the lap of the round, from 0. A lap has one turn per seat that was dealt cards."""
    return max(0, r.turns - 1) // len(r.dealt_seats)


def _accuse(r: RoundState, seat: Seat, action: Accuse, _cards: Known) -> ActRefusal | None:
    if not r.ruleset.advice or len(r.seats) < 3:
        return ActRefusal.NO_VOTING
    if r.accusation is not None:
        return ActRefusal.VOTE_RUNNING
    if action.seat == seat:
        return ActRefusal.NOT_ONESELF
    if action.seat not in r.hands:
        return ActRefusal.NO_SUCH_SEAT
    return ActRefusal.ALREADY_DONE if r.accusers.get(seat) == current_lap(r) else None


def _vote(r: RoundState, seat: Seat, _action: Vote, _cards: Known) -> ActRefusal | None:
    running = r.accusation
    if running is None:
        return ActRefusal.NO_VOTING
    if running.accused == seat:
        return ActRefusal.NOT_ONESELF
    return ActRefusal.ALREADY_DONE if seat in running.votes else None


def _nothing_else(_r: RoundState, _seat: Seat, _action: Action, _cards: Known) -> None:
    return None


_Check = Callable[[RoundState, Seat, Any, Known], ActRefusal | None]
_CHECKS: dict[type[Action], tuple[tuple[RoundPhase, ...] | None, _Check]] = {
    Play: (None, _play),
    Draw: ((RoundPhase.TURN,), _draw),
    Keep: ((RoundPhase.DRAWN,), _keep),
    NameColour: ((RoundPhase.COLOUR,), _name_colour),
    Accept: ((RoundPhase.PENALTY,), _nothing_else),
    Challenge: ((RoundPhase.PENALTY,), _challenge),
    Show: ((RoundPhase.SHOW,), _nothing_else),
    RefuseShow: ((RoundPhase.SHOW, RoundPhase.OPEN_HAND), _nothing_else),
    Verdict: ((RoundPhase.VERDICT,), _verdict),
    RefuseVerdict: ((RoundPhase.VERDICT,), _nothing_else),
    OpenHand: ((RoundPhase.OPEN_HAND,), _nothing_else),
    Swap: ((), _nothing_else),  # it answers only questions of cards, which check it themselves
    SayUno: (None, _say_uno),
    Catch: (None, _catch),
    Object: (None, _object),
    Accuse: (None, _accuse),
    Vote: (None, _vote),
}
"""By kind of act: the phases whose decision it answers, if it answers one, and what else it
requires."""
