"""`python -m tests.lan [NAME…]`: run the scenarios of this package one by one, with their times."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Collection, Sequence

from tests.lan import box
from tests.lan.matches import MATCHES
from tests.lan.playing import GAMES
from tests.lan.scenarios import SCENARIOS

STORIES: dict[str, Collection[str]] = {
    "scenarios": SCENARIOS,
    "playing": GAMES,
    "matches": MATCHES,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the wanted scenarios, or all; return 1 if any of them fails."""
    known = [name for stories in STORIES.values() for name in stories]
    parser = argparse.ArgumentParser(prog="python -m tests.lan", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(known))
    wanted = parser.parse_args(arguments).names
    unknown = sorted({*wanted} - {*known})
    if unknown:
        parser.error(f"unknown: {', '.join(unknown)}; there are: {', '.join(known)}")
    if reason := box.why_not():
        sys.stdout.write(f"{reason}\n")
        return 1
    failed = 0
    for module, stories in STORIES.items():
        for name in stories:
            if wanted and name not in wanted:
                continue
            since = time.monotonic()
            done = box.run(f"tests.lan.{module}", name)
            failed += done.returncode != 0
            word = "" if done.returncode == 0 else f"  FAILED\n{done.stderr}"
            sys.stdout.write(f"{name}: {time.monotonic() - since:.1f} s{word}\n{done.stdout}")
            sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
