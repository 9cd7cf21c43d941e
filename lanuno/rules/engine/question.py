"""What a card asks its player before the turn passes on, such as whose hand to take.

Here: the value that describes such a question, and which one is open. Not here: the questions
themselves (moving_hands.py) and which cards ask them (card_effects.py and house_rules).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from lanuno.rules.cards import CardId, Seat, Slot
from lanuno.rules.engine.actions import Action
from lanuno.rules.engine.events import GameEvent
from lanuno.rules.engine.state import RoundPhase, RoundState
from lanuno.rules.refusals import ActRefusal

Known = Mapping[Slot, CardId]
"""The hidden cards that the caller knows; see legality.py."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and everything that happens to its answers.

    The functions are called only for the seat that is asked, and only for acts of these `kinds`.
    """

    name: str
    """What it asks, in the catalogues: `question.<name>`, and `timers.<name>` in the rulebook."""
    kinds: tuple[type[Action], ...]
    """The kinds of act that answer it."""
    candidates: Callable[[RoundState, Seat, Known], Iterable[Action]]
    """The acts to choose from; those that `refusal` refuses are left out."""
    refusal: Callable[[RoundState, Seat, Any, Known], ActRefusal | None]
    """Why an answer is illegal, given the hidden cards that the caller knows."""
    answer: Callable[[RoundState, Seat, Any, list[GameEvent]], None]
    """Do a legal answer: ask again, or start the next turn."""
    time_out: Callable[[RoundState, Seat, Known], Action]
    """What the clock answers; legal by public information."""


def open_question(r: RoundState) -> Question:
    """What the decider is asked, in the phase QUESTION, by the card on top of the discard pile."""
    question = r.rules.question_of(r.deck.ranks[r.top])
    assert question is not None
    return question


def question_answered(r: RoundState, seat: Seat, action: Action) -> Question | None:
    """The open question that this act of this seat answers, legally or not."""
    asked = r.stage is RoundPhase.QUESTION and r.actor == seat
    question = open_question(r) if asked else None
    return question if question is not None and isinstance(action, question.kinds) else None
