"""What a match is, format by format: how a round scores, who sits where, and when it is decided.

Here: one value per format, made of three functions that know no more than their arguments. Not
here: the running totals and the passing of the deal (match.py).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from lanuno.rules.cards import Seat
from lanuno.rules.results import RoundResult
from lanuno.rules.ruleset import Format, Ruleset

Points = tuple[int, ...]
"""One place per seat of the match."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a match stands after a round that counted."""

    ruleset: Ruleset
    seats: int
    """Seats of the match."""
    totals: Points
    playing: tuple[Seat, ...]
    """Seats still in it, in order, those away included."""
    here: tuple[Seat, ...]
    """Those of them who are not away."""
    result: RoundResult
    rounds: int
    """Rounds that counted, the last one included."""
    held: Points
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
class Outcome:
    """Who won, or nobody yet and who plays on."""

    winners: tuple[Seat, ...] = ()
    playing: tuple[Seat, ...] = ()


Gains = Callable[[RoundResult, int], Points]
Decide = Callable[[Standing], Outcome]
Chairs = Callable[[Ruleset, tuple[Seat, ...], int], tuple[Seat, ...]]


@dataclass(frozen=True, slots=True)
class FormatRules:
    """One format."""

    gains: Gains
    """Points of each seat for one round."""
    decide: Decide
    """What follows from the totals."""
    chairs: Chairs
    """The clockwise order of the seats in a round, by the rounds that counted before it."""
    teams: bool = False
    """Whether everybody has a partner, so that no round can do without a seat."""
    pairs_stay: bool = False
    """Whether the partners of the first round are partners for the whole match."""
    chooses_dealer: bool = True
    counts_cards: bool = False
    """Whether totals are cards left in hands, and what those were worth decides between equals."""


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


def _none(_result: RoundResult, seats: int) -> Points:
    return (0,) * seats


def _winner_takes(result: RoundResult, seats: int) -> Points:
    """The points left in the other hands go to the winner."""
    gains = [0] * seats
    if len(result.winners) == 1:
        winner = result.winners[0]
        gains[winner] = sum(result.points) - result.points[result.seats.index(winner)]
    return tuple(gains)


def _own_points(result: RoundResult, seats: int) -> Points:
    """Everybody but the winner takes what is left in the own hand."""
    gains = [0] * seats
    if result.winners:
        for seat, points in zip(result.seats, result.points, strict=True):
            if seat not in result.winners:
                gains[seat] = points
    return tuple(gains)


def _cards_left(result: RoundResult, seats: int) -> Points:
    """One point for each card left in the own hand."""
    gains = [0] * seats
    for seat, cards in zip(result.seats, result.cards, strict=True):
        gains[seat] = cards
    return tuple(gains)


def _pair_takes(result: RoundResult, seats: int) -> Points:
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


def pair_of(chairs: tuple[Seat, ...], seat: Seat) -> tuple[Seat, Seat]:
    """A seat and the one opposite."""
    return seat, chairs[(chairs.index(seat) + len(chairs) // 2) % len(chairs)]


# When a match is decided


def _points_race(now: Standing) -> Outcome:
    """The highest at or above the target wins; equals play another round."""
    best = now.best(now.playing)
    if now.totals[best[0]] >= now.target and len(best) == 1:
        return Outcome(winners=best)
    return Outcome(playing=now.playing)


def _pairs_race(now: Standing) -> Outcome:
    """The same for pairs: both partners carry the pair's total."""
    best = now.best(now.playing)
    if now.totals[best[0]] >= now.target and len(best) == 2:
        return Outcome(winners=best)
    return Outcome(playing=now.playing)


def _low_score(now: Standing) -> Outcome:
    """Once somebody is at the target the lowest wins; the tied lowest play on alone.

    Whoever is away takes no points, and must not win by it.
    """
    if max(now.totals) < now.target:
        return Outcome(playing=now.playing)
    lowest = now.lowest(now.here)
    return Outcome(winners=lowest) if len(lowest) == 1 else Outcome(playing=lowest)


def _single_round(now: Standing) -> Outcome:
    """Whoever wins the round wins; a round that nobody won is followed by another."""
    if now.result.winners:
        return Outcome(winners=now.result.winners)
    return Outcome(playing=now.playing)


def _elimination(now: Standing) -> Outcome:
    """Out at the target; the last one left wins, or the lowest if none is left."""
    safe = tuple([seat for seat in now.playing if now.totals[seat] < now.target])
    if len(safe) >= 2:
        return Outcome(playing=safe)
    lowest = now.lowest(safe or now.playing)
    return Outcome(winners=lowest) if len(lowest) == 1 else Outcome(playing=lowest)


def _all_partners(now: Standing) -> Outcome:
    """After all hands of all cycles the highest totals win; the tied share."""
    if now.rounds < now.ruleset.hands * 3 * now.ruleset.cycles:
        return Outcome(playing=now.playing)
    return Outcome(winners=now.best(now.playing))


def _one_rotation(now: Standing) -> Outcome:
    """After all hands with this partner; the tournament adds the tables up."""
    if now.rounds < now.ruleset.hands:
        return Outcome(playing=now.playing)
    return Outcome(winners=now.best(now.playing))


def _fewest_cards(now: Standing) -> Outcome:
    """After all rounds the fewest cards win, then those worth least; the tied share.

    Players who are away take no cards, and must not win by it.
    """
    if now.rounds < now.ruleset.hands:
        return Outcome(playing=now.playing)
    fewest = now.lowest(now.here)
    least = min(now.held[seat] for seat in fewest)
    return Outcome(winners=tuple([seat for seat in fewest if now.held[seat] == least]))


# Who sits where


def _seat_order(_ruleset: Ruleset, playing: tuple[Seat, ...], _rounds: int) -> tuple[Seat, ...]:
    return playing


def _partner_order(ruleset: Ruleset, playing: tuple[Seat, ...], rounds: int) -> tuple[Seat, ...]:
    """Seat 0 faces seat 2, then seat 1, then seat 3, so many hands each."""
    a, b, c, d = playing
    turn = rounds // ruleset.hands % 3
    return ((a, b, c, d), (a, c, b, d), (a, c, d, b))[turn]


FORMATS: dict[Format, FormatRules] = {
    Format.POINTS: FormatRules(_winner_takes, _points_race, _seat_order),
    Format.LOW_SCORE: FormatRules(_own_points, _low_score, _seat_order),
    Format.SINGLE: FormatRules(_none, _single_round, _seat_order),
    Format.LAPS: FormatRules(_none, _single_round, _seat_order),
    Format.ELIMINATION: FormatRules(_own_points, _elimination, _seat_order),
    Format.PAIRS: FormatRules(_pair_takes, _pairs_race, _seat_order, teams=True, pairs_stay=True),
    Format.PARTNERS: FormatRules(_pair_takes, _all_partners, _partner_order, teams=True),
    Format.ROTATION: FormatRules(
        _pair_takes, _one_rotation, _seat_order, teams=True, chooses_dealer=False
    ),
    Format.DEALS: FormatRules(_cards_left, _fewest_cards, _seat_order, counts_cards=True),
}
