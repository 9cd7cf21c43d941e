"""Every lie at a table of real programs: `python -m tests.cheats`; see `--help`."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.cheats.cheated_table import play_case
from tests.cheats.faults import CASES
from tests.cheats.fork_server import fork_server


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the requested tables, one after the other."""
    parser = argparse.ArgumentParser(prog="python -m tests.cheats", description=__doc__)
    parser.add_argument("only", nargs="*", help="a part of what lies are called; all without it")
    asked = parser.parse_args(arguments)
    wanted = [
        case for case in CASES.values() if not asked.only or any(x in case.id for x in asked.only)
    ]
    wrong = []
    with fork_server() as ours:
        for case in wanted:
            with tempfile.TemporaryDirectory(prefix="lanuno-cheats-") as folder:
                try:
                    line = str(play_case(case, Path(folder), ours))
                except (AssertionError, subprocess.TimeoutExpired) as error:
                    wrong.append(case.id)
                    line = f"WRONG    {case.id}: {error}"
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{len(wanted)} lies, {len(wrong)} of them did not come out as they must\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
