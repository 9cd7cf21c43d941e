"""Draw until playable: a seat that draws continues until a card fits or nothing is left."""

from __future__ import annotations

from collections.abc import Iterator

from lanuno.rules.cards import Seat
from lanuno.rules.engine.actions import Draw, Keep
from lanuno.rules.engine.house_rules.house_rule import HouseRule
from lanuno.rules.engine.legality import drawn_playable
from lanuno.rules.engine.pile import nothing_left
from lanuno.rules.engine.question import Known
from lanuno.rules.engine.state import RoundPhase, RoundState
from lanuno.rules.refusals import ActRefusal
from lanuno.rules.rule import Rule, WhenChecked, audited
from lanuno.rules.ruleset import DrawnRule, Ruleset


def _draw(
    r: RoundState, seat: Seat, _action: Draw, cards: Known, otherwise: ActRefusal | None
) -> ActRefusal | None:
    """Allow another draw, but only if the card just drawn does not fit."""
    if r.stage is not RoundPhase.DRAWN or r.actor != seat or nothing_left(r):
        return otherwise
    return ActRefusal.DRAWN_FITS if drawn_playable(r, seat, cards) else None


def _keep(
    r: RoundState, seat: Seat, _action: Keep, cards: Known, otherwise: ActRefusal | None
) -> ActRefusal | None:
    """Refuse to keep a card that does not fit, unless nothing is left to draw."""
    if otherwise is None and drawn_playable(r, seat, cards) is False and not nothing_left(r):
        return ActRefusal.MUST_DRAW
    return otherwise


def _details(rules: Ruleset) -> Iterator[Rule]:
    if rules.drawn is not DrawnRule.FREE:
        yield audited("house.draw_until_forced")


def _reword(_rules: Ruleset, said: Rule) -> Iterator[Rule]:
    if said.id in ("turn.draw", "turn.draw_stuck"):
        yield audited(f"{said.id}_until")
    else:
        yield said


DRAW_UNTIL_PLAYABLE = HouseRule(
    "draw_until_playable",
    WhenChecked.AUDIT,
    checks={Draw: _draw, Keep: _keep},
    draws_again=True,
    details=_details,
    reword=_reword,
)
