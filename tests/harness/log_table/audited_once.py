"""Audits of rounds that are made once for all who hold the same log."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from lanuno.log.round_audit import audit_round
from lanuno.log.round_record import RoundRecord


class AuditedOnce:
    """The work of a session's jobs. All who hold the same log find the same in it: one looks."""

    def __init__(self) -> None:
        self._audits: dict[tuple[bytes, int], object] = {}

    def result(self, work: Callable[[], object]) -> object:
        """What this work gives, which is done unless it is an audit that was made before."""
        if not isinstance(work, partial) or work.func is not audit_round:
            return work()
        log: RoundRecord = work.args[0]
        key = (log.last_head, len(log.faults))
        if key not in self._audits:
            self._audits[key] = work()
        return self._audits[key]
