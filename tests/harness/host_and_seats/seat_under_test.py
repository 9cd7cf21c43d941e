"""One honest session at a table where the test plays every other seat and the host.

The log of the table is a `LogTable`, in which the test signs for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from lanuno.log.format.bodies import HOST, Payload, SignedBody
from lanuno.log.replay.due_steps import automatic_steps
from lanuno.table import messages
from lanuno.table.outputs import (
    Output,
    RunJob,
    StoreBody,
    StoreRelease,
    StoreSeed,
    SyncJournal,
)
from lanuno.table.recovery import RecoveredSeat, RecoveredState
from lanuno.table.released_secrets import Released
from tests.harness.host_and_seats.one_seat import one_seat
from tests.harness.host_and_seats.seat_outputs import signed_bodies
from tests.harness.log_table.elections import signed_vote
from tests.harness.log_table.log_table import LogTable, identity

VICTIM = 1
"""The seat under test. Its mask follows that of the host, seat 0."""


class SeatUnderTest:
    """The session of one seat at a table where all other seats lie, and the data that it writes."""

    def __init__(
        self, table: LogTable, seat: int = VICTIM, recovered: RecoveredState | None = None
    ) -> None:
        self.table = table
        self.session = one_seat(table.genesis, identity(seat), Random(seat).randbytes, recovered)
        self.outputs_done: list[Output] = []
        self._do(self.session.replica.begin())
        self._do(self.session.replica.connected())

    def follow_log(self, *, final: bool = False) -> list[SignedBody]:
        """Follow the table's log to its end; return what the session then submits.

        `final`: all owners have also acknowledged all of it.
        """
        before = len(self.outputs_done)
        log, held = self.session.replay, self.table.entries
        common = 0
        while common < min(log.seq, len(held)) and log.hashes[common] == held[common].hash:
            common += 1
        if common < log.seq:
            self.session.replica.disconnected()
            self._do(self.session.replica.connected())
        self._do(self.session.replica.receive(messages.Entries(common, tuple(held[common:]))))
        self._do(self.session.replica.receive(messages.Entries(len(held), ())))
        if final:
            self._do(self.session.replica.certified(len(held)))
        return signed_bodies(self.outputs_done[before:])

    def _do(self, todo: Sequence[Output]) -> None:
        for output in todo:
            self.outputs_done.append(output)
            if isinstance(output, SyncJournal):
                self._do(self.session.replica.synced(output))
            elif isinstance(output, RunJob):
                self._do(self.session.job_done(output.job, output.work()))

    def recovered_state(self) -> RecoveredState:
        """Return what the seat's program reads after a restart."""
        seat = self.session.seat
        assert seat is not None
        seeds = {
            (each.open, each.label): each.secret
            for each in self.outputs_done
            if isinstance(each, StoreSeed)
        }
        signed = {
            each.counter: each.signed for each in self.outputs_done if isinstance(each, StoreBody)
        }
        released = [each for each in self.outputs_done if isinstance(each, StoreRelease)]
        last = max(released, key=lambda each: each.count, default=None)
        return RecoveredState(
            self.table.genesis,
            tuple(self.session.replica.entries),
            {seat: RecoveredSeat(seeds, signed, max(signed, default=-1) + 1)},
            released=None if last is None else Released(last.count, last.head),
        )


def payloads(said: list[SignedBody]) -> list[Payload]:
    return [signed.read().payload for signed in said]


def run_until(
    table: LogTable, victim: SeatUnderTest, reached: Callable[[LogTable], bool], *, steps: int = 400
) -> None:
    """Let all seats take due steps, the victim by its own program, until a condition holds."""
    for _ in range(steps):
        if reached(table):
            return
        for signed in victim.follow_log(final=True):
            if not reached(table) and table.replay.next_counter(VICTIM) <= signed.read().counter:
                table.append(signed)
        owed = [step for step in automatic_steps(table.replay) if step.seat != VICTIM]
        if reached(table):
            return
        if owed:
            table.add(owed[0].seat, table.payload_for(owed[0]))
        elif table.replay.between_rounds:
            table.add(HOST, table.host_payload())
        elif table.replay.closed is not None:
            break
        elif not automatic_steps(table.replay):
            decide(table, victim)
    raise AssertionError("that never came to be")


def decide(table: LogTable, victim: SeatUnderTest) -> None:
    """Let the deciding seat act; the victim signs its own act."""
    if table.engine.decider != VICTIM:
        table.decide()
        return
    victim.follow_log(final=True)
    seen = victim.session.view()
    assert seen is not None
    action = table.choose(table, VICTIM, seen.legal)
    [signed] = signed_bodies(victim.session.act(action))
    table.append(signed)


def elect_again(table: LogTable, term: int = 1) -> None:
    """Elect the present host again, with the votes of all seats but the victim."""
    replay = table.replay
    voters = [seat for seat in replay.owners if seat != VICTIM]
    votes = [signed_vote(replay, seat, replay.host, term) for seat in voters]
    entry, _ = replay.elect(votes, replay.times.ms, identity(replay.host))
    table.entries.append(entry)
