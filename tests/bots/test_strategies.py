"""Bots of all strategies: what each never does, and that all their acts are legal."""

from __future__ import annotations

from random import Random

import pytest

from lanuno.bots.player import answering_acts, is_bluff, is_rightful
from lanuno.bots.sensible import SensiblePlayer
from lanuno.bots.strategies import STRATEGIES, CautiousPlayer, RecklessPlayer
from lanuno.rules.engine.actions import ANY_TIME, Accept, Accuse, Challenge, Object, Play, Vote
from lanuno.rules.engine.state import RoundPhase
from tests.bots.random_views import EVERYWHERE


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_player_chooses_legal_acts_and_answers_when_asked(name: str) -> None:
    player = STRATEGIES[name](Random(1))
    for seen in EVERYWHERE:
        action = player.choose(seen)
        assert action is None or action in seen.legal
        if seen.decider == seen.seat:
            assert action is not None or any(isinstance(each, ANY_TIME) for each in seen.legal)


@pytest.mark.parametrize("name", STRATEGIES)
def test_the_same_chance_makes_the_same_choices(name: str) -> None:
    first, second = STRATEGIES[name](Random(5)), STRATEGIES[name](Random(5))
    assert [first.choose(seen) for seen in EVERYWHERE] == [
        second.choose(seen) for seen in EVERYWHERE
    ]


def test_the_sensible_player_lays_no_wrong_card_and_objects_to_those_of_others() -> None:
    player = SensiblePlayer(Random(1))
    objections = 0
    for seen in EVERYWHERE:
        action = player.choose(seen)
        assert not isinstance(action, Vote | Accuse)
        if isinstance(action, Play):
            assert is_rightful(seen, action)
        if any(isinstance(each, Object) for each in seen.legal):
            assert isinstance(action, Object)
            objections += 1
    assert objections


def test_the_sensible_player_jumps_in() -> None:
    player = SensiblePlayer(Random(1))
    chances = [
        seen
        for seen in EVERYWHERE
        if seen.decider != seen.seat and any(isinstance(each, Play) for each in seen.legal)
    ]
    assert chances
    assert all(
        isinstance(player.choose(seen), Play)
        for seen in chances
        if seen.uno_owed is None and seen.phase is RoundPhase.TURN
    )


def test_the_cautious_player_neither_bluffs_nor_challenges() -> None:
    player = CautiousPlayer(Random(1))
    doubtful = 0
    for seen in EVERYWHERE:
        action = player.choose(seen)
        assert not isinstance(action, Challenge)
        other = [each for each in answering_acts(seen) if not isinstance(each, Challenge)]
        bluffs = [each for each in other if isinstance(each, Play) and is_bluff(seen, each)]
        doubtful += bool(bluffs)
        if isinstance(action, Play) and is_bluff(seen, action):
            assert len(bluffs) == len(other)
    assert doubtful


def test_the_reckless_player_always_challenges_and_often_errs() -> None:
    player = RecklessPlayer(Random(1))
    wrong = accused = silent = 0
    for seen in EVERYWHERE:
        action = player.choose(seen)
        if any(isinstance(each, Challenge) for each in seen.legal):
            assert not isinstance(action, Accept)
        accused += isinstance(action, Accuse)
        if isinstance(action, Play):
            wrong += not is_rightful(seen, action)
            silent += len(seen.hand) == 2 and not action.uno
    assert wrong
    assert accused
    assert silent
