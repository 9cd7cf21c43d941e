"""Claims of other owners that a later term has begun, or has to begin, and their proof.

A node that is the host, or follows one, gives that up only for proof. The proof of a later term is
a log in which it begins with the votes of a majority, checked like every entry. A reason to seek
re-election is the signed vote of an owner that may no longer follow this host. This module checks
other nodes' logs without changing the node's own log. A claim costs its author nothing, so the log
of each owner is checked at intervals, which double after each check without proof.
"""

from __future__ import annotations

from msgspec import Struct, field

from lanuno.log.faults import Unreadable
from lanuno.log.format.votes import SignedVote
from lanuno.table.messages import LogPage
from lanuno.table.outputs import Link
from lanuno.table.succession.election import MOST_LEAP, ElectionView
from lanuno.table.succession.fork_choice import BetterFork, ForkReader, LocalLog, ReadFrom

LOOK_SECONDS = 5.0
"""Pause between two checks of the same owner's log; doubled after each check without proof."""
MOST_LOOK_SECONDS = 80.0

STAND_SECONDS = 20.0
"""Pause between two elections that the promise of the same owner can cause."""
ASK_SECONDS = 1.0
"""Pause between votes for the same owner in two terms. Every election takes longer than this."""
MOST_ASK_SECONDS = 16.0
"""Upper bound of that pause, which doubles while no host is elected. A candidate that asks and
never wins must not keep a voter's promise above the terms that other candidates may ask for."""
MOST_PAGES = 512
"""At most this many pages of one log are checked. No log has more."""
SHOW_SECONDS = 4.0
"""Time within which a host of a later term has to show its votes, or more entries of its log."""

SHOW_ALL_SECONDS = 60.0
"""Time within which it has to show its votes, however long its log is."""


class LogCheck(Struct):
    """The check of the log of an owner's node, in progress."""

    link: Link
    asked: int
    """Number of the first entry of the last requested page."""
    reader: ForkReader = field(default_factory=ForkReader)
    pages: int = 0

    def take_page(self, own: LocalLog, page: LogPage) -> ReadFrom | BetterFork | None:
        """Check the next entries. The check is over unless more are needed (`ReadFrom`)."""
        found = self.reader.compare(own, page.first, page.entries)
        self.pages += 1
        if isinstance(found, ReadFrom) and self.pages < MOST_PAGES:
            self.asked = found.first
            return found
        return found if isinstance(found, BetterFork) else None


class Backoff:
    """The pauses between checks of the same owner's log, doubled after each check."""

    def __init__(self) -> None:
        """Start without pauses."""
        self._pause: dict[int, float] = {}
        self._next: dict[int, float] = {}

    def allows(self, seat: int, now: float) -> bool:
        """Whether an owner's log may be checked now; if so, count this as a check."""
        if now < self._next.get(seat, now):
            return False
        pause = self._pause.get(seat, LOOK_SECONDS)
        self._next[seat] = now + pause
        self._pause[seat] = min(MOST_LOOK_SECONDS, 2 * pause)
        return True

    def reset(self, seat: int) -> None:
        """Allow the next check immediately, because the last one proved something."""
        self._pause.pop(seat, None)
        self._next.pop(seat, None)


class ClaimedTerms:
    """The later terms that other owners claim, and the checks of their logs."""

    def __init__(self) -> None:
        """Start without claims."""
        self._looks: dict[int, LogCheck] = {}
        self._backoff = Backoff()
        self._vote_requests: dict[int, float] = {}
        self._asked: dict[int, tuple[int, float, float]] = {}
        """By owner: the last term in which this node voted for it, and the end and length of the
        pause after that vote."""
        self.distrusted: set[int] = set()
        """Owners that were followed as the host of a later term and did not show its votes. They
        have to show them before they are followed again, even without a host."""

    def start_look(self, link: Link, seat: int, own: LocalLog, now: float) -> int | None:
        """Start a check of an owner's log; return the first entry to request, or None to wait."""
        if not self._backoff.allows(seat, now):
            return None
        first = max(own.fixed, own.replay.terms[-1].first)
        self._looks[seat] = LogCheck(link, first)
        return first

    def mark_shown(self, seat: int) -> None:
        """An owner has proven its claim, so its next one may be checked immediately."""
        self.distrusted.discard(seat)
        self._backoff.reset(seat)

    def may_request_vote(self, seat: int, term: int, now: float) -> bool:
        """Whether an owner may get a vote in this term now.

        The pre-vote is refused as well, so that no candidate begins an election in which some
        voters have to wait. Otherwise two voters could vote for it in turn for ever, each in a term
        in which the other has to wait.
        """
        before, until, _ = self._asked.get(seat, (term, now, 0.0))
        return term == before or now >= until

    def voted(self, seat: int, term: int, now: float) -> None:
        """Note a vote for an owner in this term, which starts the pause."""
        pause = self._asked[seat][2] if seat in self._asked else ASK_SECONDS / 2
        pause = min(MOST_ASK_SECONDS, 2 * pause)
        self._asked[seat] = (term, now + pause, pause)

    def host_elected(self) -> None:
        """A host was elected, so every owner may ask for a vote again immediately."""
        self._asked.clear()

    def drop_link(self, link: Link) -> None:
        """A link ended: stop the check of the log received over it."""
        for seat in [seat for seat, look in self._looks.items() if look.link == link]:
            del self._looks[seat]

    def take_page(
        self, link: Link, seat: int, own: LocalLog, page: LogPage
    ) -> ReadFrom | BetterFork | None:
        """Check the next entries of an owner's log.

        Returns `BetterFork` if the later term is proven, `ReadFrom` if more entries are needed, and
        None if nothing is proven.
        """
        look = self._looks.get(seat)
        if look is None or (look.link, look.asked) != (link, page.first):
            return None
        found = look.take_page(own, page)
        if not isinstance(found, ReadFrom):
            del self._looks[seat]
        return found

    def binding_term(
        self, seat: int, vote: SignedVote | None, now: float, view: ElectionView
    ) -> int:
        """Return the later term in which an owner has voted, so that it cannot follow this one.

        Returns 0 if the vote proves no such term, or the owner has caused an election recently.
        """
        if vote is None or now < self._vote_requests.get(seat, now):
            return 0
        try:
            read = vote.read()
        except Unreadable:
            return 0
        theirs = (read.table, read.voter) == (view.table, seat)
        if not view.term < read.term <= view.term + MOST_LEAP or not theirs:
            return 0
        if not vote.signed_by(view.identities[seat]):
            return 0
        self._vote_requests[seat] = now + STAND_SECONDS
        return read.term
