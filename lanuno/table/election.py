"""How the owners' computers agree on the next host when the present one is silent or leaves.

Sans I/O: time is passed in, outputs are data. It is Raft's election (Ongaro and Ousterhout, 2014,
sections 5.2, 5.4 and 9.6) with signed votes. Why no firm entry is ever lost by it:

- A candidate needs the votes of a majority of the owners who count by its log, and an entry is firm
  only once a majority of those who count has it on disk. Two majorities have an owner in common;
  where the owners differ by one (they change one at a time, see `firmness.py`) they still do.
- That owner votes only for a log that is not behind its own, by (term of the last entry, count),
  and after its vote acknowledges nothing of a lower term. So whatever was or becomes firm in a
  lower term is in the log of whoever wins.
- An entry of an older term that a new host passes on is firm only together with the first entry of
  its own term: else a third candidate, whose last entry is of a later term, could win without it.
- A vote is on disk before it is sent, so that a program that starts again keeps its word: an owner
  votes once in a term, and two hosts of one term would need an owner who voted twice.
- Before the votes it is asked whether they would be given (the pre-vote). That binds nobody, and
  keeps a computer that merely lost its own connection from pushing everybody into a new term.
- Two owners have no majority without each other: they wait. They elect only the present host again,
  both together, when one of them has promised its vote in a later term before there were two.

The whole argument, with the rules that others keep for it, is `resources/spec/succession.md`;
`tests/table/election_model.py` looks for holes in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lanuno.dealing.identity import Identity
from lanuno.log.codec import decode, encode
from lanuno.log.faults import Unreadable
from lanuno.log.terms import TERMS_AT_ONCE, majority
from lanuno.log.votes import SignedVote, Vote, sign_vote
from lanuno.table.messages import AskVote, GiveVote
from lanuno.table.outputs import KeepVote, Output

SUSPECT_SECONDS = 4.0
RANK_SECONDS = 0.5
CAMPAIGN_SECONDS = 2.0
"""For the answers to one round of questions."""
MOST_PAUSE = 5.0
APART_SECONDS = 0.25
"""The longest pauses of two owners differ by at least this much. Otherwise both could stand at the
same moment again and again, each without the other's vote."""

AGAIN_SECONDS = 10.0
"""After the promise of an owner has brought the present host a vote, it brings none for this long.
Otherwise a host with one accomplice could have itself elected again at any moment. An honest host
stands again for one owner at most half as often."""

MOST_LEAP = 32
"""By so much a candidate's term may be above that of the log, and above what the owner whom it asks
has promised: terms are numbered, and without this one false word about a promise would use all of
them up. Each election that fails takes one. Were it the log alone, one false candidate could have
everybody promise the last of these terms, and then nobody could stand any more. Above the log the
bound grows by as much with each attempt of an owner that fails: a false candidate can have some
owners promise more than the others, who hold the longer log, would accept."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What the log says, as far as an election wants to know."""

    table: bytes
    term: int
    """Of the present host."""
    host: int
    owners: tuple[int, ...]
    """Who counts now."""
    last_term: int
    count: int
    head: bytes
    identities: Mapping[int, bytes] = field(repr=False)
    """Public keys of the owners."""


@dataclass(frozen=True, slots=True)
class SendTo:
    """Say something to an owner's computer."""

    seat: int
    message: AskVote | GiveVote


@dataclass(frozen=True, slots=True)
class Won:
    """This computer is the host of this term, by these votes."""

    term: int
    votes: tuple[SignedVote, ...]


Step = Output | SendTo | Won


@dataclass(slots=True)
class _Campaign:
    """One try to become the host."""

    term: int
    pre: bool
    ends: float
    granted: set[int] = field(default_factory=set)
    votes: dict[int, SignedVote] = field(default_factory=dict)


