"""How one computer finds its way to whoever is the host, and keeps it. Sans I/O.

Links to the others, what they say of who rules, and what of it is believed: whoever rules, or hears
a host, gives that up only for a log with the votes in it (`claims.py`). What a host does, how one
is elected and what time brings is in `member.py`.
"""

from __future__ import annotations

from functools import partial

from lanuno.log.genesis import Genesis
from lanuno.table import messages
from lanuno.table.budget import LOG_RATE, OWNER_LOG_BURST, PAGE_COST, Budget
from lanuno.table.claims import SHOW_SECONDS, STAND_SECONDS, Claims
from lanuno.table.closings import Closings
from lanuno.table.computer import Computer, Stay
from lanuno.table.contacts import Link
from lanuno.table.messages import AtTable
from lanuno.table.other_ends import LookAt, OwnEnd, follow_on
from lanuno.table.outputs import HangUp, Output, Peer, TableWaits, ToLink
from lanuno.table.pages import goes_on_at, page, size_of
from lanuno.table.recall import Recall


class Seeker(Computer):
    """A computer and its way home."""

    def __init__(self, genesis: Genesis, stay: Stay, recall: Recall | None = None) -> None:
        """As every computer: see `Computer`."""
        super().__init__(genesis, stay, recall)
        self._claims = Claims()
        self._closings = Closings()
        self._lacking: dict[Peer, messages.Resume] = {}
        """What those hold who looked for a host here, where there is none."""
        self._resumed = 0.0
        """When the host was last told what is held and promised here."""
        self._copies: dict[int, Budget] = {}
        """How much of the log each owner was shown without asking the host for it."""
        self._home_shown = 0.0
        """When whoever is followed last showed something of its log."""

    def linked(
        self,
        link: Peer,
        seat: int | None,
        now: float,
        *,
        address: str = "",
        dialled: bool = False,
        identity: bytes = b"",
    ) -> list[Output]:
        """A connection to another computer stands. `seat`: its owner's, by the handshake.

        `dialled`: this computer made it. `identity`: the key at the other end.
        """
        self._now = now
        word = self._contacts.linked(link, Link(seat, address, dialled, identity))
        room: list[Output] = []
        if self.in_contact or self.replay.seq:  # else all come over from the waiting room at once
            room += [HangUp(each) for each in self._contacts.crowd(link, self.uses)]
        if seat is None or seat == self.seat:
            return room
        return room + self._run(partial(self._greet, link, dialled, word))

    def uses(self, link: Peer) -> bool:
        """Whether something is heard or told over a link."""
        return link == self.home or (self.sequencer is not None and self.sequencer.tells(link))

    def unlinked(
        self, link: Peer, now: float, *, silent: float = 0.0, quiet: bool = False
    ) -> list[Output]:
        """A connection ended. `silent`: seconds since anything was heard on it.

        `quiet`: whether nothing showed that the network works; so it is after a silence.
        """
        self._now = now
        gone = self._contacts.links.pop(link, None)
        if gone is None:
            return []
        self._claims.forget(link)
        self._closings.forget(link)
        self._lacking.pop(link, None)
        return self._run(partial(self._lose, link, silent, quiet=quiet or silent > 0))

    def unreachable(self, seat: int, now: float) -> list[Output]:
        """What `Dial` asked for did not come to be."""
        self._now = now
        self._contacts.unreachable(seat)
        return self._run(self._search)

    def _greet(self, link: Peer, dialled: bool, word: AtTable | None) -> list[Output]:
        """First words on a new link."""
        out: list[Output] = [] if word is None else [ToLink(link, word)]
        there = self._contacts.links.get(link)
        if there is not None and there.seat in self._contacts.searches:
            self._to_do.append(partial(self._found, there.seat))
        if self.sequencer is not None:
            if dialled:
                assert self.seat is not None
                out.append(ToLink(link, messages.HostIs(self.replay.term, self.seat)))
            return out
        if dialled and self.home is None:
            out.append(ToLink(link, self._resume()))
        return out

    def _found(self, seat: int | None) -> list[Output]:
        """There is a link to somebody who is said to be lost."""
        out = [] if seat is None else self._ask_presence(seat)
        return out + self._search()

    def _go_home(self, link: Peer) -> list[Output]:
        """Take a link for that to the host, and ask for what was missed."""
        self.home = link
        self._home_term, self._reads = 0, False
        self._contacts.forget_words()
        return self._resume_at(link)

    def _resume_at(self, link: Peer) -> list[Output]:
        """Tell the host what is held here, and ask for what follows it."""
        self._resumed = self._now
        out: list[Output] = [ToLink(link, self._resume())]
        for session in self.sessions:
            out += self._of(session, session.connected())
        return out

    def _resume(self) -> messages.Resume:
        end = self.replay.end
        promised, vote = 0, None
        if self.election is not None:
            promised, vote = self.election.promised, self.election.vote
        return messages.Resume(end.term, end.count, end.head, promised, self._stay.port, vote)

    def _lose(self, link: Peer, silent: float, *, quiet: bool) -> list[Output]:
        out: list[Output] = []
        if self.sequencer is not None:
            out += self._from_office(self.sequencer.left(link, self._now, quiet=quiet))
        if link == self.home:
            out += self._leave_home(self._now - silent)
        return out + self._meet()

    def _leave_home(self, since: float) -> list[Output]:
        """The host is gone: look for it, or for another."""
        self.home = None
        for session in self.sessions:
            session.disconnected()
        if self.over:
            return []
        if self.election is not None:
            self.election.host_lost(since, self._standing())
        out: list[Output] = []
        seats = tuple(
            seat
            for seat in range(len(self.replay.roster.seats))
            if self.replay.owner_of(seat) == self.replay.host
        )
        if self.seat != self.replay.host:
            out.append(TableWaits(seats, float(self.replay.roster.ruleset.grace_first_s)))
        # The others are asked as well: one may know another host, or hold the end of the log.
        others = [each for each in self._contacts.people if each[1].seat != self._presumed_host]
        out += [ToLink(link, self._resume()) for link, _ in others]
        return out + self._seek()

    def _absent(self) -> tuple[int, ...]:
        """Owners whose computers this one should reach and does not."""
        wanted: list[int] = []
        office = self.sequencer
        if office.frozen if office is not None else self.home is None:
            wanted += [self.replay.host, *self.replay.owners]
            wanted += [] if self._hint is None else [self._hint[1]]
            wanted += [] if self._asks is None else [self._asks]
        return self._contacts.absent(wanted, self.seat)

    def _seek(self) -> list[Output]:
        """Dial whomever this computer wants to reach, ask who may be the host; not all the time."""
        out = self._contacts.dial(self._absent(), self.replay.ports, self._now)
        link = self._contacts.link_of(self._presumed_host)
        lost = self.home is None and self.sequencer is None
        if lost and link is not None and self._contacts.may_try(self._presumed_host, self._now):
            out.append(ToLink(link, self._resume()))
        return out

    @property
    def _presumed_host(self) -> int:
        """Who is the host as far as this computer has heard."""
        return self.replay.host if self._hint is None else self._hint[1]

    def _may_take(self, message: AtTable) -> bool:
        """Nothing of a term below the one that this owner has voted in counts for anything."""
        if not isinstance(message, messages.Entries | messages.Firm):
            return True
        told = isinstance(message, messages.Entries) and message.entries
        if self._home_term > self.replay.term and not told:
            return False  # who says that it was elected shows its votes first
        return not self._promised_more or (self._reads and isinstance(message, messages.Entries))

    def _answer_as_guest(self, link: Peer, there: Link, said: messages.Resume) -> list[Output]:
        """Somebody asks this computer, which is not the host, to be let in."""
        self._lacking[link] = said
        out = self._hand_on_the_end(link) or self._show_own_entries(link, there, said)
        if (said.term, said.count) > (self.replay.term, self.replay.seq) and self._is_lost:
            out.append(ToLink(link, self._resume()))  # it may hold all that there is
        home = None if self.home is None else self._contacts.links.get(self.home)
        if home is not None and home.seat == there.seat:
            # Whoever asks is not the host, or no longer: its program was started again.
            out += self._leave_home(self._now)
        replay = self.replay
        host = (replay.term, replay.host) if self._hint is None else self._hint
        if host[1] == there.seat:
            # It was the host. Of two owners it still is, once it knows how far the log goes.
            return [*out, ToLink(link, self._resume())] if len(replay.owners) == 2 else out
        return out if host[1] == self.seat else [*out, ToLink(link, messages.HostIs(*host))]

    def _hear_host_is(self, link: Peer, there: Link, said: messages.HostIs) -> list[Output]:
        """Somebody says who is the host: itself, which is to be seen at once, or another."""
        replay = self.replay
        people = replay.absence.signed.seats
        if there.seat is None or said.host >= len(people) or people[said.host].bot:
            return []
        if said.host == self.seat:
            return []
        if said.term < replay.term:
            late = said.host == there.seat  # it is the host no longer, and does not know
            return [ToLink(link, self._own_word())] if late else []
        promised = 0 if self.election is None else self.election.promised
        if said.term < promised and said.host != there.seat:
            return []
        if said.term == replay.term and said.host != replay.host:
            return []  # one term has one host; our log says who it is
        if self.sequencer is not None and said.term == replay.term:
            return []
        if link != self.home and (self._led or self._claims.doubts(there.seat)):
            return self._doubt(link, there.seat, said)
        if said.host != there.seat:
            out = self._leave_home(self._now) if link == self.home else []
            self._hint = (said.term, said.host)
            return out + self._pass_on(link, said) + self._seek()
        return self._follow_host(link, said)

    def _follow_host(self, link: Peer, said: messages.HostIs) -> list[Output]:
        """Whoever is at the other end is the host."""
        out: list[Output] = []
        voted_since = self._promised_more and not self._reads
        if link != self.home or said.term != self._home_term or voted_since:
            self._hint = (said.term, said.host)
            out += self._pass_on(link, said) + self._go_home(link)
            self._home_term, self._home_shown = said.term, self._now
            self._reads = self._promised_more
        if self.election is not None:
            self.election.host_heard(self._now)
        return out + self._thawed()

    @property
    def _shows_until(self) -> float | None:
        """Until when whoever is followed has to show something of the later term it claims."""
        if self.home is None or self._home_term <= self.replay.term:
            return None
        return self._home_shown + SHOW_SECONDS

    @property
    def _reminds_at(self) -> float | None:
        """When to show the host again a promise that keeps this owner from acknowledging.

        A host need not let itself be elected again for it more often than this.
        """
        return self._resumed + STAND_SECONDS if self._reads and self.home is not None else None

    def _remind(self) -> list[Output]:
        """Show the host a promise once more, if it is time."""
        when = self._reminds_at
        if when is None or self._now < when:
            return []
        assert self.home is not None
        return self._resume_at(self.home)

    def _look_at_home(self) -> list[Output]:
        """Follow nobody for long who says that it was elected, and has nothing to show for it."""
        until = self._shows_until
        return [] if until is None or self._now < until else self._doubt_home()

    def _doubt_home(self) -> list[Output]:
        """Follow somebody no more who has not shown that it was elected: it has to, next time."""
        there = self._contacts.links.get(self.home) if self.home is not None else None
        if there is not None and there.seat is not None:
            self._claims.showed_nothing(there.seat)
        self._hint = None
        return self._leave_home(self._now)

    # ---- what is not believed at once -------------------------------------------------------

    @property
    def _led(self) -> bool:
        """Whether this computer rules, waits to rule again, or hears a host whom it may follow."""
        if self.sequencer is not None or self._waits_for_other:
            return True
        return self.home is not None and not self._promised_more

    def _doubt(self, link: Peer, seat: int, said: messages.HostIs) -> list[Output]:
        """Another host than ours, or ourselves: look at what whoever says so holds."""
        if said.term <= self.replay.term:
            return []
        out = self._look_at(link, seat)
        if said.host == seat:
            return out
        other = self._contacts.link_of(said.host)
        if other is None:
            return out + self._contacts.dial((said.host,), self.replay.ports, self._now)
        asks = self._contacts.may_try(said.host, self._now)
        return [*out, ToLink(other, self._own_word())] if asks else out

    def _own_word(self) -> messages.HostIs:
        """Who rules, by this computer's log: whoever knows better answers."""
        return messages.HostIs(self.replay.term, self.replay.host)

    @property
    def _own_end(self) -> OwnEnd:
        session = self.first
        held, starts = session.entries, session.starts
        return OwnEnd(session.replay, held, session.fixed, catching_up=True, starts=starts)

    def _look_at(self, link: Peer, seat: int) -> list[Output]:
        """Ask an owner, who says that there is a later term, for a log that shows it."""
        first = self._claims.look_at(link, seat, self._own_end, self._now)
        return [] if first is None else [ToLink(link, messages.WantCopy(first))]

    def _weigh(self, link: Peer, there: Link, said: messages.Copy) -> list[Output]:
        """A part of the log of an owner who says that there is a later term."""
        if there.seat is None or link == self.home:
            return []
        found = self._claims.weigh(link, there.seat, self._own_end, said)
        if isinstance(found, LookAt):
            return [ToLink(link, messages.WantCopy(found.first))]
        if found is None:
            return self._hear_of_the_end(link, there.seat, said)
        self._claims.shown(there.seat)
        out = self._step_down()
        self._asks = None
        if self.election is not None and not self.in_contact:
            self.election.host_lost(self._now, self._standing())
        word = messages.HostIs(found.term, found.host)
        if found.host == there.seat:
            return out + self._follow_host(link, word)
        if self.home is not None:
            out += self._leave_home(self._now)
        self._hint = (found.term, found.host)
        # Its host may be gone by now, and the log closed.
        return [*out, ToLink(link, self._resume()), *self._pass_on(link, word), *self._seek()]

    def _pass_on(self, link: Peer, said: messages.HostIs) -> list[Output]:
        """Whoever was the host until now tells those who may still think so."""
        if not self._owes_word:
            return []
        self._owes_word = False
        return [ToLink(peer, said) for peer, _ in self._contacts.people if peer != link]

    # ---- the end, when its host is gone ------------------------------------------------------

    def _hand_on_the_end(self, link: Peer) -> list[Output]:
        """Once the log is closed, whoever looked for a host here may have what it lacks."""
        replay, said = self.replay, self._lacking.get(link)
        if replay.closed is None or said is None:
            return []
        first = goes_on_at(replay, said)
        if first is None or first == replay.seq:
            return []
        return self._show_copy(link, first)

    def _show_copy(self, link: Peer, first: int, end: int | None = None) -> list[Output]:
        """A page of the log for another owner, unless it was shown too much of it lately."""
        seat = self._contacts.links[link].seat
        assert seat is not None, "whoever has no seat is shown nothing"
        budget = self._copies.setdefault(seat, Budget(LOG_RATE, OWNER_LOG_BURST))
        if not budget.open(self._now):
            return []
        entries = page(self.first.entries, first, end)
        budget.spend(max(PAGE_COST, size_of(entries)), self._now)
        return [ToLink(link, messages.Copy(first, entries))]

    # ---- what a host signed last, when its term is not over ----------------------------------

    def _show_own_entries(self, link: Peer, there: Link, said: messages.Resume) -> list[Output]:
        """As a host that lost its office: show another owner what it lacks of the present term.

        By the last entries others may count as owners than before. Those who have not heard of
        them could elect nobody. Only what is on this computer's own disk is shown: it will never
        sign another entry with the same number.
        """
        replay = self.replay
        if self.seat != replay.host or not self._is_lost or there.seat not in replay.owners:
            return []
        first, end = goes_on_at(replay, said), self.first.durable
        if first is None or said.term != replay.term or first >= end:
            return []
        return self._show_copy(link, first, end)

    def _take_shown_entries(self, link: Peer, seat: int, said: messages.Copy) -> list[Output]:
        """The former host shows what follows this log in the term that it ruled.

        Nothing is acknowledged for it, and nothing is taken after a vote in a later term.
        """
        replay, promised = self.replay, 0 if self.election is None else self.election.promised
        if seat != replay.host or promised > replay.term or said.first != replay.seq:
            return []
        entries = follow_on(replay, said.entries)
        if not entries or replay.closed is not None:
            return []
        out: list[Output] = []
        for session in self.sessions:
            out += self._of(session, session.receive(messages.Entries(said.first, entries)))
        return [*out, ToLink(link, self._resume())] if self._is_lost else out

    @property
    def _is_lost(self) -> bool:
        """Whether this computer wants to hear of a host, or of the end."""
        return not self.in_contact and not self.over

    def _hear_of_the_end(self, link: Peer, seat: int, said: messages.Copy) -> list[Output]:
        """Somebody hands on what may be the end, and there is no host to ask."""
        if not self._is_lost:
            return []
        shown = self._take_shown_entries(link, seat, said)
        if shown:
            return shown
        found = self._closings.take(link, seat, self._own_end, said, self._now)
        if isinstance(found, LookAt):
            return [ToLink(link, messages.WantCopy(found.first))]
        if found is None:
            return []
        out: list[Output] = []
        for session in self.sessions:
            out += self._of(session, session.end_with(found.first, found.entries))
        return out + self._thawed()

    # ---- what `member.py` does --------------------------------------------------------------

    def _step_down(self) -> list[Output]:
        """Another host rules, or will."""
        raise NotImplementedError
