"""What decided a match, the cards or a player's absence, and the facts behind it.

Some entries rest on the host's claim alone: that a player is out of contact or silent, and that a
turn's time is up (the host also writes the times of entries). Such claims can neither be proven nor
be used as proof. They are counted here, so that every report can state them.

A match is decided by *absence* if

- one of its two last people was gone, so that the other one won; or
- a player was dropped, not by a signed Leave of its own, while a round of play went on or so that
  the next one began without it; or
- a player was expelled because its leaving made rounds void; or
- the clock played two turns or more of one seat in one round that counts.

One idle turn is not enough, nor is a signed Leave while other players continue.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from lanuno.log.faults import VoidReason
from lanuno.log.format.bodies import DropReason
from lanuno.log.round import events
from lanuno.log.round.events import LogEvent
from lanuno.log.round.round_record import RoundRecord
from lanuno.rules.engine.results import RoundKind

CLOCK_TURNS = 2
"""Turns of one seat that the clock plays in a round; fewer may be a short distraction."""


class Decided(Enum):
    """What decided a match, or what counts of it so far."""

    CARDS = "cards"
    ABSENCE = "absence"


@dataclass(frozen=True, slots=True)
class DroppedSeat:
    """A seat without which the table went on."""

    seat: int
    reason: DropReason
    round: int
    """The latest round that was opened."""
    entry: int

    @property
    def signed(self) -> bool:
        """Whether its owner signed a Leave; otherwise only the host claims it."""
        return self.reason is DropReason.LEFT


@dataclass(frozen=True, slots=True)
class RoundSummary:
    """What stays known of a round after it is closed."""

    number: int
    kind: RoundKind
    counted: bool
    attested: tuple[int, ...]
    """Seats that attested that nothing is wrong."""
    void: VoidReason | None = None
    """Why it counts for nothing, if it does."""


class Course:
    """The course of one match. Attributes are for reading only."""

    def __init__(self) -> None:
        """Begin before the first entry."""
        self.counted: list[int] = []
        """Rounds of play that count."""
        self.dropped: list[DroppedSeat] = []
        self.clock: Counter[int] = Counter()
        """By seat: turns that the clock played, in rounds that count."""
        self.expelled: list[int] = []
        """Seats that are out because their leaving made rounds void."""
        self.forfeited: tuple[int, int] | None = None
        """Of the last two people, the one who was gone and the one who won."""
        self._absence_decided = False

    def decided(self, winners: Sequence[int]) -> Decided | None:
        """What decided the match; None while nothing counts and nobody has won."""
        if not self.counted and not winners:
            return None
        absent = self._absence_decided or self.expelled or self.forfeited is not None
        return Decided.ABSENCE if absent else Decided.CARDS

    def note_entry(
        self,
        happened: Sequence[LogEvent],
        entry: int,
        current: RoundRecord | None,
        dropped: Mapping[int, DropReason],
        playing: Collection[int],
    ) -> None:
        """An entry took effect. `playing`: the seats that are still in the match."""
        for event in happened:
            # Not a `match`: Python 3.11.2 and 3.11.7 count its branches differently.
            if isinstance(event, events.SeatDropped):
                self._note_drop(event, entry, current)
            elif isinstance(event, events.SeatExpelled) and not event.cheated:
                self.expelled.append(event.seat)
            elif isinstance(event, events.Forfeited):
                self.forfeited = (event.loser, event.winner)
            elif isinstance(event, events.RoundOpened) and event.kind is RoundKind.PLAY:
                reasons = {dropped.get(seat, DropReason.LEFT) for seat in playing}
                self._absence_decided |= reasons != {DropReason.LEFT}
            elif isinstance(event, events.RoundClosed) and event.counted and current is not None:
                self._count_round(current)

    def _note_drop(
        self, event: events.SeatDropped, entry: int, current: RoundRecord | None
    ) -> None:
        number = 0 if current is None else current.number
        drop = DroppedSeat(event.seat, event.reason, number, entry)
        self.dropped.append(drop)
        playing = current is not None and current.kind is RoundKind.PLAY
        if current is not None and playing and event.seat in current.dropped_in_play:
            self._absence_decided |= not drop.signed

    def _count_round(self, current: RoundRecord) -> None:
        if current.kind is not RoundKind.PLAY:
            return
        self.counted.append(current.number)
        for seat, turns in current.clock_turns.items():
            self.clock[seat] += len(turns)
            self._absence_decided |= len(turns) >= CLOCK_TURNS
