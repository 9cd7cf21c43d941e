"""One honest session, and what a test makes of everybody else at its table.

The log of the table is a `LogTable`: the test signs for all other seats and for the host.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from lanuno.log.bodies import HOST, Payload, SignedBody
from lanuno.log.duties import duties
from lanuno.table import messages
from lanuno.table.outputs import (
    Compute,
    KeepBody,
    KeepRelease,
    KeepSecret,
    Output,
    Sync,
)
from lanuno.table.recall import Recall, SeatRecall
from lanuno.table.release import Released
from lanuno.table.session import Session
from tests.harness.host_and_seats.seat_outputs import signed_bodies
from tests.harness.log_table.elections import signed_vote
from tests.harness.log_table.log_table import LogTable, identity

VICTIM = 1
"""Its mask comes right after that of the host, seat 0."""


class Honest:
    """The session of one seat at a table where everybody else lies, and what it puts on disk."""

    def __init__(self, table: LogTable, seat: int = VICTIM, recall: Recall | None = None) -> None:
        self.table = table
        self.session = Session(table.genesis, identity(seat), Random(seat).randbytes, recall)
        self.done: list[Output] = []
        self._do(self.session.begin())
        self._do(self.session.connected())

    def hear(self, *, firm: bool = False) -> list[SignedBody]:
        """Follow the table's log to its end; what the session then submits.

        `firm`: the host says besides that all of it is firm.
        """
        before = len(self.done)
        log, held = self.session.replay, self.table.entries
        common = 0
        while common < min(log.seq, len(held)) and log.hashes[common] == held[common].hash:
            common += 1
        if common < log.seq:
            self.session.disconnected()
            self._do(self.session.connected())
        self._do(self.session.receive(messages.Entries(common, tuple(held[common:]))))
        self._do(self.session.receive(messages.Entries(len(held), ())))
        if firm:
            self._do(self.session.receive(messages.Firm(len(held))))
        return signed_bodies(self.done[before:])

    def _do(self, todo: list[Output]) -> None:
        for output in todo:
            self.done.append(output)
            if isinstance(output, Sync):
                self._do(self.session.synced(output))
            elif isinstance(output, Compute):
                self._do(self.session.computed(output.job, output.work()))

    def recall(self) -> Recall:
        """What its program reads when it starts again."""
        seat = self.session.seat
        assert seat is not None
        seeds = {
            (each.open, each.label): each.secret
            for each in self.done
            if isinstance(each, KeepSecret)
        }
        signed = {each.counter: each.signed for each in self.done if isinstance(each, KeepBody)}
        released = [each for each in self.done if isinstance(each, KeepRelease)]
        last = max(released, key=lambda each: each.count, default=None)
        return Recall(
            self.table.genesis,
            tuple(self.session.entries),
            {seat: SeatRecall(seeds, signed, max(signed, default=-1) + 1)},
            released=None if last is None else Released(last.count, last.head),
        )


def payloads(said: list[SignedBody]) -> list[Payload]:
    return [signed.read().payload for signed in said]


def run_until(
    table: LogTable, victim: Honest, reached: Callable[[LogTable], bool], *, steps: int = 400
) -> None:
    """Everybody does what is due, the victim by its own program, until something is so."""
    for _ in range(steps):
        if reached(table):
            return
        for signed in victim.hear(firm=True):
            if not reached(table) and table.replay.next_counter(VICTIM) <= signed.read().counter:
                table.append(signed)
        owed = [duty for duty in duties(table.replay) if duty.seat != VICTIM]
        if reached(table):
            return
        if owed:
            table.say(owed[0].seat, table.duty(owed[0]))
        elif table.replay.between_rounds:
            table.say(HOST, table.boundary())
        elif table.replay.closed is not None:
            break
        elif not duties(table.replay):
            decide(table, victim)
    raise AssertionError("that never came to be")


def decide(table: LogTable, victim: Honest) -> None:
    """The seat that has to decide does so; the victim signs by itself."""
    if table.engine.decider != VICTIM:
        table.decide()
        return
    victim.hear(firm=True)
    seen = victim.session.view()
    assert seen is not None
    action = table.choose(table, VICTIM, seen.legal)
    [signed] = signed_bodies(victim.session.act(action))
    table.append(signed)


def elect_again(table: LogTable, term: int = 1) -> None:
    """The sitting host stands again, and everybody but the victim votes for it."""
    replay = table.replay
    voters = [seat for seat in replay.owners if seat != VICTIM]
    votes = [signed_vote(replay, seat, replay.host, term) for seat in voters]
    entry, _ = replay.elect(votes, replay.times.ms, identity(replay.host))
    table.entries.append(entry)
