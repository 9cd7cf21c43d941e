"""Whole tables of computers under one seed: a simulated clock, network and disk.

Every computer is a real `Member`; what a driver does with sockets, threads and files happens here
in memory. Everything that chance decides follows from the seed, so that a run can be had again.
What must always hold is looked at after every step (`invariants.py`); what goes wrong in a world,
and when, is chosen in `faults.py`.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from random import Random
from unittest.mock import patch

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from lanuno.bots.autoplay import Autoplay
from lanuno.bots.sensible import SensiblePlayer
from lanuno.dealing.errors import SealError
from lanuno.dealing.hashing import H
from lanuno.dealing.identity import Identity
from lanuno.log.bodies import SignedBody
from lanuno.log.entries import Entry
from lanuno.log.genesis import (
    VERSION,
    Genesis,
    Roster,
    SeatInfo,
    encode_roster,
    nonce_commitment,
    sign_roster,
)
from lanuno.log.round_audit import audit_round
from lanuno.log.round_record import RoundRecord
from lanuno.log.transcript import Transcript
from lanuno.rules.ruleset import Ruleset
from lanuno.table import outputs
from lanuno.table.computer import Stay
from lanuno.table.member import Member
from lanuno.table.messages import AtTable
from lanuno.table.recall import Recall, SeatRecall

COUNTERS_AT_ONCE = 256
SILENCE = 4.0
"""Seconds after which a link that carries nothing is given up."""


@dataclass
class Disk:
    """What one computer has written; `durable` says how much of it survives a loss of power."""

    begun: bool = False
    entries: list[Entry] = field(default_factory=list)
    durable: int = 0
    aside: list[list[Entry]] = field(default_factory=list)
    seeds: dict[int, dict[tuple[bytes, str], bytes]] = field(default_factory=dict)
    bodies: dict[int, dict[int, SignedBody]] = field(default_factory=dict)
    bounds: dict[int, int] = field(default_factory=dict)
    votes: dict[int, bytes] = field(default_factory=dict)

    def lose_power(self, chance: Random) -> None:
        """What was not on the disk itself may be gone, wholly or from some point on."""
        kept = chance.randint(self.durable, max(self.durable, len(self.entries)))
        del self.entries[kept:]
        for kept_bodies in self.bodies.values():
            for counter in sorted(kept_bodies)[-chance.randint(0, 8) or len(kept_bodies) :]:
                del kept_bodies[counter]

    def recall(self, genesis: Genesis) -> Recall:
        """What a program that starts again reads."""
        seats = {
            seat: SeatRecall(
                dict(self.seeds.get(seat, {})),
                dict(self.bodies.get(seat, {})),
                self.bounds.get(seat, 0),
            )
            for seat in {*self.seeds, *self.bodies, *self.bounds}
        }
        return Recall(genesis, tuple(self.entries), seats, dict(self.votes))


@dataclass
class Computer:
    """One computer: its identities, its disk, and its program while that runs."""

    number: int
    """Also the owner's seat."""
    stay: Stay
    disk: Disk = field(default_factory=Disk)
    member: Member | None = None
    players: list[Autoplay] = field(default_factory=list)
    links: dict[int, tuple[Computer, int]] = field(default_factory=dict)
    """By the number of a link here: the other computer, and its number there."""
    idle: bool = False
    """Whether nobody touches anything here."""
    gone: bool = False
    """Whether the owner has left on purpose and is not to come back."""
    run: int = 0
    """How often the program was started; what an earlier one had asked for is void."""
    stopped: outputs.Stopped | None = None
    ambush: type | None = None
    """The next time that it wants this, it is interrupted right behind it."""
    awake: bool = False

    @property
    def up(self) -> Member:
        """The running program."""
        assert self.member is not None
        return self.member


