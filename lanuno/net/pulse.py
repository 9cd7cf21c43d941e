"""When to send a heartbeat, when a peer is lost, when it is too slow. No clock: time is passed in.

Law: the owner tells what happened and when (`heard`, `sent`, …), asks `due` when to come back, and
does what `check` says.
"""

from __future__ import annotations

from enum import Enum
from math import inf

from lanuno.net.limits import Limits


class Need(Enum):
    """What has to be done about a connection now."""

    NOTHING = "nothing"
    BEAT = "beat"
    """Send a heartbeat."""

    SILENT = "silent"
    """Give it up: nothing was heard of the peer for too long."""

    STUCK = "stuck"
    """Give it up: what is sent has not been taken for too long."""


class Pulse:
    """The times that matter about one connection, all in seconds of one monotonic clock."""

    __slots__ = ("_awake", "_deaf", "_heard", "_limits", "_sent", "_waiting")

    def __init__(self, limits: Limits, now: float) -> None:
        """Begin at `now`, as if something had just been heard and sent."""
        self._limits = limits
        self._heard = now
        self._sent = now
        self._awake = -inf
        """When the peer got all its time again."""
        self._waiting = inf
        self._deaf = False

    def heard(self, now: float) -> None:
        """Something arrived."""
        self._heard = now

    def sent(self, now: float) -> None:
        """Something was handed to the network."""
        self._sent = now

    def waiting(self, since: float | None) -> None:
        """The oldest bytes that the network has not taken wait since then; None: nothing waits."""
        self._waiting = inf if since is None else max(since, self._awake)

    def woke(self, now: float) -> None:
        """This computer did nothing until now: it slept, or was far too busy.

        What it did not hear meanwhile says nothing about the peer, which has all its time again.
        So it has once until it is heard: else nobody is ever lost where every timer is late.
        """
        if self._heard > self._awake:
            self._awake = self._heard = now
        if self._waiting != inf:
            self._waiting = now

    def deaf(self, now: float, deaf: bool) -> None:
        """This side stops (or begins again) to listen, so silence says nothing about the peer."""
        self._deaf = deaf
        self._heard = now

    def due(self) -> float:
        """The next time at which `check` may have something to say."""
        limits = self._limits
        silence = inf if self._deaf else self._heard + limits.silence
        # While bytes wait, a heartbeat behind them would tell the peer nothing.
        beat = self._sent + limits.heartbeat if self._waiting == inf else inf
        return min(beat, silence, self._waiting + limits.queue_age)

    def check(self, now: float) -> Need:
        """What is to be done at `now`."""
        limits = self._limits
        if now >= self._waiting + limits.queue_age:
            return Need.STUCK
        if not self._deaf and now >= self._heard + limits.silence:
            return Need.SILENT
        if self._waiting == inf and now >= self._sent + limits.heartbeat:
            return Need.BEAT
        return Need.NOTHING
