"""Whole tables of computers under one seed: a simulated clock, network and disk.

Every computer is a real `Member`; what a driver does with sockets, threads and files happens here
in memory. Everything that chance decides follows from the seed, so that a run can be had again.
What must always hold is looked at after every step (`invariants.py`); what goes wrong in a world,
and when, is chosen in `faults.py`; computers that lie are in `lying_nodes.py`.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random
from typing import Protocol

from lanuno.bots.autoplay import Autoplay
from lanuno.bots.player import Player
from lanuno.bots.sensible import SensiblePlayer
from lanuno.dealing.identity import Identity
from lanuno.log.genesis import (
    VERSION,
    Genesis,
    Roster,
    SeatInfo,
    encode_roster,
    nonce_commitment,
    sign_roster,
)
from lanuno.log.transcript import Transcript
from lanuno.rules.ruleset import Ruleset
from lanuno.table import outputs
from lanuno.table.computer import Stay
from lanuno.table.member import Member
from lanuno.table.messages import AtTable
from lanuno.table.release import Released
from lanuno.table.session import Session
from tests.harness.host_and_seats.moving import move
from tests.harness.log_table.audited_once import AuditedOnce
from tests.harness.node_world.disk import Disk

SILENCE = 4.0
"""Seconds after which a link that carries nothing is given up."""


class Crook(Protocol):
    """What is dishonest about a computer: an honest program, and what is changed in it."""

    def sit(self, world: World, computer: Computer) -> None:
        """Its program was just started."""

    def says(self, computer: Computer, link: int, message: AtTable) -> Iterable[AtTable]:
        """What it says instead of this."""


@dataclass(frozen=True)
class Weather:
    """How long words take from one computer to another, in seconds."""

    least: float = 0.002
    jitter: float = 0.0
    stalls: float = 0.0
    """How likely a word, with all that follow it on its connection, is held up for longer."""
    stall: float = 2.5
    """At most so much longer; a link that is silent for 4 s is given up."""


@dataclass
class Ambush:
    """A computer is struck when its program wants a certain thing."""

    kind: type
    how: str
    """`before` it is done, `behind` it, or `after` all that was wanted together."""
    skip: int = 0
    """So many times it goes well before that."""


@dataclass
class Computer:
    """One computer: its identities, its disk, and its program while that runs."""

    number: int
    """Also the owner's seat."""
    stay: Stay = field(repr=False)
    address: str = field(repr=False)
    disk: Disk = field(default_factory=Disk, repr=False)
    member: Member | None = None
    players: list[Autoplay] = field(default_factory=list)
    links: dict[int, tuple[Computer, int]] = field(default_factory=dict, repr=False)
    """By the number of a link here: the other computer, and its number there."""
    crook: Crook | None = None
    """What is dishonest about it."""
    idle: bool = False
    """Whether nobody touches anything here."""
    gone: bool = False
    """Whether the owner has left on purpose and is not to come back."""
    run: int = 0
    """How often the program was started; what an earlier one had asked for is void."""
    stopped: outputs.Stopped | None = None
    ambush: Ambush | None = None
    awake: bool = False
    due: tuple[int, float] | None = None
    """In which run, and when, its program is to look at its clock next."""

    @property
    def up(self) -> Member:
        """The running program."""
        assert self.member is not None
        return self.member

    @property
    def honest(self) -> bool:
        """Whether nothing is dishonest about it."""
        return self.crook is None


