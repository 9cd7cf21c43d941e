"""Queries on a view that several bots share."""

from __future__ import annotations

import msgspec
import pytest

from lanuno.bots.player import answering_acts, is_bluff, is_rightful
from lanuno.rules.cards import Card, Colour, Rank
from lanuno.rules.engine.actions import Accept, Action, Catch, Challenge, Draw, Play, SayUno, Swap
from lanuno.rules.engine.results import DealerResult
from lanuno.rules.engine.round import Round
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.match.match import Match
from lanuno.rules.presets import CLASSIC
from lanuno.rules.view import Held, SeatView, view
from tests.bots.random_views import EVERYWHERE


def test_no_card_that_answers_a_question_is_wrong() -> None:
    """The question decides whether a card may be laid, even if the card does not match."""
    wrong = [
        (seen, action)
        for seen in EVERYWHERE
        for action in seen.legal
        if isinstance(action, Play) and not is_rightful(seen, action)
    ]
    assert wrong
    for seen, action in wrong:
        asked = msgspec.structs.replace(seen, phase=RoundPhase.QUESTION)
        assert is_rightful(asked, action)


HELD = {
    0: Card(Colour.RED, Rank.ONE),
    1: Card(Colour.BLUE, Rank.FIVE),
    2: Card(Colour.BLUE, Rank.TWO),
    3: Card(None, Rank.WILD),
    4: Card(None, Rank.WILD_FOUR),
}
"""The hand by slot; the red 5 lies on top."""


def seen_by_decider(phase: RoundPhase = RoundPhase.TURN, **changes: object) -> SeatView:
    """Return what the decider sees with these cards in hand."""
    match = Match(CLASSIC, 3)
    match.finish(DealerResult(2))
    seen = view(match, Round(CLASSIC, (0, 1, 2), 2), 0, {})
    hand = tuple(Held(slot, slot, face) for slot, face in HELD.items())
    top = Card(Colour.RED, Rank.FIVE)
    changed: SeatView = msgspec.structs.replace(
        seen, phase=phase, decider=0, hand=hand, top=top, colour=Colour.RED
    )
    return msgspec.structs.replace(changed, **changes)


def test_acts_that_are_possible_at_any_time_answer_no_decision() -> None:
    acts: tuple[Action, ...] = (SayUno(), Play(0, 0), Catch(1), Draw(), Accept(), Challenge())
    seen = seen_by_decider(legal=(*acts, Swap(1)))
    assert list(answering_acts(seen)) == [Play(0, 0), Draw(), Accept(), Challenge(), Swap(1)]


@pytest.mark.parametrize(
    ("slot", "rightful"), [(0, True), (1, True), (2, False), (3, True), (4, True)]
)
def test_a_card_is_right_if_it_matches_or_is_wild(slot: int, rightful: bool) -> None:
    assert is_rightful(seen_by_decider(), Play(slot, slot)) is rightful


def test_the_named_colour_counts_and_not_that_of_the_top_card() -> None:
    seen = seen_by_decider(top=Card(None, Rank.WILD), colour=Colour.BLUE)
    assert is_rightful(seen, Play(2, 2))
    assert not is_rightful(seen, Play(0, 0))


def test_after_a_draw_only_the_drawn_card_is_right() -> None:
    seen = seen_by_decider(RoundPhase.DRAWN, drawn=1)
    assert is_rightful(seen, Play(1, 1))
    assert not is_rightful(seen, Play(0, 0))
    assert not is_rightful(msgspec.structs.replace(seen, drawn=2), Play(2, 2))


@pytest.mark.parametrize("changes", [{"phase": RoundPhase.PENALTY}, {"decider": 1}, {"top": None}])
def test_outside_the_own_turn_every_legal_card_is_right(changes: dict[str, object]) -> None:
    seen = msgspec.structs.replace(seen_by_decider(), **changes)
    assert is_rightful(seen, Play(2, 2))


@pytest.mark.parametrize(
    ("colour", "slot", "bluff"),
    [
        (Colour.RED, 4, True),
        (Colour.BLUE, 4, True),
        (Colour.GREEN, 4, False),
        (Colour.RED, 3, False),
        (Colour.RED, 0, False),
    ],
)
def test_a_wild_four_is_a_bluff_with_the_colour_in_hand(
    colour: Colour, slot: int, bluff: bool
) -> None:
    assert is_bluff(seen_by_decider(colour=colour), Play(slot, slot, 0)) is bluff
