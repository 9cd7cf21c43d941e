"""How the owners agree on the next host when the present one is silent or leaves.

Sans I/O: time is passed in, outputs are data. It is Raft's election (Ongaro and Ousterhout, 2014,
sections 5.2, 5.4 and 9.6) with signed votes. Why no final entry is ever lost by it:

- A candidate needs the votes of a majority of the owners who count by its log, and an entry is
  final only once a majority of those who count has it on disk. Two majorities have an owner in
  common; where the owners differ by one (they change one at a time, see `host/finality.py`) they
  still do.
- That owner votes only for a log that is not behind its own, by (term of the last entry, count),
  and after its vote acknowledges nothing of a lower term. So every entry that was or becomes final
  in a lower term is in the log of the winner.
- An entry of an older term that a new host passes on is final only together with the first entry of
  its own term: else a third candidate, whose last entry is of a later term, could win without it.
- A vote is on disk before it is sent, so that a program that starts again keeps its promise: an
  owner votes once in a term, and two hosts of one term would need an owner who voted twice.
- Before the votes, a candidate asks whether they would be given (the pre-vote). The answer binds
  nobody. It keeps a node that merely lost its own connection from pushing all into a new term.
- Two owners have no majority without each other: they wait. They elect only the present host again,
  both together, when one of them has promised its vote in a later term before there were two.

The whole argument, with the rules that other modules keep for it, is
`resources/spec/succession.md`; `tests/table/election_model.py` searches it for gaps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lanuno.dealing.identity import Identity
from lanuno.log.faults import Unreadable
from lanuno.log.format.codec import decode, encode
from lanuno.log.format.votes import ElectionVote, SignedVote, sign_vote
from lanuno.log.replay.terms import MAX_TERM_STEP, majority
from lanuno.table.messages import RequestVote, VoteReply
from lanuno.table.outputs import StoreVote

SUSPECT_SECONDS = 4.0
"""Without contact to the host, before an owner becomes a candidate."""
RANK_SECONDS = 0.5
"""Between the attempts of two owners that have lost the host at the same moment."""
CAMPAIGN_SECONDS = 2.0
"""For the replies to one request for votes."""
MOST_PAUSE = 5.0
APART_SECONDS = 0.25
"""The longest pauses of two owners differ by at least this much. Otherwise both could become
candidates at the same moment repeatedly, each without the other's vote."""

REELECTION_PAUSE_SECONDS = 10.0
"""After the promise of an owner has brought the present host a vote, it brings none for this long.
Otherwise a host with one accomplice could have itself elected again at any moment. An honest host
becomes a candidate again for one owner at most half as often."""

MOST_LEAP = 32
"""The most by which a candidate's term may be above that of the log, and above the promise of the
owner that it asks: the number of terms is limited, and without this bound one false report of a
promise would use all of them up. Each election that fails takes one. If the log alone counted, one
dishonest candidate could make all owners promise the last of these terms, and then none could be a
candidate any more. Above the log the bound grows by as much with each failed attempt of an owner: a
dishonest candidate can make some owners promise more than the others, who hold the longer log,
would accept."""


@dataclass(frozen=True, slots=True)
class ElectionView:
    """What an election needs to know of the log."""

    table: bytes
    term: int
    """Of the present host."""
    host: int
    owners: tuple[int, ...]
    """The owners that count now."""
    last_term: int
    count: int
    head: bytes
    identities: Mapping[int, bytes] = field(repr=False)
    """Public keys of the owners."""


@dataclass(frozen=True, slots=True)
class SendToOwner:
    """Send a message to an owner's node."""

    seat: int
    message: RequestVote | VoteReply


@dataclass(frozen=True, slots=True)
class Won:
    """This node is the host of this term, by these votes."""

    term: int
    votes: tuple[SignedVote, ...]


VoterOutput = StoreVote | SendToOwner | Won


@dataclass(slots=True)
class _Campaign:
    """One attempt to become the host."""

    term: int
    pre: bool
    ends: float
    granted: set[int] = field(default_factory=set)
    votes: dict[int, SignedVote] = field(default_factory=dict)


