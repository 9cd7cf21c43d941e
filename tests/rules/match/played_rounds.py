"""Matches whose rounds are results, without any cards."""

from __future__ import annotations

from lanuno.rules.engine.events import RoundEnding
from lanuno.rules.engine.results import DealerResult, MatchEvent, RoundResult
from lanuno.rules.match.match import Match
from lanuno.rules.ruleset import Ruleset


def begun(ruleset: Ruleset, seats: int, dealer: int = 0) -> Match:
    """Return a match whose first dealer has been chosen."""
    match = Match(ruleset, seats)
    match.finish(DealerResult(dealer))
    return match


def play(
    match: Match,
    winner: int | tuple[int, ...] | None,
    *points: int,
    ending: RoundEnding = RoundEnding.OUT,
    left: tuple[int, ...] = (),
) -> list[MatchEvent]:
    """Play one round with this winner and these points in hand, in the plan's order of seats."""
    plan = match.next()
    assert plan is not None
    winners = () if winner is None else winner if isinstance(winner, tuple) else (winner,)
    count = tuple(1 if each else 0 for each in points)
    return match.finish(RoundResult(ending, plan.seats, winners, points, count, left))


def next_dealer(match: Match) -> int | None:
    """Return the dealer of the next round; None if there is none, or not yet."""
    plan = match.next()
    return None if plan is None else plan.dealer
