"""Golden outputs that are recorded as text, because people are to see what changes in them."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from tests.golden.recording import RECORDED, Golden


@dataclass(frozen=True, slots=True)
class Readable(Golden):
    """As any other kind, with a file for each case in a folder of its name."""

    @property
    def file(self) -> Path:
        """The folder of its files."""
        return RECORDED / self.name

    def file_of(self, case: str) -> Path:
        """Where a case is recorded."""
        return self.file / f"{case}.txt"

    def text(self, case: str) -> str:
        """What comes out now."""
        return "".join(f"{line}\n" for line in self.lines(case))

    def digest(self, case: str) -> str:
        """Of what comes out now."""
        return _digest(self.text(case))

    def recorded(self) -> dict[str, str]:
        """The digests of what was recorded."""
        files = {file.stem: file for file in self.file.glob("*.txt")}
        cases = [case for case in self.cases if case in files]
        others = sorted(set(files) - set(cases))
        return {case: _digest(files[case].read_text("utf-8")) for case in (*cases, *others)}

    def record(self, digests: dict[str, str]) -> None:
        """Keep what comes out now as what is right."""
        del digests
        self.file.mkdir(exist_ok=True)
        for case in self.cases:
            self.file_of(case).write_text(self.text(case), "utf-8")


def _digest(text: str) -> str:
    return f"{text.count(chr(10))} {sha256(text.encode()).hexdigest()[:24]}"
