"""Any payload with a right signature is either refused without a trace or applied and judged."""

from __future__ import annotations

from random import Random

import pytest

from lanuno.dealing.deal import StepKind
from lanuno.log.format import bodies
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.ruleset import DrawRule, Format, Manners, Ruleset, WildFour
from tests.harness.adversaries.lying_authors import LyingAuthors, audited
from tests.harness.log_table.log_table import LogTable, new_table
from tests.harness.log_table.moments import starting_with_four

RULES = (
    Ruleset(hand_size=2),
    Ruleset(hand_size=3, seven_zero=True),
    Ruleset(hand_size=3, manners=Manners.HONOUR, advice=True),
    Ruleset(hand_size=4, wild_four=WildFour.STRICT, draw=DrawRule.STUCK),
    Ruleset(hand_size=20, jump_in=True, stack_cross=True),
    Ruleset(hand_size=2, format=Format.SINGLE, deck=112),
)


def liars_at(seed: int) -> LyingAuthors:
    """Return two to five players, one to three of whom lie."""
    chance = Random(seed)
    players = chance.choice((2, 3, 4, 4, 4, 5))
    rules = chance.choice([each for each in RULES if not each.advice or players > 2])
    table = new_table(players, rules, salt=seed, rounds=2, host=chance.randrange(players))
    others = chance.sample(range(players), chance.randrange(players - 1))
    return LyingAuthors(table, set(others), seed)


@pytest.mark.parametrize("seed", range(12))
def test_lies_with_right_signatures_break_nothing(seed: int) -> None:
    liars = liars_at(seed)
    liars.run()
    audited(liars)


@pytest.fixture(scope="module")
def locking() -> LogTable:
    """The last seat locks; then a Wild Draw Four returns among locked slots."""

    def due(table: LogTable) -> bool:
        deal = table.log.deal
        return deal is not None and deal.expected == (StepKind.LOCK, 3)

    return starting_with_four(4).run(due)


@pytest.fixture(scope="module")
def revealing() -> LogTable:
    """All cards are played, and every seat owes its seeds."""
    return new_table(5, salt=2).run(
        lambda table: table.replay.number == 1 and table.log.phase is ProtocolPhase.REVEAL
    )


@pytest.mark.parametrize("seed", range(24))
def test_lies_about_locked_slots_break_nothing(locking: LogTable, seed: int) -> None:
    liars = LyingAuthors(locking.fork(), {0, 3}, seed)
    liars.kind, liars.losses = bodies.Pass, 1
    liars.run(90)
    audited(liars)


@pytest.mark.parametrize("seed", range(10))
def test_lies_about_seeds_break_nothing(revealing: LogTable, seed: int) -> None:
    liars = LyingAuthors(revealing.fork(), {Random(seed).randrange(1, 5)}, seed)
    liars.kind, liars.drops, liars.losses, liars.takes = bodies.Reveal, 0.1, 2, 0.2
    liars.run(150)
    audited(liars)
