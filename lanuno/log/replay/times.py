"""Time in a log: the milliseconds of its entries, and the limits for decisions.

The engine knows no clock, and no node sees the host's clock. Every node can check the times that
the host writes into its entries: they never fall, and no decision is timed out before the table's
settings allow it. The host's clocks (`lanuno.table.host.clocks`) ask this module which clock runs
and for how long. Everything here follows from the entries and is not part of the public state.
"""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

from lanuno.log.faults import BodyRefused, RefusalReason
from lanuno.log.format import bodies
from lanuno.log.format.bodies import Body, Payload
from lanuno.log.format.genesis import Roster
from lanuno.log.round.round_record import ProtocolPhase, RoundRecord
from lanuno.rules.engine.actions import OpenHand, RefuseShow, RefuseVerdict, Show, Verdict
from lanuno.rules.engine.manners import Matter
from lanuno.rules.engine.round import Round
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.ruleset import Ruleset

AUTOPILOT_AFTER = 2
"""After this many time-outs in a row, the clock plays the seat until its player acts again."""
AUTOPILOT_MS = 1_000
AUTOMATIC_ANSWER_MS = 5_000
"""Limit for an answer that a node gives without its player."""
DEAL_MS = 3_000
"""Time to watch the cards being dealt: turn clocks start after it, and bots wait for it."""
MAX_GAP_MS = 0xFFFF_FFFF
"""Limit between two entries, 49 days: no host can exhaust the range of times with one entry."""

PROGRAM_PHASES = (RoundPhase.SHOW, RoundPhase.VERDICT, RoundPhase.OPEN_HAND)
"""Decisions that a node makes without its player."""
PROGRAM_ACTIONS = (Show, RefuseShow, Verdict, RefuseVerdict, OpenHand)
"""The actions of these phases. They do not show that a person is present."""


def turn_ms(rules: Ruleset, *, slow: bool) -> int | None:
    """Return the milliseconds that a person has for a decision; None without a clock."""
    if not rules.turn_clock_s:
        return None
    return (2 if slow else 1) * 1_000 * rules.turn_clock_s + rules.turn_extra_ms


class TimedDecision(Struct, frozen=True):
    """A decision that a seat can make now, and when the clock may make it instead."""

    round: int
    decision: int
    seat: int
    phase: RoundPhase
    entry: int
    """Number of the entry after which the decision can be made."""
    ms: int
    """The time of that entry."""
    limit: int | None
    """Milliseconds until the clock may decide; None if it may not."""
    deal: int = 0
    """The part of `limit` in which the clock does not run yet, because cards are being dealt."""

    @property
    def by_program(self) -> bool:
        """Whether a node makes the decision without its player."""
        return self.phase in PROGRAM_PHASES


class PendingSettlement(Struct, frozen=True):
    """A card or an accusation that is settled when the time to object or vote is up."""

    key: tuple[int, ...]
    """Distinguishes this matter from others of its kind."""
    ms: int
    limit: int


