"""Every legal act of a seat, and the act that the clock chooses for it.

The conditions are those of legality.py; a test checks that the two agree. The list is built from
what the rules allow in each phase instead of asking `refusal` about every conceivable act, because
bots and simulations need it to be fast.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lanuno.rules.cards import CardId, Colour, Seat, Slot
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
from lanuno.rules.engine.legality import (
    layable,
    refusal,
    wild_four_refusal,
)
from lanuno.rules.engine.question import Known, open_question
from lanuno.rules.engine.state import NO_CARD, NOBODY, RoundPhase, RoundState
from lanuno.rules.ruleset import DrawnRule, DrawRule, Manners, UnoRule, WildFour

_NO_CARDS: frozenset[CardId] = frozenset()
# Looked up once: reading an enum member costs as much as some of the rules here.
_NEW = RoundPhase.NEW
_OVER = RoundPhase.OVER
_TURN = RoundPhase.TURN
_PENALTY = RoundPhase.PENALTY
_DRAWN = RoundPhase.DRAWN
_BLUFF = WildFour.BLUFF
_ENFORCED = Manners.ENFORCED
_DRAW_FREE = DrawRule.FREE
_DRAWN_FREE = DrawnRule.FREE

_COLOURS = tuple(int(colour) for colour in Colour)
_DRAW = Draw()
_KEEP = Keep()
_ACCEPT = Accept()
_CHALLENGE = Challenge()
_REFUSE_SHOW, _REFUSE_VERDICT = RefuseShow(), RefuseVerdict()
_SHOWS: tuple[Action, ...] = (Show(), _REFUSE_SHOW)
_VERDICTS: tuple[Action, ...] = (Verdict(False), Verdict(True), _REFUSE_VERDICT)
_OPENS: tuple[Action, ...] = (OpenHand(), _REFUSE_SHOW)
_NAMES: tuple[Action, ...] = tuple(NameColour(colour) for colour in _COLOURS)


def legal(r: RoundState, seat: Seat, cards: Known) -> tuple[Action, ...]:
    """Return all acts of this seat that `refusal` would accept, given the same knowledge.

    Plays are listed for slots whose card is known: a wild card with every colour, and the last card
    but one both with and without "UNO".
    """
    stage = r.stage
    if stage is _NEW or stage is _OVER or seat not in r.hands:
        return ()
    acts: list[Action] = []
    if r.shuffle is None and not r.opens:
        if r.actor == seat:
            _decisions(r, seat, cards, acts)
        elif r.rules.out_of_turn_cards and stage is RoundPhase.TURN:
            _plays(r, seat, cards, acts)
        if r.laid is not None and stage is RoundPhase.OBJECTION:
            _if_legal(r, seat, cards, (Object(),), acts)
        if r.ruleset.advice:
            _if_legal(r, seat, cards, (Vote(False), Vote(True), *map(Accuse, r.seats)), acts)
    owed = r.uno_owed
    if owed is not None:
        if owed == seat:
            acts.append(SayUno())
        elif r.ruleset.uno is UnoRule.CATCH:
            acts.append(Catch(owed))
    if r.rules.checks:
        acts = _allowed_by_house_rules(r, seat, cards, acts)
    return tuple(acts)


def _allowed_by_house_rules(
    r: RoundState, seat: Seat, cards: Known, acts: list[Action]
) -> list[Action]:
    """Return the acts, which are legal without house rules, that no house rule refuses."""
    checks = r.rules.checks
    return [
        each for each in acts if type(each) not in checks or refusal(r, seat, each, cards) is None
    ]


def _decisions(r: RoundState, seat: Seat, cards: Known, acts: list[Action]) -> None:
    """Add the answers to the decision that this seat has to make."""
    stage = r.stage
    if stage is _TURN:
        _plays(r, seat, cards, acts)
        if r.ruleset.draw is _DRAW_FREE and r.pile_next < r.pile_end:
            acts.append(_DRAW)
        else:
            _if_legal(r, seat, cards, (_DRAW,), acts)
    elif stage is _DRAWN:
        _plays(r, seat, cards, acts)
        if r.ruleset.drawn is _DRAWN_FREE and not r.rules.checks:
            acts.append(_KEEP)
        else:
            _if_legal(r, seat, cards, (_DRAW, _KEEP), acts)
    elif stage is _PENALTY:
        acts.append(_ACCEPT)
        if r.accused != NOBODY:
            acts.append(_CHALLENGE)
        _plays(r, seat, cards, acts)
    elif stage is RoundPhase.COLOUR:
        acts.extend(_NAMES)
    elif stage is RoundPhase.SHOW:
        acts.extend(_SHOWS)
    elif stage is RoundPhase.VERDICT:
        _if_legal(r, seat, cards, _VERDICTS, acts)
    elif stage is RoundPhase.OPEN_HAND:
        acts.extend(_OPENS)
    else:
        _if_legal(r, seat, cards, open_question(r).candidates(r, seat, cards), acts)


def _if_legal(
    r: RoundState, seat: Seat, cards: Known, candidates: Iterable[Action], acts: list[Action]
) -> None:
    acts.extend([each for each in candidates if refusal(r, seat, each, cards) is None])


def _plays(r: RoundState, seat: Seat, cards: Known, acts: list[Action]) -> None:
    """Add every legal play of a known card in the hand."""
    hand = r.hands[seat]
    last_but_one = len(hand) == 2
    right = layable(r, seat)
    wild = r.deck.wild
    judged = _NO_CARDS if r.ruleset.wild_four is _BLUFF else r.deck.restricted
    known = cards.get
    slots: Sequence[Slot] = hand
    if r.stage is _DRAWN and r.drawn is not None and r.ruleset.manners is _ENFORCED:
        slots = (r.drawn,)
    for slot in slots:
        card = known(slot)
        if card is None:
            card = r.face_up.get(slot, NO_CARD)
        if card not in right:
            continue
        if judged and card in judged and wild_four_refusal(r, seat, slot, cards) is not None:
            continue
        if card not in wild:
            acts.append(Play(slot, card))
            if last_but_one:
                acts.append(Play(slot, card, None, True))
        else:
            acts += [
                Play(slot, card, 0),
                Play(slot, card, 1),
                Play(slot, card, 2),
                Play(slot, card, 3),
            ]
            if last_but_one:
                acts += [
                    Play(slot, card, 0, True),
                    Play(slot, card, 1, True),
                    Play(slot, card, 2, True),
                    Play(slot, card, 3, True),
                ]


def clock_action(r: RoundState, seat: Seat, cards: Known) -> Action:
    """Return what the clock does for the decider.

    By phase: a turn draws; a drawn card is kept; a penalty is accepted; showing or opening a
    challenged hand is refused; a verdict is refused, so that the hand has to be opened; the colour
    is the most frequent one among the known cards of the hand, or red if none of them has a colour;
    a card's question defines its own answer.
    """
    stage = r.stage
    if stage is RoundPhase.TURN:
        return _DRAW
    if stage is RoundPhase.DRAWN:
        return _KEEP
    if stage is RoundPhase.PENALTY:
        return _ACCEPT
    if stage in (RoundPhase.SHOW, RoundPhase.OPEN_HAND):
        return _REFUSE_SHOW
    if stage is RoundPhase.VERDICT:
        return _REFUSE_VERDICT
    if stage is RoundPhase.COLOUR:
        held = [r.deck.colours[cards[slot]] for slot in r.hands[seat] if slot in cards]
        return NameColour(max(_COLOURS, key=held.count))
    return open_question(r).clock_action(r, seat, cards)
