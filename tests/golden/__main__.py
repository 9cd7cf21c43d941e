"""`python -m tests.golden check` compares all outputs with the recorded ones.

`dump KIND CASE FOLDER` writes the lines of a case. `diff KIND CASE FOLDER` shows the first line
that has changed since such a dump; make the dump in a clone of the recorded commit. `record KIND`
declares the present outputs correct. `roles` counts the role changes of the nodes at simulated
tables.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import repeat
from pathlib import Path

from tests.golden.kinds import KINDS, OF_THE_WINDOW, kinds_of_the_window
from tests.golden.recording import Golden, first_difference
from tests.golden.worlds import Transition, transitions

SEEDS_AT_ONCE = 10


@cache
def _kinds() -> dict[str, Golden]:
    return {**KINDS, **kinds_of_the_window()}


def _digest(kind: str, case: str) -> str:
    return _kinds()[kind].digest(case)


def _digests(golden: Golden, cases: Iterable[str], jobs: int) -> Iterator[tuple[str, str]]:
    wanted = list(cases)
    with ProcessPoolExecutor(jobs) as pool:
        yield from zip(wanted, pool.map(_digest, repeat(golden.name), wanted), strict=True)


def _check(kinds: Iterable[Golden], jobs: int) -> int:
    changed = 0
    for golden in kinds:
        recorded = golden.recorded()
        for case in recorded.keys() - set(golden.cases):
            changed += 1
            print(f"{golden.name} {case}: recorded, and no case any more")
        for case, digest in _digests(golden, golden.cases, jobs):
            if recorded.get(case) != digest:
                changed += 1
                print(f"{golden.name} {case}: {recorded.get(case)} is now {digest}", flush=True)
        print(f"{golden.name}: {len(golden.cases)} cases", flush=True)
    print(f"{changed} changed")
    return 1 if changed else 0


def _record(kinds: Iterable[Golden], jobs: int) -> int:
    for golden in kinds:
        golden.record(dict(_digests(golden, golden.cases, jobs)))
        print(f"{golden.name}: {len(golden.cases)} cases recorded")
    return 0


def _dumped(golden: Golden, case: str, folder: Path) -> Path:
    return folder / f"{golden.name}-{case.replace('/', '_')}.txt"


def _dump(golden: Golden, case: str, folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    file = _dumped(golden, case, folder)
    file.write_text("".join(f"{line}\n" for line in golden.lines(case)), "utf-8")
    print(file)
    return 0


def _diff(golden: Golden, case: str, folder: Path) -> int:
    before = _dumped(golden, case, folder).read_text("utf-8").split("\n")[:-1]
    found = first_difference(before, golden.lines(case))
    print(found or "no difference")
    return 1 if found else 0


def _roles(seeds: int, jobs: int) -> int:
    parts = [
        range(first, min(first + SEEDS_AT_ONCE, seeds)) for first in range(0, seeds, SEEDS_AT_ONCE)
    ]
    total: Counter[Transition] = Counter()
    with ProcessPoolExecutor(jobs) as pool:
        for each in pool.map(transitions, parts):
            total += each
    for (before, name, after), count in sorted(
        total.items(), key=lambda each: (each[0][0].value, -each[1])
    ):
        print(f"{count:9} {before.value:14} {name:24} {after.value}")
    return 0


def main() -> int:
    """Run the requested command; return 1 if an output differs from the recorded one."""
    all_kinds = _kinds()
    missing = [name for name in OF_THE_WINDOW if name not in all_kinds]
    if missing:
        print(f"left out, because Qt is missing: {', '.join(missing)}", file=sys.stderr)
    parser = argparse.ArgumentParser(prog="python -m tests.golden")
    parser.add_argument("--jobs", type=int, default=2)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("check", "record"):
        commands.add_parser(name).add_argument(
            "kinds", nargs="*", metavar="KIND", choices=[[], *all_kinds]
        )
    for name in ("dump", "diff"):
        command = commands.add_parser(name)
        command.add_argument("kind", choices=all_kinds)
        command.add_argument("case")
        command.add_argument("folder", type=Path)
    commands.add_parser("roles").add_argument("--seeds", type=int, default=400)
    args = parser.parse_args()
    match args.command:
        case "check" | "record":
            kinds = [all_kinds[name] for name in args.kinds or all_kinds]
            return (_check if args.command == "check" else _record)(kinds, args.jobs)
        case "dump":
            return _dump(all_kinds[args.kind], args.case, args.folder)
        case "diff":
            return _diff(all_kinds[args.kind], args.case, args.folder)
        case _:
            return _roles(args.seeds, args.jobs)


if __name__ == "__main__":
    sys.exit(main())
