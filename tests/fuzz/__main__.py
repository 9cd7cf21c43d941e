"""`python -m tests.fuzz [NAME…] [--seconds N]`: a long run of atheris on every parser, in turn.

Needs the extra `fuzz` (pip install -e '.[fuzz]'). What breaks a parser is put beside the kept
examples in tests/fuzz/corpus, where the test command tries it from then on. The exit code is 1 if
something broke.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.fuzz.parsers import CORPUS, PARSERS

ROOT = Path(__file__).resolve().parents[2]
BROKEN = ("crash-", "timeout-", "oom-", "leak-")


@dataclass(frozen=True)
class Run:
    """What one parser went through."""

    name: str
    executions: int
    edges: int
    """Branches of the program that were taken, as libFuzzer counts them."""
    peak: int
    """MiB."""
    broken: tuple[Path, ...]


def fuzz(name: str, seconds: int) -> Run:
    """Run one parser for so long; what broke it is kept."""
    with tempfile.TemporaryDirectory(prefix="lanuno-fuzz-") as folder:
        done = subprocess.run(
            [sys.executable, "-m", "tests.fuzz.atheris_run", name, folder, str(seconds)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        found = [each for each in Path(folder).iterdir() if each.name.startswith(BROKEN)]
        if done.returncode and not found:
            sys.stderr.write(done.stdout + done.stderr)
            raise SystemExit(f"{name} could not be run")
        if found:
            sys.stderr.write(done.stdout + done.stderr[-4000:])
        return Run(
            name,
            _last(r"number_of_executed_units: (\d+)", done.stderr),
            _last(r"cov: (\d+)", done.stderr),
            _last(r"peak_rss_mb: (\d+)", done.stderr),
            tuple(_keep(name, each) for each in found),
        )


def _last(pattern: str, text: str) -> int:
    found = re.findall(pattern, text)
    return int(found[-1]) if found else 0


def _keep(name: str, file: Path) -> Path:
    folder = CORPUS / name
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / file.name
    kept.write_bytes(file.read_bytes())
    return kept


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the chosen parsers and print a table."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(sorted(PARSERS)))
    parser.add_argument("--seconds", type=int, default=600, help="for each (default: 600)")
    args = parser.parse_args(arguments)
    unknown = sorted(set(args.names) - set(PARSERS))
    if unknown:
        parser.error(f"unknown: {', '.join(unknown)}; there are: {', '.join(sorted(PARSERS))}")
    print(f"{'parser':<14}{'executions':>12}{'branches':>10}{'MiB':>6}  broken by", flush=True)
    whole = True
    for name in args.names or sorted(PARSERS):
        run = fuzz(name, args.seconds)
        broken = " ".join(each.name for each in run.broken) or "-"
        line = f"{run.name:<14}{run.executions:>12}{run.edges:>10}{run.peak:>6}  {broken}"
        print(line, flush=True)
        whole = whole and not run.broken
    return 0 if whole else 1


if __name__ == "__main__":
    sys.exit(main())
