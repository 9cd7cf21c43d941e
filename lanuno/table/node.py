"""One node at a table whose log has begun: it plays, and follows a host or is the host.

Sans I/O: the runtime hands in time and messages, outputs are data.

A node is in exactly one role (`roles.py`): its methods ask `self.role` what to do with an input;
only `_enter` changes it. Beside the state of its role it holds a `Replica` of the log, a
`SeatSession` for every seat that is played on it, a `Voter` for elections, and its links to the
other nodes. Messages between the machines of one node go through a queue, never over a link. The
runtime makes the links and names each after the identity at the other end. Which of two nodes is
the host follows from the log and never from a link: each node sends what it knows (`Rejoin`,
`HostIs`).

- A host orders the log in its `HostRole`, and follows it in its `Replica` like every other node.
- A node that promised its vote to a newer term takes no entries of lower terms (`Pledged`), so that
  no entry becomes final during an election. If the other nodes have gone on without it, it may read
  their entries (`Reading`); it acknowledges nothing and asks for its seat again.
- A node that follows a host, or is the host, gives that up only for a log with the votes in it
  (`succession/claimed_terms.py`).
- A host whose program was restarted does not go on in its old term if other owners can elect it
  again: it cannot know which of its last entries other nodes hold. Of two owners the other one
  holds all that was lost, and is asked for it first (`AwaitingPeer`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import takewhile
from typing import assert_never

from lanuno.dealing.identity import Identity, verify
from lanuno.log.faults import Blame, BodyRefused, HostFault, Unreadable
from lanuno.log.format.bodies import HOST, Drop, DropReason, Leave, Return, presence_digest
from lanuno.log.format.entries import Entry
from lanuno.log.format.genesis import Genesis
from lanuno.log.format.votes import SignedVote
from lanuno.log.replay.replay import Replay
from lanuno.log.round import events
from lanuno.log.round.round_record import ESCROW_FROM_OWNERS
from lanuno.rules.engine.actions import Action
from lanuno.table import messages
from lanuno.table.budget import LOG_RATE, OWNER_LOG_BURST, PAGE_COST, Budget
from lanuno.table.host.clocks import Pace
from lanuno.table.host.role import HostRole
from lanuno.table.host.stand_ins import StandIns
from lanuno.table.links import Links, PeerLink
from lanuno.table.lobby.peer import Entropy
from lanuno.table.log_pages import continues_at, log_page, page_size
from lanuno.table.messages import AtTable
from lanuno.table.outputs import (
    OWN,
    ActionRefused,
    AppendEntry,
    ChatReceived,
    ClaimOffered,
    CloseLink,
    Disconnect,
    Happened,
    HostDoubted,
    HostingChanged,
    HostOutput,
    NodeOutput,
    NodeStopped,
    Peer,
    QuorumChanged,
    ReactionSeen,
    RunJob,
    SeatOutput,
    SeatsAwaited,
    Send,
    SendToHost,
    SendToPeer,
    SpectatorsChanged,
    StoreBody,
    StoreGenesis,
    StoreOtherEnd,
    StoreRelease,
    StoreSeed,
    StoreStandIn,
    StoreVote,
    SyncJournal,
    TruncateJournal,
    ViewChanged,
)
from lanuno.table.recovery import RecoveredState
from lanuno.table.release import ReleaseBinding
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
"""Until an owner is asked again for the entries that it says it holds, and that are lost here."""

TO_HOST_ROLE = (
    messages.Submit,
    messages.Ack,
    messages.Fetch,
    messages.Say,
    messages.React,
    messages.Watch,
    messages.Join,
)
FROM_HOST_ROLE = (
    messages.Entries,
    messages.FinalUpTo,
    messages.BodyRefusal,
    messages.Said,
    messages.Reacted,
    messages.Waiting,
    messages.Began,
    messages.Refused,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeConfig:
    """How a node is set up for one table."""

    identities: tuple[Identity, ...]
    """The owner's, then those of its bots; none to watch."""
    entropy: Entropy
    rounds: int | None = None
    """As host: close after this number of counted rounds of play."""
    pace: Pace = field(default_factory=Pace)
    port: int = 0
    """The TCP port on which this node listens for the others; 0 if it does not."""


