"""What decided a match: the cards, or somebody's absence; and the facts that say so.

Some of a log is the host's word alone: that somebody is out of contact or silent, and that a turn's
time is up (the times of entries are the host's too). None of it proves anything about anybody, and
none of it can be proven. Here it is counted, so that every report can say so aloud.

A match is decided by *absence* if

- one of its two last people was gone, so that the other one won; or
- a player was dropped, not by a signed Leave of its own, while a round of play went on or so that
  the next one began without it; or
- a player was expelled because its leaving made rounds void; or
- the clock played two turns or more of one seat in one round that counts.

One idle turn is not enough, nor is a player who signs that they leave while others play on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from lanuno.log import events
from lanuno.log.bodies import DropReason
from lanuno.log.events import Event
from lanuno.log.faults import VoidReason
from lanuno.log.round_record import RoundRecord
from lanuno.rules.results import RoundKind

CLOCK_TURNS = 2
"""Turns of one seat that the clock plays in a round: fewer may be a moment's distraction."""


class Decided(Enum):
    """What decided a match, or what counts of it so far."""

    CARDS = "cards"
    ABSENCE = "absence"


@dataclass(frozen=True, slots=True)
class Dropped:
    """A seat without which the table went on."""

    seat: int
    reason: DropReason
    round: int
    """The latest round that was opened."""
    entry: int

    @property
    def signed(self) -> bool:
        """Whether its owner signed that it leaves; else there is only the host's word."""
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
        """Nothing has happened."""
        self.counted: list[int] = []
        """Rounds of play that count."""
        self.dropped: list[Dropped] = []
        self.clock: Counter[int] = Counter()
        """By seat: turns that the clock played, in rounds that count."""
        self.expelled: list[int] = []
        """Seats that are out because their leaving made rounds void."""
        self.forfeited: tuple[int, int] | None = None
        """Who was gone when only two people were left, and who won by it."""
        self._missed = False

    def decided(self, winners: Sequence[int]) -> Decided | None:
        """What decided the match; None while nothing counts and nobody has won."""
        if not self.counted and not winners:
            return None
        absent = self._missed or self.expelled or self.forfeited is not None
        return Decided.ABSENCE if absent else Decided.CARDS

    def taken(
        self,
        happened: Sequence[Event],
        entry: int,
        current: RoundRecord | None,
        dropped: Mapping[int, DropReason],
        playing: Collection[int],
    ) -> None:
        """An entry took effect. `playing`: the seats that are still in the match."""
        for event in happened:
            # Not a `match`: Python 3.11.2 and 3.11.7 count its branches differently.
            if isinstance(event, events.SeatDropped):
                self._drop(event, entry, current)
            elif isinstance(event, events.SeatExpelled) and not event.cheated:
                self.expelled.append(event.seat)
            elif isinstance(event, events.Forfeited):
                self.forfeited = (event.loser, event.winner)
            elif isinstance(event, events.RoundOpened) and event.kind is RoundKind.PLAY:
                reasons = {dropped.get(seat, DropReason.LEFT) for seat in playing}
                self._missed |= reasons != {DropReason.LEFT}
            elif isinstance(event, events.RoundClosed) and event.counted and current is not None:
                self._count(current)

    def _drop(self, event: events.SeatDropped, entry: int, current: RoundRecord | None) -> None:
        number = 0 if current is None else current.number
        drop = Dropped(event.seat, event.reason, number, entry)
        self.dropped.append(drop)
        playing = current is not None and current.kind is RoundKind.PLAY
        if current is not None and playing and event.seat in current.missed:
            self._missed |= not drop.signed

    def _count(self, current: RoundRecord) -> None:
        if current.kind is not RoundKind.PLAY:
            return
        self.counted.append(current.number)
        for seat, turns in current.clocked.items():
            self.clock[seat] += len(turns)
            self._missed |= len(turns) >= CLOCK_TURNS
