"""A fork of a log made by a dishonest host: a separate table for some of its guests.

It has a host role with the same identity, the seat sessions of all dishonest seats with their real
secrets, and the guests to whom the fork is sent. `generated_host.py` decides when a fork begins and
how it is abandoned.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Protocol

import msgspec

from lanuno.bots.autoplay import Autoplay
from lanuno.bots.sensible import SensiblePlayer
from lanuno.dealing.curve import POINT_BYTES
from lanuno.dealing.identity import Identity
from lanuno.log.faults import BodyRefused
from lanuno.log.format.bodies import Body, DropReason, Listen, Pass, SignedBody, sign_body
from lanuno.log.format.entries import Entry
from lanuno.table import messages, outputs
from lanuno.table.host.role import HostRole
from lanuno.table.messages import AtTable
from lanuno.table.node import FROM_HOST_ROLE
from lanuno.table.recovery import RecoveredSeat
from lanuno.table.replica.replica import Replica
from lanuno.table.replica.seat import SeatSession
from tests.harness.host_and_seats.acknowledging import NO_LINK, Certificates, acknowledgement
from tests.harness.host_and_seats.moving import act_now
from tests.harness.log_table.replaying import replayed
from tests.harness.node_world.world import SimulatedNode, World

LONGEST_FORK_SECONDS = 12.0
"""The longest time for which guests receive a fork, in seconds."""

TICK_SECONDS = 0.15
"""Seconds between two ticks of the programs on a fork."""


class ForkingHost(Protocol):
    """A dishonest host that sends forks."""

    chance: Random
    moves: Counter[str]

    @property
    def world(self) -> World:
        """The world in which it runs."""

    @property
    def node(self) -> SimulatedNode:
        """The host's node."""

    def dishonest(self) -> list[SimulatedNode]:
        """All nodes that it commands."""

    def give_up(self, fork: ForkedTable) -> None:
        """Abandon a fork now or soon."""


