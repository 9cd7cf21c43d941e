"""The formats: how a round scores, who sits where, and when a match is decided."""

from __future__ import annotations

import msgspec
import pytest

from lanuno.rules.engine.events import RoundEnding
from lanuno.rules.engine.results import (
    MatchOver,
    PlayOn,
    RoundKind,
    RoundPlan,
    RoundScored,
    SeatOut,
)
from lanuno.rules.match.formats import ahead
from lanuno.rules.match.match import Match
from lanuno.rules.presets import (
    CLASSIC,
    ELIMINATION,
    MASTERS,
    MASTERS_SHORT,
    PAIRS,
    PARTNERS,
    PRESETS,
    TOURNAMENT,
)
from lanuno.rules.ruleset import Format
from tests.rules.match.played_rounds import begun, play

LOW_SCORE = PRESETS["low-score"]


@pytest.mark.parametrize(
    ("totals", "of", "gone", "seats"),
    [
        ((10, 40, 40), Format.POINTS, (), (1, 2)),
        ((10, 40, 30), Format.POINTS, (1,), (1,)),
        ((20, 20, 20), Format.POINTS, (), ()),
        ((10, 40, 30), Format.LOW_SCORE, (), (0,)),
        ((10, 40, 30), Format.LOW_SCORE, (0,), (2,)),
        ((10, 40, 30), Format.ELIMINATION, (0, 1), (2,)),
        ((10, 40, 30), Format.DEALS, (0, 1, 2), ()),
    ],
)
def test_who_is_ahead(
    totals: tuple[int, ...], of: Format, gone: tuple[int, ...], seats: tuple[int, ...]
) -> None:
    """A player who left has few points, but is not ahead because of that."""
    assert ahead(totals, of, gone) == seats


def test_the_winner_takes_what_the_others_hold() -> None:
    match = begun(CLASSIC, 4)
    events = play(match, 1, 20, 0, 50, 7)
    assert events == [RoundScored(1, (0, 77, 0, 0), (0, 77, 0, 0))]
    play(match, 1, 0, 0, 423, 0)
    assert match.winners == (1,)
    assert match.next() is None


def test_a_round_ended_by_passes_counts_as_if_the_lowest_had_gone_out() -> None:
    match = begun(CLASSIC, 3)
    play(match, 2, 30, 40, 10, ending=RoundEnding.BLOCKED)
    assert match.totals == [0, 0, 70]
    play(match, None, 10, 40, 10, ending=RoundEnding.BLOCKED)
    assert match.totals == [0, 0, 70]
    assert match.rounds == 2


def test_equal_at_the_target_play_on() -> None:
    match = begun(CLASSIC, 3)
    match.totals = [480, 500, 100]
    play(match, 0, 0, 20, 0)
    assert match.totals == [500, 500, 100]
    assert not match.over
    play(match, 2, 1, 1, 0)
    assert not match.over
    play(match, 1, 1, 0, 0)
    assert match.winners == (1,)


@pytest.mark.parametrize(("seats", "target"), [(2, 100), (3, 200), (4, 200)])
def test_express_targets(seats: int, target: int) -> None:
    match = begun(PRESETS["express"], seats)
    assert match.target == target
    play(match, 0, 0, target - 1, *[0] * (seats - 2))
    assert not match.over
    play(match, 0, 0, 1, *[0] * (seats - 2))
    assert match.winners == (0,)


def test_the_lowest_wins_when_a_seat_reaches_the_target() -> None:
    match = begun(LOW_SCORE, 3)
    play(match, 0, 0, 100, 300)
    assert match.totals == [0, 100, 300]
    play(match, 1, 120, 0, 199)
    assert not match.over
    assert play(match, 1, 0, 0, 1)[-1] == MatchOver((1,))


def test_the_tied_lowest_play_on_alone() -> None:
    match = begun(LOW_SCORE, 4)
    match.totals = [50, 20, 40, 40]
    events = play(match, 1, 450, 20, 0, 0)
    assert match.totals == [500, 20, 40, 40]
    assert match.winners == (1,)
    match = begun(LOW_SCORE, 4)
    events = play(match, 1, 500, 0, 0, 30)
    assert events[1:] == [SeatOut(0), SeatOut(3), PlayOn((1, 2))]
    assert match.next() == RoundPlan(2, RoundKind.PLAY, (1, 2), 1)
    play(match, None, 3, 3, ending=RoundEnding.BLOCKED)
    assert not match.over
    play(match, 2, 7, 0)
    assert match.winners == (2,)


