"""A dishonest host and dishonest seats that sign any value, and the invariants for honest seats.

The values resemble those of honest bodies: points off the curve or repeated, other scalars, zero,
n, boxes of small order, lists of another length. All signatures are valid, so that the log has to
judge the values themselves.
"""

from __future__ import annotations

import pickle
from random import Random

import msgspec

from lanuno.dealing.group import FIELD, ORDER
from lanuno.dealing.hashing import H
from lanuno.log.audit.audit import audit_bytes, prove_fork
from lanuno.log.audit.story import build_story
from lanuno.log.faults import AuditVerdict, BodyRefused, RefusalReason
from lanuno.log.format import bodies
from lanuno.log.format.bodies import (
    HOST,
    Body,
    CloseReason,
    DropReason,
    HaltReason,
    Payload,
    SignedBody,
)
from lanuno.log.format.codec import encode
from lanuno.log.format.transcript import read, write
from lanuno.log.replay.due_steps import automatic_steps
from lanuno.log.replay.replay import Replay
from lanuno.log.round.round_audit import is_proof
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.engine.manners import Matter
from lanuno.rules.engine.round import Round
from tests.harness.log_table.honest_seat import HonestSeat, OfferedBody
from tests.harness.log_table.log_table import LogTable, identity

OFF_CURVE = b"\x02" + (5).to_bytes(32, "big")
SIGNED_AGAIN = (RefusalReason.STALE_COUNTER, RefusalReason.WRONG_ROUND)
"""Refusals after which an honest seat signs its outstanding body again."""
KINDS = (
    *(None, None, bodies.Commit, bodies.Escrow, bodies.Pass, bodies.Pass, bodies.Unlock),
    *(bodies.Reveal, bodies.Reveal, bodies.Share, bodies.HandOver, bodies.Attest),
)
NUMBERS = (0, 1, 2, 3, 7, 107, 108, 255, 256, 2**31, 2**32 - 1, 2**32, 2**64 - 1, -1, None)
SCALARS = [value.to_bytes(32, "big") for value in (0, 1, 2, ORDER - 1, ORDER, ORDER + 1)]
POINTS = [
    OFF_CURVE,
    bytes(33),
    b"\x03" + b"\xff" * 32,
    b"\x02" + FIELD.to_bytes(32, "big"),
    b"\x04" + bytes(32),
]
SMALL_ORDER = [
    bytes(32),
    (1).to_bytes(32, "little"),
    (2**255 - 20).to_bytes(32, "little"),
    bytes.fromhex("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"),
    b"\xff" * 32,
]


def other_value(value: object, chance: Random) -> object:
    """Return the value with one leaf, or one list, changed."""
    if isinstance(value, list):
        if value and chance.random() < 0.85:
            place = chance.randrange(len(value))
            changed = other_value(value[place], chance)
            return [*value[:place], changed, *value[place + 1 :]]
        return chance.choice([value[::-1], value[:-1], value + value[:1], []])
    if isinstance(value, bytes):
        return _other_bytes(value, chance)
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return chance.choice([value + 1, value - 1, chance.choice(NUMBERS)])
    return chance.choice([0, 1, b"", None, True])


