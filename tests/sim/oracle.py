"""What the log asks for at each of its entries, worked out apart from the machines that follow it.

One log is followed as it grows, another end of it from the beginning; what is remembered is only,
for every entry, since how many entries which secret is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence

from lanuno.log import bodies
from lanuno.log.bodies import Body
from lanuno.log.duties import RELEASES, DutyKind, duties
from lanuno.log.entries import Entry
from lanuno.log.genesis import Genesis
from lanuno.log.replay import Replay
from lanuno.rules.actions import Show
from lanuno.rules.engine import Round
from lanuno.rules.state import Phase

Asked = tuple[str, int, int, int]
"""What is asked for, of which seat, in which round, and which of its kind."""

SHOW = "SHOW"


class Oracle:
    """Everything that any end of one table's log asks for."""

    def __init__(self, genesis: Genesis) -> None:
        self._genesis = genesis
        self._replay = Replay(genesis)
        self._due: dict[bytes, dict[Asked, int]] = {self._replay.table_id: {}}
        self._before: dict[bytes, tuple[bytes, int]] = {}
        """By hash: that of the entry before, and how many entries there are with it."""
        self._here = {self._replay.table_id: self._replay.absence.here}
        """By hash: who counts behind it."""
        self._begun = {self._replay.table_id: 0}
        """By hash: how many entries there were when its term began, with the term's own first."""

    def learn(self, entries: Sequence[Entry]) -> None:
        """Follow a log to its end."""
        if not entries or entries[-1].hash in self._due:
            return
        held = self._replay.seq
        goes_on = held < len(entries) and (held == 0 or entries[held - 1].hash == self._replay.head)
        if not goes_on:
            self._replay, held = Replay(self._genesis), 0
        for entry in entries[held:]:
            before = self._replay.head
            self._replay.follow(entry, trusted=True)
            self._before[entry.hash] = (before, self._replay.seq)
            self._here[entry.hash] = self._replay.absence.here
            term = self._replay.terms[-1]
            self._begun[entry.hash] = term.first + 1 if term.number else 0
            if entry.hash not in self._due:
                self._due[entry.hash] = self._asked(self._due[before])

    def _asked(self, before: dict[Asked, int]) -> dict[Asked, int]:
        replay = self._replay
        asked: list[Asked] = [
            (duty.kind.name, duty.seat, duty.round, duty.item)
            for duty in duties(replay)
            if duty.kind in RELEASES
        ]
        current = replay.round
        engine = None if current is None else current.engine
        if current is not None and isinstance(engine, Round) and engine.phase is Phase.SHOW:
            assert engine.decider is not None
            asked.append((SHOW, engine.decider, current.number, engine.decision))
        return {each: before.get(each, replay.seq) for each in asked}

    def asked_since(self, body: Body) -> list[int | None] | None:
        """Since how many entries each thing that a body publishes was asked for, at its head.

        None in the list where it was not; None alone if the body publishes no secret.
        """
        wanted = _published(body)
        due = self._due.get(body.head, {})
        return None if wanted is None else [due.get(each) for each in wanted]

    def decided_by(self, firm: int, head: bytes, count: int) -> list[tuple[int, tuple[int, ...]]]:
        """Whose majority must hold how much, so that so many entries are firm.

        Who counts changes with the log: an entry behind which others count is itself counted by
        those before it. In a new term those count from the start who elected its host: all that its
        log names. `firm`: so many are certain already.
        """
        begun = self._begun[head] if firm < self._begun[head] <= count else 0
        ends: list[tuple[int, bytes]] = []
        last = self.hash_at(head, count) if count else self._replay.table_id
        while count > firm:
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
        """Hash of the last of the first `count` entries of the log that ends in this head."""
        while self._before[head][1] > count:
            head = self._before[head][0]
        return head


def _published(body: Body) -> list[Asked] | None:
    """What it takes to be asked for before a body may be published."""

    def one(kind: DutyKind, item: int = 0) -> Asked:
        return (kind.name, body.author, body.round, item)

    match body.payload:
        case bodies.Unlock():
            return [one(DutyKind.UNLOCK, keys.need) for keys in body.payload.lists]
        case bodies.HandOver():
            return [one(DutyKind.HAND, body.payload.move)]
        case bodies.Share():
            return [one(DutyKind.SHARE, body.payload.of)]
        case bodies.Reveal():
            return [one(DutyKind.REVEAL)]
        case bodies.Act(decision=decision, action=Show()):
            return [(SHOW, body.author, body.round, decision)]
        case _:
            return None
