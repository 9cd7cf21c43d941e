"""`python -m tests.fuzz [NAME…] [--seconds N]`: a long run of atheris on every parser, in turn.

Needs the extra `fuzz` (pip install -e '.[fuzz]'). tests/fuzz/corpus stores inputs that break a
parser and the shortest inputs that reach new branches. The test command tries all of them, and the
next run starts with them. The exit code is 1 if a parser broke.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tests.fuzz.parsers import CORPUS, PARSERS
from tests.harness.processes.peak_memory import KIB, mark

ROOT = Path(__file__).resolve().parents[2]
BROKEN = ("crash-", "timeout-", "oom-", "leak-")

MAX_MIB = 512
"""Memory limit of a parser's process; atheris and all modules alone use about 100."""

MAX_KEPT = 24
"""Stored inputs per parser that reach new branches; the test command tries all of them."""
MAX_KEPT_BYTES = 2048
"""The largest size of such an input in bytes."""


@dataclass(frozen=True)
class Run:
    """The result for one parser."""

    name: str
    executions: int
    edges: int
    """The number of branches taken, as libFuzzer counts them."""
    peak: int
    """Peak memory in MiB."""
    new_branches: int
    """The number of inputs added to the corpus because they reach new branches."""
    broken: tuple[Path, ...]


def fuzz(name: str, seconds: int) -> Run:
    """Fuzz one parser for a number of seconds; store the inputs that broke it."""
    with tempfile.TemporaryDirectory(prefix="lanuno-fuzz-") as folder:
        said = Path(folder) / "said"
        command = [sys.executable, "-m", "tests.fuzz.atheris_run", name, folder, str(seconds)]
        with said.open("wb") as file:
            program = subprocess.Popen(command, cwd=ROOT, stdout=file, stderr=file)
            peak = _watch(program)
        text = said.read_text(encoding="utf-8", errors="replace")
        found = [each for each in Path(folder).iterdir() if each.name.startswith(BROKEN)]
        if program.returncode and not found:
            sys.stderr.write(text)
            raise SystemExit(f"{name} could not be run, or took {peak} MiB of {MAX_MIB}")
        if found:
            sys.stderr.write(text[-4000:])
        return Run(
            name,
            _last(r"number_of_executed_units: (\d+)", text),
            _last(r"cov: (\d+)", text),
            peak,
            _keep_new_branches(name, Path(folder) / "corpus"),
            tuple(_keep(name, each) for each in found),
        )


def _watch(program: subprocess.Popen[bytes]) -> int:
    """Wait until a process ends, or kill it at the memory limit; return its peak in MiB."""
    peak = 0
    while program.poll() is None:
        peak = max(peak, (mark(program.pid) or 0) // KIB)
        if peak > MAX_MIB:
            program.kill()
        with suppress(subprocess.TimeoutExpired):
            program.wait(0.2)
    return peak


def _last(pattern: str, text: str) -> int:
    found = re.findall(pattern, text)
    return int(found[-1]) if found else 0


def _keep_new_branches(name: str, corpus: Path) -> int:
    """Store the shortest inputs that libFuzzer kept; it names them after their content."""
    here = len(list((CORPUS / name).glob("*"))) if (CORPUS / name).is_dir() else 0
    fresh = [each for each in corpus.iterdir() if not each.name.startswith("example-")]
    short = [each for each in fresh if 0 < each.stat().st_size <= MAX_KEPT_BYTES]
    short.sort(key=lambda each: (each.stat().st_size, each.name))
    chosen = short[: max(0, MAX_KEPT - here)]
    for each in chosen:
        _keep(name, each)
    return len(chosen)


def _keep(name: str, file: Path) -> Path:
    folder = CORPUS / name
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / file.name
    kept.write_bytes(file.read_bytes())
    return kept


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the selected parsers and print a table."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(sorted(PARSERS)))
    parser.add_argument("--seconds", type=int, default=600, help="for each (default: 600)")
    args = parser.parse_args(arguments)
    unknown = sorted(set(args.names) - set(PARSERS))
    if unknown:
        parser.error(f"unknown: {', '.join(unknown)}; there are: {', '.join(sorted(PARSERS))}")
    print(
        f"{'parser':<14}{'executions':>12}{'branches':>10}{'MiB':>6}{'kept':>6}  broken by",
        flush=True,
    )
    whole = True
    for name in args.names or sorted(PARSERS):
        run = fuzz(name, args.seconds)
        broken = " ".join(each.name for each in run.broken) or "-"
        numbers = f"{run.executions:>12}{run.edges:>10}{run.peak:>6}{run.new_branches:>6}"
        line = f"{run.name:<14}{numbers}  {broken}"
        print(line, flush=True)
        whole = whole and not run.broken
    return 0 if whole else 1


if __name__ == "__main__":
    sys.exit(main())
