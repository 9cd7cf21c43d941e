"""Every way in which a host can lie to the replicas of its log, and the fault that each one proves.

The host role is honest. Its outgoing entries are replaced by others that the same host signs.
`test_cheating_hosts.py` asserts the outcome.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from msgspec.structs import replace

from lanuno.dealing.identity import Identity
from lanuno.log.faults import Fault
from lanuno.log.format import bodies
from lanuno.log.format.bodies import (
    HOST,
    Body,
    CloseReason,
    DropReason,
    Payload,
    SignedBody,
    sign_body,
)
from lanuno.log.format.codec import encode
from lanuno.log.format.entries import Entry, EntryCore, sign_entry
from lanuno.log.replay.replay import Replay
from lanuno.rules.engine.actions import Draw
from lanuno.rules.engine.manners import Matter
from lanuno.rules.engine.results import RoundKind
from lanuno.table.messages import AtTable, Entries
from tests.harness.host_and_seats.table_sim import TableSim


class _Seated(Protocol):
    @property
    def identity(self) -> Identity: ...


class _Seats(Protocol):
    def __getitem__(self, seat: int, /) -> _Seated: ...


class _HostRole(Protocol):
    @property
    def replay(self) -> Replay: ...


class LyingHost(Protocol):
    """What a lie needs to know of its host, simulated or real."""

    @property
    def host(self) -> Identity:
        """Its key."""

    @property
    def journal(self) -> Sequence[Entry]:
        """The entries that it has appended."""

    @property
    def peers(self) -> _Seats:
        """The seats whose keys it has: its own, or in the simulation all."""

    @property
    def host_role(self) -> _HostRole | None:
        """The role that orders the log."""


ForgeEntry = Callable[[LyingHost, EntryCore], Entry | None]
"""Returns the entry to send instead of an honest one; None if this is not the moment."""


class EntryForger:
    """Replaces one entry on its way to every peer but the host's own, or to some of them."""

    def __init__(
        self, sim: TableSim, craft: ForgeEntry, victims: Iterable[int] | None = None
    ) -> None:
        self.sim = sim
        self.craft = craft
        self.victims = set(range(1, len(sim.peers)) if victims is None else victims)
        self.forged: tuple[int, Entry] | None = None

    def __call__(self, peer: int, message: AtTable) -> Iterable[AtTable]:
        if peer not in self.victims or not isinstance(message, Entries):
            return [message]
        return [Entries(message.first, tuple(map(self._entry, message.entries)))]

    def _entry(self, entry: Entry) -> Entry:
        core = entry.read()
        if self.forged is None:
            crafted = self.craft(self.sim, core)
            if crafted is None:
                return entry
            self.forged = (core.seq, crafted)
        return self.forged[1] if core.seq == self.forged[0] else entry


def signed(sim: LyingHost, core: EntryCore, **changes: object) -> Entry:
    """Return an entry signed by the host."""
    return sign_entry(replace(core, **changes), sim.host)


def carrying(sim: LyingHost, core: EntryCore, body: SignedBody) -> Entry:
    """Return the entry with another body."""
    return signed(sim, core, body=body.body, body_signature=body.signature)


def by_host(sim: LyingHost, core: EntryCore, payload: Payload) -> Entry:
    """Return the entry with a payload that only a host may sign."""
    body = core.signed_body.read()
    counter = 10**6
    words = Body(core.table, body.round, HOST, counter, core.prev, payload)
    return carrying(sim, core, sign_body(words, sim.host))


def forked_entry(sim: LyingHost, number: int, payload: Payload) -> Entry:
    """Return another valid entry for the same place: one on a fork."""
    assert sim.host_role is not None
    replay = Replay(sim.host_role.replay.genesis)
    for entry in sim.journal[:number]:
        replay.follow(entry)
    words = Body(
        replay.table_id, replay.number, HOST, replay.next_counter(HOST), replay.head, payload
    )
    # The host sets its own clock: late enough for any entry.
    return replay.append(sign_body(words, sim.host), replay.times.ms + 10**6, sim.host)[0]


