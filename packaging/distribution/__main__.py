"""Builds one package: `python -m distribution wheel|portable|deb|windows`, for packaging/build."""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from collections.abc import Sequence

from distribution.project import ROOT, WORK, BuildError, say


def main(arguments: Sequence[str] | None = None) -> int:
    """Build the requested package and print its path."""
    parser = argparse.ArgumentParser(prog="packaging/build", description=__doc__)
    parser.add_argument("kind", choices=("wheel", "portable", "deb", "windows"))
    kind = parser.parse_args(arguments).kind
    started = time.monotonic()
    WORK.mkdir(exist_ok=True)
    try:
        made = importlib.import_module(f"distribution.{kind}").build()
    except BuildError as error:
        say(f"packaging/build: {error}")
        return 1
    size = made.stat().st_size / 1_000_000
    say(f"{size:.1f} MB in {time.monotonic() - started:.0f} s")
    sys.stdout.write(f"{made.relative_to(ROOT)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
