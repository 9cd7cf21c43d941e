"""Derives what the log asks for at each entry, independently of the code that follows the log.

A few ends of the log are followed as they grow; any other is read from its beginning. For every
entry, the oracle keeps only the number of entries since which each secret is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lanuno.dealing.deal import StepKind
from lanuno.log.format import bodies
from lanuno.log.format.bodies import Body
from lanuno.log.format.entries import Entry
from lanuno.log.format.genesis import Genesis
from lanuno.log.replay.due_steps import AutomaticStep, AutomaticStepKind, automatic_steps
from lanuno.log.replay.replay import Replay
from lanuno.log.round.round_record import ProtocolPhase, RoundRecord
from lanuno.rules.engine.actions import OpenHand, Show, Verdict
from lanuno.rules.engine.round import Round
from lanuno.rules.engine.state import RoundPhase
from tests.harness.node_world.open_cards import OpenCards

Asked = tuple[str, int, int, tuple[int, ...]]
"""A requested secret: its kind, seat, round, and number within its kind."""

SHOW = "SHOW"
VERDICT = "VERDICT"
OPEN_HAND = "OPEN_HAND"
COMPLAIN = "COMPLAIN"
"""No entry asks for a complaint; it may be made once every share is published."""
PASS = "PASS"
"""A pass that removes no lock. It reveals nothing and may be published immediately."""
COMMON = "COMMON"
"""A pass that removes the locks of slots."""

MOST_FORKS = 3
"""The number of ends that are followed besides the present one."""


class Oracle:
    """Everything that any end of one table's log asks for."""

    def __init__(self, genesis: Genesis) -> None:
        self._genesis = genesis
        self._replay = Replay(genesis)
        self._cards = OpenCards()
        self._ends = [(self._replay, self._cards)]
        """The ends followed last, newest at the end."""
        self._due: dict[bytes, dict[Asked, int]] = {self._replay.table_id: {}}
        self._before: dict[bytes, tuple[bytes, int]] = {}
        """By hash of an entry: the hash of the previous entry, and the number of entries so far."""
        self._here = {self._replay.table_id: self._replay.absence.present_owners}
        """By hash of an entry: the owners who count after it."""
        self._begun = {self._replay.table_id: 0}
        """By hash of an entry: the number of entries including the first one of its term."""

    def learn(self, entries: Sequence[Entry]) -> None:
        """Follow a log to its end."""
        if entries and entries[-1].hash not in self._due:
            self._follow(entries)

    def cards(self, entries: Sequence[Entry]) -> tuple[Replay, OpenCards]:
        """Return a log, and the cards that its rounds have opened."""
        self._follow(entries)
        return self._replay, self._cards

    def _follow(self, entries: Sequence[Entry]) -> None:
        for end in self._ends:
            held = end[0].seq
            if held <= len(entries) and (held == 0 or entries[held - 1].hash == end[0].head):
                self._ends.remove(end)
                break
        else:
            end = (Replay(self._genesis), OpenCards())
        self._ends = [*self._ends[-MOST_FORKS:], end]
        self._replay, self._cards = end
        for entry in entries[self._replay.seq :]:
            before = self._replay.head
            self._replay.follow(entry, trusted=True)
            self._cards.look(self._replay)
            self._before[entry.hash] = (before, self._replay.seq)
            self._here[entry.hash] = self._replay.absence.present_owners
            term = self._replay.terms[-1]
            self._begun[entry.hash] = term.first + 1 if term.number else 0
            if entry.hash not in self._due:
                self._due[entry.hash] = self._asked(self._due[before])

    def _asked(self, before: dict[Asked, int]) -> dict[Asked, int]:
        replay = self._replay
        asked: list[Asked] = []
        current = replay.round
        if current is not None and replay.closed is None:
            asked += [_automatic(current, step) for step in automatic_steps(replay)]
            asked += _complaints(current)
            engine = current.engine
            if isinstance(engine, Round) and engine.phase in _ANSWERS:
                assert engine.decider is not None
                what = _ANSWERS[engine.phase]
                asked.append((what, engine.decider, current.number, (engine.decision,)))
        return {each: before.get(each, replay.seq) for each in asked}

    def asked_since(self, body: Body) -> list[int | None] | None:
        """Return since how many entries each secret in a body was asked for, at the body's head.

        A None in the list marks one that was not asked for. None alone: the body has no secret.
        """
        due = self._due.get(body.head, {})
        wanted = _published(body, due)
        return None if wanted is None else [due.get(each) for each in wanted]

    def decided_by(self, final: int, head: bytes, count: int) -> list[tuple[int, tuple[int, ...]]]:
        """Return owners and entry counts: a majority of each group must hold that many entries.

        The owners change with the log. The owners before an entry that changes them count for that
        entry. In a new term, the owners that elected its host count from the start. `final`: the
        number of entries that are final already.
        """
        begun = self._begun[head] if final < self._begun[head] <= count else 0
        ends: list[tuple[int, bytes]] = []
        last = self.hash_at(head, count) if count else self._replay.table_id
        while count > final:
            ends.append((count, last))
            last = self._before[last][0]
            count -= 1
        owners, found = self._here[self.hash_at(head, begun) if begun else last], []
        for at, end in reversed(ends):
            if at > begun and self._here[end] != owners:
                found.append((at, owners))
                owners = self._here[end]
        if ends and (not found or found[-1][0] != ends[0][0]):
            found.append((ends[0][0], owners))
        return found

    def hash_at(self, head: bytes, count: int) -> bytes:
        """Return the hash of entry `count` of the log that ends in this head."""
        while self._before[head][1] > count:
            head = self._before[head][0]
        return head


