"""A host that nobody wrote down: at random moments it does one of the things that a host can do.

It runs an honest program, so that a table comes to be, and between its moves that program goes on.
Its moves are small, and become attacks by the order in which they happen to come: from some entry
on it shows some guests another tail of the log, with other lists, other orders and other drops in
it; it has itself elected again with whatever votes it gets; it starts again, with the end of its
log or without; it drops somebody who is there; it delays, says again and mixes what it said before;
it calls firm what is not. Some guests may be its accomplices: they vote for it, hold everything,
give shares of everybody, and are seated on every tail that it makes.

Another tail is a whole table of its own (`other_tail.py`): what its guests say goes there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from random import Random

from lanuno.log.bodies import DropReason, Elect, Escrow, Pass
from lanuno.log.faults import BodyRefused
from lanuno.log.terms import majority
from lanuno.log.votes import SignedVote, Vote, sign_vote
from lanuno.table import messages, outputs
from lanuno.table.computer import FOR_THE_OFFICE
from lanuno.table.election import Standing, Won
from lanuno.table.messages import AtTable
from tests.harness.adversaries.lying_nodes import OF_A_HOST, Crooked, Kind
from tests.harness.adversaries.other_tail import LONGEST_TAIL, Tail, nobody
from tests.harness.node_world.world import Computer, World

UNTIL = 40.0
"""Simulated seconds after which it does nothing of its own any more, so that tables end."""

MOST_TAILS = 4
"""So many are shown, one after the other."""


class Accomplice(Crooked):
    """A guest who does what its host wants."""

    leeway = OF_A_HOST

    def __init__(self, chance: Random, leader: int) -> None:
        super().__init__("an accomplice", chance)
        self.leader = leader

    def sit(self, world: World, computer: Computer) -> None:
        member, election = computer.up, computer.up.election
        assert election is not None
        honest = election._would_vote

        def would_vote(seat: int, asked: messages.AskVote, now: float, standing: Standing) -> bool:
            if seat == self.leader:
                return standing.term < asked.term and asked.term > election.promised
            return honest(seat, asked, now, standing)

        vars(election)["_would_vote"] = would_vote
        for session in member.sessions:
            session.presence = nobody


class GeneratedHost(Crooked):
    """See the module."""

    leeway = OF_A_HOST
    hosts = True

    def __init__(self, name: str, chance: Random) -> None:
        super().__init__(name, chance)
        self.eager = chance.choice((0.01, 0.03, 0.1))
        """How likely it shows another tail at an entry that is no step of a deal."""
        self.tail: Tail | None = None
        self.friends: list[Computer] = []
        """Its accomplices."""
        self._tails = 0
        self._world: World | None = None
        self._computer: Computer | None = None
        self._said: list[AtTable] = []
        self._shown: set[bytes] = set()
        """Hashes of entries that somebody was told."""
        self._until: dict[int, float] = {}
        """By link: when what was said over it last is let go."""
        self._gap = chance.choice((0.0, 0.0, 0.0, 0.1, 1.0))
        """Seconds by which it delays what it says, at most."""
        self._restless = chance.choice((0.05, 0.1, 0.3))
        """Moves in a second, besides those that begin and end a tail."""
        self._talks = chance.choice((0.0, 0.0, 0.01, 0.1))
        """How likely it says something else besides."""

    # ---- sitting down -------------------------------------------------------------------------

    def recruit(self, world: World) -> None:
        owners = len(world.computers)
        honest = 1 if owners <= 3 else 2
        most = max(0, owners - 1 - honest)
        many = self.chance.choice((0, 0, most, self.chance.randint(0, most)))
        for computer in self.chance.sample(world.computers[1:], many):
            computer.crook = Accomplice(Random(self.chance.random()), 0)
            self.friends.append(computer)
            self.moves["accomplices"] += 1

    def sit(self, world: World, computer: Computer) -> None:
        first = self._world is None
        self.tail = None  # whoever was shown one is connected no more
        self._world, self._computer = world, computer
        for session in computer.up.sessions:
            session.presence = nobody
        if first:
            world.after(self.chance.uniform(0.2, 6.0), self._move)

    @property
    def world(self) -> World:
        """Where it sits."""
        assert self._world is not None
        return self._world

    @property
    def computer(self) -> Computer:
        """What it runs on."""
        assert self._computer is not None
        return self._computer

    def dishonest(self) -> list[Computer]:
        """All whom it commands."""
        return [self.computer, *self.friends]

    # ---- moves --------------------------------------------------------------------------------

    def _move(self) -> None:
        """Do something, and again after a while."""
        if self.world.now > UNTIL:
            if self.tail is not None:
                self._end_tail()
            return
        self.world.after(self.chance.expovariate(self._restless), self._move)
        for each in self.dishonest():
            self._believenobody(each)
        if self.computer.member is None:
            return
        if self.tail is not None and self.chance.random() < 0.6:
            self._end_tail()
            return
        moves: tuple[Callable[[], object], ...] = (
            self._elect_again,
            self._start_again,
            self._drop_somebody,
            self._forget,
            self._hang_up,
        )
        self.chance.choice(moves)()

    def _believenobody(self, computer: Computer) -> None:
        """A dishonest program goes on, whatever was proven to it."""
        if computer.member is None or computer.up.first.stopped is None:
            return
        computer.disk.entries = list(computer.up.first.entries)
        computer.disk.durable = len(computer.disk.entries)
        computer.disk.released = None
        self.world.crash(computer)
        self.world.after(0.1, partial(self.world.restart, computer))

    def _note(self, what: str) -> None:
        self.fired += 1
        self.moves[what] += 1
        self.world.note(self.computer, f"the dishonest host: {what}")

    def _start_again(self) -> None:
        self._note("starts again")
        self._lose_program(self.chance.uniform(0.05, 1.0))

    def _lose_program(self, back: float) -> None:
        self.world.crash(self.computer)
        self.world.after(back, partial(self.world.restart, self.computer))

    def _forget(self) -> None:
        """It starts again without its last entries."""
        disk = self.computer.disk
        lost = self.chance.randint(1, 6)
        if len(disk.entries) <= lost or not self.computer.up.hosts:
            return
        self._note("forgets its last entries")
        self.world.crash(self.computer)
        self._cut_disk(len(disk.entries) - lost)
        self.world.after(self.chance.uniform(0.05, 1.0), partial(self.world.restart, self.computer))

    def _cut_disk(self, count: int) -> None:
        disk = self.computer.disk
        del disk.entries[count:]
        disk.durable = min(disk.durable, count)
        disk.released = None

    def _hang_up(self) -> None:
        others = [there for there, _ in self.computer.links.values()]
        if others:
            self._note("hangs up")
            self.world.cut(self.computer, self.chance.choice(others))

    def _drop_somebody(self) -> None:
        """It says that somebody is silent, or lost, who is there."""
        office = self.computer.up.sequencer
        if office is None or office.replay.closed is not None:
            return
        owners = [seat for seat in office.replay.absence.here if seat != self.computer.number]
        if not owners or self.chance.random() < 0.5:
            return
        seat, why = self.chance.choice(owners), self.chance.choice(tuple(DropReason))
        member = self.computer.up

        def drop() -> list[outputs.Output]:
            return member._from_office(office._drop(seat, why, self.world.now))

        try:
            todo = member._run(drop)
        except BodyRefused:
            member._to_do.clear()
            return
        self._note("drops somebody who is there")
        self.world.do(self.computer, todo)

    def _elect_again(self) -> bool:
        """It is elected by the votes that it can make, else it asks everybody; whether it is."""
        member = self.computer.up
        replay = member.replay
        if replay.closed is not None or member.election is None or replay.term > 200:
            return False
        standing = member._standing()
        number = self.computer.number
        if number not in standing.owners:
            return False
        term = max(standing.term, member.election.promised) + 1
        votes: dict[int, SignedVote] = {}
        for each in self.dishonest():
            if each.number in standing.owners:
                identity = each.stay.identities[0]
                end = (standing.last_term, standing.count, standing.head)
                vote = Vote(standing.table, term, number, each.number, *end)
                votes[each.number] = sign_vote(vote, identity)
        if len(votes) < majority(len(standing.owners)) or len(standing.owners) < 3:
            if member.hosts:
                self._note("asks for votes again")
                reason = self.chance.choice((None, *votes.values()))
                ask = messages.AskVote(
                    False, term, standing.last_term, standing.count, standing.head, reason
                )
                for link in list(self.computer.links):
                    self.world.send(self.computer, link, ask)
            return False
        self._note("is elected by its accomplices")
        won = Won(term, tuple(votes[seat] for seat in sorted(votes)))
        self.world.do(self.computer, member._run(lambda: member._win(won)))
        return True

    # ---- another tail -------------------------------------------------------------------------

    def _perhaps_tail(self, computer: Computer, told: messages.Entries) -> None:
        """Entries are told for the first time: somebody may be shown others in their place."""
        office = computer.up.sequencer
        if office is None or not told.entries or told.first == 0:
            return
        core = told.entries[0].read()
        payload = core.signed_body.read().payload
        if told.entries[0].hash in self._shown:
            return
        self._shown.add(told.entries[0].hash)
        if self.tail is not None or self._tails >= MOST_TAILS or self.world.now > UNTIL - 5:
            return
        if core.term != office.replay.term or isinstance(payload, Elect):
            return
        guests = {
            link: there
            for link, (there, _) in computer.links.items()
            if there.honest and office._audience.seat_of(link) is not None
        }
        if not guests:
            return
        link = self.chance.choice(list(guests))
        after = [each for each, there in guests.items() if there.number == self._next()]
        likely = self.eager
        if core.signed_body.read().author in self._own_seats():
            # A tail on which this step is another one goes on without anybody else.
            likely = 0.2 if isinstance(payload, Escrow) else 2 * likely
            if isinstance(payload, Pass) and after:
                likely, link = 0.5, after[0]
        if self.chance.random() < likely:
            self._begin_tail(computer, link, told)

    def _own_seats(self) -> set[int]:
        absence = self.computer.up.replay.absence
        return {seat for each in self.dishonest() for seat in absence.seats_of(each.number)}

    def _next(self) -> int | None:
        """Whose pass is the next one."""
        replay = self.computer.up.replay
        deal = None if replay.round is None else replay.round.deal
        if deal is None or deal.expected is None:
            return None
        return replay.owner_of(deal.expected[1])

    def _begin_tail(self, computer: Computer, link: int, told: messages.Entries) -> None:
        office = computer.up.sequencer
        assert office is not None
        self._tails += 1
        self._note("shows another tail")
        self.tail = Tail(self, computer.links[link][0], link, office._entries[: told.first])
        self.tail.begin()
        lasts = self.chance.choice((0.3, 1.0, 3.0, LONGEST_TAIL))
        self.world.after(self.chance.uniform(0.1, lasts), partial(self.end_this, self.tail))

    def end_this(self, tail: Tail) -> None:
        """Give it up; but who is bound to it is kept there, as long as that may bring something.

        A program that starts again while nobody hears of that tail could have forgotten it.
        """
        if self.tail is not tail:
            return
        if tail.binds and tail.heard_of and self.world.now < tail.began + LONGEST_TAIL:
            self.world.after(0.5, partial(self.end_this, tail))
            return
        self._end_tail()

    def _end_tail(self) -> None:
        """Give up what some were shown: in one way or another they come to the others' log."""
        tail, self.tail = self.tail, None
        assert tail is not None
        tail.over = True
        self._count_what_came_of(tail)
        if self.computer.member is None or self.computer.run != tail.in_run:
            return
        how = self.chance.choice(("again",) * 5 + ("elected",) * 2 + ("cut", "kept"))
        how = "again" if tail.alone and how != "kept" else how
        if how == "kept":
            self._keep_tail(tail)
        elif how == "cut":
            self._note("shows the first tail again")
            self._cut(tail)
        elif how == "elected" and self._elect_again():
            self._cut(tail)
        else:
            self._note("gives up a tail and stands again")
            self.world.crash(self.computer)
            if tail.alone:
                self.moves["leaves no trace of a tail"] += 1
                self._cut_disk(tail.first)
            back = self.chance.uniform(0.05, 0.5)
            self.world.after(back, partial(self.world.restart, self.computer))

    def _cut(self, tail: Tail) -> None:
        for guest in tail.guests.values():
            self.world.cut(self.computer, guest)

    def _keep_tail(self, tail: Tail) -> None:
        """The other tail is the log from now on."""
        self._note("keeps the other tail")
        self.world.crash(self.computer)
        disk = self.computer.disk
        disk.entries = list(tail.office._entries)
        disk.durable = len(disk.entries)
        disk.released = None
        self.world.after(0.2, partial(self.world.restart, self.computer))

    def _count_what_came_of(self, tail: Tail) -> None:
        for name in tail.heard:
            self.moves[f"given up: {name}"] += tail.heard[name]
        self.moves["given up: with something released"] += tail.binds
        self.moves["given up: entries"] += tail.office.replay.seq - tail.first

    # ---- what it says and hears ---------------------------------------------------------------

    def hears(self, computer: Computer, link: int, message: AtTable) -> bool:
        """Whether this is for another tail, and not for its program."""
        if self.tail is None or link not in self.tail.guests:
            return False
        if not isinstance(message, FOR_THE_OFFICE):
            return False
        self.tail.hear(link, message)
        return True

    def says(self, computer: Computer, link: int, message: AtTable) -> Iterable[AtTable]:
        if isinstance(message, messages.Entries):
            self._perhaps_tail(computer, message)
            if self.tail is not None:
                self.tail.show_also(computer, link, message)
        if self.tail is not None and self.tail.keeps_back(link, message):
            return []
        self._say(computer, link, message)
        return []

    def _say(self, computer: Computer, link: int, message: AtTable) -> None:
        """Now or later, and perhaps with something besides."""
        said = [message]
        if self.world.now < UNTIL and self.chance.random() < self._talks:
            said += self._besides(computer, message)
        self._said = [*self._said[-30:], message]
        wait = self.chance.uniform(0.0, self._gap) if self.world.now < UNTIL else 0.0
        at = max(self.world.now + wait, self._until.get(link, 0.0))
        self._until[link] = at
        if at <= self.world.now:
            for each in said:
                self.world.send(computer, link, each)
            return
        self.moves["delays"] += 1
        run = computer.run
        self.world.after(at - self.world.now, partial(self._send_all, computer, link, said, run))

    def _send_all(self, computer: Computer, link: int, said: Sequence[AtTable], run: int) -> None:
        if computer.run != run:
            return
        for each in said:
            self.world.send(computer, link, each)

    def _besides(self, computer: Computer, message: AtTable) -> list[AtTable]:
        """Old words, old entries under new ones, a false count of what is firm."""
        kind = self.chance.randrange(4)
        entries = [each for each in self._said if isinstance(each, messages.Entries)]
        if kind == 0 and self._said:
            self.moves["says again"] += 1
            return [self.chance.choice(self._said)]
        if kind == 1 and entries and isinstance(message, messages.Entries):
            self.moves["mixes old with new"] += 1
            old = self.chance.choice(entries)
            return [messages.Entries(old.first, (*old.entries, *message.entries))]
        if kind == 2 and isinstance(message, messages.Entries):
            self.moves["calls firm what is not"] += 1
            return [messages.Firm(message.first + len(message.entries))]
        ends = computer.disk.aside
        if kind == 3 and ends and ends[-1]:
            self.moves["shows an end that was given up"] += 1
            first = ends[-1][0].read().seq
            return [messages.Entries(first, tuple(ends[-1][:20]))]
        return []


GENERATED = Kind("generated host", lambda chance: GeneratedHost("generated host", chance))
"""Of any number of owners: one honest one of up to three, two of more."""
