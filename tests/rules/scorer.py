"""A second implementation of matches, from the rules alone: it rereads the whole history each time.

From everything that has happened, the scorer computes who has how many points, who won, who plays
and who deals next. It imports nothing of `lanuno`. The engine keeps running totals instead; a test
plays random matches and compares the two after every step.
"""

from __future__ import annotations

from dataclasses import dataclass, field

ALONE = frozenset({"points", "low-score", "single", "laps", "elimination", "deals"})
"""Formats without partners."""


@dataclass(frozen=True)
class Rules:
    """The facts about a ruleset that the score depends on."""

    format: str
    seats: int
    target: int
    hands: int
    cycles: int
    winner_deals: bool
    first_dealer: int


@dataclass(frozen=True)
class Played:
    """A played round: how it ended, and (cards, points) in each hand, by seat."""

    ending: str
    out: int | None
    hands: dict[int, tuple[int, int]]
    left: frozenset[int]
    order: tuple[int, ...]
    """The seats clockwise. The order changes only in formats with changing partners."""
    dealer: int


@dataclass(frozen=True)
class Moved:
    """A player went away, came back or was expelled."""

    seat: int
    where: str


@dataclass
class Standing:
    """The standing that follows from a history."""

    totals: list[int]
    beside: list[list[int]]
    """Points by seat, then by partner."""
    inside: list[int]
    """The seats in the match."""
    away: set[int] = field(default_factory=set)
    winners: list[int] = field(default_factory=list)
    counted: int = 0
    number: int = 1
    due: int = 0
    """The seat that is to deal, unless it is away."""

    @property
    def here(self) -> list[int]:
        """The seats that are in the match and not away."""
        return [seat for seat in self.inside if seat not in self.away]


def won_by(played: Played) -> list[int]:
    """Return the winners of a round."""
    stayed = {seat: hand for seat, hand in played.hands.items() if seat not in played.left}
    if played.ending == "out":
        return [] if played.out is None else [played.out]
    if played.ending == "blocked":
        # Score it as if the hand with the fewest points had gone out; a tie gives no points.
        lowest = min(points for _, points in stayed.values())
        best = [seat for seat, (_, points) in stayed.items() if points == lowest]
        return best if len(best) == 1 else []
    if played.ending == "laps":
        # The fewest cards win, then the fewest points in hand; a tie is shared.
        fewest = min(stayed.values())
        return [seat for seat, hand in stayed.items() if hand == fewest]
    return []


def opposite(order: tuple[int, ...], seat: int) -> int:
    """Return the seat across the table."""
    half = len(order) // 2
    return order[(order.index(seat) + half) % len(order)]


def standing(rules: Rules, history: list[Played | Moved]) -> Standing:
    """Return the standing that follows from a history."""
    now = Standing(
        totals=[0] * rules.seats,
        beside=[[0] * rules.seats for _ in range(rules.seats)],
        inside=list(range(rules.seats)),
        due=rules.first_dealer,
    )
    for event in history:
        if isinstance(event, Moved):
            _move(rules, now, event)
        else:
            _round(rules, now, event)
    return now


def _move(rules: Rules, now: Standing, event: Moved) -> None:
    if event.where == "away":
        now.away.add(event.seat)
    elif event.where == "back":
        now.away.discard(event.seat)
    elif event.seat in now.inside and not now.winners:
        gone = {event.seat}
        if rules.format == "pairs":
            gone.add(opposite(tuple(range(rules.seats)), event.seat))
        now.inside = [seat for seat in now.inside if seat not in gone]
        if rules.format in ("partners", "rotation"):
            now.winners = _highest(now)
        elif len(now.inside) <= (2 if rules.format == "pairs" else 1):
            now.winners = now.inside


def _round(rules: Rules, now: Standing, played: Played) -> None:
    now.number += 1
    now.away |= played.left
    if played.ending == "void":
        return
    winners = won_by(played)
    _score(rules, now, played, winners)
    now.counted += 1
    _after(rules, now, winners)
    if rules.winner_deals and len(winners) == 1:
        now.due = winners[0]
    else:
        now.due = _left_of(rules, now, played)


