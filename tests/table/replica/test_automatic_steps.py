"""Automatic steps: which of them begin, how often, and the jobs whose results still count."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import pytest

from lanuno.dealing.group import unpack
from lanuno.log.audit.audit import audit_bytes
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST, Body, sign_body
from lanuno.log.format.transcript import write
from lanuno.log.replay.due_steps import AutomaticStep, AutomaticStepKind, automatic_steps
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.table import messages
from lanuno.table.replica.automatic_steps import MOST_TRIES, AutomaticSteps, RunningJob
from tests.harness.host_and_seats.small_table import SmallTable, SmallTableSeat
from tests.harness.log_table.log_table import LogTable, new_table
from tests.harness.log_table.moments import is_due

ME = 1


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


# ---- which steps begin --------------------------------------------------------------------------


def anything(step: AutomaticStep) -> bool:
    del step
    return True


def due(kind: AutomaticStepKind, number: int, players: int = 3) -> LogTable:
    """Return a table at which the seat has to take an automatic step in round `number`."""
    return new_table(players).run(is_due(kind, number, ME))


def begin(steps: AutomaticSteps, table: LogTable, releasable: int | None = None) -> list[str]:
    """Begin the steps of a seat that has its secrets; by default all entries are final."""
    final = table.replay.seq if releasable is None else releasable
    return [each.kind.name for each in steps.begin(table.replay, ME, final, able=anything)]


def test_a_seat_begins_its_own_due_steps_once() -> None:
    table = due(AutomaticStepKind.COMMIT, 0)
    steps = AutomaticSteps(count(1))
    [step] = steps.begin(table.replay, ME, 0, able=anything)
    assert step == AutomaticStep(ME, AutomaticStepKind.COMMIT, 0)
    assert begin(steps, table) == []
    table.step()
    assert begin(steps, table) == [], "the step is still under way"


def test_a_step_that_is_due_in_the_next_round_again_begins_again() -> None:
    table = due(AutomaticStepKind.COMMIT, 0)
    steps = AutomaticSteps(count(1))
    assert begin(steps, table) == ["COMMIT"]
    table.run(lambda each: each.replay.number == 1)
    assert begin(steps, table) == ["COMMIT"]


@pytest.mark.parametrize(
    ("kind", "number"),
    [(AutomaticStepKind.UNLOCK, 1), (AutomaticStepKind.REVEAL, 0)],
)
def test_a_secret_waits_until_the_entry_that_asks_for_it_is_releasable(
    kind: AutomaticStepKind, number: int
) -> None:
    table = due(kind, number)
    asked = table.replay.seq
    steps = AutomaticSteps(count(1))
    assert begin(steps, table, asked - 1) == []
    # Later entries do not delay it, and it is still due since the same entry.
    other = next(each for each in automatic_steps(table.replay) if each.seat != ME)
    table.add(other.seat, table.payload_for(other))
    assert begin(steps, table, asked - 1) == []
    begun = steps.begin(table.replay, ME, asked, able=anything)
    assert {each.kind for each in begun} == {kind}
    assert steps.due_at(begun) == asked


@pytest.mark.parametrize("kind", [AutomaticStepKind.COMMIT, AutomaticStepKind.PASS])
def test_a_step_that_reveals_no_secret_does_not_wait(kind: AutomaticStepKind) -> None:
    assert begin(AutomaticSteps(count(1)), due(kind, 0), 0) == [kind.name]


def test_a_complaint_instead_of_a_pass_waits_because_it_publishes_a_key() -> None:
    table = due(AutomaticStepKind.PASS, 0)
    asked = table.replay.seq
    steps = AutomaticSteps(count(1))
    assert steps.begin(table.replay, ME, asked - 1, able=anything, complains=lambda: True) == []
    [step] = steps.begin(table.replay, ME, asked, able=anything, complains=lambda: True)
    assert step.kind is AutomaticStepKind.PASS


def test_a_host_that_refuses_everything_gets_a_step_only_so_often() -> None:
    table = due(AutomaticStepKind.COMMIT, 0)
    steps = AutomaticSteps(count(1))
    begun = []
    for _ in range(MOST_TRIES + 5):
        tried = steps.begin(table.replay, ME, table.replay.seq, able=anything)
        begun += tried
        steps.mark_undone(tried)
    assert len(begun) == MOST_TRIES == 8
    table.run(lambda each: each.replay.number == 1)
    assert begin(steps, table) == ["COMMIT"], "another step has tries of its own"


def test_a_share_is_asked_about_until_it_may_be_given() -> None:
    table = due(AutomaticStepKind.UNLOCK, 0, players=4)
    table.drop(3)
    steps, asked = AutomaticSteps(count(1)), []

    def able(step: AutomaticStep) -> bool:
        asked.append(step.item)
        return len(asked) > 2 * MOST_TRIES

    final = table.replay.seq
    for _ in range(2 * MOST_TRIES):
        assert steps.begin(table.replay, ME, final, able=able) == []
    [step] = steps.begin(table.replay, ME, final, able=able)
    assert (step.kind, step.item) == (AutomaticStepKind.SHARE, 3)
    assert set(asked) == {3}


def test_a_share_is_not_given_before_the_drop_is_releasable() -> None:
    table = due(AutomaticStepKind.UNLOCK, 0, players=4)
    table.drop(3)
    steps, final = AutomaticSteps(count(1)), table.replay.seq
    for releasable, kinds in ((final - 1, []), (final, [AutomaticStepKind.SHARE])):
        begun = steps.begin(table.replay, ME, releasable, able=lambda step: step.item == 3)
        assert [each.kind for each in begun] == kinds


def test_a_step_that_was_marked_as_begun_does_not_begin() -> None:
    table = due(AutomaticStepKind.COMMIT, 0)
    steps = AutomaticSteps(count(1))
    steps.mark_begun(automatic_steps(table.replay))
    assert begin(steps, table) == []


# ---- jobs ---------------------------------------------------------------------------------------


def passing() -> tuple[LogTable, AutomaticSteps, AutomaticStep]:
    """Return a table at which the seat has begun its mask."""
    table = due(AutomaticStepKind.PASS, 1)
    steps = AutomaticSteps(count(5))
    [step] = steps.begin(table.replay, ME, table.replay.seq, able=anything)
    return table, steps, step


def attest(result: object) -> bodies.Payload:
    assert isinstance(result, bytes)
    return bodies.Attest(result, ())


def test_a_job_is_numbered_and_finished_once() -> None:
    table, steps, step = passing()
    output = steps.compute(table.replay, step, lambda: b"result", attest)
    assert output.job == 5
    job = steps.job_done(output.job)
    assert job is not None
    assert job.step == step
    assert job.finish(output.work()) == bodies.Attest(b"result", ())
    assert steps.job_done(output.job) is None
    assert steps.job_done(99) is None


def test_the_sessions_of_a_node_number_their_jobs_together() -> None:
    table, _, step = passing()
    numbers = count(1)
    one, two = AutomaticSteps(numbers), AutomaticSteps(numbers)
    jobs = [each.compute(table.replay, step, bytes, attest).job for each in (one, two, one)]
    assert jobs == [1, 2, 3]
    assert two.job_done(1) is None, "a job of the other session"


def test_the_result_of_a_pass_holds_only_while_the_log_waits_for_this_pass() -> None:
    table, steps, step = passing()
    other = table.fork()
    job = steps.job_done(steps.compute(table.replay, step, bytes, attest).job)
    assert job is not None
    assert job.holds(table.replay)
    assert job.holds(other.replay), "the same log on another replay"
    other.add(2, bodies.Listen(4000))
    assert job.holds(other.replay), "a body outside the deal changes nothing"
    table.add(ME, table.take_pass(ME))
    assert not job.holds(table.replay)


def test_the_result_of_a_pass_does_not_hold_for_another_input() -> None:
    """The step is the same on a fork, but the list that it permutes is not."""
    table, steps, step = passing()
    job = steps.job_done(steps.compute(table.replay, step, bytes, attest).job)
    assert job is not None
    other = table.fork(-1)
    honest = other.take_pass(0)
    points = unpack(honest.points, other.log.deals[0].size)
    shifted = b"".join([*points[1:], points[0]])
    other.add(0, bodies.Pass(honest.deal, honest.step, shifted, honest.keys))
    assert step in automatic_steps(other.replay)
    assert not job.holds(other.replay)


def auditing() -> tuple[LogTable, AutomaticStep, RunningJob]:
    """Return a table at which the seat has finished the audit of a round."""
    table = due(AutomaticStepKind.ATTEST, 0)
    steps = AutomaticSteps(count(1))
    [step] = steps.begin(table.replay, ME, table.replay.seq, able=anything)
    job = steps.job_done(steps.compute(table.replay, step, bytes, attest).job)
    assert job is not None
    assert job.holds(table.replay)
    return table, step, job


def test_an_audit_does_not_hold_once_a_fault_is_proven() -> None:
    table, step, job = auditing()
    one, two = (table.signed(2, bodies.Listen(port)) for port in (1, 2))
    table.add(HOST, bodies.Expose(one.body, one.signature, two.body, two.signature))
    assert step in automatic_steps(table.replay)
    assert not job.holds(table.replay)


def test_an_audit_does_not_hold_once_the_seat_has_attested() -> None:
    table, _, job = auditing()
    table.add(2, table.attest(2))
    assert job.holds(table.replay)
    table.add(ME, table.attest(ME))
    assert not job.holds(table.replay)


def test_a_discarded_job_lets_its_step_begin_again_unless_another_one_runs_for_it() -> None:
    table, steps, step = passing()
    first, second = (steps.compute(table.replay, step, bytes, attest).job for _ in range(2))
    one = steps.job_done(first)
    assert one is not None
    steps.discard(one)
    assert begin(steps, table) == []
    two = steps.job_done(second)
    assert two is not None
    steps.discard(two)
    assert begin(steps, table) == ["PASS"]


def test_after_a_lost_connection_only_steps_with_a_job_are_under_way() -> None:
    table, steps, step = passing()
    steps.compute(table.replay, step, bytes, attest)
    steps.keep_jobs_only()
    assert begin(steps, table) == []
    submitted = AutomaticSteps(count(1))
    assert begin(submitted, table) == ["PASS"]
    submitted.keep_jobs_only()
    assert begin(submitted, table) == ["PASS"]


def test_a_rewind_forgets_steps_jobs_and_tries() -> None:
    table, steps, step = passing()
    job = steps.compute(table.replay, step, bytes, attest).job
    for _ in range(MOST_TRIES):
        steps.mark_undone([step])
        begin(steps, table)
    steps.clear()
    assert steps.job_done(job) is None
    assert begin(steps, table) == ["PASS"]
