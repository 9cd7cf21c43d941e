"""What a card asks its player before the turn passes on, such as whose hand to take.

`Question` describes such a question. The questions themselves are in moving_hands.py;
card_effects.py and house_rules say which cards ask them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Struct

from lanuno.rules.cards import CardId, Seat, Slot
from lanuno.rules.engine.actions import Action
from lanuno.rules.engine.events import GameEvent
from lanuno.rules.engine.state import RoundPhase, RoundState
from lanuno.rules.refusals import ActRefusal

Known = Mapping[Slot, CardId]
"""The hidden cards that the caller knows, by slot; see legality.py."""


class Question(Struct, frozen=True):
    """A question, and the functions that handle its answers.

    The functions are called only for the seat that is asked, and only for acts of these `kinds`.
    """

    name: str
    """Its name in the catalogues: `question.<name>`, and `timers.<name>` in the rulebook."""
    kinds: tuple[type[Action], ...]
    """The kinds of act that answer it."""
    candidates: Callable[[RoundState, Seat, Known], Iterable[Action]]
    """Return the acts to choose from; those that `refusal` refuses are left out."""
    refusal: Callable[[RoundState, Seat, Any, Known], ActRefusal | None]
    """Return why an answer is illegal, given the hidden cards that the caller knows, or None."""
    answer: Callable[[RoundState, Seat, Any, list[GameEvent]], None]
    """Carry out a legal answer: ask again, or start the next turn."""
    clock_action: Callable[[RoundState, Seat, Known], Action]
    """Return the answer of the clock, which must be legal by public information."""


def open_question(r: RoundState) -> Question:
    """Return what the top card asks the decider. Call this only in the phase QUESTION."""
    question = r.rules.effects[r.deck.ranks[r.top]].question
    assert question is not None
    return question


def question_answered(r: RoundState, seat: Seat, action: Action) -> Question | None:
    """Return the open question that this act of this seat answers, legally or not, or None."""
    if r.stage is RoundPhase.QUESTION and r.actor == seat:
        question = open_question(r)
        if isinstance(action, question.kinds):
            return question
    return None