class World:
    """One table and everything around it."""

    def __init__(
        self,
        owners: int,
        seed: int,
        *,
        bots: int = 0,
        ruleset: Ruleset | None = None,
        rounds: int = 1,
    ) -> None:
        """`bots`: of the first host."""
        self.chance = Random(seed)
        self.seed = seed
        self.now = 0.0
        self.happened: list[tuple[float, int, object]] = []
        """What the computers heard: when, who, what."""
        self.trace: list[str] | None = None
        self.on_step: Callable[[Computer, outputs.Output], None] | None = None
        self.walls: set[frozenset[int]] = set()
        """Pairs of computers between which nothing passes."""
        self._heap: list[tuple[float, int, Callable[[], None]]] = []
        self._count = 0
        self._links = 0
        self._audits: dict[tuple[bytes, int], object] = {}
        people = [Identity.from_seed(self.chance.randbytes(32)) for _ in range(owners)]
        own_bots = [Identity.from_seed(self.chance.randbytes(32)) for _ in range(bots)]
        seats = [(person, person) for person in people] + [(bot, people[0]) for bot in own_bots]
        self.genesis = _genesis(seats, ruleset or Ruleset(), self.chance)
        self.computers = [
            Computer(
                number,
                Stay(
                    identities=(person, *(own_bots if number == 0 else ())),
                    entropy=Random(self.chance.random()).randbytes,
                    rounds=rounds,
                    port=40_000 + number,
                ),
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

    def run(self, until: Callable[[], bool], most: float = 3_600.0, steps: int = 400_000) -> bool:
        """Let things happen until something is so; False if time or steps run out."""
        for _ in range(steps):
            if until():
                return True
            if not self._heap or self._heap[0][0] > most:
                return False
            self.now, _, action = heapq.heappop(self._heap)
            action()
        return False

    def after(self, seconds: float, action: Callable[[], None]) -> None:
        """Let something happen later."""
        self._count += 1
        heapq.heappush(self._heap, (self.now + seconds, self._count, action))

    # ---- what goes wrong --------------------------------------------------------------------

    def crash(self, computer: Computer, *, power: bool = False) -> None:
        """The program is killed, or the computer loses its power."""
        if computer.member is None:
            return
        self.note(computer, "loses power" if power else "is killed")
        computer.member = None
        computer.run += 1
        if power:
            computer.disk.lose_power(self.chance)
        for link in list(computer.links):
            self._break(computer, link, silent=SILENCE if power else 0.0)

    def restart(self, computer: Computer) -> None:
        """The program is started again."""
        if computer.member is not None:
            return
        self.note(computer, "starts again")
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
        for one, two in ((computer, other), (other, computer)):
            for link, (there, _) in list(one.links.items()):
                if there is two:
                    self.after(SILENCE, partial(self._break_if_walled, one, link))

    def open_walls(self) -> None:
        """Everything passes again."""
        self.walls.clear()

    def _break_if_walled(self, computer: Computer, link: int) -> None:
        if link in computer.links:
            self._break(computer, link, both=True, silent=SILENCE)

    # ---- inside -----------------------------------------------------------------------------

    def note(self, computer: Computer, what: object) -> None:
        """Something worth reading in a trace."""
        if self.trace is not None:
            self.trace.append(f"{self.now:9.3f} {computer.number}: {what}")

    def _sit(self, computer: Computer) -> None:
        computer.players = [
            Autoplay(session, SensiblePlayer(Random(self.chance.random())))
            for session in computer.up.sessions
        ]

    def _connect(self, one: Computer, two: Computer) -> tuple[int, int]:
        """A link between two computers; `one` made it."""
        self._links += 2
        here, there = self._links, self._links + 1
        one.links[here], two.links[there] = (two, there), (one, here)
        self.do(two, two.up.linked(there, one.number, self.now, address=f"10.0.0.{one.number}"))
        self.do(
            one,
            one.up.linked(here, two.number, self.now, address=f"10.0.0.{two.number}", dialled=True),
        )
        return here, there

    def _break(
        self, computer: Computer, link: int, *, both: bool = False, silent: float = 0.0
    ) -> None:
        other, there = computer.links.pop(link)
        if both and computer.member is not None:
            self.do(computer, computer.member.unlinked(link, self.now, silent=silent))
        self.after(silent, partial(self._lose, other, there, silent))

    def _lose(self, computer: Computer, link: int, silent: float) -> None:
        if computer.links.pop(link, None) is not None and computer.member is not None:
            self.do(computer, computer.member.unlinked(link, self.now, silent=silent))

    def do(self, computer: Computer, todo: list[outputs.Output]) -> None:
        """Carry out what a computer wants, in order."""
        run = computer.run
        caught = computer.ambush is not None and any(
            isinstance(output, computer.ambush) for output in todo
        )
        for output in todo:
            if computer.run != run:
                return
            if self.on_step is not None:
                self.on_step(computer, output)
            self._carry_out(computer, output)
        if caught:
            computer.ambush = None
            self.crash(computer, power=self.chance.random() < 0.7)
            self.after(self.chance.uniform(0.2, 6.0), partial(self.restart, computer))
        if computer.member is not None:
            deadline = computer.member.deadline
            if deadline is not None:
                self.after(
                    max(0.0, deadline - self.now) + 0.001, partial(self._tick, computer, run)
                )

    def _tick(self, computer: Computer, run: int) -> None:
        if computer.run != run or computer.member is None:
            return
        deadline = computer.member.deadline
        if deadline is not None and deadline <= self.now:
            self.do(computer, computer.member.tick(self.now))

    def _carry_out(self, computer: Computer, output: outputs.Output) -> None:
        disk, run = computer.disk, computer.run
        match output:
            case outputs.ToLink():
                self._send(computer, output.link, output.message)
            case outputs.Dial():
                self.after(
                    self.chance.uniform(0.001, 0.05),
                    partial(self._dial, computer, output.seat, run),
                )
            case outputs.HangUp():
                if output.link in computer.links:
                    self.after(0.01, partial(self._hang_up, computer, output.link))
            case outputs.KeepGenesis():
                disk.begun = True
            case outputs.KeepEntry():
                assert disk.begun, "an entry before its genesis"
                disk.entries.append(output.entry)
            case outputs.CutEntries():
                disk.aside.append(disk.entries[output.count :])
                del disk.entries[output.count :]
                disk.durable = min(disk.durable, output.count)
            case outputs.Sync():
                self.after(
                    self.chance.uniform(0.0002, 0.02), partial(self._sync, computer, output, run)
                )
            case outputs.KeepSecret():
                disk.seeds.setdefault(output.seat, {})[output.open, output.label] = output.secret
            case outputs.KeepBody():
                disk.bodies.setdefault(output.seat, {})[output.counter] = output.signed
                if output.counter >= disk.bounds.get(output.seat, 0):
                    disk.bounds[output.seat] = output.counter + COUNTERS_AT_ONCE
            case outputs.KeepVote():
                disk.votes[output.term] = output.data
            case outputs.Compute():
                self.after(
                    self.chance.uniform(0.001, 0.05), partial(self._compute, computer, output, run)
                )
            case outputs.Changed() | outputs.ActionRefused():
                if isinstance(output, outputs.ActionRefused):
                    for player in computer.players:
                        player.refused()
                if not computer.awake:
                    computer.awake = True
                    self.after(
                        self.chance.uniform(0.02, 0.2), partial(self._let_play, computer, run)
                    )
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

    def _send(self, computer: Computer, link: int, message: AtTable) -> None:
        ends = computer.links.get(link)
        if ends is None or frozenset((computer.number, ends[0].number)) in self.walls:
            return
        # One connection keeps its order: a later message never has a smaller delay.
        self.after(0.002, partial(self._arrive, *ends, message))

    def _arrive(self, computer: Computer, link: int, message: AtTable) -> None:
        if link in computer.links and computer.member is not None:
            self.do(computer, computer.member.heard(link, message, self.now))

    def _dial(self, computer: Computer, seat: int, run: int) -> None:
        other = self.computers[seat]
        walled = frozenset((computer.number, seat)) in self.walls
        if computer.run != run or computer.member is None:
            return
        if other.member is None or walled:
            self.after(
                self.chance.choice((0.01, 2.0)), partial(self._unreachable, computer, seat, run)
            )
            return
        self._connect(computer, other)

    def _unreachable(self, computer: Computer, seat: int, run: int) -> None:
        if computer.run == run and computer.member is not None:
            self.do(computer, computer.member.unreachable(seat, self.now))

    def _hang_up(self, computer: Computer, link: int) -> None:
        if link in computer.links:
            self._break(computer, link, both=True)

    def _sync(self, computer: Computer, done: outputs.Sync, run: int) -> None:
        if computer.run == run and computer.member is not None:
            # Everything that is in the file by now is on the disk, whoever asked for it.
            computer.disk.durable = max(
                computer.disk.durable, min(done.count, len(computer.disk.entries))
            )
            self.do(computer, computer.member.synced(done, self.now))

    def _compute(self, computer: Computer, job: outputs.Compute, run: int) -> None:
        if computer.run == run and computer.member is not None:
            self.do(computer, computer.member.computed(job.job, self._result(job.work), self.now))

    def _result(self, work: Callable[[], object]) -> object:
        """What work gives. All who hold the same log find the same in it: one of them looks."""
        if not isinstance(work, partial) or work.func is not audit_round:
            return work()
        log: RoundRecord = work.args[0]
        key = (log.last_head, len(log.faults))
        if key not in self._audits:
            self._audits[key] = work()
        return self._audits[key]

    def _let_play(self, computer: Computer, run: int) -> None:
        computer.awake = False
        if computer.run != run or computer.member is None or computer.idle:
            return
        for player, session in zip(computer.players, computer.member.sessions, strict=True):
            if session.caught_up and player.wants() is not None:
                todo = player.move()
                self.do(computer, computer.member.carry_out(session, todo, self.now))
                if computer.run != run:
                    return

    # ---- looking ----------------------------------------------------------------------------

    @property
    def running(self) -> Iterator[Computer]:
        """Computers whose program runs."""
        return (computer for computer in self.computers if computer.member is not None)

    def transcript(self, computer: Computer) -> Transcript:
        """What is in a computer's journal."""
        return Transcript(self.genesis, tuple(computer.disk.entries), torn=False)


def _genesis(seats: list[tuple[Identity, Identity]], ruleset: Ruleset, chance: Random) -> Genesis:
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
                slow_clock=False,
                nonce=nonce_commitment(seat.public, nonces[number]),
            )
            for number, (seat, owner) in enumerate(seats)
        ),
    )
    data = encode_roster(roster)
    return Genesis(data, tuple(sign_roster(data, seat) for seat, _ in seats), nonces)


