"""The secrets of one table, each on disk before its effect can be seen.

What is put here is on the disk once `flush` has returned; nothing that depends on it may be sent
before. One flush serves everything put since the last one.

The order of writing: a seed before its commitment is sent; the log entry for which a secret is
released before the secret; this node's signed bytes before they are sent, so that a restarted
program sends the same bytes again and signs nothing twice; a vote before it is sent; the keys of
this node's bots before they take a seat. Nothing here is ever replaced or copied to the transcript.

Waiting for the disk can take longer than all other work of a move, so signed bytes do not wait.
They survive a crash of this program, and usually a power failure. The fact that their counter was
used must survive a power failure, too. Therefore a bound on the counters is flushed to the disk
before any counter below it is used, and a restarted program starts at the bound (`next_counter`);
gaps are legal.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Self, TypeVar

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import astuple

from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.journal import LARGEST_RECORD, Journal, TornTail

MAGIC = b"lanuno sidecar 3\n"
SEED_BYTES = 32
COUNTERS_AT_ONCE = 256
"""How far a new bound lies above the counter that needs it: one flush per this many bodies."""
# A signed body may fill a whole network frame; its wrapping needs a few bytes more.
_LARGEST = LARGEST_RECORD + 256

Unsigned = Annotated[int, Meta(ge=0, le=2**53)]
Label = Annotated[str, Meta(min_length=1, max_length=32)]
Secret = Annotated[bytes, Meta(min_length=SEED_BYTES, max_length=SEED_BYTES)]


class _Stored(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A record of the file. Its repr leaves out all bytes: most of them are secret."""

    def __repr__(self) -> str:
        fields = zip(self.__struct_fields__, astuple(self), strict=True)
        shown = [f"{name}={value!r}" for name, value in fields if not isinstance(value, bytes)]
        return f"{type(self).__name__}({', '.join(shown)})"


class _Seed(_Stored, frozen=True, tag=1):
    seat: Unsigned
    open: Annotated[bytes, Meta(min_length=32, max_length=32)]
    label: Label
    seed: Secret


class _Signed(_Stored, frozen=True, tag=2):
    seat: Unsigned
    counter: Unsigned
    data: bytes


class _Vote(_Stored, frozen=True, tag=3):
    term: Unsigned
    data: bytes


class _Bound(_Stored, frozen=True, tag=4):
    seat: Unsigned
    counter: Unsigned
    """No counter from this one on was used before this record was on the disk."""


class _Bot(_Stored, frozen=True, tag=5):
    number: Unsigned
    seed: Secret


class _StandIn(_Stored, frozen=True, tag=6):
    seat: Unsigned
    seed: Secret


class _Release(_Stored, frozen=True, tag=7):
    seat: Unsigned
    counter: Unsigned
    count: Unsigned
    head: Annotated[bytes, Meta(min_length=32, max_length=32)]


_KeyedRecord = _Seed | _Signed | _Vote | _Bot | _StandIn
_Record = _KeyedRecord | _Bound | _Release
_Key = tuple[object, ...]
R = TypeVar("R", bound=_Stored)
_decoder: msgspec.msgpack.Decoder[_Record] = msgspec.msgpack.Decoder(_Record)
_encoder = msgspec.msgpack.Encoder()


