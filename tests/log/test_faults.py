"""The errors of the log: their texts, what they carry, and the fault that a refused body proves."""

from __future__ import annotations

import pytest

from lanuno.log.faults import (
    FAULT_OF_REFUSAL,
    Blame,
    BodyRefused,
    Check,
    Fault,
    HostFault,
    LogError,
    NoGameReason,
    NoTranscript,
    RefusalReason,
    Unreadable,
)

BLAME = Blame(2, Fault.BAD_STATE, 3, 41, "another state")


@pytest.mark.parametrize(
    ("detail", "text"), [("", "not-now"), ("nothing is due", "not-now: nothing is due")]
)
def test_a_refusal_says_its_reason_and_its_detail(detail: str, text: str) -> None:
    error = BodyRefused(RefusalReason.NOT_NOW, detail)
    assert (str(error), error.refusal, error.detail) == (text, RefusalReason.NOT_NOW, detail)


def test_a_fault_of_the_host_names_the_entry_that_proves_it() -> None:
    error = HostFault(BLAME, Check.STATES)
    assert str(error) == "bad-state at entry 41: another state"
    assert (error.blame, error.check) == (BLAME, Check.STATES)


def test_a_file_without_a_game_is_an_unreadable_value() -> None:
    """A reader that needs no reason catches both errors as one."""
    with pytest.raises(Unreadable, match="not a transcript") as raised:
        raise NoTranscript(NoGameReason.FOREIGN, "not a transcript")
    assert isinstance(raised.value, NoTranscript)
    assert raised.value.no_game is NoGameReason.FOREIGN


def test_every_error_of_the_log_is_caught_by_its_base() -> None:
    errors = [
        Unreadable(),
        NoTranscript(NoGameReason.EMPTY, ""),
        BodyRefused(RefusalReason.FULL),
        HostFault(BLAME, Check.STATES),
    ]
    assert [isinstance(error, LogError) for error in errors] == [True] * len(errors)


def test_only_a_body_that_its_author_did_not_sign_is_forged() -> None:
    """All other reasons prove that the host put a body where it must not be."""
    forged = {reason for reason, (fault, _) in FAULT_OF_REFUSAL.items() if fault is Fault.FORGED}
    assert forged == {RefusalReason.MALFORMED, RefusalReason.BAD_SIGNATURE}
    assert {FAULT_OF_REFUSAL[reason] for reason in forged} == {(Fault.FORGED, Check.SIGNATURES)}
    others = {fault for reason, (fault, _) in FAULT_OF_REFUSAL.items() if reason not in forged}
    assert others == {Fault.BAD_ORDER}
