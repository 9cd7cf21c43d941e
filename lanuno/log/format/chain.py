"""The hashes of a log's entries; copies of a log share the common part.

A node keeps several replays of one log: that of its host role, those of its seats, the starts of
rounds. They differ at most in their last few entries.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Self, overload


class Chain(Sequence[bytes]):
    """Every entry's hash by its number, and its number by its hash.

    Copying one costs nothing. A copy that appends other hashes than the stored ones gets storage of
    its own.
    """

    __slots__ = ("_count", "_hashes", "_numbers")

    def __init__(self) -> None:
        """No entry."""
        self._count = 0
        self._hashes: list[bytes] = []
        """May be longer than this chain, if a copy has grown further."""
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
        """The number of the entry with this hash; None if the log has none."""
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
