"""The hashes of a log's entries, in storage that copies of a log share.

A node keeps several replays of one log: those of its host role and its seats, and one at the start
of each round. They differ at most in their last few entries.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Self, overload


class Chain(Sequence[bytes]):
    """The hashes of all entries by number, and the numbers by hash.

    A copy is free: it shares the storage of its original. It gets separate storage when it appends
    a hash that differs from the stored one.
    """

    __slots__ = ("_count", "_hashes", "_numbers")

    def __init__(self) -> None:
        """Create the chain of an empty log."""
        self._count = 0
        self._hashes: list[bytes] = []
        """Shared by copies, so it is longer than this chain if a copy has grown further."""
        self._numbers: dict[bytes, int] = {}

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> bytes: ...

    @overload
    def __getitem__(self, index: slice) -> list[bytes]: ...

    def __getitem__(self, index: int | slice) -> bytes | list[bytes]:
        indices = range(self._count)[index]
        if isinstance(indices, int):
            return self._hashes[indices]
        return [self._hashes[place] for place in indices]

    def number(self, digest: bytes) -> int | None:
        """Return the number of the entry with this hash; None if the log has no such entry."""
        number = self._numbers.get(digest)
        return number if number is not None and number < self._count else None

    def append(self, digest: bytes) -> None:
        """Append the hash of the next entry."""
        if self._hashes[self._count : self._count + 1] != [digest]:
            if self._count < len(self._hashes):
                self._hashes = self._hashes[: self._count]
                self._numbers = {known: number for number, known in enumerate(self._hashes)}
            self._hashes.append(digest)
            self._numbers[digest] = self._count
        self._count += 1

    def __deepcopy__(self, _memo: dict[int, object]) -> Self:
        return copy(self)
