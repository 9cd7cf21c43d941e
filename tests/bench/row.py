"""The value that a measurement returns. No measurement lives here."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table that `python -m tests.bench` prints."""

    name: str
    """What was measured, in a few words, with its size ("deal, 4 seats, 108 cards")."""

    ratio: float | None
    """The measured time as a multiple of the compared one, in the same run. Dimensionless. None
    where it could not be measured here; the note says what is missing."""

    budget: float | None
    """The largest ratio that keeps the promise; None without a promise."""

    note: str = ""
    """The absolute numbers behind the ratio, with their units, for the reader only."""

    at_least: bool = False
    """True where the promise is a smallest ratio (faster than…) instead of a largest one."""

    @property
    def kept(self) -> bool:
        """Whether the promise is kept; true without a promise or a ratio."""
        if self.budget is None or self.ratio is None:
            return True
        return self.ratio >= self.budget if self.at_least else self.ratio <= self.budget
