"""The rules around a round, as far as they apply: seats, points, the end, manners, house rules.

Each function yields one section of the rulebook. round.py has the sections about a round.
"""

from __future__ import annotations

from collections.abc import Iterator

from lanuno.rules.cards import Card, Colour, Rank
from lanuno.rules.match.formats import LOW_WINS
from lanuno.rules.match.tournament import TABLES, TOURNAMENT_PLAYERS
from lanuno.rules.rule import Rule, agreed, live
from lanuno.rules.rulebook.scope import Scope
from lanuno.rules.ruleset import Format, Manners

PARTNERS_PER_PLAYER = TOURNAMENT_PLAYERS - 1
"""The number of partners that each player of a tournament has."""


def aim(s: Scope) -> Iterator[Rule]:
    """Yield the aim of the game."""
    yield live(f"aim.{s.format.name.lower()}")


def seats(s: Scope) -> Iterator[Rule]:
    """Yield how many play, and where they sit."""
    hands = s.ruleset.hands
    low, high = s.counts[0], s.counts[-1]
    if s.format is Format.ROTATION:
        yield live("seats.tournament", players=TOURNAMENT_PLAYERS, hands=hands)
        yield live(
            "seats.tournament_fair",
            partners=PARTNERS_PER_PLAYER,
            own=PARTNERS_PER_PLAYER * hands,
            all=PARTNERS_PER_PLAYER * hands * TABLES,
        )
        yield live("seats.tournament_tables")
    elif low == high:
        yield live("seats.exactly", players=low)
    else:
        yield live("seats.even" if s.format is Format.PAIRS else "seats.range", low=low, high=high)
    yield live("seats.left")
    if s.format is Format.PAIRS:
        yield live("seats.pairs")
    elif s.format is Format.PARTNERS:
        yield live("seats.partners", hands=hands)


def scoring(s: Scope) -> Iterator[Rule]:
    """Yield what cards are worth, and to whom."""
    yield live(
        "scoring.cards",
        action=Card(Colour.RED, Rank.SKIP).points,
        wild=Card(None, Rank.WILD).points,
    )
    for rank in s.unusual_ranks:
        yield live(f"scoring.{rank.name.lower()}", points=rank.traits.points)
    if not s.scored:
        yield live("scoring.none")
    elif s.teams:
        yield live("scoring.pair")
        yield live("scoring.partner")
        if s.format is not Format.PAIRS:
            yield live("scoring.tally")
    elif s.format is Format.POINTS:
        yield live("scoring.winner")
    elif s.format is Format.DEALS:
        yield live("scoring.deals")
    else:
        yield live("scoring.own")


def ending(s: Scope) -> Iterator[Rule]:
    """Yield when a match is over, and who wins it."""
    yield from _ENDINGS[s.format](s)


def _target_by_seats(s: Scope) -> bool:
    """Whether the target depends on the number of players, which is not known."""
    return s.two_may_play and s.more_may_play and s.ruleset.target_two != s.ruleset.target


def _target(s: Scope, name: str) -> Rule:
    """Return the target, or both targets."""
    few, many = s.ruleset.target_two, s.ruleset.target
    if _target_by_seats(s):
        return live(f"{name}_by_seats", two=few, more=many)
    return live(name, target=many if s.more_may_play else few)


def _points(s: Scope) -> Iterator[Rule]:
    yield _target(s, "ending.points")
    yield live("ending.one_scores")


def _low_score(s: Scope) -> Iterator[Rule]:
    yield _target(s, "ending.low_score")
    yield live("ending.low_score_tie")
    if s.more_may_play:
        yield live("ending.low_score_away")


def _single(_s: Scope) -> Iterator[Rule]:
    yield live("ending.single")
    yield live("ending.single_none")


def _laps(s: Scope) -> Iterator[Rule]:
    laps = s.ruleset.laps
    yield live("ending.laps", laps=laps)
    if len(s.counts) == 1:
        yield live("ending.laps_turns", turns=laps * s.counts[0])
    yield live("ending.laps_draws")
    yield live("ending.laps_fewest")
    yield live("ending.laps_out")
    yield live("ending.single_none")


def _elimination(s: Scope) -> Iterator[Rule]:
    yield live("ending.elimination", target=s.ruleset.target)
    yield live("ending.elimination_two")
    yield live("ending.elimination_together")


def _pairs(s: Scope) -> Iterator[Rule]:
    yield live("ending.pairs", target=s.ruleset.target)
    yield live("ending.one_pair_scores")


