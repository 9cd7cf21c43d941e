"""Consecutive matches between bots on the rules engine alone: no cryptography, network or clock.

Here: `Simulation`, which asks the bots in turn, checks every act as the audit would, and counts
what happens. Not here: strategies, and shuffling (simulated_dealer.py).

No time passes in a simulation. Whenever a seat may act out of turn, every seat is asked once, in
random order, before the game continues. A seat that does nothing then has missed its chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import add
from random import Random
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from lanuno.bots.player import Player
from lanuno.bots.simulated_dealer import SimulatedDealer, check_cards
from lanuno.bots.strategies import STRATEGIES
from lanuno.rules.cards import Seat
from lanuno.rules.engine.actions import ANY_TIME, Action, Play
from lanuno.rules.engine.dealer import DealerRound
from lanuno.rules.engine.events import (
    ChallengeDecided,
    GameEvent,
    Objected,
    Reshuffled,
    RoundEnding,
    UnoLapsed,
    UnoMissed,
    VoteDecided,
)
from lanuno.rules.engine.manners import Matter
from lanuno.rules.engine.results import (
    MatchEvent,
    MatchOver,
    RoundKind,
    RoundPlan,
    RoundResult,
    RoundScored,
)
from lanuno.rules.engine.round import Round
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.match.match import Match
from lanuno.rules.ruleset import Ruleset
from lanuno.rules.view import view

MAX_ROUND_ACTS: Final = 100_000
"""A round with more acts than this is assumed never to end."""


class SimulationError(Exception):
    """An impossible state: a bug in the engine or in a bot."""


class Tally(Struct):
    """The counts so far. Tuples have one item per seat."""

    wins: tuple[int, ...]
    """Matches won. Several seats may share a win."""
    points: tuple[int, ...]
    """Points gained in all rounds, as the format scores them."""
    rounds_won: tuple[int, ...]
    rounds: int = 0
    matches: int = 0
    """Matches played to their end."""
    moves: int = 0
    longest: int = 0
    """Moves of the longest round."""
    blocked: int = 0
    """Rounds that ended because no player could draw or play any more."""
    reshuffles: int = 0
    challenges_won: int = 0
    challenges_lost: int = 0
    uno_missed: int = 0
    """Times that "UNO" was owed and not said, punished or not."""
    uno_caught: int = 0
    """The number of those that were punished."""
    objections: int = 0
    advice_punished: int = 0
    advice_forgiven: int = 0

    def count_events(self, events: Sequence[GameEvent]) -> None:
        """Count what happened during a round."""
        for event in events:
            match event:
                case Reshuffled():
                    self.reshuffles += 1
                case ChallengeDecided(guilty=True):
                    self.challenges_won += 1
                case ChallengeDecided():
                    self.challenges_lost += 1
                case UnoMissed():
                    self.uno_missed += 1
                    self.uno_caught += 1
                case UnoLapsed():
                    self.uno_missed += 1
                case Objected():
                    self.objections += 1
                case VoteDecided(guilty=True):
                    self.advice_punished += 1
                case VoteDecided():
                    self.advice_forgiven += 1

    def count_round(self, moves: int, result: RoundResult, followed: Sequence[MatchEvent]) -> None:
        """Count a finished round and what it means for the match."""
        self.rounds += 1
        self.moves += moves
        self.longest = max(self.longest, moves)
        self.blocked += result.ending is RoundEnding.BLOCKED
        self.rounds_won = _plus_one(self.rounds_won, result.winners)
        for event in followed:
            if isinstance(event, RoundScored):
                self.points = tuple(map(add, self.points, event.gains))
            elif isinstance(event, MatchOver):
                self.matches += 1
                self.wins = _plus_one(self.wins, event.winners)


class Simulation:
    """A table that plays match after match until a given number of rounds is reached.

    The same ruleset, seats and seed produce the same games. `tally` holds the counts so far and
    changes only between rounds.
    """

    def __init__(
        self, ruleset: Ruleset, seats: int, seed: int, players: Sequence[str] | None = None
    ) -> None:
        """`players`: one name from `STRATEGIES` per seat; by default the names in turn."""
        names = tuple(STRATEGIES)
        self.names = tuple(players or [names[seat % len(names)] for seat in range(seats)])
        self.tally = Tally((0,) * seats, (0,) * seats, (0,) * seats)
        self.ruleset = ruleset
        self._seats = seats
        self._chance = Random(f"cards {seed}")
        self._players: list[Player] = [
            STRATEGIES[name](Random(f"player {seat} {seed}"))
            for seat, name in enumerate(self.names)
        ]

    def play(self, rounds: int) -> Iterator[Tally]:
        """Play `rounds` more rounds and yield the tally after each of them.

        Raises `SimulationError` or `CardsLost` if the engine or a bot makes a mistake.
        """
        match = Match(self.ruleset, self._seats)
        played = 0
        while played < rounds:
            plan = match.next()
            if plan is None:
                if not match.over:
                    raise SimulationError("an unfinished match planned no round")
                match = Match(self.ruleset, self._seats)
            elif plan.kind is RoundKind.DEALER:
                choosing = DealerRound(self.ruleset, plan.seats)
                SimulatedDealer(choosing, self._chance).start()
                match.finish(choosing.reveal())
            else:
                self._play_round(match, plan)
                played += 1
                yield self.tally

    # ---- one round --------------------------------------------------------------------------

    def _play_round(self, match: Match, plan: RoundPlan) -> None:
        assert plan.dealer is not None
        game = Round(self.ruleset, plan.seats, plan.dealer)
        table = SimulatedDealer(game, self._chance)
        tally = replace(self.tally)
        tally.count_events(table.start())
        moves = 0
        while not game.over:
            events = self._interruption(match, game, table)
            if events is None:
                events = self._decision(match, game, table)
            moves += 1
            if moves > MAX_ROUND_ACTS:
                raise SimulationError("the round does not end")
            tally.count_events(table.serve(events))
        check_cards(game, table.cards)
        result = game.reveal(table.cards)
        tally.count_round(moves, result, match.finish(result))
        self.tally = tally

    def _interruption(
        self, match: Match, game: Round, table: SimulatedDealer
    ) -> list[GameEvent] | None:
        """Perform one act out of turn or settle an open vote; return the events, or None."""
        jumping = game.rules.out_of_turn_cards and game.played and game.stage is RoundPhase.TURN
        votes = self.ruleset.advice
        if game.uno_owed is None and game.laid is None and not jumping and not votes:
            return None
        for seat in self._chance.sample(game.seats, len(game.seats)):
            action = self._choice(match, game, table, seat)
            if action is not None and (isinstance(action, ANY_TIME) or seat != game.decider):
                return self._perform(game, table, seat, action)
        if game.accusation is not None:
            return game.settle(Matter.VOTE)
        return None

    def _decision(self, match: Match, game: Round, table: SimulatedDealer) -> list[GameEvent]:
        """Perform the decider's act. The clock acts for a player who does nothing."""
        seat = game.decider
        if seat is None:
            return game.settle(Matter.CARD)
        action = self._choice(match, game, table, seat)
        if action is None:
            return game.act(seat, game.clock_action())
        return self._perform(game, table, seat, action)

    def _choice(
        self, match: Match, game: Round, table: SimulatedDealer, seat: Seat
    ) -> Action | None:
        seen = view(match, game, seat, table.known[seat])
        if not seen.legal:
            if seat == game.decider:
                raise SimulationError(f"seat {seat} has no legal act in {game.phase.name}")
            return None
        action = self._players[seat].choose(seen)
        if action is not None and action not in seen.legal:
            raise SimulationError(f"{self.names[seat]} chose an illegal act: {action}")
        return action

    def _perform(
        self, game: Round, table: SimulatedDealer, seat: Seat, action: Action
    ) -> list[GameEvent]:
        fault = game.refusal(seat, action, table.cards)
        if fault is not None:
            raise SimulationError(f"the audit refuses a legal act: {action}: {fault.name}")
        if isinstance(action, Play) and table.cards[action.slot] != action.card:
            raise SimulationError(f"the seat saw another card in this slot: {action}")
        return game.act(seat, action)


def _plus_one(numbers: tuple[int, ...], seats: Sequence[Seat]) -> tuple[int, ...]:
    return tuple([number + (seat in seats) for seat, number in enumerate(numbers)])
