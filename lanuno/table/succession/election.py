"""How the owners elect the next host when the present one is silent or leaves.

Sans I/O: time is passed in, outputs are data. This is Raft's election (Ongaro and Ousterhout, 2014,
sections 5.2, 5.4 and 9.6) with signed votes. It never loses an entry that a majority of the owners
has on disk, and so none that all have, for these reasons (here, such entries are called final):

- A candidate needs the votes of a majority of the owners that count by its log. Two majorities have
  an owner in common. They still do where the owners differ by one; owners change one at a time, see
  `host/finality.py`.
- That owner votes only for a log that is not behind its own, by (term of the last entry, count),
  and after its vote acknowledges nothing of a lower term. So every entry that was or becomes final
  in a lower term is in the log of the winner.
- An entry of an older term that a new host sends becomes final only together with the first entry
  of the new term. Otherwise a third candidate, whose last entry is of a later term than that entry,
  could win without it.
- A vote is on disk before it is sent, so a node keeps its promise across restarts. An owner votes
  once in a term. Two hosts of one term would need an owner that voted twice.
- Before requesting votes, a candidate asks whether they would be granted (the pre-vote). The reply
  is not binding. The pre-vote keeps a node that merely lost its own connection from moving all
  nodes to a new term.
- Two owners have no majority without each other, so they wait. They can only re-elect the present
  host, both together. They do so if one of them promised its vote in a later term before only the
  two were left.

`resources/spec/succession.md` has the whole argument, with the rules that other modules keep for
it; `tests/table/election_model.py` searches it for gaps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec
from msgspec import Struct

from lanuno.dealing.identity import Identity
from lanuno.log.faults import Unreadable
from lanuno.log.format.codec import decode, encode
from lanuno.log.format.votes import ElectionVote, SignedVote, sign_vote
from lanuno.log.replay.terms import MAX_TERM_STEP, majority
from lanuno.table.messages import RequestVote, VoteReply
from lanuno.table.outputs import StoreVote

SUSPECT_SECONDS = 4.0
"""Time without contact to the host before an owner becomes a candidate."""
RANK_SECONDS = 0.5
"""Time between the attempts of two owners that lost the host at the same moment."""
CAMPAIGN_SECONDS = 2.0
"""Time limit for the replies to one request for votes."""
MOST_PAUSE = 5.0
APART_SECONDS = 0.25
"""The longest pauses of two owners differ by at least this much. Otherwise both could repeatedly
become candidates at the same moment, each without the other's vote."""

REELECTION_PAUSE_SECONDS = 10.0
"""Time for which an owner's promise cannot get the present host another vote after it got one.
Without it, a host with one accomplice could have itself re-elected at any moment. An honest host
seeks re-election for one owner at most half as often."""

MOST_LEAP = 32
"""How far a candidate's term may exceed the log's term or, if higher, the voter's own promise.

The number of terms is limited, and without this bound one false report of a promise would use them
all up. Each failed election takes one term. The promise counts as well as the log's term: otherwise
one dishonest candidate could make all owners promise the last permitted term, and nobody could be a
candidate any more. Above the log's term, the bound grows by the same amount with each failed
attempt of an owner: a dishonest candidate can make some owners promise more than the other owners,
who hold the longer log, would otherwise accept."""


@dataclass(frozen=True, slots=True)
class ElectionView:
    """The state of the log that an election depends on."""

    table: bytes
    term: int
    """Term of the present host."""
    host: int
    owners: tuple[int, ...]
    """The owners that count at the end of the log."""
    last_term: int
    count: int
    head: bytes
    identities: Mapping[int, bytes] = field(repr=False)
    """Public keys of these owners, by seat."""

    @property
    def end(self) -> tuple[int, int, bytes]:
        """The end of the log, as requests and votes name it."""
        return self.last_term, self.count, self.head


class SendToOwner(Struct, frozen=True):
    """Send a message to an owner's node."""

    seat: int
    message: RequestVote | VoteReply


class Won(Struct, frozen=True):
    """This node has been elected host of this term, by these votes."""

    term: int
    votes: tuple[SignedVote, ...]


VoterOutput = StoreVote | SendToOwner | Won


