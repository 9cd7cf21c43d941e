"""How far the log lies on the disks of a majority of owners, by what they acknowledged.

Kept by the host alone: `sequencer.py` tells everybody the count, `clocks.py` asks who holds it up.
An acknowledgement is talk, not evidence; only its author is worse off for a false one.

Who counts changes with the log. An entry after which others count (a drop, a return) is itself
counted by those who counted before it, and only once it is firm do the others count: two majorities
that decide next to each other always have an owner in common. In a term nothing is firm before its
first entry is: an older entry that many hold could still be passed over by an election.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from lanuno.log.replay import Replay
from lanuno.log.terms import majority

ELECTS_FROM = 3
"""So many owners can elect a host; fewer cannot do without the present one."""


@dataclass(frozen=True, slots=True)
class _Change:
    """Others count behind so many entries."""

    at: int
    owners: tuple[int, ...]


class Firmness:
    """The firm part of one table's log."""

    def __init__(self, replay: Replay, unsure: int = 0) -> None:
        """Nothing is known to be firm yet; the owners who count are those of the log's end.

        `unsure`: number of entries that may hold changes of the owners which were never firm under
        an earlier host; 0 if this host knows that all were.
        """
        self.count = 0
        """So many entries are firm; never falls."""
        self._replay = replay
        self._unsure = unsure
        self._owners = replay.absence.here
        self._last = self._owners
        self._changes: list[_Change] = []
        self._acknowledged: dict[int, int] = {}

    @property
    def changing(self) -> bool:
        """Whether a change of who counts is not firm yet: no other may follow until it is.

        In a new term none may come before the term's own first entry is firm: two branches of the
        log could else elect with different owners.
        """
        term = self._replay.terms[-1]
        begun = term.number == 0 or self.count > term.first
        return not self._knows_owners or not begun

    @property
    def decides_alone(self) -> bool:
        """Whether the host may drop the one other owner at any time.

        It is certain that these two are left: nobody but this host can be elected any more, and it
        has all that it wrote. So it need not wait for the first entry of its term to be firm, for
        which the other one may be gone, or refuse what only it can give.
        """
        two = len(self._owners) == 2 and self._replay.host in self._owners
        return two and self._knows_owners

    @property
    def _knows_owners(self) -> bool:
        return not self._changes and self.count >= self._unsure

    def acknowledge(self, seat: int, count: int) -> None:
        """An owner says that so many entries are on its disk.

        A number beyond the log is nonsense and is ignored.
        """
        if count <= self._replay.seq:
            self._acknowledged[seat] = max(self._acknowledged.get(seat, 0), count)

    def entry_taken(self) -> None:
        """The log has one more entry."""
        here = self._replay.absence.here
        if here != self._last:
            self._last = here
            self._changes.append(_Change(self._replay.seq, here))

    def grew(self) -> bool:
        """Count again; whether more entries are firm than before."""
        before = self.count
        while True:
            firm = self._held()
            if not self._changes:
                break
            if firm < self._changes[0].at:
                break
            firm = self._changes[0].at
            self._owners = self._changes.pop(0).owners
            self._raise(firm)
        self._raise(firm)
        return self.count > before

    def reach(self, here: Set[int]) -> tuple[int, int]:
        """How many of those who count are in contact, and how many make a majority.

        Whoever said that it leaves counts as in contact: it holds up nothing.
        """
        reached = len((here | self._replay.leaving) & set(self._owners))
        return reached, majority(len(self._owners))

    @property
    def abandoned(self) -> bool:
        """Whether the host has left the match and one owner remains, who elects nobody."""
        return self.among_two and len(self._last) == 1 and self._replay.host not in self._last

    @property
    def among_two(self) -> bool:
        """Whether two owners decide: then one of them can be dropped by the other alone."""
        return len(self._owners) <= 2

    def tells(self, seat: int | None) -> int:
        """How many entries an owner (or, None, whoever watches) may hear of.

        A host that has lost its last entries with its power signs others under the same numbers,
        unless another term begins. Three owners or more elect it, or somebody, for another term. Of
        two it asks the other one; but that one may say that it holds less, and would have two
        entries of one number to show. So it hears of nothing that is not on the host's own disk,
        and everybody else of what is on both. Nothing is signed in the place of a closed log's
        entries once they are on the host's own disk.
        """
        replay, now = self._replay, self._replay.owners
        if min(len(now), len(self._owners)) >= ELECTS_FROM or seat == replay.host:
            return replay.seq
        own = self._acknowledged.get(replay.host, 0)
        if own == replay.seq and replay.closed is not None:
            return own
        return max(self.count, own) if seat in now and seat in self._owners else self.count

    def behind(self, count: int) -> frozenset[int]:
        """Owners that count and have not acknowledged so many entries."""
        gone = self._replay.leaving
        return frozenset(
            seat
            for seat in self._owners
            if self._acknowledged.get(seat, 0) < count and seat not in gone
        )

    def _held(self) -> int:
        """How many entries a majority holds, by those who count now."""
        leaving = self._replay.leaving
        # Whoever said that it leaves has no part in any later decision: it holds up nothing.
        counts = sorted(
            (
                self._replay.seq if seat in leaving else self._acknowledged.get(seat, 0)
                for seat in self._owners
            ),
            reverse=True,
        )
        if self._two_are_left():
            # Of two owners one was dropped: the other decides alone.
            return max(self._acknowledged.get(seat, 0) for seat in self._last)
        if not self._last and self.among_two:
            # The host has left the match, and the other one is gone: nothing is left but to close.
            return self._acknowledged.get(self._replay.host, 0)
        return counts[majority(len(counts)) - 1]

    def _two_are_left(self) -> bool:
        return len(self._owners) == 2 and len(self._last) == 1

    def _raise(self, firm: int) -> None:
        term = self._replay.terms[-1]
        if firm > self.count and (term.number == 0 or firm > term.first):
            self.count = firm
