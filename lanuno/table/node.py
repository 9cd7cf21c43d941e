"""One node at a table whose log has begun: it plays, and is the host or follows it.

Sans I/O: the runtime passes in time and messages; outputs are data.

A node is in exactly one role (`roles.py`). Its methods ask `self.role` how to handle an input, and
only `_enter` changes the role. Besides the state of its role, a node holds a `Replica` of the log,
a `SeatSession` for every seat played on it, a `Voter` for elections, the acknowledgements of all
owners, and its links to the other nodes. Messages between the machines of one node go through a
queue, never over a link. The runtime makes the links and reports the identity at the other end.
Which node is the host follows from the log, never from a link: each node sends what it knows
(`Rejoin`, `HostIs`).

- The host orders the log in its `HostRole` and follows it in its `Replica`, like every other node.
- A node that has voted in a later term accepts no entries of lower terms (`Pledged`), so that no
  entry becomes final during an election. If the other nodes have continued without it, it may read
  their entries (`Reading`). It then acknowledges none of them, and asks for its seat again.
- A node that is the host, or follows one, changes to another host only for a log that contains the
  votes for it (`succession/claimed_terms.py`).
- A host that restarts does not continue in its old term if other owners can elect it again, because
  it cannot know which of its last entries other nodes hold. Of two owners, the other one holds
  everything that was lost, and is asked for it first (`AwaitingPeer`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import takewhile
from typing import assert_never

from msgspec import Struct, field

from lanuno.dealing.identity import Identity, verify
from lanuno.dealing.sealing import Seal
from lanuno.log.faults import Blame, BodyRefused, HostFault, Unreadable
from lanuno.log.format.bodies import HOST, Drop, DropReason, Leave, Return, presence_digest
from lanuno.log.format.entries import Entry
from lanuno.log.format.genesis import Genesis
from lanuno.log.format.votes import SignedVote
from lanuno.log.replay.replay import Replay
from lanuno.log.round import events
from lanuno.table import inputs, messages
from lanuno.table.acknowledgements import Acknowledgements
from lanuno.table.budget import LOG_RATE, OWNER_LOG_BURST, PAGE_COST, Budget
from lanuno.table.host.clocks import Pace
from lanuno.table.host.role import HostRole
from lanuno.table.host.stand_ins import NewKey, StandIns
from lanuno.table.inputs import NodeInput
from lanuno.table.leave_effect import LeaveEffect, leave_effect
from lanuno.table.links import Links, Peer
from lanuno.table.lobby.peer import Entropy
from lanuno.table.log_pages import continues_at, log_page, page_size
from lanuno.table.messages import AtTable
from lanuno.table.outputs import (
    OWN,
    AppendEntry,
    CloseLink,
    EntriesOnDisk,
    Happened,
    HostDoubted,
    HostingChanged,
    HostOutput,
    Link,
    NodeOutput,
    NodeStopped,
    QuorumChanged,
    SeatOutput,
    SeatsAwaited,
    Send,
    StoreVote,
    ViewChanged,
)
from lanuno.table.recovery import RecoveredState
from lanuno.table.replica.replica import Replica
from lanuno.table.replica.seat import SeatSession
from lanuno.table.roles import (
    TRANSITIONS,
    AwaitingPeer,
    Following,
    Hosting,
    HostLink,
    LinkedToHost,
    Pledged,
    Reading,
    Role,
    Searching,
    Stopped,
)
from lanuno.table.succession.claimed_terms import (
    SHOW_ALL_SECONDS,
    SHOW_SECONDS,
    STAND_SECONDS,
    ClaimedTerms,
)
from lanuno.table.succession.closed_logs import ClosedLogs
from lanuno.table.succession.election import ElectionView, SendToOwner, Voter, VoterOutput, Won
from lanuno.table.succession.fork_choice import LocalLog, ReadFrom, follow_on
from lanuno.table.succession.reach_attempts import Reachability

REQUEST_LOG_AGAIN_SECONDS = 1.0
"""Pause before an owner is asked again for lost entries that it claims to hold."""

MessageBetweenOwners = (
    messages.Rejoin
    | messages.HostIs
    | messages.RequestVote
    | messages.VoteReply
    | messages.PresenceReply
    | messages.LogPage
    | messages.RequestLog
)
FROM_HOST_ROLE = (
    messages.Entries,
    messages.BodyRefusal,
    messages.Said,
    messages.Reacted,
    messages.Waiting,
    messages.Began,
    messages.Refused,
)


class NodeConfig(Struct, frozen=True, kw_only=True):
    """The configuration of a node for one table."""

    identities: tuple[Identity, ...]
    """The owner's identity, then those of its bots; empty for a spectator."""
    entropy: Entropy
    sealer: Seal | None = None
    """Makes the boxes for other seats; None for `lanuno.dealing.sealing.seal`."""
    new_key: NewKey | None = None
    """Makes the keys of stand-ins; None: from `entropy`."""
    rounds: int | None = None
    """Number of counted rounds of play after which this node, as host, closes the log."""
    pace: Pace = field(default_factory=Pace)
    port: int = 0
    """The TCP port on which this node listens for other nodes; 0 if it does not listen."""


