"""Random messages that are almost valid: one value of each is changed, by a seed.

The changed value may be a byte of a frame, or a value deep inside a body that is then validly
signed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random

import msgspec

from lanuno.dealing.hashing import H
from lanuno.dealing.identity import Identity
from lanuno.log.format.bodies import SignedBody
from lanuno.log.format.entries import Entry
from lanuno.table.messages import AtTable, Entries, Submit, from_peer, to_bytes
from tests.harness.host_and_seats.table_sim import SimPeer, TableSim

NUMBERS = (0, 1, 2, 3, 7, 107, 108, 255, 256, 2**31, 2**32 - 1, 2**32, 2**63 - 1, 2**64 - 1, -1)


def mutated(value: object, chance: Random) -> object:
    """Return a copy of the value with one leaf, or one list, changed."""
    if isinstance(value, list) and value and chance.random() < 0.8:
        copy = list(value)
        place = chance.randrange(len(copy))
        copy[place] = mutated(copy[place], chance)
        return copy
    if isinstance(value, list):
        return _other_list(value, chance)
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return chance.choice([value + 1, value - 1, chance.choice(NUMBERS), None, str(value)])
    if isinstance(value, bytes):
        return _other_bytes(value, chance)
    if isinstance(value, str):
        return chance.choice(["", value + "\u202e", value * 100, value.encode(), 0])
    return chance.choice([0, b"", "", [], True, 1.5])


def _other_list(value: list[object], chance: Random) -> list[object]:
    if not value:
        return [chance.choice([0, b"x", None, [0]])]
    place = chance.randrange(len(value))
    return chance.choice(
        [
            value[:place] + value[place + 1 :],
            [*value, value[place]],
            value[::-1],
            [],
            [*value[:place], value, *value[place:]],
        ]
    )


def _other_bytes(value: bytes, chance: Random) -> object:
    if not value:
        return chance.randbytes(32)
    place = chance.randrange(len(value))
    flipped = value[:place] + bytes([value[place] ^ 1 << chance.randrange(8)]) + value[place + 1 :]
    return chance.choice(
        [flipped, value[:place], value + b"\x00", bytes(len(value)), chance.randbytes(len(value))]
    )


def mutated_bytes(data: bytes, chance: Random) -> bytes:
    """Return the encoded message with one value changed."""
    return msgspec.msgpack.encode(mutated(msgspec.msgpack.decode(data), chance))


def mutated_body(signed: SignedBody, identity: Identity, chance: Random) -> Submit:
    """Return the body with one value changed, validly signed."""
    data = mutated_bytes(signed.body, chance)
    return Submit(SignedBody(data, identity.sign(H("body", data))))


class RandomPeer:
    """Change, drop, repeat and invent messages of one peer, a few times per table."""

    def __init__(self, chance: Random, often: float, *, in_lobby: bool) -> None:
        self.chance = chance
        self.often = often
        self.in_lobby = in_lobby
        """Whether it starts before the table begins."""
        self._before: list[bytes] = []

    def __call__(self, peer: SimPeer, message: AtTable) -> Iterable[AtTable | bytes]:
        data = to_bytes(message)
        self._before.append(data)
        early = peer.session is None and not self.in_lobby
        if early or self.chance.random() > self.often:
            return [data]
        return self.chance.choice([*_WAYS, *([_of_body] * 6)])(self, peer, data)

    def earlier(self) -> bytes:
        """Return a message that was sent earlier."""
        return self.chance.choice(self._before)


def _dropped(way: RandomPeer, peer: SimPeer, data: bytes) -> list[bytes]:
    return []


def _twice(way: RandomPeer, peer: SimPeer, data: bytes) -> list[bytes]:
    return [data, data]


def _replayed(way: RandomPeer, peer: SimPeer, data: bytes) -> list[bytes]:
    return [way.earlier(), data]


def _of_frame(way: RandomPeer, peer: SimPeer, data: bytes) -> list[bytes]:
    return [mutated_bytes(data, way.chance)]


def _cut(way: RandomPeer, peer: SimPeer, data: bytes) -> list[bytes]:
    return [data[: way.chance.randrange(len(data))]]


def _of_body(way: RandomPeer, peer: SimPeer, data: bytes) -> list[bytes]:
    message = from_peer(data)
    if not isinstance(message, Submit):
        return [mutated_bytes(data, way.chance)]
    lie = mutated_body(message.body, peer.identity, way.chance)
    return [_packed(lie), *way.chance.choice([[data], []])]


def _packed(message: AtTable) -> bytes:
    return msgspec.msgpack.encode(message)


_WAYS: tuple[Callable[[RandomPeer, SimPeer, bytes], list[bytes]], ...] = (
    _dropped,
    _twice,
    _replayed,
    _of_frame,
    _cut,
)


class RandomHost:
    """Change, drop and repeat messages of the host to its peers; changed entries are re-signed."""

    def __init__(self, sim: TableSim, chance: Random, often: float, *, in_lobby: bool) -> None:
        self.sim = sim
        self.chance = chance
        self.often = often
        self.in_lobby = in_lobby
        self._before: list[bytes] = []

    def __call__(self, peer: int, message: AtTable) -> Iterable[bytes]:
        data = to_bytes(message)
        self._before.append(data)
        early = self.sim.host_role is None and not self.in_lobby
        if peer == 0 or early or self.chance.random() > self.often:
            return [data]
        how = self.chance.randrange(6)
        if how == 0:
            return []
        if how == 1:
            return [data, data]
        if how == 2:
            return [self.chance.choice(self._before), data]
        if how == 3 or not isinstance(message, Entries) or not message.entries:
            return [mutated_bytes(data, self.chance)]
        lies = tuple(self._entry(entry) for entry in message.entries)
        return [_packed(Entries(message.first, lies))]

    def _entry(self, entry: Entry) -> Entry:
        """Return the entry with one value changed, in or around its body, validly signed."""
        core = msgspec.msgpack.decode(entry.core)
        inner = 4
        if self.chance.random() < 0.5:
            core[inner] = mutated_bytes(core[inner], self.chance)
            author = msgspec.msgpack.decode(entry.read().body)[2]
            if self.chance.random() < 0.5 and author in (0, 255):
                core[inner + 1] = self.sim.host.sign(H("body", core[inner]))
        else:
            core = mutated(core, self.chance)
        data = msgspec.msgpack.encode(core)
        return Entry(data, self.sim.host.sign(H("entry", data)))
