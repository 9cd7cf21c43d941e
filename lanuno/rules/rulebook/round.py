"""The rules of a round, as far as they apply: from the deck to an empty draw pile.

Here: one function for every section of the rulebook that describes a round. Not here: what a round
is worth and everything else about the match (match.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from lanuno.rules.cards import Rank
from lanuno.rules.decks import deck_faces
from lanuno.rules.engine.effects import PENALTY_CARDS
from lanuno.rules.match.formats import FORMATS
from lanuno.rules.rule import Rule, agreed, audited, live
from lanuno.rules.rulebook.scope import Scope
from lanuno.rules.ruleset import DrawnRule, DrawRule, Format, UnoRule, WildFour

TWO = PENALTY_CARDS[Rank.DRAW_TWO]
FOUR = PENALTY_CARDS[Rank.WILD_FOUR]


def cards(s: Scope) -> Iterator[Rule]:
    """The deck, the shuffle, and who sees what."""
    held = Counter(face.rank for face in deck_faces(s.ruleset.deck))
    yield audited(
        "cards.deck",
        cards=s.ruleset.deck,
        wild=held[Rank.WILD],
        wild_four=held[Rank.WILD_FOUR],
    )
    yield audited("cards.shuffle")
    yield live("cards.hands")
    yield live("cards.trade_house" if s.ruleset.seven_zero else "cards.trade_never")


def deal(s: Scope) -> Iterator[Rule]:
    """Who deals, and what."""
    if FORMATS[s.format].chooses_dealer:
        yield live("deal.first")
        yield live("deal.first_tie")
    else:
        yield live("deal.first_seat")
    yield live("deal.next_winner" if s.ruleset.winner_deals else "deal.next")
    yield live("deal.void")
    yield live("deal.hands", hand=s.ruleset.hand_size)
    yield live("deal.begin")


def start(s: Scope) -> Iterator[Rule]:
    """Every starting card."""
    yield live("start.turn_up")
    yield live("start.draw_two_passed" if s.stack_twos else "start.draw_two", two=TWO)
    yield live("start.skip")
    yield live("start.reverse")
    yield live("start.wild")
    yield live("start.wild_four")
    if s.may_become_two:
        yield live("start.two_passed" if s.stack_twos else "start.two")


def turn(s: Scope) -> Iterator[Rule]:
    """What a player on turn may do."""
    yield live("turn.play")
    yield live("turn.colour")
    until = "_until" if s.ruleset.draw_until_playable else ""
    if s.ruleset.draw is DrawRule.STUCK:
        yield audited(f"turn.draw_stuck{until}")
    elif until:
        yield audited("turn.draw_until")
    else:
        yield live("turn.draw")
    if s.drawn is DrawnRule.FREE:
        yield live("turn.drawn")
    else:
        yield audited("turn.drawn_forced" if s.drawn is DrawnRule.FORCED else "turn.drawn_stuck")
    yield live("turn.begins")
    yield live("turn.begins_again")


def actions(s: Scope) -> Iterator[Rule]:
    """What each action card does."""
    yield live("actions.draw_two", two=TWO)
    yield live("actions.skip")
    yield live("actions.reverse")
    yield live("actions.wild")
    yield live("actions.wild_four", four=FOUR)
    if not s.stacking:
        yield live("actions.no_stacking")
    elif not s.stack_fours:
        yield live("actions.no_stacking_fours")
    elif not s.stack_twos:
        yield live("actions.no_stacking_twos")
    if s.may_become_two:
        yield live("actions.two_passed" if s.stacking else "actions.two")


def four(s: Scope) -> Iterator[Rule]:
    """When a Wild Draw Four may be laid, and how it is doubted."""
    if not s.bluffing:
        strict = s.wild_four is WildFour.STRICT
        yield audited("four.strict" if strict else "four.strictest")
        yield live("four.no_challenge")
        yield live("four.last_strict")
        return
    yield live("four.bluff")
    yield live("four.bluff_not")
    yield live("four.bluff_free")
    yield live("four.challenge")
    yield audited("four.show")
    yield live("four.refusing")
    yield audited("four.verdict")
    yield live("four.no_verdict")
    extra = s.ruleset.challenge_penalty
    if not s.stack_fours:
        yield live("four.guilty", four=FOUR)
        yield live("four.innocent", total=FOUR + extra)
    else:
        yield live("four.guilty_sum")
        yield live("four.innocent_sum", extra=extra) if extra else live("four.innocent_only")
    yield audited("four.no_duty")
    yield live("four.last")


def uno(s: Scope) -> Iterator[Rule]:
    """Saying "UNO" and not saying it."""
    catching = s.ruleset.uno is UnoRule.CATCH
    yield live("uno.due")
    yield live("uno.catch" if catching else "uno.automatic", penalty=s.ruleset.uno_penalty)
    yield live("uno.lapses")
    hold, wait = s.ruleset.uno_hold_ms, s.ruleset.uno_catch_ms
    if hold:
        yield agreed("uno.hold" if catching else "uno.hold_automatic", hold=hold)
    else:
        yield agreed("uno.no_hold")
    if catching:
        yield agreed("uno.catch_from", wait=wait) if wait else agreed("uno.catch_at_once")
    yield live("uno.order")


def out(s: Scope) -> Iterator[Rule]:
    """How a round ends with an empty hand."""
    yield live("out.empty")
    yield live("out.last" if s.scored else "out.last_unscored", two=TWO, four=FOUR)
    if s.ruleset.uno is UnoRule.AUTOMATIC:
        yield live("out.owing", penalty=s.ruleset.uno_penalty)


def pile(s: Scope) -> Iterator[Rule]:
    """What happens when the draw pile runs out."""
    yield live("pile.short")
    yield live("pile.nothing")
    yield audited("pile.must_play")
    if s.format is Format.DEALS:
        yield live("pile.blocked_deals")
    else:
        yield live("pile.blocked" if s.scored else "pile.blocked_single")
