"""The conditions that hold at every table with a cheater.

Nobody blames an honest player, all honest players agree, and the audit of every single journal
reaches a verdict.
"""

from __future__ import annotations

from collections.abc import Iterable

from lanuno.log.audit.audit import Report, audit_bytes
from lanuno.log.faults import AuditVerdict
from lanuno.log.round.events import Attested
from lanuno.log.round.round_audit import is_proof
from tests.harness.host_and_seats.table_sim import SimPeer, TableSim


def honest(sim: TableSim, *cheaters: int) -> list[SimPeer]:
    """The seated peers that follow the rules."""
    return [peer for peer in sim.seated if peer.number not in cheaters]


def reports(sim: TableSim, *cheaters: int) -> dict[int, Report]:
    """Audit the journal of every honest peer; check that no honest player is blamed.

    Neither an audit of an honest journal nor an attestation of an honest peer may do so.
    """
    found: dict[int, Report] = {}
    audited: dict[bytes, Report] = {}
    for peer in honest(sim, *cheaters):
        if peer.genesis is None:
            continue
        journal = peer.file
        if journal not in audited:
            audited[journal] = audit_bytes(journal)
        report = found[peer.number] = audited[journal]
        assert blamed(report) <= {*cheaters, None}, (sim.label, peer.number, report.blame)
        assert report.verdict is not AuditVerdict.UNREADABLE, (
            sim.label,
            peer.number,
            report.reason,
        )
        assert report.verdict is not AuditVerdict.VERIFIED or not blamed(report)
        accused = {seat for said in attestations(peer, *cheaters) for seat in said}
        assert accused <= set(cheaters), (sim.label, peer.number, accused)
    return found


def blamed(report: Report) -> set[int | None]:
    """Return the seats against which a report proves a fault."""
    return {blame.seat for blame in report.blame if is_proof(blame)}


def attestations(peer: SimPeer, *cheaters: int, upto: int | None = None) -> list[tuple[int, ...]]:
    """Return the attestations of honest seats in the first `upto` events of this peer."""
    said = [event for event in peer.events[:upto] if isinstance(event, Attested)]
    return [event.blamed for event in said if event.seat not in cheaters]


def assert_table_ended(sim: TableSim) -> None:
    """Check that the host closed the log, or that too many peers left for it to continue."""
    sequencer = sim.host_role
    assert sequencer is not None, sim.label
    closed = sequencer.replay.closed is not None
    assert closed or sequencer.no_quorum, sim.label


def assert_all_equal(found: Iterable[object]) -> None:
    """Check that all are equal."""
    texts = [repr(each) for each in found]
    assert len(set(texts)) == 1, texts
