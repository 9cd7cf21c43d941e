"""What a house rule is, and all that one can change.

Here: the value. What it changes is read by the legality of acts (legality.py and choices.py), the
effects of cards (rules_in_force.py), the deal (match/match.py), the rulebook (rulebook.py) and what
is to be known of settings (settings.py, validation.py and relevance.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from types import MappingProxyType
from typing import Any

from lanuno.rules.cards import CardId, Rank, Seat
from lanuno.rules.engine.actions import Action
from lanuno.rules.engine.effects import Effect
from lanuno.rules.engine.question import Known
from lanuno.rules.engine.results import RoundResult
from lanuno.rules.engine.state import RoundState
from lanuno.rules.refusals import ActRefusal
from lanuno.rules.rule import CheckedBy, Rule, WhenChecked
from lanuno.rules.ruleset import Ruleset

CardsNow = Callable[[RoundState], frozenset[CardId]]
"""Which cards may be laid in this state, wherever they are."""

Check = Callable[[RoundState, Seat, Any, Known, ActRefusal | None], ActRefusal | None]
"""Why this act of this seat is illegal, given the hidden cards that the caller knows and the answer
without the house rule."""


def _unchanged(rules: Ruleset) -> Ruleset:
    return rules


def _always(_rules: Ruleset) -> bool:
    return True


def _never(_rules: Ruleset) -> bool:
    return False


def _no_conflict(_rules: Ruleset) -> None:
    return None


def _nothing_else(_rules: Ruleset) -> Iterable[Rule]:
    return ()


@dataclass(frozen=True, slots=True)
class HouseRule:
    """One house rule. What is not given stays as it is without the rule."""

    name: str
    """Its setting: a field of `Ruleset`, off by default."""
    checked: WhenChecked
    """When a breach is found."""
    _: KW_ONLY

    # The setting
    matters: Callable[[Ruleset], bool] = _always
    """Whether it makes a difference under the other settings."""
    replaced: Callable[[Ruleset], bool] = _never
    """Whether another setting is played in its place."""
    replaces: frozenset[str] = frozenset()
    """The settings in whose place it is played."""
    conflict: Callable[[Ruleset], str | None] = _no_conflict
    """The setting together with which it cannot be played, if there is one."""

    # Legality
    amend: Callable[[Ruleset], Ruleset] = _unchanged
    """The other settings, as they are played with this rule: the engine and the rulebook read
    only these. For one that it changes, `replaces` has the name of the setting, too."""
    penalty_cards: CardsNow | None = None
    """The cards that a seat may lay on a pending penalty, to pass it on."""
    out_of_turn_cards: CardsNow | None = None
    """The cards that a seat may lay while another is on turn and has neither played nor drawn."""
    checks: Mapping[type[Action], Check] = field(default_factory=lambda: MappingProxyType({}))
    """By kind of act: why it is illegal with this rule. The answer of the clock must stay legal by
    public information."""
    draws_again: bool = False
    """Whether a seat may draw several cards in one turn of its own accord."""

    # Effects
    effects: Mapping[Rank, Effect] = field(default_factory=lambda: MappingProxyType({}))
    """What cards do in place of their own effect."""
    next_dealer: Callable[[RoundResult], Seat | None] | None = None
    """Who deals after this round; None if the deal passes on as usual."""

    # Text. The rulesets are those that `amend` has changed.
    details: Callable[[Ruleset], Iterable[Rule]] = _nothing_else
    """The sentences that follow its own, `house.<name>`."""
    shared_details: Callable[[Ruleset], Iterable[Rule]] = _nothing_else
    """Those that it has in common with other house rules: told once, behind all of them."""
    reword: Callable[[Ruleset, Rule], Iterable[Rule]] | None = None
    """What becomes of a sentence of any section: itself, others, or nothing. A house rule further
    behind in the registry is given what those before it have made of a sentence."""

    @property
    def sentence(self) -> Rule:
        """What it says."""
        return Rule(f"house.{self.name}", CheckedBy(self.checked))
