"""How far the log lies on the disks of a majority of owners, by what they acknowledged.

Kept by the host alone: `sequencer.py` tells everybody the count, `clocks.py` asks who holds it up.
An acknowledgement is talk, not evidence; only its author is worse off for a false one.
"""

from __future__ import annotations

from lanuno.log.replay import Replay


class Firmness:
    """The firm part of one table's log."""

    def __init__(self, replay: Replay) -> None:
        """Nothing is firm yet."""
        self.count = 0
        """So many entries are firm; never falls."""
        self._replay = replay
        self._acknowledged = {
            number: 0
            for number, seat in enumerate(replay.roster.seats)
            if seat.owner == seat.identity
        }

    def acknowledge(self, seat: int, count: int) -> None:
        """A seat says that so many entries are on its disk; only owners count.

        A number beyond the log is nonsense and is ignored.
        """
        if seat in self._acknowledged and count <= self._replay.seq:
            self._acknowledged[seat] = max(self._acknowledged[seat], count)

    def grew(self) -> bool:
        """Count again; whether more entries are firm than before. Dropped owners do not count."""
        counts = sorted(self._present().values(), reverse=True)
        firm = counts[len(counts) // 2] if counts else self._replay.seq
        if firm <= self.count:
            return False
        self.count = firm
        return True

    def behind(self, count: int) -> frozenset[int]:
        """Owners that have not acknowledged so many entries."""
        return frozenset(seat for seat, held in self._present().items() if held < count)

    def _present(self) -> dict[int, int]:
        gone = self._replay.dropped
        return {seat: held for seat, held in self._acknowledged.items() if seat not in gone}
