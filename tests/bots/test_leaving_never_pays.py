"""Leaving never pays: a player that leaves whenever it looks useful wins no more often.

Each match is played twice with the same shuffles and bots: once the player stays, once it leaves
whenever its own estimate says so, and comes back. Of the matches that only one of the two wins, the
leaver must not win more than chance explains (a sign test). With four owners a round goes on
without one of them. With three it is void, and `lanuno.log.replay.absence` says what follows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from math import comb
from random import Random

import pytest

from lanuno.bots.sensible import SensiblePlayer
from lanuno.bots.simulated_dealer import SimulatedDealer
from lanuno.log.format.bodies import DropReason
from lanuno.log.replay.absence import Absence
from lanuno.rules.cards import Seat
from lanuno.rules.engine.results import DealerResult, RoundPlan, RoundResult
from lanuno.rules.engine.round import Round
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.match import match as match_module
from lanuno.rules.match.formats import LOW_WINS, RoundPoints
from lanuno.rules.match.match import Match
from lanuno.rules.ruleset import Format, Ruleset
from lanuno.rules.view import SeatView, view
from tests.harness.log_table.log_table import make_roster

LEAVER = 1
MATCHES = 60
SIGNIFICANT = 0.001
"""A leaver that gains nothing fails a test with at most this probability. The seeds are fixed."""
CARD_POINTS = 12
"""What a card is worth on average."""
LONGEST = 100
"""Rounds after which a match is a draw."""

RULES = {
    "points": Ruleset(format=Format.POINTS, target=300),
    "stacking": Ruleset(
        format=Format.POINTS, target=300, stack_draw_two=True, stack_wild_four=True
    ),
    "low_score": Ruleset(format=Format.LOW_SCORE, target=300),
    "elimination": Ruleset(format=Format.ELIMINATION, target=300),
    "deals": Ruleset(format=Format.DEALS, hands=5),
    "single": Ruleset(format=Format.SINGLE),
    "laps": Ruleset(format=Format.LAPS, laps=10),
}

Leaves = Callable[[SeatView, Match], bool]
"""Decides, from what its seat sees, whether the player leaves now."""


def others(seen: SeatView) -> list[int]:
    """Return how many cards each other player holds."""
    return [count for seat, count in zip(seen.seats, seen.counts, strict=True) if seat != seen.seat]


def may_be_last(match: Match) -> bool:
    """Whether this round may end the match: a player that is away then cannot win by few points."""
    if match.ruleset.format is Format.DEALS:
        return match.rounds == match.ruleset.hands - 1
    rivals = [match.totals[seat] for seat in match.playing if seat != LEAVER]
    return match.ruleset.format in LOW_WINS and max(rivals) >= match.target - 100


def _before_the_end(seen: SeatView, match: Match) -> bool:
    """Leave when another player is about to go out first."""
    lost = min(others(seen)) <= 2 and len(seen.hand) > min(others(seen))
    return lost and not may_be_last(match)


def _when_hit(seen: SeatView, match: Match) -> bool:
    """Leave instead of drawing a penalty, if another player is about to go out."""
    hit = seen.phase is RoundPhase.PENALTY and seen.decider == LEAVER
    return hit and min(others(seen)) <= 3 and not may_be_last(match)


def _with_few_points(seen: SeatView, match: Match) -> bool:
    """Leave as long as the own hand is worth less than the others' hands should be."""
    mean = CARD_POINTS * sum(others(seen)) / len(others(seen))
    few = sum(held.face.points for held in seen.hand) < mean / 2 and min(others(seen)) <= 3
    return few and not may_be_last(match)


def _never(_seen: SeatView, _match: Match) -> bool:
    return False


def _until_the_last(match: Match) -> bool:
    """Miss the rounds until one may be the last."""
    return not may_be_last(match) and match.rounds < LONGEST // 2


@dataclass(frozen=True)
class Policy:
    """When a player leaves, and which rounds it misses."""

    leaves: Leaves = _never
    misses: Callable[[Match], bool] = lambda _match: False


STAYS = Policy()
POLICIES = {
    "before_the_end": Policy(_before_the_end),
    "when_hit": Policy(_when_hit),
    "with_few_points": Policy(_with_few_points),
    "misses_rounds": Policy(misses=_until_the_last),
}


