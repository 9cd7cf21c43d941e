"""Somebody says that a later term has begun, or must: what shows it, before it counts.

A computer that rules, or that hears a host whom it may follow, gives this up for proof alone: for a
log that begins a later term with the votes of a majority, checked as every entry is; or, to have
itself elected again, for the signed vote of an owner who may not follow it any more. Here logs of
others are looked at beside our own. Words cost their author nothing, so each of the others is
believed to be worth a look only now and then, and less often the more often it showed nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lanuno.log.faults import Unreadable
from lanuno.log.votes import SignedVote
from lanuno.table.election import MOST_LEAP, Standing
from lanuno.table.messages import Copy
from lanuno.table.other_ends import LookAt, Newer, OtherEnds, OwnEnd
from lanuno.table.outputs import Peer

LOOK_SECONDS = 5.0
"""Between two looks at what the same computer has; twice as long after each that showed nothing."""
MOST_LOOK_SECONDS = 80.0

STAND_SECONDS = 20.0
"""Between two elections that the same owner's promise can bring about."""
ASK_SECONDS = 1.0
"""Between two terms for which the same owner is given a vote: each election takes longer."""
MOST_ASK_SECONDS = 16.0
"""The pause doubles up to this as long as nobody is elected: a candidate that asks and never wins
must not keep an owner's promise ahead of what the others may ask for."""
MOST_PAGES = 512
"""Parts of one log that are looked at: more than any log has."""
SHOW_SECONDS = 4.0
"""Whoever says that it is host of a later term shows it, or something of its log, within these."""


@dataclass(slots=True)
class _Look:
    """One log that is being looked at."""

    link: Peer
    asked: int
    """From this entry on."""
    ends: OtherEnds = field(default_factory=OtherEnds)
    pages: int = 0


class Patience:
    """When what the same computer has is worth another look: each time twice as late."""

    def __init__(self) -> None:
        """Everybody is worth a look at once."""
        self._pause: dict[int, float] = {}
        self._next: dict[int, float] = {}

    def allows(self, seat: int, now: float) -> bool:
        """Whether to look now; then that was a look."""
        if now < self._next.get(seat, now):
            return False
        pause = self._pause.get(seat, LOOK_SECONDS)
        self._next[seat] = now + pause
        self._pause[seat] = min(MOST_LOOK_SECONDS, 2 * pause)
        return True

    def regain(self, seat: int) -> None:
        """It was worth it."""
        self._pause.pop(seat, None)
        self._next.pop(seat, None)


class Claims:
    """What others claim, and how far it was looked at."""

    def __init__(self) -> None:
        """Nobody claims anything."""
        self._looks: dict[int, _Look] = {}
        self._patience = Patience()
        self._stood: dict[int, float] = {}
        self._asked: dict[int, tuple[int, float, float]] = {}
        """By owner: the last term for which it was given a vote, until when there is a pause after
        that, and how long this is."""
        self._distrusted: set[int] = set()

    def look_at(self, link: Peer, seat: int, own: OwnEnd, now: float) -> int | None:
        """From which entry on to ask an owner for its log; None if not now."""
        if not self._patience.allows(seat, now):
            return None
        first = max(own.fixed, own.replay.terms[-1].first)
        self._looks[seat] = _Look(link, first)
        return first

    def shown(self, seat: int) -> None:
        """An owner was right: what it says next is worth a look at once."""
        self._distrusted.discard(seat)
        self._patience.regain(seat)

    def showed_nothing(self, seat: int) -> None:
        """An owner was followed as the host of a later term, and nothing came of it."""
        self._distrusted.add(seat)

    def doubts(self, seat: int) -> bool:
        """Whether an owner has to show its log before it is followed, whoever else is not there."""
        return seat in self._distrusted

    def may_ask(self, seat: int, term: int, now: float) -> bool:
        """Whether an owner may be given a vote of this term now.

        Asked beforehand it is told so too: nobody then begins an election for which some voters
        have to wait. Else two of them could vote for it in turn for ever, each in a term for which
        the other has to wait.
        """
        before, until, _ = self._asked.get(seat, (term, now, 0.0))
        return term == before or now >= until

    def voted(self, seat: int, term: int, now: float) -> None:
        """An owner was given the vote of a term."""
        pause = self._asked[seat][2] if seat in self._asked else ASK_SECONDS / 2
        pause = min(MOST_ASK_SECONDS, 2 * pause)
        self._asked[seat] = (term, now + pause, pause)

    def elected(self) -> None:
        """A host was elected: every owner may ask again at once."""
        self._asked.clear()

    def forget(self, link: Peer) -> None:
        """What comes over a link is not looked at any more."""
        for seat in [seat for seat, look in self._looks.items() if look.link == link]:
            del self._looks[seat]

    def weigh(self, link: Peer, seat: int, own: OwnEnd, said: Copy) -> LookAt | Newer | None:
        """What the next entries of somebody's log mean.

        `Newer`: the later term is there. `LookAt`: more is to be asked for. None: nothing is shown.
        """
        look = self._looks.get(seat)
        if look is None or (look.link, look.asked) != (link, said.first):
            return None
        found = look.ends.compare(own, said.first, said.entries)
        look.pages += 1
        if isinstance(found, LookAt) and look.pages < MOST_PAGES:
            look.asked = found.first
            return found
        del self._looks[seat]
        return found if isinstance(found, Newer) else None

    def bound(self, seat: int, vote: SignedVote | None, now: float, standing: Standing) -> int:
        """The later term that an owner has given its vote for, so that it cannot follow this one.

        0 if it shows no such vote, or has brought about an election just now.
        """
        if vote is None or now < self._stood.get(seat, now):
            return 0
        try:
            read = vote.read()
        except Unreadable:
            return 0
        theirs = (read.table, read.voter) == (standing.table, seat)
        if not standing.term < read.term <= standing.term + MOST_LEAP or not theirs:
            return 0
        if not vote.signed_by(standing.identities[seat]):
            return 0
        self._stood[seat] = now + STAND_SECONDS
        return read.term
