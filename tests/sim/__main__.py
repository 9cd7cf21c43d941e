"""`python -m tests.sim --seed S` replays one simulated table; `--seeds N` runs many."""

from __future__ import annotations

import argparse
import gc
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

from tests.sim.faults import Outcome, run

Tried = tuple[int, Outcome | None, str]


def _try(seed: int) -> Tried:
    try:
        return seed, run(seed), ""
    except Exception as error:  # noqa: BLE001 - every failure of a seed is told, with its seed
        return seed, None, f"{type(error).__name__}: {error}"
    finally:
        if seed % 16 == 0:
            gc.collect()


def _all(seeds: range, jobs: int) -> Iterator[Tried]:
    if jobs == 1:
        yield from map(_try, seeds)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(_try, seeds)


def _one(seed: int) -> int:
    trace: list[str] = []
    try:
        outcome = run(seed, trace=trace)
    except Exception:  # noqa: BLE001 - shown below the trace
        print("\n".join(trace))
        traceback.print_exc()
        return 1
    print("\n".join(trace))
    print(dict(outcome.seen), f"digest {outcome.digest:x}")
    return 0


def main() -> int:
    """Run what was asked for; 1 if an invariant was broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.sim")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    if args.seed is not None:
        return _one(args.seed)
    gc.freeze()
    gc.disable()  # hardly anything goes round in a circle; what does is collected now and then
    seen: Counter[str] = Counter()
    broken, began = 0, time.monotonic()
    for seed, done, why in _all(range(args.first, args.first + args.seeds), args.jobs):
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
