"""Another end of a log, as a dishonest host makes it: a whole table of its own for some guests.

An office of the same host, the programs of all dishonest seats with their real secrets, and the
guests who are shown it. When one begins and how it is given up is in `generated_host.py`.
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
from lanuno.log.bodies import Body, DropReason, Listen, Pass, SignedBody, sign_body
from lanuno.log.entries import Entry
from lanuno.log.faults import BodyRefused
from lanuno.table import messages, outputs
from lanuno.table.computer import FROM_THE_OFFICE
from lanuno.table.messages import AtTable
from lanuno.table.recall import Recall, SeatRecall
from lanuno.table.sequencer import Sequencer
from lanuno.table.session import Session
from tests.harness.host_and_seats.moving import move
from tests.harness.log_table.following import followed
from tests.harness.node_world.world import Computer, World

LONGEST_TAIL = 12.0
"""Seconds for which guests are shown another tail, at most."""

STEP = 0.15
"""Seconds between two looks of the programs on another tail."""


class Maker(Protocol):
    """A dishonest host that shows other tails."""

    chance: Random
    moves: Counter[str]

    @property
    def world(self) -> World:
        """Where it sits."""

    @property
    def computer(self) -> Computer:
        """What it runs on."""

    def dishonest(self) -> list[Computer]:
        """All whom it commands."""

    def end_this(self, tail: Tail) -> None:
        """Give it up, or soon."""


class Tail:
    """Another end of the log, with an office and all dishonest seats, for some guests."""

    def __init__(self, host: Maker, guest: Computer, link: int, entries: Sequence[Entry]) -> None:
        """It parts from the log of the others behind these entries."""
        self.guests = {link: guest}
        """By link: who is shown it."""
        self.first = len(entries)
        self.began = host.world.now
        self.over = False
        self.heard: Counter[str] = Counter()
        """What the guest has said on it."""
        self._host = host
        self.in_run = host.computer.run
        self._world = host.world
        self._chance = host.chance
        self._todo: deque[Callable[[], None]] = deque()
        self._busy = False
        genesis = self._world.genesis
        leader = host.computer
        self.office = Sequencer(
            followed(genesis, entries),
            entries,
            leader.stay.identities[0],
            self._world.now,
            rounds=leader.stay.rounds,
        )
        others = [each for each in self._world.honest if each is not guest]
        self._wanted = self._chance.sample(others, self._chance.choice((0, 0, len(others) // 2)))
        """Who is shown it besides."""
        self._keys: dict[int, Identity] = {}
        """Of the dishonest seats."""
        self._seats: dict[int, list[Session]] = {}
        """By dishonest owner: the programs of its seats."""
        self._players: list[tuple[int, Session, Autoplay]] = []
        self._twists = self._chance.choice((0.0, 0.3, 1.0))
        """How likely a list of a dishonest seat is another than its program makes."""
        self._firm = self._chance.choice((0.0, 0.0, 0.1))
        """How likely everything is called firm."""
        self._unsure = self._firm == 0.0 and self._chance.random() < 0.5
        """Whether nothing on it is called firm, so that its guests are bound to none of it."""
        self.alone = self._chance.random() < 0.6
        """Whether nobody hears of any other end meanwhile. It can then be given up without a trace:
        no place in the log was taken twice in one term."""
        self._short = self._chance.choice((0.0, 0.1, 0.3))
        """How likely it is given up as soon as a guest has said something on it."""
        for computer in host.dishonest():
            if computer.number in self.office.replay.absence.here:
                self._seat(computer, entries)

    @property
    def heard_of(self) -> bool:
        """Whether somebody is still there to whom it is shown."""
        return bool(set(self.guests) & set(self._host.computer.links))

    @property
    def binds(self) -> bool:
        """Whether a guest has released something on it."""
        return any(
            guest.disk.released is not None and guest.disk.released.count > self.first
            for guest in self.guests.values()
        )

    def _seat(self, computer: Computer, entries: Sequence[Entry]) -> None:
        disk = computer.disk
        seats = {seat: SeatRecall(dict(seeds)) for seat, seeds in disk.seeds.items()}
        sessions: list[Session] = []
        roster = [info.identity for info in self.office.replay.roster.seats]
        for identity in computer.stay.identities:
            if identity.public not in roster:
                continue
            recall = Recall(self._world.genesis, (), seats)
            session = Session(
                self._world.genesis, identity, Random(self._chance.random()).randbytes, recall
            )
            session._read_again(entries, len(entries))
            session._durable = len(entries)
            session.presence = nobody
            sessions.append(session)
            self._keys[roster.index(identity.public)] = identity
            player = Autoplay(session, SensiblePlayer(Random(self._chance.random())))
            self._players.append((computer.number, session, player))
        self._seats[computer.number] = sessions

    # ---- driving ------------------------------------------------------------------------------

    def begin(self) -> None:
        """Its office opens, with the guest in contact."""
        now, office = self._world.now, self.office
        for link, guest in self.guests.items():
            self._attach(link, guest.number)
        for owner, sessions in self._seats.items():
            self._attach(-2 - owner, owner)
            for session in sessions:
                self._later(partial(self._seat_does, owner, session, session.begin))
                self._later(partial(self._seat_does, owner, session, session.connected))
        self._later(partial(self._office_does, partial(office.begin, now)))
        self._run()
        self._look()

    def _attach(self, peer: int, owner: int) -> None:
        attach = partial(self.office.attach, peer, owner, self.first, self._world.now)
        self._later(partial(self._office_does, attach))

    def show_also(self, computer: Computer, link: int, told: messages.Entries) -> None:
        """Somebody else is to be told of the log of the others from here on: or of this one."""
        there = computer.links.get(link)
        if there is None or there[0] not in self._wanted or told.first != self.first:
            return
        self._wanted.remove(there[0])
        self.guests[link] = there[0]
        self._host.moves["shows a tail to several"] += 1
        self._attach(link, there[0].number)
        self._run()

    def keeps_back(self, link: int, message: AtTable) -> bool:
        """Whether something that the host's own program says is not to be heard while it lasts."""
        if link in self.guests:
            return isinstance(message, FROM_THE_OFFICE)
        if not self.alone or not isinstance(message, messages.Entries | messages.Firm):
            return False
        end = message.count if isinstance(message, messages.Firm) else message.first + 1
        return end > self.first

    def hear(self, link: int, message: AtTable) -> None:
        """A guest says something on it."""
        if isinstance(message, messages.Submit):
            payload = message.body.read().payload
            self.heard[type(payload).__name__] += 1
            if not isinstance(payload, Listen) and self._chance.random() < self._short:
                self._world.after(
                    self._chance.uniform(0.0, 0.3), partial(self._host.end_this, self)
                )
        self._later(partial(self._office_hears, link, message))
        self._run()

    def _look(self) -> None:
        """Let time pass on it."""
        if self.over or self._host.computer.run != self.in_run:
            return
        if not self.heard_of:
            self._host.end_this(self)  # all to whom it was shown are gone
            return
        self._world.after(STEP, self._look)
        now = self._world.now
        self._later(partial(self._office_does, partial(self.office.tick, now)))
        for owner, session, player in self._players:
            if session.caught_up and session.stopped is None and player.wants() is not None:
                self._later(partial(self._seat_does, owner, session, partial(move, player)))
        if self._chance.random() < 0.05:
            self._later(self._drop)
        if self._chance.random() < self._firm:
            self._host.moves["calls firm what is not"] += 1
            for link in self.guests:
                self._say(link, messages.Firm(self.office.replay.seq))
        self._run()

    def _drop(self) -> None:
        replay = self.office.replay
        others = set(replay.absence.here) - {replay.host}
        if not others or replay.closed is not None:
            return
        # Mostly somebody who does not hear of it.
        here = {guest.number for guest in self.guests.values()}
        seat = self._chance.choice(sorted(others - here) or sorted(others))
        why = self._chance.choice((DropReason.LOST, DropReason.SILENT, DropReason.ATTACK))
        self._office_does(partial(self.office._drop, seat, why, self._world.now))
        self._host.moves["drops somebody on a tail"] += 1

    def _later(self, work: Callable[[], None]) -> None:
        self._todo.append(work)

    def _run(self) -> None:
        if self._busy:
            return
        self._busy = True
        while self._todo and not self.over:
            self._todo.popleft()()
        self._todo.clear()
        self._busy = False

    # ---- the office, the seats ----------------------------------------------------------------

    def _office_hears(self, peer: int, message: AtTable) -> None:
        # A liar says anything; an office takes no notice of what only hosts say.
        self._office_does(partial(self.office.receive, peer, message, self._world.now))  # type: ignore[arg-type]

    def _office_does(self, work: Callable[[], list[outputs.Output]]) -> None:
        try:
            todo = work()
        except BodyRefused:
            return
        for output in todo:
            if not isinstance(output, outputs.ToPeer):
                continue
            if output.peer in self.guests:
                if self._unsure and isinstance(output.message, messages.Firm):
                    continue
                self._say(output.peer, output.message)
                continue
            owner = -2 - output.peer
            for session in self._seats.get(owner, ()):
                if isinstance(output.message, FROM_THE_OFFICE):
                    hear = partial(session.receive, output.message)
                    self._later(partial(self._seat_does, owner, session, hear))

    def _say(self, link: int, message: AtTable) -> None:
        self._world.send(self._host.computer, link, message)

    def _seat_does(
        self, owner: int, session: Session, work: Callable[[], list[outputs.Output]]
    ) -> None:
        for output in work():
            match output:
                case outputs.ToHost():
                    message: AtTable = output.message
                    first = session is self._seats[owner][0]
                    if isinstance(message, messages.Ack) and not first:
                        continue
                    if isinstance(message, messages.Submit):
                        message = messages.Submit(self._twisted(message.body))
                    self._later(partial(self._office_hears, -2 - owner, message))
                case outputs.Compute():
                    self._later(
                        partial(
                            self._seat_does,
                            owner,
                            session,
                            partial(self._computed, session, output),
                        )
                    )
                case outputs.Sync():
                    synced = partial(session.synced, output)
                    self._later(partial(self._seat_does, owner, session, synced))
                case _:
                    pass

    def _computed(self, session: Session, job: outputs.Compute) -> list[outputs.Output]:
        return session.computed(job.job, self._world.audits.result(job.work))

    def _twisted(self, signed: SignedBody) -> SignedBody:
        """Another list than the program of a dishonest seat makes of what it was given."""
        body = signed.read()
        payload = body.payload
        if not isinstance(payload, Pass) or self._chance.random() >= self._twists:
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
        twisted = msgspec.structs.replace(payload, points=b"".join(parts))
        return self._sign(msgspec.structs.replace(body, payload=twisted))

    def _sign(self, body: Body) -> SignedBody:
        return sign_body(body, self._keys[body.author])


def nobody(owner: int, drop: bytes) -> bytes | None:
    """Nobody can be reached, it says."""
    del owner, drop
    return b""
