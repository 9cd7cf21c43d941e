"""What one computer at a table is made of, and how its machines speak to each other. Sans I/O.

A `Session` for every seat that is played here, the `Sequencer` while it is the host, its links.
Messages between the machines of one computer go through a queue, never through a link. What is done
about a host that is lost, and everything that others say first, is in `member.py`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

from lanuno.dealing.identity import Identity, verify
from lanuno.log.bodies import Drop, DropReason, Leave, Return, presence_digest
from lanuno.log.entries import Entry
from lanuno.log.faults import Unreadable
from lanuno.log.genesis import Genesis
from lanuno.log.replay import Replay
from lanuno.log.round_record import ESCROW_FROM_OWNERS
from lanuno.table import messages
from lanuno.table.clocks import Pace
from lanuno.table.contacts import Contacts
from lanuno.table.election import Election, Standing
from lanuno.table.filling import StandIns
from lanuno.table.lobby_peer import Entropy
from lanuno.table.messages import AtTable
from lanuno.table.outputs import (
    OWN,
    ChatHeard,
    Compute,
    CutEntries,
    Disconnect,
    Doubted,
    HangUp,
    Happened,
    Hosting,
    KeepEntry,
    KeepGenesis,
    KeepOtherEnd,
    Output,
    Peer,
    ReactionSeen,
    Stopped,
    Sync,
    TableFrozen,
    TableWaits,
    ToHost,
    ToLink,
    ToPeer,
)
from lanuno.table.recall import Recall
from lanuno.table.release import Binding
from lanuno.table.searches import Ways
from lanuno.table.sequencer import Sequencer
from lanuno.table.session import Session

OF_THE_FIRST = (messages.Fetch, messages.Ack)
"""What only the owner's session says for the computer."""
FOR_THE_OFFICE = (
    messages.Submit,
    messages.Ack,
    messages.Fetch,
    messages.Say,
    messages.React,
    messages.Watch,
    messages.Join,
)
FROM_THE_OFFICE = (
    messages.Entries,
    messages.Firm,
    messages.BodyRefusal,
    messages.Said,
    messages.Reacted,
    messages.Waiting,
    messages.Began,
    messages.Refused,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stay:
    """How a computer is at a table."""

    identities: tuple[Identity, ...]
    """The owner's, then those of its bots; none to watch."""
    entropy: Entropy
    rounds: int | None = None
    """As host: close after so many counted rounds of play."""
    pace: Pace = field(default_factory=Pace)
    port: int = 0
    """Where this computer listens for the others; 0 if it does not."""


class Computer:
    """The machines of one computer at one table."""

    def __init__(self, genesis: Genesis, stay: Stay, recall: Recall | None = None) -> None:
        """Sit at the table of a genesis, or come back with what was remembered of it.

        Raises `Unreadable`, `TableError`, `HostFault` (a journal that is not the log).
        """
        identities: Sequence[Identity | None] = stay.identities or (None,)
        binding = Binding(None if recall is None else recall.released)
        self.sessions = [
            Session(genesis, identity, stay.entropy, recall, binding=binding)
            for identity in identities
        ]
        self._stand_ins = StandIns(genesis, stay.entropy, recall, binding)
        self.sessions += self._stand_ins.seated(self.first)
        for session in self.sessions:
            self._advise(session)
        self.sequencer: Sequencer | None = None
        """The office, while this computer is the host."""
        self.home: Peer | None = None
        """The link to the host, if it is another computer and in contact."""
        self._genesis = genesis
        self._stay = stay
        self._recalled = recall is not None
        self._contacts = Contacts()
        for place in () if recall is None else recall.places:
            self._contacts.places[place.seat] = place
        self._to_do: deque[Callable[[], list[Output]]] = deque()
        self._jobs: dict[int, tuple[Session, int]] = {}
        self._job = 0
        self._hint: tuple[int, int] | None = None
        """Term and seat of a host that somebody told of, and that the log does not know yet."""
        self._home_term = 0
        self._owes_word = False
        """Whether it was the host, and has not told the others yet who is host now."""
        self._reads = False
        """Whether the host's term is below what this owner has voted in: it is only listened to."""
        self._asks: int | None = None
        """The other one of two owners, if this program began as their host, and has neither hosted
        since nor seen that another was elected: that owner may hold more of what was signed in this
        term than the disk here."""
        self._wanted: tuple[int, float] | None = None
        """From which entry on it was asked for that, and until when it is not asked again."""
        self._frozen = False
        self._leaving = False
        self._waited: frozenset[int] = frozenset()
        """Owners that the host waits for."""
        self._now = 0.0
        self.election: Election | None = None
        if self.seat is not None:
            votes = {} if recall is None else recall.votes
            self.election = Election(self.seat, stay.identities[0], votes)
            self.election.left = recall is not None and _has_left(recall, self.seat)

    # ---- what it stands at ------------------------------------------------------------------

    @property
    def first(self) -> Session:
        """The owner's session, or that of somebody who watches."""
        return self.sessions[0]

    @property
    def seat(self) -> int | None:
        """The owner's seat; None for somebody who watches."""
        return self.first.seat

    @property
    def replay(self) -> Replay:
        """The log as this computer holds it. For reading."""
        return self.first.replay

    @property
    def hosts(self) -> bool:
        """Whether this computer is the host now."""
        return self.sequencer is not None

    @property
    def in_contact(self) -> bool:
        """Whether this computer is the host or is connected to it."""
        return self.sequencer is not None or self.home is not None

    @property
    def _waits_for_other(self) -> bool:
        """Whether only the other one of two owners can tell how far this host's own log goes."""
        if self._asks is None or self.in_contact or self.replay.host != self.seat:
            return False
        # A third owner may be back by one page of what was lost, and dropped again by the next.
        return len(self.replay.owners) <= 2 or self._contacts.link_of(self._asks) is not None

    @property
    def over(self) -> bool:
        """Whether nothing more will happen here: the log is closed, or cannot be."""
        return self.replay.closed is not None or self.first.stopped is not None

    @property
    def places(self) -> tuple[messages.Place, ...]:
        """Where the others' computers are, as far as is known here: to be kept on disk."""
        return self._contacts.known(self.replay.ports)

    @property
    def addresses(self) -> frozenset[str]:
        """At which addresses the other owners' computers may be: two of each at most."""
        return self._contacts.addresses

    # ---- doing one thing after the other ----------------------------------------------------

    def _run(self, work: Callable[[], list[Output]]) -> list[Output]:
        """Do something, and everything that follows from it inside this computer."""
        self._to_do.append(work)
        out: list[Output] = []
        while self._to_do:
            out += self._to_do.popleft()()
        return out

    def _of(self, session: Session, todo: list[Output]) -> list[Output]:
        """Route what a session wants; its journal is the first session's alone."""
        out: list[Output] = []
        first = session is self.first
        for output in todo:
            match output:
                case ToHost():
                    out += self._to_host(session, output.message)
                case Compute():
                    self._job += 1
                    self._jobs[self._job] = (session, output.job)
                    out.append(Compute(self._job, output.work))
                case KeepEntry():
                    # The office has kept it before anybody heard of it.
                    if first and self.sequencer is None:
                        out.append(output)
                case KeepGenesis() | Sync() | CutEntries() | KeepOtherEnd():
                    out += [output] if first else []
                case TableWaits() | ChatHeard() | ReactionSeen():
                    out += [output] if first else []  # what was said is told to a person once
                case Happened():
                    out += [output] if first else []
                    if first:
                        self._notice(output.event)
                case Stopped():
                    out.append(output)
                    if first:
                        self._to_do.append(self._stop_short)
                case Doubted():
                    if first:
                        self._to_do.append(self._doubt_home)
                case _:
                    out.append(output)
        return out

    def _to_host(self, session: Session, message: messages.FromPeer) -> list[Output]:
        if isinstance(message, OF_THE_FIRST) and session is not self.first:
            return []
        if isinstance(message, messages.Ack) and self.seat is None:
            return []  # what a spectator holds makes nothing firm
        office = self.sequencer
        if office is not None:
            self._to_do.append(lambda: self._from_office(office.receive(OWN, message, self._now)))
            return []
        if self.home is None or (self._reads and not _says_who_reads(message)):
            return []
        if isinstance(message, messages.Ack) and self._promised_more:
            return []
        return [ToLink(self.home, message)]

    @property
    def _promised_more(self) -> bool:
        """Whether this owner has voted in a later term than that of the host it is connected to."""
        return self.election is not None and self._home_term < self.election.promised

    def _from_office(self, todo: list[Output]) -> list[Output]:
        """Route what the office wants; what it says to this computer stays inside."""
        out: list[Output] = []
        for output in todo:
            match output:
                case ToPeer() if output.peer == OWN:
                    self._to_do.append(partial(self._to_sessions, output.message))
                case ToPeer():
                    if output.peer in self._contacts.links:
                        out.append(ToLink(output.peer, output.message))
                case Disconnect():
                    out.append(HangUp(output.peer))
                case Happened():
                    pass  # the sessions hear it from the entry
                case _:
                    out.append(output)
        return out

    def _to_sessions(self, message: AtTable) -> list[Output]:
        """Let every seat of this computer hear the host."""
        out: list[Output] = []
        match message:
            case messages.Whereabouts():
                self._contacts.told(message.places)
                out += self._meet()
            case messages.Abdicate():
                return self._hear_abdication(message)
            case _ if isinstance(message, FROM_THE_OFFICE):
                if isinstance(message, messages.Waiting):
                    out += self._hear_of_losses(message.seats)
                for session in self.sessions:
                    out += self._of(session, session.receive(message))
                if not isinstance(message, messages.BodyRefusal):
                    # What is refused for good would be said again, and refused again, without end.
                    out += self._heard_office(message)
            case _:
                pass
        return out

    def _advise(self, session: Session) -> None:
        """Let a session ask what only the computer knows."""
        session.presence = self._presence
        session.host_is_known = self._knows_host

    def _knows_host(self) -> bool:
        """Whether this computer follows the host that its own log names."""
        return self.home is None or self._home_term <= self.replay.term

    # ---- players that the host has lost -----------------------------------------------------

    def _presence(self, owner: int, drop: bytes) -> bytes | None:
        """What a dropped owner signs that can be reached from here, or nothing; None: not known."""
        searches = self._contacts.searches
        if not searches.knows(owner, drop):
            self._to_do.append(self._look_for_lost)
        return searches.word(owner, drop, self._ways)

    @property
    def _ways(self) -> Ways:
        return self._contacts.ways(self.replay.ports, self._now)

    def _hear_of_losses(self, seats: Iterable[int]) -> list[Output]:
        """The host waits for these seats: try to reach their computers from here as well."""
        known = range(len(self.replay.roster.seats))
        self._waited = frozenset(self.replay.owner_of(seat) for seat in seats if seat in known)
        return self._look_for_lost()

    def _look_for_lost(self) -> list[Output]:
        """Dial those for whom the host waits, or whose seed is being put together."""
        if self.seat is None:
            return []
        replay = self.replay
        lost: dict[int, Entry | None] = dict.fromkeys(self._waited)
        if replay.round is not None:
            for seat in replay.round.recovering.keys() & replay.round.dropped_by.keys():
                place = replay.hashes.number(replay.round.drop_hashes[seat])
                assert place is not None, "the drop stands in this log"
                lost[replay.round.owner_of(seat)] = self.first.entries[place]
        lost.pop(self.seat, None)
        self._contacts.searches.look_for(lost, self._now)
        return self._search()

    def _search(self) -> list[Output]:
        """Dial lost players, and ask those who can be reached; each only now and then."""
        contacts = self._contacts
        out = contacts.dial(contacts.untried, self.replay.ports, self._now)
        for owner in contacts.reached:
            if contacts.may_try(owner, self._now):
                out += self._ask_presence(owner)
        return out + (self._let_sessions_go_on() if contacts.searches.look(self._ways) else [])

    @property
    def _meets(self) -> bool:
        """Whether this computer wants a link to each of the others, as long as all goes well.

        Where seeds are split a host may say that somebody is lost, and tell the others where it is
        not. Whoever has a link, or knows where there was one, need not believe it.
        """
        enough = len(self.replay.owners) >= ESCROW_FROM_OWNERS
        return enough and self.seat is not None and self.in_contact and not self.over

    def _meet(self) -> list[Output]:
        """Try to have a link to each of the others."""
        if self.seat is None or not self._meets:
            return []
        replay = self.replay
        return self._contacts.meet(replay.owners, self.seat, replay.ports, self._now)

    def _ask_presence(self, owner: int) -> list[Output]:
        """Ask somebody to whom there is a link, and who was dropped, to sign that it is there."""
        link, drop = self._contacts.link_of(owner), self._contacts.searches.unanswered.get(owner)
        if link is None or drop is None:
            return []
        return [ToLink(link, messages.AskPresence(drop))]

    def _give_presence(self, link: Peer, asked: messages.AskPresence) -> list[Output]:
        """Somebody shows that this player was dropped: sign that it is there.

        It says no more than that, and only of a drop of this player at this table.
        """
        try:
            core = asked.drop.read()
            body = core.signed_body.read()
        except Unreadable:
            return []
        said = body.payload
        if self.seat is None or self._leaving or core.table != self.replay.table_id:
            return []
        if not isinstance(said, Drop) or said.seat != self.seat or said.reason is DropReason.LEFT:
            return []
        digest = presence_digest(self.replay.table_id, self.seat, asked.drop.hash)
        here = self._stay.identities[0].sign(digest)
        return [ToLink(link, messages.GivePresence(asked.drop.hash, here))]

    def _take_presence(self, seat: int | None, said: messages.GivePresence) -> list[Output]:
        """A dropped player says that it is there."""
        drop = None if seat is None else self._contacts.searches.unanswered.get(seat)
        if seat is None or drop is None or drop.hash != said.drop:
            return []
        public = self.replay.absence.signed.seats[seat].identity
        if not verify(public, said.here, presence_digest(self.replay.table_id, seat, said.drop)):
            return []
        self._contacts.searches.answered(seat, said.here)
        return self._let_sessions_go_on()

    def _let_sessions_go_on(self) -> list[Output]:
        """Whether somebody can be reached is known by now."""
        return [each for session in self.sessions for each in self._of(session, session.go_on())]

    def _office(self, replay: Replay, entries: Sequence[Entry]) -> Sequencer:
        """What this computer is as the host of a log that stands behind these entries."""
        return Sequencer(
            replay,
            entries,
            self._stay.identities[0],
            self._now,
            rounds=self._stay.rounds,
            pace=self._stay.pace,
            stand_ins=self._stand_ins,
            unsure=0 if self._knows_owners else self.first.changed,
        )

    @property
    def _knows_owners(self) -> bool:
        """Whether it is certain who counts: the last change of that is firm."""
        return self.first.changed <= self.first.fixed

    @property
    def _is_one_of_two(self) -> bool:
        """Whether this computer's owner and one other are certain to be all who count."""
        owners = self.replay.owners
        two = len(owners) == 2 and owners == self.replay.absence.here
        return two and self.seat in owners and self._knows_owners

    def _seat_stand_ins(self) -> list[Output]:
        """Bots of this computer to which the log has given a chair play from now on."""
        out: list[Output] = []
        for session in self._stand_ins.seated(self.first):
            self._advise(session)
            self.sessions.append(session)
            out += self._of(session, session.begin())
            if self.in_contact:
                out += self._of(session, session.connected())
            if self.first.caught_up:
                held = messages.Entries(session.replay.seq, ())
                out += self._of(session, session.receive(held))
        return out

    def _notice(self, event: object) -> None:
        self._to_do.append(partial(self._noticed, event))

    def _stop_short(self) -> list[Output]:
        """What came cannot be: this computer goes no further, and says so by hanging up."""
        out: list[Output] = [HangUp(link) for link in self._contacts.links]
        self._contacts.links.clear()
        self.home = None
        if self.sequencer is not None:
            self.sequencer = None
            out.append(Hosting(False))
        return out

    def _standing(self) -> Standing:
        replay = self.replay
        return Standing(
            replay.table_id,
            replay.term,
            replay.host,
            # A computer that lacks what it has released for elects nobody.
            replay.owners if self.first.complete else (),
            replay.end.term,
            replay.seq,
            replay.head,
            # A person votes, whoever plays the seat.
            {seat: replay.absence.signed.seats[seat].identity for seat in replay.owners},
        )

    def _frost(self) -> list[Output]:
        """Say that nothing can go on while too few of the others can be reached."""
        here = self._contacts.seats & set(self.replay.owners)
        # Of two, whoever is there but does not show what it says that it holds is of no help.
        reached = 1 if self._waits_for_other else len(here) + 1
        wanted = self.replay.majority
        if self._frozen or reached >= wanted or self.seat is None:
            return []
        self._frozen = True
        return [TableFrozen(reached, wanted)]

    def _thawed(self) -> list[Output]:
        if not self._frozen:
            return []
        self._frozen = False
        return [TableFrozen(self.replay.majority, self.replay.majority)]

    # ---- what `member.py` does about what is heard ------------------------------------------

    def _noticed(self, event: object) -> list[Output]:
        """Something happened in the log that concerns the computer and not only its seats."""
        raise NotImplementedError

    def _heard_office(self, message: AtTable) -> list[Output]:
        """The host has said something to the seats."""
        raise NotImplementedError

    def _hear_abdication(self, said: messages.Abdicate) -> list[Output]:
        """The host hands over."""
        raise NotImplementedError

    def _doubt_home(self) -> list[Output]:
        """The owner that this computer follows has not shown its election, and cannot be right."""
        raise NotImplementedError


def _says_who_reads(message: messages.FromPeer) -> bool:
    """What may be said to a host of a term below one's promise: nothing that counts there."""
    if isinstance(message, messages.Submit):
        return isinstance(message.body.read().payload, Return)
    return isinstance(message, messages.Fetch | messages.Say | messages.React)


def _has_left(recall: Recall, seat: int) -> bool:
    """Whether an earlier program of this owner signed that it leaves, and not that it is back."""
    kept = recall.seats.get(seat)
    if kept is None:
        return False
    said = [signed.read().payload for _, signed in sorted(kept.bodies.items())]
    last = [each for each in said if isinstance(each, Leave | Return)][-1:]
    return any(isinstance(each, Leave) for each in last)
