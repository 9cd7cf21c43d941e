"""Own attempts to reach players who are said to be lost, and what came of them. Sans I/O.

A share of a player's seed is given only once such attempts were made in vain (`session.py`): that
somebody is gone is the host's word, and so are the addresses that it tells. What counts besides the
failed attempts is therefore whether this computer has an own way to the player: an address at which
it has met the player's computer itself, and the port that the player signed. Without one the host
alone may be the reason why nobody answers, and the player gets more time to come by itself.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from lanuno.log.entries import Entry

ATTEMPTS = 3
"""So many have to fail, some of them after the player was dropped."""
FRESH_ATTEMPTS = 2
OWN_WAY_SECONDS = 5.0
"""How long a player is looked for at the least, where this computer has met the player's before."""
LONGEST_SECONDS = 30.0
"""The same where it has not; and how long at the most after the player was dropped."""


@dataclass(frozen=True, slots=True)
class Ways:
    """How this computer stands to the others when it is asked for the state of a search."""

    now: float
    linked: Collection[int] = ()
    """Owners to whose computers there is a link."""
    own: Collection[int] = ()
    """Owners to whose computers this one has a way of its own."""


@dataclass(slots=True)
class _Search:
    """For one owner."""

    since: float
    drop: Entry | None = None
    dropped: float = 0.0
    """When this computer heard of it."""
    vain: int = 0
    """Attempts that failed."""
    here: bytes = b""
    """What the player signed for this drop."""
    over: bool = False
    """Whether it ended in vain when it was looked at last."""

    def ends(self, owner: int, ways: Ways) -> float | None:
        """When it ends in vain as things are; None if that does not depend on the time alone."""
        if self.drop is None or self.here:
            return None
        most = self.dropped + LONGEST_SECONDS
        if owner in ways.linked or self.vain < ATTEMPTS:
            return most
        least = self.since + (OWN_WAY_SECONDS if owner in ways.own else LONGEST_SECONDS)
        return min(least, most)

    def in_vain(self, owner: int, ways: Ways) -> bool:
        """Whether the player could not be reached."""
        moment = self.ends(owner, ways)
        return moment is not None and ways.now >= moment


class Searches:
    """All owners who are said to be lost."""

    def __init__(self) -> None:
        """Nobody is."""
        self._of: dict[int, _Search] = {}

    def look_for(self, lost: Mapping[int, Entry | None], now: float) -> None:
        """These owners, and no others, are said to be lost; with the entry that drops them."""
        for owner in self._of.keys() - lost.keys():
            del self._of[owner]
        for owner, drop in lost.items():
            search = self._of.setdefault(owner, _Search(now))
            if drop is not None and (search.drop is None or search.drop.hash != drop.hash):
                search.drop, search.dropped = drop, now
                search.here, search.over = b"", False
                search.vain = min(search.vain, ATTEMPTS - FRESH_ATTEMPTS)

    def __contains__(self, owner: object) -> bool:
        return owner in self._of

    @property
    def untried(self) -> frozenset[int]:
        """Whom to try to reach: before a player is dropped no more often than is of use."""
        return frozenset(
            owner
            for owner, search in self._of.items()
            if not (search.over or search.here)
            and (search.drop is not None or search.vain < ATTEMPTS)
        )

    @property
    def unanswered(self) -> dict[int, Entry]:
        """Whom to ask whether they are there, and the entry that drops them."""
        found = self._of.items()
        wanted = [(owner, each.drop) for owner, each in found if not (each.over or each.here)]
        return {owner: drop for owner, drop in wanted if drop is not None}

    def failed(self, owner: int) -> None:
        """An attempt to reach somebody has failed."""
        search = self._of.get(owner)
        if search is not None:
            search.vain += 1

    def answered(self, owner: int, here: bytes) -> None:
        """A player has signed that it is there, for the drop that it was asked about."""
        self._of[owner].here = here

    def look(self, ways: Ways) -> bool:
        """Let time pass; whether a search has ended in vain since this was called last."""
        ended = False
        for owner, search in self._of.items():
            before, search.over = search.over, search.in_vain(owner, ways)
            ended = ended or (search.over and not before)
        return ended

    def deadline(self, ways: Ways) -> float | None:
        """When the next of them ends, if nothing is heard."""
        moments = [each.ends(owner, ways) for owner, each in self._of.items() if not each.over]
        return min((each for each in moments if each is not None), default=None)

    def knows(self, owner: int, drop: bytes) -> bool:
        """Whether somebody is looked for because of the entry with this hash."""
        search = self._of.get(owner)
        return search is not None and search.drop is not None and search.drop.hash == drop

    def word(self, owner: int, drop: bytes, ways: Ways) -> bytes | None:
        """What came of it for the drop with this hash: the player's signature, or nothing.

        None while that is not known.
        """
        if not self.knows(owner, drop):
            return None
        search = self._of[owner]
        return search.here if search.here or search.in_vain(owner, ways) else None
