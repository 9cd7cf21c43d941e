"""What must be true of every table with a cheater.

Nobody honest is blamed by anybody, everybody honest says the same, and every journal on its own
audits to a verdict.
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
    """What the audit of every honest peer's own journal says, once nobody honest is blamed.

    Neither by an audit of an honest journal, nor by an attestation of an honest peer.
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
    """Seats against which a report proves something."""
    return {blame.seat for blame in report.blame if is_proof(blame)}


def attestations(peer: SimPeer, *cheaters: int, upto: int | None = None) -> list[tuple[int, ...]]:
    """What honest seats attested, as this peer heard it, in its first so many events."""
    said = [event for event in peer.events[:upto] if isinstance(event, Attested)]
    return [event.blamed for event in said if event.seat not in cheaters]


def assert_table_ended(sim: TableSim) -> None:
    """The host closed the log, or so many peers went away that it can do nothing more."""
    sequencer = sim.host_role
    assert sequencer is not None, sim.label
    closed = sequencer.replay.closed is not None
    assert closed or sequencer.no_quorum, sim.label


def assert_all_equal(found: Iterable[object]) -> None:
    """All are equal."""
    texts = [repr(each) for each in found]
    assert len(set(texts)) == 1, texts
