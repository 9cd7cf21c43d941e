"""Every legal act of a seat, and the act that the clock chooses for it.

The conditions are those of legality.py; a test checks that the two agree. `refusal` is asked only
about the few acts that answer the present phase, because bots and simulations need a fast list.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lanuno.rules.cards import Colour, Seat, Slot
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
    Verdict,
    Vote,
)
from lanuno.rules.engine.legality import layable, refusal, wild_four_refusal
from lanuno.rules.engine.question import Known, open_question
from lanuno.rules.engine.state import NO_CARD, RoundPhase, RoundState
from lanuno.rules.ruleset import Manners, UnoRule

# Looked up once: reading an enum member costs as much as some of the rules here.
_TURN = RoundPhase.TURN
_DRAWN = RoundPhase.DRAWN
_PENALTY = RoundPhase.PENALTY
_QUESTION = RoundPhase.QUESTION

_COLOURS = tuple(int(colour) for colour in Colour)
_ANSWERS: dict[RoundPhase, tuple[Action, ...]] = {
    RoundPhase.COLOUR: tuple(map(NameColour, _COLOURS)),
    RoundPhase.TURN: (Draw(),),
    RoundPhase.DRAWN: (Draw(), Keep()),
    RoundPhase.PENALTY: (Accept(), Challenge()),
    RoundPhase.SHOW: (Show(), RefuseShow()),
    RoundPhase.VERDICT: (Verdict(False), Verdict(True), RefuseVerdict()),
    RoundPhase.OPEN_HAND: (OpenHand(), RefuseShow()),
}
"""By phase: the acts besides plays that may answer its decision."""

_AFTER_TIME: dict[RoundPhase, Action] = {
    RoundPhase.TURN: Draw(),
    RoundPhase.DRAWN: Keep(),
    RoundPhase.PENALTY: Accept(),
    RoundPhase.SHOW: RefuseShow(),
    RoundPhase.VERDICT: RefuseVerdict(),  # so that the hand has to be opened
    RoundPhase.OPEN_HAND: RefuseShow(),
}
"""By phase: the act of the clock."""


def legal(r: RoundState, seat: Seat, cards: Known) -> tuple[Action, ...]:
    """Return all acts of this seat that `refusal` would accept, given the same knowledge.

    Plays are listed for slots whose card is known: a wild card with every colour, and the last card
    but one both with and without "UNO".
    """
    if seat not in r.hands:
        return ()
    acts: list[Action] = []
    if r.shuffle is None and not r.opens:
        if r.actor == seat:
            _decisions(r, seat, cards, acts)
        elif r.rules.out_of_turn_cards and r.stage is _TURN:
            _plays(r, seat, cards, acts)
        if r.laid is not None and r.stage is RoundPhase.OBJECTION:
            _if_legal(r, seat, cards, (Object(),), acts)
        if r.ruleset.advice:
            _if_legal(r, seat, cards, (Vote(False), Vote(True), *map(Accuse, r.seats)), acts)
    owed = r.uno_owed
    if owed is not None:
        if owed == seat:
            acts.append(SayUno())
        elif r.ruleset.uno is UnoRule.CATCH:
            acts.append(Catch(owed))
    checks = r.rules.checks
    # House rules refuse some acts that are legal without them.
    return tuple(
        [each for each in acts if type(each) not in checks or refusal(r, seat, each, cards) is None]
    )


def _decisions(r: RoundState, seat: Seat, cards: Known, acts: list[Action]) -> None:
    """Add the answers to the decision that this seat has to make."""
    stage = r.stage
    if stage is _TURN or stage is _DRAWN:
        _plays(r, seat, cards, acts)
    if stage is _QUESTION:
        _if_legal(r, seat, cards, open_question(r).candidates(r, seat, cards), acts)
    else:
        _if_legal(r, seat, cards, _ANSWERS[stage], acts)
    if stage is _PENALTY:
        _plays(r, seat, cards, acts)


def _if_legal(
    r: RoundState, seat: Seat, cards: Known, candidates: Iterable[Action], acts: list[Action]
) -> None:
    acts.extend([each for each in candidates if refusal(r, seat, each, cards) is None])


def _plays(r: RoundState, seat: Seat, cards: Known, acts: list[Action]) -> None:
    """Add every legal play of a known card in the hand."""
    hand = r.hands[seat]
    last_but_one = len(hand) == 2
    right = layable(r, seat)
    slots: Sequence[Slot] = hand
    if r.stage is _DRAWN and r.ruleset.manners is Manners.ENFORCED:
        assert r.drawn is not None
        slots = (r.drawn,)
    for slot in slots:
        card = cards.get(slot, r.face_up.get(slot, NO_CARD))
        if card not in right:
            continue
        if card in r.deck.restricted and wild_four_refusal(r, seat, slot, cards) is not None:
            continue
        colours = _COLOURS if card in r.deck.wild else (None,)
        acts += [Play(slot, card, colour) for colour in colours]
        if last_but_one:
            acts += [Play(slot, card, colour, True) for colour in colours]


def time_out(r: RoundState, seat: Seat, cards: Known) -> Action:
    """Return what the clock does for the decider.

    It names the most frequent colour among the known cards of the hand, or red if none of them has
    a colour. A card's question defines its own answer.
    """
    if r.stage is RoundPhase.COLOUR:
        held = [r.deck.colours[cards[slot]] for slot in r.hands[seat] if slot in cards]
        return NameColour(max(_COLOURS, key=held.count))
    if r.stage is _QUESTION:
        return open_question(r).time_out(r, seat, cards)
    return _AFTER_TIME[r.stage]
