"""A seat's automatic steps: which of them begin now, and the jobs that run for them.

This is bookkeeping over the public log: the seat keys make the payloads, and `seat.py` signs them.
A job that runs outside the event loop is bound to the state in which it began. By the time it is
done, another deal may have replaced its deal, and a result that is right for one deal would be a
proven fault in the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from lanuno.log.format.bodies import Payload
from lanuno.log.replay.due_steps import AutomaticStep, AutomaticStepKind, automatic_steps
from lanuno.log.replay.replay import Replay
from lanuno.table.outputs import RunJob

MOST_TRIES = 8
"""How often one payload is signed at most, so that a host that refuses everything causes no endless
work."""

Basis = tuple[object, ...]
"""The parts of the log that a job reads."""


@dataclass(frozen=True, slots=True, repr=False)
class RunningJob:
    """A job that runs for an automatic step."""

    step: AutomaticStep
    basis: Basis
    finish: Callable[[object], Payload]
    """Makes the payload from the job's result."""

    def holds(self, replay: Replay) -> bool:
        """Whether the job's result is still the step that the log waits for."""
        return self.step in automatic_steps(replay) and self.basis == _basis(replay, self.step)


def _basis(replay: Replay, step: AutomaticStep) -> Basis:
    """Return the parts of the log that the job for a due step reads."""
    current = replay.round
    assert current is not None
    deal = current.deal
    if step.kind is not AutomaticStepKind.PASS or deal is None:
        # An audit reads the whole round, and every fault proven in it so far.
        return (current.open_hash, current.reveal_hash, tuple(current.faults))
    return (current.open_hash, deal.number, deal.order, deal.locked, len(deal.accepted), deal.input)


class AutomaticSteps:
    """The automatic steps that one seat has begun, and since when each is due."""

    def __init__(self, job_numbers: Iterator[int]) -> None:
        """Start without steps. `job_numbers`: shared with the node's other seats."""
        self._since: dict[AutomaticStep, int] = {}
        self._begun: set[AutomaticStep] = set()
        self._tries: dict[AutomaticStep, int] = {}
        self._jobs: dict[int, RunningJob] = {}
        self._job_numbers = job_numbers

    def __repr__(self) -> str:
        return f"AutomaticSteps({len(self._begun)} begun, {len(self._jobs)} jobs)"

    def begin(
        self,
        replay: Replay,
        seat: int,
        releasable: int,
        *,
        able: Callable[[AutomaticStep], bool],
        complains: Callable[[], bool] = bool,
    ) -> list[AutomaticStep]:
        """Begin the steps of a seat that are due, permitted now and not under way; return them.

        `releasable`: number of entries for which secrets may be released.
        `able`: called for a step that is permitted; whether the seat has what it needs. If not, it
        is asked again later.
        `complains`: called when a pass is due; whether the seat will publish a complaint instead.
        """
        due = {step: self._since.get(step, replay.seq) for step in automatic_steps(replay)}
        self._since = due
        self._begun &= set(due)
        self._tries = {step: tries for step, tries in self._tries.items() if step in due}
        found: list[AutomaticStep] = []
        for step, since in due.items():
            tries = self._tries.get(step, 0)
            if step.seat != seat or step in self._begun or tries >= MOST_TRIES:
                continue
            early = releasable < since
            if (early and step.releases) or not able(step):
                continue
            if early and step.kind is AutomaticStepKind.PASS and complains():
                continue
            self._begun.add(step)
            self._tries[step] = tries + 1
            found.append(step)
        return found

    def due_at(self, steps: Iterable[AutomaticStep]) -> int:
        """Return the number of entries in the log when the last of these steps became due."""
        return max(self._since[step] for step in steps)

    def mark_begun(self, steps: Iterable[AutomaticStep]) -> None:
        """Note that these steps are under way already."""
        self._begun.update(steps)

    def mark_undone(self, steps: Iterable[AutomaticStep]) -> None:
        """Note that these steps were not done. A step that is still due begins again."""
        self._begun.difference_update(steps)

    def keep_jobs_only(self) -> None:
        """Forget which steps were submitted; keep only those with a running job."""
        self._begun = {job.step for job in self._jobs.values()}

    def clear(self) -> None:
        """Forget everything, because an end of the log was given up."""
        for each in (self._since, self._begun, self._tries, self._jobs):
            each.clear()

    # ---- jobs -------------------------------------------------------------------------------

    def compute(
        self,
        replay: Replay,
        step: AutomaticStep,
        work: Callable[[], object],
        finish: Callable[[object], Payload],
    ) -> RunJob:
        """Begin a job for a step that is due."""
        number = next(self._job_numbers)
        self._jobs[number] = RunningJob(step, _basis(replay, step), finish)
        return RunJob(number, work)

    def job_done(self, number: int) -> RunningJob | None:
        """Remove and return a finished job; None if it is no longer needed."""
        return self._jobs.pop(number, None)

    def discard(self, job: RunningJob) -> None:
        """Discard a job whose result no longer fits. A step that is still due begins again."""
        if all(each.step != job.step for each in self._jobs.values()):
            self._begun.discard(job.step)
