"""Logs that are played once and read by many tests; nobody may change them (fork them instead)."""

from __future__ import annotations

import pytest

from lanuno.rules.ruleset import Format, Ruleset
from tests.harness.log_table.log_table import LogTable, new_table

SINGLE = Ruleset(hand_size=2, format=Format.SINGLE)
"""One round of play and the match is over."""


@pytest.fixture(scope="session")
def played() -> LogTable:
    """Two players: the round for the dealer, a round of play, closed by its host."""
    return new_table(2).run()


@pytest.fixture(scope="session")
def finished() -> LogTable:
    """Three players and a match that has a winner."""
    return new_table(3, SINGLE, salt=1).run()


@pytest.fixture(scope="session")
def escrowed() -> LogTable:
    """Four players, whose seeds are split among each other."""
    return new_table(4, SINGLE, salt=2).run()