class ForkedTable:
    """A fork of the log with a host role and all dishonest seats, for some guests."""

    def __init__(
        self, host: ForkingHost, guest: SimulatedNode, link: int, entries: Sequence[Entry]
    ) -> None:
        """`entries`: the part that it shares with the log of the others."""
        self.guests = {link: guest}
        """By link: the node that receives it."""
        self.first = len(entries)
        self.began = host.world.now
        self.over = False
        self.received: Counter[str] = Counter()
        """The bodies that the guest has sent on it."""
        self._host = host
        self.in_run = host.node.run_number
        self._world = host.world
        self._chance = host.chance
        self._todo: deque[Callable[[], None]] = deque()
        self._busy = False
        genesis = self._world.genesis
        leader = host.node
        self.host_role = HostRole(
            replayed(genesis, entries),
            entries,
            leader.config.identities[0],
            self._world.now,
            rounds=leader.config.rounds,
        )
        others = [each for each in self._world.honest if each is not guest]
        self._later_guests = self._chance.sample(
            others, self._chance.choice((0, 0, len(others) // 2))
        )
        """Further nodes that receive it."""
        self._keys: dict[int, Identity] = {}
        """Keys of the dishonest seats, by seat."""
        self._seats: dict[int, list[SeatSession]] = {}
        """By dishonest owner: the programs of its seats."""
        self._players: list[tuple[int, SeatSession, Autoplay]] = []
        self._changed_list_chance = self._chance.choice((0.0, 0.3, 1.0))
        """The probability that a dishonest seat publishes another list than its program makes."""
        self._hides_finality = self._chance.random() < 0.5
        """Whether nobody else acknowledges it, so that its guests are not bound to it."""
        self._certificates = Certificates()
        """Those of the dishonest owners and of the guests."""
        self.hidden = self._chance.random() < 0.6
        """Whether no node receives any other end meanwhile. The fork can then be abandoned without
        a trace: no place in the log was used twice in one term."""
        self._give_up_chance = self._chance.choice((0.0, 0.1, 0.3))
        """The probability that it is abandoned as soon as a guest has sent a body on it."""
        for node in host.dishonest():
            if node.number in self.host_role.replay.absence.present_owners:
                self._seat(node, entries)

    @property
    def has_guests(self) -> bool:
        """Whether a node that receives it is still there."""
        return bool(set(self.guests) & set(self._host.node.links))

    @property
    def has_released(self) -> bool:
        """Whether a guest has released something on it."""
        return any(
            guest.disk.released is not None and guest.disk.released.count > self.first
            for guest in self.guests.values()
        )

    def _seat(self, node: SimulatedNode, entries: Sequence[Entry]) -> None:
        disk = node.disk
        seats = {seat: RecoveredSeat(dict(seeds)) for seat, seeds in disk.seeds.items()}
        sessions: list[SeatSession] = []
        roster = [info.identity for info in self.host_role.replay.roster.seats]
        for identity in node.config.identities:
            if identity.public not in roster:
                continue
            session = SeatSession(
                Replica(self._world.genesis),
                identity,
                Random(self._chance.random()).randbytes,
                seats,
            )
            session.replica._read_again(entries, len(entries))
            session.replica.on_disk = len(entries)
            session.presence_of = never_reachable
            sessions.append(session)
            self._keys[roster.index(identity.public)] = identity
            player = Autoplay(session, SensiblePlayer(Random(self._chance.random())))
            self._players.append((node.number, session, player))
        self._seats[node.number] = sessions

    # ---- driving ------------------------------------------------------------------------------

    def begin(self) -> None:
        """Start its host role, with the guest in contact."""
        now, host_role = self._world.now, self.host_role
        for link, guest in self.guests.items():
            self._attach(link, guest.number)
        for owner, sessions in self._seats.items():
            self._attach(-2 - owner, owner)
            for session in sessions:
                self._enqueue(partial(self._seat_does, owner, session, session.replica.begin))
                self._enqueue(partial(self._seat_does, owner, session, session.replica.connected))
        self._enqueue(partial(self._host_does, partial(host_role.begin, now)))
        self._run()
        self._tick()

    def _attach(self, peer: int, owner: int) -> None:
        attach = partial(self.host_role.attach, peer, owner, self.first, self._world.now)
        self._enqueue(partial(self._host_does, attach))

    def add_guest(self, node: SimulatedNode, link: int, entries_message: messages.Entries) -> None:
        """From here on, send another node this log, or the log of the others."""
        there = node.links.get(link)
        if (
            there is None
            or there[0] not in self._later_guests
            or entries_message.first != self.first
        ):
            return
        self._later_guests.remove(there[0])
        self.guests[link] = there[0]
        self._host.moves["shows a fork to several"] += 1
        self._attach(link, there[0].number)
        self._run()

    def suppresses(self, link: int, message: AtTable) -> bool:
        """Whether a message of the host's own program is suppressed while the fork lasts."""
        if link in self.guests:
            return isinstance(message, FROM_HOST_ROLE)
        shows = isinstance(message, messages.Entries) and message.first >= self.first
        return self.hidden and shows

    def receive(self, link: int, message: AtTable) -> None:
        """Receive a guest's message on the fork."""
        if isinstance(message, messages.Submit):
            payload = message.body.read().payload
            self.received[type(payload).__name__] += 1
            if not isinstance(payload, Listen) and self._chance.random() < self._give_up_chance:
                self._world.after(self._chance.uniform(0.0, 0.3), partial(self._host.give_up, self))
        self._enqueue(partial(self._host_receives, link, message))
        self._run()

    def _tick(self) -> None:
        """Let time pass on the fork."""
        if self.over or self._host.node.run_number != self.in_run:
            return
        if not self.has_guests:
            self._host.give_up(self)  # all to whom it was shown are gone
            return
        self._world.after(TICK_SECONDS, self._tick)
        now = self._world.now
        self._enqueue(partial(self._host_does, partial(self.host_role.tick, now)))
        for owner, session, player in self._players:
            if (
                session.replica.caught_up
                and session.replica.stopped is None
                and player.next_action() is not None
            ):
                self._enqueue(partial(self._seat_does, owner, session, partial(act_now, player)))
        if self._chance.random() < 0.05:
            self._enqueue(self._drop)
        self._run()

    def _drop(self) -> None:
        replay = self.host_role.replay
        others = set(replay.absence.present_owners) - {replay.host}
        if not others or replay.closed is not None:
            return
        # Mostly a node that does not receive the fork.
        here = {guest.number for guest in self.guests.values()}
        seat = self._chance.choice(sorted(others - here) or sorted(others))
        why = self._chance.choice((DropReason.LOST, DropReason.SILENT, DropReason.ATTACK))
        self._host_does(partial(self.host_role._drop, seat, why, self._world.now))
        self._host.moves["drops an owner on a fork"] += 1

    def _enqueue(self, work: Callable[[], None]) -> None:
        self._todo.append(work)

    def _run(self) -> None:
        if self._busy:
            return
        self._busy = True
        while self._todo and not self.over:
            self._todo.popleft()()
        self._todo.clear()
        self._busy = False

    # ---- the host role, the seats -------------------------------------------------------------

    def _host_receives(self, peer: int, message: AtTable) -> None:
        if isinstance(message, messages.Statements):
            self._spread(message)
            work = partial(self._certificates.count, self.host_role, message, self._world.now)
        else:
            work = partial(self.host_role.receive, peer, message, self._world.now)
        self._host_does(work)

    def _host_does(self, work: Callable[[], Sequence[outputs.Output]]) -> None:
        try:
            todo = work()
        except BodyRefused:
            return
        for output in todo:
            if not isinstance(output, outputs.Send):
                continue
            if output.link in self.guests:
                self._send(output.link, output.message)
                continue
            owner = -2 - output.link
            for session in self._seats.get(owner, ()):
                if isinstance(output.message, FROM_HOST_ROLE):
                    hear = partial(session.replica.receive, output.message)
                    self._enqueue(partial(self._seat_does, owner, session, hear))

    def _spread(self, message: messages.Statements) -> None:
        """Send acknowledgements to all guests, as an honest host does."""
        known = self._certificates.known
        for signed in message.signed:
            known.take(self.host_role.replay, NO_LINK, signed, self._world.now)
        for link in self.guests:
            fresh = known.unexchanged(self.host_role.replay, link)
            if fresh and not self._hides_finality:
                self._send(link, messages.Statements(fresh))
        for owner, sessions in self._seats.items():
            for session in sessions:
                done = partial(session.replica.certified, known.certified(session.replay))
                self._enqueue(partial(self._seat_does, owner, session, done))

    def _send(self, link: int, message: AtTable) -> None:
        self._world.send(self._host.node, link, message)

    def _seat_does(
        self, owner: int, session: SeatSession, work: Callable[[], Sequence[outputs.Output]]
    ) -> None:
        for output in work():
            match output:
                case outputs.Send():
                    message: AtTable = output.message
                    if isinstance(message, messages.Submit):
                        message = messages.Submit(self._with_changed_list(message.body))
                    self._enqueue(partial(self._host_receives, -2 - owner, message))
                case outputs.EntriesOnDisk() if session is self._seats[owner][0]:
                    identity = self._world.nodes[owner].config.identities[0]
                    said = acknowledgement(session.replay, owner, identity, output.count)
                    self._enqueue(partial(self._host_receives, -2 - owner, said))
                case outputs.RunJob():
                    self._enqueue(
                        partial(
                            self._seat_does,
                            owner,
                            session,
                            partial(self._computed, session, output),
                        )
                    )
                case outputs.SyncJournal():
                    synced = partial(session.replica.synced, output)
                    self._enqueue(partial(self._seat_does, owner, session, synced))
                case _:
                    pass

    def _computed(self, session: SeatSession, job: outputs.RunJob) -> Sequence[outputs.Output]:
        return session.job_done(job.job, self._world.audits.result(job.work))

    def _with_changed_list(self, signed: SignedBody) -> SignedBody:
        """Return another list than a dishonest seat's program makes from its input."""
        body = signed.read()
        payload = body.payload
        if not isinstance(payload, Pass) or self._chance.random() >= self._changed_list_chance:
            return signed
        points = payload.points
        parts = [points[at : at + POINT_BYTES] for at in range(0, len(points), POINT_BYTES)]
        how = self._chance.choice(("turned", "swapped", "reversed", "shuffled"))
        if how == "turned":
            by = self._chance.randrange(1, len(parts)) if len(parts) > 1 else 0
            parts = parts[by:] + parts[:by]
        elif how == "swapped" and len(parts) > 1:
            one, two = self._chance.sample(range(len(parts)), 2)
            parts[one], parts[two] = parts[two], parts[one]
        elif how == "reversed":
            parts.reverse()
        else:
            self._chance.shuffle(parts)
        self._host.moves[f"shows a list that is {how}"] += 1
        changed = msgspec.structs.replace(payload, points=b"".join(parts))
        return self._sign(msgspec.structs.replace(body, payload=changed))

    def _sign(self, body: Body) -> SignedBody:
        return sign_body(body, self._keys[body.author])


def never_reachable(owner: int, drop: bytes) -> bytes | None:
    """Report that no owner can be reached."""
    del owner, drop
    return b""
