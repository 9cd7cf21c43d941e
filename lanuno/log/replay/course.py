"""What decided a match, the cards or a player's absence, and the facts that show it.

Some entries rest on the host's claim alone: that a player is out of contact or silent, and that the
time for a turn is up (the host also writes the times of entries). Such claims can neither be proven
nor serve as proof. They are counted here, so that every report can state them.

A match is decided by *absence* if

- one of its last two owners was gone, so the other one won; or
- a player was dropped without a signed Leave, either during a round of play or so that the next
  round of play began without it; or
- a player was expelled because void rounds count against it; or
- the clock played two turns or more of one seat in one round that counts; or
- in a round that counts, an act of the clock took a challenge or a last card from a player, or
  ended the round (round/clock_acts.py).

Another idle turn is not enough, nor is a signed Leave while other players continue.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from enum import Enum

from msgspec import Struct

from lanuno.log.faults import VoidReason
from lanuno.log.format.bodies import DropReason
from lanuno.log.round import events
from lanuno.log.round.events import LogEvent
from lanuno.log.round.round_record import ClockAct, RoundRecord
from lanuno.rules.engine.results import RoundKind

CLOCK_TURNS = 2
"""From this many turns of one seat that the clock played in a round, absence decides the match.

Fewer may be a short distraction."""


class Decided(Enum):
    """What decided a match or, before its end, the rounds that count so far."""

    CARDS = "cards"
    ABSENCE = "absence"


class DroppedSeat(Struct, frozen=True):
    """A seat that the host dropped."""

    seat: int
    reason: DropReason
    round: int
    """Number of the latest round that had been opened."""
    entry: int

    @property
    def signed(self) -> bool:
        """Whether its owner signed a Leave; otherwise the drop is only the host's claim."""
        return self.reason is DropReason.LEFT


class RoundSummary(Struct, frozen=True):
    """The facts about a round that are kept after it has closed."""

    number: int
    kind: RoundKind
    counted: bool
    attested: tuple[int, ...]
    """Seats that attested that no fault is proven."""
    void: VoidReason | None = None
    """Why the round counts for nothing; None if it is not void."""
    void_without: tuple[tuple[int, bool], ...] = ()
    """The owners for whose absence it is void, and whether each left on purpose."""
    totals: tuple[int, ...] = ()
    """The totals of the match after it."""
    players: tuple[int, ...] = ()
    """Seats of its players, without the bots of other players' computers."""
    lost: tuple[int, ...] = ()
    """Those of them who were gone at its end."""


class Course:
    """The course of one match. Attributes are for reading only."""

    def __init__(self) -> None:
        """Start before the first entry."""
        self.counted: list[int] = []
        """Numbers of the rounds of play that count."""
        self.dropped: list[DroppedSeat] = []
        self.clock: Counter[int] = Counter()
        """By seat: the turns that the clock played, in rounds that count."""
        self.clock_acts: list[ClockAct] = []
        """Acts of the clock that decided something, in rounds that count."""
        self.expelled: list[int] = []
        """Seats that were expelled because void rounds count against them."""
        self.cheated: list[int] = []
        """Seats that were expelled because a fault is proven against them."""
        self.forfeited: tuple[int, int] | None = None
        """Of the last two owners, the one who was gone and the one who won."""
        self._absence_decided = False

    def decided(self, winners: Sequence[int]) -> Decided | None:
        """Return what decided the match; None while no round counts and nobody has won."""
        if not self.counted and not winners:
            return None
        absent = self._absence_decided or self.expelled or self.clock_acts
        return Decided.ABSENCE if absent or self.forfeited is not None else Decided.CARDS

    def note_entry(
        self,
        happened: Sequence[LogEvent],
        entry: int,
        current: RoundRecord | None,
        dropped: Mapping[int, DropReason],
        playing: Collection[int],
    ) -> None:
        """Record the effects of an entry. `playing` are the seats that are still in the match."""
        for event in happened:
            # Not a `match`: Python 3.11.2 and 3.11.7 count its branches differently.
            if isinstance(event, events.SeatDropped):
                self._note_drop(event, entry, current)
            elif isinstance(event, events.SeatExpelled):
                (self.cheated if event.cheated else self.expelled).append(event.seat)
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
        self.clock_acts += current.clock_acts