class _Campaign(Struct):
    """One attempt to become the host."""

    term: int
    pre: bool
    ends: float
    granted: set[int] = msgspec.field(default_factory=set)
    votes: dict[int, SignedVote] = msgspec.field(default_factory=dict)


class Voter:
    """One owner's part in elections."""

    def __init__(
        self, seat: int, identity: Identity, votes: Mapping[int, bytes] | None = None
    ) -> None:
        """`votes`: the votes that this owner has on disk, by term.

        Raises `Unreadable` if the last one cannot be read.
        """
        self.promised = max(votes or (), default=0)
        """Highest term in which this owner voted. It acknowledges nothing of lower terms."""
        self._seat = seat
        self._identity = identity
        self.vote = decode(votes[self.promised], SignedVote) if votes else None
        """The last vote that this owner gave."""
        self._lost_at: float | None = None
        self._next_try: float | None = None
        self._tries = 0
        self._campaign: _Campaign | None = None
        self._outvoted_by = self.promised
        """The promised term because of which this node, as host, seeks re-election."""
        self._shown_vote: SignedVote | None = None
        """The vote that proves this promise."""
        self._excused_until: dict[int, float] = {}
        """By owner: until when its promise does not get the host another vote."""
        self._reported_promises: dict[int, int] = {}
        """By owner: the highest term in which it claims to have voted."""
        self._transfer: tuple[int, int] | None = None
        self.left = False
        """Whether this owner signed a Leave and has not returned in the log since.

        From the Leave on, the host counts this owner as holding all entries, which is safe only
        while it gives no vote. So this is set before the Leave is sent, and again after a restart.
        """

    # ---- the host ---------------------------------------------------------------------------

    @property
    def deadline(self) -> float | None:
        """When `tick` must be called at the latest; None if no timer is running."""
        return self._next_try if self._campaign is None else self._campaign.ends

    def due(self, now: float) -> bool:
        """Whether `tick` would do something now."""
        return self.deadline is not None and now >= self.deadline

    def host_in_contact(self) -> None:
        """The present host is in contact: end any campaign."""
        self._lost_at = self._next_try = self._campaign = None
        self._tries = 0

    def host_lost(self, now: float, view: ElectionView) -> None:
        """There has been no contact to a host since `now`: start the timer for a campaign."""
        if self._lost_at is None:
            self._lost_at = now
            self._next_try = now + SUSPECT_SECONDS + RANK_SECONDS * self._rank(view)

    def term_began(self, now: float, view: ElectionView) -> None:
        """The log has a new term: give up a campaign for an older one."""
        if self._campaign is not None and self._campaign.term <= view.term:
            self._give_up(now, view)
        if self._transfer is not None and self._transfer[0] <= view.term:
            self._transfer = None
        self._shown_vote = None

    def outvoted(
        self, promised: int, now: float, view: ElectionView, reason: SignedVote | None = None
    ) -> list[VoterOutput]:
        """As host: seek re-election, because an owner promised a later term than the present one.

        `reason`: the vote that proves the promise; None if this node was away itself.
        """
        self._shown_vote = reason
        self._outvoted_by = max(self._outvoted_by, min(promised, self._last_own_term(view) - 1))
        self._lost_at = now if self._lost_at is None else self._lost_at
        return self._become_candidate(now, view)

    def host_transferred(
        self, candidate: int, term: int, now: float, view: ElectionView
    ) -> list[VoterOutput]:
        """The present host hands over to a candidate, which requests votes immediately."""
        if term != view.term + 1 or not self._may_be_candidate(candidate, view):
            return []
        self._transfer = (term, candidate)
        self.host_lost(now, view)
        if candidate != self._seat or self.left or self.promised >= term:
            return []
        return self._request_votes(_Campaign(term, False, now + CAMPAIGN_SECONDS), view)

    def has_voted_for_another(self, term: int) -> bool:
        """Whether this owner's last vote is for another owner, in a later term than this."""
        if self.vote is None or self.promised <= term:
            return False
        return self.vote.read().candidate != self._seat

    # ---- being a candidate ------------------------------------------------------------------

    def tick(self, now: float, view: ElectionView) -> list[VoterOutput]:
        """Act on the passage of time: end a campaign or begin the next one."""
        if self._campaign is not None and now >= self._campaign.ends:
            self._give_up(now, view)
        due = self._campaign is None and self._next_try is not None and now >= self._next_try
        return self._become_candidate(now, view) if due and self._lost_at is not None else []

    def _give_up(self, now: float, view: ElectionView) -> None:
        """End a failed attempt, and schedule the next one after a pause."""
        self._campaign = None
        self._tries += 1
        if self._lost_at is not None:
            self._next_try = now + self._pause(view)

    def _pause(self, view: ElectionView) -> float:
        most = MOST_PAUSE + APART_SECONDS * self._seat
        return min(most, RANK_SECONDS * (1 + self._rank(view)) * self._tries)

    def _rank(self, view: ElectionView) -> int:
        """Return this owner's position among the owners other than the host."""
        others = sorted(set(view.owners) - {view.host})
        return others.index(self._seat) if self._seat in others else len(others)

    def _become_candidate(self, now: float, view: ElectionView) -> list[VoterOutput]:
        """Begin a campaign: ask all owners for a pre-vote."""
        self._next_try = None
        if self.left:
            return []
        may_stand = self._may_be_candidate(self._seat, view)
        term = self._next_term(view) if may_stand else 0
        if not may_stand or term > self._last_own_term(view):
            self._give_up(now, view)
            return []
        self._campaign = _Campaign(term, True, now + CAMPAIGN_SECONDS, {self._seat})
        return self._send_request(self._campaign, view)

    def _next_term(self, view: ElectionView) -> int:
        """Return a term in which a majority can still vote, if the reported promises are true.

        The first attempt considers only the owners with the lowest promises. Some of these may be
        out of contact or lie, so each later attempt takes one more owner into account. A promise
        that leaves no term is skipped until the bound has grown.
        """
        others = set(view.owners) - {self._seat}
        promises = sorted(self._reported_promises.get(each, 0) for each in others)
        enough = majority(len(view.owners)) - 2
        last = self._last_own_term(view)
        possible = [term for term in promises[enough:] if term < last] or promises[enough:]
        promise = possible[self._tries % len(possible)]
        return max(view.term, self._outvoted_by, self.promised, promise) + 1

    def _last_term(self, view: ElectionView) -> int:
        """Return the last term in which this owner may vote for a candidate now.

        The bound on terms in the log is left to the candidate, whose log may be ahead of this one.
        """
        from_log = view.term + MOST_LEAP * (1 + self._tries)
        return max(from_log, self.promised + MOST_LEAP)

    def _last_own_term(self, view: ElectionView) -> int:
        """Return the last term for which this owner may be a candidate now."""
        return min(view.term + MAX_TERM_STEP, self._last_term(view))

    @staticmethod
    def _may_be_candidate(candidate: int, view: ElectionView) -> bool:
        """Whether an owner can be elected. Two owners can re-elect only the host; one, nobody."""
        enough = len(view.owners) > 2 or (len(view.owners) == 2 and candidate == view.host)
        return enough and candidate in view.owners

    def _send_request(self, campaign: _Campaign, view: ElectionView) -> list[VoterOutput]:
        reason = self._shown_vote if view.host == self._seat else None
        request = RequestVote(campaign.pre, campaign.term, *view.end, reason)
        return [SendToOwner(seat, request) for seat in view.owners if seat != self._seat]

    def _request_votes(self, campaign: _Campaign, view: ElectionView) -> list[VoterOutput]:
        """Vote for this owner, then request the votes of the others."""
        self._campaign = campaign
        out, vote = self._sign(campaign.term, self._seat, view)
        campaign.votes[self._seat] = vote
        return out + self._send_request(campaign, view)

    def vote_replied(
        self, seat: int, message: VoteReply, now: float, view: ElectionView
    ) -> list[VoterOutput]:
        """Handle an owner's reply to a request of this node."""
        if seat not in view.owners:
            return []
        self._reported_promises[seat] = message.promised
        campaign = self._campaign
        if campaign is None:
            return []
        if not message.granted or (message.pre, message.term) != (campaign.pre, campaign.term):
            return []
        enough = majority(len(view.owners))
        if campaign.pre:
            campaign.granted.add(seat)
            if len(campaign.granted & set(view.owners)) < enough:
                return []
            real = _Campaign(campaign.term, False, now + CAMPAIGN_SECONDS)
            return self._request_votes(real, view)
        if message.vote is None or not self._counts(seat, message.vote, campaign.term, view):
            return []
        campaign.votes[seat] = message.vote
        votes = tuple([campaign.votes[voter] for voter in sorted(campaign.votes)])
        if len(votes) < enough:
            return []
        self._give_up(now, view)  # if these votes fail because the log has grown, it tries again
        return [Won(campaign.term, votes)]

    def _counts(self, seat: int, signed: SignedVote, term: int, view: ElectionView) -> bool:
        """Whether this is that owner's valid vote for this one, on a log not ahead of this one."""
        try:
            vote = signed.read()
        except Unreadable:
            return False
        asked = (view.table, term, self._seat, seat)
        right = (vote.table, vote.term, vote.candidate, vote.voter) == asked
        held, mine = (vote.last_term, vote.count), (view.last_term, view.count)
        same = held != mine or vote.head == view.head
        return right and held <= mine and same and signed.signed_by(view.identities[seat])

    # ---- voting -----------------------------------------------------------------------------

    def vote_requested(
        self, seat: int, message: RequestVote, now: float, view: ElectionView
    ) -> list[VoterOutput]:
        """Handle another owner's request for this owner's vote or pre-vote."""
        granted = self._would_vote(seat, message, now, view)
        out: list[VoterOutput] = []
        vote: SignedVote | None = None
        if granted and not message.pre:
            if message.reason is not None and self._host_must_stand_again(message, now, view):
                self._excused_until[message.reason.read().voter] = now + REELECTION_PAUSE_SECONDS
            out, vote = self._sign(message.term, seat, view)
            # This owner no longer follows the present host. If the candidate does not win, another
            # one must.
            self.host_lost(now, view)
            if self._campaign is not None and self._campaign.term <= message.term:
                self._give_up(now, view)
            if self._next_try is not None:
                # Give the candidate time to win.
                rank = RANK_SECONDS * self._rank(view)
                self._next_try = max(self._next_try, now + CAMPAIGN_SECONDS + rank)
        answer = VoteReply(message.pre, message.term, granted, vote, self.promised)
        return [*out, SendToOwner(seat, answer)]

    def _would_vote(self, seat: int, request: RequestVote, now: float, view: ElectionView) -> bool:
        if self.left or seat == self._seat or self._seat not in view.owners:
            return False
        if not self._may_be_candidate(seat, view):
            return False
        if not view.term < request.term <= self._last_term(view):
            return False
        if request.term == self.promised and self.vote is not None and not request.pre:
            return self.vote.read().candidate == seat
        if request.term <= self.promised:
            return False
        # An owner in contact with its host votes for nobody else. It votes for this host only for a
        # reason that it can check, because each election is an opportunity to give up entries that
        # are not final. An owner that has promised a later term does not follow this host any more,
        # whether in contact or not.
        handed_over = self._transfer == (request.term, seat)
        again = seat == view.host and self._host_must_stand_again(request, now, view)
        free = self._lost_at is not None or self.promised > view.term
        if not (free or handed_over or again):
            return False
        mine, theirs = (view.last_term, view.count), (request.last_term, request.count)
        return theirs > mine or (theirs == mine and request.head == view.head)

    def _host_must_stand_again(self, request: RequestVote, now: float, view: ElectionView) -> bool:
        """Whether the present host shows that another owner can no longer follow it."""
        if request.reason is None:
            return False
        try:
            vote = request.reason.read()
        except Unreadable:
            return False
        here = vote.table == view.table and view.term < vote.term < request.term
        other = vote.voter in view.owners and vote.voter != view.host
        if not (here and other) or now < self._excused_until.get(vote.voter, now):
            return False
        return request.reason.signed_by(view.identities[vote.voter])

    def _sign(
        self, term: int, candidate: int, view: ElectionView
    ) -> tuple[list[VoterOutput], SignedVote]:
        """Sign this owner's one vote in a term, to be stored before it is sent, or repeat it."""
        if term == self.promised and self.vote is not None:
            return [], self.vote
        content = ElectionVote(view.table, term, candidate, self._seat, *view.end)
        vote = sign_vote(content, self._identity)
        self.promised, self.vote = term, vote
        return [StoreVote(term, encode(vote))], vote
