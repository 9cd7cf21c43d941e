"""Count the entries that a node missed while it had no contact with a host."""

from __future__ import annotations

from lanuno.net.runtime.endings import CaughtUp, Observer
from lanuno.table.node import Node


class MissedEntries:
    """Reports the count once the node has caught up. Call `check` after every output."""

    def __init__(self, observe: Observer, held: int | None) -> None:
        """`held` is the number of entries recovered from disk; None for a new node."""
        self._observe = observe
        self._held = held
        """The number of entries when contact with the host was lost; None if it never was."""
        self._caught_up = False

    def check(self, node: Node) -> None:
        """Report the missed entries once they have arrived."""
        held, now = node.replay.seq, node.replica.caught_up
        if now and not self._caught_up and self._held is not None:
            self._observe(CaughtUp(node.replay.host, max(0, held - self._held)))
        if self._caught_up and not now:
            self._held = held
        self._caught_up = now