def when(kind: type, craft: ForgeEntry) -> ForgeEntry:
    """Lie at the first entry with such a payload."""

    def choose(sim: LyingHost, core: EntryCore) -> Entry | None:
        fits = isinstance(core.signed_body.read().payload, kind)
        return craft(sim, core) if fits else None

    return choose


def saying(kind: type, payload: Callable[[LyingHost, Payload], Payload]) -> ForgeEntry:
    """Replace such a payload by another payload of the host."""
    return when(
        kind,
        lambda sim, core: by_host(sim, core, payload(sim, core.signed_body.read().payload)),
    )


def body_of(sim: LyingHost, seat: int, core: EntryCore, **changes: object) -> Entry:
    """Use a body that the seat really signed, but not for this place."""
    body = replace(core.signed_body.read(), author=seat, **changes)
    return carrying(sim, core, sign_body(body, sim.peers[seat].identity))


def forged_body(sim: LyingHost, core: EntryCore) -> Entry:
    body = replace(core.signed_body.read(), author=1, payload=bodies.Leave(), counter=10**6)
    return carrying(sim, core, sign_body(body, sim.host))


def altered_body(sim: LyingHost, core: EntryCore) -> Entry:
    data = core.body[:-1] + bytes([core.body[-1] ^ 1])
    return carrying(sim, core, SignedBody(data, core.body_signature))


def no_body(sim: LyingHost, core: EntryCore) -> Entry:
    return carrying(sim, core, SignedBody(b"nonsense", bytes(64)))


def earlier_body(sim: LyingHost, core: EntryCore) -> Entry:
    """Repeat an earlier body of a seat."""
    early = next(
        each.read().signed_body
        for each in sim.journal
        if each.read().signed_body.read().author == 1
    )
    return carrying(sim, core, early)


def another_table(sim: LyingHost, core: EntryCore) -> Entry:
    return body_of(sim, 1, core, table=b"\x66" * 32, counter=10**6)


def another_round(sim: LyingHost, core: EntryCore) -> Entry:
    return body_of(sim, 1, core, round=5, counter=10**6)


def another_head(sim: LyingHost, core: EntryCore) -> Entry:
    return body_of(sim, 1, core, head=b"\x66" * 32, counter=10**6)


def no_such_seat(sim: LyingHost, core: EntryCore) -> Entry:
    body = replace(core.signed_body.read(), author=9, counter=10**6)
    return carrying(sim, core, sign_body(body, sim.host))


def host_payload_by_seat(sim: LyingHost, core: EntryCore) -> Entry:
    payload = bodies.Drop(2, DropReason.LOST)
    return body_of(sim, 1, core, payload=payload, counter=10**6)


def seat_payload_by_host(sim: LyingHost, core: EntryCore) -> Entry:
    return by_host(sim, core, bodies.Act(1, Draw(), b""))


def out_of_order(sim: LyingHost, core: EntryCore) -> Entry:
    """Let the host's own seat take its step when it is another seat's turn."""
    return body_of(sim, 0, core, counter=10**6)


def unsigned(sim: LyingHost, core: EntryCore) -> Entry:
    return Entry(encode(core), bytes(64))


def by_stranger(sim: LyingHost, core: EntryCore) -> Entry:
    return sign_entry(core, Identity.from_seed(b"\x07" * 32))


def no_entry(sim: LyingHost, core: EntryCore) -> Entry:
    """Return bytes that the host signed and that are no entry."""
    lie = sign_entry(core, sim.host)
    data = b"\x00" + lie.core
    forged = Entry(data, bytes(64))
    return Entry(data, sim.host.sign(forged.hash))


@dataclass(frozen=True)
class HostAttack:
    """One way to lie."""

    name: str
    craft: ForgeEntry
    fault: Fault
    named: bool = True
    """Whether the bytes prove that the host lied."""


