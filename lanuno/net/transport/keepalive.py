"""When a connection is due a heartbeat, when it is lost, and when its peer is too slow.

Rule: no clock; time is passed in. The owner reports events with their times (`received`, `sent`,
…), asks `due` when to return, and carries out the action that `check` returns.
"""

from __future__ import annotations

from enum import Enum
from math import inf

from lanuno.net.transport.limits import Limits


class KeepaliveAction(Enum):
    """The action that a connection needs now."""

    NOTHING = "nothing"
    BEAT = "beat"
    """Send a heartbeat."""

    SILENT = "silent"
    """Drop the peer: it has been silent for too long."""

    STUCK = "stuck"
    """Drop the peer: sent data has been waiting for too long."""


class Keepalive:
    """The deadlines of one connection, in seconds of one monotonic clock."""

    __slots__ = ("_awake", "_limits", "_paused", "_received", "_sent", "_waiting")

    def __init__(self, limits: Limits, now: float) -> None:
        """Start at `now`, as if data had just been received and sent."""
        self._limits = limits
        self._received = now
        self._sent = now
        self._awake = -inf
        """When the peer's time was last extended after a sleep of this computer."""
        self._waiting = inf
        self._paused = False

    def received(self, now: float) -> None:
        """Record that data arrived."""
        self._received = now

    def sent(self, now: float) -> None:
        """Record that data was passed to the network."""
        self._sent = now

    def set_waiting(self, since: float | None) -> None:
        """Set since when the oldest unsent bytes have been waiting; None if nothing waits."""
        self._waiting = inf if since is None else max(since, self._awake)

    def woke(self, now: float) -> None:
        """Record that this program did not run until now: the computer slept or was overloaded.

        The silence meanwhile says nothing about the peer, so the peer gets its full time again.
        This happens only once until data arrives from it. Otherwise repeated late timers would
        keep a lost peer for ever.
        """
        if self._received > self._awake:
            self._awake = self._received = now
        if self._waiting != inf:
            self._waiting = now

    def set_paused(self, now: float, paused: bool) -> None:
        """Set whether this side has stopped reading; silence then says nothing about the peer."""
        self._paused = paused
        self._received = now

    def due(self) -> float:
        """Return the next time at which `check` may return an action."""
        limits = self._limits
        silence = inf if self._paused else self._received + limits.silence
        # A heartbeat queued after waiting bytes would tell the peer nothing new.
        beat = self._sent + limits.heartbeat if self._waiting == inf else inf
        return min(beat, silence, self._waiting + limits.queue_age)

    def check(self, now: float) -> KeepaliveAction:
        """Return the action that is needed at `now`."""
        limits = self._limits
        if now >= self._waiting + limits.queue_age:
            return KeepaliveAction.STUCK
        if not self._paused and now >= self._received + limits.silence:
            return KeepaliveAction.SILENT
        if self._waiting == inf and now >= self._sent + limits.heartbeat:
            return KeepaliveAction.BEAT
        return KeepaliveAction.NOTHING
