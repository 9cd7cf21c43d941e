"""Golden outputs that are kept as texts, so that who reviews a change reads what has changed.

`python -m tests.golden.written check` compares them all; `record` writes them anew.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from tests.golden.recording import RECORDED, first_difference

TEXTS = RECORDED / "texts"


@dataclass(frozen=True, slots=True)
class Written:
    """One text."""

    name: str
    """Of its file under `recorded/texts/`, without the ending."""
    lines: Callable[[], Iterable[str]]
    """Makes it."""

    @property
    def file(self) -> Path:
        """Where it is kept."""
        return TEXTS / f"{self.name}.txt"

    def difference(self) -> str:
        """The first line that is not as it was recorded; empty if all are."""
        before = self.file.read_text("utf-8").split("\n")[:-1]
        return first_difference(before, self.lines())

    def record(self) -> None:
        """Keep what comes out now as what is right."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        text = "".join(f"{line}\n" for line in self.lines())
        self.file.write_text(text, "utf-8", newline="\n")


def main() -> int:
    """Do what was asked for; 1 if a text is not as recorded."""
    # Imported late: these import this module.
    from tests.golden.texts import WRITTEN

    parser = argparse.ArgumentParser(prog="python -m tests.golden.written")
    parser.add_argument("what", choices=("check", "record"))
    parser.add_argument("names", nargs="*", metavar="NAME", help="of texts; all if none is given")
    args = parser.parse_args()
    changed = 0
    for each in WRITTEN:
        if args.names and each.name not in args.names:
            continue
        if args.what == "record":
            each.record()
            continue
        difference = each.difference()
        if difference:
            changed += 1
            print(f"{each.name}: {difference}")
    print(f"{changed} changed" if args.what == "check" else "recorded")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