class World:
    """One table and everything around it."""

    def __init__(
        self,
        owners: int,
        seed: int,
        *,
        bots: Collection[int] = (),
        slow: Collection[int] = (),
        ruleset: Ruleset | None = None,
        rounds: int = 1,
    ) -> None:
        """`bots`: by the owner of each; they sit behind the people. `slow`: who wants time."""
        self.chance = Random(seed)
        self.seed = seed
        self.now = 0.0
        self.weather = Weather()
        self.work = 0.05
        """Seconds that a piece of work takes at most."""
        self.found_by_name = False
        """Whether a computer is found wherever it is, and not only the host."""
        self.happened: list[tuple[float, int, object]] = []
        """What the computers heard: when, who, what."""
        self.trace: list[str] | None = None
        self.on_step: Callable[[Computer, outputs.Output], None] | None = None
        self.player: Callable[[Session], Player] = self._sensible
        """Makes whoever decides for a seat."""
        self.walls: set[frozenset[int]] = set()
        """Pairs of computers between which nothing passes."""
        self.in_vain: set[tuple[int, int]] = set()  # computers, and owners not reached from there
        self._heap: list[tuple[float, int, Callable[[], None]]] = []
        self._count = 0
        self._links = 0
        self._moves = 0
        self._busy: dict[int, float] = {}
        """By link: when the last word that was said over it arrives."""
        self._deaf: set[int] = set()
        """Links on which something was lost: nothing that is said later arrives either."""
        self.audits = AuditedOnce()
        people = [Identity.from_seed(self.chance.randbytes(32)) for _ in range(owners)]
        robots = [(Identity.from_seed(self.chance.randbytes(32)), owner) for owner in bots]
        seats = [(person, person) for person in people]
        seats += [(bot, people[owner]) for bot, owner in robots]
        self.genesis = _genesis(seats, frozenset(slow), ruleset or Ruleset(), self.chance)
        self.computers = [
            Computer(
                number,
                Stay(
                    identities=(person, *(bot for bot, owner in robots if owner == number)),
                    entropy=Random(self.chance.random()).randbytes,
                    rounds=rounds,
                    port=40_000 + number,
                ),
                f"10.0.0.{number}",
            )
            for number, person in enumerate(people)
        ]

    # ---- driving ----------------------------------------------------------------------------

    def start(self) -> None:
        """The log begins: everybody is connected to the host."""
        host = self.computers[0]
        for computer in self.computers:
            computer.member = Member(self.genesis, computer.stay)
            self._sit(computer)
        for guest in self.computers[1:]:
            self._connect(guest, host)
        for computer in self.computers:
            self.do(computer, computer.up.begin(self.now))

    def run(
        self,
        until: Callable[[], bool],
        most: float = 3_600.0,
        steps: int = 400_000,
        every: int = 1,
    ) -> bool:
        """Let things happen until something is so; False if time or steps run out.

        `every`: so many steps are between two looks at it.
        """
        for step in range(steps):
            if step % every == 0 and until():
                return True
            if not self._heap or self._heap[0][0] > most:
                return until()
            self.now, _, action = heapq.heappop(self._heap)
            action()
        return False

    def after(self, seconds: float, action: Callable[[], None]) -> None:
        """Let something happen later."""
        self._at(self.now + seconds, action)

    # ---- what goes wrong --------------------------------------------------------------------

    def crash(self, computer: Computer, *, power: bool = False) -> None:
        """The program is killed, or the computer loses its power."""
        if computer.member is None:
            return
        self.note(computer, "loses power" if power else "is killed")
        computer.member = None
        computer.run += 1
        self.in_vain = {each for each in self.in_vain if each[0] != computer.number}
        if power:
            computer.disk.lose_power(self.genesis, self.chance)
        for link in list(computer.links):
            # What a killed program has said may still arrive, as its system closes for it.
            said = self._until_said(link) if self.chance.random() < 0.5 else 0.0
            self._break(computer, link, silent=SILENCE if power else 0.0, delay=said)

    def restart(self, computer: Computer) -> None:
        """The program is started again."""
        if computer.member is not None:
            return
        self.note(computer, "starts again")
        computer.awake = False
        computer.member = Member(self.genesis, computer.stay, computer.disk.recall(self.genesis))
        self._sit(computer)
        self.do(computer, computer.up.begin(self.now))

    def cut(self, computer: Computer, other: Computer) -> None:
        """A connection between two computers breaks, if there is one."""
        for link, (there, _) in list(computer.links.items()):
            if there is other:
                self._break(computer, link, both=True)

    def wall(self, computer: Computer, other: Computer) -> None:
        """Nothing passes between two computers any more."""
        self.walls.add(frozenset((computer.number, other.number)))
        for link, (there, _) in list(computer.links.items()):
            if there is other:
                self._die(computer, link)

    def open_walls(self) -> None:
        """Everything passes again."""
        self.walls.clear()

    def move(self, computer: Computer, *, port: int | None = None) -> None:
        """A computer gets another address (and its program, once started again, another port)."""
        self._moves += 1
        computer.address = f"10.0.{self._moves}.{computer.number}"
        self.note(computer, f"is at {computer.address} now")
        if port is not None and computer.member is None:
            computer.stay = replace(computer.stay, port=port)
        for link in list(computer.links):
            self._die(computer, link)

    def _die(self, computer: Computer, link: int) -> None:
        """Nothing passes over a link any more; both sides notice by the silence."""
        self._deaf |= {link, computer.links[link][1]}
        self.after(SILENCE, partial(self._break_if_there, computer, link))

    def _break_if_there(self, computer: Computer, link: int) -> None:
        if link in computer.links:
            self._break(computer, link, both=True, silent=SILENCE)

    # ---- inside -----------------------------------------------------------------------------

    def _at(self, moment: float, action: Callable[[], None]) -> None:
        self._count += 1
        heapq.heappush(self._heap, (moment, self._count, action))

    def note(self, computer: Computer, what: object) -> None:
        """Something worth reading in a trace."""
        if self.trace is not None:
            self.trace.append(f"{self.now:9.3f} {computer.number}: {what}")

    def _sensible(self, session: Session) -> Player:
        return SensiblePlayer(Random(self.chance.random()))

    def _sit(self, computer: Computer) -> None:
        computer.players = [
            Autoplay(session, self.player(session)) for session in computer.up.sessions
        ]
        if computer.crook is not None:
            computer.crook.sit(self, computer)

    def _connect(self, one: Computer, two: Computer) -> None:
        """A link between two computers; `one` made it."""
        self._links += 2
        here, there = self._links, self._links + 1
        self.in_vain -= {(one.number, two.number), (two.number, one.number)}
        one.links[here], two.links[there] = (two, there), (one, here)
        one.disk.places[two.number] = (two.address, two.stay.port)
        self.do(two, two.up.linked(there, one.number, self.now, address=one.address))
        if here in one.links and one.member is not None:
            todo = one.member.linked(here, two.number, self.now, address=two.address, dialled=True)
            self.do(one, todo)

    def _until_said(self, link: int) -> float:
        """Seconds until everything that was said over a link has arrived."""
        return max(0.0, self._busy.get(link, 0.0) - self.now)

    def _break(
        self,
        computer: Computer,
        link: int,
        *,
        both: bool = False,
        silent: float = 0.0,
        delay: float = 0.0,
    ) -> None:
        """The other side learns of it `delay` seconds later, or after a silence."""
        other, there = computer.links.pop(link)
        if both and computer.member is not None:
            self.do(computer, computer.member.unlinked(link, self.now, silent=silent))
        later = silent if silent and not both else delay
        self.after(later, partial(self._lose, other, there, silent))

    def _lose(self, computer: Computer, link: int, silent: float) -> None:
        if computer.links.pop(link, None) is not None and computer.member is not None:
            self.do(computer, computer.member.unlinked(link, self.now, silent=silent))

    def do(self, computer: Computer, todo: list[outputs.Output]) -> None:
        """Carry out what a computer wants, in order."""
        run, struck = computer.run, False
        for output in todo:
            if computer.run != run:
                return
            ambush = self._ambushed(computer, output)
            if ambush == "before":
                self._strike(computer)
                return
            if self.on_step is not None:
                self.on_step(computer, output)
            self._carry_out(computer, output)
            if ambush == "behind" and computer.run == run:
                self._strike(computer)
                return
            struck = struck or ambush == "after"
        if struck and computer.run == run:
            self._strike(computer)
        if computer.member is not None:
            deadline = computer.member.deadline
            if deadline is not None and computer.due != (run, deadline):
                computer.due = (run, deadline)
                self.after(
                    max(0.0, deadline - self.now) + 0.001, partial(self._tick, computer, run)
                )

    def _ambushed(self, computer: Computer, output: outputs.Output) -> str:
        """Whether, and when, this output is the one at which a computer is struck."""
        ambush = computer.ambush
        if ambush is None or not isinstance(output, ambush.kind):
            return ""
        ambush.skip -= 1
        if ambush.skip != -1:
            return ""  # not yet; or, of one that waits for several computers, not any more
        computer.ambush = None
        return ambush.how

    def _strike(self, computer: Computer) -> None:
        self.crash(computer, power=self.chance.random() < 0.7)
        self.after(self.chance.uniform(0.2, 6.0), partial(self.restart, computer))

    def _tick(self, computer: Computer, run: int) -> None:
        if computer.run != run or computer.member is None:
            return
        computer.due = None
        deadline = computer.member.deadline
        if deadline is not None and deadline <= self.now:
            self.do(computer, computer.member.tick(self.now))

    def _carry_out(self, computer: Computer, output: outputs.Output) -> None:
        disk, run = computer.disk, computer.run
        match output:
            case outputs.ToLink():
                crook, said = computer.crook, output.message
                for each in [said] if crook is None else crook.says(computer, output.link, said):
                    self.send(computer, output.link, each)
            case outputs.Dial():
                self.after(
                    self.chance.uniform(0.001, 0.05),
                    partial(self._dial, computer, output, run),
                )
            case outputs.HangUp():
                if output.link in computer.links:
                    later = self._until_said(output.link) + 0.001
                    self.after(later, partial(self._hang_up, computer, output.link))
            case outputs.KeepGenesis():
                disk.begun = True
            case outputs.KeepEntry():
                assert disk.begun, "an entry before its genesis"
                disk.entries.append(output.entry)
            case outputs.CutEntries():
                disk.cut(output.count)
            case outputs.Sync():
                self.after(
                    self.chance.uniform(0.0002, 0.02), partial(self._sync, computer, output, run)
                )
            case outputs.KeepSecret():
                disk.seeds.setdefault(output.seat, {})[output.open, output.label] = output.secret
            case outputs.KeepBody():
                disk.bodies.setdefault(output.seat, {})[output.counter] = output.signed
                disk.promise(output.seat, output.counter)
            case outputs.KeepBot():
                assert disk.stand_ins.setdefault(output.seat, output.seed) == output.seed
            case outputs.KeepVote():
                disk.votes[output.term] = output.data
            case outputs.KeepRelease():
                disk.released = Released(output.count, output.head)
            case outputs.KeepOtherEnd():
                disk.aside.append(list(output.entries))
            case outputs.Compute():
                self.after(
                    self.chance.uniform(0.001, self.work),
                    partial(self._compute, computer, output, run),
                )
            case outputs.Changed() | outputs.ActionRefused():
                if isinstance(output, outputs.ActionRefused):
                    for player in computer.players:
                        player.refused()
                self._wake(computer)
            case outputs.Happened():
                self.happened.append((self.now, computer.number, output.event))
                if self.trace is not None and computer.up.hosts:
                    self.note(computer, output.event)
            case outputs.Stopped():
                computer.stopped = output
                self.note(computer, output)
            case outputs.Hosting() | outputs.TableFrozen() | outputs.TableWaits():
                self.note(computer, output)
            case _:
                pass

    # ---- words, links -----------------------------------------------------------------------

    def send(self, computer: Computer, link: int, message: AtTable) -> None:
        """Say something over a link; one connection keeps its order."""
        ends = computer.links.get(link)
        if ends is None or link in self._deaf:
            return
        if frozenset((computer.number, ends[0].number)) in self.walls:
            self._deaf.add(link)
            return
        delay = self.weather.least + self.chance.uniform(0.0, self.weather.jitter)
        if self.weather.stalls and self.chance.random() < self.weather.stalls:
            delay += self.chance.uniform(0.0, self.weather.stall)
        # Never as a difference of moments: that may be a little less, and two words change places.
        self._busy[link] = max(self.now + delay, self._busy.get(link, 0.0))
        self._at(self._busy[link], partial(self._arrive, *ends, message))

    def _arrive(self, computer: Computer, link: int, message: AtTable) -> None:
        if link not in computer.links or computer.member is None:
            return
        hears = getattr(computer.crook, "hears", None)  # some do not let their program hear all
        if hears is None or not hears(computer, link, message):
            self.do(computer, computer.member.heard(link, message, self.now))

    def _dial(self, computer: Computer, dial: outputs.Dial, run: int) -> None:
        if computer.run != run or computer.member is None:
            return
        other = self._reach(computer, dial)
        if other is None or other.number != dial.seat:
            self.after(
                self.chance.choice((0.01, 2.0)),
                partial(self._unreachable, computer, dial.seat, run),
            )
        if other is not None:
            self._connect(computer, other)

    def _reach(self, computer: Computer, dial: outputs.Dial) -> Computer | None:
        """Where it was seen last, else whoever announces this table."""
        there = [each for each in self.running if each is not computer]
        there = [each for each in there if self._passes(computer, each)]
        known = computer.disk.places.get(dial.seat)
        for place in (*dial.places, *(() if known is None else (known,))):
            for each in there:
                if (each.address, each.stay.port) == place and each.number == dial.seat:
                    return each
        if self.found_by_name:
            return next((each for each in there if each.number == dial.seat), None)
        hosts = [each for each in there if each.up.hosts]
        return hosts[-1] if hosts and self.chance.random() < 0.5 else None

    def _passes(self, one: Computer, two: Computer) -> bool:
        """Whether a connection between two computers can be made."""
        return frozenset((one.number, two.number)) not in self.walls

    def _unreachable(self, computer: Computer, seat: int, run: int) -> None:
        if computer.run == run and computer.member is not None:
            self.in_vain.add((computer.number, seat))
            self.do(computer, computer.member.unreachable(seat, self.now))

    def _hang_up(self, computer: Computer, link: int) -> None:
        if link in computer.links:
            self._break(computer, link, both=True)

    # ---- disk, work, players ----------------------------------------------------------------

    def _sync(self, computer: Computer, done: outputs.Sync, run: int) -> None:
        if computer.run == run and computer.member is not None:
            # Everything that is in the file by now is on the disk, whoever asked for it.
            computer.disk.durable = max(
                computer.disk.durable, min(done.count, len(computer.disk.entries))
            )
            self.do(computer, computer.member.synced(done, self.now))

    def _compute(self, computer: Computer, job: outputs.Compute, run: int) -> None:
        if computer.run == run and computer.member is not None:
            self.do(
                computer, computer.member.computed(job.job, self.audits.result(job.work), self.now)
            )

    def _wake(self, computer: Computer) -> None:
        if not computer.awake:
            computer.awake = True
            self.after(
                self.chance.uniform(0.02, 0.2), partial(self._let_play, computer, computer.run)
            )

    def _let_play(self, computer: Computer, run: int) -> None:
        computer.awake = False
        if computer.run != run or computer.member is None or computer.idle:
            return
        sessions = computer.member.sessions
        for session in sessions[len(computer.players) :]:  # bots that fill a chair by now
            computer.players.append(Autoplay(session, self.player(session)))
        for player, session in list(zip(computer.players, sessions, strict=True)):
            if session.caught_up and player.wants() is not None:
                todo = move(player)
                self.do(computer, computer.member.carry_out(session, todo, self.now))
                if computer.run != run:
                    return

    def touch(self, computer: Computer) -> None:
        """Somebody is there again."""
        computer.idle = False
        if computer.member is not None:
            self._wake(computer)

    # ---- looking ----------------------------------------------------------------------------

    @property
    def running(self) -> Iterator[Computer]:
        """Computers whose program runs."""
        return (computer for computer in self.computers if computer.member is not None)

    @property
    def honest(self) -> tuple[Computer, ...]:
        """Computers about which nothing is dishonest."""
        return tuple(computer for computer in self.computers if computer.honest)

    def transcript(self, computer: Computer) -> Transcript:
        """What is in a computer's journal."""
        return Transcript(self.genesis, tuple(computer.disk.entries), torn=False)


def _genesis(
    seats: list[tuple[Identity, Identity]], slow: frozenset[int], ruleset: Ruleset, chance: Random
) -> Genesis:
    nonces = tuple(chance.randbytes(32) for _ in seats)
    roster = Roster(
        VERSION,
        chance.randbytes(16),
        0,
        ruleset,
        tuple(
            SeatInfo(
                name=f"p{number}",
                identity=seat.public,
                owner=owner.public,
                bot=owner is not seat,
                slow_clock=number in slow,
                nonce=nonce_commitment(seat.public, nonces[number]),
            )
            for number, (seat, owner) in enumerate(seats)
        ),
    )
    data = encode_roster(roster)
    return Genesis(data, tuple(sign_roster(data, seat) for seat, _ in seats), nonces)
