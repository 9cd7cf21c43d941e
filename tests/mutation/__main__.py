"""`python -m tests.mutation [PACKAGE…]`: the share of small faults that the tests detect.

Needs the extra `mutation` (pip install -e '.[mutation]'). A full run of the pure packages takes
hours. `--sample N --seed S` tries N mutants of each package, chosen evenly, and gives the score
within about 1/sqrt(N). Surviving mutants are listed at the end of their package; `--only NAME…`
tries them again. No file of the tree is changed. The exit code is 1 if a score is below `--wanted`.
"""

from __future__ import annotations

import argparse
import importlib
import itertools
import math
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from tests.mutation.mutants import Mutant, mutants, unchanged
from tests.mutation.reach import measure, read
from tests.mutation.trial import Outcome, Trials

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("dealing", "log", "rules")
LOADED_ONCE = ("coincurve", "cryptography.hazmat.primitives.hpke", "hypothesis", "msgspec")
"""Modules that the parent loads for all children; none of them may belong to the project."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the tests, try the mutants, print the survivors and the scores."""
    args = _arguments(arguments)
    for name in LOADED_ONCE:
        importlib.import_module(name)
    with tempfile.TemporaryDirectory(prefix="lanuno-mutation-") as folder:
        kept = args.reach or Path(folder) / "reach.json"
        if args.reach and kept.exists():
            reach = read(kept)
        else:
            print("running the tests as they are …", flush=True)
            reach = measure(ROOT, PACKAGES, kept)
    rows = []
    for package in args.packages or PACKAGES:
        every = mutants(ROOT, package)
        trials = Trials(ROOT, reach, args.budget or math.inf)
        tried = iter(_picked(every, package, args))
        first = next(tried, None)
        if first is None:
            continue
        (control,) = trials.run([unchanged(ROOT, first)], 1)
        if control.outcome is not Outcome.SURVIVED:
            raise SystemExit(f"without any fault there fails {control.by or 'everything'}")
        rows.append((package, len(every), _try(trials, itertools.chain((first,), tried), args)))
    head = ("package", "mutants", "tried", "killed", "timeouts", "survived", "score")
    print("".join(f"{each:>10}" for each in head))
    whole = True
    for package, count, outcomes in rows:
        total, (killed, late, left) = outcomes.total(), (outcomes[each] for each in Outcome)
        share = 100 * (killed + late) / total
        cells = (package, count, total, killed, late, left, f"{share:.1f} %")
        print("".join(f"{each:>10}" for each in cells))
        whole = whole and share >= args.wanted
    return 0 if whole else 1


def _try(trials: Trials, tried: Iterable[Mutant], args: argparse.Namespace) -> Counter[Outcome]:
    outcomes: Counter[Outcome] = Counter()
    begun = time.monotonic()
    for trial in trials.run(tried, args.processes):
        outcomes[trial.outcome] += 1
        if args.verbose:
            by = f" by {trial.by}" if trial.by else ""
            took = f"{time.monotonic() - begun:.0f} s"
            print(f"{took} {trial.mutant.name} {trial.outcome.value}{by}", flush=True)
        if trial.outcome is Outcome.SURVIVED:
            print(f"\n{trial.mutant.name} survived {trial.tests} tests")
            print(trial.mutant.difference(ROOT), flush=True)
    return outcomes


def _picked(every: list[Mutant], package: str, args: argparse.Namespace) -> Iterable[Mutant]:
    if args.only:
        return [each for each in every if each.name in args.only]
    shuffled = random.Random(f"{args.seed} {package}").sample(every, len(every))
    return itertools.islice((each for each in shuffled if each.source), args.sample)


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