@contextmanager
def sealing_from(seed: int) -> Iterator[None]:
    """Boxes whose bytes follow from a seed: the library's draw randomness that nobody can repeat.

    The same shape (32 bytes of public key, the content, 16 bytes of tag), bound to the same info.
    """
    chance = Random(seed)

    def seal(plaintext: bytes, recipient: bytes, info: bytes) -> bytes:
        once = chance.randbytes(32)
        key = H("simulated-seal", once, recipient, info)
        return once + ChaCha20Poly1305(key).encrypt(bytes(12), plaintext, info)

    def unseal(sealed: bytes, private: bytes, info: bytes) -> bytes:
        public = X25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw()
        key = H("simulated-seal", sealed[:32], public, info)
        try:
            return ChaCha20Poly1305(key).decrypt(bytes(12), sealed[32:], info)
        except Exception:  # noqa: BLE001 - whatever does not open is no box
            raise SealError("the box does not open") from None

    places = {
        "seal": ("lanuno.table.keyring", "lanuno.table.hand_keys"),
        "unseal": (
            "lanuno.table.hand_keys",
            "lanuno.log.round_record",
            "lanuno.log.round_audit",
        ),
    }
    with ExitStack() as patches:
        for name, made in (("seal", seal), ("unseal", unseal)):
            for place in ("lanuno.dealing.sealing", *places[name]):
                patches.enter_context(patch(f"{place}.{name}", made))
        yield
