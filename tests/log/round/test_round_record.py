"""Queries on a round: shares and their receivers, missing steps, and revealed seeds."""

from __future__ import annotations

from collections.abc import Mapping

from tests.harness.log_table.log_table import LogTable, new_table


def opened(players: int = 2, bots: Mapping[int, int] | None = None) -> LogTable:
    """Return a table whose first round is open."""
    table = new_table(players, bots=bots)
    table.step()
    return table


def test_three_owners_split_nothing() -> None:
    assert not opened(3).log.escrowed
    assert not opened(5, bots={3: 0, 4: 1}).log.escrowed
    assert opened(4).log.escrowed


def test_a_share_for_every_other_owner_and_none_for_ones_own_bots() -> None:
    table = opened(6, bots={4: 0, 5: 1})
    log = table.log
    assert [log.share_receivers(seat) for seat in range(6)] == [
        (1, 2, 3),
        (0, 2, 3),
        (0, 1, 3),
        (0, 1, 2),
        (1, 2, 3),
        (0, 2, 3),
    ]


def test_an_owner_that_does_not_play_is_stood_for_by_its_first_bot() -> None:
    table = opened(6, bots={4: 0, 5: 0})
    log = table.log
    log.order = (1, 2, 3, 4, 5)
    assert [log.share_receivers(seat) for seat in log.order] == [
        (2, 3, 4),
        (1, 3, 4),
        (1, 2, 4),
        (1, 2, 3),
        (1, 2, 3),
    ]


def test_a_seat_has_the_box_keys_of_those_that_give_it_a_share() -> None:
    table = opened(6, bots={4: 0, 5: 1})
    givers = [table.log.givers(seat) for seat in range(6)]
    assert givers == [(1, 2, 3, 5), (0, 2, 3, 4), (0, 1, 3, 4, 5), (0, 1, 2, 4, 5), (), ()]
    for seat in range(6):
        table.add(seat, table.commit(seat))
    log = table.log
    for seat, some in enumerate(givers):
        for giver in some:
            assert log.box_of(seat, giver) == table.view_secrets(seat).box_key(giver)
