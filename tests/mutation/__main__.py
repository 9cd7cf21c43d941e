"""`python -m tests.mutation [PACKAGE…]`: the share of small faults that the tests detect.

Needs the extra `mutation` (pip install -e '.[mutation]'). A full run of the pure packages takes
hours. `--sample N --seed S` tries N mutants of each package, chosen evenly, and gives the score
within about 1/sqrt(N). Surviving mutants are listed at the end of their package; `--only NAME…`
tries them again. No file of the tree is changed. The exit code is 1 if a score is below `--wanted`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.mutation import PACKAGES


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the arguments, then load the libraries of the extra `mutation`, and run."""
    args = _arguments(arguments)
    try:
        from tests.mutation.score import score
    except ModuleNotFoundError as error:
        sys.stderr.write(f"{error}. Install it: {sys.executable} -m pip install -e '.[mutation]'\n")
        return 1
    return score(args)


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help=", ".join(PACKAGES))
    parser.add_argument("--sample", type=int, help="so many of each package (default: all)")
    parser.add_argument("--seed", default="1", help="which (default: 1)")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="mutants by their names")
    parser.add_argument("--processes", type=int, default=1, help="at once (default: 1)")
    parser.add_argument(
        "--budget", type=float, default=30, help="seconds of tests for each mutant; 0: all of them"
    )
    parser.add_argument("--wanted", type=float, default=85, help="score in percent (default: 85)")
    parser.add_argument("--reach", type=Path, help="where the measurement of the tests is kept")
    parser.add_argument("--verbose", action="store_true", help="show every mutant")
    args = parser.parse_args(arguments)
    unknown = sorted(set(args.packages) - set(PACKAGES))
    if unknown:
        parser.error(f"unknown: {', '.join(unknown)}; there are: {', '.join(PACKAGES)}")
    return args


if __name__ == "__main__":
    sys.exit(main())
