"""The match formats: how a round scores, who sits where, and when the match is decided.

Each format is one value made of three pure functions. match.py keeps the running totals and decides
who deals next.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from msgspec import Struct

from lanuno.rules.cards import Seat
from lanuno.rules.engine.results import RoundResult
from lanuno.rules.ruleset import Format, Ruleset

RoundPoints = tuple[int, ...]
"""One item per seat of the match."""


class Standing(Struct, frozen=True):
    """The standing of a match after a round that counted."""

    ruleset: Ruleset
    seats: int
    """The number of seats of the match."""
    totals: RoundPoints
    playing: tuple[Seat, ...]
    """Seats still in the match, in order, including those that are away."""
    here: tuple[Seat, ...]
    """The seats of `playing` that are not away."""
    result: RoundResult
    rounds: int
    """Rounds that counted, including the last one."""
    card_values: RoundPoints
    """DEALS: points of the cards left in each seat's hands, over all rounds; otherwise zeros."""

    @property
    def target(self) -> int:
        """The points to reach, which depend on the number of seats at the start."""
        return self.ruleset.target_two if self.seats == 2 else self.ruleset.target

    def best(self, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
        """Return those of `seats` with the highest total."""
        top = max(self.totals[seat] for seat in seats)
        return tuple([seat for seat in seats if self.totals[seat] == top])

    def lowest(self, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
        """Return those of `seats` with the lowest total."""
        low = min(self.totals[seat] for seat in seats)
        return tuple([seat for seat in seats if self.totals[seat] == low])


class MatchOutcome(Struct, frozen=True):
    """The winners, or the seats that play on if the match is not decided."""

    winners: tuple[Seat, ...] = ()
    playing: tuple[Seat, ...] = ()


Gains = Callable[[RoundResult, int], RoundPoints]
Decide = Callable[[Standing], MatchOutcome]
SeatOrder = Callable[[Ruleset, tuple[Seat, ...], int], tuple[Seat, ...]]


class FormatRules(Struct, frozen=True):
    """The rules of one format."""

    gains: Gains
    """Return the points of each seat for one round."""
    decide: Decide
    """Return what follows from the totals."""
    seat_order: SeatOrder
    """Return the clockwise order of the seats in a round, given how many rounds counted so far."""
    teams: bool = False
    """Whether every seat has a partner, so that a round needs all seats."""
    fixed_pairs: bool = False
    """Whether partners stay together for good. In ROTATION they change after the match."""
    chooses_dealer: bool = True
    counts_cards: bool = False
    """Whether totals count the cards left in hands; the points of those cards break ties."""


LOW_WINS = frozenset({Format.LOW_SCORE, Format.ELIMINATION, Format.DEALS})
"""Formats in which fewer points are better."""


def charge_absent(
    values: Sequence[int], playing: Sequence[Seat], result: RoundResult
) -> RoundPoints:
    """Give each seat that left or missed a round no less than the worst value of those present.

    Otherwise a player could gain, where fewer points are better, by leaving before the end of a bad
    round, or by missing rounds. `values` has one item per seat of the match, and `playing` are the
    seats in the match.
    """
    present = [seat for seat in result.seats if seat not in result.left]
    worst = max(values[seat] for seat in present)
    absent = [seat for seat in playing if seat not in present]
    return tuple(
        [max(value, worst) if seat in absent else value for seat, value in enumerate(values)]
    )


def ahead(totals: Sequence[int], of: Format, gone: Collection[int]) -> tuple[int, ...]:
    """Return the seats with the best total; empty if all are equal.

    `gone` holds the seats of players who left. They cannot be ahead where fewer points are better.
    """
    here = [seat for seat in range(len(totals)) if not (of in LOW_WINS and seat in gone)]
    points = [totals[seat] for seat in here]
    if len(set(points)) < 2:
        return tuple(here) if len(here) == 1 else ()
    best = min(points) if of in LOW_WINS else max(points)
    return tuple([seat for seat in here if totals[seat] == best])


# How a round scores


def _none(_result: RoundResult, seats: int) -> RoundPoints:
    return (0,) * seats


def _winner_takes(result: RoundResult, seats: int) -> RoundPoints:
    """Give the winner the points left in the other hands."""
    gains = [0] * seats
    if len(result.winners) == 1:
        winner = result.winners[0]
        gains[winner] = sum(result.points) - result.points[result.seats.index(winner)]
    return tuple(gains)


def _own_points(result: RoundResult, seats: int) -> RoundPoints:
    """Give each seat except the winners the points left in its hand."""
    gains = [0] * seats
    if result.winners:
        for seat, points in zip(result.seats, result.points, strict=True):
            if seat not in result.winners:
                gains[seat] = points
    return tuple(gains)


def _cards_left(result: RoundResult, seats: int) -> RoundPoints:
    """Give each seat one point for each card left in its hand."""
    gains = [0] * seats
    for seat, cards in zip(result.seats, result.cards, strict=True):
        gains[seat] = cards
    return tuple(gains)


def _pair_takes(result: RoundResult, seats: int) -> RoundPoints:
    """Give both seats of the winning pair all points of the other pairs."""
    gains = [0] * seats
    if len(result.winners) == 1:
        pair = pair_of(result.seats, result.winners[0])
        points = sum(
            points
            for seat, points in zip(result.seats, result.points, strict=True)
            if seat not in pair
        )
        for seat in pair:
            gains[seat] = points
    return tuple(gains)


def pair_of(seat_order: tuple[Seat, ...], seat: Seat) -> tuple[Seat, Seat]:
    """Return a seat and the seat opposite."""
    return seat, seat_order[(seat_order.index(seat) + len(seat_order) // 2) % len(seat_order)]


# When a match is decided


def _points_race(now: Standing) -> MatchOutcome:
    """The highest total wins if it reaches the target; a tie means another round."""
    best = now.best(now.playing)
    if now.totals[best[0]] >= now.target and len(best) == 1:
        return MatchOutcome(winners=best)
    return MatchOutcome(playing=now.playing)


def _pairs_race(now: Standing) -> MatchOutcome:
    """Like `_points_race`, for pairs: both partners have the pair's total."""
    best = now.best(now.playing)
    if now.totals[best[0]] >= now.target and len(best) == 2:
        return MatchOutcome(winners=best)
    return MatchOutcome(playing=now.playing)


def _low_score(now: Standing) -> MatchOutcome:
    """Once a seat reaches the target, the lowest total wins; seats tied for it play on alone.

    An absent player cannot win.
    """
    if max(now.totals) < now.target:
        return MatchOutcome(playing=now.playing)
    lowest = now.lowest(now.here)
    return MatchOutcome(winners=lowest) if len(lowest) == 1 else MatchOutcome(playing=lowest)


def _single_round(now: Standing) -> MatchOutcome:
    """The winners of the round win the match; after a round without a winner, another follows."""
    if now.result.winners:
        return MatchOutcome(winners=now.result.winners)
    return MatchOutcome(playing=now.playing)


def _elimination(now: Standing) -> MatchOutcome:
    """A seat at the target is out. The last seat wins; if all are out, the lowest total wins."""
    safe = tuple([seat for seat in now.playing if now.totals[seat] < now.target])
    if len(safe) >= 2:
        return MatchOutcome(playing=safe)
    lowest = now.lowest(safe or now.playing)
    return MatchOutcome(winners=lowest) if len(lowest) == 1 else MatchOutcome(playing=lowest)


def _all_partners(now: Standing) -> MatchOutcome:
    """After all hands of all cycles the highest total wins; tied seats share the win."""
    if now.rounds < now.ruleset.hands * 3 * now.ruleset.cycles:
        return MatchOutcome(playing=now.playing)
    return MatchOutcome(winners=now.best(now.playing))


def _one_rotation(now: Standing) -> MatchOutcome:
    """The table is decided after all hands with this partner; the tournament adds up the tables."""
    if now.rounds < now.ruleset.hands:
        return MatchOutcome(playing=now.playing)
    return MatchOutcome(winners=now.best(now.playing))


def _fewest_cards(now: Standing) -> MatchOutcome:
    """After all rounds the fewest cards win, then those worth least; tied seats share the win.

    Absent players cannot win.
    """
    if now.rounds < now.ruleset.hands:
        return MatchOutcome(playing=now.playing)
    fewest = now.lowest(now.here)
    least = min(now.card_values[seat] for seat in fewest)
    return MatchOutcome(winners=tuple([seat for seat in fewest if now.card_values[seat] == least]))


# Who sits where


def _seat_order(_ruleset: Ruleset, playing: tuple[Seat, ...], _rounds: int) -> tuple[Seat, ...]:
    return playing


def _partner_order(ruleset: Ruleset, playing: tuple[Seat, ...], rounds: int) -> tuple[Seat, ...]:
    """Seat 0 faces seat 2, then seat 1, then seat 3, for `hands` rounds each."""
    a, b, c, d = playing
    turn = rounds // ruleset.hands % 3
    return ((a, b, c, d), (a, c, b, d), (a, c, d, b))[turn]


FORMATS: dict[Format, FormatRules] = {
    Format.POINTS: FormatRules(_winner_takes, _points_race, _seat_order),
    Format.LOW_SCORE: FormatRules(_own_points, _low_score, _seat_order),
    Format.SINGLE: FormatRules(_none, _single_round, _seat_order),
    Format.LAPS: FormatRules(_none, _single_round, _seat_order),
    Format.ELIMINATION: FormatRules(_own_points, _elimination, _seat_order),
    Format.PAIRS: FormatRules(_pair_takes, _pairs_race, _seat_order, teams=True, fixed_pairs=True),
    Format.PARTNERS: FormatRules(_pair_takes, _all_partners, _partner_order, teams=True),
    Format.ROTATION: FormatRules(
        _pair_takes, _one_rotation, _seat_order, teams=True, chooses_dealer=False
    ),
    Format.DEALS: FormatRules(_cards_left, _fewest_cards, _seat_order, counts_cards=True),
}
