"""Everything about a table that depends on time: who is late, who is gone, what must wait.

Read by `sequencer.py` only. It looks at the public state and the clock and answers questions; it
makes no entries. `now`, and what is answered, are moments of the steady clock; everything that is
remembered here is a moment of the time that counts (`counted_time.py`), which stands while too few
owners are in contact and leaves out what the host's program has slept through. No answer waits for
a moment that has passed: once `look` was called, every moment that `deadline` names lies ahead, or
the host has something to do at once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from dataclasses import dataclass

from lanuno.log import bodies
from lanuno.log.bodies import Body, DropReason
from lanuno.log.duties import Duty, DutyKind, duties
from lanuno.log.replay import Replay
from lanuno.log.round_record import Phase
from lanuno.log.times import Asked, Pending
from lanuno.rules.actions import Catch, Draw, Play
from lanuno.rules.engine import Round
from lanuno.rules.manners import Matter
from lanuno.rules.ruleset import Ruleset
from lanuno.rules.state import Phase as Moment
from lanuno.table.counted_time import CountedTime
from lanuno.table.firmness import Firmness
from lanuno.table.grace import CLAIM_SECONDS, Grace
from lanuno.table.searches import LONGEST_SECONDS

MARGIN = 0.005
"""Seconds that the host waits beyond what the log demands. An entry's time is cut to milliseconds,
and what the clock does must not seem to come too early by that."""


TOLD_WITHIN = 1.0
"""Seconds by which the end of a wait may move before everybody is told of it again."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Times of a table that are no rules of the game."""

    duty: float = 5.0
    """Seconds for an automatic step, after which the seat counts as lost."""
    claim: float | None = CLAIM_SECONDS
    """Seconds of silence after which the host claims by itself; None if a person is asked."""


@dataclass(slots=True)
class _Wait:
    """An automatic step that the table waits for."""

    asked: int
    """Entries in the log when it was first due."""
    since: float | None = None
    """When its time began: at once, or once the log that asks for a secret is firm."""


@dataclass(slots=True)
class _Turn:
    """A decision that the table waits for."""

    asked: Asked
    since: float
    ends: float | None = None
    """None without a clock, or while what a hand is shown for is not firm."""