class Times:
    """The clock of one log. Attributes are for reading only."""

    def __init__(self, deal_ms: int = DEAL_MS) -> None:
        """Start at genesis. `deal_ms` is 0 for older logs, whose clock ran during the deal."""
        self._deal_ms = deal_ms
        self.ms = 0
        """The last entry's time, in milliseconds since genesis."""
        self.open_decision: TimedDecision | None = None
        """The decision for which a clock runs, or could run."""
        self.pending: dict[Matter, PendingSettlement] = {}
        """Matters that wait for objections or votes."""
        self.idle: Counter[int] = Counter()
        """By seat: the number of decisions in a row for which its clock ran out."""
        self._deal_began: tuple[int, int] | None = None
        """(round, time at which its first decision could be made)."""

    def follows(self, ms: int) -> bool:
        """Whether the next entry may have this time."""
        return 0 <= ms - self.ms <= MAX_GAP_MS

    def next(self, ms: int) -> int:
        """Return the time of the next entry, given the time of the host's clock."""
        return min(max(ms, self.ms), self.ms + MAX_GAP_MS)

    def check(self, payload: Payload, ms: int) -> None:
        """Refuse a time-out or settlement that is too early; the round refuses what is not open."""
        # Not a `match`: Python 3.11.2 counts the branches out of one differently.
        if isinstance(payload, bodies.TimeOut):
            self._check_time_out(payload, ms)
        elif isinstance(payload, bodies.Settle):
            matter = self.pending.get(payload.matter)
            if matter is not None and ms < matter.ms + matter.limit:
                raise BodyRefused(RefusalReason.NOT_NOW, "there is still time to object or vote")

    def _check_time_out(self, payload: bodies.TimeOut, ms: int) -> None:
        open_decision = self.open_decision
        if open_decision is None or payload.decision != open_decision.decision:
            return
        if open_decision.limit is None:
            raise BodyRefused(RefusalReason.ILLEGAL, "this table has no clock")
        if ms < open_decision.ms + open_decision.limit:
            raise BodyRefused(RefusalReason.NOT_NOW, "the decider still has time")

    def note_entry(self, body: Body, ms: int, entry: int, current: RoundRecord | None) -> None:
        """Update all clocks after an entry took effect."""
        payload, open_decision = body.payload, self.open_decision
        match payload:
            case bodies.Act() if not isinstance(payload.action, PROGRAM_ACTIONS):
                self.idle[body.author] = 0
            case bodies.TimeOut() if open_decision is not None and not open_decision.by_program:
                self.idle[open_decision.seat] += 1
            case bodies.Return():
                self.idle[body.author] = 0
            case bodies.FillIn():
                self.idle[payload.seat] = 0
            case _:
                pass
        self.ms = ms
        self.update(current, entry)

    def update(self, current: RoundRecord | None, entry: int) -> None:
        """Find what is open after an entry; matters that stay open keep their start time."""
        engine = None
        if current is not None and current.phase is ProtocolPhase.PLAY:
            engine = current.engine if isinstance(current.engine, Round) else None
        if current is None or engine is None:
            self.open_decision, self.pending = None, {}
            return
        self.open_decision = self._find_decision(current, engine, entry)
        self.pending = self._find_pending(current, engine)

    def _find_decision(
        self, current: RoundRecord, engine: Round, entry: int
    ) -> TimedDecision | None:
        seat = engine.decider
        if seat is None or current.recovering or not current.can_read_hand(seat):
            return None
        key = (current.number, engine.decision, seat, engine.phase)
        before = self.open_decision
        if before and (before.round, before.decision, before.seat, before.phase) == key:
            return before
        limit = self._limit(current.roster, seat, engine.phase)
        deal = 0 if engine.phase in PROGRAM_PHASES else self._remaining_deal_ms(current.number)
        return TimedDecision(*key, entry, self.ms, None if limit is None else limit + deal, deal)

    def _remaining_deal_ms(self, number: int) -> int:
        """Return the rest of the time to watch this round being dealt."""
        if self._deal_began is None or self._deal_began[0] != number:
            self._deal_began = number, self.ms
        return max(0, self._deal_began[1] + self._deal_ms - self.ms)

    def _limit(self, roster: Roster, seat: int, phase: RoundPhase) -> int | None:
        if phase in PROGRAM_PHASES:
            return AUTOMATIC_ANSWER_MS
        if self.idle[seat] >= AUTOPILOT_AFTER:
            return AUTOPILOT_MS
        return turn_ms(roster.ruleset, slow=roster.seats[seat].slow_clock)

    def _find_pending(self, current: RoundRecord, engine: Round) -> dict[Matter, PendingSettlement]:
        rules, found = current.roster.ruleset, dict[Matter, PendingSettlement]()
        if engine.laid is not None and engine.phase is RoundPhase.OBJECTION:
            card = (current.number, engine.decision, engine.laid.slot)
            found[Matter.CARD] = PendingSettlement(card, self.ms, rules.objection_ms)
        running = engine.accusation
        if running is not None:
            vote = (current.number, running.accused, running.by, engine.accusers[running.by])
            found[Matter.VOTE] = PendingSettlement(vote, self.ms, rules.vote_ms)
        for matter, before in self.pending.items():
            if matter in found and found[matter].key == before.key:
                found[matter] = before
        return found
