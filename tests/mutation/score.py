"""Measures the tests, tries the mutants, and prints the survivors and the scores."""

from __future__ import annotations

import argparse
import importlib
import itertools
import math
import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from tests.mutation import PACKAGES
from tests.mutation.mutants import Mutant, mutants, unchanged
from tests.mutation.reach import measure, read
from tests.mutation.trial import Outcome, Trials

ROOT = Path(__file__).resolve().parents[2]
LOADED_ONCE = ("coincurve", "cryptography.hazmat.primitives.hpke", "hypothesis", "msgspec")
"""Modules that the parent loads for all children; none of them may belong to the project."""


def score(args: argparse.Namespace) -> int:
    """Do what the arguments of `__main__.py` say; return 1 if a score is below the wanted one."""
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
