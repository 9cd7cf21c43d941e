"""The rules of a round, as far as they apply: from the deck to an empty draw pile.

Each function yields one section of the rulebook. match.py has the sections about the score of a
round and the rest of the match.
"""

from __future__ import annotations

from collections.abc import Iterator

from lanuno.rules.cards import Rank
from lanuno.rules.decks import DECKS
from lanuno.rules.engine.card_effects import EFFECTS
from lanuno.rules.match.formats import FORMATS
from lanuno.rules.rule import Rule, agreed, audited, live
from lanuno.rules.rulebook.scope import Scope
from lanuno.rules.ruleset import DrawnRule, DrawRule, Format, UnoRule, WildFour

DRAW_TWO_CARDS = Rank.DRAW_TWO.traits.draws
WILD_FOUR_CARDS = Rank.WILD_FOUR.traits.draws


def cards(s: Scope) -> Iterator[Rule]:
    """Yield the rules about the deck, the shuffle, and who sees which cards."""
    held = DECKS[s.ruleset.deck]
    yield audited(
        "cards.deck",
        cards=s.ruleset.deck,
        wild=held.get(Rank.WILD, 0),
        wild_four=held.get(Rank.WILD_FOUR, 0),
    )
    for rank in s.unusual_ranks:
        yield audited(f"cards.{rank.name.lower()}", count=held[rank])
    yield audited("cards.shuffle")
    yield live("cards.hands")
    moving = [rank for rank in s.ranks if rank in EFFECTS and EFFECTS[rank].moves_hands]
    if not moving:
        yield live("cards.trade_never")
    for rank in moving:
        yield live(f"cards.trade_{rank.name.lower()}")


def deal(s: Scope) -> Iterator[Rule]:
    """Yield who deals, and how many cards."""
    if FORMATS[s.format].chooses_dealer:
        yield live("deal.first")
        yield live("deal.first_tie")
    else:
        yield live("deal.first_seat")
    yield live("deal.next")
    yield live("deal.void")
    yield live("deal.hands", hand=s.ruleset.hand_size)
    yield live("deal.begin")


def start(s: Scope) -> Iterator[Rule]:
    """Yield what each starting card does."""
    yield live("start.turn_up")
    for rank in _ranks_with_effect(s):
        yield _about("start", rank, rank.traits.draws if rank.traits.starts else 0)
    if s.may_become_two:
        yield live("start.two")


def turn(s: Scope) -> Iterator[Rule]:
    """Yield what a player on turn may do."""
    yield live("turn.play")
    yield live("turn.colour")
    if s.ruleset.draw is DrawRule.STUCK:
        yield audited("turn.draw_stuck")
    else:
        yield live("turn.draw")
    if s.drawn is DrawnRule.FREE:
        yield live("turn.drawn")
    else:
        yield audited("turn.drawn_forced" if s.drawn is DrawnRule.FORCED else "turn.drawn_stuck")
    yield live("turn.begins")
    yield live("turn.begins_again")


def actions(s: Scope) -> Iterator[Rule]:
    """Yield what each action card does."""
    for rank in _ranks_with_effect(s):
        yield _about("actions", rank, rank.traits.draws)
    yield live("actions.no_stacking")
    if s.may_become_two:
        yield live("actions.two")


def _ranks_with_effect(s: Scope) -> Iterator[Rank]:
    """Return the ranks of the deck that are more than numbers, in the order of the rulebook."""
    return (rank for rank in EFFECTS if rank in s.ranks)


def _about(section: str, rank: Rank, draws: int) -> Rule:
    """Return what a section says about a rank, with the number of cards to draw, if any."""
    name = f"{section}.{rank.name.lower()}"
    return live(name, draws=draws) if draws else live(name)


def four(s: Scope) -> Iterator[Rule]:
    """Yield when a Wild Draw Four may be laid, and how it is challenged."""
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
    yield live("four.guilty", four=WILD_FOUR_CARDS)
    yield live("four.innocent", total=WILD_FOUR_CARDS + extra)
    yield audited("four.no_duty")
    yield live("four.last")


def uno(s: Scope) -> Iterator[Rule]:
    """Yield the rules about saying "UNO" and not saying it."""
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
    """Yield how a round ends with an empty hand."""
    yield live("out.empty")
    yield live(
        "out.last" if s.scored else "out.last_unscored", two=DRAW_TWO_CARDS, four=WILD_FOUR_CARDS
    )
    if s.ruleset.uno is UnoRule.AUTOMATIC:
        yield live("out.owing", penalty=s.ruleset.uno_penalty)


def pile(s: Scope) -> Iterator[Rule]:
    """Yield what happens when the draw pile runs out."""
    yield live("pile.short")
    yield live("pile.nothing")
    yield audited("pile.must_play")
    if s.format is Format.DEALS:
        yield live("pile.blocked_deals")
    else:
        yield live("pile.blocked" if s.scored else "pile.blocked_single")