def _partners(s: Scope) -> Iterator[Rule]:
    hands, cycles = s.ruleset.hands, s.ruleset.cycles
    once = hands * (s.counts[0] - 1)
    if cycles == 1:
        yield live("ending.partners", rounds=once, hands=hands)
    else:
        yield live("ending.partners_cycles", rounds=once * cycles, cycles=cycles, hands=hands)
    yield live("ending.most_points")


def _rotation(s: Scope) -> Iterator[Rule]:
    yield live("ending.tournament_table", hands=s.ruleset.hands)
    yield live("ending.tournament", partners=PARTNERS_PER_PLAYER)
    yield live("ending.most_points")


def _deals(s: Scope) -> Iterator[Rule]:
    yield live("ending.deals", hands=s.ruleset.hands)
    yield live("ending.deals_tie")
    if s.more_may_play:
        yield live("ending.low_score_away")


_ENDINGS = {
    Format.POINTS: _points,
    Format.LOW_SCORE: _low_score,
    Format.SINGLE: _single,
    Format.LAPS: _laps,
    Format.ELIMINATION: _elimination,
    Format.PAIRS: _pairs,
    Format.PARTNERS: _partners,
    Format.ROTATION: _rotation,
    Format.DEALS: _deals,
}


def leaving(s: Scope) -> Iterator[Rule]:
    """Yield the rules about lost connections and leaving players."""
    first, total = s.ruleset.grace_first_s, s.ruleset.grace_total_s
    if first and total:
        yield agreed("leaving.pause", first=first, total=total)
    else:
        yield agreed("leaving.no_pause")
    if s.teams:
        yield live("leaving.teams")
    else:
        if s.more_may_play:
            yield live("leaving.hand")
            if s.format in LOW_WINS:
                yield live("leaving.counts_own")
            elif s.scored:
                yield live("leaving.counts_winner")
            yield live("leaving.pending")
            yield live("leaving.few")
            if s.ruleset.manners is Manners.HONOUR:
                yield live("leaving.on_trial")
            if s.played.hands_move:
                yield live("leaving.hands_moved")
        yield live("leaving.two")
    if s.more_may_play:
        yield live("leaving.won")
    if s.format is Format.PAIRS:
        yield live("leaving.out_pair")
    else:
        yield live("leaving.out_partner" if s.teams else "leaving.out")
    yield live("leaving.host")
    if s.more_may_play and s.format is Format.LAPS:
        yield live("leaving.laps")
    elif s.format in (Format.POINTS, Format.LOW_SCORE) and _target_by_seats(s):
        yield live("leaving.target")


def manners(s: Scope) -> Iterator[Rule]:
    """Yield the rules about wrong cards and advice."""
    rules = s.ruleset
    if rules.manners is Manners.HONOUR:
        yield live("manners.honour")
        yield agreed("manners.honour_time", wait=rules.objection_ms)
        yield live("manners.objection", penalty=rules.objection_penalty)
        yield live("manners.right")
        yield live("manners.drawn")
        if s.bluffing:
            yield live("manners.bluff")
        yield live("manners.unnoticed")
        yield live("manners.last")
    else:
        yield live("manners.enforced")
    yield live("manners.turn")
    yield agreed("manners.quiet")
    if rules.advice:
        yield live("manners.advice")
        yield live("manners.advice_vote", penalty=rules.advice_penalty)
        yield agreed("manners.advice_time", wait=rules.vote_ms)


def house(s: Scope) -> Iterator[Rule]:
    """Yield the house rules that are on, and how they combine."""
    on = s.played.house_rules
    if not on:
        yield live("house.none")
    for rule in on:
        yield rule.sentence
        yield from rule.details(s.played.amended)
    for details in dict.fromkeys(rule.shared_details for rule in on):
        yield from details(s.played.amended)


def timers(s: Scope) -> Iterator[Rule]:
    """Yield how long players may think, and what happens when time is up."""
    clock, extra = s.ruleset.turn_clock_s, s.ruleset.turn_extra_ms
    if not clock:
        yield agreed("timers.none")
        return
    if extra:
        yield agreed("timers.clock", clock=clock, extra=extra)
    else:
        yield agreed("timers.clock_only", clock=clock)
    yield agreed("timers.slow")
    yield live("timers.turn")
    if s.bluffing:
        yield live("timers.penalty")
    yield live("timers.colour")
    for question in s.questions:
        yield live(f"timers.{question}")
    yield agreed("timers.autopilot")
