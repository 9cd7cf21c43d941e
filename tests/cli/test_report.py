"""An audit report as JSON fields, as lines, and as an exit code."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from lanuno.cli.exits import ExitCode
from lanuno.cli.report import (
    EXIT_CODES,
    blame_fields,
    report_fields,
    rounds_played,
    seat_name,
    show_report,
    winner_names,
    worst,
    worst_verdict,
)
from lanuno.log.audit.audit import Report, audit_bytes
from lanuno.log.faults import AuditVerdict, Blame, Check, Fault
from lanuno.log.format.bodies import CloseReason, DropReason
from lanuno.log.replay.course import Decided, DroppedSeat
from tests.cli.captured_output import CapturedOutput
from tests.harness.log_table.log_table import LogTable


@pytest.fixture(scope="module")
def report(played: LogTable) -> Report:
    return played.audit()


def shown(report: Report) -> list[str]:
    captured = CapturedOutput()
    show_report(captured.out, report)
    assert captured.errors == []
    return captured.lines


def test_every_verdict_has_an_exit_code_and_a_rank() -> None:
    assert set(EXIT_CODES) == set(AuditVerdict)
    assert [verdict for verdict in AuditVerdict if EXIT_CODES[verdict] == ExitCode.OK] == [
        AuditVerdict.VERIFIED
    ]


def test_of_several_verdicts_proven_cheating_is_the_worst(report: Report) -> None:
    assert worst_verdict(*reversed(AuditVerdict)) is AuditVerdict.CHEATING
    assert worst_verdict(AuditVerdict.INCOMPLETE, AuditVerdict.CHANGED) is AuditVerdict.CHANGED
    assert worst_verdict(AuditVerdict.VERIFIED) is AuditVerdict.VERIFIED
    unreadable = audit_bytes(b"GIF89a")
    assert worst([report, unreadable, report]) is AuditVerdict.UNREADABLE


def test_a_seat_that_does_not_exist_has_no_name(report: Report) -> None:
    assert [seat_name(report, seat) for seat in (0, 1, 2, None)] == ["p0", "p1", None, None]


def test_several_winners_are_named_together(report: Report) -> None:
    assert winner_names(replace(report, winners=())) is None
    assert winner_names(replace(report, winners=(0, 1))) == "p0, p1"


def test_the_round_that_chooses_the_dealer_is_not_counted(report: Report) -> None:
    assert [each.round for each in report.rounds] == [0, 1]
    assert rounds_played(report) == 1


def test_the_fields_of_a_game_are_json(report: Report) -> None:
    fields = report_fields(report)
    assert json.loads(json.dumps(fields)) == fields
    assert (fields["verdict"], fields["players"]) == ("verified", ["p0", "p1"])
    assert fields["scores"] == {"p0": report.scores[0], "p1": report.scores[1]}
    assert (fields["entries"], fields["attestations"]) == (report.entries, report.attestations)
    assert (fields["forfeited"], fields["decided"], fields["winner"]) == (None, "cards", None)


def test_a_file_without_a_game_has_all_the_fields(report: Report) -> None:
    fields = report_fields(audit_bytes(b"GIF89a"))
    assert fields.keys() == report_fields(report).keys()
    assert (fields["verdict"], fields["players"], fields["scores"]) == ("unreadable", [], {})


CHEAT = Blame(1, Fault.EQUIVOCATION, 1, 7)
NO_PROOF = Blame(1, Fault.NO_REVEAL, 1, 8)


def test_only_a_proof_is_blame(report: Report) -> None:
    """A missing seed is noted, and no line accuses anybody of it."""
    blamed = replace(report, verdict=AuditVerdict.CHEATING, blame=(CHEAT, NO_PROOF))
    fields = report_fields(blamed)
    assert fields["blame"] == [blame_fields(report, CHEAT)]
    assert fields["noted"] == [blame_fields(report, NO_PROOF)]
    assert blame_fields(report, CHEAT) == {
        "player": "p1",
        "fault": "equivocation",
        "round": 1,
        "entry": 7,
    }
    accusing = [line for line in shown(blamed) if "entry 7" in line or "entry 8" in line]
    assert len(accusing) == 1
    assert "p1" in accusing[0]


def test_a_person_reads_the_verdict_first(report: Report) -> None:
    lines = shown(report)
    assert lines[0].startswith("VERIFIED")
    assert any("p0 " in line and "p1 " in line for line in lines), "the scores"


@pytest.mark.parametrize(
    ("decided", "begins"),
    [
        (Decided.ABSENCE, "VERIFIED, BUT DECIDED BY ABSENCE: "),
        (None, "VERIFIED, BUT NOTHING COUNTS: "),
    ],
)
def test_a_verified_match_that_cards_did_not_decide_says_so_first(
    decided: Decided | None, begins: str, report: Report
) -> None:
    first = shown(replace(report, decided=decided))[0]
    assert first.startswith(begins)
    assert f"({report.entries} entries)" in first
    assert not shown(report)[0].startswith("VERIFIED, BUT")


@pytest.mark.parametrize("reason", [DropReason.LEFT, DropReason.LOST])
def test_what_the_host_says_of_an_absence_is_mentioned_only_if_it_says_something(
    reason: DropReason, report: Report
) -> None:
    dropped = (DroppedSeat(1, reason, 1, 40),)
    lines = shown(replace(report, decided=Decided.ABSENCE, dropped=dropped))
    assert ("What only the host says" in "".join(lines)) == (reason is DropReason.LOST)


def test_checks_and_the_choice_of_the_dealer_are_called_by_name(report: Report) -> None:
    dealer, first = report.rounds
    wrong = [Check.MASKS, Check.SCORES]
    checks = tuple(replace(each, ok=each.name not in wrong) for each in first.checks)
    dropped = (DroppedSeat(1, DropReason.LEFT, 0, 40),)
    broken = replace(report, rounds=(dealer, replace(first, checks=checks)), dropped=dropped)
    lines = shown(replace(broken, verdict=AuditVerdict.INCOMPLETE))
    assert (
        "round 1: not proven: Every shuffle follows from its seed; The scores match the hands"
    ) in lines
    assert f"choice of the dealer: all {len(dealer.checks)} checks passed" in lines
    assert "choice of the dealer: p1 left, and signed that" in lines


def test_a_match_that_outgrew_its_log_says_so(report: Report) -> None:
    assert shown(replace(report, closed=CloseReason.TOO_LONG))[-1].startswith("the match stopped")


@pytest.mark.parametrize("at_end", [True, False])
def test_a_changed_file_says_what_to_do_and_accuses_nobody(at_end: bool, report: Report) -> None:
    lines = shown(replace(report, verdict=AuditVerdict.CHANGED, at_end=at_end))
    out = CapturedOutput().out
    assert out.text("verify.ask_for_copy") in lines
    assert out.text("verify.changed_or_stopped" if at_end else "verify.changed_from") in lines


def test_a_file_without_a_game_has_two_lines() -> None:
    """Nothing follows about players or rounds, which nobody knows."""
    verdict, why = shown(audit_bytes(b"GIF89a"))
    assert verdict.startswith("UNREADABLE: ")
    assert why == "why: this is not a LanUNO game"
