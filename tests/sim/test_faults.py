"""Tables at which everything goes wrong that can: a hundred seeds, and mistakes that are found."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.sim.broken import Broken
from tests.sim.faults import run
from tests.sim.planted import PLANTED, WITHIN, Planted

SEEDS = range(100)
GROUPS = 10


@pytest.mark.parametrize("group", range(GROUPS))
def test_nothing_is_lost(group: int) -> None:
    """A failing seed is in the message: `python -m tests.sim --seed S` plays it again."""
    seen: Counter[str] = Counter()
    for seed in SEEDS[group::GROUPS]:
        try:
            seen.update(run(seed).seen)
        except Exception as error:
            raise AssertionError(f"seed {seed}: {error}") from error
    assert seen["SeatDropped"] + seen["HostElected"], "this group has seen nothing go wrong"


def test_a_seed_plays_the_same_again() -> None:
    for seed in (3, 17):
        assert run(seed).digest == run(seed).digest


@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: planted.name.replace(" ", "-"))
def test_a_planted_mistake_is_found(planted: Planted) -> None:
    with planted.plant():
        for seed in range(planted.seed, planted.seed + WITHIN):
            try:
                run(seed, plan=planted.plan)
            except Broken as broken:
                if planted.found in str(broken):
                    return
    raise AssertionError("no seed found it")
