"""Everything about a table that depends on time: who is late, who is gone, what must wait.

Read by `sequencer.py` only. It looks at the public state and the clock and answers questions; it
makes no entries. Times are seconds of the steady clock that `now` comes from.
"""

from __future__ import annotations

from dataclasses import dataclass

from lanuno.log import bodies
from lanuno.log.bodies import Body, DropReason
from lanuno.log.duties import Duty, duties
from lanuno.log.replay import Replay
from lanuno.log.round_log import Phase
from lanuno.rules.actions import Catch, Draw, Play
from lanuno.rules.engine import Round
from lanuno.rules.ruleset import Ruleset
from lanuno.rules.state import Phase as Moment

AUTOPILOT_AFTER = 2
"""So many time-outs in a row, and a seat is played by the clock until it acts again."""
AUTOPILOT_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Pace:
    """Times of a table that are no rules of the game."""

    duty: float = 5.0
    """Seconds for an automatic step, after which the seat counts as lost."""


class Clocks:
    """The clocks of one table."""

    def __init__(self, replay: Replay, pace: Pace) -> None:
        """Watch this table."""
        self._replay = replay
        self._pace = pace
        self._due: dict[Duty, float] = {}
        self._lost: dict[int, tuple[float, DropReason]] = {}
        self._used: dict[int, float] = {}
        self._turn: tuple[int, int, int] | None = None
        self._turn_ends: float | None = None
        self._idle: dict[int, int] = {}
        self._uno: tuple[int, int] | None = None
        self._uno_since = 0.0
        self._told: frozenset[int] = frozenset()

    # ---- telling it -------------------------------------------------------------------------

    def lost(self, seat: int, now: float) -> None:
        """The connection of a seat ended."""
        self._lost[seat] = (now, DropReason.LOST)

    def heard(self, body: Body) -> None:
        """A body was taken: its author is there, and no longer on autopilot if it decided."""
        if isinstance(body.payload, bodies.Act):
            self._idle[body.author] = 0
        elif isinstance(body.payload, bodies.TimeOut) and self._turn is not None:
            seat = self._turn[2]
            self._idle[seat] = self._idle.get(seat, 0) + 1

    def look(self, now: float) -> None:
        """Bring every clock up to the present state of the table."""
        self._look_at_duties(now)
        self._look_at_turn(now)
        engine = self._engine
        owed = None
        if engine is not None and engine.uno_owed is not None:
            owed = (self._replay.number, engine.uno_owed)
        if owed != self._uno:
            self._uno, self._uno_since = owed, now

    # ---- asking it --------------------------------------------------------------------------

    @property
    def deadline(self) -> float | None:
        """The next moment at which an answer may change by time alone."""
        moments = [due + self._pace.duty for duty, due in self._due.items() if self._awaited(duty)]
        moments += [self._grace_ends(seat) for seat in self._lost]
        if self._turn_ends is not None and not self._lost:
            moments.append(self._turn_ends)
        if self._uno is not None:
            moments.append(self._uno_since + self._rules.uno_hold_ms / 1000)
        return min(moments, default=None)

    def holds(self, body: Body, now: float) -> bool:
        """Whether a body must wait because somebody owes "UNO".

        The next beginning of a turn waits until the time is over or "UNO" is said or caught; a
        catch waits until it counts.
        """
        self.look(now)
        engine = self._engine
        if self._uno is None or engine is None or not isinstance(body.payload, bodies.Act):
            return False
        action = body.payload.action
        if isinstance(action, Catch):
            return now < self._uno_since + self._rules.uno_catch_ms / 1000
        begins = isinstance(action, Play | Draw) and engine.phase is not Moment.DRAWN
        return begins and now < self._uno_since + self._rules.uno_hold_ms / 1000

    def gone(self, now: float) -> tuple[int, DropReason] | None:
        """A seat whose grace time is over."""
        for seat, (_, reason) in self._lost.items():
            if seat not in self._replay.dropped and now >= self._grace_ends(seat):
                return seat, reason
        return None

    def ran_out(self, now: float) -> int | None:
        """The decision for which the clock ran out, if any."""
        over = self._turn_ends is not None and now >= self._turn_ends
        return self._turn[1] if over and self._turn is not None and not self._lost else None

    def waiting(self, now: float) -> tuple[tuple[int, ...], int] | None:
        """Seats that the table waits for and milliseconds left, when that has just changed."""
        seats = frozenset(self._lost) - set(self._replay.dropped)
        if seats == self._told:
            return None
        self._told = seats
        left = max((self._grace_ends(seat) - now for seat in seats), default=0.0)
        return tuple(sorted(seats)), max(0, int(left * 1000))

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

    def _awaited(self, duty: Duty) -> bool:
        return duty.seat not in self._lost and duty.seat not in self._replay.dropped

    def _grace_ends(self, seat: int) -> float:
        since, _ = self._lost[seat]
        left = self._rules.grace_total_s - self._used.get(seat, 0.0)
        return since + max(0.0, min(float(self._rules.grace_first_s), left))

    def _look_at_duties(self, now: float) -> None:
        due = {duty: self._due.get(duty, now) for duty in duties(self._replay)}
        self._due = due
        silent = {duty.seat for duty, since in due.items() if now >= since + self._pace.duty}
        for seat in silent - set(self._lost):
            self._lost[seat] = (now, DropReason.SILENT)
        owing = {duty.seat for duty in due}
        for seat, (since, reason) in list(self._lost.items()):
            if reason is DropReason.SILENT and seat not in owing:
                self._used[seat] = self._used.get(seat, 0.0) + now - since
                del self._lost[seat]

    def _look_at_turn(self, now: float) -> None:
        engine, current = self._engine, self._replay.round
        turn = None
        if engine is not None and current is not None and engine.decider is not None:
            readable = all(need.to != engine.decider for need in current.needs.values())
            turn = (current.number, engine.decision, engine.decider) if readable else None
        if turn == self._turn:
            return
        self._turn = turn
        self._turn_ends = None if turn is None or engine is None else self._limit(engine, turn, now)

    def _limit(self, engine: Round, turn: tuple[int, int, int], now: float) -> float | None:
        seat = turn[2]
        if engine.phase in (Moment.SHOW, Moment.VERDICT):
            return now + self._pace.duty
        if self._idle.get(seat, 0) >= AUTOPILOT_AFTER:
            return now + AUTOPILOT_SECONDS
        if not self._rules.turn_clock_s:
            return None
        slow = 2 if self._replay.roster.seats[seat].slow_clock else 1
        return now + slow * self._rules.turn_clock_s + self._rules.turn_extra_ms / 1000
