"""A node's own attempts to reach players who are reported lost, and their results. Sans I/O.

A node gives a share of a player's seed only after such attempts have failed (`replica/seat.py`),
because only the host says that the player is gone and at which address the player's node was. How
long the attempts last depends on whether this node has a route of its own to the player: an address
at which it was connected to the player's node itself, and the port that the player signed. Without
one, a dishonest host could be the reason for the failures, so the player gets more time to connect.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec import Struct

from lanuno.log.format.entries import Entry

ATTEMPTS = 3
"""Number of attempts that have to fail."""
FRESH_ATTEMPTS = 2
"""Number of these attempts that have to fail after the drop was received."""
OWN_WAY_SECONDS = 5.0
"""Shortest search for a player to whom this node has a route of its own."""
LONGEST_SECONDS = 30.0
"""Shortest search without such a route, and longest search after the drop was received."""


class Reachability(Struct, frozen=True):
    """The owners that this node can reach at one moment."""

    now: float
    linked: Collection[int] = ()
    """Owners whose nodes are linked."""
    own: Collection[int] = ()
    """Owners to whose nodes this node has a route of its own."""


class _Search(Struct):
    """The search for one owner."""

    since: float
    drop: Entry | None = None
    dropped: float = 0.0
    """When this node received the drop."""
    vain: int = 0
    """Number of failed attempts."""
    here: bytes = b""
    """The player's signed presence for this drop."""
    over: bool = False
    """Whether the search had failed at the last `update`."""

    def ends(self, owner: int, ways: Reachability) -> float | None:
        """Return when the search fails by time alone; None if it does not."""
        if self.drop is None or self.here:
            return None
        most = self.dropped + LONGEST_SECONDS
        if owner in ways.linked or self.vain < ATTEMPTS:
            return most
        least = self.since + (OWN_WAY_SECONDS if owner in ways.own else LONGEST_SECONDS)
        return min(least, most)

    def in_vain(self, owner: int, ways: Reachability) -> bool:
        """Whether the search has failed."""
        moment = self.ends(owner, ways)
        return moment is not None and ways.now >= moment


class ReachAttempts:
    """The searches for all owners that are reported lost."""

    def __init__(self) -> None:
        """Start without searches."""
        self._searches: dict[int, _Search] = {}

    def set_lost(self, lost: Mapping[int, Entry | None], now: float) -> None:
        """Search for exactly these owners, given with the entries that drop them, if any."""
        for owner in self._searches.keys() - lost.keys():
            del self._searches[owner]
        for owner, drop in lost.items():
            search = self._searches.setdefault(owner, _Search(now))
            if drop is not None and (search.drop is None or search.drop.hash != drop.hash):
                search.drop, search.dropped = drop, now
                search.here, search.over = b"", False
                search.vain = min(search.vain, ATTEMPTS - FRESH_ATTEMPTS)

    def __contains__(self, owner: object) -> bool:
        return owner in self._searches

    @property
    def untried(self) -> frozenset[int]:
        """Owners still to be tried; before the drop, only until enough attempts have failed."""
        return frozenset(
            owner
            for owner, search in self._searches.items()
            if not (search.over or search.here)
            and (search.drop is not None or search.vain < ATTEMPTS)
        )

    @property
    def unanswered(self) -> dict[int, Entry]:
        """Owners to ask for their signed presence, with the entries that drop them."""
        found = self._searches.items()
        wanted = [(owner, each.drop) for owner, each in found if not (each.over or each.here)]
        return {owner: drop for owner, drop in wanted if drop is not None}

    def failed(self, owner: int) -> None:
        """Note a failed attempt to reach an owner."""
        search = self._searches.get(owner)
        if search is not None:
            search.vain += 1

    def answered(self, owner: int, here: bytes) -> None:
        """Note a player's signed presence for its drop."""
        self._searches[owner].here = here

    def update(self, ways: Reachability) -> bool:
        """Act on the passage of time; return whether a search has failed since the last call."""
        ended = False
        for owner, search in self._searches.items():
            before, search.over = search.over, search.in_vain(owner, ways)
            ended = ended or (search.over and not before)
        return ended

    def deadline(self, ways: Reachability) -> float | None:
        """Return when the next search fails, unless something is received before."""
        moments = [
            each.ends(owner, ways) for owner, each in self._searches.items() if not each.over
        ]
        return min((each for each in moments if each is not None), default=None)

    def searches(self, owner: int, drop: bytes) -> bool:
        """Whether this owner is or was searched for because of the drop with this hash."""
        search = self._searches.get(owner)
        return search is not None and search.drop is not None and search.drop.hash == drop

    def result(self, owner: int, drop: bytes, ways: Reachability) -> bytes | None:
        """Return the result for the drop with this hash: the signed presence, or b"" on failure.

        Returns None while the search continues.
        """
        if not self.searches(owner, drop):
            return None
        search = self._searches[owner]
        return search.here if search.here or search.in_vain(owner, ways) else None
