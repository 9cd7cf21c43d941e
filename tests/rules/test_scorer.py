"""Random matches of every format: the engine and the scorer agree after every step."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lanuno.rules.engine.events import RoundEnding
from lanuno.rules.engine.results import DealerResult, RoundPlan, RoundResult
from lanuno.rules.match.match import Match
from lanuno.rules.ruleset import Format, Ruleset
from tests.rules.scorer import (
    Moved,
    Played,
    Rules,
    Standing,
    next_round,
    opposite,
    standing,
    won_by,
)

SEATS = {
    Format.ELIMINATION: range(3, 11),
    Format.PAIRS: (4, 6, 8, 10),
    Format.PARTNERS: (4,),
    Format.ROTATION: (4,),
}
ENDINGS = {
    "out": RoundEnding.OUT,
    "blocked": RoundEnding.BLOCKED,
    "laps": RoundEnding.LAPS,
    "void": RoundEnding.VOID,
}
LONGEST = 60
"""The number of rounds after which a match is abandoned."""


class BothSides:
    """A match in the engine, and its history for the scorer."""

    def __init__(self, kind: Format, seed: int, *, unrest: float) -> None:
        self.chance = random.Random(f"{kind.name} {seed}")
        self.unrest = unrest
        """How often a player leaves or a round is void."""
        self.kind = kind
        seats = self.chance.choice(SEATS.get(kind, range(2, 11)))
        target, target_two = self.chance.randint(1, 300), self.chance.randint(1, 300)
        four = kind in (Format.PARTNERS, Format.ROTATION)
        self.ruleset = Ruleset(
            format=kind,
            target=target,
            target_two=target_two,
            hands=self.chance.choice((1, 2, 4)),
            cycles=self.chance.choice((1, 2)),
            winner_deals=not four and self.chance.random() < 0.3,
        )
        self.match = Match(self.ruleset, seats)
        first = 0
        if self.match.next() is not None and self.match.dealer is None:
            first = self.chance.randrange(seats)
            self.match.finish(DealerResult(first))
        self.rules = Rules(
            format=kind.name.lower().replace("_", "-"),
            seats=seats,
            target=target_two if seats == 2 else target,
            hands=self.ruleset.hands,
            cycles=self.ruleset.cycles,
            winner_deals=self.ruleset.winner_deals,
            first_dealer=first,
        )
        self.history: list[Played | Moved] = []
        self.dealt: list[tuple[frozenset[int], int]] = []
        """By counted round: the first seat with the seat opposite, and the dealer."""

    def play(self) -> Standing:
        """Play to the end and compare after every step."""
        self.compare()
        for _ in range(LONGEST):
            if self.match.over:
                break
            if self.chance.random() < self.unrest:
                self._somebody_moves()
                self.compare()
            plan = self.match.next()
            if plan is None:
                self._everybody_back()
            else:
                self._play_round(plan)
            self.compare()
        return standing(self.rules, self.history)

    def compare(self) -> None:
        """Compare totals, tallies, winners, players and dealer."""
        now = standing(self.rules, self.history)
        match = self.match
        assert match.totals == now.totals
        assert match.tally == now.beside
        assert sorted(match.winners) == sorted(now.winners)
        assert match.over == bool(now.winners)
        plan, expected = match.next(), next_round(self.rules, now)
        if plan is None or expected is None:
            assert plan is None
            assert expected is None
            return
        seats, dealer = expected
        assert sorted(plan.seats) == sorted(seats)
        assert dealer in (None, plan.dealer)
        assert plan.number == now.number
        if self.kind is not Format.PARTNERS:
            assert list(plan.seats) == seats

    def _play_round(self, plan: RoundPlan) -> None:
        assert plan.dealer is not None
        chance = self.chance
        left = frozenset(
            seat for seat in plan.seats if chance.random() < self.unrest / len(plan.seats)
        )
        stayed = [seat for seat in plan.seats if seat not in left]
        ending = self._ending(len(stayed), bool(left))
        out = chance.choice(stayed) if ending == "out" else None
        step = chance.choice((1, 10, 50))
        hands = {}
        for seat in plan.seats:
            cards = 0 if seat == out else chance.randint(1, 4)
            hands[seat] = cards, step * chance.randint(0, 60 // step) if cards else 0
        played = Played(ending, out, hands, left, plan.seats, plan.dealer)
        self.history.append(played)
        if ending != "void":
            partner = opposite(plan.seats, plan.seats[0])
            self.dealt.append((frozenset((plan.seats[0], partner)), plan.dealer))
        self.match.finish(
            RoundResult(
                ending=ENDINGS[ending],
                seats=plan.seats,
                winners=tuple(won_by(played)),
                points=tuple(hands[seat][1] for seat in plan.seats),
                cards=tuple(hands[seat][0] for seat in plan.seats),
                left=tuple(seat for seat in plan.seats if seat in left),
            )
        )

    def _ending(self, stayed: int, somebody_left: bool) -> str:
        teams = self.kind in (Format.PAIRS, Format.PARTNERS, Format.ROTATION)
        if stayed < 2 or (teams and somebody_left) or self.chance.random() < self.unrest / 4:
            return "void"
        if self.chance.random() < 0.2:
            return "blocked"
        return "laps" if self.kind is Format.LAPS and self.chance.random() < 0.7 else "out"

    def _somebody_moves(self) -> None:
        seat = self.chance.choice(self.match.playing)
        where = self.chance.choice(
            ("away", "back", "back", "out") if self.unrest > 0.4 else ("away", "back")
        )
        self._moves(seat, where)

    def _everybody_back(self) -> None:
        for seat in self.match.playing:
            self._moves(seat, "back")

    def _moves(self, seat: int, where: str) -> None:
        self.history.append(Moved(seat, where))
        move = {"away": self.match.leave, "back": self.match.come_back, "out": self.match.expel}
        move[where](seat)


@pytest.mark.parametrize("kind", list(Format))
def test_quiet_matches(kind: Format) -> None:
    """If nobody leaves, every match ends with a winner."""
    ends = [BothSides(kind, seed, unrest=0.0).play() for seed in range(60)]
    assert sum(bool(end.winners) for end in ends) > 50


@settings(max_examples=150)
@given(st.sampled_from(Format), st.integers(0, 2**32), st.sampled_from([0.1, 0.5, 0.9]))
def test_restless_matches(kind: Format, seed: int, unrest: float) -> None:
    """Players leave, stay away, come back and are expelled."""
    BothSides(kind, seed, unrest=unrest).play()


@pytest.mark.parametrize("seed", range(20))
def test_partners_meet_equally_often_and_everybody_deals(seed: int) -> None:
    """Everybody plays equally many hands with each partner, and deals one hand of each block."""
    both = BothSides(Format.PARTNERS, seed, unrest=0.0)
    assert both.play().winners
    hands = both.ruleset.hands
    met = Counter(pair for pair, _ in both.dealt)
    assert set(met.values()) == {hands * both.ruleset.cycles}
    assert len(met) == 3
    for first in range(0, len(both.dealt), hands):
        block = both.dealt[first : first + hands]
        assert len({pair for pair, _ in block}) == 1
        assert len({dealer for _, dealer in block}) == hands


@pytest.mark.parametrize("seed", range(5))
def test_every_seat_of_a_tournament_table_deals_in_turn(seed: int) -> None:
    both = BothSides(Format.ROTATION, seed, unrest=0.0)
    both.play()
    assert [dealer for _, dealer in both.dealt] == list(range(both.ruleset.hands))
