"""The events that the windows of a simulated table receive from the observer of each node.

`observe_windows` replaces the node runtimes. Between the outputs of a node and the events of its
window are the observer, the snapshot and the clock; if these change, only `_Window` changes. A
runtime lets a new host wait for a moment before it reports missing players. Here they are reported
immediately, and nothing is reported about files and connections.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import SimpleNamespace
from typing import cast
from unittest.mock import patch

from lanuno.client import observer
from lanuno.client.events import SessionEvent
from lanuno.client.observer import TableObserver
from lanuno.net.runtime.missed_entries import MissedEntries
from lanuno.net.runtime.node_runtime import NodeRuntime
from lanuno.table import outputs
from lanuno.table.node import Node
from lanuno.table.outputs import Output
from tests.golden.roles import Role, watched

OnEvent = Callable[[int | None, SessionEvent, float], None]
"""Called with the owner's seat (None for a spectator), the event, and the time."""

TABLE_NAME = "Kitchen table"

PASSED_ON = (
    outputs.ViewChanged,
    outputs.ActionRefused,
    outputs.NodeStopped,
    outputs.HostingChanged,
    outputs.SeatsAwaited,
    outputs.QuorumChanged,
    outputs.ClaimOffered,
    outputs.ChatReceived,
    outputs.ReactionSeen,
    outputs.SpectatorsChanged,
    outputs.TruncateJournal,
)
"""Outputs that a driver passes on unchanged."""

NEEDED_NO_MORE = (outputs.SeatsAwaited, outputs.QuorumChanged)
"""Outputs that are not passed on once the log is closed."""


class _Clock:
    """The simulated time, and the work scheduled for the end of an event-loop turn."""

    def __init__(self) -> None:
        self.now = 0.0
        self.soon: list[Callable[[], None]] = []

    def monotonic(self) -> float:
        return self.now

    def get_running_loop(self) -> _Clock:
        return self

    def call_soon(self, work: Callable[[], None]) -> object:
        self.soon.append(work)
        return self

    def end_turn(self) -> None:
        while self.soon:
            self.soon.pop(0)()


class _Window:
    """The observer of one node, with the parts of a runtime that an observer uses."""

    def __init__(
        self, node: Node, begun: Sequence[Output], on_event: OnEvent, clock: _Clock
    ) -> None:
        """`begun`: the outputs of the node's first input."""
        self.node = node
        self.metadata = SimpleNamespace(name=TABLE_NAME)
        self._over = False
        self._clock = clock
        driver = cast(NodeRuntime, self)
        self._observer = TableObserver(
            lambda told: on_event(node.seat, told, clock.now), lambda: driver, snapshots=True
        )
        self._observer.set_name(TABLE_NAME)
        new = sum(isinstance(output, outputs.AppendEntry) for output in begun)
        kept = node.replica.entries[: len(node.replica.entries) - new]
        self._gaps = MissedEntries(self._observer, len(kept) if node._recovered else None)
        self._observer(outputs.TableBegan(node._genesis))
        self.seat_session = node.main_session
        if node._recovered:
            past = SimpleNamespace(replay=node.replay, replica=SimpleNamespace(entries=kept))
            resumed = SimpleNamespace(node=past, metadata=self.metadata)
            self._observer.replay_past(cast(NodeRuntime, resumed))

    def take(self, out: Sequence[Output]) -> None:
        """Receive the outputs of one input."""
        for output in out:
            if isinstance(output, outputs.Happened):
                self._observer(output.event)
            elif isinstance(output, NEEDED_NO_MORE) and self._over:
                continue
            elif isinstance(output, PASSED_ON):
                self._observer(output)
        self._gaps.check(self.node)
        self._over = self._over or self.node.replay.closed is not None
        self._clock.end_turn()


@contextmanager
def observe_windows(on_event: OnEvent) -> Iterator[None]:
    """Within the context, attach a window to every simulated node."""
    clock = _Clock()
    windows: dict[int, _Window] = {}

    def give(
        node: Node, name: str, roles: tuple[Role, Role], out: Sequence[Output], now: float
    ) -> None:
        clock.now = now
        window = windows.get(id(node))
        if window is None:
            window = windows[id(node)] = _Window(node, out, on_event, clock)
        window.take(out)

    with (
        patch.object(observer, "time", clock),
        patch.object(observer, "asyncio", clock),
        watched(give),
    ):
        yield
