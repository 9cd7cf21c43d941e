"""How far the log is final: on the disks of a majority of the owners, by their acknowledgements.

Only the host keeps this: `role.py` sends the count to the subscribers, `clocks.py` asks which
owners delay it. An acknowledgement is no evidence; a false one harms only its author.

The owners who count change with the log. An entry that changes them (a drop, a return) is itself
counted by those who counted before it, and the change takes effect once that entry is final: two
majorities that decide one after the other always have an owner in common. In a term nothing is
final before its first entry is: an election could still give up an older entry that many hold.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from lanuno.log.replay.replay import Replay
from lanuno.log.replay.terms import majority

ELECTS_FROM = 3
"""Number of owners that can elect a host; fewer depend on the present one."""


@dataclass(frozen=True, slots=True)
class _Change:
    """The owners who count change behind the first `at` entries."""

    at: int
    owners: tuple[int, ...]


class Finality:
    """The final part of one table's log."""

    def __init__(self, replay: Replay, unsure: int = 0) -> None:
        """Nothing is known to be final yet; the owners who count are those of the log's end.

        `unsure`: number of entries that may hold changes of the owners which were never final under
        an earlier host; 0 if this host knows that all were.
        """
        self.count = 0
        """Number of final entries; never falls."""
        self._replay = replay
        self._unsure = unsure
        self._owners = replay.absence.present_owners
        self._last = self._owners
        self._changes: list[_Change] = []
        self._acknowledged: dict[int, int] = {}

    @property
    def changing(self) -> bool:
        """Whether a change of the owners who count is not final yet: no other may follow before.

        In a new term none may come before the term's own first entry is final: otherwise two forks
        of the log could elect with different owners.
        """
        term = self._replay.terms[-1]
        begun = term.number == 0 or self.count > term.first
        return not self._knows_owners or not begun

    @property
    def decides_alone(self) -> bool:
        """Whether the host may drop the one other owner at any time.

        It is certain that these two are left: only this host can be elected, and it has all that it
        wrote. So it need not wait until the first entry of its term is final: the other one may be
        gone, or refuse the acknowledgement that this needs.
        """
        two = len(self._owners) == 2 and self._replay.host in self._owners
        return two and self._knows_owners

    @property
    def _knows_owners(self) -> bool:
        return not self._changes and self.count >= self._unsure

    def acknowledge(self, seat: int, count: int) -> None:
        """An owner acknowledges that it has `count` entries on disk.

        A number beyond the log is ignored.
        """
        if count <= self._replay.seq:
            self._acknowledged[seat] = max(self._acknowledged.get(seat, 0), count)

    def entry_appended(self) -> None:
        """The log has one more entry."""
        here = self._replay.absence.present_owners
        if here != self._last:
            self._last = here
            self._changes.append(_Change(self._replay.seq, here))

    def advance(self) -> bool:
        """Count again; whether more entries are final than before."""
        before = self.count
        while True:
            held = self._held_by_majority()
            if not self._changes:
                break
            if held < self._changes[0].at:
                break
            held = self._changes[0].at
            self._owners = self._changes.pop(0).owners
            self._raise(held)
        self._raise(held)
        return self.count > before

    def reach(self, here: Set[int]) -> tuple[int, int]:
        """How many of the owners who count are in contact, and how many make a majority.

        An owner that is leaving counts as in contact: it delays nothing.
        """
        reached = len((here | self._replay.leaving) & set(self._owners))
        return reached, majority(len(self._owners))

    @property
    def abandoned(self) -> bool:
        """Whether the host has left the match and one owner remains, who cannot elect a host."""
        return self.among_two and len(self._last) == 1 and self._replay.host not in self._last

    @property
    def among_two(self) -> bool:
        """Whether two owners decide: then one of them can be dropped by the other alone."""
        return len(self._owners) <= 2

    def releasable(self, seat: int | None) -> int:
        """How many entries may be sent to an owner (or, for None, to a spectator).

        A host that has lost its last entries in a power cut signs others under the same numbers,
        unless another term begins. Three or more owners elect a host for another term. Of two, the
        host asks the other one; but that one may say that it holds less, and would then have two
        entries with one number to show. So the other owner gets only entries that are on the host's
        own disk, and everybody else those that are on both. Once the entries of a closed log are on
        the host's own disk, no others are signed in their place.
        """
        replay, owners = self._replay, self._replay.owners
        if min(len(owners), len(self._owners)) >= ELECTS_FROM or seat == replay.host:
            return replay.seq
        own = self._acknowledged.get(replay.host, 0)
        if own == replay.seq and replay.closed is not None:
            return own
        return max(self.count, own) if seat in owners and seat in self._owners else self.count

    def missing_owners(self, count: int) -> frozenset[int]:
        """Owners that count and have acknowledged fewer than `count` entries."""
        leaving = self._replay.leaving
        return frozenset(
            seat
            for seat in self._owners
            if self._acknowledged.get(seat, 0) < count and seat not in leaving
        )

    def _held_by_majority(self) -> int:
        """How many entries a majority of the owners who count now has on disk."""
        leaving = self._replay.leaving
        # An owner that is leaving has no part in any later decision: it delays nothing.
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
            # The host has left the match, and the other one is gone: it can only close.
            return self._acknowledged.get(self._replay.host, 0)
        return counts[majority(len(counts)) - 1]

    def _two_are_left(self) -> bool:
        return len(self._owners) == 2 and len(self._last) == 1

    def _raise(self, count: int) -> None:
        term = self._replay.terms[-1]
        if count > self.count and (term.number == 0 or count > term.first):
            self.count = count