_ANSWERS = {RoundPhase.SHOW: SHOW, RoundPhase.VERDICT: VERDICT, RoundPhase.OPEN_HAND: OPEN_HAND}
"""What a challenge asks for: a hand, then the challenger's verdict, or else the hand for all."""


def _automatic(current: RoundRecord, step: AutomaticStep) -> Asked:
    """Return the request behind an automatic step."""
    if step.kind is not AutomaticStepKind.PASS:
        return (step.kind.name, step.seat, step.round, (step.item,))
    deal = current.deal
    assert deal is not None
    assert deal.expected is not None
    what = COMMON if deal.expected[0] is StepKind.COMMON else PASS
    return (what, step.seat, step.round, (deal.number, len(deal.accepted)))


def _complaints(current: RoundRecord) -> list[Asked]:
    """Return the complaints that each seat may make, before its mask, about each giver of a share.

    After play, a complaint only answers a seat that asks for that share.
    """
    givers = current.escrows if current.phase is ProtocolPhase.PLAY else current.recovering
    masked = {taken.seat for deal in current.deals for taken in deal.accepted}
    return [
        (COMPLAIN, seat, current.number, (giver,))
        for giver in givers
        for seat in current.share_receivers(giver)
        if seat not in masked
    ]


def _published(body: Body, due: Mapping[Asked, int]) -> list[Asked] | None:
    """Return the requests without which a body must not be published; None if it needs none.

    `due`: the requests at the body's head. A pass that is not due there is treated like one that
    removes locks.
    """

    def one(kind: str | AutomaticStepKind, *item: int) -> Asked:
        what = kind.name if isinstance(kind, AutomaticStepKind) else kind
        return (what, body.author, body.round, item or (0,))

    match body.payload:
        case bodies.Escrow():
            return [one(AutomaticStepKind.ESCROW)]
        case bodies.Complain():
            return [one(COMPLAIN, body.payload.of)]
        case bodies.Pass(deal=deal, step=step):
            return None if one(PASS, deal, step) in due else [one(COMMON, deal, step)]
        case bodies.Unlock():
            return [one(AutomaticStepKind.UNLOCK, keys.need) for keys in body.payload.lists]
        case bodies.HandOver():
            return [one(AutomaticStepKind.HAND, body.payload.move)]
        case bodies.Share():
            return [one(AutomaticStepKind.SHARE, body.payload.of)]
        case bodies.Reveal():
            return [one(AutomaticStepKind.REVEAL)]
        case bodies.Act(decision=decision, action=Show()):
            return [one(SHOW, decision)]
        case bodies.Act(decision=decision, action=Verdict()):
            return [one(VERDICT, decision)]
        case bodies.Act(decision=decision, action=OpenHand()):
            return [one(OPEN_HAND, decision)]
        case _:
            return None
