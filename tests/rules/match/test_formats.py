"""The formats: how a round scores, who sits where, and when a match is decided."""

from __future__ import annotations

import pytest
from msgspec import structs
from msgspec.structs import replace

from lanuno.rules.engine.events import RoundEnding
from lanuno.rules.engine.results import (
    MatchOver,
    PlayOn,
    RoundKind,
    RoundPlan,
    RoundResult,
    RoundScored,
    SeatOut,
)
from lanuno.rules.match.formats import FORMATS, Standing, ahead, pair_of
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
from lanuno.rules.ruleset import Format, Ruleset
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
def test_the_seats_that_are_ahead(
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


def test_two_seats_tied_at_the_target_play_another_round() -> None:
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


def test_a_seat_at_the_target_is_out_and_the_last_two_continue() -> None:
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
    """The winner gains no points, so that it was at the target before."""
    match = begun(ELIMINATION, 3)
    match.totals = [500, 499, 499]
    play(match, 0, 0, 10, 20)
    assert match.winners == (0,)


def test_none_left_under_the_target_and_all_equal() -> None:
    match = begun(ELIMINATION, 3)
    match.totals = [500, 490, 490]
    assert play(match, 0, 0, 10, 10) == [RoundScored(1, (0, 10, 10), (500, 500, 500))]
    assert not match.over
    assert match.playing == (0, 1, 2)


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
    match = begun(replace(PARTNERS, hands=1, cycles=2), 4)
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


def result(*winners: int) -> RoundResult:
    """Return a round of seats 0, 2, 3 and 5 with 10, 20, 30 and 40 points in 1 to 4 cards."""
    return RoundResult(RoundEnding.OUT, (0, 2, 3, 5), winners, (10, 20, 30, 40), (1, 2, 3, 4))


@pytest.mark.parametrize(
    ("of", "winners", "gains"),
    [
        (Format.POINTS, (2,), (0, 0, 80, 0, 0, 0)),
        (Format.POINTS, (), (0, 0, 0, 0, 0, 0)),
        (Format.POINTS, (2, 3), (0, 0, 0, 0, 0, 0)),
        (Format.LOW_SCORE, (2,), (10, 0, 0, 30, 0, 40)),
        (Format.LOW_SCORE, (), (0, 0, 0, 0, 0, 0)),
        (Format.ELIMINATION, (0,), (0, 0, 20, 30, 0, 40)),
        (Format.SINGLE, (2,), (0, 0, 0, 0, 0, 0)),
        (Format.LAPS, (2, 3), (0, 0, 0, 0, 0, 0)),
        (Format.PAIRS, (2,), (0, 0, 40, 0, 0, 40)),
        (Format.PAIRS, (), (0, 0, 0, 0, 0, 0)),
        (Format.PARTNERS, (0,), (60, 0, 0, 60, 0, 0)),
        (Format.ROTATION, (3,), (60, 0, 0, 60, 0, 0)),
        (Format.DEALS, (2,), (1, 0, 2, 3, 0, 4)),
        (Format.DEALS, (), (1, 0, 2, 3, 0, 4)),
    ],
)
def test_the_points_of_a_round(
    of: Format, winners: tuple[int, ...], gains: tuple[int, ...]
) -> None:
    """Partners sit opposite in the order of the round: 0 and 3, 2 and 5."""
    assert FORMATS[of].gains(result(*winners), 6) == gains


@pytest.mark.parametrize(
    ("order", "seat", "pair"),
    [((0, 1, 2, 3), 3, (3, 1)), ((0, 2, 1, 3), 0, (0, 1)), ((0, 1, 2, 3, 4, 5), 4, (4, 1))],
)
def test_partners_sit_opposite(order: tuple[int, ...], seat: int, pair: tuple[int, int]) -> None:
    assert pair_of(order, seat) == pair


@pytest.mark.parametrize(
    ("rounds", "order"),
    [
        (0, (0, 1, 2, 3)),
        (1, (0, 1, 2, 3)),
        (2, (0, 2, 1, 3)),
        (4, (0, 2, 3, 1)),
        (6, (0, 1, 2, 3)),
    ],
)
def test_the_partners_change_after_their_hands(rounds: int, order: tuple[int, ...]) -> None:
    rules = replace(PARTNERS, hands=2)
    assert FORMATS[Format.PARTNERS].seat_order(rules, (0, 1, 2, 3), rounds) == order


def standing(ruleset: Ruleset, *totals: int, gone: tuple[int, ...] = ()) -> Standing:
    """Return the standing of a match after one round that counted."""
    playing = tuple(range(len(totals)))
    here = tuple(seat for seat in playing if seat not in gone)
    return Standing(
        ruleset=ruleset,
        seats=len(totals),
        totals=totals,
        playing=playing,
        here=here,
        result=result(),
        rounds=1,
        card_values=tuple(10 * seat for seat in playing),
    )


@pytest.mark.parametrize(("seats", "target"), [(2, 100), (3, 300)])
def test_two_seats_have_a_target_of_their_own(seats: int, target: int) -> None:
    assert standing(Ruleset(target=300, target_two=100), *[0] * seats).target == target


def test_the_best_and_the_lowest_are_taken_from_the_given_seats() -> None:
    now = standing(CLASSIC, 50, 10, 50, 10, 90)
    assert (now.best((0, 1, 2)), now.lowest((0, 1, 2, 3))) == ((0, 2), (1, 3))


@pytest.mark.parametrize("of", [Format.LOW_SCORE, Format.DEALS])
def test_an_absent_player_does_not_win_with_the_lowest_total(of: Format) -> None:
    rules = replace(CLASSIC, format=of, hands=1)
    assert FORMATS[of].decide(standing(rules, 20, 0, 600)).winners == (1,)
    assert FORMATS[of].decide(standing(rules, 20, 0, 600, gone=(1,))).winners == (0,)


def test_between_equal_counts_of_cards_their_points_decide() -> None:
    rules = replace(CLASSIC, format=Format.DEALS, hands=1)
    decide = FORMATS[Format.DEALS].decide
    assert decide(standing(rules, 9, 3, 3)).winners == (1,)
    equal = structs.replace(standing(rules, 9, 3, 3), card_values=(0, 20, 20))
    assert decide(equal).winners == (1, 2)
    assert decide(standing(replace(rules, hands=2), 9, 3, 3)).winners == ()