def _score(rules: Rules, now: Standing, played: Played, winners: list[int]) -> None:
    points = {seat: held for seat, (_, held) in played.hands.items()}
    if rules.format == "points" and winners:
        now.totals[winners[0]] += sum(points.values()) - points[winners[0]]
    elif rules.format in ("low-score", "elimination") and winners:
        points.update(dict.fromkeys(winners, 0))
        _add(now, played, points, now.totals)
    elif rules.format == "deals":
        # Count every card left in a hand. The points of those cards are kept separately for ties.
        beside = [0] * rules.seats
        _add(now, played, {seat: cards for seat, (cards, _) in played.hands.items()}, now.totals)
        _add(now, played, points, beside)
        for seat, held in enumerate(beside):
            now.beside[seat][seat] += held
    elif rules.format not in ALONE and winners:
        partner = opposite(played.order, winners[0])
        gain = sum(held for seat, held in points.items() if seat not in (winners[0], partner))
        for one, other in ((winners[0], partner), (partner, winners[0])):
            now.totals[one] += gain
            now.beside[one][other] += gain


def _add(now: Standing, played: Played, held: dict[int, int], to: list[int]) -> None:
    """Add what each seat holds; for a seat in the match that is gone, at least what others hold."""
    stayed = [held[seat] for seat in played.hands if seat not in played.left]
    for seat in now.inside:
        if seat in played.left or seat not in played.hands:
            to[seat] += max([held.get(seat, 0), *stayed])
        else:
            to[seat] += held[seat]


def _highest(now: Standing) -> list[int]:
    most = max(now.totals[seat] for seat in now.inside)
    return [seat for seat in now.inside if now.totals[seat] == most]


def _lowest(now: Standing, among: list[int]) -> list[int]:
    least = min(now.totals[seat] for seat in among)
    return [seat for seat in among if now.totals[seat] == least]


def _after(rules: Rules, now: Standing, winners: list[int]) -> None:
    """Set who has won the match, or who plays on."""
    reached = [seat for seat in range(rules.seats) if now.totals[seat] >= rules.target]
    if rules.format == "points":
        best = _highest(now)
        now.winners = best if reached and len(best) == 1 else []
    elif rules.format == "pairs":
        best = _highest(now)
        # Both partners have the pair's points.
        now.winners = best if reached and len(best) == 2 else []
    elif rules.format in ("single", "laps"):
        now.winners = winners
    elif rules.format == "low-score" and reached:
        # An absent player cannot win.
        _decide(now, _lowest(now, now.here))
    elif rules.format == "elimination":
        under = [seat for seat in now.inside if seat not in reached]
        if len(under) >= 2:
            now.inside = under
        else:
            _decide(now, under or _lowest(now, now.inside))
    elif rules.format == "deals" and now.counted == rules.hands:
        # The fewest cards win, then the fewest points; absent players cannot win.
        fewest = min((now.totals[seat], now.beside[seat][seat]) for seat in now.here)
        now.winners = [
            seat for seat in now.here if (now.totals[seat], now.beside[seat][seat]) == fewest
        ]
    elif now.counted == _hands_in_all(rules):
        now.winners = _highest(now)


def _hands_in_all(rules: Rules) -> int | None:
    """Return the number of hands after which a match ends; None if points end it."""
    if rules.format == "partners":
        return rules.hands * 3 * rules.cycles
    return rules.hands if rules.format == "rotation" else None


def _decide(now: Standing, best: list[int]) -> None:
    """Let one player win; several play on alone."""
    if len(best) == 1:
        now.winners = best
    else:
        now.inside = best


def _left_of(rules: Rules, now: Standing, played: Played) -> int:
    """Return the next seat in the match, clockwise from the dealer."""
    if rules.format in ("partners", "rotation"):
        # The order changes with each new partner; the test checks who dealt.
        return -1
    return _first_from((played.dealer + 1) % rules.seats, now.inside, rules.seats)


def _first_from(seat: int, among: list[int], seats: int) -> int:
    while seat not in among:
        seat = (seat + 1) % seats
    return seat


def next_round(rules: Rules, now: Standing) -> tuple[list[int], int | None] | None:
    """Return the seats and the dealer (None if the order decides), or None if no round is next."""
    waits = rules.format not in ALONE and now.away & set(now.inside)
    if now.winners or len(now.here) < 2 or waits:
        return None
    if now.due < 0:
        return now.here, None
    return now.here, _first_from(now.due, now.here, rules.seats)
