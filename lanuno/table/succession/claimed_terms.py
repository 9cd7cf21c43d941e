"""Claims of other owners that a later term has begun, or must begin, and how they are proven.

A node that is the host, or follows one, gives that up for proof alone: for a log that begins a
later term with the votes of a majority, checked as every entry is; or, to have itself elected
again, for the signed vote of an owner that may not follow it any more. This module checks the logs
of other nodes beside the own one. A claim costs its author nothing, so the log of each owner is
checked at intervals, which double each time it proved nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lanuno.log.faults import Unreadable
from lanuno.log.format.votes import SignedVote
from lanuno.table.messages import LogPage
from lanuno.table.outputs import Peer
from lanuno.table.succession.election import MOST_LEAP, ElectionView
from lanuno.table.succession.fork_choice import BetterFork, ForkReader, LocalLog, ReadFrom

LOOK_SECONDS = 5.0
"""Between two checks of the log of the same node; doubled after each that proved nothing."""
MOST_LOOK_SECONDS = 80.0

STAND_SECONDS = 20.0
"""Between two elections that the same owner's promise can bring about."""
ASK_SECONDS = 1.0
"""Between two terms for which the same owner is given a vote: each election takes longer."""
MOST_ASK_SECONDS = 16.0
"""The pause doubles up to this while no host is elected: a candidate that asks and never wins must
not keep an owner's promise ahead of the terms that the others may ask for."""
MOST_PAGES = 512
"""Pages of one log that are checked: more than any log has."""
SHOW_SECONDS = 4.0
"""Within these a host of a later term has to show its votes, or other entries of its log."""

SHOW_ALL_SECONDS = 60.0
"""Within these it has to show its votes, however long its log is."""


@dataclass(slots=True)
class _Look:
    """One log that is being checked."""

    link: Peer
    asked: int
    """Number of the first entry of the page that was requested last."""
    reader: ForkReader = field(default_factory=ForkReader)
    pages: int = 0


class Backoff:
    """The pauses between checks of the log of the same owner: each time twice as long."""

    def __init__(self) -> None:
        """Every owner's log may be checked at once."""
        self._pause: dict[int, float] = {}
        self._next: dict[int, float] = {}

    def allows(self, seat: int, now: float) -> bool:
        """Whether to check a log now; if so, this counts as a check."""
        if now < self._next.get(seat, now):
            return False
        pause = self._pause.get(seat, LOOK_SECONDS)
        self._next[seat] = now + pause
        self._pause[seat] = min(MOST_LOOK_SECONDS, 2 * pause)
        return True

    def reset(self, seat: int) -> None:
        """The check proved something: the next one may follow at once."""
        self._pause.pop(seat, None)
        self._next.pop(seat, None)


class ClaimedTerms:
    """The later terms that other owners claim, and how far their logs were checked."""

    def __init__(self) -> None:
        """No owner claims one."""
        self._looks: dict[int, _Look] = {}
        self._backoff = Backoff()
        self._vote_requests: dict[int, float] = {}
        self._asked: dict[int, tuple[int, float, float]] = {}
        """By owner: the last term for which it was given a vote, the end of the pause after that,
        and its length."""
        self._distrusted: set[int] = set()

    def start_look(self, link: Peer, seat: int, own: LocalLog, now: float) -> int | None:
        """The first entry to request of an owner's log; None if it is not to be checked now."""
        if not self._backoff.allows(seat, now):
            return None
        first = max(own.fixed, own.replay.terms[-1].first)
        self._looks[seat] = _Look(link, first)
        return first

    def mark_shown(self, seat: int) -> None:
        """An owner has proven its claim: its next one may be checked at once."""
        self._distrusted.discard(seat)
        self._backoff.reset(seat)

    def mark_not_shown(self, seat: int) -> None:
        """An owner was followed as the host of a later term, and did not show its votes."""
        self._distrusted.add(seat)

    def distrusts(self, seat: int) -> bool:
        """Whether an owner has to show its votes before it is followed, even without a host."""
        return seat in self._distrusted

    def may_request_vote(self, seat: int, term: int, now: float) -> bool:
        """Whether an owner may be given a vote of this term now.

        The pre-vote is refused as well: so no owner begins an election for which some voters have
        to wait. Otherwise two of them could vote for it in turn without end, each in a term for
        which the other has to wait.
        """
        before, until, _ = self._asked.get(seat, (term, now, 0.0))
        return term == before or now >= until

    def voted(self, seat: int, term: int, now: float) -> None:
        """An owner was given the vote of a term."""
        pause = self._asked[seat][2] if seat in self._asked else ASK_SECONDS / 2
        pause = min(MOST_ASK_SECONDS, 2 * pause)
        self._asked[seat] = (term, now + pause, pause)

    def host_elected(self) -> None:
        """A host was elected: every owner may ask again at once."""
        self._asked.clear()

    def drop_link(self, link: Peer) -> None:
        """A link ended: stop the check of the log that came over it."""
        for seat in [seat for seat, look in self._looks.items() if look.link == link]:
            del self._looks[seat]

    def take_page(
        self, link: Peer, seat: int, own: LocalLog, page: LogPage
    ) -> ReadFrom | BetterFork | None:
        """Check the next entries of an owner's log.

        `BetterFork`: the later term is proven. `ReadFrom`: request more. None: nothing is proven.
        """
        look = self._looks.get(seat)
        if look is None or (look.link, look.asked) != (link, page.first):
            return None
        found = look.reader.compare(own, page.first, page.entries)
        look.pages += 1
        if isinstance(found, ReadFrom) and look.pages < MOST_PAGES:
            look.asked = found.first
            return found
        del self._looks[seat]
        return found if isinstance(found, BetterFork) else None

    def binding_term(
        self, seat: int, vote: SignedVote | None, now: float, view: ElectionView
    ) -> int:
        """The later term in which an owner has voted, so that it cannot follow this one.

        0 if it shows no such vote, or has brought about an election recently.
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
