"""Replays a trace that was written with `--trace`, step by step, on real nodes.

    python -m tests.replay_trace FILE [--node NUMBER] [--stop-at STEP]

It prints every step with its input, roles and outputs, and what differs from the record. With
`--stop-at` it opens Python's debugger before a step; there, `replay.nodes` holds the nodes. The
exit code is 1 if a step differs, and 2 if the file is not a trace.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, Final

from lanuno.log.faults import Unreadable
from lanuno.table.trace_replay import (
    RecordedStep,
    RepeatedStep,
    TraceReplay,
    recorded_steps,
)

LONGEST_LINE: Final = 256 * 1024**2
"""Bytes. A node that resumes a table records the whole log in one line."""


def replay_file(path: Path, *, only: int | None = None, stop_at: int | None = None) -> int:
    """Replay a trace, and print it. Return the number of steps that differ.

    `only` is the node whose steps are printed. Raises OSError, `Unreadable`.
    """
    replay, different, first = TraceReplay(), 0, 0.0
    with path.open("rb") as file:
        for number, step in enumerate(recorded_steps(lines_of(file))):
            if number == stop_at:
                breakpoint()
            repeated = replay.repeat(step)
            different += bool(repeated.differences)
            first = first or step.at
            if only in (None, step.node) or repeated.differences:
                for line in described(number, step, repeated, first):
                    print(printable(line))
    return different


def lines_of(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a file. Raises `Unreadable` for one that is longer than any of a trace."""
    while line := file.readline(LONGEST_LINE + 1):
        if len(line) > LONGEST_LINE:
            raise Unreadable(f"a line has more than {LONGEST_LINE} bytes")
        yield line


def printable(text: str) -> str:
    """Escape control characters: the trace may come from a stranger."""
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)


def described(number: int, step: RecordedStep, repeated: RepeatedStep, first: float) -> list[str]:
    """Describe a step and its repetition in lines of text. `first`: the time of the first input."""
    if step.given is None:
        head = f"{number} node {step.node} begins"
    else:
        kind = type(step.given).__name__
        about = step.about or str(step.given)
        head = f"{number} node {step.node} {step.at - first:+.3f} s: {kind}: {about}"
    lines = [head, *(f"    -> {role}" for role in repeated.roles)]
    lines += [f"    {output.type}: {output.about}" for output in repeated.outputs]
    lines += [f"    raises {repeated.error}"] if repeated.error else []
    return lines + [f"    DIFFERS: {difference}" for difference in repeated.differences]


def main(arguments: Sequence[str] | None = None) -> int:
    """Replay the trace that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m tests.replay_trace", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--node", type=int, help="print only the steps of this node")
    parser.add_argument("--stop-at", type=int, help="open the debugger before this step")
    args = parser.parse_args(arguments)
    try:
        different = replay_file(args.file, only=args.node, stop_at=args.stop_at)
    except (OSError, Unreadable) as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{different} steps differ" if different else "every step is the same")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
