"""Logs that are played once and read by many tests. No test may change them; fork them instead."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lanuno.rules.ruleset import Format, Ruleset
from tests.harness.log_table.log_table import LogTable, new_table
from tests.harness.node_world.repeatable import arithmetic_once

SINGLE = Ruleset(hand_size=2, format=Format.SINGLE)
"""The match is over after one round of play."""


@pytest.fixture(scope="session")
def played() -> LogTable:
    """Two players: the dealer round and a round of play, closed by the host."""
    return new_table(2).run()


@pytest.fixture(scope="session")
def finished() -> LogTable:
    """Three players and a match with a winner."""
    return new_table(3, SINGLE, salt=1).run()


@pytest.fixture(scope="session")
def escrowed() -> LogTable:
    """Four players, whose seeds are in escrow."""
    return new_table(4, SINGLE, salt=2).run()


@pytest.fixture(scope="module", autouse=True)
def _each_calculation_once() -> Iterator[None]:
    """Keep the results of arithmetic: the tests of a module audit the same bytes many times."""
    with arithmetic_once():
        yield
