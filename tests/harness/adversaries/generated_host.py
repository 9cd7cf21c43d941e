"""A host that attacks at random moments, in every way that a host can.

It runs an honest program, so that a table comes into being; between attacks that program continues.
Its moves are small and become attacks by their order:

- it sends a fork of the log to some guests, with other lists, another order and other drops;
- it has itself elected again with the votes that it gets;
- it restarts, with or without the last entries of its log;
- it drops an owner that is present;
- it delays, repeats and mixes its messages.

Some guests may be its accomplices: they vote for it, acknowledge everything, give shares of every
seat, and have their seats on every fork. A fork is a separate table (`forked_table.py`), which
receives the messages of its guests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from random import Random

from lanuno.log.faults import BodyRefused
from lanuno.log.format.bodies import DropReason, Elect, Escrow, Pass
from lanuno.log.format.votes import ElectionVote, SignedVote, sign_vote
from lanuno.log.replay.terms import majority
from lanuno.table import messages, outputs
from lanuno.table.messages import AtTable
from lanuno.table.succession.election import ElectionView, Won
from tests.harness.adversaries.forked_table import (
    LONGEST_FORK_SECONDS,
    ForkedTable,
    never_reachable,
)
from tests.harness.adversaries.lying_nodes import HOST_LEEWAY, AdversaryKind, LyingNode
from tests.harness.node_world.world import SimulatedNode, World
from tests.harness.replacing import replace_method

ACTIVE_SECONDS = 40.0
"""Simulated seconds after which it stops attacking, so that tables end."""

MOST_FORKS = 4
"""The number of forks, one after the other."""

TO_HOST_ROLE = (
    messages.Submit,
    messages.Statements,
    messages.Fetch,
    messages.Say,
    messages.React,
    messages.ReadsScore,
    messages.Watch,
    messages.Join,
)


class Accomplice(LyingNode):
    """A guest who obeys its host."""

    leeway = HOST_LEEWAY

    def __init__(self, chance: Random, leader: int) -> None:
        super().__init__("an accomplice", chance)
        self.leader = leader

    def program_started(self, world: World, node: SimulatedNode) -> None:
        running, election = node.running, node.running.voter
        assert election is not None
        honest = election._would_vote

        def would_vote(
            seat: int, asked: messages.RequestVote, now: float, standing: ElectionView
        ) -> bool:
            if seat == self.leader:
                return standing.term < asked.term and asked.term > election.promised
            return honest(seat, asked, now, standing)

        replace_method(election, "_would_vote", would_vote)
        for session in running.sessions:
            session.presence_of = never_reachable


class GeneratedHost(LyingNode):
    """The attacking host; see the module."""

    leeway = HOST_LEEWAY
    hosts = True

    def __init__(self, name: str, chance: Random) -> None:
        super().__init__(name, chance)
        self.fork_chance = chance.choice((0.01, 0.03, 0.1))
        """The probability of a fork at an entry that is not a step of a deal."""
        self.fork: ForkedTable | None = None
        self.accomplices: list[SimulatedNode] = []
        """The guests that obey it."""
        self._fork_count = 0
        self._world: World | None = None
        self._node: SimulatedNode | None = None
        self._sent: list[AtTable] = []
        self._sent_hashes: set[bytes] = set()
        """Hashes of entries that were sent to some node."""
        self._sent_until: dict[int, float] = {}
        """By link: when the last message on it is released."""
        self._most_delay = chance.choice((0.0, 0.0, 0.0, 0.1, 1.0))
        """The longest delay of its messages, in seconds."""
        self._moves_per_second = chance.choice((0.05, 0.1, 0.3))
        """Moves per second, besides those that begin and end a fork."""
        self._extra_message_chance = chance.choice((0.0, 0.0, 0.01, 0.1))
        """The probability of an additional message."""

    # ---- set-up -------------------------------------------------------------------------------

    def recruit(self, world: World) -> None:
        owners = len(world.nodes)
        honest = 1 if owners <= 3 else 2
        most = max(0, owners - 1 - honest)
        many = self.chance.choice((0, 0, most, self.chance.randint(0, most)))
        for node in self.chance.sample(world.nodes[1:], many):
            node.adversary = Accomplice(Random(self.chance.random()), 0)
            self.accomplices.append(node)
            self.moves["accomplices"] += 1

    def program_started(self, world: World, node: SimulatedNode) -> None:
        first = self._world is None
        self.fork = None  # the guests of an old one are connected no more
        self._world, self._node = world, node
        for session in node.running.sessions:
            session.presence_of = never_reachable
        if first:
            world.after(self.chance.uniform(0.2, 6.0), self._move)

    @property
    def world(self) -> World:
        """The world in which it runs."""
        assert self._world is not None
        return self._world

    @property
    def node(self) -> SimulatedNode:
        """The host's node."""
        assert self._node is not None
        return self._node

    def dishonest(self) -> list[SimulatedNode]:
        """All nodes that it commands."""
        return [self.node, *self.accomplices]

    # ---- moves --------------------------------------------------------------------------------

    def _move(self) -> None:
        """Make a move, and schedule the next one."""
        if self.world.now > ACTIVE_SECONDS:
            if self.fork is not None:
                self._end_fork()
            return
        self.world.after(self.chance.expovariate(self._moves_per_second), self._move)
        for each in self.dishonest():
            self._ignore_proof(each)
        if self.node.program is None:
            return
        if self.fork is not None and self.chance.random() < 0.6:
            self._end_fork()
            return
        moves: tuple[Callable[[], object], ...] = (
            self._elect_again,
            self._start_again,
            self._drop_owner,
            self._forget_entries,
            self._cut_link,
        )
        self.chance.choice(moves)()

    def _ignore_proof(self, node: SimulatedNode) -> None:
        """Continue a dishonest program, even after a proof against it."""
        if node.program is None or node.running.replica.stopped is None:
            return
        node.disk.entries = list(node.running.replica.entries)
        node.disk.durable = len(node.disk.entries)
        node.disk.released = None
        self.world.crash(node)
        self.world.after(0.1, partial(self.world.restart, node))

    def _note(self, what: str) -> None:
        self.fired += 1
        self.moves[what] += 1
        self.world.note(self.node, f"the dishonest host: {what}")

    def _start_again(self) -> None:
        self._note("starts again")
        self._restart_after(self.chance.uniform(0.05, 1.0))

    def _restart_after(self, back: float) -> None:
        self.world.crash(self.node)
        self.world.after(back, partial(self.world.restart, self.node))

    def _forget_entries(self) -> None:
        """Restart without the last entries."""
        disk = self.node.disk
        lost = self.chance.randint(1, 6)
        if len(disk.entries) <= lost or not self.node.running.hosts:
            return
        self._note("forgets its last entries")
        self.world.crash(self.node)
        self._cut_disk(len(disk.entries) - lost)
        self.world.after(self.chance.uniform(0.05, 1.0), partial(self.world.restart, self.node))

    def _cut_disk(self, count: int) -> None:
        disk = self.node.disk
        del disk.entries[count:]
        disk.durable = min(disk.durable, count)
        disk.released = None

    def _cut_link(self) -> None:
        others = [there for there, _ in self.node.links.values()]
        if others:
            self._note("closes a link")
            self.world.cut(self.node, self.chance.choice(others))

    def _drop_owner(self) -> None:
        """Report a present owner as silent or lost."""
        host_role = self.node.running.host_role
        if host_role is None or host_role.replay.closed is not None:
            return
        owners = [
            seat for seat in host_role.replay.absence.present_owners if seat != self.node.number
        ]
        if not owners or self.chance.random() < 0.5:
            return
        seat, why = self.chance.choice(owners), self.chance.choice(tuple(DropReason))
        running = self.node.running

        def drop() -> list[outputs.NodeOutput]:
            return running._route_host_role(host_role._drop(seat, why, self.world.now))

        try:
            todo = running._run(drop)
        except BodyRefused:
            running._queue.clear()
            return
        self._note("drops an owner that is present")
        self.world.do(self.node, todo)

    def _elect_again(self) -> bool:
        """Be elected with votes of its own, or ask all for theirs; return whether it is elected."""
        running = self.node.running
        replay = running.replay
        if replay.closed is not None or running.voter is None or replay.term > 200:
            return False
        standing = running._election_view()
        number = self.node.number
        if number not in standing.owners:
            return False
        term = max(standing.term, running.voter.promised) + 1
        votes: dict[int, SignedVote] = {}
        for each in self.dishonest():
            if each.number in standing.owners:
                identity = each.config.identities[0]
                end = (standing.last_term, standing.count, standing.head)
                vote = ElectionVote(standing.table, term, number, each.number, *end)
                votes[each.number] = sign_vote(vote, identity)
        if len(votes) < majority(len(standing.owners)) or len(standing.owners) < 3:
            if running.hosts:
                self._note("asks for votes again")
                reason = self.chance.choice((None, *votes.values()))
                ask = messages.RequestVote(
                    False, term, standing.last_term, standing.count, standing.head, reason
                )
                for link in list(self.node.links):
                    self.world.send(self.node, link, ask)
            return False
        self._note("is elected by its accomplices")
        won = Won(term, tuple(votes[seat] for seat in sorted(votes)))
        self.world.do(self.node, running._run(lambda: running._win_election(won)))
        return True

    # ---- forks --------------------------------------------------------------------------------

    def _maybe_begin_fork(self, node: SimulatedNode, entries_message: messages.Entries) -> None:
        """Perhaps begin a fork at entries that are about to be sent for the first time."""
        host_role = node.running.host_role
        if host_role is None or not entries_message.entries or entries_message.first == 0:
            return
        core = entries_message.entries[0].read()
        payload = core.signed_body.read().payload
        if entries_message.entries[0].hash in self._sent_hashes:
            return
        self._sent_hashes.add(entries_message.entries[0].hash)
        if (
            self.fork is not None
            or self._fork_count >= MOST_FORKS
            or self.world.now > ACTIVE_SECONDS - 5
        ):
            return
        if core.term != host_role.replay.term or isinstance(payload, Elect):
            return
        guests = {
            link: there
            for link, (there, _) in node.links.items()
            if there.honest and host_role._subscribers.seat_of(link) is not None
        }
        if not guests:
            return
        link = self.chance.choice(list(guests))
        after = [each for each, there in guests.items() if there.number == self._next_to_pass()]
        likely = self.fork_chance
        if core.signed_body.read().author in self._dishonest_seats():
            # A fork on which this step differs continues without any other node.
            likely = 0.2 if isinstance(payload, Escrow) else 2 * likely
            if isinstance(payload, Pass) and after:
                likely, link = 0.5, after[0]
        if self.chance.random() < likely:
            self._begin_fork(node, link, entries_message)

    def _dishonest_seats(self) -> set[int]:
        absence = self.node.running.replay.absence
        return {seat for each in self.dishonest() for seat in absence.seats_of(each.number)}

    def _next_to_pass(self) -> int | None:
        """Return the seat of the next pass."""
        replay = self.node.running.replay
        deal = None if replay.round is None else replay.round.deal
        if deal is None or deal.expected is None:
            return None
        return replay.owner_of(deal.expected[1])

    def _begin_fork(
        self, node: SimulatedNode, link: int, entries_message: messages.Entries
    ) -> None:
        host_role = node.running.host_role
        assert host_role is not None
        self._fork_count += 1
        self._note("shows a fork")
        self.fork = ForkedTable(
            self, node.links[link][0], link, host_role._entries[: entries_message.first]
        )
        self.fork.begin()
        lasts = self.chance.choice((0.3, 1.0, 3.0, LONGEST_FORK_SECONDS))
        self.world.after(self.chance.uniform(0.1, lasts), partial(self.give_up, self.fork))

    def give_up(self, fork: ForkedTable) -> None:
        """Abandon a fork, but keep nodes bound to it there as long as that may help.

        A program that restarts while no other node knows of the fork could have forgotten it.
        """
        if self.fork is not fork:
            return
        if (
            fork.has_released
            and fork.has_guests
            and self.world.now < fork.began + LONGEST_FORK_SECONDS
        ):
            self.world.after(0.5, partial(self.give_up, fork))
            return
        self._end_fork()

    def _end_fork(self) -> None:
        """Abandon a fork: in one way or another, its nodes return to the log of the others."""
        fork, self.fork = self.fork, None
        assert fork is not None
        fork.over = True
        self._count_results(fork)
        if self.node.program is None or self.node.run_number != fork.in_run:
            return
        how = self.chance.choice(("again",) * 5 + ("elected",) * 2 + ("cut", "kept"))
        how = "again" if fork.hidden and how != "kept" else how
        if how == "kept":
            self._keep_fork(fork)
        elif how == "cut":
            self._note("shows the first log again")
            self._cut_guests(fork)
        elif how == "elected" and self._elect_again():
            self._cut_guests(fork)
        else:
            self._note("gives up a fork and stands again")
            self.world.crash(self.node)
            if fork.hidden:
                self.moves["leaves no trace of a fork"] += 1
                self._cut_disk(fork.first)
            back = self.chance.uniform(0.05, 0.5)
            self.world.after(back, partial(self.world.restart, self.node))

    def _cut_guests(self, fork: ForkedTable) -> None:
        for guest in fork.guests.values():
            self.world.cut(self.node, guest)

    def _keep_fork(self, fork: ForkedTable) -> None:
        """Make the fork the log from now on."""
        self._note("keeps the fork")
        self.world.crash(self.node)
        disk = self.node.disk
        disk.entries = list(fork.host_role._entries)
        disk.durable = len(disk.entries)
        disk.released = None
        self.world.after(0.2, partial(self.world.restart, self.node))

    def _count_results(self, fork: ForkedTable) -> None:
        for name in fork.received:
            self.moves[f"given up: {name}"] += fork.received[name]
        self.moves["given up: with something released"] += fork.has_released
        self.moves["given up: entries"] += fork.host_role.replay.seq - fork.first

    # ---- messages -----------------------------------------------------------------------------

    def intercepts(self, node: SimulatedNode, link: int, message: AtTable) -> bool:
        """Whether a message is for the fork, and not for the host's program."""
        if self.fork is None or link not in self.fork.guests:
            return False
        if not isinstance(message, TO_HOST_ROLE):
            return False
        self.fork.receive(link, message)
        return True

    def outgoing(self, node: SimulatedNode, link: int, message: AtTable) -> Iterable[AtTable]:
        if isinstance(message, messages.Entries):
            self._maybe_begin_fork(node, message)
            if self.fork is not None:
                self.fork.add_guest(node, link, message)
        if self.fork is not None and self.fork.suppresses(link, message):
            return []
        self._send_or_delay(node, link, message)
        return []

    def _send_or_delay(self, node: SimulatedNode, link: int, message: AtTable) -> None:
        """Send now or later, perhaps with an additional message."""
        said = [message]
        if self.world.now < ACTIVE_SECONDS and self.chance.random() < self._extra_message_chance:
            said += self._extra_messages(node, message)
        self._sent = [*self._sent[-30:], message]
        wait = (
            self.chance.uniform(0.0, self._most_delay) if self.world.now < ACTIVE_SECONDS else 0.0
        )
        at = max(self.world.now + wait, self._sent_until.get(link, 0.0))
        self._sent_until[link] = at
        if at <= self.world.now:
            for each in said:
                self.world.send(node, link, each)
            return
        self.moves["delays"] += 1
        run = node.run_number
        self.world.after(at - self.world.now, partial(self._send_all, node, link, said, run))

    def _send_all(self, node: SimulatedNode, link: int, said: Sequence[AtTable], run: int) -> None:
        if node.run_number != run:
            return
        for each in said:
            self.world.send(node, link, each)

    def _extra_messages(self, node: SimulatedNode, message: AtTable) -> list[AtTable]:
        """Return old messages, old entries under new ones, or entries of an abandoned fork."""
        kind = self.chance.randrange(3)
        entries = [each for each in self._sent if isinstance(each, messages.Entries)]
        if kind == 0 and self._sent:
            self.moves["repeats a message"] += 1
            return [self.chance.choice(self._sent)]
        if kind == 1 and entries and isinstance(message, messages.Entries):
            self.moves["mixes old with new"] += 1
            old = self.chance.choice(entries)
            return [messages.Entries(old.first, (*old.entries, *message.entries))]
        ends = node.disk.aside
        if kind == 2 and ends and ends[-1]:
            self.moves["shows an abandoned fork"] += 1
            first = ends[-1][0].read().seq
            return [messages.Entries(first, tuple(ends[-1][:20]))]
        return []


GENERATED = AdversaryKind("generated host", lambda chance: GeneratedHost("generated host", chance))
"""With up to three owners at least one is honest, with more owners at least two."""
