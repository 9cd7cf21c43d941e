"""What must stay private about one table, written before anybody could have seen its effect.

Seeds before their commitment is sent; our own signed bytes before they are sent, so that after a
restart the same bytes are sent again and nothing is signed twice; votes before they are sent.
Nothing kept here is ever replaced. Transcripts are another file: nothing from here goes there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Annotated, Self

import msgspec
from msgspec import Meta, Struct

from lanuno.store.errors import Problem, StoreError
from lanuno.store.journal import LARGEST_RECORD, Journal, TornTail

MAGIC = b"lanuno sidecar 1\n"
SEED_BYTES = 32
# A signed body may fill a whole frame of the network; the wrapping needs a few bytes more.
_LARGEST = LARGEST_RECORD + 256

Unsigned = Annotated[int, Meta(ge=0, le=2**53)]
Label = Annotated[str, Meta(min_length=1, max_length=32)]


class _Seed(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=1):
    round: Unsigned
    label: Label
    seed: Annotated[bytes, Meta(min_length=SEED_BYTES, max_length=SEED_BYTES)]

    def __repr__(self) -> str:
        return f"_Seed(round={self.round}, label={self.label!r})"


class _Signed(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=2):
    counter: Unsigned
    data: bytes

    def __repr__(self) -> str:
        return f"_Signed(counter={self.counter})"


class _Vote(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=3):
    term: Unsigned
    data: bytes

    def __repr__(self) -> str:
        return f"_Vote(term={self.term})"


_Record = _Seed | _Signed | _Vote
_Key = tuple[str, int, str]
_decoder: msgspec.msgpack.Decoder[_Record] = msgspec.msgpack.Decoder(_Record)
_encoder = msgspec.msgpack.Encoder()


class Sidecar:
    """The open private file of one table. What was put is on the disk when the call returns."""

    def __init__(self, path: Path) -> None:
        """Open it, or begin it. Raises as `Journal` does, DAMAGED if a record makes no sense."""
        self._journal = Journal(path, MAGIC, largest=_LARGEST, private=True)
        self._numbers: dict[_Key, int] = {}
        try:
            for number, data in enumerate(self._journal):
                self._remember(self._decode(number, data), number)
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

    def seed(self, round_number: int, label: str) -> bytes | None:
        """The 32 secret bytes kept for this round under this label ("round", "view"…)."""
        found = self._find(("seed", round_number, label))
        return found.seed if isinstance(found, _Seed) else None

    def fresh_seed(self, round_number: int, label: str, source: Callable[[int], bytes]) -> bytes:
        """The seed kept for this round and label; if there is none, one from `source` is kept.

        `source` is called with 32 (`os.urandom`). Once this has returned a commitment may be sent.
        """
        known = self.seed(round_number, label)
        if known is None:
            known = source(SEED_BYTES)
            self.put_seed(round_number, label, known)
        return known

    def put_seed(self, round_number: int, label: str, seed: bytes) -> None:
        """Keep 32 secret bytes; the same again does nothing, others are a CONTRADICTION."""
        self._put(_Seed(round_number, label, seed))

    def signed(self, counter: int) -> bytes | None:
        """Our own signed bytes with this counter, exactly as they were first sent."""
        found = self._find(("signed", counter, ""))
        return found.data if isinstance(found, _Signed) else None

    def put_signed(self, counter: int, data: bytes) -> None:
        """Keep our own signed bytes before sending them; CONTRADICTION if others were kept."""
        self._put(_Signed(counter, data))

    def counters(self) -> tuple[int, ...]:
        """All counters that we ever signed with here, rising; the next one must be larger."""
        return tuple(sorted(number for kind, number, _ in self._numbers if kind == "signed"))

    def vote(self, term: int) -> bytes | None:
        """The vote that we cast for this term, exactly as it was sent."""
        found = self._find(("vote", term, ""))
        return found.data if isinstance(found, _Vote) else None

    def put_vote(self, term: int, data: bytes) -> None:
        """Keep a vote before sending it; CONTRADICTION if another was cast for this term."""
        self._put(_Vote(term, data))

    def terms(self) -> Mapping[int, bytes]:
        """All votes, by term."""
        return {term: data for term in self._terms() if (data := self.vote(term)) is not None}

    def close(self) -> None:
        """Let go of the file."""
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

    def _terms(self) -> Iterator[int]:
        return (number for kind, number, _ in sorted(self._numbers) if kind == "vote")

    def _find(self, key: _Key) -> _Record | None:
        number = self._numbers.get(key)
        return None if number is None else self._decode(number, self._journal[number])

    def _decode(self, number: int, data: bytes) -> _Record:
        try:
            return _decoder.decode(data)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            # Without the cause: its message could quote a secret.
            raise StoreError(Problem.DAMAGED, self.path, f"record {number}") from None

    def _remember(self, record: _Record, number: int) -> None:
        if self._numbers.setdefault(_key(record), number) != number:
            raise StoreError(Problem.DAMAGED, self.path, f"record {number} is there twice")

    def _put(self, record: _Record) -> None:
        known = self._find(_key(record))
        if known is not None:
            if known != record:
                raise StoreError(Problem.CONTRADICTION, self.path, repr(record))
            return
        data = _encoder.encode(record)
        try:
            _decoder.decode(data)
        except msgspec.MsgspecError as error:
            # Written, it could not be read again and would lock us out of the table.
            raise ValueError(f"cannot be kept: {error}") from None
        number = self._journal.append(data)
        self._journal.sync()
        self._remember(record, number)


def _key(record: _Record) -> _Key:
    match record:
        case _Seed(round=number, label=label):
            return ("seed", number, label)
        case _Signed(counter=number):
            return ("signed", number, "")
        case _Vote(term=number):
            return ("vote", number, "")
