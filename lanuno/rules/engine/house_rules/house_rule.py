"""The definition of a house rule: everything that one can change.

The legality of acts (legality.py and choices.py), the effects of cards (rules_in_force.py), the
deal (match/match.py), the rulebook (rulebook.py) and the descriptions of settings (settings.py,
validation.py and relevance.py) read these fields.
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
"""Return the cards that may be laid in this state, wherever they are."""

Check = Callable[[RoundState, Seat, Any, Known, ActRefusal | None], ActRefusal | None]
"""Return why this act of this seat is illegal, or None. The last two arguments are the hidden cards
that the caller knows, and the answer without the house rule."""


@dataclass(frozen=True, slots=True)
class HouseRule:
    """One house rule. Omitted fields change nothing."""

    name: str
    """Its setting: a field of `Ruleset`, off by default."""
    checked: WhenChecked
    """When a breach is detected."""
    _: KW_ONLY

    # The setting
    matters: Callable[[Ruleset], bool] = lambda _rules: True
    """Whether it makes a difference under the other settings."""
    replaced: Callable[[Ruleset], bool] = lambda _rules: False
    """Whether another setting is played instead."""
    replaces: frozenset[str] = frozenset()
    """The settings that this rule overrides, for all their values."""
    conflict: Callable[[Ruleset], str | None] = lambda _rules: None
    """Return the setting that it conflicts with, or None."""

    # Legality
    amend: Callable[[Ruleset], Ruleset] = lambda rules: rules
    """Return the settings as they are played with this rule: the engine and the rulebook read only
    these. A setting that is overridden for all its values is also listed in `replaces`."""
    penalty_cards: CardsNow | None = None
    """The cards that a seat may lay on a pending penalty to pass it on."""
    out_of_turn_cards: CardsNow | None = None
    """The cards that a seat may lay while another is on turn and has neither played nor drawn."""
    checks: Mapping[type[Action], Check] = field(default_factory=lambda: MappingProxyType({}))
    """By kind of act: its legality with this rule. The act that the clock chooses must stay legal
    by public information."""
    draws_again: bool = False
    """Whether a seat may draw several cards voluntarily in one turn."""

    # Effects
    effects: Mapping[Rank, Effect] = field(default_factory=lambda: MappingProxyType({}))
    """Effects that replace those of the cards."""
    next_dealer: Callable[[RoundResult], Seat | None] | None = None
    """Return who deals after this round; None if the deal passes on as usual."""

    # Texts. The rulesets passed here have already been changed by `amend`.
    details: Callable[[Ruleset], Iterable[Rule]] = lambda _rules: ()
    """Return the sentences that follow its own one, `house.<name>`."""
    shared_details: Callable[[Ruleset], Iterable[Rule]] = lambda _rules: ()
    """Return the sentences that it shares with other house rules; they appear once, after all."""
    reword: Callable[[Ruleset, Rule], Iterable[Rule]] | None = None
    """Return what replaces a sentence of any section: itself, others, or nothing. A house rule
    later in the registry receives the results of the earlier ones."""

    @property
    def sentence(self) -> Rule:
        """Its own sentence in the rulebook."""
        return Rule(f"house.{self.name}", CheckedBy(self.checked))