def _other_bytes(value: bytes, chance: Random) -> bytes:
    if value and len(value) % 33 == 0 and chance.random() < 0.8:
        others = [OFF_CURVE] if chance.random() < 0.5 else POINTS
        return _one_of(value, 33, [*others, b"\x02" + chance.randbytes(32)], chance)
    if value and chance.random() < 0.7:
        others = [*SCALARS, *SMALL_ORDER, chance.randbytes(32)]
        return _one_of(value, 32, others, chance)
    return chance.choice([value[:-1], value + b"\x00", value[: len(value) // 2], b""])


def _one_of(value: bytes, size: int, others: list[bytes], chance: Random) -> bytes:
    """Return the bytes with one piece replaced by another value or by another of its pieces."""
    count = max(1, len(value) // size)
    at = size * chance.randrange(count)
    other = size * chance.randrange(count)
    swap = other != at and chance.random() < 0.3
    piece = value[other : other + size] if swap else chance.choice(others)
    return value[:at] + piece + value[at + size :]


class LyingAuthors:
    """One table at which the host and some other seats lie."""

    def __init__(self, table: LogTable, liars: set[int], seed: int) -> None:
        self.chance = Random(seed)
        self.table = table
        self.liars = liars | {table.replay.host}
        self.honest = {
            seat: HonestSeat(table, seat, self.chance)
            for seat in range(len(table.replay.roster.seats))
            if seat not in self.liars
        }
        self.pool: list[OfferedBody] = []
        self.said: list[Payload] = []
        self.lies = self.chance.choice((0.02, 0.05, 0.15))
        self.kind: type | None = self.chance.choice(KINDS)
        """The only kind of payload that is falsified; None: any kind may be."""
        self.drops = self.chance.choice((0.0, 0.004, 0.02))
        self.losses = self.chance.choice((1, 2, 2, 9))
        """The largest number of seats that may be dropped."""
        self.takes = 0.6
        """A step with a random number below this, and no other move, appends an honest body."""
        self.copy = table.fork().replay

    # ---- running ----------------------------------------------------------------------------

    def run(self, steps: int = 450) -> LogTable:
        replay = self.table.replay
        for _ in range(steps):
            if replay.closed is not None:
                break
            for seat in self.honest.values():
                self.pool += seat.new_bodies()
            self.step()
        if replay.closed is None:
            self.offer(self.signed(HOST, self.table.close(CloseReason.INCOMPLETE)))
        return self.table

    def step(self) -> None:
        luck, chance = self.chance.random(), self.chance
        if luck < self.drops and self.losses:
            people = range(len(self.table.replay.roster.seats))
            drop = bodies.Drop(chance.choice(people), chance.choice(list(DropReason)))
            self.losses -= self.offer(self.signed(HOST, drop)) is None
        elif self.kind is None and luck < self.drops + self.lies:
            self.offer(self.lie())
        elif self.table.replay.between_rounds:
            self.offer(self.signed(HOST, self.table.host_payload()))
        elif self.pool and luck < self.takes:
            self.take()
        elif luck < 0.97:
            self.offer(self.honest_word())
        else:
            self.offer(self.signed(HOST, self.host_payload()))

    def take(self) -> None:
        """Offer the host a body of an honest seat, mostly the oldest one."""
        place = self.chance.choice((0, 0, 0, -1))
        wish = self.pool.pop(place)
        refusal = self.offer(wish.signed)
        if refusal in SIGNED_AGAIN:
            wish.author.sign_again(wish.occasion)

    def offer(self, signed: SignedBody | None) -> RefusalReason | None:
        """Offer a body to the host: it is appended and can be followed, or nothing changes."""
        if signed is None:
            return None
        replay = self.table.replay
        before = pickle.dumps(replay)
        try:
            self.table.append(signed)
        except BodyRefused as refused:
            assert pickle.dumps(replay) == before, "a refused body has changed something"
            return refused.refusal
        self.copy.follow(self.table.entries[-1], trusted=True)
        self.said.append(signed.read().payload)
        return None

    # ---- bodies of the liars ----------------------------------------------------------------

    def signed(self, author: int, payload: Payload) -> SignedBody:
        return self.table.signed(author, payload)

    def honest_word(self) -> SignedBody | None:
        """Return the body that a liar would sign if it were honest; `kind` may be falsified."""
        table = self.table
        owed = [step for step in automatic_steps(table.replay) if step.seat in self.liars]
        if owed:
            step = self.chance.choice(owed)
            try:
                payload = table.payload_for(step)
                if self.kind is not None and isinstance(payload, self.kind) and self._lies():
                    return self.changed(self.signed(step.seat, payload).read())
                return self.signed(step.seat, payload)
            except Exception:  # noqa: BLE001 - it has no honest body to sign here
                if self.chance.random() < 0.99:
                    return None
                reason = self.chance.choice(list(HaltReason))
                return self.signed(step.seat, bodies.Halt(reason, None))
        return self.act()

    def _lies(self) -> bool:
        """Whether to falsify a payload of `kind`; the host then waits longer and drops seats."""
        if self.chance.random() < 0.2:
            return False
        self.drops = max(self.drops, self.chance.choice((0.0, 0.05, 0.2)))
        self.takes = min(self.takes, self.chance.choice((0.6, 0.2, 0.05)))
        return True

    def act(self) -> SignedBody | None:
        log = self.table.replay.round
        if log is None or log.phase is not ProtocolPhase.PLAY or not isinstance(log.engine, Round):
            return None
        seat = self.chance.choice(sorted(self.liars))
        try:
            legal = log.engine.legal(seat, self.table.cards(seat))
            return self.signed(seat, self.table.act(seat, self.chance.choice(legal)))
        except Exception:  # noqa: BLE001 - its cards cannot be read, or nothing is legal
            return None

    def host_payload(self) -> Payload:
        """Return a payload that only a host may sign, whether or not it is allowed now."""
        decision = 0 if self.table.replay.round is None else self.table.log.engine.decision
        choices: list[Payload] = [
            bodies.TimeOut(decision),
            bodies.TimeOut(decision),
            bodies.Settle(self.chance.choice(list(Matter))),
            self.table.close(CloseReason.FINISHED),
        ]
        return self.chance.choice(choices)

    def lie(self) -> SignedBody | None:
        """Return a liar's own body, or one like an earlier body, with one value changed."""
        honest = self.honest_word() if self.chance.random() < 0.7 or not self.said else None
        if honest is not None:
            body = honest.read()
        else:
            if not self.said:
                return None
            payload = self.chance.choice(self.said[-40:])
            by_host = isinstance(payload, bodies.HOST_PAYLOADS)
            author = HOST if by_host else self.chance.choice(sorted(self.liars))
            body = self.signed(author, payload).read()
        return self.changed(body)

    def changed(self, body: Body) -> SignedBody:
        """Return the body with one value changed, properly signed."""
        parts = msgspec.msgpack.decode(encode(body))
        if isinstance(body.payload, bodies.Pass) and self.chance.random() < 0.6:
            points = body.payload.points
            parts[5][3] = _one_of(points, 33, [OFF_CURVE], self.chance)
        elif self.chance.random() < 0.9:
            parts[5] = [parts[5][0], *_as_list(other_value(parts[5][1:], self.chance))]
        else:
            parts = other_value(parts, self.chance)
        data = msgspec.msgpack.encode(parts)
        signer = identity(self.table.replay.host if body.author == HOST else body.author)
        return SignedBody(data, signer.sign(H("body", data)))


def _as_list(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def audited(liars: LyingAuthors) -> AuditVerdict:
    """Audit the whole log and a beginning of it: the audit ends, and blames no honest seat."""
    table, chance = liars.table, liars.chance
    cut = chance.randrange(len(table.entries))
    for entries in (table.entries, table.entries[:cut]):
        file = write(table.genesis, entries)
        report = audit_bytes(file)
        proven = {blame.seat for blame in report.blame if is_proof(blame)}
        assert proven <= liars.liars, report.blame
        assert report.entries == len(entries), report.reason
        build_story(read(file), report.entries)
    whole = (table.genesis, table.entries)
    assert prove_fork(whole, (table.genesis, table.entries[:cut])) is None
    again = Replay(table.genesis)
    for entry in table.entries:
        again.follow(entry, trusted=True)
    assert again.state() == table.replay.state() == liars.copy.state()
    return audit_bytes(table.file).verdict
