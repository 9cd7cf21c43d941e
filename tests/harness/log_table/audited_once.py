"""Audits of rounds that run once for all sessions with the same log."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from lanuno.log.round.round_audit import audit_round
from lanuno.log.round.round_record import RoundRecord


class AuditedOnce:
    """Runs the jobs of seat sessions; the audit of one log runs once for all of them."""

    def __init__(self) -> None:
        self._audits: dict[tuple[bytes, int], object] = {}

    def result(self, work: Callable[[], object]) -> object:
        """Return the result of a job; an audit that has run before is not repeated."""
        if not isinstance(work, partial) or work.func is not audit_round:
            return work()
        log: RoundRecord = work.args[0]
        key = (log.reveal_hash, len(log.faults))
        if key not in self._audits:
            self._audits[key] = work()
        return self._audits[key]
