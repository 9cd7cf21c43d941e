"""The clock on the screen while a round is dealt: full, and standing, as the log has it."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import cast

import pytest

from lanuno.app.controllers.application import Application
from lanuno.app.worker.follower import Follower, Seen
from lanuno.app.worker.snapshot import Clock
from lanuno.log.replay import Replay
from lanuno.log.times import DEAL_MS
from lanuno.net.member_driver import MemberDriver
from lanuno.rules.engine import Round
from tests.app.pictures.tables import Simulated
from tests.harness.host_and_seats.table_sim import TableSim


@pytest.fixture
def dealt() -> Replay:
    """A table at its first decision."""
    sim = TableSim(2, 1)

    def asked() -> bool:
        return sim.sequencer is not None and sim.sequencer.replay.times.asked is not None

    sim.run_until(asked)
    assert sim.sequencer is not None
    return sim.sequencer.replay


def clock_of(follower: Follower, replay: Replay, now: float) -> Clock | None:
    driver = SimpleNamespace(member=SimpleNamespace(replay=replay))
    follower._look_at_clock(cast("MemberDriver", driver), now)
    return follower._facts.clock


def test_the_clock_of_the_first_turn_begins_when_the_cards_are_dealt(dealt: Replay) -> None:
    follower = Follower(lambda _told: None, lambda: None)
    asked = dealt.times.asked
    assert asked is not None
    assert clock_of(follower, dealt, 500.0) == Clock(asked.seat, 61.0, 500.0 + DEAL_MS / 1000)
    assert clock_of(follower, dealt, 501.0) == Clock(asked.seat, 61.0, 500.0 + DEAL_MS / 1000)
    assert dealt.round is not None
    engine = dealt.round.engine
    assert isinstance(engine, Round)
    engine.decision += 1
    dealt.times.ms += DEAL_MS
    dealt.times.look(dealt.round, dealt.seq)
    assert clock_of(follower, dealt, 501.0) == Clock(asked.seat, 61.0, 501.0)
    dealt.times.look(None, dealt.seq)
    assert clock_of(follower, dealt, 501.0) is None


@pytest.mark.parametrize(("since", "left"), [(3600.0, 60.0), (-60.5, 0.0)])
def test_it_stands_until_then(desk: Application, since: float, left: float) -> None:
    """An hour ahead, so that no test is too slow for it."""
    table = Simulated(3)
    shot = table.shot(clock=Clock(0, 60.0, time.monotonic() + since))
    desk.table_screen.show(Seen(shot, (), 0.0))
    assert desk.table_screen.property("clockLeft") == left
