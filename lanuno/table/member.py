"""One computer at a table whose log has begun, and its way to whoever is the host. Sans I/O.

It joins the machines: a `Session` for every seat that is played here, a `Sequencer` while this
computer is the host, an `Election` when there is none. Messages go between them without a network;
the others' computers are reached over links, one for each computer, that the driver makes and names
after the identity at the other end. Which of two computers is the host is never a property of a
link: it follows from the log, and each side says what it knows (`Resume`, `HostIs`).

What goes where:

- Only the first session, the owner's, keeps the journal, fetches and acknowledges; those of its
  bots follow the same messages.
- A computer that promised its vote to a newer term takes no entries of lower terms (`_may_take`),
  so that nothing becomes firm behind the back of an election; if the others have gone on without
  it, it may read theirs, acknowledges nothing, and asks for its seat again (`_reads`).
- A host whose program was restarted does not go on in its old term where there are others to elect
  it again: it cannot know which of its last entries somebody holds. Of two owners the other one
  holds whatever was lost, and is asked for it first.
"""

from __future__ import annotations

from functools import partial
from itertools import takewhile

from lanuno.log import events
from lanuno.log.bodies import HOST, DropReason
from lanuno.log.entries import Entry
from lanuno.log.faults import BodyRefused, HostFault
from lanuno.log.replay import Replay
from lanuno.log.votes import SignedVote
from lanuno.rules.actions import Action
from lanuno.table import messages
from lanuno.table.computer import FOR_THE_OFFICE
from lanuno.table.contacts import Link
from lanuno.table.election import SendTo, Step, Won
from lanuno.table.messages import AtTable
from lanuno.table.outputs import (
    OWN,
    HangUp,
    Hosting,
    KeepEntry,
    KeepVote,
    Output,
    Peer,
    Sync,
    ToLink,
)
from lanuno.table.pages import goes_on_at
from lanuno.table.seeker import Seeker
from lanuno.table.sequencer import Sequencer
from lanuno.table.session import Session

COPY_SECONDS = 1.0
"""After these the other of two is asked once more for what it says that it holds."""


