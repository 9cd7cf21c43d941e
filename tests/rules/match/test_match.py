"""Matches: totals, the next dealer, and the end, in every format."""

from __future__ import annotations

import doctest
from copy import deepcopy

import pytest

from lanuno.rules.engine.events import RoundEnding
from lanuno.rules.engine.results import (
    DealerResult,
    MatchOver,
    RoundKind,
    RoundPlan,
    RoundResult,
    RoundVoid,
    SeatOut,
)
from lanuno.rules.errors import RulesError
from lanuno.rules.match import match as module
from lanuno.rules.match.match import Match
from lanuno.rules.presets import CLASSIC, ELIMINATION, PAIRS, PARTNERS
from lanuno.rules.ruleset import Ruleset
from tests.rules.match.played_rounds import begun, next_dealer, play


def test_examples() -> None:
    assert doctest.testmod(module).failed == 0


# Plans, the deal, void rounds


def test_round_zero_chooses_the_dealer() -> None:
    match = Match(CLASSIC, 3)
    assert match.next() == RoundPlan(0, RoundKind.DEALER, (0, 1, 2), None)
    match.void()
    assert match.next() == RoundPlan(1, RoundKind.DEALER, (0, 1, 2), None)
    with pytest.raises(RulesError, match="planned"):
        match.finish(DealerResult(3))
    with pytest.raises(RulesError, match="planned"):
        match.finish(RoundResult(RoundEnding.OUT, (0, 1, 2), (0,), (0, 0, 0), (0, 1, 1)))
    assert match.finish(DealerResult(2)) == []
    assert match.next() == RoundPlan(2, RoundKind.PLAY, (0, 1, 2), 2)
    with pytest.raises(RulesError, match="planned"):
        match.finish(DealerResult(2))


def test_the_deal_passes_to_the_left() -> None:
    match = begun(CLASSIC, 3, 1)
    order = []
    for _ in range(4):
        order.append(next_dealer(match))
        play(match, 0, 0, 1, 1)
    assert order == [1, 2, 0, 1]
    with pytest.raises(RulesError, match="planned"):
        match.finish(RoundResult(RoundEnding.OUT, (0, 1), (0,), (0, 0), (0, 1)))


def test_a_void_round_uses_up_its_number_and_keeps_its_dealer() -> None:
    match = begun(CLASSIC, 3, 1)
    assert play(match, None, 0, 0, 0, ending=RoundEnding.VOID, left=(2,)) == [RoundVoid(1)]
    assert match.next() == RoundPlan(2, RoundKind.PLAY, (0, 1), 1)
    assert match.totals == [0, 0, 0]


def test_a_leaver_is_skipped_and_may_come_back() -> None:
    match = begun(CLASSIC, 3, 0)
    play(match, 0, 0, 7, 0, left=(2,))
    assert match.totals == [7, 0, 0]
    assert match.next() == RoundPlan(2, RoundKind.PLAY, (0, 1), 1)
    play(match, 1, 9, 0)
    assert match.next() == RoundPlan(3, RoundKind.PLAY, (0, 1), 0)
    match.come_back(2)
    assert match.next() == RoundPlan(3, RoundKind.PLAY, (0, 1, 2), 2)
    match.leave(0)
    match.leave(1)
    assert match.next() is None
    with pytest.raises(RulesError, match="no round"):
        match.finish(DealerResult(0))


def test_a_copy_is_independent() -> None:
    match = begun(CLASSIC, 3)
    earlier = deepcopy(match)
    before = earlier.public_state()
    assert before == match.public_state()
    play(match, 0, 0, 500, 0)
    assert match.over
    assert earlier.public_state() == before
    assert not earlier.over
    assert match.public_state() != before


# Partners


def test_pairs_need_everybody() -> None:
    match = begun(PAIRS, 4)
    play(match, None, 0, 0, 0, 0, ending=RoundEnding.VOID, left=(2,))
    assert match.next() is None
    match.come_back(2)
    assert next_dealer(match) == 0


# Out of the match


def test_the_last_one_left_wins() -> None:
    match = begun(CLASSIC, 3)
    assert match.expel(1) == [SeatOut(1)]
    assert match.next() == RoundPlan(1, RoundKind.PLAY, (0, 2), 0)
    assert match.expel(1) == []
    assert match.expel(0) == [SeatOut(0), MatchOver((2,))]
    assert match.expel(2) == []


def test_the_dealer_is_out_of_the_match() -> None:
    match = begun(CLASSIC, 3, 1)
    match.expel(1)
    assert next_dealer(match) == 2


def test_the_dealer_drops_out_by_points() -> None:
    match = begun(ELIMINATION, 4, 2)
    play(match, 0, 0, 1, 500, 1)
    assert next_dealer(match) == 3


def test_a_pair_goes_together() -> None:
    match = begun(PAIRS, 6)
    assert match.expel(1) == [SeatOut(1), SeatOut(4)]
    assert match.playing == (0, 2, 3, 5)
    assert match.expel(0) == [SeatOut(0), SeatOut(3), MatchOver((2, 5))]


def test_four_partners_cannot_be_three() -> None:
    """The match ends, and the highest total of the other three wins."""
    match = begun(PARTNERS, 4)
    play(match, 0, 0, 10, 50, 10)
    assert match.totals == [20, 0, 20, 0]
    assert deepcopy(match).expel(3) == [SeatOut(3), MatchOver((0, 2))]
    assert match.expel(0) == [SeatOut(0), MatchOver((2,))]
    assert match.next() is None


def test_only_one_seat_of_an_owner_wins_a_forfeited_match() -> None:
    match = begun(CLASSIC, 4)
    match.totals = [0, 100, 200, 300]
    assert match.forfeit((1, 3)) == [MatchOver((1,))]


def test_a_seat_that_is_out_does_not_count_as_absent() -> None:
    match = begun(PAIRS, 6)
    match.leave(1)
    assert match.next() is None
    match.expel(4)
    assert match.next() == RoundPlan(1, RoundKind.PLAY, (0, 2, 3, 5), 0)


def test_a_match_that_was_given_up_is_over() -> None:
    game = Match(Ruleset(), 3)
    game.expel(1)
    assert game.forfeit((1, 2)) == [MatchOver((2,))]
    assert game.forfeit((0,)) == []
    assert game.winners == (2,)
    assert game.next() is None
