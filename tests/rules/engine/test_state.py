"""The fields of a round, their copy and their canonical form."""

from __future__ import annotations

from lanuno.rules.engine.round import Round
from lanuno.rules.engine.state import Accusation, RoundState
from lanuno.rules.ruleset import Ruleset


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
