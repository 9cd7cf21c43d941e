"""A table in the middle of a round whose clocks a test queries directly."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from lanuno.log.format import bodies
from lanuno.log.format.bodies import Body
from lanuno.log.replay.replay import Replay
from lanuno.log.round.round_record import KeyNeed, ProtocolPhase
from lanuno.rules.engine.actions import Action
from lanuno.rules.engine.round import Round
from lanuno.rules.ruleset import Ruleset
from lanuno.table.host.clocks import Clocks, Pace
from lanuno.table.host.finality import Finality
from tests.harness.host_and_seats.table_sim import TableSim


class PausedClocks:
    """A table in the middle of a round, all of it final, and its clocks."""

    def __init__(self, ruleset: Ruleset | None = None) -> None:
        self.sim = TableSim(3, 1, ruleset)
        self.sim.run_until(self._playing)
        for peer in self.sim.peers:
            peer.awake = False
        assert self.sim.host_role is not None
        self.replay: Replay = self.sim.host_role.replay
        self.finality = Finality(self.replay)
        self.acknowledge()
        self.clocks = Clocks(self.replay, Pace(), self.finality)
        self.now = 0.0
        self.look(0.0)

    def look(self, now: float) -> None:
        """Update the clocks after a test has changed the table by hand."""
        self.now = now
        self.replay.times.update(self.replay.round, self.replay.seq - 1)
        self.clocks.update(now)

    def _playing(self) -> bool:
        current = None if self.sim.host_role is None else self.sim.host_role.replay.round
        if current is None or current.phase is not ProtocolPhase.PLAY or current.needs:
            return False
        return isinstance(current.engine, Round) and current.engine.decider is not None

    def acknowledge(self, *seats: int) -> None:
        for seat in seats or (0, 1, 2):
            self.finality.acknowledge(seat, self.replay.seq)

    @property
    def game(self) -> Round:
        assert self.replay.round is not None
        assert isinstance(self.replay.round.engine, Round)
        return self.replay.round.engine

    @property
    def decider(self) -> int:
        assert self.game.decider is not None
        return self.game.decider

    @contextmanager
    def owing(self, seat: int, to: int) -> Iterator[None]:
        """Let a seat owe its keys for another seat's cards."""
        assert self.replay.round is not None
        self.replay.round.needs[999] = KeyNeed(999, (1,), to, {seat})
        yield
        del self.replay.round.needs[999]

    def body(self, action: Action, author: int = 0) -> Body:
        payload = bodies.Act(self.game.decision, action, b"")
        return Body(self.replay.table_id, 1, author, 0, self.replay.head, payload)
