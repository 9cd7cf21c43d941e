"""What a match is, format by format: how a round scores, who sits where, and when it is decided.

Here: one value per format, made of three pure functions. Not here: the running totals and who deals
next (match.py).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from lanuno.rules.cards import Seat
from lanuno.rules.engine.results import RoundResult
from lanuno.rules.ruleset import Format, Ruleset

RoundPoints = tuple[int, ...]
"""One place per seat of the match."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a match stands after a round that counted."""

    ruleset: Ruleset
    seats: int
    """Seats of the match."""
    totals: RoundPoints
    playing: tuple[Seat, ...]
    """Seats still in it, in order, those away included."""
    here: tuple[Seat, ...]
    """Those of them who are not away."""
    result: RoundResult
    rounds: int
    """Rounds that counted, the last one included."""
    card_values: RoundPoints
    """DEALS: what the cards left in each seat's hands were worth, over all rounds; else zeros."""

    @property
    def target(self) -> int:
        """The points to reach, by the number of seats at the start."""
        return self.ruleset.target_two if self.seats == 2 else self.ruleset.target

    def best(self, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
        """Those of `seats` with the highest total."""
        top = max(self.totals[seat] for seat in seats)
        return tuple([seat for seat in seats if self.totals[seat] == top])

    def lowest(self, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
        """Those of `seats` with the lowest total."""
        low = min(self.totals[seat] for seat in seats)
        return tuple([seat for seat in seats if self.totals[seat] == low])


@dataclass(frozen=True, slots=True)
class MatchOutcome:
    """Who won, or nobody yet and who plays on."""

    winners: tuple[Seat, ...] = ()
    playing: tuple[Seat, ...] = ()


Gains = Callable[[RoundResult, int], RoundPoints]
Decide = Callable[[Standing], MatchOutcome]
SeatOrder = Callable[[Ruleset, tuple[Seat, ...], int], tuple[Seat, ...]]


@dataclass(frozen=True, slots=True)
class FormatRules:
    """One format."""

    gains: Gains
    """Points of each seat for one round."""
    decide: Decide
    """What follows from the totals."""
    seat_order: SeatOrder
    """The clockwise order of the seats in a round, by the rounds that counted before it."""
    teams: bool = False
    """Whether everybody has a partner, so that no round can do without a seat."""
    fixed_pairs: bool = False
    """Whether the partners of the first round are partners for the whole match."""
    chooses_dealer: bool = True
    counts_cards: bool = False
    """Whether totals are cards left in hands; what those are worth breaks ties."""


LOW_WINS = frozenset({Format.LOW_SCORE, Format.ELIMINATION, Format.DEALS})
"""Formats in which points are what a player does not want."""


def ahead(totals: Sequence[int], of: Format, gone: Collection[int]) -> tuple[int, ...]:
    """Seats with the best total; nobody if all are equal.

    `gone`: seats of players who left. They cannot be ahead where few points are good.
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
    """The points left in the other hands go to the winner."""
    gains = [0] * seats
    if len(result.winners) == 1:
        winner = result.winners[0]
        gains[winner] = sum(result.points) - result.points[result.seats.index(winner)]
    return tuple(gains)


def _own_points(result: RoundResult, seats: int) -> RoundPoints:
    """Everybody but the winner takes what is left in the own hand."""
    gains = [0] * seats
    if result.winners:
        for seat, points in zip(result.seats, result.points, strict=True):
            if seat not in result.winners:
                gains[seat] = points
    return tuple(gains)


def _cards_left(result: RoundResult, seats: int) -> RoundPoints:
    """One point for each card left in the own hand."""
    gains = [0] * seats
    for seat, cards in zip(result.seats, result.cards, strict=True):
        gains[seat] = cards
    return tuple(gains)


def _pair_takes(result: RoundResult, seats: int) -> RoundPoints:
    """The points of the other pairs go, in full, to both seats of the winning pair."""
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
    """A seat and the one opposite."""
    return seat, seat_order[(seat_order.index(seat) + len(seat_order) // 2) % len(seat_order)]


# When a match is decided


def _points_race(now: Standing) -> MatchOutcome:
    """The highest at or above the target wins; equals play another round."""
    best = now.best(now.playing)
    if now.totals[best[0]] >= now.target and len(best) == 1:
        return MatchOutcome(winners=best)
    return MatchOutcome(playing=now.playing)


def _pairs_race(now: Standing) -> MatchOutcome:
    """The same for pairs: both partners carry the pair's total."""
    best = now.best(now.playing)
    if now.totals[best[0]] >= now.target and len(best) == 2:
        return MatchOutcome(winners=best)
    return MatchOutcome(playing=now.playing)


def _low_score(now: Standing) -> MatchOutcome:
    """Once a seat is at the target the lowest wins; the tied lowest play on alone.

    An absent player takes no points, and must not win by it.
    """
    if max(now.totals) < now.target:
        return MatchOutcome(playing=now.playing)
    lowest = now.lowest(now.here)
    return MatchOutcome(winners=lowest) if len(lowest) == 1 else MatchOutcome(playing=lowest)


def _single_round(now: Standing) -> MatchOutcome:
    """The winner of the round wins; a round that nobody won is followed by another."""
    if now.result.winners:
        return MatchOutcome(winners=now.result.winners)
    return MatchOutcome(playing=now.playing)


def _elimination(now: Standing) -> MatchOutcome:
    """Out at the target; the last one left wins, or the lowest if none is left."""
    safe = tuple([seat for seat in now.playing if now.totals[seat] < now.target])
    if len(safe) >= 2:
        return MatchOutcome(playing=safe)
    lowest = now.lowest(safe or now.playing)
    return MatchOutcome(winners=lowest) if len(lowest) == 1 else MatchOutcome(playing=lowest)


def _all_partners(now: Standing) -> MatchOutcome:
    """After all hands of all cycles the highest totals win; the tied share."""
    if now.rounds < now.ruleset.hands * 3 * now.ruleset.cycles:
        return MatchOutcome(playing=now.playing)
    return MatchOutcome(winners=now.best(now.playing))


def _one_rotation(now: Standing) -> MatchOutcome:
    """After all hands with this partner; the tournament adds the tables up."""
    if now.rounds < now.ruleset.hands:
        return MatchOutcome(playing=now.playing)
    return MatchOutcome(winners=now.best(now.playing))


def _fewest_cards(now: Standing) -> MatchOutcome:
    """After all rounds the fewest cards win, then those worth least; the tied share.

    Absent players take no cards, and must not win by it.
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
