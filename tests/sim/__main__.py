"""`python -m tests.sim --seed S` replays one simulated table; `--seeds N` runs many.

`--generated` plays only tables with the generated dishonest host. `--planted NAME` plays tables
with a planted mistake: every seed that it reports has then found something.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from functools import partial

from tests.harness.adversaries.generated_host import GENERATED
from tests.harness.node_world.faults import Plan, RunResult, run
from tests.sim.planted import PLANTED

GENERATED_ONLY = Plan(honest=False, adversary=GENERATED)
"""Every table has the host that misbehaves at random moments."""

Tried = tuple[int, RunResult | None, str]


def _plan(name: str) -> Plan | None:
    """Return the plan that the command line names. Processes exchange plans by name."""
    if name == GENERATED.name:
        return GENERATED_ONLY
    return next((each.plan for each in PLANTED if each.name == name), None)


def _mistake(name: str) -> AbstractContextManager[object]:
    """Return the planted mistake of this name, or a context without one."""
    return next((each.plant() for each in PLANTED if each.name == name), nullcontext())


def _try(seed: int, plan: str) -> Tried:
    try:
        with _mistake(plan):
            return seed, run(seed, plan=_plan(plan)), ""
    except Exception as error:  # noqa: BLE001 - every failure is reported with its seed
        return seed, None, f"{type(error).__name__}: {error}"
    finally:
        if seed % 16 == 0:
            gc.collect()


def _all(seeds: range, jobs: int, plan: str) -> Iterator[Tried]:
    if jobs == 1:
        yield from (_try(seed, plan) for seed in seeds)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(partial(_try, plan=plan), seeds)


def _one(seed: int, plan: str) -> int:
    trace: list[str] = []
    try:
        with _mistake(plan):
            outcome = run(seed, trace=trace, plan=_plan(plan))
    except Exception:  # noqa: BLE001 - shown below the trace
        print("\n".join(trace))
        traceback.print_exc()
        return 1
    print("\n".join(trace))
    print(dict(outcome.seen), f"digest {outcome.digest:x}")
    return 0


def main() -> int:
    """Run the requested tables; return 1 if an invariant was broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.sim")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument(
        "--generated", action="store_true", help="only tables with the generated dishonest host"
    )
    names = [each.name for each in PLANTED]
    parser.add_argument(
        "--planted", choices=names, metavar="NAME", help=f"with this mistake: {', '.join(names)}"
    )
    args = parser.parse_args()
    plan = args.planted or (GENERATED.name if args.generated else "")
    if args.seed is not None:
        return _one(args.seed, plan)
    gc.freeze()
    gc.disable()  # there are hardly any reference cycles; they are collected now and then
    seen: Counter[str] = Counter()
    broken, began = 0, time.monotonic()
    for seed, done, why in _all(range(args.first, args.first + args.seeds), args.jobs, plan):
        if done is None:
            broken += 1
            print(f"seed {seed}: {why}"[:400], flush=True)
            print(f"  again: python -m tests.sim --seed {seed}", flush=True)
        else:
            seen.update(done.seen)
    seconds = time.monotonic() - began
    print(f"{args.seeds} seeds from {args.first}, {broken} broken, {seconds:.0f} s")
    print("seen: " + ", ".join(f"{what} {count}" for what, count in sorted(seen.items())))
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
