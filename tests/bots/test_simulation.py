"""Whole matches on the engine alone: every valid ruleset can be played to the end."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from lanuno.bots import simulation as module
from lanuno.bots.player import Player
from lanuno.bots.sensible import SensiblePlayer
from lanuno.bots.simulation import Simulation, SimulationError, Tally
from lanuno.bots.strategies import STRATEGIES
from lanuno.rules.engine.actions import Action, Catch, Draw, Keep, Play, SayUno
from lanuno.rules.engine.house_rules.registry import HOUSE_RULES
from lanuno.rules.presets import PRESETS
from lanuno.rules.rulebook.scope import playable_seats
from lanuno.rules.ruleset import Manners, Ruleset, UnoRule
from lanuno.rules.validation import SettingError, SettingProblem, validate
from lanuno.rules.view import SeatView
from tests.harness.rounds.any_rules import any_ruleset

GAMES = [(name, seats) for name in PRESETS for seats in playable_seats(PRESETS[name])]
SAMPLES = 12
SAMPLE_SIZE = 30


def played(
    ruleset: Ruleset, seats: int, rounds: int, seed: int = 1, players: list[str] | None = None
) -> Tally:
    simulation = Simulation(ruleset, seats, seed, players)
    for _ in simulation.play(rounds):
        pass
    return simulation.tally


@pytest.mark.parametrize(("preset", "seats"), GAMES)
def test_fifty_rounds_of_every_preset_with_every_number_of_players(preset: str, seats: int) -> None:
    tally = played(PRESETS[preset], seats, 50)
    assert tally.rounds == 50
    assert sum(tally.rounds_won) >= 50 - tally.blocked
    assert tally.moves > 50 * 5
    assert tally.uno_caught <= tally.uno_missed


@pytest.mark.parametrize("sample", range(SAMPLES))
def test_every_valid_ruleset_can_be_played_to_the_end(sample: int) -> None:
    """The rulesets are random, and every act is judged with all hands known."""
    done = 0
    for seed in range(sample * SAMPLE_SIZE, (sample + 1) * SAMPLE_SIZE):
        chance = Random(seed)
        ruleset, seats = any_ruleset(chance), chance.randint(2, 10)
        if validate(ruleset, seats) is None:
            assert played(ruleset, seats, 2, seed).rounds == 2
            done += 1
    assert done


@pytest.mark.parametrize("deck", [108, 112])
@pytest.mark.parametrize("seats", range(2, 11))
def test_the_largest_hands_can_be_dealt_and_played(deck: int, seats: int) -> None:
    largest = min(20, (deck - 5) // seats)
    ruleset = Ruleset(deck=deck, hand_size=largest)
    assert validate(ruleset, seats) is None
    assert played(ruleset, seats, 5).rounds == 5
    more = validate(msgspec.structs.replace(ruleset, hand_size=largest + 1), seats)
    bound = SettingError("hand_size", SettingProblem.TOO_HIGH, 20)
    share = SettingError("hand_size", SettingProblem.CONFLICT, largest, "seats")
    assert more == (bound if largest == 20 else share)


@pytest.mark.parametrize("seats", [2, 3, 6])
@pytest.mark.parametrize("name", HOUSE_RULES)
def test_every_house_rule(name: str, seats: int) -> None:
    ruleset = msgspec.structs.replace(Ruleset(), **{name: True})
    assert played(ruleset, seats, 10).rounds == 10


@pytest.mark.parametrize("manners", Manners)
@pytest.mark.parametrize("seats", [3, 5])
def test_all_house_rules_at_once(seats: int, manners: Manners) -> None:
    changes = {"manners": manners, "advice": True} | dict.fromkeys(HOUSE_RULES, True)
    ruleset = msgspec.structs.replace(Ruleset(), **changes)
    assert played(ruleset, seats, 10).rounds == 10


def test_wrong_cards_are_laid_and_objected_to() -> None:
    assert played(Ruleset(manners=Manners.HONOUR), 4, 20).objections > 0
    assert played(Ruleset(), 4, 20).objections == 0


def test_advice_is_accused_and_voted_on() -> None:
    # A majority of yes needs random votes: sensible bots do not vote, which counts as a no.
    tally = played(Ruleset(advice=True), 4, 10, players=["random"] * 3 + ["reckless"])
    assert tally.advice_punished > 0
    assert tally.advice_forgiven > 0


def test_challenges_are_won_and_lost_and_silence_is_caught() -> None:
    tally = played(Ruleset(), 4, 60)
    assert tally.challenges_won > 0
    assert tally.challenges_lost > 0
    assert tally.uno_caught > 0
    assert tally.reshuffles > 0


def test_the_same_seed_gives_the_same_games() -> None:
    ruleset = Ruleset(jump_in=True, seven_zero=True, manners=Manners.HONOUR, advice=True)
    first = played(ruleset, 5, 6, seed=3)
    assert first == played(ruleset, 5, 6, seed=3)
    assert first != played(ruleset, 5, 6, seed=4)


def test_the_tally_grows_round_by_round() -> None:
    simulation = Simulation(Ruleset(), 3, 1)
    seen = list(simulation.play(3))
    assert [tally.rounds for tally in seen] == [1, 2, 3]
    assert [tally.moves for tally in seen] == sorted(tally.moves for tally in seen)
    assert seen[-1] == simulation.tally
    assert max(tally.longest for tally in seen) == seen[-1].longest


def test_a_sensible_player_beats_chance() -> None:
    tally = played(Ruleset(), 2, 60, players=["sensible", "random"])
    assert tally.rounds_won[0] > 2 * tally.rounds_won[1]
    assert tally.wins[0] > tally.wins[1]


# Bots that play badly.


class Sleeper:
    """A bot that never acts."""

    def choose(self, seen: SeatView) -> Action | None:
        return None


class Cheat:
    """A bot that lays a card it does not hold."""

    def choose(self, seen: SeatView) -> Action | None:
        return Play(slot=-5, card=0) if seen.seat == seen.decider else None


def with_player(monkeypatch: pytest.MonkeyPatch, player: type[Player]) -> None:
    monkeypatch.setitem(STRATEGIES, "odd", lambda _chance: player())


def test_the_clock_plays_for_a_player_who_does_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with_player(monkeypatch, Sleeper)
    tally = played(Ruleset(seven_zero=True), 3, 10, players=["odd", "sensible", "sensible"])
    assert tally.rounds_won[0] == 0
    assert tally.rounds == 10


def test_an_illegal_choice_is_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    with_player(monkeypatch, Cheat)
    with pytest.raises(SimulationError, match="odd chose an illegal act"):
        played(Ruleset(), 2, 1, players=["odd", "sensible"])


def test_a_round_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_ROUND_ACTS", 3)
    with pytest.raises(SimulationError, match="does not end"):
        played(Ruleset(), 4, 1)


class Mute:
    """A sensible bot that never says anything out of turn."""

    def __init__(self) -> None:
        self._player = SensiblePlayer(Random(1))

    def choose(self, seen: SeatView) -> Action | None:
        said = [
            action
            for action in seen.legal
            if not isinstance(action, SayUno | Catch)
            and not (isinstance(action, Play) and action.uno)
        ]
        return self._player.choose(msgspec.structs.replace(seen, legal=tuple(said)))


def test_mute_bots_are_punished_only_by_the_automatic_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    with_player(monkeypatch, Mute)
    tally = played(Ruleset(), 3, 10, players=["odd"] * 3)
    assert tally.uno_missed > 0
    assert tally.uno_caught == 0
    # If a missing "UNO" is always punished, the bots that forget it do not win.
    tally = played(Ruleset(uno=UnoRule.AUTOMATIC), 3, 10, players=["odd", "odd", "sensible"])
    assert tally.uno_missed == tally.uno_caught > 0
    assert tally.rounds_won == (0, 0, 10)


class Hoarder:
    """A bot that draws and keeps as long as it may."""

    def choose(self, seen: SeatView) -> Action | None:
        kept = [action for action in seen.legal if isinstance(action, Draw | Keep)]
        return kept[0] if kept else next(iter(seen.legal), None)


def test_hoarders_have_to_play_when_nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of hoarders ends only by the laps, and a single hoarder loses."""
    with_player(monkeypatch, Hoarder)
    laps = msgspec.structs.replace(PRESETS["masters-short"], laps=99)
    assert played(laps, 3, 2, players=["odd"] * 3).rounds == 2
    tally = played(Ruleset(), 3, 5, players=["odd", "sensible", "cautious"])
    assert tally.rounds_won[0] == 0
