"""The deal, the draw pile, and its reshuffle."""

from __future__ import annotations

from lanuno.rules.presets import CLASSIC
from tests.harness.rounds.table_of_cards import CardTable


def test_cards_are_dealt_one_at_a_time_from_the_dealers_left() -> None:
    table = CardTable.deal(CLASSIC, 3, dealer=1, seed=1)
    assert table.round.hands == {
        2: list(range(0, 21, 3)),
        0: list(range(1, 21, 3)),
        1: list(range(2, 21, 3)),
    }
    assert list(table.round.hands) == [0, 1, 2]