class Clocks:
    """The clocks of one table."""

    def __init__(self, replay: Replay, pace: Pace, firm: Firmness) -> None:
        """Watch this table."""
        self._replay = replay
        self._pace = pace
        self._firm = firm
        self._due: dict[Duty, _Wait] = {}
        self._unfirm: deque[tuple[int, float]] = deque()
        self._seen = 0
        self._time = CountedTime()
        self._grace = Grace(replay, firm, pace.claim)
        self._paused: float | None = None
        self._turn: _Turn | None = None
        self._uno: tuple[int, int] | None = None
        self._uno_since = 0.0
        self._told: tuple[tuple[int, ...], float] = (), 0.0
        """Seats that everybody knows to be waited for, and until when."""
        self._matters: dict[Matter, tuple[Pending, float]] = {}

    # ---- telling it -------------------------------------------------------------------------

    def lost(
        self, seat: int, now: float, reason: DropReason = DropReason.LOST, *, quiet: bool = False
    ) -> None:
        """The connection of a seat ended, or was ended for what came over it.

        `quiet`: whether nothing showed that the network works.
        """
        self._grace.lost(seat, self._time.at(now), reason, quiet=quiet)

    def found(self, seat: int, now: float) -> None:
        """The computer of a seat is in contact again: what is left of its grace time stays.

        A seat that is waited for because it does nothing has to do it: saying hello is not enough.
        """
        if self._grace.seats.get(seat) is DropReason.LOST:
            self._grace.back(seat, self._time.at(now))

    def quorum(self, now: float, *, stands: bool) -> None:
        """Whether enough owners are in contact for anything to become firm.

        Also by the first quorum of a host everybody gets time again: it was elected by the first
        who came back, and the time that the rules give at once may be shorter.
        """
        if not stands:
            self._time.stand(now)
        elif self._time.go(now):
            self._grace.give_again(self._time.at(now))

    def paused(self, seconds: float, now: float) -> None:
        """The host's program did not run in these seconds, up to now."""
        self._time.skip(seconds, now)
        self._grace.give_again(self._time.at(now))

    def claim(self, now: float) -> None:
        """The person at the host waits no longer for those who may be claimed."""
        self._grace.claim(self._time.at(now))

    def look(self, now: float) -> None:
        """Bring every clock up to the present state of the table."""
        at = self._time.at(now)
        self._look_at_firmness(at)
        self._look_at_duties(at)
        self._look_at_turn(at)
        engine = self._engine
        owed = None
        if engine is not None and engine.uno_owed is not None:
            owed = (self._replay.number, engine.uno_owed)
        if owed != self._uno:
            self._uno, self._uno_since = owed, at
        self._look_at_matters(at)
        self._look_at_pause(at)

    # ---- asking it --------------------------------------------------------------------------

    def at(self, now: float) -> float:
        """The time that counts."""
        return self._time.at(now)

    def when(self, moment: float) -> float:
        """The steady clock's moment at which so much has counted; never while no time counts."""
        return self._time.when(moment)

    def deadline(
        self, now: float, held: Collection[int] = (), *, drops: bool = True
    ) -> float | None:
        """The next moment at which an answer may change by time alone.

        `drops`: whether anything follows when a grace time is over.
        `held`: seats whose bodies wait; a decider among them has decided in time.
        """
        if self._time.stands:
            return None
        moments = [
            wait.since + self._time_for(duty)
            for duty, wait in self._due.items()
            if wait.since is not None and self._awaited(duty.seat)
        ]
        if self._unfirm and any(map(self._awaited, self._firm.behind(self._unfirm[0][0]))):
            moments.append(self._unfirm[0][1] + self._pace.duty)
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
        """Until when a body must wait because somebody owes "UNO"; None if it need not.

        The next beginning of a turn waits until the time is over or "UNO" is said or caught; a
        catch waits until it counts. For ever, as things are, while no time counts.
        """
        self.look(now)
        engine = self._engine
        if self._uno is None or engine is None or not isinstance(body.payload, bodies.Act):
            return None
        action = body.payload.action
        begins = isinstance(action, Play | Draw) and engine.phase is not Moment.DRAWN
        if not isinstance(action, Catch) and not begins:
            return None
        wait = self._rules.uno_hold_ms if begins else self._rules.uno_catch_ms
        until = self._uno_since + wait / 1000
        return self._time.when(until) if self._time.at(now) < until else None

    @property
    def pausing(self) -> bool:
        """Whether the table waits for somebody who is lost."""
        return bool(self._grace)

    def gone(self, now: float) -> tuple[int, DropReason] | None:
        """A seat that is waited for no longer."""
        return self._grace.gone(self._time.at(now))

    def claimable(self, now: float) -> tuple[int, ...]:
        """Seats for which the person at the host may end the wait."""
        return self._grace.claimable(self._time.at(now))

    def ran_out(self, now: float, held: Collection[int] = ()) -> int | None:
        """The decision for which the clock ran out, if any; not one that is held."""
        turn = self._turn
        if turn is None or turn.ends is None or turn.asked.seat in held or self._grace:
            return None
        return turn.asked.decision if self._time.at(now) >= turn.ends else None

    def to_settle(self, now: float) -> Matter | None:
        """What the table settles now because the time for it is up."""
        if self._grace or not self._may_settle:
            return None
        for matter, (_, ends) in self._matters.items():
            if self._time.at(now) >= ends:
                return matter
        return None

    def waiting(self, now: float) -> tuple[tuple[int, ...], int] | None:
        """Seats that the table waits for and milliseconds left, when that has just changed.

        Once nobody is waited for: what is left of the decision whose clock goes on.
        """
        seats, ends = tuple(sorted(self._grace.seats)), self._grace.ends
        left = 0.0 if ends is None else max(0.0, ends - self._time.at(now))
        # While no time counts nothing can be said of when it ends.
        until = now + left if self._time.stands or ends is None else self._time.when(ends)
        same = self._time.stands or not left or abs(until - self._told[1]) <= TOLD_WITHIN
        if seats == self._told[0] and same:
            return None
        self._told = seats, until
        return seats, int((left if seats else self._turn_left(now)) * 1000)

    def _turn_left(self, now: float) -> float:
        """Seconds until the clock decides; 0 if it does not."""
        if self._turn is None or self._turn.ends is None:
            return 0.0
        return max(0.0, self._turn.ends - self._time.at(now))

    # ---- inside -----------------------------------------------------------------------------

    @property
    def _rules(self) -> Ruleset:
        return self._replay.roster.ruleset

    @property
    def _engine(self) -> Round | None:
        current = self._replay.round
        if current is None or current.phase is not Phase.PLAY:
            return None
        return current.engine if isinstance(current.engine, Round) else None

    def _awaited(self, seat: int) -> bool:
        return seat not in self._grace and not self._replay.absence.silenced(seat)

    def _time_for(self, duty: Duty) -> float:
        """Seconds for an automatic step. Before it gives a share a seat looks for the player."""
        return self._pace.duty + (LONGEST_SECONDS if duty.kind is DutyKind.SHARE else 0.0)

    def _look_at_firmness(self, at: float) -> None:
        """Remember since when which entries wait for their acknowledgements."""
        if self._replay.seq > self._seen:
            self._seen = self._replay.seq
            self._unfirm.append((self._seen, at))
        while self._unfirm and self._unfirm[0][0] <= self._firm.count:
            self._unfirm.popleft()

    def _look_at_duties(self, at: float) -> None:
        self._due = {
            duty: self._due.get(duty) or _Wait(self._replay.seq) for duty in duties(self._replay)
        }
        late: set[int] = set()
        for duty, wait in self._due.items():
            firm = not duty.releases or self._firm.count >= wait.asked
            if wait.since is None and firm:
                wait.since = at
            if wait.since is not None and at >= wait.since + self._time_for(duty):
                late.add(duty.seat)
        if self._unfirm and at >= self._unfirm[0][1] + self._pace.duty:
            late |= self._firm.behind(self._unfirm[0][0])
        self._grace.forget_the_dropped()
        for seat in sorted(late):
            if self._awaited(seat):
                self._grace.lost(seat, at, DropReason.SILENT)
        for seat, reason in self._grace.seats.items():
            if reason is DropReason.SILENT and seat not in late:
                self._grace.back(seat, at)

    def _look_at_turn(self, at: float) -> None:
        asked = self._replay.times.asked
        if asked is None:
            self._turn = None
            return
        if self._turn is None or self._turn.asked is not asked:
            self._turn = _Turn(asked, at)
        if self._turn.ends is None and self._may_be_taken(asked):
            limit = self._limit(asked)
            self._turn.ends = None if limit is None else at + limit + MARGIN

    def _may_be_taken(self, asked: Asked) -> bool:
        """A hand is shown, and judged, only once that is asked for by a firm entry.

        Until then its clock stands.
        """
        return not asked.by_program or self._firm.count > asked.entry

    @property
    def _may_settle(self) -> bool:
        """The engine settles nothing in the middle of a shuffle or an opening."""
        engine = self._engine
        current = self._replay.round
        if current is None or current.recovering:
            return False
        return engine is not None and engine.phase not in (Moment.SHUFFLE, Moment.OPEN)

    def _look_at_matters(self, at: float) -> None:
        """Since when a card waits for objections, and a vote for votes."""
        before, self._matters = self._matters, {}
        for matter, pending in self._replay.times.pending.items():
            known, ends = before.get(matter, (None, 0.0))
            if known is not pending:
                ends = at + pending.limit / 1000 + MARGIN
            self._matters[matter] = (pending, ends)

    def _look_at_pause(self, at: float) -> None:
        """While somebody is lost the table pauses: nobody gets less time by it."""
        if self._grace:
            self._paused = at if self._paused is None else self._paused
        elif self._paused is not None:
            if self._turn is not None and self._turn.ends is not None:
                self._turn.ends += at - max(self._paused, self._turn.since)
            pause = at - self._paused
            for matter, (key, ends) in self._matters.items():
                self._matters[matter] = (key, ends + pause)
            self._paused = None

    def _limit(self, asked: Asked) -> float | None:
        """Seconds for a decision; None for all the time in the world."""
        if asked.limit is None:
            return None
        limit = asked.limit / 1000
        return max(limit, self._pace.duty) if asked.by_program else limit


def catches(body: Body) -> bool:
    """Whether a body catches somebody who has not said "UNO"."""
    return isinstance(body.payload, bodies.Act) and isinstance(body.payload.action, Catch)
