"""Keeps the secrets of one table, each on disk before its effect can be seen.

Seeds before their commitment is sent; the entry of the log on which a secret is released, before
the secret is; own signed bytes before they are sent, so that after a restart the same bytes are
sent again and nothing is signed twice; votes before they are sent; the keys of own bots before they
take a seat. Nothing here is ever replaced, and nothing is copied to the transcript.

Waiting for the disk can take longer than all other work of a move, so signed bytes do not wait:
they survive this program at once, and a loss of power usually. That their counter was used must
survive that too. So a bound on the counters is on the disk itself before any counter below it is
used, and a restarted program begins at the bound (`next_counter`): gaps are legal.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Annotated, Self

import msgspec
from msgspec import Meta, Struct

from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.journal import LARGEST_RECORD, Journal, TornTail

MAGIC = b"lanuno sidecar 3\n"
SEED_BYTES = 32
COUNTERS_AT_ONCE = 256
"""Distance of a new bound above the counter that needs it: one sync in this many bodies."""
# A signed body may fill a whole frame of the network; the wrapping needs a few bytes more.
_LARGEST = LARGEST_RECORD + 256

Unsigned = Annotated[int, Meta(ge=0, le=2**53)]
Label = Annotated[str, Meta(min_length=1, max_length=32)]
Secret = Annotated[bytes, Meta(min_length=SEED_BYTES, max_length=SEED_BYTES)]


class _Seed(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=1):
    seat: Unsigned
    open: Annotated[bytes, Meta(min_length=32, max_length=32)]
    label: Label
    seed: Secret

    def __repr__(self) -> str:
        return f"_Seed(seat={self.seat}, label={self.label!r})"


class _Signed(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=2):
    seat: Unsigned
    counter: Unsigned
    data: bytes

    def __repr__(self) -> str:
        return f"_Signed(seat={self.seat}, counter={self.counter})"


class _Vote(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=3):
    term: Unsigned
    data: bytes

    def __repr__(self) -> str:
        return f"_Vote(term={self.term})"


class _Bound(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=4):
    seat: Unsigned
    counter: Unsigned
    """No counter from this one on was used before this record was on the disk."""


class _Bot(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=5):
    number: Unsigned
    seed: Secret

    def __repr__(self) -> str:
        return f"_Bot(number={self.number})"


class _StandIn(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=6):
    seat: Unsigned
    seed: Secret

    def __repr__(self) -> str:
        return f"_StandIn(seat={self.seat})"


class _Release(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=7):
    seat: Unsigned
    counter: Unsigned
    count: Unsigned
    head: Annotated[bytes, Meta(min_length=32, max_length=32)]


_KeyedRecord = _Seed | _Signed | _Vote | _Bot | _StandIn
_Record = _KeyedRecord | _Bound | _Release
_Key = tuple[str, int, int, bytes, str]
_decoder: msgspec.msgpack.Decoder[_Record] = msgspec.msgpack.Decoder(_Record)
_encoder = msgspec.msgpack.Encoder()


class Sidecar:
    """The open private file of one table.

    What was put is on the disk when the call returns; only signed bytes are just with the operating
    system, and their counter is below a bound that is on the disk.
    """

    def __init__(self, path: Path) -> None:
        """Open it, or begin it. Raises as `Journal` does, DAMAGED if a record makes no sense."""
        self._journal = Journal(path, MAGIC, largest=_LARGEST, private=True)
        self._numbers: dict[_Key, int] = {}
        self._bounds: dict[int, int] = {}
        self._released: tuple[int, bytes] | None = None
        try:
            for number, data in enumerate(self._journal):
                self._note(self._decode(number, data), number)
            # A program that was killed may have left this with the operating system only, and
            # what is found here is used at once.
            self._journal.sync()
        except BaseException:
            self._journal.close()
            raise

    @property
    def path(self) -> Path:
        """The file."""
        return self._journal.path

    @property
    def torn(self) -> TornTail | None:
        """Set if the last program that wrote here was interrupted while writing."""
        return self._journal.torn

    def seeds(self) -> Mapping[int, Mapping[tuple[bytes, str], bytes]]:
        """All seeds: by seat, then by hash of the round's Open entry and label ("round"…)."""
        found: dict[int, dict[tuple[bytes, str], bytes]] = {}
        for record in self._all("seed"):
            if isinstance(record, _Seed):
                found.setdefault(record.seat, {})[record.open, record.label] = record.seed
        return found

    def put_seed(self, seat: int, opened: bytes, label: str, seed: bytes) -> None:
        """Keep 32 secret bytes; the same again does nothing, others are a CONTRADICTION."""
        self._put(_Seed(seat, opened, label, seed))

    def signed(self) -> Mapping[int, Mapping[int, bytes]]:
        """Our own signed bytes, exactly as they were first sent: by seat, then by counter."""
        found: dict[int, dict[int, bytes]] = {}
        for record in self._all("signed"):
            if isinstance(record, _Signed):
                found.setdefault(record.seat, {})[record.counter] = record.data
        return found

    def put_signed(self, seat: int, counter: int, data: bytes) -> None:
        """Keep our own signed bytes before sending them; CONTRADICTION if others were kept."""
        if counter >= self.next_counter(seat):
            self._append(_Bound(seat, counter + COUNTERS_AT_ONCE))
            self._journal.sync()
        self._put(_Signed(seat, counter, data), wait=False)

    def next_counter(self, seat: int) -> int:
        """No counter of this seat from this one on was ever used here, whatever was lost."""
        return self._bounds.get(seat, 0)

    def vote(self, term: int) -> bytes | None:
        """The vote that we cast for this term, exactly as it was sent."""
        return self.votes().get(term)

    def put_vote(self, term: int, data: bytes) -> None:
        """Keep a vote before sending it; CONTRADICTION if another was cast for this term."""
        self._put(_Vote(term, data))

    def votes(self) -> Mapping[int, bytes]:
        """All votes, by term."""
        votes = [each for each in self._all("vote") if isinstance(each, _Vote)]
        return {vote.term: vote.data for vote in votes}

    def put_bot(self, number: int, seed: bytes) -> None:
        """Keep the private key of a bot; CONTRADICTION if it had another."""
        self._put(_Bot(number, seed))

    def bots(self) -> tuple[bytes, ...]:
        """The private keys of our bots, by their number."""
        bots = [each for each in self._all("bot") if isinstance(each, _Bot)]
        return tuple(bot.seed for bot in sorted(bots, key=lambda each: each.number))

    def put_stand_in(self, seat: int, seed: bytes) -> None:
        """Keep the private key of an own stand-in; CONTRADICTION if it had another."""
        self._put(_StandIn(seat, seed))

    def stand_ins(self) -> Mapping[int, bytes]:
        """The private keys of own stand-ins, by seat."""
        bots = [each for each in self._all("stand-in") if isinstance(each, _StandIn)]
        return {bot.seat: bot.seed for bot in bots}

    def put_release(self, seat: int, counter: int, count: int, head: bytes) -> None:
        """Record that a body releases a secret for the last of `count` entries, which is `head`."""
        self._append(_Release(seat, counter, count, head))
        self._journal.sync()

    def released(self) -> tuple[int, bytes] | None:
        """The last entry on which a secret was released: number of entries up to it, and hash."""
        return self._released

    def close(self) -> None:
        """Close the file."""
        self._journal.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Sidecar({str(self.path)!r}, {len(self._numbers)} kept)"

    def _all(self, kind: str) -> list[_Record]:
        numbers = sorted(number for key, number in self._numbers.items() if key[0] == kind)
        return [self._decode(number, self._journal[number]) for number in numbers]

    def _decode(self, number: int, data: bytes) -> _Record:
        try:
            return _decoder.decode(data)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            # Without the cause: its message could quote a secret.
            raise StoreError(FileProblem.DAMAGED, self.path, f"record {number}") from None

    def _note(self, record: _Record, number: int) -> None:
        if isinstance(record, _Release):
            if self._released is None or record.count > self._released[0]:
                self._released = (record.count, record.head)
        elif isinstance(record, _Bound):
            self._bounds[record.seat] = max(self.next_counter(record.seat), record.counter)
        elif self._numbers.setdefault(_key(record), number) != number:
            raise StoreError(FileProblem.DAMAGED, self.path, f"record {number} is there twice")

    def _put(self, record: _KeyedRecord, *, wait: bool = True) -> None:
        number = self._numbers.get(_key(record))
        if number is not None:
            if self._decode(number, self._journal[number]) != record:
                raise StoreError(FileProblem.CONTRADICTION, self.path, repr(record))
            return
        self._append(record)
        if wait:
            self._journal.sync()

    def _append(self, record: _Record) -> None:
        data = _encoder.encode(record)
        try:
            _decoder.decode(data)
        except msgspec.MsgspecError as error:
            # Written, it could not be read again and would lock us out of the table.
            raise ValueError(f"cannot be kept: {error}") from None
        self._note(record, self._journal.append(data))


def _key(record: _KeyedRecord) -> _Key:
    match record:
        case _Seed():
            return ("seed", record.seat, 0, record.open, record.label)
        case _Signed():
            return ("signed", record.seat, record.counter, b"", "")
        case _Vote():
            return ("vote", 0, record.term, b"", "")
        case _Bot():
            return ("bot", 0, record.number, b"", "")
        case _StandIn():
            return ("stand-in", record.seat, 0, b"", "")
