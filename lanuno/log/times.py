"""Time as the log tells it: the milliseconds of its entries, and how long a decision may take.

The engine knows no clock, and nobody sees the host's. What everybody can check is the time that the
host itself wrote into its entries: it never goes back, and no decision is timed out before the
table's settings allow it. The host's clocks (`lanuno.table.clocks`) ask here which clock runs, and
for how long. All of it is derived from the entries alone; it is no part of the public state.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from lanuno.log import bodies
from lanuno.log.bodies import Body, Payload
from lanuno.log.faults import BodyRefused, Refusal
from lanuno.log.genesis import Roster
from lanuno.log.round_record import Phase, RoundRecord
from lanuno.rules.actions import OpenHand, RefuseShow, RefuseVerdict, Show, Verdict
from lanuno.rules.engine import Round
from lanuno.rules.manners import Matter
from lanuno.rules.ruleset import Ruleset
from lanuno.rules.state import Phase as Moment

AUTOPILOT_AFTER = 2
"""After this many time-outs in a row the clock plays the seat until it acts again."""
AUTOPILOT_MS = 1_000
AUTOMATIC_MS = 5_000
"""For an answer that a program gives by itself."""
DEAL_MS = 3_000
"""For looking on while a round is dealt: no turn clock runs before, and bots wait as long."""
MOST_MS = 0xFFFF_FFFF
"""Between two entries, 49 days: no host can bring the next one to the end of the numbers."""

BY_PROGRAM = (Moment.SHOW, Moment.VERDICT, Moment.OPEN_HAND)
"""Decisions that a program takes by itself."""
_ANSWERS = (Show, RefuseShow, Verdict, RefuseVerdict, OpenHand)
"""What it says then: nobody has touched anything."""


def turn_ms(rules: Ruleset, *, slow: bool) -> int | None:
    """Milliseconds that a person has for a decision; None without a clock."""
    if not rules.turn_clock_s:
        return None
    return (2 if slow else 1) * 1_000 * rules.turn_clock_s + rules.turn_extra_ms


@dataclass(frozen=True, slots=True)
class Asked:
    """A decision that a seat can take, and what the clock may do about it."""

    round: int
    decision: int
    seat: int
    moment: Moment
    entry: int
    """The entry since which it can."""
    ms: int
    """When that was."""
    limit: int | None
    """Milliseconds until the clock may decide; None if it may not."""
    deal: int = 0
    """How many of them pass before the clock runs, because the round is still being dealt."""

    @property
    def by_program(self) -> bool:
        """Whether no person has to do anything."""
        return self.moment in BY_PROGRAM


@dataclass(frozen=True, slots=True)
class Pending:
    """What the table settles when its time is over."""

    what: tuple[int, ...]
    """Makes it another matter."""
    ms: int
    limit: int


class Times:
    """The clock of one log. Attributes are for reading only."""

    def __init__(self, deal_ms: int = DEAL_MS) -> None:
        """Genesis. `deal_ms`: 0 for a log from when the clock did not wait for the deal."""
        self._deal_ms = deal_ms
        self.ms = 0
        """The last entry's time, in milliseconds since genesis."""
        self.asked: Asked | None = None
        """The decision for which a clock runs, or could."""
        self.pending: dict[Matter, Pending] = {}
        """What waits for objections or votes."""
        self.idle: Counter[int] = Counter()
        """By seat: for how many decisions in a row its clock ran out."""
        self._dealt: tuple[int, int] | None = None
        """A round, and since when its first decision could be taken."""

    def follows(self, ms: int) -> bool:
        """Whether the next entry may bear this time."""
        return 0 <= ms - self.ms <= MOST_MS

    def next(self, ms: int) -> int:
        """The time that the next entry bears, if the host's clock says this."""
        return min(max(ms, self.ms), self.ms + MOST_MS)

    def check(self, payload: Payload, ms: int) -> None:
        """Refuse what the clock does too early; what is not open at all others refuse."""
        # Not a `match`: Python 3.11.2 counts the branches out of one differently.
        if isinstance(payload, bodies.TimeOut):
            self._check_time_out(payload, ms)
        elif isinstance(payload, bodies.Settle):
            matter = self.pending.get(payload.matter)
            if matter is not None and ms < matter.ms + matter.limit:
                raise BodyRefused(Refusal.NOT_NOW, "there is still time to speak up")

    def _check_time_out(self, payload: bodies.TimeOut, ms: int) -> None:
        asked = self.asked
        if asked is None or payload.decision != asked.decision:
            return
        if asked.limit is None:
            raise BodyRefused(Refusal.ILLEGAL, "this table has no clock")
        if ms < asked.ms + asked.limit:
            raise BodyRefused(Refusal.NOT_NOW, "the decider still has time")

    def taken(self, body: Body, ms: int, entry: int, current: RoundRecord | None) -> None:
        """An entry took effect."""
        payload, asked = body.payload, self.asked
        match payload:
            case bodies.Act() if not isinstance(payload.action, _ANSWERS):
                self.idle[body.author] = 0
            case bodies.TimeOut() if asked is not None and not asked.by_program:
                self.idle[asked.seat] += 1
            case bodies.Return():
                self.idle[body.author] = 0
            case bodies.FillIn():
                self.idle[payload.seat] = 0
            case _:
                pass
        self.ms = ms
        self.look(current, entry)

    def look(self, current: RoundRecord | None, entry: int) -> None:
        """Find what is open behind an entry; what was open before keeps its time."""
        engine = None
        if current is not None and current.phase is Phase.PLAY:
            engine = current.engine if isinstance(current.engine, Round) else None
        if current is None or engine is None:
            self.asked, self.pending = None, {}
            return
        self.asked = self._asked(current, engine, entry)
        self.pending = self._pending(current, engine)

    def _asked(self, current: RoundRecord, engine: Round, entry: int) -> Asked | None:
        seat = engine.decider
        if seat is None or current.recovering or not current.reads_its_cards(seat):
            return None
        key = (current.number, engine.decision, seat, engine.phase)
        before = self.asked
        if before and (before.round, before.decision, before.seat, before.moment) == key:
            return before
        limit = self._limit(current.roster, seat, engine.phase)
        deal = 0 if engine.phase in BY_PROGRAM else self._left_of_deal(current.number)
        return Asked(*key, entry, self.ms, None if limit is None else limit + deal, deal)

    def _left_of_deal(self, number: int) -> int:
        """For how long everybody may still look on while the cards of this round are dealt."""
        if self._dealt is None or self._dealt[0] != number:
            self._dealt = number, self.ms
        return max(0, self._dealt[1] + self._deal_ms - self.ms)

    def _limit(self, roster: Roster, seat: int, moment: Moment) -> int | None:
        if moment in BY_PROGRAM:
            return AUTOMATIC_MS
        if self.idle[seat] >= AUTOPILOT_AFTER:
            return AUTOPILOT_MS
        return turn_ms(roster.ruleset, slow=roster.seats[seat].slow_clock)

    def _pending(self, current: RoundRecord, engine: Round) -> dict[Matter, Pending]:
        rules, found = current.roster.ruleset, dict[Matter, tuple[tuple[int, ...], int]]()
        if engine.laid is not None and engine.phase is Moment.OBJECTION:
            card = (current.number, engine.decision, engine.laid.slot)
            found[Matter.CARD] = (card, rules.objection_ms)
        running = engine.accusation
        if running is not None:
            vote = (current.number, running.accused, running.by, engine.accusers[running.by])
            found[Matter.VOTE] = (vote, rules.vote_ms)
        return {matter: self._since(matter, *opened) for matter, opened in found.items()}

    def _since(self, matter: Matter, what: tuple[int, ...], limit: int) -> Pending:
        before = self.pending.get(matter)
        if before is not None and before.what == what:
            return before
        return Pending(what, self.ms, limit)
