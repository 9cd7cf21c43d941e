"""The description of a kind of golden output, and the files in which it is recorded."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path

RECORDED = Path(__file__).parent / "recorded"


@dataclass(frozen=True, slots=True)
class Golden:
    """One kind of golden output."""

    name: str
    """Also the name of its file, or of its folder, under `recorded/`."""
    cases: tuple[str, ...]
    """The names of all recorded cases."""
    lines: Callable[[str], Iterable[str]]
    """Plays a case and returns one line for every output."""
    tested: int
    """The number of cases, from the first, that the test command plays; all take too long."""
    as_text: bool = False
    """Whether the lines are stored instead of a digest, so that changes in them are readable."""

    @property
    def file(self) -> Path:
        """The file of the digests, or the folder of the texts."""
        return RECORDED / (self.name if self.as_text else f"{self.name}.json")

    def file_of(self, case: str) -> Path:
        """Return the file in which the text of a case is recorded."""
        return self.file / f"{case}.txt"

    def digest(self, case: str) -> str:
        """Return the number of lines of a case and the digest of all of them."""
        return digest_of(self.lines(case))

    def recorded(self) -> dict[str, str]:
        """Return the recorded digests by case; raise `FileNotFoundError` if none are recorded."""
        if not self.as_text:
            recorded: dict[str, str] = json.loads(self.file.read_text("utf-8"))
            return recorded
        there = {
            path.relative_to(self.file).with_suffix("").as_posix(): digest_of(lines_of(path))
            for path in sorted(self.file.rglob("*.txt"))
        }
        known = {case: there.pop(case) for case in self.cases if case in there}
        return {**known, **there}

    def record(self, digests: Mapping[str, str]) -> None:
        """Record the present outputs as correct. `digests`: of every case."""
        if not self.as_text:
            ordered = {case: digests[case] for case in self.cases}
            self.file.write_text(json.dumps(ordered, indent=1) + "\n", "utf-8")
            return
        for case in self.cases:
            write_lines(self.file_of(case), self.lines(case))

    def difference(self, case: str) -> str:
        """Return the difference from the recorded output; empty if there is none."""
        if self.as_text:
            return first_difference(lines_of(self.file_of(case)), self.lines(case))
        was, now = self.recorded()[case], self.digest(case)
        if was == now:
            return ""
        shows = f"`python -m tests.golden diff {self.name} {case} FOLDER` shows the first line"
        return f"was {was}, is {now}; {shows} that differs from a dump of an earlier commit"


def digest_of(lines: Iterable[str]) -> str:
    """Return the number of lines and the digest of all of them."""
    total, count = sha256(), 0
    for line in lines:
        total.update(line.encode() + b"\n")
        count += 1
    return f"{count} {total.hexdigest()[:24]}"


def write_lines(file: Path, lines: Iterable[str]) -> None:
    """Write lines to a file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(f"{line}\n" for line in lines), "utf-8", newline="\n")


def lines_of(file: Path) -> list[str]:
    """Read the lines of a file."""
    return file.read_text("utf-8").split("\n")[:-1]


def first_difference(before: Iterable[str], now: Iterable[str]) -> str:
    """Return the first line that differs between two dumps, old and new; empty if none does."""
    for number, (was, now_is) in enumerate(zip_longest(before, now), start=1):
        if was != now_is:
            return f"line {number}\n  was: {was}\n  now: {now_is}"
    return ""
