"""A seat's automatic steps: which of them are to be begun now, and the work that runs for them.

Bookkeeping over the public log: what a step publishes is made by the keyring, and what is signed
`session.py` decides. Whatever is computed beside the event loop is bound to what it was begun from:
by the time it is done another deal may have taken the place of this one, and what is right for the
one would be a proven fault in the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from lanuno.log.bodies import Payload
from lanuno.log.duties import Duty, DutyKind, duties
from lanuno.log.replay import Replay
from lanuno.table.outputs import Compute

MOST_TRIES = 8
"""So often is one thing signed anew: a host that refuses everything gets no endless work."""

WITHOUT_SECRETS = (DutyKind.COMMIT, DutyKind.ATTEST)
"""Steps for which nothing need be known of what this seat committed to."""

Basis = tuple[object, ...]
"""All of the log that a piece of work reads."""


@dataclass(frozen=True, slots=True, repr=False)
class Job:
    """Work under way."""

    duty: Duty
    basis: Basis
    finish: Callable[[object], Payload]
    """What to publish for its result."""

    def holds(self, replay: Replay) -> bool:
        """Whether its result is the step that the log waits for now."""
        return self.duty in duties(replay) and self.basis == _basis(replay, self.duty)


def _basis(replay: Replay, duty: Duty) -> Basis:
    """What the work for a duty that is due reads of the log."""
    current = replay.round
    assert current is not None
    deal = current.deal
    if duty.kind is not DutyKind.PASS or deal is None:
        # An audit: of the whole round, and of every fault that was proven in it so far.
        return (current.open_hash, current.last_head, tuple(current.faults))
    return (current.open_hash, deal.number, deal.order, deal.locked, len(deal.taken), deal.input)


class Chores:
    """What one seat has begun, and since when it is due."""

    def __init__(self) -> None:
        """Nothing is under way."""
        self._since: dict[Duty, int] = {}
        self._begun: set[Duty] = set()
        self._tries: dict[Duty, int] = {}
        self._jobs: dict[int, Job] = {}
        self._job = 0

    def __repr__(self) -> str:
        return f"Chores({len(self._begun)} begun, {len(self._jobs)} jobs)"

    def begin(
        self,
        replay: Replay,
        seat: int,
        sure: int,
        *,
        ready: bool,
        complains: Callable[[], bool] = bool,
        shares: Callable[[int], bool] = bool,
    ) -> list[Duty]:
        """The steps of a seat that may be done now and are not under way: now they are.

        `sure`: number of entries for which secrets may be released. `ready`: whether the
        seat knows what it committed to; a program whose private file is gone does not, and can do
        no more than that.
        `complains`: asked when a pass is due, whether the seat will publish a key instead.
        `shares`: asked for a lost seat, whether its share may be given; it is asked again later.
        """
        due = {duty: self._since.get(duty, replay.seq) for duty in duties(replay)}
        self._since = due
        self._begun &= set(due)
        self._tries = {duty: tries for duty, tries in self._tries.items() if duty in due}
        found: list[Duty] = []
        for duty, since in due.items():
            tries = self._tries.get(duty, 0)
            if duty.seat != seat or duty in self._begun or tries >= MOST_TRIES:
                continue
            if duty.kind not in WITHOUT_SECRETS and not ready:
                continue
            complaint = duty.kind is DutyKind.PASS and sure < since and complains()
            if sure < since and (duty.releases or complaint):
                continue
            if duty.kind is DutyKind.SHARE and not shares(duty.item):
                continue
            self._begun.add(duty)
            self._tries[duty] = tries + 1
            found.append(duty)
        return found

    def asked(self, some: Iterable[Duty]) -> int:
        """Number of entries when the last of these became due."""
        return max(self._since[duty] for duty in some)

    def under_way(self, some: Iterable[Duty]) -> None:
        """These are being done already."""
        self._begun.update(some)

    def undone(self, some: Iterable[Duty]) -> None:
        """These were not done: whatever is still due is begun again."""
        self._begun.difference_update(some)

    def only_work(self) -> None:
        """Nothing is known of what was said; only the work under way goes on."""
        self._begun = {job.duty for job in self._jobs.values()}

    def forget(self) -> None:
        """The log is another one."""
        for each in (self._since, self._begun, self._tries, self._jobs):
            each.clear()

    # ---- work -------------------------------------------------------------------------------

    def compute(
        self,
        replay: Replay,
        duty: Duty,
        work: Callable[[], object],
        finish: Callable[[object], Payload],
    ) -> Compute:
        """Begin a piece of work for a step that is due."""
        self._job += 1
        self._jobs[self._job] = Job(duty, _basis(replay, duty), finish)
        return Compute(self._job, work)

    def computed(self, number: int) -> Job | None:
        """A piece of work is done; None if nobody waits for it."""
        return self._jobs.pop(number, None)

    def void(self, job: Job) -> None:
        """What a piece of work gave is of no use: its step, if it is still due, is begun again."""
        if all(each.duty != job.duty for each in self._jobs.values()):
            self._begun.discard(job.duty)
