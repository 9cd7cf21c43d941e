"""A token bucket that limits the rate of one sender. No clock: time is passed in."""

from __future__ import annotations


class TokenBucket:
    """Holds up to `burst` tokens and gains `rate` tokens per second. A message costs one token."""

    __slots__ = ("_at", "_tokens", "burst", "rate")

    def __init__(self, rate: float, burst: int, now: float) -> None:
        """Start full. `now` is in seconds of any clock that never runs backwards."""
        self.rate = rate
        self.burst = burst
        self._tokens = float(burst)
        self._at = now

    def take(self, now: float) -> bool:
        """Spend a token at time `now`. Return False, spending nothing, if there is none."""
        gained = max(0.0, now - self._at) * self.rate
        self._tokens = min(float(self.burst), self._tokens + gained)
        self._at = max(now, self._at)
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True
