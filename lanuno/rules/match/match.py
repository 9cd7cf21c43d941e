"""A match: consecutive rounds, running totals, the next dealer, and the end.

`Match` receives the result of each round and plans the next one. formats.py scores the rounds, and
the engine plays them.
"""

from __future__ import annotations

from lanuno.rules.cards import Seat
from lanuno.rules.engine.events import RoundEnding
from lanuno.rules.engine.house_rules.registry import house_rules_of
from lanuno.rules.engine.results import (
    DealerResult,
    MatchEvent,
    MatchOver,
    PlayOn,
    RoundKind,
    RoundPlan,
    RoundResult,
    RoundScored,
    RoundVoid,
    SeatOut,
)
from lanuno.rules.engine.state import Public
from lanuno.rules.errors import RulesError
from lanuno.rules.match.formats import (
    FORMATS,
    LOW_WINS,
    RoundPoints,
    Standing,
    charge_absent,
    pair_of,
)
from lanuno.rules.ruleset import Ruleset


class Match:
    """The public state of a match between `seats` seats. Treat the attributes as read-only.

    >>> match = Match(Ruleset(), 3)
    >>> match.next()
    RoundPlan(number=0, kind=<RoundKind.DEALER: 0>, seats=(0, 1, 2), dealer=None)
    >>> match.finish(DealerResult(dealer=1))
    []
    >>> match.next()
    RoundPlan(number=1, kind=<RoundKind.PLAY: 1>, seats=(0, 1, 2), dealer=1)
    """

    def __init__(self, ruleset: Ruleset, seats: int) -> None:
        self.ruleset = ruleset
        self.seats = seats
        self._format = FORMATS[ruleset.format]
        chooses = self._format.chooses_dealer
        self.number = 0 if chooses else 1
        """The number of the next round."""
        self.dealer: Seat | None = None if chooses else 0
        """The dealer of the next round, as far as it is known."""
        self.rounds = 0
        """Rounds played to a result."""
        self.totals: list[int] = [0] * seats
        self.tally: list[list[int]] = [[0] * seats for _ in range(seats)]
        """Formats with partners: by seat, the points won with each partner.

        DEALS: on the diagonal, the points of the cards left in each seat's hands.
        """
        self.playing: tuple[Seat, ...] = tuple(range(seats))
        """The seats in the match, including those of absent players."""
        self.absent: set[Seat] = set()
        """The seats that left and may come back for a later round."""
        self.winners: tuple[Seat, ...] = ()
        """The winners, once the match is over; several share the win."""

    @property
    def over(self) -> bool:
        """Whether the match is decided."""
        return bool(self.winners)

    @property
    def target(self) -> int:
        """The points that end the match, which depend on the number of seats at the start."""
        return self.ruleset.target_two if self.seats == 2 else self.ruleset.target

    def next(self) -> RoundPlan | None:
        """Return the next round, or None if the match is over or waits for an absent player."""
        if self.winners:
            return None
        here = self._here()
        if len(here) < 2 or (self._format.teams and self.absent):
            return None
        seats = self._format.seat_order(self.ruleset, here, self.rounds)
        if self.dealer is None:
            return RoundPlan(self.number, RoundKind.DEALER, seats, None)
        dealer = self.dealer
        while dealer not in seats:
            dealer = (dealer + 1) % self.seats
        return RoundPlan(self.number, RoundKind.PLAY, seats, dealer)

    def finish(self, result: RoundResult | DealerResult) -> list[MatchEvent]:
        """Record the result of the planned round. Raise RulesError if it does not fit the plan."""
        plan = self.next()
        if plan is None:
            raise RulesError("no round is being played")
        if isinstance(result, DealerResult):
            if plan.kind is not RoundKind.DEALER or result.dealer not in plan.seats:
                raise RulesError("not the result of the planned round")
            self.number += 1
            self.dealer = result.dealer
            return []
        if plan.dealer is None or result.seats != plan.seats:
            raise RulesError("not the result of the planned round")
        if result.ending is RoundEnding.VOID:
            return self.void(result.left)
        return self._score(plan.dealer, result)

    def void(self, left: tuple[Seat, ...] = ()) -> list[MatchEvent]:
        """Void the round: its number is used up, and its dealer deals again.

        `left` are the seats that left during the round.
        """
        number = self.number
        self.number += 1
        self.absent.update(left)
        return [RoundVoid(number)]

    def leave(self, seat: Seat) -> None:
        """Mark a seat as away; the deal skips it. Its total is kept, but see `charge_absent`."""
        self.absent.add(seat)

    def come_back(self, seat: Seat) -> None:
        """Let a seat play again from the next round on."""
        self.absent.discard(seat)

    def expel(self, seat: Seat) -> list[MatchEvent]:
        """Remove a seat from the match for good, with its partner if the pairs are fixed.

        The last seat, or the last pair, wins. Changing partners need four seats: the match ends,
        and the highest total among the other three wins.
        """
        if self.winners or seat not in self.playing:
            return []
        rules = self._format
        gone = pair_of(tuple(range(self.seats)), seat) if rules.fixed_pairs else (seat,)
        self.playing = tuple([each for each in self.playing if each not in gone])
        self.absent.difference_update(gone)
        events: list[MatchEvent] = [SeatOut(each) for each in gone]
        if rules.teams and not rules.fixed_pairs:
            most = max(self.totals[each] for each in self.playing)
            best = tuple([each for each in self.playing if self.totals[each] == most])
            events.append(self._win(best))
        elif len(self.playing) <= (2 if rules.fixed_pairs else 1):
            events.append(self._win(self.playing))
        return events

    def forfeit(self, winners: tuple[Seat, ...]) -> list[MatchEvent]:
        """End a match of two owners because one has left; `winners` are the seats of the other.

        Only one of these seats wins, because a person wins over a person. It is the first that is
        still in the match.
        """
        if self.winners:
            return []
        best = next((seat for seat in winners if seat in self.playing), winners[0])
        return [self._win((best,))]

    def public_state(self) -> Public:
        """Return the whole state as nested tuples of ints and None."""
        return (
            self.number,
            self.rounds,
            self.dealer,
            tuple(self.totals),
            tuple([tuple(row) for row in self.tally]),
            self.playing,
            tuple(sorted(self.absent)),
            self.winners,
        )

    def _here(self) -> tuple[Seat, ...]:
        return tuple([seat for seat in self.playing if seat not in self.absent])

    def _score(self, dealer: Seat, result: RoundResult) -> list[MatchEvent]:
        gains = self._format.gains(result, self.seats)
        if self.ruleset.format in LOW_WINS:
            gains = charge_absent(gains, self.playing, result)
        self.totals = [total + gain for total, gain in zip(self.totals, gains, strict=True)]
        if self._format.teams:
            self._keep_tally(result, gains)
        if self._format.counts_cards:
            points = [0] * self.seats
            for seat, left in zip(result.seats, result.points, strict=True):
                points[seat] = left
            for seat, left in enumerate(charge_absent(points, self.playing, result)):
                self.tally[seat][seat] += left
        self.rounds += 1
        self.absent.update(result.left)
        events: list[MatchEvent] = [RoundScored(self.number, gains, tuple(self.totals))]
        self.number += 1
        outcome = self._format.decide(
            Standing(
                ruleset=self.ruleset,
                seats=self.seats,
                totals=tuple(self.totals),
                playing=self.playing,
                here=self._here(),
                result=result,
                rounds=self.rounds,
                card_values=tuple([row[seat] for seat, row in enumerate(self.tally)]),
            )
        )
        if outcome.winners:
            events.append(self._win(outcome.winners))
            return events
        events.extend(self._continue_with(outcome.playing))
        self._pass_deal(dealer, result)
        return events

    def _keep_tally(self, result: RoundResult, gains: RoundPoints) -> None:
        for seat in result.seats:
            self.tally[seat][pair_of(result.seats, seat)[1]] += gains[seat]

    def _continue_with(self, playing: tuple[Seat, ...]) -> list[MatchEvent]:
        out = [seat for seat in self.playing if seat not in playing]
        if not out:
            return []
        self.playing = playing
        self.absent.difference_update(out)
        return [*map(SeatOut, out), PlayOn(playing)]

    def _pass_deal(self, dealer: Seat, result: RoundResult) -> None:
        """Pass the deal to the left, unless a house rule names another dealer."""
        for rule in house_rules_of(self.ruleset):
            chosen = None if rule.next_dealer is None else rule.next_dealer(result)
            if chosen is not None:
                self.dealer = chosen
                return
        seats = self._format.seat_order(self.ruleset, self.playing, self.rounds)
        if dealer in seats:
            self.dealer = seats[(seats.index(dealer) + 1) % len(seats)]
        else:
            self.dealer = (dealer + 1) % self.seats

    def _win(self, winners: tuple[Seat, ...]) -> MatchOver:
        self.winners = winners
        return MatchOver(winners)
