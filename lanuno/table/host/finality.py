"""How far the log is acknowledged as on disk, by all owners and by a majority of them.

Only the host keeps this. Its steps wait until all owners have acknowledged what they build on
(`certified`), as the nodes of the owners do. `clocks.py` asks which owners delay that.

Who may be dropped, and when, rests on majorities, because a majority elects the next host. The
owners that count change with the log. An entry that changes them (a drop, a return) is itself
counted by the owners before it, and the change takes effect once a majority of them has it. So two
majorities that decide one after the other always have an owner in common. In a new term nothing
counts before the term's first entry does: until then an election could still give up an older entry
that many owners hold.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Set

from lanuno.log.replay.replay import Replay
from lanuno.log.replay.terms import majority

ELECTS_FROM = 3
"""Minimum number of owners that can elect a new host. Fewer depend on the present one."""


class Finality:
    """How much of one table's log a majority holds, and how much all owners have acknowledged."""

    def __init__(self, replay: Replay, unsure: int = 0) -> None:
        """Start with no acknowledgements and the owners at the end of the log.

        `unsure`: number of entries up to the last change of the owners that a majority may not hold
        yet; 0 if this host knows that a majority holds all changes.
        """
        self.count = 0
        """Number of entries that a majority holds. It never falls."""
        self.certified = 0
        """Number of entries that all owners have acknowledged. It never falls."""
        self._replay = replay
        self._unsure = unsure
        self._owners = replay.absence.present_owners
        self._last = self._owners
        self._changes: deque[tuple[int, tuple[int, ...]]] = deque()
        """Changes of the owners that count: the number of entries up to each, and its owners."""
        self._acknowledged: dict[int, int] = {}

    @property
    def changing(self) -> bool:
        """Whether no majority holds a change of the owners that count yet, so no other may follow.

        The same holds in a new term for the term's first entry. Otherwise two forks of the log
        could elect hosts with different owners.
        """
        term = self._replay.terms[-1]
        begun = term.number == 0 or self.count > term.first
        return not self._knows_owners or not begun

    @property
    def decides_alone(self) -> bool:
        """Whether the host may drop the one other owner at any time.

        This is so if it is certain that only these two are left. Then only this host can be
        elected, and it has everything that it wrote. So it need not wait until a majority holds the
        first entry of its term: the other owner may be gone, or withhold its acknowledgement.
        """
        two = len(self._owners) == 2 and self._replay.host in self._owners
        return two and self._knows_owners

    @property
    def _knows_owners(self) -> bool:
        return not self._changes and self.count >= self._unsure

    def acknowledge(self, seat: int, count: int) -> None:
        """Note that an owner acknowledges that it has the first `count` entries on its disk."""
        self._acknowledged[seat] = max(self._acknowledged.get(seat, 0), count)
        self.advance()

    def acknowledged(self, seat: int) -> int:
        """Return how many entries an owner has acknowledged."""
        return self._acknowledged.get(seat, 0)

    def entry_appended(self) -> None:
        """Note that the log has one more entry."""
        here = self._replay.absence.present_owners
        if here != self._last:
            self._last = here
            self._changes.append((self._replay.seq, here))

    def advance(self) -> None:
        """Recompute both counts."""
        while self._changes and self._held_by_majority() >= self._changes[0][0]:
            at, self._owners = self._changes.popleft()
            self._raise(at)
        self._raise(self._held_by_majority())
        owners = self._replay.owners or (self._replay.host,)
        held = min(self._acknowledged.get(seat, 0) for seat in owners)
        self.certified = max(self.certified, min(held, self.count))

    def reach(self, here: Set[int]) -> tuple[int, int]:
        """Return how many of the owners that count are in contact, and how many are a majority.

        An owner that is leaving counts as in contact, because it delays nothing.
        """
        reached = len((here | self._replay.leaving) & set(self._owners))
        return reached, majority(len(self._owners))

    @property
    def abandoned(self) -> bool:
        """Whether the host has left the match and one owner, who can elect nobody, remains."""
        return self.among_two and len(self._last) == 1 and self._replay.host not in self._last

    @property
    def among_two(self) -> bool:
        """Whether at most two owners count, so that either can be dropped by the other alone."""
        return len(self._owners) <= 2

    def releasable(self, seat: int | None) -> int:
        """Return the number of entries that may be sent to an owner (None: to a spectator).

        A host that lost its last entries in a power failure signs others under the same numbers,
        unless a new term begins. Three or more owners elect a host for a new term. With two owners,
        the host asks the other one for the lost entries; but that owner may claim to hold less, and
        would then have two entries with one number to show. So the other owner is sent only entries
        that are on the host's own disk. Spectators are sent only what all owners have acknowledged.
        Once a closed log is wholly on the host's own disk, no other entries are signed in its
        place.
        """
        replay, owners = self._replay, self._replay.owners
        elects = min(len(owners), len(self._owners)) >= ELECTS_FROM
        if (elects and seat is not None) or seat == replay.host:
            return replay.seq
        own = self._acknowledged.get(replay.host, 0)
        if own == replay.seq and replay.closed is not None:
            return own
        if seat is None:
            return self.certified
        return max(self.count, own) if seat in owners and seat in self._owners else self.count

    def missing_owners(self, count: int) -> frozenset[int]:
        """Return the owners, neither dropped nor leaving, that lack some of `count` entries."""
        return frozenset(
            seat for seat in self._replay.owners if self._acknowledged.get(seat, 0) < count
        )

    def _held_by_majority(self) -> int:
        """Return the number of entries on the disks of a majority of the owners that count now."""
        if len(self._owners) == 2 and len(self._last) == 1:
            # Of two owners one was dropped, so the other decides alone.
            return self._acknowledged.get(self._last[0], 0)
        if not self._last and self.among_two:
            # The host has left the match and the other owner is gone: the host can only close.
            return self._acknowledged.get(self._replay.host, 0)
        # An owner that is leaving has no part in later decisions, so it delays nothing.
        held = {**self._acknowledged, **dict.fromkeys(self._replay.leaving, self._replay.seq)}
        counts = sorted((held.get(seat, 0) for seat in self._owners), reverse=True)
        return counts[majority(len(counts)) - 1]

    def _raise(self, count: int) -> None:
        term = self._replay.terms[-1]
        if count > self.count and (term.number == 0 or count > term.first):
            self.count = count
