"""What a kind of golden output is, and the file in which its digests are recorded."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path

RECORDED = Path(__file__).parent / "recorded"


@dataclass(frozen=True, slots=True)
class Golden:
    """One kind of golden output."""

    name: str
    """Also the name of its file under `recorded/`."""
    cases: tuple[str, ...]
    """All that are recorded."""
    lines: Callable[[str], Iterable[str]]
    """Plays a case: everything that comes out of it, a line each."""
    tested: int
    """The first so many cases belong to the test command; the others take longer."""

    @property
    def file(self) -> Path:
        """Where its digests are recorded."""
        return RECORDED / f"{self.name}.json"

    def digest(self, case: str) -> str:
        """Number of lines and the digest of all of them."""
        total, count = sha256(), 0
        for line in self.lines(case):
            total.update(line.encode() + b"\n")
            count += 1
        return f"{count} {total.hexdigest()[:24]}"

    def recorded(self) -> dict[str, str]:
        """What was recorded, by case; raises `FileNotFoundError` before the first recording."""
        recorded: dict[str, str] = json.loads(self.file.read_text("utf-8"))
        return recorded

    def record(self, digests: dict[str, str]) -> None:
        """Keep these as what is right."""
        ordered = {case: digests[case] for case in self.cases}
        self.file.write_text(json.dumps(ordered, indent=1) + "\n", "utf-8")


def first_difference(before: Iterable[str], now: Iterable[str]) -> str:
    """The first line in which two dumps differ, as it was and as it is; empty if none does."""
    for number, (was, now_is) in enumerate(zip_longest(before, now), start=1):
        if was != now_is:
            return f"line {number}\n  was: {was}\n  now: {now_is}"
    return ""