class Sidecar:
    """The open private file of one table.

    The operating system has everything put here when the call returns; the disk has it after
    `flush`.
    """

    def __init__(self, path: Path) -> None:
        """Open or create the file. Raise what `Journal` raises; DAMAGED for an invalid record."""
        self._journal = Journal(path, MAGIC, largest=_LARGEST, private=True)
        self._numbers: dict[_Key, int] = {}
        self._bounds: dict[int, int] = {}
        self._released: tuple[int, bytes] | None = None
        try:
            for number, data in enumerate(self._journal):
                self._note(self._decode(number, data), number)
            if len(self._journal):
                # A killed program may have left these records with the operating system only, and
                # their content is used immediately.
                self._journal.sync()
        except BaseException:
            self._journal.close()
            raise

    @property
    def path(self) -> Path:
        """The path of the file."""
        return self._journal.path

    @property
    def torn(self) -> TornTail | None:
        """The cut-off tail, if the last program that wrote here was interrupted while writing."""
        return self._journal.torn

    def seeds(self) -> Mapping[int, Mapping[tuple[bytes, str], bytes]]:
        """Return all seeds by seat, then by (Open entry's hash, label "round" or "view")."""
        found: dict[int, dict[tuple[bytes, str], bytes]] = {}
        for record in self._all(_Seed):
            found.setdefault(record.seat, {})[record.open, record.label] = record.seed
        return found

    def put_seed(self, seat: int, opened: bytes, label: str, seed: bytes) -> None:
        """Store 32 secret bytes. The same bytes again do nothing; others raise CONTRADICTION."""
        self._put(_Seed(seat, opened, label, seed))

    def signed(self) -> Mapping[int, Mapping[int, bytes]]:
        """Return this node's signed bytes, exactly as first sent: by seat, then by counter."""
        found: dict[int, dict[int, bytes]] = {}
        for record in self._all(_Signed):
            found.setdefault(record.seat, {})[record.counter] = record.data
        return found

    def put_signed(self, seat: int, counter: int, data: bytes) -> None:
        """Store signed bytes before sending them. Raise CONTRADICTION if others were stored.

        They need no flush if the counter is below `next_counter`.
        """
        if counter >= self.next_counter(seat):
            self._append(_Bound(seat, counter + COUNTERS_AT_ONCE))
        self._put(_Signed(seat, counter, data))

    def next_counter(self, seat: int) -> int:
        """Return the bound of a seat: no counter from it on was ever used.

        This holds even if the last records were lost in a power failure.
        """
        return self._bounds.get(seat, 0)

    def put_vote(self, term: int, data: bytes) -> None:
        """Store a vote before sending it. Raise CONTRADICTION if this term has another one."""
        self._put(_Vote(term, data))

    def votes(self) -> Mapping[int, bytes]:
        """Return all votes, exactly as they were sent, by term."""
        return {vote.term: vote.data for vote in self._all(_Vote)}

    def put_bot(self, number: int, seed: bytes) -> None:
        """Store the private key of a bot. Raise CONTRADICTION if it had another."""
        self._put(_Bot(number, seed))

    def bots(self) -> tuple[bytes, ...]:
        """Return the private keys of this node's bots, in the order of their numbers."""
        bots = sorted(self._all(_Bot), key=lambda each: each.number)
        return tuple(bot.seed for bot in bots)

    def put_stand_in(self, seat: int, seed: bytes) -> None:
        """Store the private key of this node's stand-in. Raise CONTRADICTION if it had another."""
        self._put(_StandIn(seat, seed))

    def stand_ins(self) -> Mapping[int, bytes]:
        """Return the private keys of this node's stand-ins, by seat."""
        return {bot.seat: bot.seed for bot in self._all(_StandIn)}

    def put_release(self, seat: int, counter: int, count: int, head: bytes) -> None:
        """Record that a body releases a secret for the last of `count` entries, hash `head`."""
        self._append(_Release(seat, counter, count, head))

    def released(self) -> tuple[int, bytes] | None:
        """Return the last entry for which a secret was released: its log length, and its hash."""
        return self._released

    def flush(self) -> None:
        """Return once everything put here so far is on the disk."""
        self._journal.sync()

    def close(self) -> None:
        """Close the file."""
        self._journal.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _all(self, kind: type[R]) -> list[R]:
        """Return all records of a kind, in the order of writing."""
        numbers = [number for key, number in self._numbers.items() if key[0] is kind]
        records = [self._decode(number, self._journal[number]) for number in numbers]
        return [each for each in records if isinstance(each, kind)]

    def _decode(self, number: int, data: bytes) -> _Record:
        try:
            return _decoder.decode(data)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            # Do not chain the cause: its message could quote a secret.
            raise StoreError(FileProblem.DAMAGED, self.path, f"record {number}") from None

    def _note(self, record: _Record, number: int) -> None:
        if isinstance(record, _Release):
            if self._released is None or record.count > self._released[0]:
                self._released = (record.count, record.head)
        elif isinstance(record, _Bound):
            self._bounds[record.seat] = max(self.next_counter(record.seat), record.counter)
        elif self._numbers.setdefault(_key(record), number) != number:
            raise StoreError(FileProblem.DAMAGED, self.path, f"record {number} is there twice")

    def _put(self, record: _KeyedRecord) -> None:
        number = self._numbers.get(_key(record))
        if number is not None:
            if self._decode(number, self._journal[number]) != record:
                raise StoreError(FileProblem.CONTRADICTION, self.path, repr(record))
            return
        self._append(record)

    def _append(self, record: _Record) -> None:
        data = _encoder.encode(record)
        try:
            _decoder.decode(data)
        except msgspec.MsgspecError as error:
            # Once written, the record could not be read again and would lock us out of the table.
            raise ValueError(f"cannot be kept: {error}") from None
        self._note(record, self._journal.append(data))


def _key(record: _KeyedRecord) -> _Key:
    """Return all of a record but its last field, which never changes for one key."""
    return type(record), *astuple(record)[:-1]