class Node:
    """One node at one table."""

    def __init__(
        self, genesis: Genesis, config: NodeConfig, recovered: RecoveredState | None = None
    ) -> None:
        """Begin at a genesis, or resume from the recovered state.

        Raises `Unreadable`, `TableError`, or `HostFault` if the journal is not a valid log.
        """
        self.replica = Replica(genesis, None if recovered is None else recovered.released)
        self.replica.host_is_known = self._follows_logged_host
        kept = {} if recovered is None else recovered.seats
        self.sessions = [
            SeatSession(self.replica, identity, config.entropy, kept, sealer=config.sealer)
            for identity in config.identities or (None,)
        ]
        """The session of the owner or spectator, then those of its bots, then its stand-ins'."""
        self._stand_ins = StandIns(config.entropy, recovered, config.sealer, config.new_key)
        self.sessions += self._stand_ins.recovered_sessions(self.replica)
        for session in self.sessions:
            session.presence_of = self._presence_of
        self.replica.read_journal(() if recovered is None else recovered.entries)
        stopped = self.replica.stopped
        self.role: Role = Searching() if stopped is None else Stopped(stopped)
        """The present role. Only `_enter` changes it."""
        self.role_changed: Callable[[Role], None] = _ignore
        """Called with every role that this node enters. Only for traces and logs."""
        self._genesis = genesis
        self._config = config
        self._recovered = recovered is not None
        self._links = Links()
        for place in () if recovered is None else recovered.places:
            self._links.places[place.seat] = place
        self._queue: deque[Callable[[], list[NodeOutput]]] = deque()
        self._hinted_host: tuple[int, int] | None = None
        """Term and seat of a host that another node announced and this log does not name yet."""
        self._owes_announcement = False
        """Whether this node was the host and has yet to announce the new one to the others."""
        self._acknowledgements = Acknowledgements()
        self._claimed_terms = ClaimedTerms()
        self._closed_logs = ClosedLogs()
        self._lagging: dict[Link, messages.Rejoin] = {}
        """By link: the last `Rejoin` received while this node was not the host."""
        self._log_requests: dict[int, tuple[int, float]] = {}
        """By owner: the first lost entry last requested from it, and the time until which this node
        does not repeat that request."""
        self._page_budget = Budget[int](LOG_RATE, OWNER_LOG_BURST)
        """The budget of each owner for log pages that this node sends outside the host role."""
        self._leaving = False
        self._awaited: frozenset[int] = frozenset()
        """Owners that the host waits for."""
        self._now = 0.0
        self.voter: Voter | None = None
        if self.seat is not None:
            votes = {} if recovered is None else recovered.votes
            self.voter = Voter(self.seat, config.identities[0], votes)
            self.voter.left = recovered is not None and _has_left(recovered, self.seat)

    # ---- state -----------------------------------------------------------------------------------

    @property
    def main_session(self) -> SeatSession:
        """The session of the owner or the spectator."""
        return self.sessions[0]

    @property
    def seat(self) -> int | None:
        """The owner's seat; None for a spectator."""
        return self.main_session.seat

    @property
    def replay(self) -> Replay:
        """The log as this node holds it. Read only."""
        return self.replica.replay

    @property
    def host_role(self) -> HostRole | None:
        """The host role; None unless this node is the host."""
        return self.role.host_role if isinstance(self.role, Hosting) else None

    @property
    def host_link(self) -> Link | None:
        """The link to the host; None if this node is the host or has no contact to one."""
        return None if self._followed is None else self._followed.link

    @property
    def _followed(self) -> HostLink | None:
        """The contact to the host; None if this node is the host or has no contact to one."""
        return self.role.host if isinstance(self.role, LinkedToHost) else None

    @property
    def hosts(self) -> bool:
        """Whether this node is the host."""
        return isinstance(self.role, Hosting)

    @property
    def in_contact(self) -> bool:
        """Whether this node is the host or is connected to one."""
        return isinstance(self.role, Hosting | LinkedToHost)

    @property
    def over(self) -> bool:
        """Whether the log has ended here: it is closed, or this node has stopped."""
        return self.replay.closed is not None or self.replica.stopped is not None

    @property
    def places(self) -> tuple[messages.PeerAddress, ...]:
        """The known addresses of the other nodes, to be kept on disk."""
        return self._links.known_places(self.replay.ports)

    @property
    def addresses(self) -> frozenset[str]:
        """Addresses to try for the other owners' nodes: at most two each."""
        return self._links.addresses

    @property
    def deadline(self) -> float | None:
        """When `TimePassed` is due at the latest; None if no timer is running."""
        moments: list[float | None] = []
        if self.voter is not None and not isinstance(self.role, AwaitingPeer):
            moments.append(self.voter.deadline if self.hosts or not self.over else None)
        if self.host_role is not None:
            moments.append(self.host_role.deadline)
        if not self.over:
            moments += self._deadlines_of_searches()
        if self.seat is not None and self.replica.stopped is None:
            moments.append(self._acknowledgements.pass_on_at)
        return min((each for each in moments if each is not None), default=None)

    def _deadlines_of_searches(self) -> list[float | None]:
        """Return when this node has to try again to reach a node, or to check its host."""
        links = self._links
        moments = [
            links.next_try((*links.untried, *links.reached)),
            links.searches.deadline(self._reachability),
            links.next_direct_try if self._wants_direct_links else None,
        ]
        tried = self._owners_to_reach()
        if not self.in_contact and links.link_of(self._presumed_host) is not None:
            tried = (*tried, self._presumed_host)
        if not isinstance(self.role, Hosting) or self.role.host_role.no_quorum:
            moments.append(links.next_try(tried))
        if self._followed is not None:
            moments.append(self._proof_due(self._followed))
        if isinstance(self.role, Reading):
            moments.append(self._rejoin_due(self.role.host))
        return moments

    @property
    def certified(self) -> int:
        """Number of entries that every owner has acknowledged in the present term."""
        return self._acknowledgements.certified(self.replay)

    @property
    def claimable(self) -> tuple[int, ...]:
        """As host: the seats of a player for whom `claim` ends the wait; see `ClaimOffered`."""
        return () if self.host_role is None else self.host_role.claimable

    def uses_link(self, link: Link) -> bool:
        """Whether a link carries the log, from the host or to a subscriber."""
        if self.host_role is not None:
            return self.host_role.has_subscriber(link)
        return link == self.host_link

    def _has_promised_above(self, term: int) -> bool:
        """Whether this owner has voted in a later term than this one."""
        return self.voter is not None and term < self.voter.promised

    @property
    def _may_have_lost_entries(self) -> bool:
        """Whether other owners may hold entries that this node signed as host and then lost."""
        return isinstance(self.role, Searching) and not self.over and self._is_logged_host

    @property
    def _is_logged_host(self) -> bool:
        """Whether the log names this owner as the host."""
        return self.seat is not None and self.seat == self.replay.host

    @property
    def _lacks_host(self) -> bool:
        """Whether this node has no host and the log has not ended."""
        return not self.in_contact and not self.over

    def _follows_logged_host(self) -> bool:
        """Whether the followed host, if any, claims no later term than that of the log."""
        return self._followed is None or self._followed.term <= self.replay.term

    def _is_outdated(self, host: HostLink) -> bool:
        """Whether the log names another host than this one, which claims no later term.

        Always false for a spectator, which is not told the term of its host and has no other node
        to go to.
        """
        if self.seat is None or host.term > self.replay.term:
            return False
        return self._links.seat_of(host.link) != self.replay.host

    @property
    def _knows_owners(self) -> bool:
        """Whether the owners that count are certain: their last change is final."""
        return self.replica.owners_changed_at <= self.replica.binding_count

    @property
    def _is_one_of_two(self) -> bool:
        """Whether it is certain that only this owner and one other count."""
        owners = self.replay.owners
        two = len(owners) == 2 and owners == self.replay.absence.present_owners
        return two and self.seat in owners and self._knows_owners

    @property
    def _presumed_host(self) -> int:
        """The seat of the host, as far as this node knows."""
        return self.replay.host if self._hinted_host is None else self._hinted_host[1]

    @property
    def _local_log(self) -> LocalLog:
        replica = self.replica
        return LocalLog(
            replica.replay,
            replica.entries,
            replica.binding_count,
            catching_up=True,
            starts=replica.starts,
        )

    def _election_view(self) -> ElectionView:
        replay = self.replay
        return ElectionView(
            replay.table_id,
            replay.term,
            replay.host,
            # A node whose log lacks an entry for which it released a secret elects nobody.
            replay.owners if self.replica.holds_released else (),
            replay.end.term,
            replay.seq,
            replay.head,
            # The owner votes even while a bot plays its seat.
            {seat: replay.absence.signed_roster.seats[seat].identity for seat in replay.owners},
        )

    # ---- inputs ----------------------------------------------------------------------------------

    def step(self, given: NodeInput, now: float) -> list[NodeOutput]:
        """Handle an input at this time, and return the outputs, to be carried out in order.

        The first input is `NodeStarted`, after a `LinkUp` for each link that is already up. Times
        are seconds of a monotonic clock. Raises `TableError` if the rules refuse the action of a
        `PlayerActed`, and `IndexError` if its session does not exist.
        """
        self._now = now
        return self._run(partial(self._handle, given))

    def _run(self, work: Callable[[], list[NodeOutput]]) -> list[NodeOutput]:
        """Do this and everything that it queues within this node; return the outputs."""
        self._queue.append(work)
        out: list[NodeOutput] = []
        while self._queue:
            out += self._queue.popleft()()
            if not self._queue:
                out += self._note_acknowledged()
        return out

    def _handle(self, given: NodeInput) -> list[NodeOutput]:  # noqa: C901 - one case for each input
        session = self.main_session
        match given:
            case inputs.NodeStarted():
                return self._begin()
            case inputs.LinkUp():
                return self._link_up(given)
            case inputs.LinkDown():
                return self._link_down(given)
            case inputs.ConnectFailed():
                self._links.connect_failed(given.seat)
                return self._dial_lost_players()
            case inputs.MessageReceived():
                return self._receive(given.link, given.message)
            case inputs.TimePassed():
                return self._pass_time()
            case inputs.JournalSynced():
                return self._route_seats(self.replica.synced(given.done))
            case inputs.JobDone():
                return self._route_each_session(lambda each: each.job_done(given.job, given.result))
            case inputs.PlayerActed():
                return self._route_seats(self.sessions[given.session].act(given.action))
            case inputs.ChatSent():
                return self._route_seats(session.say(given.text))
            case inputs.ReactionSent():
                return [] if self.seat is None else self._route_seats(session.react(given.reaction))
            case inputs.ScoreShown(number, reading):
                todo = [] if self.seat is None else session.read_score(number, reading=reading)
                return self._route_seats(todo)
            case inputs.LeaveRequested():
                self._leaving = True
                return self._leave_table()
            case inputs.StopRequested():
                return self._as_host(lambda host_role: host_role.stop(self._now))
            case inputs.ProgramPaused():
                return self._as_host(lambda host_role: host_role.paused(given.seconds, self._now))
            case inputs.SpectatorSentAway():
                who, why = given.identity, given.why
                return self._as_host(lambda host_role: host_role.send_away(who, why))
            case inputs.ClaimMade():
                return self._as_host(lambda host_role: host_role.claim(self._now))
            case _:
                assert_never(given)

    def _begin(self) -> list[NodeOutput]:
        if self._recovered and self.seat is not None:
            return self._begin_again()
        if self._is_logged_host:
            return self._begin_new_table()
        return self._begin_following()

    def _link_up(self, given: inputs.LinkUp) -> list[NodeOutput]:
        link, seat = given.link, given.seat
        mail = self._links.link_up(link, Peer(seat, given.address, given.identity))
        out: list[NodeOutput] = []
        if self.in_contact or self.replay.seq:  # else the lobby hands over all links together
            out += [CloseLink(each) for each in self._links.surplus_links(link, self.uses_link)]
        if seat is None or seat == self.seat:
            return out
        self._acknowledgements.link_up(self._now)
        return out + self._greet(link, seat, given.dialled, mail)

    def _link_down(self, given: inputs.LinkDown) -> list[NodeOutput]:
        gone = self._links.links.pop(given.link, None)
        if gone is None:
            return []
        self._acknowledgements.drop_link(given.link)
        self._claimed_terms.drop_link(given.link)
        self._closed_logs.drop_link(given.link)
        self._lagging.pop(given.link, None)
        return self._link_lost(given.link, given.silent, quiet=given.quiet or given.silent > 0)

    def _as_host(self, work: Callable[[HostRole], list[HostOutput]]) -> list[NodeOutput]:
        """Do this with the host role, if this node is the host."""
        host_role = self.host_role
        return [] if host_role is None else self._route_host_role(work(host_role))

    # ---- routing between the machines of this node -----------------------------------------------

    def _route_seats(self, todo: Sequence[SeatOutput]) -> list[NodeOutput]:
        """Route the outputs of the replica and of the sessions that read its log.

        All but the first four are outputs of the node as they are.
        """
        out: list[NodeOutput] = []
        for output in todo:
            match output:
                case Send():
                    out += self._route_to_host(output.message)
                case AppendEntry() if self.hosts:
                    pass  # the host role stored the entry before sending it
                case EntriesOnDisk():
                    out += self._acknowledge(output.count)
                case HostDoubted():
                    self._queue.append(self._give_up_host)
                case Happened():
                    out.append(output)
                    self._queue.append(partial(self._handle_event, output.event))
                case NodeStopped():
                    out.append(output)
                    self._queue.append(partial(self._stop, output.blame))
                case _:
                    out.append(output)
        return out

    def _route_each_session(
        self, work: Callable[[SeatSession], list[SeatOutput]]
    ) -> list[NodeOutput]:
        """Do this in every session, and route its outputs before the next session's turn."""
        return [each for session in self.sessions for each in self._route_seats(work(session))]

    def _route_to_host(self, message: AtTable) -> list[NodeOutput]:
        match self.role:
            case Hosting(host_role):
                self._queue.append(
                    lambda: self._route_host_role(host_role.receive(OWN, message, self._now))
                )
                return []
            case Reading() if not _reader_may_send(message):
                return []
            case Following(host) | Pledged(host) | Reading(host):
                return [Send(host.link, message)]
            case _:
                return []

    def _acknowledge(self, count: int) -> list[NodeOutput]:
        """Sign that this many entries are on disk, and tell the host, which tells the others."""
        # A follower that has voted in a later term is `Pledged` or `Reading`.
        if self.seat is None or not isinstance(self.role, Hosting | Following):
            return []
        identity = self._config.identities[0]
        signed = self._acknowledgements.sign(self.replay, self.seat, identity, count, self._now)
        if signed is None or isinstance(self.role, Hosting):
            return []
        link = self.role.host.link
        self._acknowledgements.note_sent(link, self.seat, signed)
        return [Send(link, messages.Statements((signed,)))]

    def _note_acknowledged(self) -> list[NodeOutput]:
        """Act on what the owners have acknowledged by now."""
        # A follower that has voted in a later term is `Pledged` or `Reading`.
        if self.replica.stopped is not None or not isinstance(self.role, Hosting | Following):
            return []
        known = self._acknowledgements
        known.update(self.replay, self._now)
        out: list[NodeOutput] = []
        if isinstance(self.role, Hosting):
            host_role = self.role.host_role
            for owner in self.replay.absence.people:
                count = known.count_of(self.replay, owner)
                out += self._route_host_role(host_role.acknowledge(owner, count, self._now))
        if self.certified <= self.replica.final_count or not self.replica.caught_up:
            return out
        out += self._send_statements() if self.hosts else []
        out += self._route_seats(self.replica.certified(self.certified))
        return out + self._after_growth()

    def _pass_statements_on(self) -> list[NodeOutput]:
        """Send all owners' statements, when due, over the links that have not carried them."""
        due = self._acknowledgements.pass_on_at
        if self.seat is None or due is None or self._now < due:
            return []
        self._acknowledgements.pass_on_at = None
        return self._send_statements()

    def _send_statements(self) -> list[NodeOutput]:
        out: list[NodeOutput] = []
        for link, peer in self._links.links.items():
            watches = peer.seat is None and self.hosts and self.uses_link(link)
            if watches or peer.seat not in (None, self.seat):
                fresh = self._acknowledgements.unexchanged(self.replay, link)
                out += [Send(link, messages.Statements(fresh))] if fresh else []
        return out

    def _route_host_role(self, todo: Sequence[HostOutput]) -> list[NodeOutput]:
        """Route the outputs of the host role. Its messages to this node go through the queue.

        All others are outputs of the node as they are.
        """
        out: list[NodeOutput] = []
        for output in todo:
            match output:
                case Send() if output.link == OWN:
                    self._queue.append(partial(self._take_host_message, output.message))
                case Send() if output.link not in self._links.links:
                    pass
                case _:
                    out.append(output)
        return out

    def _take_host_message(self, message: AtTable) -> list[NodeOutput]:
        """Handle a message from the host, over a link or from this node's own host role."""
        match message:
            case messages.PeerAddresses():
                self._links.set_places(message.places)
                return self._keep_direct_links()
            case messages.TransferHost():
                return self._take_host_transfer(message)
            case _ if isinstance(message, FROM_HOST_ROLE):
                out: list[NodeOutput] = []
                if isinstance(message, messages.Waiting):
                    out += self._note_awaited(message.seats)
                behind = not self.replica.caught_up
                out += self._route_seats(self.replica.receive(message))
                if behind and self.replica.caught_up:
                    # At the end of a round it would come after the host has opened the next one.
                    out += self._return_to_table()
                if not isinstance(message, messages.BodyRefusal):
                    # Acting on a final refusal would submit and refuse the same body without end.
                    out += self._after_growth(grows=isinstance(message, messages.Entries))
                return out
            case _:
                return []

    def _route_voter(self, todo: list[VoterOutput]) -> list[NodeOutput]:
        out: list[NodeOutput] = []
        for output in todo:
            match output:
                case SendToOwner():
                    link = self._links.link_of(output.seat)
                    if link is not None:
                        out.append(Send(link, output.message))
                    else:
                        # Only the newest message matters to an owner who was away.
                        self._links.post(output.seat, output.message)
                        out += self._locate_host()
                case Won():
                    out += self._win_election(output)
                case StoreVote():
                    out.append(output)
                    self._note_promise(output.term)
                case _:
                    assert_never(output)
        return out

    def _after_growth(self, *, grows: bool = True) -> list[NodeOutput]:
        """Submit a pending Leave, or this node's Listen, as soon as that is allowed.

        `grows`: whether this node has, or knows as final, more entries than before.
        """
        # A leaving host of two owners forfeits: it still has to sign the Leave of its seat.
        forfeits = len(self.replay.owners) == 2 and self.seat not in self.replay.leaving
        says_so = not self.hosts or (grows and forfeits)
        out = self._leave_table() if self._leaving and says_so else []
        if self.replica.caught_up and not self._leaving:
            out += self._route_seats(self.main_session.listen(self._config.port))
        return out

    def _handle_event(self, event: object) -> list[NodeOutput]:
        if isinstance(event, events.HostElected):
            self._hinted_host = None
            if self.replay.host != self.seat:
                self._stop_awaiting_peer()
            outdated = self._followed is not None and self._is_outdated(self._followed)
            return self._new_term() + (self._give_up_host() if outdated else [])
        if isinstance(event, events.SeatReturned) and event.seat == self.seat:
            if self.voter is not None:
                self.voter.left = False
            if isinstance(self.role, Reading):
                # This owner counts again, so it shows its promise with `Rejoin`. Entries that the
                # host appends before receiving it are fetched again.
                return self._rejoin(self.role.host)
            return self._return_to_table()  # and its bots with it
        if isinstance(event, events.LogClosed) and not self.hosts:
            return [each for link in self._lagging for each in self._send_closed_log(link)]
        if isinstance(event, events.SeatFilled) and event.owner == self.seat:
            return self._seat_stand_ins()
        if isinstance(event, events.SeatRecovered | events.RoundVoided):
            return self._search_for_lost()
        if isinstance(event, events.SeatDropped | events.RoundClosed):
            return self._search_for_lost() + self._return_to_table()
        return []

    # ---- changes of the role ---------------------------------------------------------------------

    def _enter(self, role: Role) -> None:
        """Change the role. The callers emit the outputs of the change."""
        before, after = type(self.role), type(role)
        assert after in TRANSITIONS[before], f"from {before.__name__} to {after.__name__}"
        self.role = role
        self.role_changed(role)

    def _stop_awaiting_peer(self) -> None:
        """Search for any host, if this node has waited for the other owner until now."""
        if isinstance(self.role, AwaitingPeer):
            self._enter(Searching(self.role.no_quorum))

    def _note_promise(self, term: int) -> None:
        """Leave the roles that a vote in this term rules out."""
        match self.role:
            case Following(host) if host.term < term:
                self._enter(Pledged(host))
            case AwaitingPeer():
                # It must not host in an earlier term, even if its peer holds no more entries.
                self._stop_awaiting_peer()
            case _:
                pass

    def _stop(self, blame: Blame) -> list[NodeOutput]:
        """Stop for good after a proven fault, and close all links."""
        out: list[NodeOutput] = [CloseLink(link) for link in self._links.links]
        self._links.links.clear()
        hosted = self.hosts
        if not isinstance(self.role, Stopped):
            self._enter(Stopped(blame))
        return [*out, HostingChanged(False)] if hosted else out

    # ---- starting --------------------------------------------------------------------------------

    def _begin_new_table(self) -> list[NodeOutput]:
        """Become the host of a table whose log is empty."""
        return self._begin_hosting(self._new_host_role(Replay(self._genesis), ()))

    def _begin_following(self) -> list[NodeOutput]:
        """Follow the host over the link that the lobby handed over."""
        out = self._route_seats(self.replica.begin())
        link = self._links.link_of(self.replay.host)
        if self.seat is None:
            # A spectator is linked to the host alone, which may be another one than the first.
            link = next(iter(self._links.links), None)
        if link is None:
            return out + self._locate_host()
        return out + self._take_host_link(link, self.replay.term)

    def _begin_again(self) -> list[NodeOutput]:
        """Resume after a restart."""
        return self._route_seats(self.replica.begin()) + self._go_on_after_restart()

    def _go_on_after_restart(self) -> list[NodeOutput]:
        """Host again, ask the other owner, become a candidate, or look for a host."""
        hosts, owners = self._is_logged_host, self.replay.owners
        if hosts and self.replay.closed is not None and self.replica.stopped is None:
            # It signs nothing more, but nodes that lack the end of the log can fetch it here.
            return self._host_again()
        if self.over or not hosts:
            # Like every other node, it first has to find out whether there is still a host.
            self._note_host_lost(self._now)
            return self._locate_host()
        if len(owners) <= 1:
            return self._host_again()
        if len(owners) == 2:
            peer = next(seat for seat in owners if seat != self.seat)
            self._enter(AwaitingPeer(peer))
            return self._locate_host()
        return self._stand_for_election()

    def _stand_for_election(self) -> list[NodeOutput]:
        """Become a candidate, as the host that the log names, to continue in a later term."""
        assert self.voter is not None
        out = self._locate_host()
        todo = self.voter.outvoted(self.replay.term, self._now, self._election_view())
        return out + self._route_voter(todo)

    # ---- links -----------------------------------------------------------------------------------

    def _greet(
        self, link: Link, seat: int, dialled: bool, mail: AtTable | None
    ) -> list[NodeOutput]:
        """Send the first messages on a new link."""
        out: list[NodeOutput] = [] if mail is None else [Send(link, mail)]
        if seat in self._links.searches:
            self._queue.append(lambda: self._request_presence(seat) + self._dial_lost_players())
        if dialled and self.hosts:
            out.append(Send(link, self._own_host_is()))
        elif dialled and not self.in_contact:
            out.append(Send(link, self._rejoin_message()))
        return out

    def _link_lost(self, link: Link, silent: float, *, quiet: bool) -> list[NodeOutput]:
        out: list[NodeOutput] = []
        match self.role:
            case Hosting(host_role):
                out += self._route_host_role(host_role.link_down(link, self._now, quiet=quiet))
            case Following(host) | Pledged(host) | Reading(host) if host.link == link:
                out += self._lose_host(self._now - silent)
            case AwaitingPeer(peer) if len(self.replay.owners) > 2:
                # The entries that this peer returned bring a third owner back.
                out += self._ask_all_owners() if self._links.link_of(peer) is None else []
            case _:
                pass
        return out + self._keep_direct_links()

    def _owners_to_reach(self) -> tuple[int, ...]:
        """Return the owners whose nodes this one should reach and is not linked to."""
        wanted: list[int] = []
        no_quorum = isinstance(self.role, Hosting) and self.role.host_role.no_quorum
        if no_quorum or not self.in_contact:
            wanted += [self.replay.host, *self.replay.owners]
            wanted += [] if self._hinted_host is None else [self._hinted_host[1]]
            wanted += [self.role.peer] if isinstance(self.role, AwaitingPeer) else []
        return self._links.unreached(wanted, self.seat)

    def _receive(self, link: Link, message: AtTable) -> list[NodeOutput]:
        peer = self._links.links.get(link)
        if peer is None or self.replica.stopped is not None:
            return []
        if isinstance(message, messages.RequestPresence):
            return self._answer_presence(link, message)
        if isinstance(message, messages.Statements):
            if peer.seat is not None or link == self.host_link:
                self._acknowledgements.receive(self.replay, link, message.signed, self._now)
            return []
        if isinstance(message, MessageBetweenOwners):
            seat = peer.seat
            return [] if seat is None else self._receive_from_owner(link, seat, message)
        if isinstance(message, messages.FromPeer):
            if self.host_role is None:
                return []
            if isinstance(message, messages.Watch):
                self._acknowledgements.link_up(self._now)
                todo = self.host_role.watch(link, message.name, peer.identity)
            else:
                todo = self.host_role.receive(link, message, self._now)
            return self._route_host_role(todo)
        if link != self.host_link or not self._may_take(message):
            return []
        if isinstance(message, messages.Entries) and message.entries:
            assert self._followed is not None
            self._followed.shown_at = self._now
        return self._take_host_message(message)

    def _receive_from_owner(
        self, link: Link, seat: int, message: MessageBetweenOwners
    ) -> list[NodeOutput]:
        match message:
            case messages.Rejoin():
                return self._take_rejoin(link, seat, message)
            case messages.HostIs():
                return self._take_host_is(link, seat, message)
            case messages.RequestVote():
                return self._take_vote_request(seat, message)
            case messages.VoteReply():
                return self._take_vote_reply(seat, message)
            case messages.PresenceReply():
                return self._take_presence_reply(seat, message)
            case messages.LogPage():
                return self._take_log_page(link, seat, message)
            case messages.RequestLog():
                return self._answer_log_request(link, seat, message.first)
            case _:
                assert_never(message)

    # ---- the link to the host --------------------------------------------------------------------

    def _take_host_link(self, link: Link, term: int) -> list[NodeOutput]:
        """Follow the host at the other end of a link, or only read its log after a later vote."""
        now = self._now
        host = HostLink(link, term, since=now, shown_at=now, rejoined_at=now)
        self._enter(Reading(host) if self._has_promised_above(term) else Following(host))
        self._links.clear_mail()
        return self._rejoin(host)

    def _rejoin(self, host: HostLink) -> list[NodeOutput]:
        """Send the host the end of this log, and fetch the entries after it."""
        host.rejoined_at = self._now
        out: list[NodeOutput] = [Send(host.link, self._rejoin_message())]
        return out + self._route_seats(self.replica.connected())

    def _rejoin_message(self) -> messages.Rejoin:
        end = self.replay.end
        promised, vote = 0, None
        if self.voter is not None:
            promised, vote = self.voter.promised, self.voter.vote
        return messages.Rejoin(end.term, end.count, end.head, promised, self._config.port, vote)

    def _lose_host(self, since: float) -> list[NodeOutput]:
        """Give up the contact to the host, and look for it or for another one."""
        self._enter(Searching())
        self.replica.disconnected()
        if self.over:
            return []
        self._note_host_lost(since)
        out: list[NodeOutput] = []
        seats = tuple(
            seat
            for seat in range(len(self.replay.roster.seats))
            if self.replay.owner_of(seat) == self.replay.host
        )
        if self.seat != self.replay.host:
            out.append(SeatsAwaited(seats, float(self.replay.roster.ruleset.grace_first_s)))
        # Ask the other owners too: one may know another host or hold the end of the log.
        others = [link for link, seat in self._links.owners.items() if seat != self._presumed_host]
        out += [Send(link, self._rejoin_message()) for link in others]
        return out + self._locate_host()

    def _locate_host(self) -> list[NodeOutput]:
        """Dial the owners that this node wants to reach and ask the presumed host, when due."""
        out = self._links.dial(self._owners_to_reach(), self.replay.ports, self._now)
        link = self._links.link_of(self._presumed_host)
        lost = not self.in_contact
        if lost and link is not None and self._links.may_try(self._presumed_host, self._now):
            out.append(Send(link, self._rejoin_message()))
        return out

    def _may_take(self, message: AtTable) -> bool:
        """Whether to accept a message from the host.

        After a vote in a later term this node accepts entries only in the role `Reading`.
        """
        if not isinstance(message, messages.Entries):
            return True
        if not self._follows_logged_host() and not message.entries:
            return False  # a host that claims a later term has to show its votes first
        return isinstance(self.role, Following | Reading)

    def _take_host_is(self, link: Link, seat: int, message: messages.HostIs) -> list[NodeOutput]:
        """Handle a peer's claim about the host: itself, to be proven by its entries, or another."""
        replay = self.replay
        people = replay.absence.signed_roster.seats
        if message.host >= len(people) or people[message.host].bot or message.host == self.seat:
            return []
        if message.term < replay.term:
            # A former host may not know yet that it has been replaced.
            return [Send(link, self._own_host_is())] if message.host == seat else []
        if message.term == replay.term and (message.host != replay.host or self.hosts):
            return []  # each term has one host, and this log names it
        promised = 0 if self.voter is None else self.voter.promised
        if message.term < promised and message.host != seat:
            return []
        has_host = isinstance(self.role, Hosting | AwaitingPeer | Following)
        if link != self.host_link and (has_host or seat in self._claimed_terms.distrusted):
            return self._doubt_claim(link, seat, message)
        if message.host == seat:
            return self._follow_host(link, message)
        out = self._lose_host(self._now) if link == self.host_link else []
        self._hinted_host = (message.term, message.host)
        return out + self._announce_new_host(link, message) + self._locate_host()

    def _follow_host(self, link: Link, message: messages.HostIs) -> list[NodeOutput]:
        """Follow the peer of a link as the host."""
        out: list[NodeOutput] = []
        quorum = self._report_quorum()
        match self.role:
            case Following(host) | Reading(host) if (host.link, host.term) == (link, message.term):
                pass  # it is followed already
            case _:
                self._hinted_host = (message.term, message.host)
                out += self._announce_new_host(link, message)
                out += self._take_host_link(link, message.term)
        if self.voter is not None:
            self.voter.host_in_contact()
        return out + quorum

    def _announce_new_host(self, link: Link, message: messages.HostIs) -> list[NodeOutput]:
        """As the former host: announce the new one to the nodes that may not know it."""
        if not self._owes_announcement:
            return []
        self._owes_announcement = False
        return [Send(other, message) for other in self._links.owners if other != link]

    def _proof_due(self, host: HostLink) -> float | None:
        """Return when the followed host must have proven the later term it claims, if any.

        It may send a long log first, but within a limit: it could keep this node from the true
        host.
        """
        if host.term <= self.replay.term:
            return None
        return min(host.shown_at + SHOW_SECONDS, host.since + SHOW_ALL_SECONDS)

    def _rejoin_due(self, host: HostLink) -> float:
        """Return when a reader sends its host again the promise that forbids acknowledging.

        The host need not seek re-election for this promise more often than that.
        """
        return host.rejoined_at + STAND_SECONDS

    def _check_host(self) -> list[NodeOutput]:
        """While in contact with a host: give it up, or send it the promise again, when due.

        This node gives up a host that has not shown the votes for its claimed term in time. It also
        gives up its host if nobody has won the later term in which this owner has voted.
        """
        if self._followed is None:
            return []
        proof_due = self._proof_due(self._followed)
        if proof_due is not None and self._now >= proof_due:
            return self._give_up_host()
        out: list[NodeOutput] = []
        if isinstance(self.role, Reading) and self._now >= self._rejoin_due(self.role.host):
            out += self._rejoin(self.role.host)
        if self.voter is not None and self.voter.due(self._now):
            out += self._lose_host(self._now)
        return out

    def _give_up_host(self) -> list[NodeOutput]:
        """Give up a host that has not shown its votes. It is followed again only after that."""
        if self._followed is None:
            return []
        seat = self._links.seat_of(self._followed.link)
        if seat is not None:
            self._claimed_terms.distrusted.add(seat)
        self._hinted_host = None
        return self._lose_host(self._now)

    # ---- claimed terms ---------------------------------------------------------------------------

    def _doubt_claim(self, link: Link, seat: int, message: messages.HostIs) -> list[NodeOutput]:
        """A peer announces another host than the present one: request a log that proves it."""
        if message.term <= self.replay.term:
            return []
        out = self._request_proof(link, seat)
        if message.host == seat:
            return out
        other = self._links.link_of(message.host)
        if other is None:
            return out + self._links.dial((message.host,), self.replay.ports, self._now)
        asks = self._links.may_try(message.host, self._now)
        return [*out, Send(other, self._own_host_is())] if asks else out

    def _own_host_is(self) -> messages.HostIs:
        """Return the host named by this node's log. A peer that knows a later one replies."""
        return messages.HostIs(self.replay.term, self.replay.host)

    def _request_proof(self, link: Link, seat: int) -> list[NodeOutput]:
        """Request a log that proves the later term an owner claims."""
        first = self._claimed_terms.start_look(link, seat, self._local_log, self._now)
        return [] if first is None else [Send(link, messages.RequestLog(first))]

    def _weigh_log_page(self, link: Link, seat: int, message: messages.LogPage) -> list[NodeOutput]:
        """Check a log page from an owner that claims a later term."""
        if link == self.host_link:
            return []
        found = self._claimed_terms.take_page(link, seat, self._local_log, message)
        if isinstance(found, ReadFrom):
            return [Send(link, messages.RequestLog(found.first))]
        if found is None:
            return self._take_closed_log(link, seat, message)
        self._claimed_terms.mark_shown(seat)
        out = self._step_down()
        self._stop_awaiting_peer()
        if not self.in_contact:
            self._note_host_lost(self._now)
        host_is = messages.HostIs(found.term, found.host)
        if found.host == seat:
            return out + self._follow_host(link, host_is)
        if isinstance(self.role, LinkedToHost):
            out += self._lose_host(self._now)
        self._hinted_host = (found.term, found.host)
        # That term's host may be gone by now, and the log closed.
        return [
            *out,
            Send(link, self._rejoin_message()),
            *self._announce_new_host(link, host_is),
            *self._locate_host(),
        ]

    # ---- pages of the log for other nodes --------------------------------------------------------

    def _answer_rejoin(self, link: Link, seat: int, message: messages.Rejoin) -> list[NodeOutput]:
        """Reply to a peer's `Rejoin`, although this node is not the host."""
        self._lagging[link] = message
        out = self._send_closed_log(link) or self._send_own_entries(link, seat, message)
        if (message.term, message.count) > (self.replay.term, self.replay.seq) and self._lacks_host:
            if not self._may_have_lost_entries or message.term != self.replay.term:
                out.append(Send(link, self._rejoin_message()))  # it may hold the whole log
            else:
                # If both nodes replied with `Rejoin`, they would go on doing so without end.
                out += self._request_lost_entries(link, seat)
        if self.host_link is not None and self._links.seat_of(self.host_link) == seat:
            # A peer that asks for the host is not the host, or no longer: it has restarted.
            out += self._lose_host(self._now)
        replay = self.replay
        host = (replay.term, replay.host) if self._hinted_host is None else self._hinted_host
        if host[1] == seat:
            # It was the host. With two owners it still is, once it knows the end of the log.
            return [*out, Send(link, self._rejoin_message())] if len(replay.owners) == 2 else out
        return out if host[1] == self.seat else [*out, Send(link, messages.HostIs(*host))]

    def _take_rejoin(self, link: Link, seat: int, message: messages.Rejoin) -> list[NodeOutput]:
        """Handle a `Rejoin`: subscribe the peer, compare logs with it, or name the host to it."""
        match self.role:
            case AwaitingPeer(peer) if peer == seat:
                return self._compare_with_peer(self.role, link, message)
            case Hosting(host_role):
                return self._answer_rejoin_as_host(host_role, link, seat, message)
            case _:
                return self._answer_rejoin(link, seat, message)

    def _answer_rejoin_as_host(
        self, host_role: HostRole, link: Link, seat: int, message: messages.Rejoin
    ) -> list[NodeOutput]:
        """Subscribe an owner, or seek re-election if the owner's promise requires it."""
        assert self.seat is not None
        assert self.voter is not None
        replay, view = self.replay, self._election_view()
        counts = seat in replay.owners  # else its promise does not matter
        if message.term > replay.term:
            # The other owners may have elected another host while this node was away.
            return self._request_proof(link, seat) if counts else []
        out: list[NodeOutput] = []
        bound = (
            self._claimed_terms.binding_term(seat, message.vote, self._now, view) if counts else 0
        )
        if bound:
            todo = self.voter.outvoted(bound, self._now, view, message.vote)
            if not self._is_one_of_two:
                return self._step_down() + self._route_voter(todo)
            # Nobody else can be elected, so this host stays. The other owner may demand a new
            # election and then withhold its vote. Until it votes, it is missing like any owner
            # that acknowledges nothing.
            out += self._route_voter(todo)
        out.append(Send(link, messages.HostIs(replay.term, self.seat)))
        held = continues_at(replay, message)
        if held is None:
            return [*out, CloseLink(link)]
        address = self._links.links[link].address
        out += self._route_host_role(host_role.attach(link, seat, held, self._now))
        out += self._route_host_role(host_role.place(link, address, message.port))
        out += self._check_shown_vote(message.vote)
        if held < message.count:
            fetch = messages.Fetch(held)
            out += self._route_host_role(host_role.receive(link, fetch, self._now))
        return out

    def _answer_log_request(self, link: Link, seat: int, first: int) -> list[NodeOutput]:
        """Return entries to the host that signed them, or prove a later term to another owner."""
        if seat != self.replay.host and self.replay.closed is None:
            # Stop after the election: not every owner is allowed to have later entries yet.
            return self._send_log_page(link, first, self.replay.terms[-1].first + 1)
        out = self._send_log_page(link, first)
        return [*out, Send(link, self._rejoin_message())] if out else []

    def _take_log_page(self, link: Link, seat: int, message: messages.LogPage) -> list[NodeOutput]:
        asked = isinstance(self.role, AwaitingPeer) and self.role.peer == seat
        if asked and message.first == self.replay.seq:
            entries = self._own_lost_entries(message.entries)
            if entries:
                return self._take_entries(message.first, entries)
        out = self._weigh_log_page(link, seat, message)
        return out or (self._report_no_quorum() if asked else [])

    def _take_entries(self, first: int, entries: tuple[Entry, ...]) -> list[NodeOutput]:
        """Accept entries of another owner's node, which continue this log."""
        return self._route_seats(self.replica.receive(messages.Entries(first, entries)))

    def _send_log_page(self, link: Link, first: int, end: int | None = None) -> list[NodeOutput]:
        """Send another owner a page of the log, unless its budget is used up."""
        seat = self._links.links[link].seat
        assert seat is not None, "log pages go to owners only"
        if not self._page_budget.open(seat, self._now):
            return []
        entries = log_page(self.replica.entries, first, end)
        self._page_budget.spend(seat, max(PAGE_COST, page_size(entries)), self._now)
        return [Send(link, messages.LogPage(first, entries))]

    def _send_closed_log(self, link: Link) -> list[NodeOutput]:
        """Once the log is closed, send the missing end to a node that asked here for the host."""
        replay, message = self.replay, self._lagging.get(link)
        if replay.closed is None or message is None:
            return []
        first = continues_at(replay, message)
        if first is None or first == replay.seq:
            return []
        return self._send_log_page(link, first)

    def _take_closed_log(
        self, link: Link, seat: int, message: messages.LogPage
    ) -> list[NodeOutput]:
        """Check a page that may lead to the end of the log, while there is no host to ask."""
        if not self._lacks_host:
            return []
        continued = self._take_former_host_entries(link, seat, message)
        if continued:
            return continued
        found = self._closed_logs.take_page(link, seat, self._local_log, message, self._now)
        if isinstance(found, ReadFrom):
            return [Send(link, messages.RequestLog(found.first))]
        if found is None:
            return []
        out = self._route_seats(self.replica.take_closed_end(found.first, found.entries))
        return out + self._report_quorum()

    def _send_own_entries(
        self, link: Link, seat: int, message: messages.Rejoin
    ) -> list[NodeOutput]:
        """As the former host of the present term: send another owner what it lacks of this term.

        The last entries may have changed which owners count, and owners without these entries might
        elect nobody. Only entries on this node's own disk are sent, because it will never sign
        others with the same numbers.
        """
        replay = self.replay
        if self.seat != replay.host or not self._lacks_host or seat not in replay.owners:
            return []
        first, end = continues_at(replay, message), self.replica.on_disk
        if first is None or message.term != replay.term or first >= end:
            return []
        return self._send_log_page(link, first, end)

    def _take_former_host_entries(
        self, link: Link, seat: int, message: messages.LogPage
    ) -> list[NodeOutput]:
        """Accept entries that continue this log in its term, without acknowledging them.

        They come from the former host or, if this node is that host and has lost them, from any
        owner. After a vote in a later term this node refuses them, unless it is the former host: it
        signed them, and while it lacks them other owners refuse to elect it.
        """
        replay = self.replay
        from_host = seat == replay.host and not self._has_promised_above(replay.term)
        if not (from_host or self._may_have_lost_entries) or message.first != replay.seq:
            return []
        entries = follow_on(replay, message.entries)
        if not entries or replay.closed is not None:
            return []
        out = self._take_entries(message.first, entries)
        if self._may_have_lost_entries:
            return out + self._request_lost_entries(link, seat)
        return [*out, Send(link, self._rejoin_message())] if self._lacks_host else out

    # ---- two owners: the other one holds the lost entries ----------------------------------------

    def _compare_with_peer(
        self, role: AwaitingPeer, link: Link, message: messages.Rejoin
    ) -> list[NodeOutput]:
        """Check whether the other owner holds more: entries lost here, or a later term."""
        seq = self.replay.seq
        if message.term > self.replay.term or message.count > seq:
            out = self._request_lost_entries(link, role.peer)
            if out and message.term > self.replay.term:
                # The other owners may have elected a host in a log that forks before the end of
                # this one.
                out += [each for each in self._request_proof(link, role.peer) if each not in out]
            return out
        if len(self.replay.owners) > 2:
            return self._ask_all_owners()
        if self.voter is not None and self.voter.has_voted_for_another(self.replay.term):
            self._stop_awaiting_peer()
            return self._stand_for_election()
        return self._host_again() + self._take_rejoin(link, role.peer, message)

    def _request_lost_entries(self, link: Link, seat: int) -> list[NodeOutput]:
        """Request the entries after the end of this log from an owner, unless just requested."""
        first = self.replay.seq
        asked, until = self._log_requests.get(seat, (-1, 0.0))
        if asked == first and self._now < until:
            return []
        self._log_requests[seat] = first, self._now + REQUEST_LOG_AGAIN_SECONDS
        return [Send(link, messages.RequestLog(first))]

    def _ask_all_owners(self) -> list[NodeOutput]:
        """Ask all owners for more: the returned entries bring a third owner back."""
        self._stop_awaiting_peer()
        return self._go_on_after_restart()

    def _own_lost_entries(self, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
        """Return the leading entries that this node signed itself and that continue its log.

        It signed its older entries too. They do not fit here and are ignored: they must not stop
        the node.
        """
        own = self.replay.public_key(HOST)
        signed = tuple(takewhile(lambda entry: entry.signed_by(own), entries))
        if not signed:
            return ()
        replay = self.replay.copy()
        for number, entry in enumerate(signed):
            try:
                replay.follow(entry)
            except HostFault:
                return signed[:number]
        return signed

    # ---- hosting ---------------------------------------------------------------------------------

    def _new_host_role(self, replay: Replay, entries: Sequence[Entry]) -> HostRole:
        """Return a new host role for a log that ends with these entries."""
        return HostRole(
            replay,
            entries,
            self._config.identities[0],
            self._now,
            rounds=self._config.rounds,
            pace=self._config.pace,
            stand_ins=self._stand_ins,
            unsure=0 if self._knows_owners else self.replica.owners_changed_at,
        )

    def _host_again(self) -> list[NodeOutput]:
        """Resume the host role at the end of the log, in the present term."""
        return self._begin_hosting(self._new_host_role(self.replay.copy(), self.replica.entries))

    def _win_election(self, won: Won) -> list[NodeOutput]:
        """Become the host of the term for which a majority of the owners elected this node."""
        replay = self.replay.copy()
        try:
            entry, _ = replay.elect(won.votes, replay.times.ms, self._config.identities[0])
        except BodyRefused:
            return []  # the log has grown since these votes were given
        entries = [*self.replica.entries, entry]
        out = self._step_down()  # with two owners it may still be the host of its old term
        out.append(AppendEntry(entry))
        out += self._begin_hosting(
            self._new_host_role(replay, entries), messages.Entries(len(entries) - 1, (entry,))
        )
        host_is = messages.HostIs(replay.term, replay.host)
        others = [link for link, seat in self._links.owners.items() if seat != self.seat]
        out += [Send(link, host_is) for link in others]
        absent = self._links.unreached(replay.owners, self.seat)
        out += self._links.dial(absent, replay.ports, self._now)
        return out

    def _begin_hosting(
        self, host_role: HostRole, elected: messages.Entries | None = None
    ) -> list[NodeOutput]:
        """Enter the host role. `elected`: the entry with the votes, if this node was elected."""
        assert self.seat is not None
        quorum = self._report_quorum()
        self._enter(Hosting(host_role))
        self.replica.disconnected()  # from the host that it followed until now
        out = [] if elected is None else self._route_seats(self.replica.receive(elected))
        if self.voter is not None:
            self.voter.host_in_contact()
        out.append(HostingChanged(True))
        held = host_role.replay.seq
        out += self._route_host_role(host_role.attach(OWN, self.seat, held, self._now))
        if not self._recovered and not self.replica.entries:
            for link, seat in self._links.owners.items():
                out += self._route_host_role(host_role.attach(link, seat, 0, self._now))
            # The genesis must be on disk before the first entry.
            out += self._route_seats(self.replica.begin())
        out += self._route_seats(self.replica.connected())
        out += self._route_host_role(host_role.begin(self._now))
        return out + quorum

    def _step_down(self) -> list[NodeOutput]:
        """Give up the host role, because another node is or will be the host."""
        if not self.hosts:
            return []
        self._enter(Searching())
        self._owes_announcement = True
        self.replica.disconnected()
        self._note_host_lost(self._now)
        return [HostingChanged(False), *self._locate_host()]

    def _seat_stand_ins(self) -> list[NodeOutput]:
        """Start the sessions of stand-ins to which the log has given a seat."""
        out: list[NodeOutput] = []
        for session in self._stand_ins.newly_seated(self.replica):
            session.presence_of = self._presence_of
            self.sessions.append(session)
            out.append(ViewChanged())
            if self.replica.caught_up:
                out += self._route_seats(session.proceed())
        return out

    # ---- elections -------------------------------------------------------------------------------

    def _note_host_lost(self, since: float) -> None:
        """There has been no contact to a host since then: let the voter start its timer."""
        if self.voter is not None:
            self.voter.host_lost(since, self._election_view())

    def _take_vote_request(self, seat: int, message: messages.RequestVote) -> list[NodeOutput]:
        voter, term = self.voter, message.term
        if voter is None or seat not in self.replay.owners:
            return []
        if not self._claimed_terms.may_request_vote(seat, term, self._now):
            no = messages.VoteReply(message.pre, term, False, None, voter.promised)
            return self._route_voter([SendToOwner(seat, no)])
        todo = voter.vote_requested(seat, message, self._now, self._election_view())
        if not any(isinstance(each, StoreVote) for each in todo):
            return self._route_voter(todo)
        self._claimed_terms.voted(seat, term, self._now)
        # After voting for another candidate, this node must not continue in its old term.
        return self._step_down() + self._route_voter(todo)

    def _take_vote_reply(self, seat: int, message: messages.VoteReply) -> list[NodeOutput]:
        if self.voter is None or seat not in self.replay.owners:
            return []
        todo = self.voter.vote_replied(seat, message, self._now, self._election_view())
        return self._route_voter(todo) + self._check_shown_vote(message.vote)

    def _check_shown_vote(self, vote: SignedVote | None) -> list[NodeOutput]:
        """As host: check a vote shown by an owner, which may contradict one in the log."""
        if self.host_role is None or vote is None:
            return []
        return self._route_host_role(self.host_role.check_vote(vote, self._now))

    def _take_host_transfer(self, message: messages.TransferHost) -> list[NodeOutput]:
        if self.voter is None:
            return []
        todo = self.voter.host_transferred(
            message.candidate, message.term, self._now, self._election_view()
        )
        return self._route_voter(todo)

    def _new_term(self) -> list[NodeOutput]:
        """React to a new term in the log."""
        self._claimed_terms.host_elected()
        if self.voter is not None:
            self.voter.term_began(self._now, self._election_view())
            if self._followed is not None:
                self.voter.host_in_contact()
        return self._leave_table() if self._leaving else []

    # ---- players that are reported lost ----------------------------------------------------------

    def _presence_of(self, owner: int, drop: bytes) -> bytes | None:
        """Return a dropped owner's signed presence; b"" if unreachable, None if not known yet."""
        searches = self._links.searches
        if not searches.searches(owner, drop):
            self._queue.append(self._search_for_lost)
        return searches.result(owner, drop, self._reachability)

    @property
    def _reachability(self) -> Reachability:
        return self._links.reachability(self.replay.ports, self._now)

    def _note_awaited(self, seats: Iterable[int]) -> list[NodeOutput]:
        """The host waits for these seats: try to reach their nodes from here as well."""
        known = range(len(self.replay.roster.seats))
        self._awaited = frozenset(self.replay.owner_of(seat) for seat in seats if seat in known)
        return self._search_for_lost()

    def _search_for_lost(self) -> list[NodeOutput]:
        """Dial the owners that the host waits for, or whose seeds are being recovered."""
        if self.seat is None:
            return []
        replay = self.replay
        lost: dict[int, Entry | None] = dict.fromkeys(self._awaited)
        if replay.round is not None:
            for seat in replay.round.recovering.keys() & replay.round.dropped_by.keys():
                place = replay.hashes.number(replay.round.drop_hashes[seat])
                assert place is not None, "the drop stands in this log"
                lost[replay.round.owner_of(seat)] = self.replica.entries[place]
        lost.pop(self.seat, None)
        self._links.searches.set_lost(lost, self._now)
        return self._dial_lost_players()

    def _dial_lost_players(self) -> list[NodeOutput]:
        """Dial lost players, and ask those that are linked to sign their presence.

        Rate limit: one attempt at a time for each player, with pauses.
        """
        links = self._links
        out = links.dial(links.untried, self.replay.ports, self._now)
        for owner in links.reached:
            if links.may_try(owner, self._now):
                out += self._request_presence(owner)
        if links.searches.update(self._reachability):
            out += self._continue_sessions()
        return out

    @property
    def _wants_direct_links(self) -> bool:
        """Whether this node wants a link to every other owner even while it has a host.

        A dishonest host could report a player as lost and send the other owners a wrong address. A
        node with a link to that player, or with the address of an earlier link, can check the
        report.
        """
        return self.seat is not None and self.in_contact and not self.over

    def _keep_direct_links(self) -> list[NodeOutput]:
        """Try to keep a link to every other owner, if this node wants that."""
        if not self._wants_direct_links or self.seat is None:
            return []
        replay = self.replay
        return self._links.connect_directly(replay.owners, self.seat, replay.ports, self._now)

    def _request_presence(self, owner: int) -> list[NodeOutput]:
        """Ask a linked player that was dropped to sign its presence."""
        link, drop = self._links.link_of(owner), self._links.searches.unanswered.get(owner)
        if link is None or drop is None:
            return []
        return [Send(link, messages.RequestPresence(drop))]

    def _answer_presence(self, link: Link, request: messages.RequestPresence) -> list[NodeOutput]:
        """Sign this owner's presence, for a peer that shows the entry that drops it.

        The signature states nothing else. It is given only for a drop of this owner at this table,
        and not if the owner leaves.
        """
        try:
            core = request.drop.read()
            body = core.signed_body.read()
        except Unreadable:
            return []
        drop = body.payload
        if self.seat is None or self._leaving or core.table != self.replay.table_id:
            return []
        if not isinstance(drop, Drop) or drop.seat != self.seat or drop.reason is DropReason.LEFT:
            return []
        digest = presence_digest(self.replay.table_id, self.seat, request.drop.hash)
        here = self._config.identities[0].sign(digest)
        return [Send(link, messages.PresenceReply(request.drop.hash, here))]

    def _take_presence_reply(self, seat: int, message: messages.PresenceReply) -> list[NodeOutput]:
        """Accept a dropped player's signature that it is present."""
        drop = self._links.searches.unanswered.get(seat)
        if drop is None or drop.hash != message.drop:
            return []
        public = self.replay.absence.signed_roster.seats[seat].identity
        digest = presence_digest(self.replay.table_id, seat, message.drop)
        if not verify(public, message.here, digest):
            return []
        self._links.searches.answered(seat, message.here)
        return self._continue_sessions()

    def _continue_sessions(self) -> list[NodeOutput]:
        """Let the sessions continue, now that a search for a lost player has a result."""
        return self._route_each_session(SeatSession.proceed)

    # ---- time, quorum, leaving, coming back ------------------------------------------------------

    def _pass_time(self) -> list[NodeOutput]:
        out = self._pass_statements_on()
        if not self.over:
            out += self._dial_lost_players() + self._keep_direct_links()
        if isinstance(self.role, Hosting):
            return out + self._pass_time_as_host(self.role.host_role)
        if self.over:
            return out
        out += self._check_host()
        if isinstance(self.role, Searching) and self.voter is not None:
            out += self._route_voter(self.voter.tick(self._now, self._election_view()))
        if not self.hosts:
            out += self._locate_host()
            out += [] if self.in_contact else self._report_no_quorum()
        return out

    def _pass_time_as_host(self, host_role: HostRole) -> list[NodeOutput]:
        assert self.voter is not None
        if self.voter.due(self._now):
            # With two owners, the other one has not re-elected this host: it stays host.
            self.voter.host_in_contact()
        out = self._route_host_role(host_role.tick(self._now))
        out += self._finish_transfer(host_role)
        if host_role.no_quorum and self.host_role is host_role:
            # The other owners may have continued without it, and not know its present address.
            out += self._links.dial(self._owners_to_reach(), self.replay.ports, self._now)
        return out

    def _report_no_quorum(self) -> list[NodeOutput]:
        """Without a host: report that too few owners are in contact for the table to continue."""
        if not isinstance(self.role, Searching | AwaitingPeer):
            return []
        here = self._links.seats & set(self.replay.owners)
        # With two owners, a peer that withholds entries it claims to hold does not count.
        reached = 1 if isinstance(self.role, AwaitingPeer) else len(here) + 1
        wanted = self.replay.majority
        if self.role.no_quorum or reached >= wanted or self.seat is None:
            return []
        self.role.no_quorum = True
        return [QuorumChanged(reached, wanted)]

    def _report_quorum(self) -> list[NodeOutput]:
        """Report that the table can continue, if the opposite was reported."""
        if not isinstance(self.role, Searching | AwaitingPeer) or not self.role.no_quorum:
            return []
        self.role.no_quorum = False
        return [QuorumChanged(self.replay.majority, self.replay.majority)]

    def _leave_table(self) -> list[NodeOutput]:
        """Leave on purpose. A host first hands over, if there is a candidate."""
        match self.role:
            case Hosting(host_role):
                out: list[NodeOutput] = []
                if len(self.replay.owners) == 2:
                    # The one that leaves forfeits: its own seat signs the Leave.
                    out += self._route_seats(self.main_session.leave())
                out += self._route_host_role(host_role.transfer(self._now))
                return out + self._finish_transfer(host_role)
            case Following() if self.seat is not None:
                if self.seat in self.replay.leaving or self.seat in self.replay.dropped:
                    return []
                assert self.voter is not None
                # The host counts a leaving owner as holding all entries: it must not vote (`left`).
                self.voter.left = True
                return self._route_seats(self.main_session.leave())
            case _:
                return []

    def leave_effect(self) -> LeaveEffect | None:
        """What happens if this owner leaves now; None if nobody would learn that it left."""
        if self.seat is None or not self.in_contact:
            return None
        effect = leave_effect(self.replay, self.seat)
        host_role = self.host_role
        if effect is None or host_role is None or len(self.replay.owners) == 2:
            return effect
        return effect if host_role.can_hand_over else LeaveEffect()

    def _finish_transfer(self, host_role: HostRole) -> list[NodeOutput]:
        """Step down for the candidate. This owner votes for it like all others."""
        term_and_seat = host_role.transferred_to
        if term_and_seat is None or self.host_role is not host_role:
            return []
        transfer = messages.TransferHost(*term_and_seat)
        out = self._step_down()
        # Nodes that connected after the first announcement, or missed it, would otherwise keep
        # waiting for this host.
        out += [Send(link, transfer) for link in self._links.owners]
        return out + self._take_host_transfer(transfer)

    def _return_to_table(self) -> list[NodeOutput]:
        """Ask for the dropped seats of this node again, to play in later rounds."""
        if self._leaving or not self.in_contact or self.over:
            return []
        out: list[NodeOutput] = []
        for session in self.sessions:
            why = None if session.seat is None else self.replay.dropped.get(session.seat)
            if why not in (None, DropReason.ATTACK):
                out += self._route_seats(session.take_seat_again())
        return out


def _ignore(role: Role) -> None:
    """The default for a node whose roles nobody records."""
    del role


def _reader_may_send(message: AtTable) -> bool:
    """Whether `Reading` allows this message: a Return, requests for entries, chat."""
    if isinstance(message, messages.Submit):
        return isinstance(message.body.read().payload, Return)
    return isinstance(message, messages.Fetch | messages.Say | messages.React)


def _has_left(recovered: RecoveredState, seat: int) -> bool:
    """Whether this owner signed a Leave before the restart, and no Return after it."""
    kept = recovered.seats.get(seat)
    if kept is None:
        return False
    payloads = [signed.read().payload for _, signed in sorted(kept.bodies.items())]
    last = [each for each in payloads if isinstance(each, Leave | Return)][-1:]
    return any(isinstance(each, Leave) for each in last)