class LeavingMatch:
    """One match between bots with an owner each, of which one may leave and come back."""

    def __init__(self, ruleset: Ruleset, players: int, seed: int, policy: Policy) -> None:
        self.match = Match(ruleset, players)
        self.match.finish(DealerResult(seed % players))
        self._absence = Absence(self.match, make_roster(players, ruleset))
        self._ends_rounds = players == 3
        self._seed = seed
        self._policy = policy

    def play(self) -> bool:
        """Play to the end; return whether the player is the only winner."""
        for _ in range(LONGEST):
            if self.match.over:
                break
            self._absence.settle()
            if self._policy.misses(self.match):
                self.match.leave(LEAVER)
            plan = self.match.next()
            if plan is None:
                # The match waits for the player.
                self.match.come_back(LEAVER)
                plan = self.match.next()
            assert plan is not None
            result = self._round(plan)
            if result is None:
                self._leave_a_void_round()
            else:
                self.match.finish(result)
                self._absence.sitting_out.clear()
        return LEAVER in self.match.winners

    def _leave_a_void_round(self) -> None:
        """Leave so that the round is void, and return before the next one."""
        self._absence.leave(LEAVER)
        self._absence.drop(LEAVER, DropReason.LEFT, host=0)
        self.match.void()
        self._absence.round_void({LEAVER})
        self._absence.return_seat(LEAVER, 0, between_rounds=True)

    def _round(self, plan: RoundPlan) -> RoundResult | None:
        """Play a round; None if the player left and made it void."""
        assert plan.dealer is not None
        game = Round(self.match.ruleset, plan.seats, plan.dealer)
        chance = Random(f"cards {self._seed} {plan.number}")
        bots = {
            seat: SensiblePlayer(Random(f"player {seat} {self._seed} {plan.number}"))
            for seat in plan.seats
        }
        table = SimulatedDealer(game, chance)
        table.start()
        while not game.over:
            if LEAVER in game.seats and len(game.seats) > 2 and self._wants_to_leave(game, table):
                if self._ends_rounds:
                    return None
                table.serve(game.drop(LEAVER))
                continue
            seat = game.decider
            assert seat is not None
            seen = view(self.match, game, seat, table.known[seat])
            action = bots[seat].choose(seen) or game.clock_action()
            table.serve(game.act(seat, action))
        return game.reveal(table.cards)

    def _wants_to_leave(self, game: Round, table: SimulatedDealer) -> bool:
        if self._policy is STAYS or self._absence.voided_rounds:
            return False
        return self._policy.leaves(view(self.match, game, LEAVER, table.known[LEAVER]), self.match)


def wins(kind: str, players: int, policy: Policy) -> list[bool]:
    """Return, for each match, whether the player wins it."""
    return [LeavingMatch(RULES[kind], players, seed, policy).play() for seed in range(MATCHES)]


@cache
def wins_by_staying(kind: str, players: int) -> list[bool]:
    return wins(kind, players, STAYS)


def chance_of(kind: str, policy: str, players: int = 4) -> float:
    """Return how likely a leaver that gains nothing wins at least so often."""
    stayed = wins_by_staying(kind, players)
    left = wins(kind, players, POLICIES[policy])
    won = sum(by > other for by, other in zip(left, stayed, strict=True))
    differing = sum(by != other for by, other in zip(left, stayed, strict=True))
    ways = sum(comb(differing, wins) for wins in range(won, differing + 1))
    return ways / float(2**differing)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("kind", RULES)
def test_leaving_wins_no_more_matches(kind: str, policy: str) -> None:
    assert chance_of(kind, policy) > SIGNIFICANT


@pytest.mark.parametrize("policy", ["before_the_end", "when_hit"])
@pytest.mark.parametrize("kind", ["points", "low_score", "single"])
def test_making_a_round_void_wins_no_more_matches(kind: str, policy: str) -> None:
    """Without a missed round the player would have a second chance at every single round."""
    assert chance_of(kind, policy, players=3) > SIGNIFICANT


@pytest.mark.parametrize(
    ("kind", "policy"),
    [
        ("low_score", "before_the_end"),
        ("low_score", "misses_rounds"),
        ("elimination", "misses_rounds"),
        ("deals", "before_the_end"),
        ("deals", "misses_rounds"),
    ],
)
def test_a_leaver_that_is_charged_nothing_is_found(
    kind: str, policy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under a rule by which absent players score nothing, the same players win."""

    def free(values: Sequence[int], _playing: Sequence[Seat], result: RoundResult) -> RoundPoints:
        present = set(result.seats) - set(result.left)
        return tuple([each if seat in present else 0 for seat, each in enumerate(values)])

    wins_by_staying(kind, 4)
    monkeypatch.setattr(match_module, "charge_absent", free)
    assert chance_of(kind, policy) <= SIGNIFICANT
