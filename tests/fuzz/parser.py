"""What the fuzzer knows of a parser. Which there are: the modules beside this one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

LONGEST = 65_536
"""Bytes of what a fuzzer tries: no frame is longer."""


@dataclass(frozen=True)
class Parser:
    """One way in for bytes from outside."""

    name: str
    read: Callable[[bytes], object]
    """Takes any bytes; whatever it raises beside `refusals` is a mistake of the program."""

    refusals: tuple[type[Exception], ...]
    examples: Callable[[], list[bytes]]
    """Of honest bytes."""

    def takes(self, data: bytes) -> bool:
        """Whether it took this; a mistake is raised."""
        try:
            self.read(data)
        except self.refusals:
            return False
        return True
