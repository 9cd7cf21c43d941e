"""Automatic steps: which of them begin, how often, and the jobs whose results still count."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lanuno.log.audit.audit import audit_bytes
from lanuno.log.format import bodies
from lanuno.log.format.bodies import Body, sign_body
from lanuno.log.format.transcript import write
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.table import messages
from tests.harness.host_and_seats.small_table import SmallTable, SmallTableSeat


def at_work(deal: int, taken: int) -> Callable[[SmallTable], bool]:
    """Whether `taken` steps of a deal of round 1 are logged, and the next is being computed."""

    def reached(table: SmallTable) -> bool:
        current = table.host_role.replay.round
        if current is None or current.number != 1 or current.deal is None:
            return False
        due = (current.deal.number, len(current.deal.accepted)) == (deal, taken)
        return due and bool(worker(table).jobs)

    return reached


def worker(table: SmallTable) -> SmallTableSeat:
    """Return the seat that has to do the next step."""
    current = table.host_role.replay.round
    assert current is not None
    assert current.deal is not None
    assert current.deal.expected is not None
    return table.seats[current.deal.expected[1]]


def goes(table: SmallTable, place: SmallTableSeat) -> None:
    """Let a player leave for good, and the other players recover its seed."""
    table.do(place, place.running.leave())
    table.run(lambda each: place.number in each.host_role.replay.dropped)
    table.kill(place)

    def recovered(each: SmallTable) -> bool:
        current = each.host_role.replay.round
        return current is not None and current.deal is not None and current.deal.number == 1

    table.run(recovered)


@pytest.mark.parametrize("taken", range(8))
def test_a_step_of_a_deal_that_was_given_up_is_no_step_of_the_next(taken: int) -> None:
    """The log asks the same seat for another step; the old result would blame an honest seat."""
    table = SmallTable(4, 4).run(at_work(0, taken))
    place = worker(table)
    job = place.jobs.popleft()
    goes(table, table.seats[1 if place.number == 3 else 3])
    while place.to_seat:
        table.deliver(place)
    table.do(place, place.running.job_done(job.job, job.work()))
    table.run()
    report = audit_bytes(write(table.genesis, table.journal))
    assert report.blame == ()
    assert table.host_role.replay.summaries[1].counted


def test_an_audit_that_has_not_seen_a_fault_is_made_again() -> None:
    """Otherwise an honest seat would attest that a provably faulty round is sound."""

    def auditing(each: SmallTable) -> bool:
        current = each.host_role.replay.round
        there = current is not None and (current.number, current.phase) == (1, ProtocolPhase.ATTEST)
        return there and bool(each.seats[0].jobs)

    table = SmallTable(3, 4).run(auditing)
    place, cheat = table.seats[0], table.seats[2]
    job = place.jobs.popleft()
    result = job.work()
    replay = table.host_role.replay
    counter = replay.next_counter(2)
    for port in (1, 2):
        body = Body(replay.table_id, 1, 2, counter, replay.head, bodies.Listen(port))
        said = messages.Submit(sign_body(body, cheat.identity))
        table._do_host(table.host_role.receive(cheat.link, said, table.now))
    assert replay.round is not None
    assert [fault.seat for fault in replay.round.faults] == [2]
    while place.to_seat:
        table.deliver(place)
    table.do(place, place.running.job_done(job.job, result))
    table.run()
    attests = [
        body.payload.blamed
        for entry in table.journal
        if (body := entry.read().signed_body.read()).round == 1
        and isinstance(body.payload, bodies.Attest)
        and body.author == 0
    ]
    assert attests == [(2,)]
    assert replay.can_continue