def test_first_out_wins() -> None:
    match = begun(MASTERS, 3)
    play(match, None, 3, 3, 4, ending=RoundEnding.BLOCKED)
    assert not match.over
    assert play(match, 2, 3, 3, 0)[-1] == MatchOver((2,))
    assert match.totals == [0, 0, 0]


def test_laps_may_be_shared() -> None:
    match = begun(MASTERS_SHORT, 3)
    play(match, (0, 2), 3, 3, 3, ending=RoundEnding.LAPS)
    assert match.winners == (0, 2)


def test_out_at_the_target_and_two_at_the_end() -> None:
    match = begun(ELIMINATION, 4, 0)
    events = play(match, 0, 0, 500, 10, 20)
    assert events[1:] == [SeatOut(1), PlayOn((0, 2, 3))]
    # The deal skips eliminated seats.
    assert match.next() == RoundPlan(2, RoundKind.PLAY, (0, 2, 3), 2)
    play(match, 3, 400, 490, 0)
    assert match.playing == (0, 3)
    assert match.next() == RoundPlan(3, RoundKind.PLAY, (0, 3), 3)
    play(match, 0, 0, 100)
    assert not match.over
    play(match, 3, 100, 0)
    assert match.winners == (3,)
    assert match.totals == [500, 500, 500, 120]


def test_one_left_under_the_target_wins_at_once() -> None:
    match = begun(ELIMINATION, 3)
    play(match, 0, 0, 500, 600)
    assert match.winners == (0,)


def test_none_left_under_the_target() -> None:
    match = begun(ELIMINATION, 3)
    match.totals = [499, 450, 499]
    play(match, None, 0, 0, 0, ending=RoundEnding.BLOCKED)
    # The winner gains no points, so all seats are at the target only if it was there before.
    match.totals = [500, 499, 499]
    play(match, 0, 0, 10, 20)
    assert match.winners == (0,)
    match = begun(ELIMINATION, 3)
    match.totals = [500, 490, 490]
    assert play(match, 0, 0, 10, 10)[-1] == PlayOn((0, 1, 2)) or match.playing == (0, 1, 2)
    assert not match.over


def test_pairs_sit_opposite_and_share_everything() -> None:
    match = begun(PAIRS, 6)
    play(match, 1, 5, 0, 20, 7, 50, 1)
    # Seat 4 is opposite seat 1; its fifty points score for nobody.
    assert match.totals == [0, 33, 0, 0, 33, 0]
    assert match.tally[1][4] == match.tally[4][1] == 33
    play(match, 4, 500, 0, 0, 0, 0, 0)
    assert match.winners == (1, 4)


def test_a_round_of_pairs_that_nobody_won() -> None:
    match = begun(PAIRS, 4)
    play(match, None, 5, 5, 5, 5, ending=RoundEnding.BLOCKED)
    assert match.totals == [0, 0, 0, 0]


def test_four_hands_with_each_partner() -> None:
    match = begun(PARTNERS, 4, 2)
    partners = []
    dealt: list[int] = []
    for _ in range(12):
        plan = match.next()
        assert plan is not None
        assert plan.dealer is not None
        partners.append(plan.seats[(plan.seats.index(0) + 2) % 4])
        dealt.append(plan.dealer)
        # The first seat of the plan goes out; the neighbours hold ten points each.
        play(match, 0, 0, 10, 50, 10)
    assert partners == [2] * 4 + [1] * 4 + [3] * 4
    for block in (dealt[:4], dealt[4:8], dealt[8:]):
        assert sorted(block) == [0, 1, 2, 3]
    assert match.winners == (0,)
    assert match.totals == [240, 80, 80, 80]
    assert match.tally == [[0, 80, 80, 80], [80, 0, 0, 0], [80, 0, 0, 0], [80, 0, 0, 0]]


def test_tied_leaders_share() -> None:
    match = begun(msgspec.structs.replace(PARTNERS, hands=1, cycles=2), 4)
    for _ in range(6):
        assert not match.over
        play(match, None, 5, 5, 5, 5, ending=RoundEnding.BLOCKED)
    assert match.winners == (0, 1, 2, 3)


def test_a_table_of_a_tournament() -> None:
    match = Match(TOURNAMENT, 4)
    order = []
    for number in range(1, 5):
        plan = match.next()
        assert plan is not None
        assert (plan.number, plan.seats) == (number, (0, 1, 2, 3))
        order.append(plan.dealer)
        play(match, 1, 30, 0, 5, 4)
    assert order == [0, 1, 2, 3]
    assert match.totals == [0, 140, 0, 140]
    assert match.winners == (1, 3)
