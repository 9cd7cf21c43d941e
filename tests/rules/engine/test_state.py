"""The fields of a round and their canonical form."""

from __future__ import annotations

import pytest

from lanuno.rules.cards import Colour
from lanuno.rules.engine.actions import Draw
from lanuno.rules.engine.round import Round
from lanuno.rules.engine.state import Accusation, Laid
from lanuno.rules.presets import CLASSIC, MASTERS_SHORT
from tests.rules.engine.small_tables import lay, small_table


@pytest.mark.parametrize(
    ("playing", "left", "right"),
    [
        ((0, 1, 2, 3), {0: 1, 1: 2, 2: 3, 3: 0}, {0: 3, 1: 0, 2: 1, 3: 2}),
        ((0, 2, 3), {0: 2, 1: 2, 2: 3, 3: 0}, {0: 3, 1: 0, 2: 0, 3: 2}),
        ((1, 3), {0: 1, 1: 3, 2: 3, 3: 1}, {0: 3, 1: 3, 2: 1, 3: 1}),
    ],
)
def test_every_dealt_seat_has_neighbours_that_still_play(
    playing: tuple[int, ...], left: dict[int, int], right: dict[int, int]
) -> None:
    game = Round(CLASSIC, (0, 1, 2, 3), 0)
    game.set_seats(playing)
    assert (game.seats, game.left_of, game.right_of) == (playing, left, right)


def test_only_the_short_game_limits_the_turns() -> None:
    assert Round(CLASSIC, (0, 1, 2), 0).turn_limit == 0
    assert Round(MASTERS_SHORT, (0, 1, 2), 0).turn_limit == 30


def test_every_step_of_a_challenge_changes_the_public_state() -> None:
    table = small_table({0: "w4 r1 b2"})
    states = [table.round.public_state()]
    lay(table, 0, "w4", Colour.BLUE)
    states.append(table.round.public_state())
    while len(states) < 5:
        seat = table.round.decider
        assert seat is not None
        table.act(seat, table.round.legal(seat, table.known_to(seat))[-1])
        states.append(table.round.public_state())
    assert len(set(states)) == len(states)


def test_equal_rounds_have_equal_public_states() -> None:
    first, second = (small_table(pile="r9") for _ in range(2))
    assert first.round.public_state() == second.round.public_state()
    first.act(0, Draw())
    assert first.round.public_state() != second.round.public_state()
    second.act(0, Draw())
    assert first.round.public_state() == second.round.public_state()


def test_the_votes_of_an_accusation_are_ordered_by_seat() -> None:
    accusation = Accusation(2, 1, {3: False, 1: True})
    assert accusation.public_state() == (2, 1, ((1, True), (3, False)))


def test_a_card_on_trial_is_public_with_what_it_covers() -> None:
    game = Round(CLASSIC, (0, 1, 2), 0)
    game.laid = Laid(1, 5, 13, True, (0, 2, 1, False))
    assert (1, 5, 13, True, (0, 2, 1, False)) in game.public_state()
