"""Tables with every kind of fault: a hundred seeds, and planted mistakes that must be found."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.harness.adversaries.generated_host import GENERATED
from tests.harness.node_world.errors import InvariantViolation
from tests.harness.node_world.faults import Plan, run
from tests.sim.planted import PLANTED, WITHIN, PlantedMistake

SEEDS = range(100)
GROUPS = 10


@pytest.mark.parametrize("group", range(GROUPS))
def test_nothing_is_lost(group: int) -> None:
    """The message names the failing seed: `python -m tests.sim --seed S` replays it."""
    seen: Counter[str] = Counter()
    for seed in SEEDS[group::GROUPS]:
        try:
            seen.update(run(seed).seen)
        except Exception as error:
            raise AssertionError(f"seed {seed}: {error}") from error
    assert seen["SeatDropped"] + seen["HostElected"], "this group has seen nothing go wrong"


MOVES = (
    "shows a fork",
    "shows a fork to several",
    "shows a list that is turned",
    "leaves no trace of a fork",
    "given up: Pass",
    "given up: with something released",
    "drops an owner on a fork",
    "is elected by its accomplices",
    "starts again",
    "forgets its last entries",
    "delays",
    "repeats a message",
    "mixes old with new",
)
"""What the generated host must have done at the tables of a few seeds."""


def test_a_host_that_does_anything_at_random_harms_nobody() -> None:
    seen: Counter[str] = Counter()
    for seed in range(2000, 2030):
        try:
            seen.update(run(seed, plan=Plan(honest=False, adversary=GENERATED)).seen)
        except Exception as error:
            raise AssertionError(f"seed {seed}, generated: {error}") from error
    assert not [move for move in MOVES if not seen[f"host: {move}"]]


def test_a_seed_plays_the_same_again() -> None:
    for seed in (3, 17):
        assert run(seed).digest == run(seed).digest


@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: planted.name.replace(" ", "-"))
def test_a_planted_mistake_is_found(planted: PlantedMistake) -> None:
    with planted.plant():
        for seed in range(planted.seed, planted.seed + WITHIN):
            try:
                run(seed, plan=planted.plan)
            except InvariantViolation as broken:
                if planted.found in str(broken):
                    return
    raise AssertionError("no seed found it")