class Election:
    """One owner's part in electing hosts."""

    def __init__(
        self, seat: int, identity: Identity, votes: Mapping[int, bytes] | None = None
    ) -> None:
        """`votes`: what this owner voted before, by term, as it was kept on disk.

        Raises `Unreadable` if that makes no sense.
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
        self._outvoted = self.promised
        """The promise because of which this computer, as host, has to be elected again."""
        self._reason: SignedVote | None = None
        """The vote that shows this promise."""
        self._excused: dict[int, float] = {}
        """By owner: until when its promise is no reason again for the host to stand."""
        self._claimed: dict[int, int] = {}
        """By owner: the term up to which it says that it has promised its vote."""
        self._abdication: tuple[int, int] | None = None
        self.left = False
        """Whether this owner signed that it leaves, and is not back by the log since.

        From then on the host counts it as holding everything, which is right only as long as it
        never votes: true before those words are sent, and again in a program that starts anew.
        """

    # ---- the host ---------------------------------------------------------------------------

    @property
    def running(self) -> bool:
        """Whether this owner stands for host just now."""
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
        """Whether time alone makes this owner do something now."""
        return self.deadline is not None and now >= self.deadline

    def host_heard(self, _now: float) -> None:
        """The present host is in contact."""
        self._lost_at = self._next_try = self._campaign = None
        self._tries = 0

    def host_lost(self, now: float, standing: Standing) -> None:
        """There is no contact to a host since then."""
        if self._lost_at is None:
            self._lost_at = now
            self._next_try = now + SUSPECT_SECONDS + RANK_SECONDS * self._rank(standing)

    def log_moved(self, now: float, standing: Standing) -> None:
        """The log has a new term: what was asked for an older one is void."""
        if self._campaign is not None and self._campaign.term <= standing.term:
            self._give_up(now, standing)
        if self._abdication is not None and self._abdication[0] <= standing.term:
            self._abdication = None
        self._reason = None

    def outvoted(
        self, promised: int, now: float, standing: Standing, reason: SignedVote | None = None
    ) -> list[Step]:
        """Somebody promised a later term than this computer rules in: it must be elected again.

        `reason`: the vote by which it is promised; None if this computer was away itself.
        """
        self._reason = reason
        self._outvoted = max(self._outvoted, min(promised, self._last_to_ask(standing) - 1))
        self._lost_at = now if self._lost_at is None else self._lost_at
        return self._stand(now, standing)

    def abdicated(self, candidate: int, term: int, now: float, standing: Standing) -> list[Step]:
        """The present host hands over to a candidate, who stands at once."""
        if term != standing.term + 1 or not self._may_stand(candidate, standing):
            return []
        self._abdication = (term, candidate)
        self.host_lost(now, standing)
        if candidate != self._seat or self.left or self.promised >= term:
            return []
        return self._ask_for_votes(_Campaign(term, False, now + CAMPAIGN_SECONDS), standing)

    # ---- standing ---------------------------------------------------------------------------

    def tick(self, now: float, standing: Standing) -> list[Step]:
        """Let time pass."""
        if self._campaign is not None and now >= self._campaign.ends:
            self._give_up(now, standing)
        due = self._campaign is None and self._next_try is not None and now >= self._next_try
        return self._stand(now, standing) if due and self._lost_at is not None else []

    def _give_up(self, now: float, standing: Standing) -> None:
        """An attempt has failed: the next one comes after a pause."""
        self._campaign = None
        self._tries += 1
        if self._lost_at is not None:
            self._next_try = now + self._pause(standing)

    def _pause(self, standing: Standing) -> float:
        most = MOST_PAUSE + APART_SECONDS * self._seat
        return min(most, RANK_SECONDS * (1 + self._rank(standing)) * self._tries)

    def _rank(self, standing: Standing) -> int:
        """Place among the owners who are not the host."""
        others = sorted(set(standing.owners) - {standing.host})
        return others.index(self._seat) if self._seat in others else len(others)

    def _stand(self, now: float, standing: Standing) -> list[Step]:
        """Ask everybody whether they would vote for this owner."""
        self._next_try = None
        if self.left:
            return []
        may_stand = self._may_stand(self._seat, standing)
        term = self._term_to_ask_for(standing) if may_stand else 0
        if not may_stand or term > self._last_to_ask(standing):
            self._give_up(now, standing)
            return []
        self._campaign = _Campaign(term, True, now + CAMPAIGN_SECONDS, {self._seat})
        return self._ask(self._campaign, standing)

    def _term_to_ask_for(self, standing: Standing) -> int:
        """A term that a majority may still vote in, if what they say of their promises is true.

        The first attempt needs only the owners who have promised least. Some of these may be out
        of contact, or may lie, so that later attempts take one more owner each into account. A
        promise that leaves no term is passed over until the bound has grown.
        """
        others = set(standing.owners) - {self._seat}
        claims = sorted(self._claimed.get(each, 0) for each in others)
        enough = majority(len(standing.owners)) - 2
        last = self._last_to_ask(standing)
        possible = [claim for claim in claims[enough:] if claim < last] or claims[enough:]
        claimed = possible[self._tries % len(possible)]
        return max(standing.term, self._outvoted, self.promised, claimed) + 1

    def _last_term(self, standing: Standing) -> int:
        """The last term that somebody may stand for now.

        What the log itself allows, the candidate knows, whose log may be ahead of this one.
        """
        from_log = standing.term + MOST_LEAP * (1 + self._tries)
        return max(from_log, self.promised + MOST_LEAP)

    def _last_to_ask(self, standing: Standing) -> int:
        """The last term that this owner may stand for now."""
        return min(standing.term + TERMS_AT_ONCE, self._last_term(standing))

    @staticmethod
    def _may_stand(candidate: int, standing: Standing) -> bool:
        """Of two owners only the host can be elected, again and by both; fewer elect nobody."""
        enough = len(standing.owners) > 2 or (
            len(standing.owners) == 2 and candidate == standing.host
        )
        return enough and candidate in standing.owners

    def _ask(self, campaign: _Campaign, standing: Standing) -> list[Step]:
        ask = AskVote(
            campaign.pre,
            campaign.term,
            standing.last_term,
            standing.count,
            standing.head,
            self._reason if standing.host == self._seat else None,
        )
        return [SendTo(seat, ask) for seat in standing.owners if seat != self._seat]

    def _ask_for_votes(self, campaign: _Campaign, standing: Standing) -> list[Step]:
        """Vote for oneself, then ask the others."""
        self._campaign = campaign
        out, vote = self._sign(campaign.term, self._seat, standing)
        campaign.votes[self._seat] = vote
        return out + self._ask(campaign, standing)

    def answered(self, seat: int, message: GiveVote, now: float, standing: Standing) -> list[Step]:
        """An owner's computer answers a question of this one."""
        if seat not in standing.owners:
            return []
        self._claimed[seat] = message.promised
        campaign = self._campaign
        if campaign is None:
            return []
        if not message.granted or (message.pre, message.term) != (campaign.pre, campaign.term):
            return []
        enough = majority(len(standing.owners))
        if campaign.pre:
            campaign.granted.add(seat)
            if len(campaign.granted & set(standing.owners)) < enough:
                return []
            real = _Campaign(campaign.term, False, now + CAMPAIGN_SECONDS)
            return self._ask_for_votes(real, standing)
        if message.vote is None or not self._counts(seat, message.vote, campaign.term, standing):
            return []
        campaign.votes[seat] = message.vote
        votes = tuple([campaign.votes[voter] for voter in sorted(campaign.votes)])
        if len(votes) < enough:
            return []
        self._give_up(now, standing)  # unless the log has gone on, it is the host at once
        return [Won(campaign.term, votes)]

    def _counts(self, seat: int, signed: SignedVote, term: int, standing: Standing) -> bool:
        """Whether this is that owner's vote for this computer, and its log not behind."""
        try:
            vote = signed.read()
        except Unreadable:
            return False
        right = (vote.table, vote.term, vote.candidate, vote.voter) == (
            standing.table,
            term,
            self._seat,
            seat,
        )
        held = (vote.last_term, vote.count)
        mine = (standing.last_term, standing.count)
        same = held != mine or vote.head == standing.head
        return right and held <= mine and same and signed.signed_by(standing.identities[seat])

    # ---- voting -----------------------------------------------------------------------------

    def asked(self, seat: int, message: AskVote, now: float, standing: Standing) -> list[Step]:
        """An owner's computer wants to be the host."""
        granted = self._would_vote(seat, message, now, standing)
        out: list[Step] = []
        vote: SignedVote | None = None
        if granted and not message.pre:
            if message.reason is not None and self._must_stand_again(message, now, standing):
                self._excused[message.reason.read().voter] = now + AGAIN_SECONDS
            out, vote = self._sign(message.term, seat, standing)
            # The present host is followed no more; if the candidate does not win, somebody must.
            self.host_lost(now, standing)
            if self._campaign is not None and self._campaign.term <= message.term:
                self._give_up(now, standing)
            if self._next_try is not None:
                # Time for the candidate to win.
                rank = RANK_SECONDS * self._rank(standing)
                self._next_try = max(self._next_try, now + CAMPAIGN_SECONDS + rank)
        answer = GiveVote(message.pre, message.term, granted, vote, self.promised)
        return [*out, SendTo(seat, answer)]

    def _would_vote(self, seat: int, asked: AskVote, now: float, standing: Standing) -> bool:
        if self.left or seat == self._seat or self._seat not in standing.owners:
            return False
        if not self._may_stand(seat, standing):
            return False
        if not standing.term < asked.term <= self._last_term(standing):
            return False
        if asked.term == self.promised and self._vote is not None and not asked.pre:
            return self._vote.read().candidate == seat
        if asked.term <= self.promised:
            return False
        # An owner that hears its host votes for nobody else, nor for this host without a reason
        # that it can check: each election is an occasion to go back behind what was not final. An
        # owner that has promised a later term follows this host no more, heard or not.
        handed_over = self._abdication == (asked.term, seat)
        again = seat == standing.host and self._must_stand_again(asked, now, standing)
        free = self._lost_at is not None or self.promised > standing.term
        if not (free or handed_over or again):
            return False
        mine, theirs = (standing.last_term, standing.count), (asked.last_term, asked.count)
        return theirs > mine or (theirs == mine and asked.head == standing.head)

    def _must_stand_again(self, asked: AskVote, now: float, standing: Standing) -> bool:
        """Whether the present host shows that another owner cannot follow it any more."""
        if asked.reason is None:
            return False
        try:
            vote = asked.reason.read()
        except Unreadable:
            return False
        here = vote.table == standing.table and standing.term < vote.term < asked.term
        other = vote.voter in standing.owners and vote.voter != standing.host
        if not (here and other) or now < self._excused.get(vote.voter, now):
            return False
        return asked.reason.signed_by(standing.identities[vote.voter])

    def _sign(self, term: int, candidate: int, standing: Standing) -> tuple[list[Step], SignedVote]:
        """The one vote of a term: kept before it is shown; given before, the same again."""
        if term == self.promised and self._vote is not None:
            return [], self._vote
        vote = sign_vote(
            Vote(
                standing.table,
                term,
                candidate,
                self._seat,
                standing.last_term,
                standing.count,
                standing.head,
            ),
            self._identity,
        )
        self.promised, self._vote = term, vote
        return [KeepVote(term, encode(vote))], vote
