"""`python -m tests.sim --seed S` replays one simulated table; `--seeds N` runs many."""

from __future__ import annotations

import argparse
import sys
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

from tests.sim.faults import Outcome, run


def _try(seed: int) -> tuple[int, Outcome | None, str]:
    try:
        return seed, run(seed), ""
    except Exception as error:  # noqa: BLE001 - every failure of a seed is told, with its seed
        return seed, None, f"{type(error).__name__}: {error}"


def main() -> int:
    """Run what was asked for; 1 if an invariant was broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.sim")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    if args.seed is not None:
        trace: list[str] = []
        try:
            outcome = run(args.seed, trace=trace)
        except Exception:  # noqa: BLE001 - shown below the trace
            print("\n".join(trace))
            traceback.print_exc()
            return 1
        print("\n".join(trace))
        print(dict(outcome.seen), f"digest {outcome.digest:x}")
        return 0
    seen: Counter[str] = Counter()
    broken = 0
    with ProcessPoolExecutor(args.jobs) as pool:
        for seed, done, why in pool.map(_try, range(args.first, args.first + args.seeds)):
            if done is None:
                broken += 1
                print(f"seed {seed}: {why}"[:400], flush=True)
            else:
                seen.update(done.seen)
    print(f"{args.seeds} seeds, {broken} broken; seen: {dict(seen)}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
