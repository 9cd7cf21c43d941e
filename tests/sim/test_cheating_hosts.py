"""Hosts that lie: a replica stops, keeps the proof, and blames nobody else."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from msgspec.structs import replace

from lanuno.log.audit.audit import audit_bytes, prove_fork
from lanuno.log.faults import AuditVerdict, Fault
from lanuno.log.format import bodies
from lanuno.log.format.bodies import CloseReason
from lanuno.log.format.entries import Entry, EntryCore
from lanuno.log.replay.course import Decided
from lanuno.table.messages import (
    AtTable,
    BodyRefusal,
    Entries,
    Statements,
    Submit,
)
from lanuno.table.outputs import StoreSeed
from tests.harness.adversaries.forging import signed_with
from tests.harness.adversaries.host_attacks import (
    ATTACKS,
    EntryForger,
    HostAttack,
    by_host,
    forked_entry,
    when,
)
from tests.harness.host_and_seats.table_sim import SimPeer, TableSim
from tests.harness.host_and_seats.verdicts import assert_table_ended, blamed, honest, reports


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_a_lying_host_is_seen_by_everybody_who_follows(attack: HostAttack) -> None:
    sim = TableSim(3, seed=5)
    forging = EntryForger(sim, attack.craft)
    sim.rewrite = forging
    sim.run()
    assert forging.forged is not None
    who = 0 if attack.named else None
    for peer in honest(sim, 0):
        assert peer.stopped is not None
        blame = peer.stopped.blame
        assert (blame.seat, blame.fault) == (who, attack.fault)
        assert peer.journal[-1] == forging.forged[1]
        assert blame.entry == forging.forged[0]
    for report in reports(sim, 0).values():
        # Without the host's signature it proves nothing to other readers of the file.
        seen = (AuditVerdict.CHEATING, False) if attack.named else (AuditVerdict.CHANGED, True)
        assert (report.verdict, report.at_end) == seen
        assert {(each.seat, each.fault) for each in report.blame} == {(who, attack.fault)}
    assert_table_ended(sim)


def test_a_missing_entry_is_suspected_and_proves_nothing() -> None:
    sim = TableSim(3, seed=5)

    def without(peer: int, message: AtTable) -> Iterable[AtTable]:
        left_out = peer == 1 and isinstance(message, Entries) and message.first == 12
        return [] if left_out else [message]

    sim.rewrite = without
    sim.run()
    stopped = sim.peers[1].stopped
    assert stopped is not None
    assert (stopped.blame.seat, stopped.blame.fault) == (None, Fault.BAD_ORDER)
    assert_table_ended(sim)
    for number, report in reports(sim).items():
        # A stopped peer lacks the end of the log; the others continued.
        assert report.verdict is (AuditVerdict.INCOMPLETE if number == 1 else AuditVerdict.VERIFIED)
        assert not blamed(report)


def test_entries_in_another_order_are_suspected_and_prove_nothing() -> None:
    sim = TableSim(3, seed=5)
    late: list[AtTable] = []

    def backwards(peer: int, message: AtTable) -> Iterable[AtTable]:
        if peer != 1 or not isinstance(message, Entries) or message.first not in (12, 13):
            return [message]
        late.insert(0, message)
        return late if len(late) == 2 else []

    sim.rewrite = backwards
    sim.run()
    stopped = sim.peers[1].stopped
    assert stopped is not None
    assert stopped.blame.seat is None
    assert not any(blamed(report) for report in reports(sim).values())


def test_an_entry_told_again_in_other_words_is_kept_as_proof() -> None:
    sim = TableSim(3, seed=5)
    told: list[Entry] = []

    def again(peer: int, message: AtTable) -> Iterable[AtTable]:
        if peer != 1 or not isinstance(message, Entries) or message.first != 14:
            return [message]
        told.append(by_host(sim, sim.journal[6].read(), bodies.TimeOut(0)))
        return [Entries(6, (told[0],)), message]

    sim.rewrite = again
    sim.run()
    stopped = sim.peers[1].stopped
    assert stopped is not None
    assert (stopped.blame.seat, stopped.blame.fault) == (0, Fault.EQUIVOCATION)
    assert sim.peers[1].journal[-1] == told[0]
    report = reports(sim, 0)[1]
    assert report.verdict is AuditVerdict.CHEATING
    assert (0, Fault.EQUIVOCATION) in {(each.seat, each.fault) for each in report.blame}


def test_an_entry_told_again_without_a_signature_proves_nothing() -> None:
    sim = TableSim(3, seed=5)

    def again(peer: int, message: AtTable) -> Iterable[AtTable]:
        if peer != 1 or not isinstance(message, Entries) or message.first != 14:
            return [message]
        return [Entries(6, (Entry(b"nothing", bytes(64)),)), message]

    sim.rewrite = again
    sim.run()
    stopped = sim.peers[1].stopped
    assert stopped is not None
    assert (stopped.blame.seat, stopped.blame.fault) == (None, Fault.FORGED)
    reports(sim)


def other_close(sim: TableSim, core: EntryCore) -> Entry:
    totals = tuple(0 for _ in sim.seated)
    if isinstance(core.signed_body.read().payload, bodies.Close):
        assert sim.host_role is not None
        totals = tuple(sim.host_role.replay.match.totals)
    return forked_entry(sim, core.seq, bodies.Close(CloseReason.INCOMPLETE, totals, core.seq))


def time_out(sim: TableSim, core: EntryCore) -> Entry:
    act = core.signed_body.read().payload
    assert isinstance(act, bodies.Act)
    return forked_entry(sim, core.seq, bodies.TimeOut(act.decision))


@pytest.mark.parametrize(
    ("kind", "other", "alone"),
    [
        (bodies.Close, other_close, AuditVerdict.INCOMPLETE),
        (bodies.Pass, other_close, None),
        (bodies.Act, time_out, None),
    ],
)
def test_two_files_name_the_host_that_told_two_stories(
    kind: type, other: object, alone: AuditVerdict | None
) -> None:
    sim = TableSim(3, seed=5)
    assert callable(other)
    forging = EntryForger(sim, when(kind, other), victims=[2])
    sim.rewrite = forging
    sim.run()
    assert forging.forged is not None
    number, lie = forging.forged
    one, two = sim.peers[1], sim.peers[2]
    assert one.genesis is not None
    assert two.genesis is not None
    # Each log on its own is valid up to the fork, and a little further.
    assert two.journal[number] == lie
    assert audit_bytes(one.file).entries > number
    assert audit_bytes(two.file).entries > number
    if alone is not None:
        assert audit_bytes(two.file).verdict is alone
        assert two.stopped is None
    proof = prove_fork((one.genesis, one.journal), (two.genesis, two.journal))
    assert proof is not None
    assert (proof.seat, proof.fault, proof.entry) == (0, Fault.EQUIVOCATION, number)
    assert prove_fork((one.genesis, one.journal), (one.genesis, one.journal[:-1])) is None
    for report in reports(sim, 0).values():
        assert blamed(report) <= {0, None}


def test_what_the_host_refused_and_takes_all_the_same_harms_nobody() -> None:
    """A seat that signs again signs the same, so no host can make it contradict itself."""
    sim = TableSim(4, seed=2)

    def refusing(peer: int, message: AtTable) -> Iterable[AtTable]:
        if not isinstance(message, Entries):
            return [message]
        refusals = [
            BodyRefusal(peer, body.counter, why, "not at all")
            for entry in message.entries
            if (body := entry.read().signed_body.read()).author == peer
            for why in ("stale-counter", "unknown-head", "illegal")
        ]
        return [*refusals, message]

    sim.rewrite = refusing
    sim.run()
    for report in reports(sim).values():
        assert report.verdict is AuditVerdict.VERIFIED
    kept = [output for output in sim.peers[1].outputs_done if isinstance(output, StoreSeed)]
    assert len({(each.open, each.label) for each in kept}) == len(kept)


def test_a_host_that_refuses_everything_gets_no_endless_work() -> None:
    sim = TableSim(3, seed=5)
    sent: list[int] = []

    def count(peer: SimPeer, message: AtTable) -> list[AtTable]:
        if isinstance(message, Submit):
            sent.append(message.body.read().counter)
        return [message]

    def refuse(peer: int, message: AtTable) -> Iterable[AtTable]:
        if peer != 1 or not isinstance(message, Entries):
            return [message]
        own = [BodyRefusal(1, counter, "stale-counter", "") for counter in sent]
        return [*own, message, *own]

    sim.peers[1].tamper = count
    sim.rewrite = refuse
    sim.run()
    reports(sim)
    assert len(sent) < 400


def test_a_host_that_copies_a_commitment_and_logs_its_own_first_is_the_one_named() -> None:
    sim = TableSim(3, seed=5)
    of_one: list[Submit] = []
    of_host: list[Submit] = []

    def victim(peer: SimPeer, message: AtTable) -> list[AtTable]:
        if isinstance(message, Submit) and isinstance(message.body.read().payload, bodies.Commit):
            of_one.append(message)
            return []
        if isinstance(message, Statements) and of_one and len(of_host) == 2:
            return [of_one.pop(), message]
        return [message]

    def host(peer: SimPeer, message: AtTable) -> list[AtTable]:
        if isinstance(message, Submit) and isinstance(message.body.read().payload, bodies.Commit):
            of_host.append(message)
            return []
        if isinstance(message, Statements) and of_one and of_host and len(of_host) == 1:
            copied = of_one[0].body.read().payload
            of_host.append(signed_with(peer, of_host[0].body.read(), payload=copied))
            return [of_host[1], message]
        return [message]

    sim.peers[1].tamper = victim
    sim.peers[0].tamper = host
    sim.run()
    assert len(of_host) == 2
    for report in reports(sim, 0).values():
        assert report.verdict is AuditVerdict.CHEATING
        assert {(each.seat, each.fault) for each in report.blame} == {(0, Fault.BAD_COMMITMENT)}


@pytest.mark.parametrize("phase", ["COMMIT", "PLAY", "REVEAL", "ATTEST"])
def test_a_host_that_pretends_silence_gets_no_more_than_a_void_round(phase: str) -> None:
    sim = TableSim(3, seed=5)

    def there() -> bool:
        current = None if sim.host_role is None else sim.host_role.replay.round
        return current is not None and current.number == 1 and current.phase.name == phase

    sim.run_until(there)
    assert sim.host_role is not None
    sim.host_role.link_down(1, sim.now)
    sim.run()
    found = reports(sim)
    assert found.pop(1).verdict is AuditVerdict.INCOMPLETE
    for report in found.values():
        # The report calls the round void, and calls no player a cheat.
        assert report.verdict is AuditVerdict.VERIFIED
        whole = [each.complete for each in report.rounds]
        assert all(whole) is (phase == "ATTEST")
        assert not blamed(report)
        # A player who has opened everything loses nothing by being dropped.
        assert (report.decided is Decided.CARDS) is (phase == "ATTEST")
        assert [each.seat for each in report.dropped] == [1]


def test_what_comes_after_the_close_is_not_even_kept() -> None:
    """Otherwise a host could make a verified journal unreadable."""
    sim = TableSim(2, seed=5)
    sim.run()
    last = sim.journal[-1].read()
    more = by_host(sim, replace(last, prev=sim.journal[-1].hash, seq=last.seq + 1), bodies.Leave())
    lie = by_host(sim, sim.journal[6].read(), bodies.TimeOut(0))
    peer = sim.peers[1]
    for message in (Entries(last.seq + 1, (more,)), Entries(6, (lie,)), Entries(10**6, (more,))):
        assert peer.seat_session.replica.receive(message) == []
    assert audit_bytes(peer.file).verdict is AuditVerdict.VERIFIED
