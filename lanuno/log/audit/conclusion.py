"""The conclusion on a game or a round, which every screen, list, figure and command shows.

It joins the two facts that the log gives: the verdict of the checks, and what decided the match.
"""

from __future__ import annotations

from enum import Enum

from lanuno.log.faults import AuditVerdict
from lanuno.log.replay.course import Decided


class Conclusion(Enum):
    """What there is to say of a game, or of a round of it."""

    VERIFIED = "verified"
    """Everything that counts was checked and is right, and the cards decided it."""
    ABSENCE = "absence"
    """Everything that counts was checked and is right, but an absence decided it."""
    NOTHING_COUNTS = "nothing-counts"
    """Nothing is wrong, but no round of play counts."""
    INCOMPLETE = "incomplete"
    CHANGED = "changed"
    UNREADABLE = "unreadable"
    CHEATING = "cheating"


def conclude(verdict: AuditVerdict, decided: Decided | None) -> Conclusion:
    """Return the conclusion from a verdict and from what decided the rounds that count."""
    if verdict is not AuditVerdict.VERIFIED:
        return Conclusion(verdict.value)
    if decided is None:
        return Conclusion.NOTHING_COUNTS
    return Conclusion.ABSENCE if decided is Decided.ABSENCE else Conclusion.VERIFIED