class Member(Seeker):
    """One computer at one table."""

    @property
    def deadline(self) -> float | None:
        """When `tick` must be called at the latest; None if nothing waits for time."""
        moments: list[float | None] = []
        if not self.over:
            contacts = self._contacts
            moments.append(contacts.next_try((*contacts.untried, *contacts.reached)))
            moments.append(contacts.searches.deadline(self._ways))
            moments.append(contacts.next_meeting if self._meets else None)
        if self.sequencer is not None:
            assert self.election is not None
            moments += [self.sequencer.deadline, self.election.deadline]
            if self.sequencer.frozen and not self.over:
                moments.append(self._contacts.next_try(self._absent()))
        elif not self.over:
            if self.election is not None and not self._waits_for_other:
                moments.append(self.election.deadline)
            tried = self._absent()
            if self.home is None and self._contacts.link_of(self._presumed_host) is not None:
                tried = (*tried, self._presumed_host)
            moments += [self._contacts.next_try(tried), self._shows_until, self._reminds_at]
        return min((each for each in moments if each is not None), default=None)

    # ---- inputs -----------------------------------------------------------------------------

    def begin(self, now: float) -> list[Output]:
        """Start; links that stand already were told before (`linked`)."""
        self._now = now
        replay = self.replay
        if self._recalled:
            return self._run(self._come_back)
        if self.seat is not None and self.seat == replay.host:
            sequencer = self._office(Replay(self._genesis), ())
            return self._run(partial(self._open_office, sequencer))
        return self._run(self._begin_as_guest)

    def heard(self, link: Peer, message: AtTable, now: float) -> list[Output]:
        """Take a message of another computer."""
        self._now = now
        if link not in self._contacts.links:
            return []
        return self._run(partial(self._hear, link, message))

    def tick(self, now: float) -> list[Output]:
        """Let time pass."""
        self._now = now
        return self._run(self._look_at_time)

    def synced(self, done: Sync, now: float) -> list[Output]:
        """The journal is on the disk itself, as far as was asked for."""
        self._now = now
        return self._run(partial(self._synced, done))

    def _synced(self, done: Sync) -> list[Output]:
        """All sessions of this computer share one journal."""
        return [
            each for session in self.sessions for each in self._of(session, session.synced(done))
        ]

    def computed(self, job: int, result: object, now: float) -> list[Output]:
        """The result of a `Compute`."""
        self._now = now
        session, number = self._jobs.pop(job, (None, 0))
        if session is None:
            return []
        return self._run(lambda: self._of(session, session.computed(number, result)))

    def act(self, session: Session, action: Action, now: float) -> list[Output]:
        """What the player of one of this computer's seats decided. Raises `TableError`."""
        return self.carry_out(session, session.act(action), now)

    def carry_out(self, session: Session, todo: list[Output], now: float) -> list[Output]:
        """What one of this computer's sessions was asked for from outside."""
        self._now = now
        return self._run(lambda: self._of(session, todo))

    def say(self, text: str, now: float) -> list[Output]:
        """The owner, or whoever watches, says something."""
        self._now = now
        return self._run(lambda: self._of(self.first, self.first.say(text)))

    def react(self, reaction: messages.Reaction, now: float) -> list[Output]:
        """The owner shows something to everybody; somebody who watches does not."""
        self._now = now
        if self.seat is None:
            return []
        return self._run(lambda: self._of(self.first, self.first.react(reaction)))

    def leave(self, now: float) -> list[Output]:
        """The owner leaves the table on purpose, and its bots with it."""
        self._now = now
        self._leaving = True
        return self._run(self._go_away)

    def stop(self, now: float) -> list[Output]:
        """As host: end the match, after a whole round if it can."""
        self._now = now
        office = self.sequencer
        return [] if office is None else self._run(lambda: self._from_office(office.stop(now)))

    def paused(self, seconds: float, now: float) -> list[Output]:
        """This program did not run in these seconds, up to now: nobody was late meanwhile."""
        self._now = now
        office = self.sequencer
        if office is None:
            return []
        return self._run(lambda: self._from_office(office.paused(seconds, now)))

    def send_away(
        self, identity: bytes | None, why: messages.LobbyRefusal, now: float
    ) -> list[Output]:
        """As host: this person shall not watch; None: nobody."""
        self._now = now
        office = self.sequencer
        if office is None:
            return []
        return self._run(lambda: self._from_office(office.send_away(identity, why)))

    @property
    def claimable(self) -> tuple[int, ...]:
        """As host: seats of a player for whom `claim` ends the wait."""
        return () if self.sequencer is None else self.sequencer.claimable

    def claim(self, now: float) -> list[Output]:
        """As host: wait no longer for a player who fell silent, if that is `claimable`."""
        self._now = now
        office = self.sequencer
        return [] if office is None else self._run(lambda: self._from_office(office.claim(now)))

    def _noticed(self, event: object) -> list[Output]:
        if isinstance(event, events.HostElected):
            self._hint = None
            return self._new_term()
        if isinstance(event, events.SeatReturned) and event.seat == self.seat:
            if self.election is not None:
                self.election.left = False
            if self._reads and self.home is not None:
                # With the promise: it counts again. What the host appends before it hears this it
                # sends once more when it is asked for.
                return self._resume_at(self.home)
            return self._sit_down_again()  # and its bots with it
        if isinstance(event, events.LogClosed) and self.sequencer is None:
            return [each for link in self._lacking for each in self._hand_on_the_end(link)]
        if isinstance(event, events.SeatFilled) and event.owner == self.seat:
            return self._seat_stand_ins()
        if isinstance(event, events.SeatRecovered | events.RoundVoided):
            return self._look_for_lost()
        if isinstance(event, events.SeatDropped | events.RoundClosed):
            return self._look_for_lost() + self._sit_down_again()
        return []

    # ---- links ------------------------------------------------------------------------------

    def _begin_as_guest(self) -> list[Output]:
        """The waiting room's connection to the host is the way home."""
        out: list[Output] = []
        for session in self.sessions:
            out += self._of(session, session.begin())
        home = self._contacts.link_of(self.replay.host)
        return out + (self._go_home(home) if home is not None else self._seek())

    def _come_back(self) -> list[Output]:
        """The program was started again."""
        out: list[Output] = []
        for session in self.sessions:
            out += self._of(session, session.begin())
        return out + self._go_on_after_restart()

    def _go_on_after_restart(self) -> list[Output]:
        """Host again, ask the other owner, stand for election, or look for a host."""
        out: list[Output] = []
        hosts = self.seat is not None and self.replay.host == self.seat
        if hosts and self.replay.closed is not None and self.first.stopped is None:
            # Nothing more is signed; whoever has not heard of the end may have it.
            return out + self._go_on_as_host()
        if self.over or not hosts:
            if self.election is not None:
                # Whether there is a host still it has to find out like everybody else.
                self.election.host_lost(self._now, self._standing())
            return out + self._seek()
        owners = self.replay.owners
        if len(owners) <= 1:
            return out + self._go_on_as_host()
        if len(owners) == 2:
            self._asks = next(seat for seat in owners if seat != self.seat)
            return out + self._seek()
        assert self.election is not None
        out += self._seek()
        todo = self.election.outvoted(self.replay.term, self._now, self._standing())
        return out + self._from_election(todo)

    # ---- hearing ----------------------------------------------------------------------------

    def _hear(self, link: Peer, message: AtTable) -> list[Output]:
        there = self._contacts.links.get(link)
        if there is None or self.first.stopped is not None:
            return []
        match message:
            case messages.Resume():
                return self._hear_resume(link, there, message)
            case messages.HostIs():
                return self._hear_host_is(link, there, message)
            case messages.AskVote() | messages.GiveVote():
                return self._hear_vote(there, message)
            case messages.AskPresence():
                return self._give_presence(link, message)
            case messages.GivePresence():
                return self._take_presence(there.seat, message)
            case messages.Copy():
                return self._hear_copy(link, there, message)
            case messages.WantCopy():
                return self._send_copy(link, there, message.first)
            case _ if isinstance(message, FOR_THE_OFFICE):
                office = self.sequencer
                if office is None:
                    return []
                if isinstance(message, messages.Watch):
                    return self._from_office(office.watch(link, message.name, there.identity))
                return self._from_office(office.receive(link, message, self._now))
            case _:
                if link != self.home or not self._may_take(message):
                    return []
                if isinstance(message, messages.Entries) and message.entries:
                    self._home_shown = self._now
                return self._to_sessions(message)

    def _hear_resume(self, link: Peer, there: Link, said: messages.Resume) -> list[Output]:
        """Somebody is here (again): let them in, ask them, or send them to the host."""
        if there.seat is None:
            return []
        if self._waits_for_other and there.seat == self._asks:
            return self._compare_with_other(link, there.seat, said)
        office, replay = self.sequencer, self.replay
        if office is None:
            return self._answer_as_guest(link, there, said)
        counts = there.seat in replay.owners  # else it has no say in who is host
        if said.term > replay.term:
            # Others may have elected somebody while this computer was away.
            return self._look_at(link, there.seat) if counts else []
        bound, out = 0, list[Output]()
        if counts:
            bound = self._claims.bound(there.seat, said.vote, self._now, self._standing())
        if bound:
            assert self.election is not None
            todo = self.election.outvoted(bound, self._now, self._standing(), said.vote)
            if not self._is_one_of_two:
                return self._step_down() + self._from_election(todo)
            # Nobody else can be elected, and the other one may ask for this and then give no vote:
            # until it does it is missed like anybody who acknowledges nothing.
            out += self._from_election(todo)
        assert self.seat is not None
        out.append(ToLink(link, messages.HostIs(replay.term, self.seat)))
        held = goes_on_at(replay, said)
        if held is None:
            return [*out, HangUp(link)]
        out += self._from_office(office.attach(link, there.seat, held, self._now))
        out += self._from_office(office.place(link, there.address, said.port))
        out += self._hear_shown_vote(said.vote)
        if held < said.count:
            fetch = messages.Fetch(held)
            out += self._from_office(office.receive(link, fetch, self._now))
        return out

    # ---- two owners: the other one holds what was lost ----------------------------------------

    def _compare_with_other(self, link: Peer, seat: int, said: messages.Resume) -> list[Output]:
        """Whether the other one holds more: entries that were lost here, or a later term."""
        seq = self.replay.seq
        if said.term > self.replay.term or said.count > seq:
            if self._wanted is not None and self._wanted[0] == seq and self._now < self._wanted[1]:
                return []  # it was asked just now, and has shown nothing
            self._wanted = seq, self._now + COPY_SECONDS
            asked: list[Output] = [ToLink(link, messages.WantCopy(seq))]
            if said.term > self.replay.term:
                # Others may have elected somebody in a log that parts from this one before its end.
                asked += [each for each in self._look_at(link, seat) if each not in asked]
            return asked
        if len(self.replay.owners) > 2:
            return self._ask_others_too()
        out = self._go_on_as_host()
        return out + self._hear_resume(link, self._contacts.links[link], said)

    def _ask_others_too(self) -> list[Output]:
        """A third owner is back by the returned entries, and may hold more: ask all owners."""
        self._asks = None
        return self._go_on_after_restart()

    def _send_copy(self, link: Peer, there: Link, first: int) -> list[Output]:
        """Give a host back what it signed; show others that there is a later term than theirs."""
        if there.seat is None:
            return []
        if there.seat != self.replay.host and self.replay.closed is None:
            # No more than that: behind it may be what not everybody may hear of yet.
            return self._show_copy(link, first, self.replay.terms[-1].first + 1)
        out = self._show_copy(link, first)
        return [*out, ToLink(link, self._resume())] if out else []

    def _hear_copy(self, link: Peer, there: Link, said: messages.Copy) -> list[Output]:
        out: list[Output] = []
        asked = self._waits_for_other and there.seat == self._asks
        entries = self._lost_here(said.entries) if asked and said.first == self.replay.seq else ()
        if not entries:
            out = self._weigh(link, there, said)
            return out or (self._frost() if asked else [])
        for session in self.sessions:
            out += self._of(session, session.receive(messages.Entries(said.first, entries)))
        return out

    def _lost_here(self, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
        """What of these this computer signed itself behind the end of its log, and has lost.

        An old entry of its own is signed as well, and stands elsewhere: it stops nobody.
        """
        own = self.replay.public_key(HOST)
        signed = tuple(takewhile(lambda entry: entry.signed_by(own), entries))
        replay = self.replay.copy()
        for number, entry in enumerate(signed):
            try:
                replay.follow(entry)
            except HostFault:
                return signed[:number]
        return signed

    # ---- the office -------------------------------------------------------------------------

    def _go_on_as_host(self) -> list[Output]:
        """Take up the office again where the log stands."""
        return self._open_office(self._office(self.replay.copy(), self.first.entries))

    def _win(self, won: Won) -> list[Output]:
        """A majority of the owners made this computer the host."""
        replay = self.replay.copy()
        try:
            entry, _ = replay.elect(won.votes, self._last_ms(), self._stay.identities[0])
        except BodyRefused:
            return []  # the log has moved on since these votes were given
        entries = [*self.first.entries, entry]
        out = self._step_down()  # of two owners the host may still rule in its old term
        sequencer = self._office(replay, entries)
        out.append(KeepEntry(entry))
        news = messages.Entries(len(entries) - 1, (entry,))
        self.home = None
        self.sequencer = sequencer
        for session in self.sessions:
            out += self._of(session, session.receive(news))
        out += self._open_office(sequencer)
        for link, there in self._contacts.links.items():
            if there.seat is not None and there.seat != self.seat:
                assert self.seat is not None
                out.append(ToLink(link, messages.HostIs(replay.term, self.seat)))
        absent = self._contacts.absent(replay.owners, self.seat)
        out += self._contacts.dial(absent, replay.ports, self._now)
        return out

    def _last_ms(self) -> int:
        """Milliseconds of the last entry: a new host's clock is another, and goes on from there."""
        return self.first.entries[-1].read().ms if self.first.entries else 0

    def _open_office(self, sequencer: Sequencer) -> list[Output]:
        assert self.seat is not None
        self.sequencer = sequencer
        self.home = None
        self._asks = None
        if self.election is not None:
            self.election.host_heard(self._now)
        out: list[Output] = [Hosting(True)]
        fresh = not self._recalled and not self.first.entries
        out += self._from_office(sequencer.attach(OWN, self.seat, sequencer.replay.seq, self._now))
        if fresh:
            for link, there in self._contacts.links.items():
                if there.seat is not None:
                    out += self._from_office(sequencer.attach(link, there.seat, 0, self._now))
        for session in self.sessions:
            # The genesis is on disk before the first entry.
            out += self._of(session, session.begin()) if fresh else []
            out += self._of(session, session.connected())
        out += self._from_office(sequencer.begin(self._now))
        return out + self._thawed()

    def _step_down(self) -> list[Output]:
        """Another host rules, or will."""
        if self.sequencer is None:
            return []
        self.sequencer, self._owes_word = None, True
        for session in self.sessions:
            session.disconnected()
        if self.election is not None:
            self.election.host_lost(self._now, self._standing())
        return [Hosting(False), *self._seek()]

    # ---- elections --------------------------------------------------------------------------

    def _hear_vote(
        self, there: Link, message: messages.AskVote | messages.GiveVote
    ) -> list[Output]:
        election = self.election
        if election is None or there.seat is None or there.seat not in self.replay.owners:
            return []
        if isinstance(message, messages.AskVote):
            seat, pre, term = there.seat, message.pre, message.term
            if not self._claims.may_ask(seat, term, self._now):
                no = messages.GiveVote(pre, term, False, None, election.promised)
                return self._from_election([SendTo(seat, no)])
            todo = election.asked(seat, message, self._now, self._standing())
            if any(isinstance(each, KeepVote) for each in todo):
                self._claims.voted(seat, term, self._now)
                # Whoever has voted for another takes and acknowledges nothing of its own any more.
                return self._step_down() + self._from_election(todo)
        else:
            todo = election.answered(there.seat, message, self._now, self._standing())
            return self._from_election(todo) + self._hear_shown_vote(message.vote)
        return self._from_election(todo)

    def _hear_shown_vote(self, vote: SignedVote | None) -> list[Output]:
        """A vote that an owner shows to the host may contradict one that is in the log."""
        office = self.sequencer
        if office is None or vote is None:
            return []
        return self._from_office(office.hear_vote(vote, self._now))

    def _hear_abdication(self, said: messages.Abdicate) -> list[Output]:
        if self.election is None:
            return []
        todo = self.election.abdicated(said.candidate, said.term, self._now, self._standing())
        return self._from_election(todo)

    def _from_election(self, todo: list[Step]) -> list[Output]:
        out: list[Output] = []
        for output in todo:
            match output:
                case SendTo():
                    link = self._contacts.link_of(output.seat)
                    if link is not None:
                        out.append(ToLink(link, output.message))
                    else:
                        # Only the newest words matter to somebody who was not there.
                        self._contacts.leave_word(output.seat, output.message)
                        out += self._seek()
                case Won():
                    out += self._win(output)
                case _:
                    out.append(output)
        return out

    def _new_term(self) -> list[Output]:
        """The log has a new host."""
        self._claims.elected()
        if self.election is not None:
            self.election.log_moved(self._now, self._standing())
        if self.sequencer is None and self.home is not None and self.election is not None:
            self.election.host_heard(self._now)
        if self._leaving:
            return self._go_away()
        return []

    # ---- time, leaving, coming back ---------------------------------------------------------

    def _look_at_time(self) -> list[Output]:
        out: list[Output] = []
        if not self.over:
            out += self._search() + self._meet()
        office = self.sequencer
        if office is not None:
            assert self.election is not None
            if self.election.due(self._now):
                self.election.host_heard(self._now)  # the other of two has not elected it again
            out += self._from_office(office.tick(self._now))
            out += self._look_at_abdication(office)
            if office.frozen and self.sequencer is office:
                # The others may have gone on without it, and not know where it is now.
                out += self._contacts.dial(self._absent(), self.replay.ports, self._now)
            return out
        if self.over:
            return out
        if self._asks is not None and self.home is None and not self._waits_for_other:
            out += self._ask_others_too()  # the owner who was asked has gone
        out += self._look_at_home() + self._remind()
        election = self.election
        if election is not None and self.home is not None and election.due(self._now):
            out += self._leave_home(self._now)  # it said that it goes, and nobody else has come
        if election is not None and self.home is None and not self._waits_for_other:
            out += self._from_election(election.tick(self._now, self._standing()))
        if self.sequencer is None:
            out += self._seek() + (self._frost() if self.home is None else [])
        return out

    def _go_away(self) -> list[Output]:
        """Leave on purpose: a host hands over first, where there is somebody to hand over to."""
        office = self.sequencer
        if office is not None:
            # Of two, whoever leaves forfeits: its own seat says so.
            out = self._of(self.first, self.first.leave()) if len(self.replay.owners) == 2 else []
            out += self._from_office(office.abdicate(self._now))
            return out + self._look_at_abdication(office)
        if self.home is None or self.seat is None:
            return []
        if self.seat in self.replay.leaving or self.seat in self.replay.dropped:
            return []
        if self.election is not None:
            if self._home_term < self.election.promised:
                return []
            # The host counts whoever leaves as holding everything: no vote may follow.
            self.election.left = True
        return self._of(self.first, self.first.leave())

    @property
    def _has_to_forfeit(self) -> bool:
        """Whether a host of two that leaves has yet to say so from its seat."""
        return len(self.replay.owners) == 2 and self.seat not in self.replay.leaving

    def _look_at_abdication(self, office: Sequencer) -> list[Output]:
        """Stand aside for the candidate; this owner votes for it like all others."""
        said = office.abdicated
        if said is None or self.sequencer is not office:
            return []
        word = messages.Abdicate(*said)
        out = self._step_down()
        # Whoever came since it was said, or to whom it was lost, would wait for this computer.
        out += [ToLink(link, word) for link, _ in self._contacts.people]
        return out + self._hear_abdication(word)

    def _heard_office(self, message: AtTable) -> list[Output]:
        """What the owner's seat has to say besides playing, once it may say anything."""
        grows = isinstance(message, messages.Entries | messages.Firm)
        says_so = self.sequencer is None or (grows and self._has_to_forfeit)
        out = self._go_away() if self._leaving and says_so else []
        if self.first.caught_up and not self._leaving:
            out += self._of(self.first, self.first.listen(self._stay.port))
        return out

    def _sit_down_again(self) -> list[Output]:
        """Whoever was dropped while being away, and is here again, plays from the next round."""
        if self._leaving or not self.in_contact or self.over:
            return []
        out: list[Output] = []
        for session in self.sessions:
            why = None if session.seat is None else self.replay.dropped.get(session.seat)
            if why in (DropReason.LOST, DropReason.SILENT):
                out += self._of(session, session.take_seat_again())
        return out
