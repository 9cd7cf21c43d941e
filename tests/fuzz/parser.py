"""The description of a parser for the fuzzer. The parsers are in the modules beside this one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

MAX_INPUT_BYTES = 65_536
"""Length of the longest input that a fuzzer tries: no frame is longer."""


@dataclass(frozen=True)
class Parser:
    """A function that reads bytes from outside."""

    name: str
    read: Callable[[bytes], object]
    """Takes any bytes; an exception that is not in `refusals` is a mistake of the program."""

    refusals: tuple[type[Exception], ...]
    examples: Callable[[], list[bytes]]
    """Of honest bytes."""

    def takes(self, data: bytes) -> bool:
        """Whether the parser accepts these bytes; raises on a mistake of the parser."""
        try:
            self.read(data)
        except self.refusals:
            return False
        return True