class Voter:
    """One owner's part in electing hosts."""

    def __init__(
        self, seat: int, identity: Identity, votes: Mapping[int, bytes] | None = None
    ) -> None:
        """`votes`: the earlier votes of this owner, by term, as they were kept on disk.

        Raises `Unreadable` if the last one cannot be read.
        """
        self.promised = max(votes or (), default=0)
        """Highest term voted in: nothing of a lower one is acknowledged any more."""
        self._seat = seat
        self._identity = identity
        self._vote: SignedVote | None = None
        if votes:
            self._vote = decode(votes[self.promised], SignedVote)
        self._lost_at: float | None = None
        self._next_try: float | None = None
        self._tries = 0
        self._campaign: _Campaign | None = None
        self._outvoted_by = self.promised
        """The promise because of which this node, as host, has to be elected again."""
        self._shown_vote: SignedVote | None = None
        """The vote that shows this promise."""
        self._excused_until: dict[int, float] = {}
        """By owner: until when its promise is no reason for the host to be elected again."""
        self._reported_promises: dict[int, int] = {}
        """By owner: the highest term in which it says that it has voted."""
        self._transfer: tuple[int, int] | None = None
        self.left = False
        """Whether this owner signed that it leaves, and is not back by the log since.

        From then on the host counts it as holding everything, which is right only while it gives no
        vote. So this is set before the leave is sent, and again when the program is restarted.
        """

    # ---- the host ---------------------------------------------------------------------------

    @property
    def is_candidate(self) -> bool:
        """Whether this owner is a candidate now."""
        return self._campaign is not None

    @property
    def vote(self) -> SignedVote | None:
        """The last vote that this owner gave."""
        return self._vote

    @property
    def deadline(self) -> float | None:
        """When `tick` must be called at the latest; None if nothing waits for time."""
        return self._next_try if self._campaign is None else self._campaign.ends

    def due(self, now: float) -> bool:
        """Whether `tick` would do something now."""
        return self.deadline is not None and now >= self.deadline

    def host_in_contact(self, _now: float) -> None:
        """The present host is in contact."""
        self._lost_at = self._next_try = self._campaign = None
        self._tries = 0

    def host_lost(self, now: float, view: ElectionView) -> None:
        """There has been no contact to a host since `now`."""
        if self._lost_at is None:
            self._lost_at = now
            self._next_try = now + SUSPECT_SECONDS + RANK_SECONDS * self._rank(view)

    def term_began(self, now: float, view: ElectionView) -> None:
        """The log has a new term: a campaign for an older one is void."""
        if self._campaign is not None and self._campaign.term <= view.term:
            self._give_up(now, view)
        if self._transfer is not None and self._transfer[0] <= view.term:
            self._transfer = None
        self._shown_vote = None

    def outvoted(
        self, promised: int, now: float, view: ElectionView, reason: SignedVote | None = None
    ) -> list[VoterOutput]:
        """An owner promised a later term than this host's own: it must be elected again.

        `reason`: the vote that is this promise; None if this node was away itself.
        """
        self._shown_vote = reason
        self._outvoted_by = max(self._outvoted_by, min(promised, self._last_own_term(view) - 1))
        self._lost_at = now if self._lost_at is None else self._lost_at
        return self._become_candidate(now, view)

    def host_transferred(
        self, candidate: int, term: int, now: float, view: ElectionView
    ) -> list[VoterOutput]:
        """The present host hands over to a candidate, which requests votes at once."""
        if term != view.term + 1 or not self._may_be_candidate(candidate, view):
            return []
        self._transfer = (term, candidate)
        self.host_lost(now, view)
        if candidate != self._seat or self.left or self.promised >= term:
            return []
        return self._request_votes(_Campaign(term, False, now + CAMPAIGN_SECONDS), view)

    def has_voted_for_another(self, term: int) -> bool:
        """Whether this owner's last vote is for another owner, in a later term than this."""
        return (
            self._vote is not None
            and self.promised > term
            and self._vote.read().candidate != self._seat
        )

    # ---- being a candidate ------------------------------------------------------------------

    def tick(self, now: float, view: ElectionView) -> list[VoterOutput]:
        """Let time pass."""
        if self._campaign is not None and now >= self._campaign.ends:
            self._give_up(now, view)
        due = self._campaign is None and self._next_try is not None and now >= self._next_try
        return self._become_candidate(now, view) if due and self._lost_at is not None else []

    def _give_up(self, now: float, view: ElectionView) -> None:
        """An attempt has failed: the next one comes after a pause."""
        self._campaign = None
        self._tries += 1
        if self._lost_at is not None:
            self._next_try = now + self._pause(view)

    def _pause(self, view: ElectionView) -> float:
        most = MOST_PAUSE + APART_SECONDS * self._seat
        return min(most, RANK_SECONDS * (1 + self._rank(view)) * self._tries)

    def _rank(self, view: ElectionView) -> int:
        """Place among the owners other than the host."""
        others = sorted(set(view.owners) - {view.host})
        return others.index(self._seat) if self._seat in others else len(others)

    def _become_candidate(self, now: float, view: ElectionView) -> list[VoterOutput]:
        """Ask all owners whether they would vote for this one."""
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
        """A term that a majority may still vote in, if the promises that they report are true.

        The first attempt needs only the owners with the lowest promises. Some of these may be out
        of contact, or may lie, so each later attempt takes one more owner into account. A promise
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
        """The last term for which an owner may be a candidate now.

        The bound of the log itself is checked by the candidate, whose log may be ahead of this one.
        """
        from_log = view.term + MOST_LEAP * (1 + self._tries)
        return max(from_log, self.promised + MOST_LEAP)

    def _last_own_term(self, view: ElectionView) -> int:
        """The last term for which this owner may be a candidate now."""
        return min(view.term + MAX_TERM_STEP, self._last_term(view))

    @staticmethod
    def _may_be_candidate(candidate: int, view: ElectionView) -> bool:
        """Of two owners only the host can be elected again, by both; fewer elect nobody."""
        enough = len(view.owners) > 2 or (len(view.owners) == 2 and candidate == view.host)
        return enough and candidate in view.owners

    def _send_request(self, campaign: _Campaign, view: ElectionView) -> list[VoterOutput]:
        request = RequestVote(
            campaign.pre,
            campaign.term,
            view.last_term,
            view.count,
            view.head,
            self._shown_vote if view.host == self._seat else None,
        )
        return [SendToOwner(seat, request) for seat in view.owners if seat != self._seat]

    def _request_votes(self, campaign: _Campaign, view: ElectionView) -> list[VoterOutput]:
        """Vote for this owner, then ask the others."""
        self._campaign = campaign
        out, vote = self._sign(campaign.term, self._seat, view)
        campaign.votes[self._seat] = vote
        return out + self._send_request(campaign, view)

    def vote_replied(
        self, seat: int, message: VoteReply, now: float, view: ElectionView
    ) -> list[VoterOutput]:
        """An owner's node replies to a request of this one."""
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
        self._give_up(now, view)  # unless the log has gone on, it is the host at once
        return [Won(campaign.term, votes)]

    def _counts(self, seat: int, signed: SignedVote, term: int, view: ElectionView) -> bool:
        """Whether this is that owner's vote for this one, given on a log that is not ahead."""
        try:
            vote = signed.read()
        except Unreadable:
            return False
        right = (vote.table, vote.term, vote.candidate, vote.voter) == (
            view.table,
            term,
            self._seat,
            seat,
        )
        held = (vote.last_term, vote.count)
        mine = (view.last_term, view.count)
        same = held != mine or vote.head == view.head
        return right and held <= mine and same and signed.signed_by(view.identities[seat])

    # ---- voting -----------------------------------------------------------------------------

    def vote_requested(
        self, seat: int, message: RequestVote, now: float, view: ElectionView
    ) -> list[VoterOutput]:
        """An owner's node asks for this owner's vote."""
        granted = self._would_vote(seat, message, now, view)
        out: list[VoterOutput] = []
        vote: SignedVote | None = None
        if granted and not message.pre:
            if message.reason is not None and self._host_must_stand_again(message, now, view):
                self._excused_until[message.reason.read().voter] = now + REELECTION_PAUSE_SECONDS
            out, vote = self._sign(message.term, seat, view)
            # This owner does not follow the present host any more. If the candidate does not win,
            # another one must.
            self.host_lost(now, view)
            if self._campaign is not None and self._campaign.term <= message.term:
                self._give_up(now, view)
            if self._next_try is not None:
                # Time for the candidate to win.
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
        if request.term == self.promised and self._vote is not None and not request.pre:
            return self._vote.read().candidate == seat
        if request.term <= self.promised:
            return False
        # An owner in contact with its host votes for nobody else, nor for this host without a
        # reason that it can check: each election is an occasion to give up entries that are not
        # final. An owner that has promised a later term does not follow this host any more, in
        # contact or not.
        handed_over = self._transfer == (request.term, seat)
        again = seat == view.host and self._host_must_stand_again(request, now, view)
        free = self._lost_at is not None or self.promised > view.term
        if not (free or handed_over or again):
            return False
        mine, theirs = (view.last_term, view.count), (request.last_term, request.count)
        return theirs > mine or (theirs == mine and request.head == view.head)

    def _host_must_stand_again(self, request: RequestVote, now: float, view: ElectionView) -> bool:
        """Whether the present host shows that another owner cannot follow it any more."""
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
        """Sign the one vote of a term, to be stored before it is sent, or repeat it."""
        if term == self.promised and self._vote is not None:
            return [], self._vote
        vote = sign_vote(
            ElectionVote(
                view.table,
                term,
                candidate,
                self._seat,
                view.last_term,
                view.count,
                view.head,
            ),
            self._identity,
        )
        self.promised, self._vote = term, vote
        return [StoreVote(term, encode(vote))], vote