MASKS, OPENS, ACTS = bodies.Pass, bodies.Open, bodies.Act

ATTACKS: tuple[HostAttack, ...] = (
    HostAttack("a forged body", when(MASKS, forged_body), Fault.FORGED),
    HostAttack("an altered body", when(ACTS, altered_body), Fault.FORGED),
    HostAttack("no body", when(MASKS, no_body), Fault.FORGED),
    HostAttack("no entry", when(MASKS, no_entry), Fault.FORGED),
    HostAttack("an earlier body again", when(MASKS, earlier_body), Fault.BAD_ORDER),
    HostAttack("a body of another table", when(MASKS, another_table), Fault.BAD_ORDER),
    HostAttack("a body of another round", when(MASKS, another_round), Fault.BAD_ORDER),
    HostAttack("a body of another history", when(MASKS, another_head), Fault.BAD_ORDER),
    HostAttack("a body of nobody", when(MASKS, no_such_seat), Fault.BAD_ORDER),
    HostAttack("a host's payload by a seat", when(MASKS, host_payload_by_seat), Fault.BAD_ORDER),
    HostAttack("a seat's act by the host", when(ACTS, seat_payload_by_host), Fault.BAD_ORDER),
    HostAttack(
        "a step out of turn",
        lambda sim, core: (
            out_of_order(sim, core)
            if isinstance(core.signed_body.read().payload, bodies.Pass)
            and core.signed_body.read().author == 1
            else None
        ),
        Fault.BAD_ORDER,
    ),
    HostAttack(
        "an act out of turn",
        lambda sim, core: (
            out_of_order(sim, core)
            if isinstance(core.signed_body.read().payload, bodies.Act)
            and core.signed_body.read().author == 1
            else None
        ),
        Fault.BAD_ORDER,
    ),
    HostAttack(
        "another state",
        when(ACTS, lambda sim, core: signed(sim, core, state=bytes(32))),
        Fault.BAD_STATE,
    ),
    HostAttack(
        "another history",
        when(ACTS, lambda sim, core: signed(sim, core, prev=bytes(32))),
        Fault.EQUIVOCATION,
    ),
    HostAttack(
        "another table's entry",
        when(ACTS, lambda sim, core: signed(sim, core, table=bytes(32))),
        Fault.FORGED,
        named=False,
    ),
    HostAttack(
        "another term",
        when(ACTS, lambda sim, core: signed(sim, core, term=1)),
        Fault.FORGED,
        named=False,
    ),
    HostAttack(
        "another number",
        when(ACTS, lambda sim, core: signed(sim, core, seq=core.seq + 1)),
        Fault.FORGED,
        named=False,
    ),
    HostAttack("no signature", when(ACTS, unsigned), Fault.FORGED, named=False),
    HostAttack("a stranger's signature", when(ACTS, by_stranger), Fault.FORGED, named=False),
    *(
        HostAttack(f"open: {name}", saying(OPENS, change), Fault.BAD_ORDER)
        for name, change in {
            "another number": lambda sim, said: replace(said, number=said.number + 1),
            "a seat less": lambda sim, said: replace(said, seats=said.seats[:-1]),
            "other seats": lambda sim, said: replace(said, seats=said.seats[::-1]),
            "another dealer": lambda sim, said: replace(said, dealer=1),
            "no such dealer": lambda sim, said: replace(said, dealer=9),
        }.items()
    ),
    HostAttack(
        "open: again, in the middle",
        saying(MASKS, lambda sim, said: bodies.Open(1, RoundKind.PLAY, (0, 1, 2), 0)),
        Fault.BAD_ORDER,
    ),
    *(
        HostAttack(f"close: {name}", saying(kind, change), Fault.BAD_ORDER)
        for name, kind, change in (
            ("stopped, in the middle", ACTS, lambda sim, said: closing(sim, CloseReason.STOPPED)),
            ("finished, in the middle", ACTS, lambda sim, said: closing(sim, CloseReason.FINISHED)),
            ("cheating, by nobody", ACTS, lambda sim, said: closing(sim, CloseReason.CHEATING)),
            (
                "finished, too early",
                bodies.Close,
                lambda sim, said: replace(said, reason=CloseReason.FINISHED),
            ),
            (
                "other scores",
                bodies.Close,
                lambda sim, said: replace(said, scores=(999, *said.scores[1:])),
            ),
            ("a score less", bodies.Close, lambda sim, said: replace(said, scores=said.scores[1:])),
            (
                "another count",
                bodies.Close,
                lambda sim, said: replace(said, count=said.count + 1),
            ),
        )
    ),
    HostAttack(
        "time-out: of another decision",
        saying(ACTS, lambda sim, said: bodies.TimeOut(10**6)),
        Fault.BAD_ORDER,
    ),
    HostAttack(
        "time-out: while cards are dealt",
        saying(MASKS, lambda sim, said: bodies.TimeOut(0)),
        Fault.BAD_ORDER,
    ),
    HostAttack(
        "time-out: after the round",
        saying(bodies.Reveal, lambda sim, said: bodies.TimeOut(0)),
        Fault.BAD_ORDER,
    ),
    HostAttack(
        "time-out: of a turn that has just begun",
        saying(ACTS, lambda sim, said: bodies.TimeOut(getattr(said, "decision", 0))),
        Fault.BAD_ORDER,
    ),
    HostAttack(
        "time: earlier than the entry before",
        when(ACTS, lambda sim, core: signed(sim, core, ms=0)),
        Fault.BAD_ORDER,
    ),
    HostAttack(
        "time: beyond all measure",
        when(ACTS, lambda sim, core: signed(sim, core, ms=2**48 - 1)),
        Fault.BAD_ORDER,
    ),
    HostAttack(
        "settle: what nobody objects to",
        saying(ACTS, lambda sim, said: bodies.Settle(next(iter(Matter)))),
        Fault.BAD_ORDER,
    ),
    HostAttack(
        "drop: itself",
        saying(ACTS, lambda sim, said: bodies.Drop(0, DropReason.LOST)),
        Fault.BAD_ORDER,
    ),
    HostAttack(
        "drop: left, who has not said so",
        saying(ACTS, lambda sim, said: bodies.Drop(1, DropReason.LEFT)),
        Fault.BAD_ORDER,
    ),
    HostAttack(
        "drop: nobody",
        saying(ACTS, lambda sim, said: bodies.Drop(7, DropReason.LOST)),
        Fault.BAD_ORDER,
    ),
    HostAttack(
        "expose: what proves nothing",
        saying(ACTS, lambda sim, said: same_twice(sim)),
        Fault.BAD_ORDER,
    ),
    HostAttack(
        "expose: what it signed itself",
        saying(ACTS, lambda sim, said: framed(sim)),
        Fault.BAD_ORDER,
    ),
)


def closing(sim: LyingHost, reason: CloseReason) -> bodies.Close:
    """Return a close with correct numbers."""
    assert sim.host_role is not None
    replay = sim.host_role.replay
    return bodies.Close(reason, tuple(replay.match.totals), replay.seq - 1)


def same_twice(sim: LyingHost) -> bodies.Expose:
    """Append one body of a seat twice."""
    early = next(
        each.read().signed_body
        for each in sim.journal
        if each.read().signed_body.read().author == 1
    )
    return bodies.Expose(early.body, early.signature, early.body, early.signature)


def framed(sim: LyingHost) -> bodies.Expose:
    """Append a body of a seat, and an invented one with the same counter."""
    early = next(
        each.read().signed_body
        for each in sim.journal
        if each.read().signed_body.read().author == 1
    )
    lie = sign_body(replace(early.read(), payload=bodies.Leave()), sim.host)
    return bodies.Expose(early.body, early.signature, lie.body, lie.signature)
