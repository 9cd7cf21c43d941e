"""The clock on the screen is full and does not run while a round is dealt, as in the log."""

from __future__ import annotations

import time

import pytest

from lanuno.app.controllers.application import Application
from lanuno.client.events import TableUpdated
from lanuno.client.observed_state import Clock, ObservedState, update_clock
from lanuno.log.replay.replay import Replay
from lanuno.log.replay.times import DEAL_MS
from lanuno.rules.engine.round import Round
from tests.app.pictures.tables import Simulated
from tests.harness.host_and_seats.table_sim import TableSim


@pytest.fixture
def dealt() -> Replay:
    """The host's replay of a table at its first decision."""
    sim = TableSim(2, 1)

    def asked() -> bool:
        return sim.host_role is not None and sim.host_role.replay.times.open_decision is not None

    sim.run_until(asked)
    assert sim.host_role is not None
    return sim.host_role.replay


def test_the_clock_of_the_first_turn_begins_when_the_cards_are_dealt(dealt: Replay) -> None:
    asked = dealt.times.open_decision
    assert asked is not None
    state = update_clock(ObservedState(), dealt.times, 500.0)
    assert state.clock == Clock(asked.seat, 61.0, 500.0 + DEAL_MS / 1000)
    assert update_clock(state, dealt.times, 501.0) == state
    assert dealt.round is not None
    engine = dealt.round.engine
    assert isinstance(engine, Round)
    engine.decision += 1
    dealt.times.ms += DEAL_MS
    dealt.times.update(dealt.round, dealt.seq)
    state = update_clock(state, dealt.times, 501.0)
    assert state.clock == Clock(asked.seat, 61.0, 501.0)
    dealt.times.update(None, dealt.seq)
    assert update_clock(state, dealt.times, 501.0).clock is None


@pytest.mark.parametrize(("since", "left"), [(3600.0, 60.0), (-60.5, 0.0)])
def test_the_clock_is_full_until_it_begins_and_empty_after_its_end(
    app: Application, since: float, left: float
) -> None:
    """A clock that begins in an hour shows its full time; a clock that has run out shows 0."""
    table = Simulated(3)
    snapshot = table.snapshot(clock=Clock(0, 60.0, time.monotonic() + since))
    app.table_controller.show(TableUpdated(snapshot, (), 0.0))
    assert app.table_controller.property("clockLeft") == left
