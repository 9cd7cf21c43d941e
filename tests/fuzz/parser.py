"""The description of a parser for the fuzzer. The parsers are in the other modules here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

MAX_INPUT_BYTES = 65_536
"""Length of the longest input that a fuzzer tries; no frame is longer."""


@dataclass(frozen=True)
class Parser:
    """A function that reads bytes from outside."""

    name: str
    read: Callable[[bytes], object]
    """Accepts any bytes; an exception that is not in `refusals` is a fault of the program."""

    refusals: tuple[type[Exception], ...]
    examples: Callable[[], list[bytes]]
    """Returns examples of honest bytes."""

    def takes(self, data: bytes) -> bool:
        """Whether the parser accepts these bytes; raises if the parser has a fault."""
        try:
            self.read(data)
        except self.refusals:
            return False
        return True
