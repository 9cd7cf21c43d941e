"""Games by the rules alone: legal acts, views, and consequences in every position.

A case is a ruleset, a number of seats and a seed. For every position, all seats' legal acts and
views are recorded, the act that each bot strategy would choose, and why unusual acts are refused.
Then a bot or a random choice acts. Random choices never depend on names, so renaming changes no
game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from random import Random

import msgspec

from lanuno.bots.player import Player
from lanuno.bots.simulated_dealer import SimulatedDealer
from lanuno.bots.simulation import Simulation
from lanuno.bots.strategies import STRATEGIES
from lanuno.rules.cards import Seat
from lanuno.rules.engine.actions import (
    ANY_TIME,
    Accept,
    Accuse,
    Action,
    Catch,
    Challenge,
    Draw,
    Keep,
    NameColour,
    Object,
    OpenHand,
    Play,
    RefuseShow,
    RefuseVerdict,
    SayUno,
    Show,
    Swap,
    Verdict,
    Vote,
)
from lanuno.rules.engine.dealer import DealerRound
from lanuno.rules.engine.events import GameEvent
from lanuno.rules.engine.manners import Matter
from lanuno.rules.engine.results import RoundKind, RoundPlan
from lanuno.rules.engine.round import Round
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.match.match import Match
from lanuno.rules.presets import PRESETS
from lanuno.rules.rulebook.relevance import is_played, matters
from lanuno.rules.rulebook.rulebook import rulebook
from lanuno.rules.ruleset import Format, Ruleset
from lanuno.rules.ruleset_changes import changes
from lanuno.rules.settings import SETTINGS
from lanuno.rules.validation import validate
from lanuno.rules.view import SeatView, view
from tests.golden.canonical import text
from tests.golden.recording import Golden
from tests.harness.rounds.any_rules import any_value
from tests.harness.rounds.audited_settings import checked_at_audit

RANDOM_RULES = 300
"""The number of cases with random rules; the rules follow from the number of the case."""
ROUNDS = 3
"""Rounds of a match in one case. Later rounds have other dealers, partners and totals."""
MOVES = 140
"""Acts after which a round is abandoned, because no player tries to end it."""
EARNEST = 60
"""Acts after which most acts are those of the sensible strategy, so that rounds end."""
RECORDED_SETTINGS = (
    *("deck", "seats_min", "seats_max", "format", "target", "target_two", "laps", "hands"),
    *("cycles", "hand_size", "wild_four", "uno", "draw", "drawn", "uno_penalty"),
    *("challenge_penalty", "objection_penalty", "advice_penalty", "uno_hold_ms", "uno_catch_ms"),
    *("objection_ms", "vote_ms", "turn_clock_s", "turn_extra_ms", "grace_first_s"),
    *("grace_total_s", "manners", "advice", "stack_draw_two", "stack_wild_four", "stack_cross"),
    *("seven_zero", "jump_in", "draw_until_playable", "forced_play", "no_bluff", "winner_deals"),
)
"""The settings at the time of the recording. A later setting changes no case."""
RECORDED_STRATEGIES = ("sensible", "random", "cautious", "reckless")
"""The bot strategies at the time of the recording."""
FORMATS = tuple(Format)[:9]


class Wordings:
    """A cache of the lines of values that occur often."""

    def __init__(self) -> None:
        self.of: Callable[[object], str] = cache(text)

    def view(self, seen: SeatView) -> str:
        """Return the line of a view: the lines of its fields."""
        return ", ".join(map(self._field, msgspec.structs.astuple(seen)))

    def events(self, happened: list[GameEvent]) -> str:
        """Return one line for all events that an act caused."""
        return "; ".join(map(text, happened))

    def _field(self, value: object) -> str:
        if isinstance(value, tuple):
            return f"[{', '.join(map(self.of, value))}]"
        return text(value) if isinstance(value, int | None) else self.of(value)


def random_rules(number: int) -> tuple[Ruleset, int]:
    """Return rules and a number of seats that can play by them; they differ for every number."""
    attempt = 0
    while True:
        case = f"{number} {attempt}"
        attempt += 1
        seats = 2 + (number + attempt) % 9
        ruleset = Random(f"preset {case}").choice(list(PRESETS.values())[:11])
        values: dict[str, object] = {}
        for name in RECORDED_SETTINGS:
            if Random(f"whether {name} {case}").random() < 0.4:
                usual = getattr(ruleset, name)
                values[name] = any_value(name, usual, Random(f"value {name} {case}"))
        values |= {"format": FORMATS[number % len(FORMATS)], "seats_min": 2, "seats_max": 10}
        # Few rounds are played, so small targets let matches end.
        values["target"] = Random(f"target {case}").choice([60, 200, 500])
        sizes = [10, 20] if number % 10 == 8 else [2, 3, 5, 7, 10, 20]
        values["hand_size"] = Random(f"hand {case}").choice(sizes)
        values["laps"] = Random(f"laps {case}").choice([1, 2, 10])
        values["hands"] = Random(f"hands {case}").choice([1, 2, 4])
        ruleset = msgspec.structs.replace(ruleset, **values)
        # Rules without catching may have such waits, too; the recorded games predate that.
        if validate(ruleset, seats) is None and ruleset.uno_catch_ms <= ruleset.uno_hold_ms:
            return ruleset, seats


def _rules_of(case: str) -> tuple[Ruleset, int]:
    kind, number = case.rsplit("-", 1)
    return random_rules(int(number)) if kind == "random" else (PRESETS[kind], int(number))


def _cases() -> Iterator[str]:
    """Yield presets with few seats before those with many, and random rules in between."""
    presets = (
        f"{name}-{seats}"
        for seats in range(2, 11)
        for name, ruleset in PRESETS.items()
        if validate(ruleset, seats) is None
    )
    numbers = iter(range(RANDOM_RULES))
    for preset, number in zip(presets, numbers, strict=False):
        yield from (preset, f"random-{number}")
    yield from (f"random-{number}" for number in numbers)


class _Game:
    """A match that is played and recorded."""

    def __init__(self, case: str) -> None:
        self.case = case
        self.ruleset, self.seats = _rules_of(case)
        self.chance = Random(f"acts {case}")
        self.cards = Random(f"cards {case}")
        self.words = Wordings()
        self.hoards = case.endswith("8")
        """Whether players mostly draw or keep, so that the draw pile is soon empty."""
        self.match = Match(self.ruleset, self.seats)
        self.bots: dict[tuple[str, Seat], Player] = {
            (name, seat): STRATEGIES[name](Random(f"{name} {seat} {case}"))
            for name in RECORDED_STRATEGIES
            for seat in range(self.seats)
        }

    def lines(self) -> Iterator[str]:
        """Yield all lines in order."""
        yield text(self.ruleset)
        yield f"{self.seats} {text(self.match.public_state())}"
        for name in RECORDED_SETTINGS:
            played = is_played(name, self.ruleset)
            yield f"{name} {matters(name, self.ruleset, self.seats)} {played}"
        yield f"{text(changes(self.ruleset))} {text(checked_at_audit(self.ruleset))}"
        yield from map(text, rulebook(self.ruleset, self.seats))
        for number in range(ROUNDS + 1):
            plan = self.match.next()
            yield text(plan)
            if plan is None:
                break
            if plan.kind is RoundKind.DEALER:
                yield from self._choose_dealer(plan)
            else:
                yield from self._round(plan)
            yield text(self.match.public_state())
            yield from self._between(number)

    def _choose_dealer(self, plan: RoundPlan) -> Iterator[str]:
        game = DealerRound(self.ruleset, plan.seats)
        yield self.words.events(SimulatedDealer(game, self.cards).start())
        yield text(self.match.finish(game.reveal()))

    def _between(self, number: int) -> Iterator[str]:
        """Between rounds of some matches, let a player leave and return, or expel a player."""
        if number == 1 and self.chance.random() < 0.2:
            self.match.leave(self.seats - 1)
            yield f"away {text(self.match.public_state())} {text(self.match.next())}"
            self.match.come_back(self.seats - 1)
        if number == 2 and self.chance.random() < 0.2:
            yield f"out {text(self.match.expel(0))} {text(self.match.public_state())}"

    def _round(self, plan: RoundPlan) -> Iterator[str]:
        assert plan.dealer is not None
        game = Round(self.ruleset, plan.seats, plan.dealer)
        table = SimulatedDealer(game, self.cards)
        yield from self._refusals(game, table)
        yield self.words.events(table.start())
        for move in range(MOVES):
            if game.over:
                break
            acts: list[tuple[Seat, Action]] = []
            wanted: list[tuple[Seat, Action]] = []
            for seat in (*game.seats, None):
                seen = view(self.match, game, seat, {} if seat is None else table.known[seat])
                yield f"{seat} {self.words.view(seen)}"
                if seat is not None:
                    acts += [(seat, action) for action in seen.legal]
                    chosen = self._chosen(seat, seen)
                    wanted += [(seat, each) for each in chosen if each is not None]
                    yield self.words.of(chosen)
            yield text(game.public_state())
            if move % 16 == 5:
                yield from self._refusals(game, table)
            events = self._go_on(game, move, acts, wanted)
            if move % 4 == 0 and (game.shuffle is not None or game.opens):
                yield from self._refusals(game, table)
            yield self.words.events(table.serve(events))
        else:
            for seat in game.seats[1:]:
                yield self.words.events(table.serve(game.drop(seat)))
        if not game.over:
            yield text(self.match.void())
            return
        yield from self._refusals(game, table)
        result = game.reveal(table.cards)
        yield text(result)
        yield text(self.match.finish(result))

    def _chosen(self, seat: Seat, seen: SeatView) -> tuple[Action | None, ...]:
        """Return the act that each strategy chooses at this seat."""
        if not seen.legal:
            return ()
        return tuple([self.bots[name, seat].choose(seen) for name in RECORDED_STRATEGIES])

    def _go_on(
        self,
        game: Round,
        move: int,
        acts: list[tuple[Seat, Action]],
        wanted: list[tuple[Seat, Action]],
    ) -> list[GameEvent]:
        """Do one act, without serving what the table owes after it."""
        luck = self.chance.random()
        if luck < 0.002:
            return game.drop(self.chance.choice(game.seats))
        if game.accusation is not None and luck < 0.2:
            return game.settle(Matter.VOTE)
        if game.stage is RoundPhase.OBJECTION and (luck < 0.5 or not acts):
            return game.settle(Matter.CARD)
        if luck > 0.98 and game.decider is not None:
            return game.act(game.decider, game.clock_action())
        drawing = [each for each in acts if isinstance(each[1], Draw | Keep)]
        if self.hoards and drawing and luck < 0.9:
            return game.act(*drawing[0])
        deciding = [each for each in wanted if each[0] == game.decider]
        if deciding and move > EARNEST and luck < 0.9:
            return game.act(*deciding[0])
        if wanted and luck < 0.75:
            return game.act(*self.chance.choice(wanted))
        return game.act(*self._any(acts))

    def _any(self, acts: list[tuple[Seat, Action]]) -> tuple[Seat, Action]:
        """Choose with equal chances for each kind of act, but prefer acts that advance the turn."""
        answering = [each for each in acts if not isinstance(each[1], ANY_TIME)]
        some = answering if answering and self.chance.random() < 0.7 else acts
        kinds = list(dict.fromkeys(type(action) for _, action in some))
        kind = self.chance.choice(kinds)
        return self.chance.choice([each for each in some if type(each[1]) is kind])

    def _refusals(self, game: Round, table: SimulatedDealer) -> Iterator[str]:
        """Yield the refusals of right and wrong acts of every kind, with and without the cards."""
        for seat in dict.fromkeys([game.decider, game.seats[0], game.dealt_seats[-1], 10]):
            if seat is None:
                continue
            said: list[str] = []
            for action in _thinkable(game, table, seat):
                why = [game.refusal(seat, action, known) for known in ({}, table.cards)]
                said.append("/".join(str(each and each.value) for each in why))
            yield f"{seat} {' '.join(said)}"


def _thinkable(game: Round, table: SimulatedDealer, seat: Seat) -> Iterator[Action]:
    own = list(game.hands.get(seat, ()))
    others = [slot for hand in game.hands.values() for slot in hand if slot not in own][:1]
    for slot in own[:12] + others:
        for colour in (None, 0, 3, 4):
            for uno in (False, True):
                yield Play(slot, table.cards[slot], colour, uno)
        yield Play(slot, (table.cards[slot] + 1) % game.deck.size)
    yield Play(own[0] if own else 0, game.deck.size)
    for kind in (Draw, Keep, SayUno, Accept, Challenge, Show, RefuseShow, Object, OpenHand):
        yield kind()
    yield from (RefuseVerdict(), Verdict(False), Verdict(True), Vote(False), Vote(True))
    yield from (NameColour(colour) for colour in (-1, 0, 4))
    for other in (*game.dealt_seats, 10):
        yield from (Catch(other), Swap(other), Accuse(other))


GAMES = Golden(
    "games",
    tuple(_cases()),
    lambda case: _Game(case).lines(),
    tested=56,
)


def _simulated(case: str) -> Iterator[str]:
    ruleset, seats = _rules_of(case)
    for rotation in range(len(RECORDED_STRATEGIES)):
        names = [
            RECORDED_STRATEGIES[(seat + rotation) % len(RECORDED_STRATEGIES)]
            for seat in range(seats)
        ]
        for tally in Simulation(ruleset, seats, rotation, names).play(8):
            yield text(tally)


SIMULATIONS = Golden(
    "simulations",
    (
        *(f"{name}-{min(ruleset.seats_max, 6)}" for name, ruleset in PRESETS.items()),
        *(f"random-{number}" for number in range(100)),
    ),
    _simulated,
    tested=len(PRESETS),
)
"""The statistics of matches between bots."""


def _around(name: str, usual: object) -> list[object]:
    """Return values of a setting inside and outside the permitted range."""
    setting = SETTINGS[name]
    if setting.choices:
        return [-1, *setting.choices, 1 + max(setting.choices)]
    if setting.bounds is not None:
        low, high = setting.bounds
        return [low - 1, low, usual, high, high + 1]
    return list(setting.values)


def _settings(case: str) -> Iterator[str]:
    """Yield the response to every changed setting of a preset, and the effects of the change."""
    preset = PRESETS[case]
    yield text(preset)
    for name in RECORDED_SETTINGS:
        for value in _around(name, getattr(preset, name)):
            ruleset: Ruleset = msgspec.structs.replace(preset, **{name: value})
            said = [validate(ruleset, seats) for seats in range(1, 12)]
            yield f"{name} {text(value)} {text(said)} {text(changes(ruleset))}"
            yield text(checked_at_audit(ruleset))
            for other in RECORDED_SETTINGS:
                known = (is_played(other, ruleset), matters(other, ruleset, 2))
                yield f"{other} {known} {matters(other, ruleset, 4)}"


RULE_SETTINGS = Golden("settings", tuple(PRESETS), _settings, tested=len(PRESETS))
"""The settings that can be played, and those that make a difference."""
