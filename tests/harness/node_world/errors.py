"""The one error of the simulation."""

from __future__ import annotations


class InvariantViolation(AssertionError):
    """An invariant does not hold."""
