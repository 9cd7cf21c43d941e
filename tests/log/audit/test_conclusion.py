"""Tests of the conclusion that every screen shows."""

from __future__ import annotations

import pytest

from lanuno.log.audit.conclusion import Conclusion, conclude
from lanuno.log.faults import AuditVerdict
from lanuno.log.replay.course import Decided


@pytest.mark.parametrize("decided", [None, *Decided])
def test_only_cards_that_decided_a_right_game_verify_it(decided: Decided | None) -> None:
    found = {verdict: conclude(verdict, decided) for verdict in AuditVerdict}
    verified = found.pop(AuditVerdict.VERIFIED)
    assert (verified is Conclusion.VERIFIED) == (decided is Decided.CARDS)
    assert {each.value: verdict.value for verdict, each in found.items()} == {
        verdict.value: verdict.value for verdict in found
    }


def test_absence_and_nothing_are_not_the_same() -> None:
    absent, nothing = (conclude(AuditVerdict.VERIFIED, each) for each in (Decided.ABSENCE, None))
    assert (absent, nothing) == (Conclusion.ABSENCE, Conclusion.NOTHING_COUNTS)
