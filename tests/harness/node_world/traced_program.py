"""Simulated nodes that write traces.

The simulation calls the methods of `Node`, not `deliver`, so a stand-in for the node turns each
call into its input. Nodes of adversaries, and owners that take their seat again after leaving, use
the sessions of a node without an input, and cannot be recorded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from lanuno.log.format.genesis import Genesis
from lanuno.rules.engine.actions import Action
from lanuno.table import inputs, messages
from lanuno.table.inputs import NodeInput, deliver
from lanuno.table.node import NodeConfig
from lanuno.table.outputs import NodeOutput, SeatOutput, SyncJournal
from lanuno.table.recovery import RecoveredState
from lanuno.table.replica.seat import SeatSession
from lanuno.table.trace import Trace


class TraceLines:
    """The lines of a trace, in memory."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self._nodes = 0

    def add_node(self) -> int:
        """Return the number of a new node."""
        self._nodes += 1
        return self._nodes - 1

    def write(self, line: bytes) -> bool:
        """Keep a line."""
        self.lines.append(line)
        return True


class TracedProgram:
    """A node whose inputs and outputs are recorded. It has the other attributes of the node."""

    acted: tuple[SeatSession, Action] | None = None
    """The last act that a player chose, with the session of that player's seat."""

    def __init__(
        self,
        lines: TraceLines,
        genesis: Genesis,
        config: NodeConfig,
        recovered: RecoveredState | None = None,
    ) -> None:
        self._trace = Trace(lines.add_node(), lines.write)
        self._node = self._trace.node(genesis, config, recovered)
        self._node.role_changed = self._trace.role_changed

    def __getattr__(self, name: str) -> Any:
        return getattr(self._node, name)

    def _step(self, given: NodeInput, now: float) -> Sequence[NodeOutput]:
        return self._trace.step(given, now, lambda: deliver(self._node, given, now))

    def begin(self, now: float) -> Sequence[NodeOutput]:
        return self._step(inputs.NodeStarted(), now)

    def link_up(
        self,
        link: int,
        seat: int | None,
        now: float,
        *,
        address: str = "",
        dialled: bool = False,
        identity: bytes = b"",
    ) -> Sequence[NodeOutput]:
        return self._step(inputs.LinkUp(link, seat, address, dialled, identity), now)

    def link_down(
        self, link: int, now: float, *, silent: float = 0.0, quiet: bool = False
    ) -> Sequence[NodeOutput]:
        return self._step(inputs.LinkDown(link, silent, quiet), now)

    def connect_failed(self, seat: int, now: float) -> Sequence[NodeOutput]:
        return self._step(inputs.ConnectFailed(seat), now)

    def receive(self, link: int, message: messages.AtTable, now: float) -> Sequence[NodeOutput]:
        return self._step(inputs.MessageReceived(link, message), now)

    def tick(self, now: float) -> Sequence[NodeOutput]:
        return self._step(inputs.TimePassed(), now)

    def synced(self, done: SyncJournal, now: float) -> Sequence[NodeOutput]:
        return self._step(inputs.JournalSynced(done), now)

    def job_done(self, job: int, result: object, now: float) -> Sequence[NodeOutput]:
        return self._step(inputs.JobDone(job, result), now)

    def say(self, text: str, now: float) -> Sequence[NodeOutput]:
        return self._step(inputs.ChatSent(text), now)

    def read_score(self, number: int, now: float, *, reading: bool) -> Sequence[NodeOutput]:
        return self._step(inputs.ScoreShown(number, reading), now)

    def react(self, reaction: messages.Reaction, now: float) -> Sequence[NodeOutput]:
        return self._step(inputs.ReactionSent(reaction), now)

    def leave(self, now: float) -> Sequence[NodeOutput]:
        return self._step(inputs.LeaveRequested(), now)

    def stop(self, now: float) -> Sequence[NodeOutput]:
        return self._step(inputs.StopRequested(), now)

    def claim(self, now: float) -> Sequence[NodeOutput]:
        return self._step(inputs.ClaimMade(), now)

    def paused(self, seconds: float, now: float) -> Sequence[NodeOutput]:
        return self._step(inputs.ProgramPaused(seconds), now)

    def send_away(
        self, identity: bytes | None, why: messages.LobbyRefusal, now: float
    ) -> Sequence[NodeOutput]:
        return self._step(inputs.SpectatorSentAway(identity, why), now)

    def carry_out(self, todo: Sequence[SeatOutput], now: float) -> Sequence[NodeOutput]:
        acted, TracedProgram.acted = TracedProgram.acted, None
        assert acted is not None
        session, action = acted
        given = inputs.PlayerActed(self._node.sessions.index(session), action)
        return self._trace.step(given, now, lambda: self._node.carry_out(todo, now))


@contextmanager
def traced_worlds(lines: TraceLines) -> Iterator[None]:
    """Record every node of the worlds that run meanwhile."""
    act = SeatSession.act

    def noted(session: SeatSession, action: Action) -> list[SeatOutput]:
        TracedProgram.acted = session, action
        return act(session, action)

    def traced(*parameters: Any) -> TracedProgram:
        return TracedProgram(lines, *parameters)

    with (
        patch.object(SeatSession, "act", noted),
        patch("tests.harness.node_world.world.Node", traced),
    ):
        yield
