"""The cards that the rounds of one log have opened, and to whom: slots that are no longer secret.

Derived from the public state after every entry, independently of any node.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from lanuno.dealing.deal import Deal
from lanuno.log.replay.replay import Replay
from lanuno.log.round.round_record import Acted, ProtocolPhase, RoundRecord, SlotOpened
from lanuno.rules.engine.actions import Play
from lanuno.rules.engine.round import Round


@dataclass
class RoundCards:
    """One round, as far as the log contains it."""

    record: RoundRecord
    identities: dict[int, bytes]
    """By seat: the identity that played it in this round."""
    hands: dict[int, set[int]] = field(default_factory=dict)
    """By seat: every slot that it has held."""
    asked: dict[int | None, set[int]] = field(default_factory=dict)
    """By receiver (None: everybody): every slot whose keys the log has asked for."""
    ended: int | None = None
    """The number of entries after which everything is public."""

    def look(self, count: int) -> None:
        """Update after an entry; the log now has `count` entries."""
        if self.ended is not None:
            return
        if self.record.phase >= ProtocolPhase.REVEAL:
            self.ended = count
        for need in self.record.needs.values():
            self.asked.setdefault(need.to, set()).update(need.slots)
        if isinstance(self.record.engine, Round):
            for seat, hand in self.record.engine.hands.items():
                self.hands.setdefault(seat, set()).update(hand)

    def opened_to(self, seats: Collection[int]) -> set[int]:
        """Return the slots that the log has opened to everybody, or to one of these seats."""
        record = self.record
        found = set(self.asked.get(None, ()))
        for seat in (*seats, *record.lost, *record.departed):
            found |= self.asked.get(seat, set()) | self.hands.get(seat, set())
        for each in record.inputs:
            if isinstance(each, SlotOpened):
                found.add(each.slot)
            elif isinstance(each, Acted) and isinstance(each.action, Play):
                found.add(each.action.slot)
        for shown in record.shown:
            if shown.to in seats:
                found.update(shown.slots)
        return found

    @property
    def deals(self) -> Sequence[Deal]:
        """The finished deals."""
        return self.record.slots.deals

    def points(self) -> Iterator[tuple[int, bytes]]:
        """Yield every slot with its point."""
        for deal in self.deals:
            yield from zip(deal.slots, deal.points, strict=True)


class OpenCards:
    """The rounds of one log, updated entry by entry."""

    def __init__(self) -> None:
        self.rounds: dict[bytes, RoundCards] = {}
        """By the hash of the round's Open entry."""

    def look(self, replay: Replay) -> None:
        """Update after one more entry."""
        record = replay.round
        if record is None or not record.open_hash:
            return
        found = self.rounds.get(record.open_hash)
        if found is None or found.record is not record:
            identities = {seat: replay.roster.seats[seat].identity for seat in record.seats}
            found = self.rounds[record.open_hash] = RoundCards(record, identities)
        found.look(replay.seq)
