"""Whether an act is legal, given what the asker knows of the hidden cards.

Here: `refusal`, one function for every kind of act. Not here: listing the legal acts (choices.py)
and what they do (acts.py).

`cards` maps slots to cards, and holds whatever the asker knows: nothing (the check that every peer
makes live), the own hand (what an honest client refuses itself) or everything (the audit). A check
of hidden cards only refuses what the known cards prove to be wrong, so knowing more can turn a
legal act into an illegal one, and never the reverse.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import Any

from lanuno.rules.actions import (
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
from lanuno.rules.cards import FIRST_WILD, CardId, Rank, Seat, Slot
from lanuno.rules.pile import nothing_left
from lanuno.rules.refusals import Refusal
from lanuno.rules.ruleset import DrawnRule, DrawRule, Manners, UnoRule, WildFour
from lanuno.rules.state import NOBODY, Phase, RoundState
from lanuno.rules.turns import laps_played

Known = Mapping[Slot, CardId]

_WHILE_WAITING = (SayUno, Catch)
_PLAYING = frozenset({Phase.TURN, Phase.DRAWN, Phase.PENALTY})
# Looking up a member of an enumeration costs as much as some of the rules here.
_NEW = Phase.NEW
_OVER = Phase.OVER
_TURN = Phase.TURN
_DRAWN = Phase.DRAWN
_PENALTY = Phase.PENALTY
_ENFORCED = Manners.ENFORCED


def refusal(r: RoundState, seat: Seat, action: Action, cards: Known) -> Refusal | None:
    """Why this act of this seat is illegal now, or None if nothing known speaks against it."""
    stage = r.stage
    if stage is _OVER:
        return Refusal.ROUND_OVER
    if stage is _NEW:
        return Refusal.WAITING
    if seat not in r.hands:
        return Refusal.NOT_SEATED
    if (r.shuffle is not None or r.opens) and not isinstance(action, _WHILE_WAITING):
        return Refusal.WAITING
    return _CHECKS[type(action)](r, seat, action, cards)


def _out_of_place(r: RoundState, seat: Seat, *phases: Phase) -> Refusal | None:
    """The two refusals that every answer to a decision shares."""
    if r.actor != seat:
        return Refusal.NOT_YOUR_TURN
    if r.stage not in phases:
        return Refusal.WRONG_MOMENT
    return None


# Playing


def _play(r: RoundState, seat: Seat, action: Play, cards: Known) -> Refusal | None:
    slot = action.slot
    card = action.card
    hand = r.hands[seat]
    if slot not in hand:
        return Refusal.NOT_YOUR_CARD
    if not 0 <= card < r.deck.size:
        return Refusal.NO_SUCH_CARD
    if cards.get(slot, card) != card or r.face_up.get(slot, card) != card:
        return Refusal.WRONG_CARD
    stage = r.stage
    if r.actor != seat:
        if card not in layable(r, seat):
            return Refusal.NOT_YOUR_TURN
    elif stage is not _TURN and stage not in _PLAYING:
        return Refusal.WRONG_MOMENT
    elif stage is _DRAWN and slot != r.drawn and r.ruleset.manners is _ENFORCED:
        return Refusal.ONLY_DRAWN_CARD
    elif card not in layable(r, seat):
        return Refusal.UNPLAYABLE
    colour = action.colour
    if card < FIRST_WILD:
        if colour is not None:
            return Refusal.COLOUR_UNWANTED
    elif colour is None or not 0 <= colour <= 3:
        return Refusal.COLOUR_MISSING
    if action.uno and len(hand) != 2:
        return Refusal.NOTHING_TO_SAY
    if card >= r.deck.first_four:
        return wild_four_refusal(r, seat, slot, cards)
    return None


def layable(r: RoundState, seat: Seat) -> Container[CardId]:
    """The cards that this seat could lay now, wherever they are; by what everybody can see.

    That only the drawn card may follow a draw, and that a hand may forbid a Wild Draw Four, is
    not counted in.
    """
    if r.actor != seat:
        return _for_jumping_in(r)
    if r.stage is _PENALTY:
        return _for_passing_on(r)
    if r.ruleset.manners is not _ENFORCED:
        return range(r.deck.size)
    return r.deck.playable[r.colour][r.deck.ranks[r.top]]


def _for_jumping_in(r: RoundState) -> Container[CardId]:
    """House rule: the twins of a card that somebody played, before the next turn begins."""
    if r.ruleset.jump_in and r.played and r.stage is _TURN:
        return r.deck.twins[r.top]
    return ()


def _for_passing_on(r: RoundState) -> Container[CardId]:
    """House rules: the cards that pass the pending penalty on, which takes a turn."""
    if laps_played(r):
        return ()
    rules = r.ruleset
    deck = r.deck
    twos = deck.of_rank[Rank.DRAW_TWO]
    fours = deck.of_rank[Rank.WILD_DRAW_FOUR]
    if deck.ranks[r.top] == Rank.DRAW_TWO:
        if rules.stack_cross:
            return twos | fours
        return twos if rules.stack_draw_two else ()
    if rules.stack_cross:
        return fours | (twos & deck.of_colour[r.colour])
    return fours if rules.stack_wild_four else ()


def wild_four_refusal(r: RoundState, seat: Seat, slot: Slot, cards: Known) -> Refusal | None:
    """Whether the rest of the hand, as far as it is known, forbids the Wild Draw Four in `slot`."""
    return None if r.wild_four is WildFour.BLUFF else _wild_four_fault(r, seat, slot, cards, None)


def _wild_four_fault(
    r: RoundState, seat: Seat, slot: Slot, cards: Known, but: Slot | None
) -> Refusal | None:
    """What makes it wrong to play this Wild Draw Four, `but` not being held; a bluff is wrong."""
    deck = r.deck
    strictest = r.wild_four is WildFour.STRICTEST
    against = deck.playable[r.colour][deck.ranks[r.top]] if strictest else deck.of_colour[r.colour]
    for other in r.hands[seat]:
        if other not in (slot, but) and cards.get(other, -1) in against:
            if not strictest:
                return Refusal.HOLDS_COLOUR
            if deck.ranks[cards[other]] != Rank.WILD_DRAW_FOUR:
                return Refusal.HOLDS_PLAYABLE
    return None


# Drawing and keeping


def holds_playable(r: RoundState, seat: Seat, cards: Known, but: Slot | None = None) -> bool:
    """Whether the hand, `but` not being held, is known to hold what can rightly be played now."""
    return any(slot != but and _rightly(r, seat, slot, cards, but) for slot in r.hands[seat])


def _rightly(
    r: RoundState, seat: Seat, slot: Slot, cards: Known, but: Slot | None = None
) -> bool | None:
    """Whether what lies in `slot` can be played without any fault; None if that is not known.

    A Wild Draw Four that would be a bluff may be played, but nobody can be obliged to bluff.
    """
    card = cards.get(slot)
    if card is None:
        return None
    deck = r.deck
    if card not in deck.playable[r.colour][deck.ranks[r.top]]:
        return False
    if card < deck.first_four:
        return True
    if _wild_four_fault(r, seat, slot, cards, but) is not None:
        return False
    return True if all(other in cards or other == but for other in r.hands[seat]) else None


def drawn_playable(r: RoundState, seat: Seat, cards: Known) -> bool | None:
    """Whether the card just drawn can rightly be played; None if it is not known."""
    return None if r.drawn is None else _rightly(r, seat, r.drawn, cards)


def _draw(r: RoundState, seat: Seat, _action: Draw, cards: Known) -> Refusal | None:
    fault = _out_of_place(r, seat, Phase.TURN, Phase.DRAWN)
    if fault is not None:
        return fault
    if r.stage is Phase.DRAWN:
        if not r.ruleset.draw_until_playable or nothing_left(r):
            return Refusal.WRONG_MOMENT
        return Refusal.DRAWN_FITS if drawn_playable(r, seat, cards) else None
    if (r.ruleset.draw is DrawRule.STUCK or nothing_left(r)) and holds_playable(r, seat, cards):
        return Refusal.MUST_PLAY
    return None


def _keep(r: RoundState, seat: Seat, _action: Keep, cards: Known) -> Refusal | None:
    fault = _out_of_place(r, seat, Phase.DRAWN)
    if fault is not None:
        return fault
    playable = drawn_playable(r, seat, cards)
    if playable is None:
        return None
    if not playable:
        more = r.ruleset.draw_until_playable and not nothing_left(r)
        return Refusal.MUST_DRAW if more else None
    if r.drawn_rule is DrawnRule.FORCED:
        return Refusal.MUST_PLAY_DRAWN
    if r.drawn_rule is DrawnRule.STUCK and _was_stuck(r, seat, cards):
        return Refusal.MUST_PLAY_DRAWN
    return None


def _was_stuck(r: RoundState, seat: Seat, cards: Known) -> bool:
    """Whether the hand is known to have held no playable card before the draw."""
    return all(slot in cards for slot in r.hands[seat]) and not holds_playable(
        r, seat, cards, but=r.drawn
    )


# Answers to what was played


def _name_colour(r: RoundState, seat: Seat, action: NameColour, _cards: Known) -> Refusal | None:
    fault = _out_of_place(r, seat, Phase.COLOUR)
    if fault is None and not 0 <= action.colour <= 3:
        return Refusal.COLOUR_MISSING
    return fault


def _accept(r: RoundState, seat: Seat, _action: Accept, _cards: Known) -> Refusal | None:
    return _out_of_place(r, seat, Phase.PENALTY)


def _challenge(r: RoundState, seat: Seat, _action: Challenge, _cards: Known) -> Refusal | None:
    fault = _out_of_place(r, seat, Phase.PENALTY)
    if fault is None and r.accused == NOBODY:
        return Refusal.NOT_CHALLENGEABLE
    return fault


def _show(r: RoundState, seat: Seat, _action: Action, _cards: Known) -> Refusal | None:
    return _out_of_place(r, seat, Phase.SHOW)


def _refuse_show(r: RoundState, seat: Seat, _action: Action, _cards: Known) -> Refusal | None:
    return _out_of_place(r, seat, Phase.SHOW, Phase.OPEN_HAND)


def _open_hand(r: RoundState, seat: Seat, _action: Action, _cards: Known) -> Refusal | None:
    return _out_of_place(r, seat, Phase.OPEN_HAND)


def _verdict(r: RoundState, seat: Seat, action: Verdict, cards: Known) -> Refusal | None:
    fault = _out_of_place(r, seat, Phase.VERDICT)
    if fault is not None:
        return fault
    truth = guilty(r, cards)
    return None if truth is None or truth == action.guilty else Refusal.FALSE_VERDICT


def _refuse_verdict(r: RoundState, seat: Seat, _action: Action, _cards: Known) -> Refusal | None:
    return _out_of_place(r, seat, Phase.VERDICT)


def guilty(r: RoundState, cards: Known) -> bool | None:
    """Whether the accused held the colour; None if the known cards do not tell."""
    of_colour = r.deck.of_colour[r.accused_colour]
    known = [cards[slot] for slot in r.accused_hand if slot in cards]
    if any(card in of_colour for card in known):
        return True
    return False if len(known) == len(r.accused_hand) else None


def _swap(r: RoundState, seat: Seat, action: Swap, _cards: Known) -> Refusal | None:
    fault = _out_of_place(r, seat, Phase.SWAP)
    if fault is not None:
        return fault
    if action.seat == seat:
        return Refusal.NOT_ONESELF
    return None if action.seat in r.hands else Refusal.NO_SUCH_SEAT


# Acts at any time


def _say_uno(r: RoundState, seat: Seat, _action: SayUno, _cards: Known) -> Refusal | None:
    return None if r.uno_owed == seat else Refusal.NOTHING_TO_SAY


def _catch(r: RoundState, seat: Seat, action: Catch, _cards: Known) -> Refusal | None:
    if r.ruleset.uno is UnoRule.AUTOMATIC:
        return Refusal.NO_CATCHING
    if action.seat == seat:
        return Refusal.NOT_ONESELF
    if action.seat not in r.hands:
        return Refusal.NO_SUCH_SEAT
    return None if r.uno_owed == action.seat else Refusal.NOTHING_TO_CATCH


def _object(r: RoundState, seat: Seat, _action: Object, _cards: Known) -> Refusal | None:
    laid = r.laid
    if laid is None or r.stage is not Phase.OBJECTION:
        return Refusal.WRONG_MOMENT
    if laid.seat == seat:
        return Refusal.NOT_ONESELF
    return None if laid.wrong else Refusal.RIGHT_CARD


def lap(r: RoundState) -> int:
    """Which lap of the round it is, from 0: as many turns as there were chairs."""
    return max(0, r.turns - 1) // len(r.chairs)


def _accuse(r: RoundState, seat: Seat, action: Accuse, _cards: Known) -> Refusal | None:
    if not r.ruleset.advice or len(r.seats) < 3:
        return Refusal.NO_VOTING
    if r.accusation is not None:
        return Refusal.VOTE_RUNNING
    if action.seat == seat:
        return Refusal.NOT_ONESELF
    if action.seat not in r.hands:
        return Refusal.NO_SUCH_SEAT
    return Refusal.ALREADY_DONE if r.accusers.get(seat) == lap(r) else None


def _vote(r: RoundState, seat: Seat, _action: Vote, _cards: Known) -> Refusal | None:
    running = r.accusation
    if running is None:
        return Refusal.NO_VOTING
    if running.accused == seat:
        return Refusal.NOT_ONESELF
    return Refusal.ALREADY_DONE if seat in running.votes else None


_Check = Callable[[RoundState, Seat, Any, Known], Refusal | None]
_CHECKS: dict[type, _Check] = {
    Play: _play,
    Draw: _draw,
    Keep: _keep,
    NameColour: _name_colour,
    Accept: _accept,
    Challenge: _challenge,
    Show: _show,
    RefuseShow: _refuse_show,
    Verdict: _verdict,
    Swap: _swap,
    SayUno: _say_uno,
    Catch: _catch,
    Object: _object,
    Accuse: _accuse,
    Vote: _vote,
    OpenHand: _open_hand,
    RefuseVerdict: _refuse_verdict,
}
