"""The fields of a round, their copy and their canonical form."""

from __future__ import annotations

import pytest

from lanuno.rules.cards import Colour
from lanuno.rules.engine.actions import Draw
from lanuno.rules.engine.round import Round
from lanuno.rules.engine.state import Accusation, Laid, RoundState
from lanuno.rules.presets import CLASSIC, MASTERS_SHORT
from lanuno.rules.ruleset import Ruleset
from tests.rules.engine.small_tables import lay, small_table


def test_a_copy_forgets_nothing_and_shares_nothing_that_changes() -> None:
    """Bots and the simulation search in copies, which must equal the round in every field."""
    game = Round(Ruleset(), (0, 1, 2), 0)
    for number, name in enumerate(RoundState.__slots__):
        value = getattr(game, name)
        if isinstance(value, list):
            value.append(number)
        elif isinstance(value, dict):
            value[number] = [number] if name == "hands" else number
        else:
            setattr(game, name, object())
    game.accusation = Accusation(2, 1, {1: True})
    copy = game.copy()
    for name in RoundState.__slots__:
        if name != "accusation":
            assert getattr(copy, name) == getattr(game, name), name
    assert copy.accusation is not None
    assert copy.accusation is not game.accusation
    assert copy.accusation.public_state() == game.accusation.public_state()
    assert copy.accusation.votes is not game.accusation.votes
    for name in ("hands", "discard", "agenda", "opens", "leaver_slots", "face_up", "accusers"):
        assert getattr(copy, name) is not getattr(game, name), name
    assert copy.first_owner is not game.first_owner
    assert all(copy.hands[seat] is not game.hands[seat] for seat in game.hands)


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
    before = game.copy()
    game.set_seats(playing)
    assert (game.seats, game.left_of, game.right_of) == (playing, left, right)
    assert before.left_of == {0: 1, 1: 2, 2: 3, 3: 0}


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
    copy = accusation.copy()
    copy.votes[0] = True
    assert accusation.public_state() == (2, 1, ((1, True), (3, False)))


def test_a_card_on_trial_is_public_with_what_it_covers() -> None:
    laid = Laid(1, 5, 13, True, (0, 2, 1, False))
    assert laid.public_state() == (1, 5, 13, True, (0, 2, 1, False))
