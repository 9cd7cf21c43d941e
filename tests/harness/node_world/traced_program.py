"""Simulated nodes that write traces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from lanuno.log.format.genesis import Genesis
from lanuno.table.inputs import NodeInput
from lanuno.table.node import NodeConfig
from lanuno.table.outputs import NodeOutput
from lanuno.table.recovery import RecoveredState
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

    def __init__(
        self,
        lines: TraceLines,
        genesis: Genesis,
        config: NodeConfig,
        recovered: RecoveredState | None = None,
    ) -> None:
        self._trace = Trace(lines.add_node(), lines.write, genesis, config, recovered)
        self._trace.node.role_changed = self._trace.role_changed

    def __getattr__(self, name: str) -> Any:
        return getattr(self._trace.node, name)

    def step(self, given: NodeInput, now: float) -> Sequence[NodeOutput]:
        """Let the node take an input, and record it."""
        return self._trace.step(given, now)


@contextmanager
def traced_worlds(lines: TraceLines) -> Iterator[None]:
    """Record every node of the worlds that run meanwhile."""

    def traced(*parameters: Any) -> TracedProgram:
        return TracedProgram(lines, *parameters)

    with patch("tests.harness.node_world.world.Node", traced):
        yield
