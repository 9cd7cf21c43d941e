"""The one error of the simulation."""

from __future__ import annotations


class Broken(AssertionError):
    """An invariant does not hold."""
