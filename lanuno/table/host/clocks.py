"""Everything about a table that depends on time: who is late, who is gone, what must wait.

Only `role.py` uses this module. It reads the public state and the clock and answers questions; it
makes no entries. `now`, and the times that are returned, are of the monotonic clock. The times
stored here are in counted time (`counted_time.py`), which stands still without a quorum and leaves
out the time in which the host's program did not run. After `update`, `deadline` returns a time in
the future, unless the host has something to do immediately.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection

from msgspec import Struct

from lanuno.log.format import bodies
from lanuno.log.format.bodies import Body, DropReason
from lanuno.log.replay.due_steps import AutomaticStep, AutomaticStepKind, automatic_steps
from lanuno.log.replay.replay import Replay
from lanuno.log.replay.times import PendingSettlement, TimedDecision
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.engine.actions import Catch, Draw, Play
from lanuno.rules.engine.manners import Matter
from lanuno.rules.engine.question import question_answered
from lanuno.rules.engine.round import Round
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.ruleset import Ruleset
from lanuno.table.host.counted_time import CountedTime
from lanuno.table.host.finality import Finality
from lanuno.table.host.grace import CLAIM_SECONDS, AbsenceTimer
from lanuno.table.succession.reach_attempts import LONGEST_SECONDS

MARGIN = 0.005
"""Seconds that the host waits beyond what the log demands. Entry times are cut to milliseconds, and
that must not make a step of the clock appear too early."""

WAIT_TOLERANCE_SECONDS = 1.0
"""How far the end of a wait may move before it is announced again."""


class Pace(Struct, frozen=True):
    """Times of a table that are not rules of the game."""

    step: float = 5.0
    """Seconds for an automatic step, after which the seat counts as missing."""
    claim: float | None = CLAIM_SECONDS
    """Seconds of silence after which the host claims automatically; None if its person decides."""


class _Wait(Struct):
    """An automatic step that the table waits for."""

    asked: int
    """Number of entries in the log when the step became due."""
    since: float | None = None
    """When its time began: when the step became due or, for a release, when the log up to then (the
    first `asked` entries) became final."""


class _Turn(Struct):
    """A decision that the table waits for."""

    asked: TimedDecision
    since: float
    ends: float | None = None
    """None without a clock, or while the entry that asks for a hand is not final."""


class Clocks:
    """The clocks of one table."""

    def __init__(self, replay: Replay, pace: Pace, finality: Finality) -> None:
        """`replay` and `finality` are the host role's, which changes them."""
        self._replay = replay
        self._pace = pace
        self._finality = finality
        self._due: dict[AutomaticStep, _Wait] = {}
        self._not_final: deque[tuple[int, float]] = deque()
        self._seen_count = 0
        self._time = CountedTime()
        self._grace = AbsenceTimer(replay, finality, pace.claim)
        self._paused: float | None = None
        self._turn: _Turn | None = None
        self._uno: tuple[int, int] | None = None
        self._uno_since = 0.0
        self._reported: tuple[tuple[int, ...], float] = (), 0.0
        """The seats and the end of the wait that were last announced."""
        self._matters: dict[Matter, tuple[PendingSettlement, float]] = {}

    # ---- inputs -----------------------------------------------------------------------------

    def lost(
        self, seat: int, now: float, reason: DropReason = DropReason.LOST, *, quiet: bool = False
    ) -> None:
        """The connection of a seat ended, or was closed because of an attack.

        `quiet`: whether there was no sign that the network works.
        """
        self._grace.lost(seat, self._time.at(now), reason, quiet=quiet)

    def returned(self, seat: int, now: float) -> None:
        """The node of a seat is in contact again; the seat keeps the rest of its grace time.

        A seat that is missing because of a late automatic step has to do the step: contact alone is
        not enough.
        """
        if self._grace.seats.get(seat) is DropReason.LOST:
            self._grace.returned(seat, self._time.at(now))

    def quorum(self, now: float, *, stands: bool) -> None:
        """Stop the counted time without a quorum, and resume it with one (`stands`).

        A regained quorum gives every absent owner new time to return. So does the first quorum of a
        host: the owners that were back first elected it, and the grace time of the rules may be too
        short for the others.
        """
        if not stands:
            self._time.pause(now)
        elif self._time.resume(now):
            self._grace.restart(self._time.at(now))

    def paused(self, seconds: float, now: float) -> None:
        """Leave out `seconds` until now, in which the host's program did not run."""
        self._time.skip(seconds, now)
        self._grace.restart(self._time.at(now))

    def claim(self, now: float) -> None:
        """End the wait for the claimable seats, as the person at the host decided."""
        self._grace.claim(self._time.at(now))

    def update(self, now: float) -> None:
        """Bring every clock up to the present state of the table."""
        at = self._time.at(now)
        self._update_finality(at)
        self._update_automatic_steps(at)
        self._update_turn(at)
        seat = None if self._engine is None else self._engine.uno_owed
        owed = None if seat is None else (self._replay.number, seat)
        if owed != self._uno:
            self._uno, self._uno_since = owed, at
        self._update_matters(at)
        self._update_pause(at)

    # ---- questions --------------------------------------------------------------------------

    def at(self, now: float) -> float:
        """Return the counted time at `now`."""
        return self._time.at(now)

    def when(self, moment: float) -> float:
        """Convert a counted time to the monotonic clock; infinite while counted time stands."""
        return self._time.when(moment)

    def deadline(
        self, now: float, held: Collection[int] = (), *, drops: bool = True
    ) -> float | None:
        """Return the next time at which an answer may change by time alone.

        `held`: seats with a delayed body; such a seat has decided in time. `drops`: whether the end
        of a grace time has consequences now.
        """
        if self._time.stopped:
            return None
        moments = [
            wait.since + self._time_for(step)
            for step, wait in self._due.items()
            if wait.since is not None and self._awaited(step.seat)
        ]
        if self._not_final:
            count, since = self._not_final[0]
            if any(map(self._awaited, self._finality.missing_owners(count))):
                moments.append(since + self._pace.step)
        if drops:
            moments += self._grace.moments(self._time.at(now))
        turn = self._turn
        runs = turn is not None and turn.asked.seat not in held and not self._grace
        if turn is not None and turn.ends is not None and runs:
            moments.append(turn.ends)
        if not self._grace and self._may_settle:
            moments += [ends for _, ends in self._matters.values()]
        return self._time.when(min(moments)) if moments else None

    def held_until(self, body: Body, now: float) -> float | None:
        """Return until when a body is delayed because a seat owes "UNO"; None if it is not.

        The beginning of the next turn waits until the time is over, or "UNO" is said or caught. A
        catch waits until it counts. The result is infinite while the counted time stands still.
        """
        self.update(now)
        engine = self._engine
        if self._uno is None or engine is None or not isinstance(body.payload, bodies.Act):
            return None
        action = body.payload.action
        begins = (
            isinstance(action, Play | Draw)
            and engine.phase is not RoundPhase.DRAWN
            and question_answered(engine, body.author, action) is None
        )
        if not isinstance(action, Catch) and not begins:
            return None
        wait = self._rules.uno_hold_ms if begins else self._rules.uno_catch_ms
        until = self._uno_since + wait / 1000
        return self._time.when(until) if self._time.at(now) < until else None

    @property
    def waits_for_lost(self) -> bool:
        """Whether the table waits for a missing seat."""
        return bool(self._grace)

    def gone(self, now: float) -> tuple[int, DropReason] | None:
        """Return a seat to drop because its wait is over, and the reason; None if there is none."""
        return self._grace.gone(self._time.at(now))

    def claimable(self, now: float) -> tuple[int, ...]:
        """Return the seats for which the person at the host may end the wait."""
        return self._grace.claimable(self._time.at(now))

    def expired_decision(self, now: float, held: Collection[int] = ()) -> int | None:
        """Return the decision whose time is over, if any, unless its body is among the delayed."""
        turn = self._turn
        if turn is None or turn.ends is None or turn.asked.seat in held or self._grace:
            return None
        return turn.asked.decision if self._time.at(now) >= turn.ends else None

    def to_settle(self, now: float) -> Matter | None:
        """Return the matter whose time is over, for the host to settle now, if any."""
        if self._grace or not self._may_settle:
            return None
        for matter, (_, ends) in self._matters.items():
            if self._time.at(now) >= ends:
                return matter
        return None

    def waiting(self, now: float) -> tuple[tuple[int, ...], int] | None:
        """Return the seats that the table waits for and the milliseconds left, if just changed.

        Without seats, the milliseconds are the time left for the decision whose clock resumes.
        """
        seats, ends = tuple(sorted(self._grace.seats)), self._grace.ends
        left = 0.0 if ends is None else max(0.0, ends - self._time.at(now))
        # While the counted time stands still, the end of the wait is unknown.
        until = now + left if self._time.stopped or ends is None else self._time.when(ends)
        moved = abs(until - self._reported[1]) > WAIT_TOLERANCE_SECONDS
        if seats == self._reported[0] and not (moved and left and not self._time.stopped):
            return None
        self._reported = seats, until
        return seats, int((left if seats else self._turn_left(now)) * 1000)

    def awaited(self, now: float) -> tuple[tuple[int, ...], int]:
        """Return the seats that the table waits for, and the milliseconds left, as `waiting`."""
        seats, ends = tuple(sorted(self._grace.seats)), self._grace.ends
        left = 0.0 if ends is None else max(0.0, ends - self._time.at(now))
        return seats, int((left if seats else self._turn_left(now)) * 1000)

    def _turn_left(self, now: float) -> float:
        """Return the seconds left until the clock decides; 0 without a running clock."""
        if self._turn is None or self._turn.ends is None:
            return 0.0
        return max(0.0, self._turn.ends - self._time.at(now))

    # ---- updates ----------------------------------------------------------------------------

    @property
    def _rules(self) -> Ruleset:
        return self._replay.roster.ruleset

    @property
    def _engine(self) -> Round | None:
        current = self._replay.round
        if current is None or current.phase is not ProtocolPhase.PLAY:
            return None
        return current.engine if isinstance(current.engine, Round) else None

    def _awaited(self, seat: int) -> bool:
        return seat not in self._grace and not self._replay.absence.is_gone(seat)

    def _time_for(self, step: AutomaticStep) -> float:
        """Return the seconds for an automatic step; more for a share, which requires a search."""
        return self._pace.step + (LONGEST_SECONDS if step.kind is AutomaticStepKind.SHARE else 0.0)

    def _update_finality(self, at: float) -> None:
        """Note since when entries have been waiting for acknowledgements."""
        if self._replay.seq > self._seen_count:
            self._seen_count = self._replay.seq
            self._not_final.append((self._seen_count, at))
        while self._not_final and self._not_final[0][0] <= self._finality.certified:
            self._not_final.popleft()

    def _update_automatic_steps(self, at: float) -> None:
        self._due = {
            step: self._due.get(step) or _Wait(self._replay.seq)
            for step in automatic_steps(self._replay)
        }
        late: set[int] = set()
        for step, wait in self._due.items():
            may_begin = not step.releases or self._finality.certified >= wait.asked
            if wait.since is None and may_begin:
                wait.since = at
            if wait.since is not None and at >= wait.since + self._time_for(step):
                late.add(step.seat)
        if self._not_final and at >= self._not_final[0][1] + self._pace.step:
            late |= self._finality.missing_owners(self._not_final[0][0])
        self._grace.forget_the_dropped(at)
        for seat in sorted(late):
            if self._awaited(seat):
                self._grace.lost(seat, at, DropReason.SILENT)
        for seat, reason in self._grace.seats.items():
            if reason is DropReason.SILENT and seat not in late:
                self._grace.returned(seat, at)

    def _update_turn(self, at: float) -> None:
        asked = self._replay.times.open_decision
        if asked is None:
            self._turn = None
            return
        if self._turn is None or self._turn.asked is not asked:
            self._turn = _Turn(asked, at)
        # A hand is shown and judged only when the entry that asks for it is final. Until then the
        # clock does not run.
        runs = not asked.by_program or self._finality.certified > asked.entry
        if self._turn.ends is None and runs and asked.limit is not None:
            limit = max(asked.limit / 1000, self._pace.step if asked.by_program else 0.0)
            self._turn.ends = at + limit + MARGIN

    @property
    def _may_settle(self) -> bool:
        """Whether the engine settles matters now: not during a shuffle or the opening of slots."""
        engine, current = self._engine, self._replay.round
        if engine is None or current is None or current.recovering:
            return False
        return engine.phase not in (RoundPhase.SHUFFLE, RoundPhase.OPEN)

    def _update_matters(self, at: float) -> None:
        """Note the deadlines for objections to a card and for votes."""
        before, self._matters = self._matters, {}
        for matter, pending in self._replay.times.pending.items():
            known, ends = before.get(matter, (None, 0.0))
            if known is not pending:
                ends = at + pending.limit / 1000 + MARGIN
            self._matters[matter] = (pending, ends)

    def _update_pause(self, at: float) -> None:
        """Stop the clocks while a seat is missing, so that no other seat loses time by it."""
        if self._grace:
            self._paused = at if self._paused is None else self._paused
        elif self._paused is not None:
            if self._turn is not None and self._turn.ends is not None:
                self._turn.ends += at - max(self._paused, self._turn.since)
            pause = at - self._paused
            for matter, (key, ends) in self._matters.items():
                self._matters[matter] = (key, ends + pause)
            self._paused = None


def catches(body: Body) -> bool:
    """Whether a body catches a seat that has not called "UNO"."""
    return isinstance(body.payload, bodies.Act) and isinstance(body.payload.action, Catch)
