"""How many messages a second one sender may send: a token bucket. No clock: time is passed in."""

from __future__ import annotations


class TokenBucket:
    """Holds up to `burst` tokens and gains `rate` of them a second; a message costs one.

    The layer above sets `enabled` to False while cards are dealt, when clients send by themselves.
    """

    __slots__ = ("_at", "_tokens", "burst", "enabled", "rate")

    def __init__(self, rate: float, burst: int, now: float) -> None:
        """Start full, at time `now` in seconds of any clock that does not go back."""
        self.rate = rate
        self.burst = burst
        self.enabled = True
        self._tokens = float(burst)
        self._at = now

    def take(self, now: float, cost: int = 1) -> bool:
        """Pay for a message at time `now`; False if it is one too many (nothing is paid then)."""
        if not self.enabled:
            return True
        gained = max(0.0, now - self._at) * self.rate
        self._tokens = min(float(self.burst), self._tokens + gained)
        self._at = max(now, self._at)
        if self._tokens < cost:
            return False
        self._tokens -= cost
        return True
