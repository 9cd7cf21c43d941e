"""Tables of the log at which a Wild Draw Four was challenged."""

from __future__ import annotations

from functools import cache

from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST
from lanuno.rules.cards import Rank
from lanuno.rules.engine.actions import Action, Challenge, Play, Show
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.ruleset import Ruleset
from tests.harness.log_table.log_table import LogTable
from tests.harness.log_table.moments import RANKS, find


def fours_first(table: LogTable, seat: int, acts: tuple[Action, ...]) -> Action:
    """Play a Wild Draw Four as soon as the seat has one, and challenge all of them."""
    for act in acts:
        if isinstance(act, Play) and RANKS[act.card] == Rank.WILD_FOUR:
            return act
    return next((act for act in acts if isinstance(act, Challenge | Show | Play)), acts[0])


@cache
def once_challenged(moment: RoundPhase) -> LogTable:
    if moment is RoundPhase.OPEN_HAND:
        table = challenged(RoundPhase.VERDICT)
        table.add(HOST, bodies.TimeOut(table.engine.decision))
        return table
    return find(lambda each: each.engine.phase is moment, Ruleset(hand_size=5), 2, fours_first)


def challenged(moment: RoundPhase) -> LogTable:
    """A table where a Wild Draw Four was challenged."""
    return once_challenged(moment).fork()