class Node:
    """One node at one table."""

    def __init__(
        self, genesis: Genesis, config: NodeConfig, recovered: RecoveredState | None = None
    ) -> None:
        """Join the table of a genesis, or come back to it with the recovered state.

        Raises `Unreadable`, `TableError`, `HostFault` (a journal that is not the log).
        """
        self.replica = Replica(
            genesis, ReleaseBinding(None if recovered is None else recovered.released)
        )
        self.replica.host_is_known = self._follows_logged_host
        kept = {} if recovered is None else recovered.seats
        self.sessions = [
            SeatSession(self.replica, identity, config.entropy, kept)
            for identity in config.identities or (None,)
        ]
        """The owner's, or the spectator's, then those of its bots, then those of stand-ins."""
        self._stand_ins = StandIns(config.entropy, recovered)
        self.sessions += self._stand_ins.recovered_sessions(self.replica)
        for session in self.sessions:
            session.presence_of = self._presence_of
        self.replica.read_journal(() if recovered is None else recovered.entries)
        stopped = self.replica.stopped
        self.role: Role = Searching() if stopped is None else Stopped(stopped)
        """What this node does about the host. Changed by `_enter` only."""
        self._genesis = genesis
        self._config = config
        self._recovered = recovered is not None
        self._links = Links()
        for place in () if recovered is None else recovered.places:
            self._links.places[place.seat] = place
        self._queue: deque[Callable[[], list[NodeOutput]]] = deque()
        self._hinted_host: tuple[int, int] | None = None
        """Term and seat of a host that another node announced and the log does not name yet."""
        self._owes_announcement = False
        """Whether this node was the host, and has not announced the new one to the others yet."""
        self._claimed_terms = ClaimedTerms()
        self._closed_logs = ClosedLogs()
        self._lagging: dict[Peer, messages.Rejoin] = {}
        """The last `Rejoin` of each node that asked here for the host while this node was not it.
        """
        self._log_requests: dict[int, tuple[int, float]] = {}
        """By owner: the first lost entry that was last requested of it, and the time before which
        it is not asked for the same again."""
        self._page_budgets: dict[int, Budget] = {}
        """How much of the log this node may still send to each owner, past the host."""
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
        """The owner's session, or the spectator's."""
        return self.sessions[0]

    @property
    def seat(self) -> int | None:
        """The owner's seat; None for a spectator."""
        return self.main_session.seat

    @property
    def replay(self) -> Replay:
        """The log as this node holds it. For reading."""
        return self.replica.replay

    @property
    def host_role(self) -> HostRole | None:
        """Present while this node is the host."""
        return self.role.host_role if isinstance(self.role, Hosting) else None

    @property
    def host_link(self) -> Peer | None:
        """The link to the host, if it is another node and in contact."""
        return self.role.host.link if isinstance(self.role, LinkedToHost) else None

    @property
    def hosts(self) -> bool:
        """Whether this node is the host now."""
        return isinstance(self.role, Hosting)

    @property
    def in_contact(self) -> bool:
        """Whether this node is the host or is connected to it."""
        return isinstance(self.role, Hosting | LinkedToHost)

    @property
    def over(self) -> bool:
        """Whether nothing more will happen here: the log is closed, or cannot be."""
        return self.replay.closed is not None or self.replica.stopped is not None

    @property
    def places(self) -> tuple[messages.PeerAddress, ...]:
        """The addresses of the other nodes, as far as they are known here: to be kept on disk."""
        return self._links.known_places(self.replay.ports)

    @property
    def addresses(self) -> frozenset[str]:
        """Addresses at which the other owners' nodes may be: at most two for each."""
        return self._links.addresses

    @property
    def deadline(self) -> float | None:
        """When `tick` must be called at the latest; None if nothing waits for time."""
        moments: list[float | None] = []
        if not self.over:
            links = self._links
            moments.append(links.next_try((*links.untried, *links.reached)))
            moments.append(links.searches.deadline(self._reachability))
            moments.append(links.next_direct_try if self._wants_direct_links else None)
        if self.voter is not None and not isinstance(self.role, AwaitingPeer):
            moments.append(self.voter.deadline if self.hosts or not self.over else None)
        match self.role:
            case Hosting(host_role):
                moments.append(host_role.deadline)
                if host_role.no_quorum and not self.over:
                    moments.append(self._links.next_try(self._owners_to_reach()))
            case Searching() | AwaitingPeer() if not self.over:
                tried = self._owners_to_reach()
                if self._links.link_of(self._presumed_host) is not None:
                    tried = (*tried, self._presumed_host)
                moments.append(self._links.next_try(tried))
            case Following(host) | Pledged(host) | Reading(host) if not self.over:
                moments.append(self._links.next_try(self._owners_to_reach()))
                moments.append(self._proof_due(host))
                if isinstance(self.role, Reading):
                    moments.append(self._rejoin_due(host))
            case _:
                pass
        return min((each for each in moments if each is not None), default=None)

    @property
    def claimable(self) -> tuple[int, ...]:
        """As host: seats of a player for whom `claim` ends the wait."""
        return self.role.host_role.claimable if isinstance(self.role, Hosting) else ()

    def uses_link(self, link: Peer) -> bool:
        """Whether a link carries the log, from the host or to a subscriber."""
        match self.role:
            case Following(host) | Pledged(host) | Reading(host):
                return link == host.link
            case Hosting(host_role):
                return host_role.has_subscriber(link)
            case _:
                return False

    def _has_promised_above(self, term: int) -> bool:
        """Whether this owner has voted in a later term."""
        return self.voter is not None and term < self.voter.promised

    @property
    def _may_have_lost_entries(self) -> bool:
        """Whether other owners may hold entries that this node signed as the host, and lost."""
        searching = isinstance(self.role, Searching) and not self.over
        return searching and self.seat is not None and self.seat == self.replay.host

    @property
    def _lacks_host(self) -> bool:
        """Whether this node looks for a host, or for the end of the log."""
        return not self.in_contact and not self.over

    def _follows_logged_host(self) -> bool:
        """Whether this node follows the host that its own log names."""
        return not isinstance(self.role, LinkedToHost) or self.role.host.term <= self.replay.term

    def _is_outdated(self, host: HostLink) -> bool:
        """Whether the log names another host than this one, which claims no later term.

        A spectator is not told the term of its host, and has no other node to go to.
        """
        if self.seat is None:
            return False
        peer_link = self._links.links.get(host.link)
        seat = None if peer_link is None else peer_link.seat
        return host.term <= self.replay.term and seat != self.replay.host

    @property
    def _knows_owners(self) -> bool:
        """Whether it is certain which owners count: the last change of that is final."""
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
            # A node that lacks an entry for which it has released a secret elects nobody.
            replay.owners if self.replica.holds_released else (),
            replay.end.term,
            replay.seq,
            replay.head,
            # The owner votes, even while a bot plays the seat.
            {seat: replay.absence.signed_roster.seats[seat].identity for seat in replay.owners},
        )

    # ---- inputs ----------------------------------------------------------------------------------

    def begin(self, now: float) -> list[NodeOutput]:
        """Start. Links that are up already were reported before (`link_up`)."""
        self._now = now
        replay = self.replay
        if self._recovered:
            return self._run(self._begin_again)
        if self.seat is not None and self.seat == replay.host:
            host_role = self._new_host_role(Replay(self._genesis), ())
            return self._run(partial(self._begin_hosting, host_role))
        return self._run(self._begin_following)

    def link_up(
        self,
        link: Peer,
        seat: int | None,
        now: float,
        *,
        address: str = "",
        dialled: bool = False,
        identity: bytes = b"",
    ) -> list[NodeOutput]:
        """A connection to another node is up. `seat`: its owner's, by the handshake.

        `dialled`: this node made it. `identity`: the key at the other end.
        """
        self._now = now
        mail = self._links.link_up(link, PeerLink(seat, address, dialled, identity))
        out: list[NodeOutput] = []
        if self.in_contact or self.replay.seq:  # else all links come from the lobby at once
            out += [CloseLink(each) for each in self._links.surplus_links(link, self.uses_link)]
        if seat is None or seat == self.seat:
            return out
        return out + self._run(partial(self._greet, link, dialled, mail))

    def link_down(
        self, link: Peer, now: float, *, silent: float = 0.0, quiet: bool = False
    ) -> list[NodeOutput]:
        """A connection ended. `silent`: seconds since anything was received on it.

        `quiet`: whether nothing showed that the network works; this is so after a silence.
        """
        self._now = now
        gone = self._links.links.pop(link, None)
        if gone is None:
            return []
        self._claimed_terms.drop_link(link)
        self._closed_logs.drop_link(link)
        self._lagging.pop(link, None)
        return self._run(partial(self._link_lost, link, silent, quiet=quiet or silent > 0))

    def connect_failed(self, seat: int, now: float) -> list[NodeOutput]:
        """A connection that `Connect` asked for could not be made."""
        self._now = now
        self._links.connect_failed(seat)
        return self._run(self._dial_lost_players)

    def receive(self, link: Peer, message: AtTable, now: float) -> list[NodeOutput]:
        """Take a message of another node."""
        self._now = now
        if link not in self._links.links:
            return []
        return self._run(partial(self._receive, link, message))

    def tick(self, now: float) -> list[NodeOutput]:
        """Let time pass."""
        self._now = now
        return self._run(self._pass_time)

    def synced(self, done: SyncJournal, now: float) -> list[NodeOutput]:
        """The journal is synced to disk up to the requested entry."""
        self._now = now
        return self._run(partial(self._synced, done))

    def job_done(self, job: int, result: object, now: float) -> list[NodeOutput]:
        """Take the result of a `RunJob`."""
        self._now = now
        return self._run(
            lambda: [
                each
                for session in self.sessions
                for each in self._route_seats(session.job_done(job, result))
            ]
        )

    def act(self, session: SeatSession, action: Action, now: float) -> list[NodeOutput]:
        """Carry out what the player of one of this node's seats decided. Raises `TableError`."""
        return self.carry_out(session.act(action), now)

    def carry_out(self, todo: Sequence[SeatOutput], now: float) -> list[NodeOutput]:
        """Carry out what one of this node's sessions put out when it was called from outside."""
        self._now = now
        return self._run(lambda: self._route_seats(todo))

    def say(self, text: str, now: float) -> list[NodeOutput]:
        """Send a line of chat of the owner or the spectator."""
        self._now = now
        return self._run(lambda: self._route_seats(self.main_session.say(text)))

    def react(self, reaction: messages.Reaction, now: float) -> list[NodeOutput]:
        """Send a reaction of the owner to everybody; a spectator cannot react."""
        self._now = now
        if self.seat is None:
            return []
        return self._run(lambda: self._route_seats(self.main_session.react(reaction)))

    def leave(self, now: float) -> list[NodeOutput]:
        """The owner leaves the table on purpose, and its bots with it."""
        self._now = now
        self._leaving = True
        return self._run(self._leave_table)

    def stop(self, now: float) -> list[NodeOutput]:
        """As host: end the match, after a whole round if it can."""
        self._now = now
        match self.role:
            case Hosting(host_role):
                return self._run(lambda: self._route_host_role(host_role.stop(now)))
            case _:
                return []

    def paused(self, seconds: float, now: float) -> list[NodeOutput]:
        """This program did not run for `seconds`, up to now: nobody was late in that time."""
        self._now = now
        match self.role:
            case Hosting(host_role):
                return self._run(lambda: self._route_host_role(host_role.paused(seconds, now)))
            case _:
                return []

    def send_away(
        self, identity: bytes | None, why: messages.LobbyRefusal, now: float
    ) -> list[NodeOutput]:
        """As host: send a spectator away; None: all spectators."""
        self._now = now
        match self.role:
            case Hosting(host_role):
                return self._run(lambda: self._route_host_role(host_role.send_away(identity, why)))
            case _:
                return []

    def claim(self, now: float) -> list[NodeOutput]:
        """As host: end the wait for a player who is silent, if that is `claimable`."""
        self._now = now
        match self.role:
            case Hosting(host_role):
                return self._run(lambda: self._route_host_role(host_role.claim(now)))
            case _:
                return []

    # ---- routing between the machines of this node -----------------------------------------------

    def _run(self, work: Callable[[], list[NodeOutput]]) -> list[NodeOutput]:
        """Do something, and everything that follows from it inside this node."""
        self._queue.append(work)
        out: list[NodeOutput] = []
        while self._queue:
            out += self._queue.popleft()()
        return out

    def _route_seats(self, todo: Sequence[SeatOutput]) -> list[NodeOutput]:
        """Route the outputs of the replica and of the sessions that read its log."""
        out: list[NodeOutput] = []
        for output in todo:
            match output:
                case SendToHost():
                    out += self._route_to_host(output.message)
                case AppendEntry() if self.hosts:
                    pass  # the host role has stored the entry before it sent it
                case HostDoubted():
                    self._queue.append(self._give_up_host)
                case Happened():
                    out.append(output)
                    self._queue.append(partial(self._handle_event, output.event))
                case NodeStopped():
                    out.append(output)
                    self._queue.append(partial(self._stop, output.blame))
                case AppendEntry() | StoreGenesis() | StoreSeed() | StoreBody() | StoreRelease():
                    out.append(output)
                case SyncJournal() | TruncateJournal() | StoreOtherEnd() | RunJob():
                    out.append(output)
                case ViewChanged() | ActionRefused() | SeatsAwaited():
                    out.append(output)
                case ChatReceived() | ReactionSeen():
                    out.append(output)
                case _:
                    assert_never(output)
        return out

    def _route_to_host(self, message: messages.FromPeer) -> list[NodeOutput]:
        if isinstance(message, messages.Ack) and self.seat is None:
            return []  # what a spectator holds makes nothing final
        match self.role:
            case Hosting(host_role):
                self._queue.append(
                    lambda: self._route_host_role(host_role.receive(OWN, message, self._now))
                )
                return []
            case Reading() if not _reader_may_send(message):
                return []
            case Pledged() if isinstance(message, messages.Ack):
                return []
            case Following(host) | Pledged(host) | Reading(host):
                return [Send(host.link, message)]
            case _:
                return []

    def _route_host_role(self, todo: Sequence[HostOutput]) -> list[NodeOutput]:
        """Route the outputs of the host role; what it sends to this node stays inside."""
        out: list[NodeOutput] = []
        for output in todo:
            match output:
                case SendToPeer() if output.peer == OWN:
                    self._queue.append(partial(self._take_host_message, output.message))
                case SendToPeer():
                    if output.peer in self._links.links:
                        out.append(Send(output.peer, output.message))
                case Disconnect():
                    out.append(CloseLink(output.peer))
                case AppendEntry() | StoreStandIn():
                    out.append(output)
                case QuorumChanged() | ClaimOffered() | SpectatorsChanged():
                    out.append(output)
                case _:
                    assert_never(output)
        return out

    def _take_host_message(self, message: AtTable) -> list[NodeOutput]:
        """Take a message of the host, over a link or from the host role of this node."""
        out: list[NodeOutput] = []
        match message:
            case messages.PeerAddresses():
                self._links.set_places(message.places)
                out += self._keep_direct_links()
            case messages.TransferHost():
                return self._take_host_transfer(message)
            case _ if isinstance(message, FROM_HOST_ROLE):
                if isinstance(message, messages.Waiting):
                    out += self._note_awaited(message.seats)
                out += self._route_seats(self.replica.receive(message))
                if not isinstance(message, messages.BodyRefusal):
                    # A body that is refused for good would be sent and refused again without end.
                    out += self._after_host_message(message)
            case _:
                pass
        return out

    def _route_voter(self, todo: list[VoterOutput]) -> list[NodeOutput]:
        out: list[NodeOutput] = []
        for output in todo:
            match output:
                case SendToOwner():
                    link = self._links.link_of(output.seat)
                    if link is not None:
                        out.append(Send(link, output.message))
                    else:
                        # An owner who was away needs only the newest message.
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

    def _after_host_message(self, message: AtTable) -> list[NodeOutput]:
        """Submit what the owner's seat has to announce besides playing, as soon as it may."""
        grows = isinstance(message, messages.Entries | messages.FinalUpTo)
        says_so = not self.hosts or (grows and self._has_to_forfeit)
        out = self._leave_table() if self._leaving and says_so else []
        if self.replica.caught_up and not self._leaving:
            out += self._route_seats(self.main_session.listen(self._config.port))
        return out

    def _handle_event(self, event: object) -> list[NodeOutput]:
        if isinstance(event, events.HostElected):
            self._hinted_host = None
            if isinstance(self.role, AwaitingPeer) and self.replay.host != self.seat:
                self._enter(Searching(self.role.no_quorum))
            outdated = isinstance(self.role, LinkedToHost) and self._is_outdated(self.role.host)
            return self._new_term() + (self._give_up_host() if outdated else [])
        if isinstance(event, events.SeatReturned) and event.seat == self.seat:
            if self.voter is not None:
                self.voter.left = False
            if isinstance(self.role, Reading):
                # `Rejoin` shows the promise, for this owner counts again. Entries that the host
                # appends before it receives this are fetched again.
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

    def _synced(self, done: SyncJournal) -> list[NodeOutput]:
        return self._route_seats(self.replica.synced(done))

    # ---- changes of the role ---------------------------------------------------------------------

    def _enter(self, role: Role) -> None:
        """Take another role: the callers put out what follows from it."""
        before, after = type(self.role), type(role)
        assert after in TRANSITIONS[before], f"from {before.__name__} to {after.__name__}"
        self.role = role

    def _note_promise(self, term: int) -> None:
        """This owner has voted in a term."""
        match self.role:
            case Following(host) if host.term < term:
                self._enter(Pledged(host))
            case AwaitingPeer():
                # It must not host in an earlier term, even if its peer holds no more.
                self._enter(Searching(self.role.no_quorum))
            case _:
                pass

    def _stop(self, blame: Blame) -> list[NodeOutput]:
        """A message proved that something is wrong: this node stops and closes all its links."""
        out: list[NodeOutput] = [CloseLink(link) for link in self._links.links]
        self._links.links.clear()
        hosted = self.hosts
        if not isinstance(self.role, Stopped):
            self._enter(Stopped(blame))
        return [*out, HostingChanged(False)] if hosted else out

    # ---- starting --------------------------------------------------------------------------------

    def _begin_following(self) -> list[NodeOutput]:
        """Follow the host over the link that the lobby has left."""
        out = self._route_seats(self.replica.begin())
        link = self._links.link_of(self.replay.host)
        if link is None:
            return out + self._locate_host()
        return out + self._take_host_link(link, self.replay.term)

    def _begin_again(self) -> list[NodeOutput]:
        """The program was started again."""
        return self._route_seats(self.replica.begin()) + self._go_on_after_restart()

    def _go_on_after_restart(self) -> list[NodeOutput]:
        """Host again, ask the other owner, stand for election, or look for a host."""
        out: list[NodeOutput] = []
        hosts = self.seat is not None and self.replay.host == self.seat
        if hosts and self.replay.closed is not None and self.replica.stopped is None:
            # Nothing more is signed; nodes that lack the end can fetch it here.
            return out + self._host_again()
        if self.over or not hosts:
            if self.voter is not None:
                # It has to find out like every other node whether there is still a host.
                self.voter.host_lost(self._now, self._election_view())
            return out + self._locate_host()
        owners = self.replay.owners
        if len(owners) <= 1:
            return out + self._host_again()
        if len(owners) == 2:
            peer = next(seat for seat in owners if seat != self.seat)
            self._enter(AwaitingPeer(peer))
            return out + self._locate_host()
        return out + self._stand_for_election()

    def _stand_for_election(self) -> list[NodeOutput]:
        """As the host by the log: it goes on only in a later term."""
        assert self.voter is not None
        out = self._locate_host()
        todo = self.voter.outvoted(self.replay.term, self._now, self._election_view())
        return out + self._route_voter(todo)

    # ---- links -----------------------------------------------------------------------------------

    def _greet(self, link: Peer, dialled: bool, mail: AtTable | None) -> list[NodeOutput]:
        """Send the first messages on a new link."""
        out: list[NodeOutput] = [] if mail is None else [Send(link, mail)]
        peer_link = self._links.links.get(link)
        if peer_link is not None and peer_link.seat in self._links.searches:
            self._queue.append(partial(self._lost_player_linked, peer_link.seat))
        if dialled and self.hosts:
            assert self.seat is not None
            out.append(Send(link, messages.HostIs(self.replay.term, self.seat)))
        elif dialled and not self.in_contact:
            out.append(Send(link, self._rejoin_message()))
        return out

    def _lost_player_linked(self, seat: int | None) -> list[NodeOutput]:
        """There is a link to a player who is said to be lost."""
        out = [] if seat is None else self._request_presence(seat)
        return out + self._dial_lost_players()

    def _link_lost(self, link: Peer, silent: float, *, quiet: bool) -> list[NodeOutput]:
        out: list[NodeOutput] = []
        match self.role:
            case Hosting(host_role):
                out += self._route_host_role(host_role.link_down(link, self._now, quiet=quiet))
            case Following(host) | Pledged(host) | Reading(host) if host.link == link:
                out += self._lose_host(self._now - silent)
            case AwaitingPeer(peer) if len(self.replay.owners) > 2:
                # A third owner is back by what this peer has returned.
                out += self._ask_all_owners() if self._links.link_of(peer) is None else []
            case _:
                pass
        return out + self._keep_direct_links()

    def _owners_to_reach(self) -> tuple[int, ...]:
        """Owners whose nodes this one should reach and does not."""
        wanted: list[int] = []
        no_quorum = isinstance(self.role, Hosting) and self.role.host_role.no_quorum
        if no_quorum or not self.in_contact:
            wanted += [self.replay.host, *self.replay.owners]
            wanted += [] if self._hinted_host is None else [self._hinted_host[1]]
            wanted += [self.role.peer] if isinstance(self.role, AwaitingPeer) else []
        return self._links.unreached(wanted, self.seat)

    def _receive(self, link: Peer, message: AtTable) -> list[NodeOutput]:
        peer_link = self._links.links.get(link)
        if peer_link is None or self.replica.stopped is not None:
            return []
        match message:
            case messages.Rejoin():
                return self._take_rejoin(link, peer_link, message)
            case messages.HostIs():
                return self._take_host_is(link, peer_link, message)
            case messages.RequestVote() | messages.VoteReply():
                return self._take_vote_message(peer_link, message)
            case messages.RequestPresence():
                return self._answer_presence(link, message)
            case messages.PresenceReply():
                return self._take_presence_reply(peer_link.seat, message)
            case messages.LogPage():
                return self._take_log_page(link, peer_link, message)
            case messages.RequestLog():
                return self._answer_log_request(link, peer_link, message.first)
            case _ if isinstance(message, TO_HOST_ROLE):
                if not isinstance(self.role, Hosting):
                    return []
                host_role = self.role.host_role
                if isinstance(message, messages.Watch):
                    return self._route_host_role(
                        host_role.watch(link, message.name, peer_link.identity)
                    )
                return self._route_host_role(host_role.receive(link, message, self._now))
            case _:
                if link != self.host_link or not self._may_take(message):
                    return []
                if isinstance(message, messages.Entries) and message.entries:
                    assert isinstance(self.role, LinkedToHost)
                    self.role.host.shown_at = self._now
                return self._take_host_message(message)

    # ---- the link to the host --------------------------------------------------------------------

    def _take_host_link(self, link: Peer, term: int) -> list[NodeOutput]:
        """Follow the host at the other end of a link, or only read its log."""
        now = self._now
        host = HostLink(link, term, since=now, shown_at=now, rejoined_at=now)
        self._enter(Reading(host) if self._has_promised_above(term) else Following(host))
        self._links.clear_mail()
        return self._rejoin(host)

    def _rejoin(self, host: HostLink) -> list[NodeOutput]:
        """Send the host what is held here, and fetch what follows it."""
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
        """The host is gone: look for it, or for another one."""
        self._enter(Searching())
        self.replica.disconnected()
        if self.over:
            return []
        if self.voter is not None:
            self.voter.host_lost(since, self._election_view())
        out: list[NodeOutput] = []
        seats = tuple(
            seat
            for seat in range(len(self.replay.roster.seats))
            if self.replay.owner_of(seat) == self.replay.host
        )
        if self.seat != self.replay.host:
            out.append(SeatsAwaited(seats, float(self.replay.roster.ruleset.grace_first_s)))
        # Ask the other owners too: one may know another host, or hold the end of the log.
        others = [each for each in self._links.people if each[1].seat != self._presumed_host]
        out += [Send(link, self._rejoin_message()) for link, _ in others]
        return out + self._locate_host()

    def _locate_host(self) -> list[NodeOutput]:
        """Dial the owners that this node wants to reach, and ask the presumed host, if due."""
        out = self._links.dial(self._owners_to_reach(), self.replay.ports, self._now)
        link = self._links.link_of(self._presumed_host)
        lost = not self.in_contact
        if lost and link is not None and self._links.may_try(self._presumed_host, self._now):
            out.append(Send(link, self._rejoin_message()))
        return out

    def _may_take(self, message: AtTable) -> bool:
        """Whether a message of the host counts: none does of a term below this owner's promise."""
        if not isinstance(message, messages.Entries | messages.FinalUpTo):
            return True
        has_entries = isinstance(message, messages.Entries) and message.entries
        if not self._follows_logged_host() and not has_entries:
            return False  # a host that says it was elected has to show its votes first
        match self.role:
            case Following():
                return True
            case Reading():
                return isinstance(message, messages.Entries)
            case _:
                return False

    def _take_host_is(
        self, link: Peer, peer_link: PeerLink, message: messages.HostIs
    ) -> list[NodeOutput]:
        """A peer announces the host: itself, which its entries must show at once, or another."""
        replay = self.replay
        people = replay.absence.signed_roster.seats
        if peer_link.seat is None or message.host >= len(people) or people[message.host].bot:
            return []
        if message.host == self.seat:
            return []
        if message.term < replay.term:
            late = (
                message.host == peer_link.seat
            )  # it is not the host any more, and does not know it
            return [Send(link, self._own_host_is())] if late else []
        promised = 0 if self.voter is None else self.voter.promised
        if message.term < promised and message.host != peer_link.seat:
            return []
        if message.term == replay.term and message.host != replay.host:
            return []  # one term has one host, which this log names
        if self.hosts and message.term == replay.term:
            return []
        has_host = isinstance(self.role, Hosting | AwaitingPeer | Following)
        if link != self.host_link and (has_host or self._claimed_terms.distrusts(peer_link.seat)):
            return self._doubt_claim(link, peer_link.seat, message)
        if message.host != peer_link.seat:
            out = self._lose_host(self._now) if link == self.host_link else []
            self._hinted_host = (message.term, message.host)
            return out + self._announce_new_host(link, message) + self._locate_host()
        return self._follow_host(link, message)

    def _follow_host(self, link: Peer, message: messages.HostIs) -> list[NodeOutput]:
        """Follow the peer of a link as the host."""
        out: list[NodeOutput] = []
        quorum = self._report_quorum()
        match self.role:
            case Following(host) | Reading(host) if (host.link, host.term) == (link, message.term):
                pass  # as before
            case _:
                self._hinted_host = (message.term, message.host)
                out += self._announce_new_host(link, message)
                out += self._take_host_link(link, message.term)
        if self.voter is not None:
            self.voter.host_in_contact(self._now)
        return out + quorum

    def _announce_new_host(self, link: Peer, message: messages.HostIs) -> list[NodeOutput]:
        """As the former host: announce the new one to the nodes that may not know it."""
        if not self._owes_announcement:
            return []
        self._owes_announcement = False
        return [Send(peer, message) for peer, _ in self._links.people if peer != link]

    def _proof_due(self, host: HostLink) -> float | None:
        """When the host that is followed must have shown an entry of the later term it claims.

        It may send a long log first, but not for ever: it could keep this node from the true host.
        """
        if host.term <= self.replay.term:
            return None
        return min(host.shown_at + SHOW_SECONDS, host.since + SHOW_ALL_SECONDS)

    def _rejoin_due(self, host: HostLink) -> float:
        """When a reader shows its host again the promise that keeps it from acknowledging.

        A host need not let itself be elected again for it more often than this.
        """
        return host.rejoined_at + STAND_SECONDS

    def _check_host(self) -> list[NodeOutput]:
        """While in contact with a host: give it up, or show it a promise once more, if it is time.

        A host is given up if it says that it was elected and has not shown its votes in time, or if
        nobody was elected in the term in which this owner has voted since.
        """
        out: list[NodeOutput] = []
        if isinstance(self.role, LinkedToHost):
            proof_due = self._proof_due(self.role.host)
            if proof_due is not None and self._now >= proof_due:
                out += self._give_up_host()
        if isinstance(self.role, Reading) and self._now >= self._rejoin_due(self.role.host):
            out += self._rejoin(self.role.host)
        if isinstance(self.role, LinkedToHost) and self.voter is not None:
            out += self._lose_host(self._now) if self.voter.due(self._now) else []
        return out

    def _give_up_host(self) -> list[NodeOutput]:
        """Give up a host that has not shown its votes; it has to, before it is followed again."""
        if not isinstance(self.role, LinkedToHost):
            return []
        peer_link = self._links.links.get(self.role.host.link)
        if peer_link is not None and peer_link.seat is not None:
            self._claimed_terms.mark_not_shown(peer_link.seat)
        self._hinted_host = None
        return self._lose_host(self._now)

    # ---- claimed terms ---------------------------------------------------------------------------

    def _doubt_claim(self, link: Peer, seat: int, message: messages.HostIs) -> list[NodeOutput]:
        """A peer announces another host than the present one: ask for a log that proves it."""
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
        """The host by this node's log: a peer that knows a later one answers."""
        return messages.HostIs(self.replay.term, self.replay.host)

    def _request_proof(self, link: Peer, seat: int) -> list[NodeOutput]:
        """Ask an owner that claims a later term for a log that shows it."""
        first = self._claimed_terms.start_look(link, seat, self._local_log, self._now)
        return [] if first is None else [Send(link, messages.RequestLog(first))]

    def _weigh_log_page(
        self, link: Peer, peer_link: PeerLink, message: messages.LogPage
    ) -> list[NodeOutput]:
        """Check a page of the log of an owner that claims a later term."""
        if peer_link.seat is None or link == self.host_link:
            return []
        found = self._claimed_terms.take_page(link, peer_link.seat, self._local_log, message)
        if isinstance(found, ReadFrom):
            return [Send(link, messages.RequestLog(found.first))]
        if found is None:
            return self._take_closed_log(link, peer_link.seat, message)
        self._claimed_terms.mark_shown(peer_link.seat)
        out = self._step_down()
        if isinstance(self.role, AwaitingPeer):
            self._enter(Searching(self.role.no_quorum))
        if self.voter is not None and not self.in_contact:
            self.voter.host_lost(self._now, self._election_view())
        host_is = messages.HostIs(found.term, found.host)
        if found.host == peer_link.seat:
            return out + self._follow_host(link, host_is)
        if isinstance(self.role, LinkedToHost):
            out += self._lose_host(self._now)
        self._hinted_host = (found.term, found.host)
        # Its host may be gone by now, and the log closed.
        return [
            *out,
            Send(link, self._rejoin_message()),
            *self._announce_new_host(link, host_is),
            *self._locate_host(),
        ]

    # ---- pages of the log for other nodes --------------------------------------------------------

    def _answer_rejoin(
        self, link: Peer, peer_link: PeerLink, message: messages.Rejoin
    ) -> list[NodeOutput]:
        """Answer the `Rejoin` of a peer, although this node is not the host."""
        assert peer_link.seat is not None
        self._lagging[link] = message
        out = self._send_closed_log(link) or self._send_own_entries(link, peer_link, message)
        if (message.term, message.count) > (self.replay.term, self.replay.seq) and self._lacks_host:
            if not self._may_have_lost_entries or message.term != self.replay.term:
                out.append(Send(link, self._rejoin_message()))  # it may hold all that there is
            else:
                # Two that answer each other's `Rejoin` would do nothing else.
                out += self._request_lost_entries(link, peer_link.seat)
        host_peer = None if self.host_link is None else self._links.links.get(self.host_link)
        if host_peer is not None and host_peer.seat == peer_link.seat:
            # A peer that asks is not the host, or not any more: its program was started again.
            out += self._lose_host(self._now)
        replay = self.replay
        host = (replay.term, replay.host) if self._hinted_host is None else self._hinted_host
        if host[1] == peer_link.seat:
            # It was the host. Of two owners it still is, once it knows how far the log goes.
            return [*out, Send(link, self._rejoin_message())] if len(replay.owners) == 2 else out
        return out if host[1] == self.seat else [*out, Send(link, messages.HostIs(*host))]

    def _take_rejoin(
        self, link: Peer, peer_link: PeerLink, message: messages.Rejoin
    ) -> list[NodeOutput]:
        """A peer is here (again): subscribe it, ask it for its log, or name the host to it."""
        if peer_link.seat is None:
            return []
        match self.role:
            case AwaitingPeer(peer) if peer == peer_link.seat:
                return self._compare_with_peer(self.role, link, message)
            case Hosting(host_role):
                return self._answer_rejoin_as_host(host_role, link, peer_link, message)
            case _:
                return self._answer_rejoin(link, peer_link, message)

    def _answer_rejoin_as_host(
        self, host_role: HostRole, link: Peer, peer_link: PeerLink, message: messages.Rejoin
    ) -> list[NodeOutput]:
        """Subscribe an owner, or stand for election again if its promise asks for it."""
        replay = self.replay
        assert peer_link.seat is not None
        counts = peer_link.seat in replay.owners  # else it has no say in who is host
        if message.term > replay.term:
            # The others may have elected another host while this node was away.
            return self._request_proof(link, peer_link.seat) if counts else []
        bound, out = 0, list[NodeOutput]()
        if counts:
            bound = self._claimed_terms.binding_term(
                peer_link.seat, message.vote, self._now, self._election_view()
            )
        if bound:
            assert self.voter is not None
            todo = self.voter.outvoted(bound, self._now, self._election_view(), message.vote)
            if not self._is_one_of_two:
                return self._step_down() + self._route_voter(todo)
            # Nobody else can be elected, and the other one may ask for this and then give no vote:
            # until it does it is missing like any owner that acknowledges nothing.
            out += self._route_voter(todo)
        assert self.seat is not None
        out.append(Send(link, messages.HostIs(replay.term, self.seat)))
        held = continues_at(replay, message)
        if held is None:
            return [*out, CloseLink(link)]
        out += self._route_host_role(host_role.attach(link, peer_link.seat, held, self._now))
        out += self._route_host_role(host_role.place(link, peer_link.address, message.port))
        out += self._check_shown_vote(message.vote)
        if held < message.count:
            fetch = messages.Fetch(held)
            out += self._route_host_role(host_role.receive(link, fetch, self._now))
        return out

    def _answer_log_request(self, link: Peer, peer_link: PeerLink, first: int) -> list[NodeOutput]:
        """Return to a host the entries that it signed; prove to others a later term than theirs."""
        if peer_link.seat is None:
            return []
        if peer_link.seat != self.replay.host and self.replay.closed is None:
            # Not more: later entries may be ones that not every owner may have yet.
            return self._send_log_page(link, first, self.replay.terms[-1].first + 1)
        out = self._send_log_page(link, first)
        return [*out, Send(link, self._rejoin_message())] if out else []

    def _take_log_page(
        self, link: Peer, peer_link: PeerLink, message: messages.LogPage
    ) -> list[NodeOutput]:
        asked = isinstance(self.role, AwaitingPeer) and self.role.peer == peer_link.seat
        entries = (
            self._own_lost_entries(message.entries)
            if asked and message.first == self.replay.seq
            else ()
        )
        if not entries:
            out = self._weigh_log_page(link, peer_link, message)
            return out or (self._report_no_quorum() if asked else [])
        return self._route_seats(self.replica.receive(messages.Entries(message.first, entries)))

    def _send_log_page(self, link: Peer, first: int, end: int | None = None) -> list[NodeOutput]:
        """Send a page of the log to another owner, unless its budget is used up."""
        seat = self._links.links[link].seat
        assert seat is not None, "log pages go to owners only"
        budget = self._page_budgets.setdefault(seat, Budget(LOG_RATE, OWNER_LOG_BURST))
        if not budget.open(self._now):
            return []
        entries = log_page(self.replica.entries, first, end)
        budget.spend(max(PAGE_COST, page_size(entries)), self._now)
        return [Send(link, messages.LogPage(first, entries))]

    def _send_closed_log(self, link: Peer) -> list[NodeOutput]:
        """Once the log is closed, send a node that asked for the host here what it lacks."""
        replay, message = self.replay, self._lagging.get(link)
        if replay.closed is None or message is None:
            return []
        first = continues_at(replay, message)
        if first is None or first == replay.seq:
            return []
        return self._send_log_page(link, first)

    def _take_closed_log(
        self, link: Peer, seat: int, message: messages.LogPage
    ) -> list[NodeOutput]:
        """A peer sends what may be the end of the log, and there is no host to ask."""
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
        self, link: Peer, peer_link: PeerLink, message: messages.Rejoin
    ) -> list[NodeOutput]:
        """As a host that stopped hosting: send another owner what it lacks of the present term.

        The last entries may have changed which owners count. Owners without these entries could
        elect nobody. Only entries on this node's own disk are sent: it will never sign another
        entry with the same number.
        """
        replay = self.replay
        if self.seat != replay.host or not self._lacks_host or peer_link.seat not in replay.owners:
            return []
        first, end = continues_at(replay, message), self.replica.on_disk
        if first is None or message.term != replay.term or first >= end:
            return []
        return self._send_log_page(link, first, end)

    def _take_former_host_entries(
        self, link: Peer, seat: int, message: messages.LogPage
    ) -> list[NodeOutput]:
        """Take from the former host what follows this log in its term, or as that host from others.

        The entries are not acknowledged. After a vote in a later term they are refused, but not by
        the former host: it signed them, and they keep others from electing it again.
        """
        replay = self.replay
        from_host = seat == replay.host and not self._has_promised_above(replay.term)
        if not (from_host or self._may_have_lost_entries) or message.first != replay.seq:
            return []
        entries = follow_on(replay, message.entries)
        if not entries or replay.closed is not None:
            return []
        out = self._route_seats(self.replica.receive(messages.Entries(message.first, entries)))
        if self._may_have_lost_entries:
            return out + self._request_lost_entries(link, seat)
        return [*out, Send(link, self._rejoin_message())] if self._lacks_host else out

    # ---- two owners: the other one holds what was lost -------------------------------------------

    def _compare_with_peer(
        self, role: AwaitingPeer, link: Peer, message: messages.Rejoin
    ) -> list[NodeOutput]:
        """Check whether the other one holds more: entries that were lost here, or a later term."""
        seq = self.replay.seq
        if message.term > self.replay.term or message.count > seq:
            out = self._request_lost_entries(link, role.peer)
            if out and message.term > self.replay.term:
                # The others may have elected a host in a log that forks from this one before its
                # end.
                out += [each for each in self._request_proof(link, role.peer) if each not in out]
            return out
        if len(self.replay.owners) > 2:
            return self._ask_all_owners()
        if self.voter is not None and self.voter.has_voted_for_another(self.replay.term):
            self._enter(Searching(role.no_quorum))
            return self._stand_for_election()
        return self._host_again() + self._take_rejoin(link, self._links.links[link], message)

    def _request_lost_entries(self, link: Peer, seat: int) -> list[NodeOutput]:
        """Ask an owner for the entries behind the end of this log, unless it was asked just now."""
        first = self.replay.seq
        asked, until = self._log_requests.get(seat, (-1, 0.0))
        if asked == first and self._now < until:
            return []
        self._log_requests[seat] = first, self._now + REQUEST_LOG_AGAIN_SECONDS
        return [Send(link, messages.RequestLog(first))]

    def _ask_all_owners(self) -> list[NodeOutput]:
        """A third owner is back by the returned entries, and may hold more: ask all owners."""
        assert isinstance(self.role, AwaitingPeer)
        self._enter(Searching(self.role.no_quorum))
        return self._go_on_after_restart()

    def _own_lost_entries(self, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
        """Select the entries that this node signed behind the end of its log, and has lost.

        An old entry of its own is signed as well, but has another place: it stops no node.
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
        """Make the host role of a log that ends with these entries."""
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
        """Take the host role again at the end of the log."""
        return self._begin_hosting(self._new_host_role(self.replay.copy(), self.replica.entries))

    def _win_election(self, won: Won) -> list[NodeOutput]:
        """A majority of the owners elected this node."""
        replay = self.replay.copy()
        try:
            entry, _ = replay.elect(won.votes, self._last_ms(), self._config.identities[0])
        except BodyRefused:
            return []  # the log has moved on since these votes were given
        entries = [*self.replica.entries, entry]
        out = self._step_down()  # of two owners it may still be the host of its old term
        out.append(AppendEntry(entry))
        out += self._begin_hosting(
            self._new_host_role(replay, entries), messages.Entries(len(entries) - 1, (entry,))
        )
        for link, peer_link in self._links.links.items():
            if peer_link.seat is not None and peer_link.seat != self.seat:
                assert self.seat is not None
                out.append(Send(link, messages.HostIs(replay.term, self.seat)))
        absent = self._links.unreached(replay.owners, self.seat)
        out += self._links.dial(absent, replay.ports, self._now)
        return out

    def _last_ms(self) -> int:
        """Milliseconds of the last entry: the clock of a new host goes on from there."""
        return self.replica.entries[-1].read().ms if self.replica.entries else 0

    def _begin_hosting(
        self, host_role: HostRole, elected: messages.Entries | None = None
    ) -> list[NodeOutput]:
        """Take the host role. `elected`: the entry with the votes for it, if it was elected."""
        assert self.seat is not None
        quorum = self._report_quorum()
        self._enter(Hosting(host_role))
        self.replica.disconnected()  # from a host that was followed up to now
        out: list[NodeOutput] = []
        if elected is not None:
            out += self._route_seats(self.replica.receive(elected))
        if self.voter is not None:
            self.voter.host_in_contact(self._now)
        out.append(HostingChanged(True))
        fresh = not self._recovered and not self.replica.entries
        out += self._route_host_role(
            host_role.attach(OWN, self.seat, host_role.replay.seq, self._now)
        )
        if fresh:
            for link, peer_link in self._links.links.items():
                if peer_link.seat is not None:
                    out += self._route_host_role(
                        host_role.attach(link, peer_link.seat, 0, self._now)
                    )
        if fresh:
            # The genesis is on disk before the first entry.
            out += self._route_seats(self.replica.begin())
        out += self._route_seats(self.replica.connected())
        out += self._route_host_role(host_role.begin(self._now))
        return out + quorum

    def _step_down(self) -> list[NodeOutput]:
        """Give up the host role: another node is the host, or will be."""
        if not self.hosts:
            return []
        self._enter(Searching())
        self._owes_announcement = True
        self.replica.disconnected()
        if self.voter is not None:
            self.voter.host_lost(self._now, self._election_view())
        return [HostingChanged(False), *self._locate_host()]

    def _seat_stand_ins(self) -> list[NodeOutput]:
        """Start the bots of this node to which the log has given a seat."""
        out: list[NodeOutput] = []
        for session in self._stand_ins.newly_seated(self.replica):
            session.presence_of = self._presence_of
            self.sessions.append(session)
            out.append(ViewChanged())
            if self.replica.caught_up:
                out += self._route_seats(session.proceed())
        return out

    # ---- elections -------------------------------------------------------------------------------

    def _take_vote_message(
        self, peer_link: PeerLink, message: messages.RequestVote | messages.VoteReply
    ) -> list[NodeOutput]:
        voter = self.voter
        if voter is None or peer_link.seat is None or peer_link.seat not in self.replay.owners:
            return []
        if isinstance(message, messages.RequestVote):
            seat, pre, term = peer_link.seat, message.pre, message.term
            if not self._claimed_terms.may_request_vote(seat, term, self._now):
                no = messages.VoteReply(pre, term, False, None, voter.promised)
                return self._route_voter([SendToOwner(seat, no)])
            todo = voter.vote_requested(seat, message, self._now, self._election_view())
            if any(isinstance(each, StoreVote) for each in todo):
                self._claimed_terms.voted(seat, term, self._now)
                # After a vote for another candidate this node must not go on in its own term.
                return self._step_down() + self._route_voter(todo)
        else:
            todo = voter.vote_replied(peer_link.seat, message, self._now, self._election_view())
            return self._route_voter(todo) + self._check_shown_vote(message.vote)
        return self._route_voter(todo)

    def _check_shown_vote(self, vote: SignedVote | None) -> list[NodeOutput]:
        """As host: check a vote of an owner, which may contradict one in the log."""
        if not isinstance(self.role, Hosting) or vote is None:
            return []
        return self._route_host_role(self.role.host_role.check_vote(vote, self._now))

    def _take_host_transfer(self, message: messages.TransferHost) -> list[NodeOutput]:
        if self.voter is None:
            return []
        todo = self.voter.host_transferred(
            message.candidate, message.term, self._now, self._election_view()
        )
        return self._route_voter(todo)

    def _new_term(self) -> list[NodeOutput]:
        """The log has a new host."""
        self._claimed_terms.host_elected()
        if self.voter is not None:
            self.voter.term_began(self._now, self._election_view())
            if isinstance(self.role, LinkedToHost):
                self.voter.host_in_contact(self._now)
        if self._leaving:
            return self._leave_table()
        return []

    # ---- players that the host has lost ----------------------------------------------------------

    def _presence_of(self, owner: int, drop: bytes) -> bytes | None:
        """The signed presence of a dropped owner; empty if it is not reachable; None: not known."""
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
        """Dial the owners that the host waits for, or whose seed is being recovered."""
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
        """Dial lost players, and ask those that are linked to sign that they are there.

        Rate limit: one attempt for each at a time, with pauses.
        """
        links = self._links
        out = links.dial(links.untried, self.replay.ports, self._now)
        for owner in links.reached:
            if links.may_try(owner, self._now):
                out += self._request_presence(owner)
        return out + (
            self._continue_sessions() if links.searches.update(self._reachability) else []
        )

    @property
    def _wants_direct_links(self) -> bool:
        """Whether this node wants a link to each of the others while all is well.

        Where seeds are in escrow, a dishonest host could say that a player is lost and send the
        others a wrong address. A node with a link, or with the address of an earlier one, can
        check that.
        """
        enough = len(self.replay.owners) >= ESCROW_FROM_OWNERS
        return enough and self.seat is not None and self.in_contact and not self.over

    def _keep_direct_links(self) -> list[NodeOutput]:
        """Try to keep a link to each of the others."""
        if self.seat is None or not self._wants_direct_links:
            return []
        replay = self.replay
        return self._links.connect_directly(replay.owners, self.seat, replay.ports, self._now)

    def _request_presence(self, owner: int) -> list[NodeOutput]:
        """Ask a dropped player to whom there is a link to sign that it is there."""
        link, drop = self._links.link_of(owner), self._links.searches.unanswered.get(owner)
        if link is None or drop is None:
            return []
        return [Send(link, messages.RequestPresence(drop))]

    def _answer_presence(self, link: Peer, request: messages.RequestPresence) -> list[NodeOutput]:
        """Sign that this player is there, for a peer that shows the drop of this player.

        The signature says no more, and only of a drop of this player at this table.
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

    def _take_presence_reply(
        self, seat: int | None, message: messages.PresenceReply
    ) -> list[NodeOutput]:
        """Take the signature of a dropped player that it is there."""
        drop = None if seat is None else self._links.searches.unanswered.get(seat)
        if seat is None or drop is None or drop.hash != message.drop:
            return []
        public = self.replay.absence.signed_roster.seats[seat].identity
        if not verify(
            public, message.here, presence_digest(self.replay.table_id, seat, message.drop)
        ):
            return []
        self._links.searches.answered(seat, message.here)
        return self._continue_sessions()

    def _continue_sessions(self) -> list[NodeOutput]:
        """Let the sessions go on: it is known now whether a player can be reached."""
        return [each for session in self.sessions for each in self._route_seats(session.proceed())]

    # ---- time, quorum, leaving, coming back ------------------------------------------------------

    def _pass_time(self) -> list[NodeOutput]:
        out: list[NodeOutput] = []
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
            self.voter.host_in_contact(self._now)  # the other one of two has not elected it again
        out = self._route_host_role(host_role.tick(self._now))
        out += self._finish_transfer(host_role)
        if host_role.no_quorum and self.host_role is host_role:
            # The others may have gone on without it, and not know its present address.
            out += self._links.dial(self._owners_to_reach(), self.replay.ports, self._now)
        return out

    def _report_no_quorum(self) -> list[NodeOutput]:
        """Without a host: report that too few owners can be reached for the table to go on."""
        if not isinstance(self.role, Searching | AwaitingPeer):
            return []
        here = self._links.seats & set(self.replay.owners)
        # Of two, a peer that does not send the entries that it says it holds does not count.
        reached = 1 if isinstance(self.role, AwaitingPeer) else len(here) + 1
        wanted = self.replay.majority
        if self.role.no_quorum or reached >= wanted or self.seat is None:
            return []
        self.role.no_quorum = True
        return [QuorumChanged(reached, wanted)]

    def _report_quorum(self) -> list[NodeOutput]:
        """Report that the table can go on, if it was reported that it cannot."""
        if not isinstance(self.role, Searching | AwaitingPeer) or not self.role.no_quorum:
            return []
        self.role.no_quorum = False
        return [QuorumChanged(self.replay.majority, self.replay.majority)]

    def _leave_table(self) -> list[NodeOutput]:
        """Leave on purpose: a host hands over first, if there is a candidate."""
        match self.role:
            case Hosting(host_role):
                # Of two, the one who leaves forfeits: its own seat signs that.
                out = (
                    self._route_seats(self.main_session.leave())
                    if len(self.replay.owners) == 2
                    else []
                )
                out += self._route_host_role(host_role.transfer(self._now))
                return out + self._finish_transfer(host_role)
            case Following() if self.seat is not None:
                if self.seat in self.replay.leaving or self.seat in self.replay.dropped:
                    return []
                assert self.voter is not None
                # The host counts an owner who leaves as holding everything: no vote may follow.
                self.voter.left = True
                return self._route_seats(self.main_session.leave())
            case _:
                return []

    @property
    def _has_to_forfeit(self) -> bool:
        """Whether a host of two that leaves has yet to sign that with its seat."""
        return len(self.replay.owners) == 2 and self.seat not in self.replay.leaving

    def _finish_transfer(self, host_role: HostRole) -> list[NodeOutput]:
        """Step down for the candidate; this owner votes for it like all others."""
        term_and_seat = host_role.transferred_to
        if term_and_seat is None or self.host_role is not host_role:
            return []
        transfer = messages.TransferHost(*term_and_seat)
        out = self._step_down()
        # Nodes that connected after the first announcement, or missed it, would wait for this one.
        out += [Send(link, transfer) for link, _ in self._links.people]
        return out + self._take_host_transfer(transfer)

    def _return_to_table(self) -> list[NodeOutput]:
        """Take dropped seats of this node again, to play from the next round on."""
        if self._leaving or not self.in_contact or self.over:
            return []
        out: list[NodeOutput] = []
        for session in self.sessions:
            why = None if session.seat is None else self.replay.dropped.get(session.seat)
            if why in (DropReason.LOST, DropReason.SILENT):
                out += self._route_seats(session.take_seat_again())
        return out


def _reader_may_send(message: messages.FromPeer) -> bool:
    """Whether a message may go to a host of a term below the promise: none that counts there."""
    if isinstance(message, messages.Submit):
        return isinstance(message.body.read().payload, Return)
    return isinstance(message, messages.Fetch | messages.Say | messages.React)


def _has_left(recovered: RecoveredState, seat: int) -> bool:
    """Whether an earlier program of this owner signed a leave, and no return after it."""
    kept = recovered.seats.get(seat)
    if kept is None:
        return False
    payloads = [signed.read().payload for _, signed in sorted(kept.bodies.items())]
    last = [each for each in payloads if isinstance(each, Leave | Return)][-1:]
    return any(isinstance(each, Leave) for each in last)
