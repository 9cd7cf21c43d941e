"""Skip draws: a player passed over by a Skip also draws one card."""

from __future__ import annotations

from collections.abc import Iterator

from lanuno.rules.cards import CardId, Rank, Seat
from lanuno.rules.engine.effects import Effect
from lanuno.rules.engine.events import DrawReason, GameEvent
from lanuno.rules.engine.house_rules.house_rule import HouseRule
from lanuno.rules.engine.state import AgendaStep, RoundState
from lanuno.rules.engine.turns import insert_first, next_seat
from lanuno.rules.rule import Rule, WhenChecked, live
from lanuno.rules.ruleset import Ruleset


def _skip(r: RoundState, seat: Seat, _card: CardId, _events: list[GameEvent]) -> None:
    hit = next_seat(r, seat)
    insert_first(
        r,
        (AgendaStep.DRAW, hit, 1, DrawReason.PENALTY),
        (AgendaStep.LOSE, hit, 0, 0),
        (AgendaStep.NEXT, hit, 0, 0),
    )


def _reword(_rules: Ruleset, said: Rule) -> Iterator[Rule]:
    if said.id in ("start.skip", "actions.skip"):
        yield live(f"{said.id}_draws")
    else:
        yield said


SKIP_DRAWS = HouseRule(
    "skip_draws",
    WhenChecked.LIVE,
    effects={Rank.SKIP: Effect(_skip, turned_up=_skip)},
    reword=_reword,
)
