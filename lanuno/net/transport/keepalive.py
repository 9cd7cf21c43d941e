"""When to send a heartbeat, when a peer is lost, when it is too slow. No clock: time is passed in.

Rule: the owner reports what happened and when (`received`, `sent`, …), asks `due` when to come
back, and does what `check` says.
"""

from __future__ import annotations

from enum import Enum
from math import inf

from lanuno.net.transport.limits import Limits


class KeepaliveAction(Enum):
    """What has to be done about a connection now."""

    NOTHING = "nothing"
    BEAT = "beat"
    """Send a heartbeat."""

    SILENT = "silent"
    """Give it up: nothing came from the peer for too long."""

    STUCK = "stuck"
    """Give it up: what is sent has not been taken for too long."""


class Keepalive:
    """The times that matter about one connection, all in seconds of one monotonic clock."""

    __slots__ = ("_awake", "_limits", "_paused", "_received", "_sent", "_waiting")

    def __init__(self, limits: Limits, now: float) -> None:
        """Begin at `now`, as if something had just been received and sent."""
        self._limits = limits
        self._received = now
        self._sent = now
        self._awake = -inf
        """When the peer last got its whole time again."""
        self._waiting = inf
        self._paused = False

    def received(self, now: float) -> None:
        """Something arrived."""
        self._received = now

    def sent(self, now: float) -> None:
        """Something was handed to the network."""
        self._sent = now

    def set_waiting(self, since: float | None) -> None:
        """The oldest bytes that the network has not taken wait since then; None: nothing waits."""
        self._waiting = inf if since is None else max(since, self._awake)

    def woke(self, now: float) -> None:
        """This computer did nothing until now: it slept, or was far too busy.

        The silence meanwhile says nothing about the peer, which gets its whole time again: once
        until it is received, because otherwise late timers would keep a lost peer for ever.
        """
        if self._received > self._awake:
            self._awake = self._received = now
        if self._waiting != inf:
            self._waiting = now

    def set_paused(self, now: float, paused: bool) -> None:
        """Set whether this side has stopped reading: silence then says nothing about the peer."""
        self._paused = paused
        self._received = now

    def due(self) -> float:
        """The next time at which `check` may return an action."""
        limits = self._limits
        silence = inf if self._paused else self._received + limits.silence
        # While bytes wait, a heartbeat behind them would be no news to the peer.
        beat = self._sent + limits.heartbeat if self._waiting == inf else inf
        return min(beat, silence, self._waiting + limits.queue_age)

    def check(self, now: float) -> KeepaliveAction:
        """What is to be done at `now`."""
        limits = self._limits
        if now >= self._waiting + limits.queue_age:
            return KeepaliveAction.STUCK
        if not self._paused and now >= self._received + limits.silence:
            return KeepaliveAction.SILENT
        if self._waiting == inf and now >= self._sent + limits.heartbeat:
            return KeepaliveAction.BEAT
        return KeepaliveAction.NOTHING
