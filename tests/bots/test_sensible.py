"""The sensible bot in rare situations."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from lanuno.bots.sensible import SensiblePlayer
from lanuno.rules.engine.actions import Accept, Challenge
from lanuno.rules.engine.round import Round
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.view import SeatView, view
from tests.harness.host_and_seats.small_table import SmallTable, turns


def _asked() -> SeatView:
    replay = SmallTable(3, 1).run(turns(1)).host_role.replay
    current = replay.round
    assert current is not None
    assert isinstance(current.engine, Round)
    seen = view(replay.match, current.engine, 1, {})
    return replace(seen, decider=1, phase=RoundPhase.PENALTY, legal=(Accept(), Challenge()))


@pytest.mark.parametrize("accused", [None, 0, 2, 7])
def test_the_card_of_a_player_who_left_may_be_challenged(accused: int | None) -> None:
    seen = replace(_asked(), accused=accused, challengeable=True)
    chosen = {type(SensiblePlayer(Random(seed)).choose(seen)) for seed in range(60)}
    assert chosen == {Accept, Challenge}
