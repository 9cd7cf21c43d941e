"""`python -m tests.bench [NAME…]` runs the measurements and prints one table of ratios.

Every module of this folder that defines `run() -> list[Row]` is a measurement. Names select some of
them (`python -m tests.bench deal`); only the selected modules are imported. The exit code is 1 if a
measurement failed to run or exceeded its budget.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from tests.bench.row import Row

Measurement = Callable[[], list[Row]]


def measurements() -> dict[str, Measurement]:
    """Return all modules of this folder that define a `run`, by name, without importing any."""
    files = sorted(Path(__file__).parent.glob("*.py"))
    return {
        file.stem: partial(measure, file.stem)
        for file in files
        if "\ndef run(" in file.read_text(encoding="utf-8")
    }


def measure(name: str) -> list[Row]:
    """Import one measurement and run it."""
    run: Measurement = importlib.import_module(f"tests.bench.{name}").run
    return run()


def table(rows: Sequence[tuple[str, Row]]) -> str:
    """Return the rows as aligned text; a broken promise is marked with words."""
    cells = [("module", "what", "ratio", "budget", "", "note")]
    for module, row in rows:
        sign = "≥" if row.at_least else "≤"
        budget = "-" if row.budget is None else f"{sign} {row.budget:g}"
        ratio = "-" if row.ratio is None else f"{row.ratio:.2f}"
        verdict = ""
        if row.budget is not None:
            verdict = "kept" if row.kept else "BROKEN"
            verdict = "unknown" if row.ratio is None else verdict
        cells.append((module, row.name, ratio, budget, verdict, row.note))
    widths = [max(len(line[column]) for line in cells) for column in range(len(cells[0]))]
    return "\n".join(
        "  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip()
        for line in cells
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the selected measurements; failures go to stderr and do not stop the others."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="modules to run (default: all)")
    chosen: list[str] = parser.parse_args(arguments).names
    every = measurements()
    unknown = sorted(set(chosen) - set(every))
    if unknown:
        parser.error(f"unknown: {', '.join(unknown)}; there are: {', '.join(every) or 'none'}")
    rows: list[tuple[str, Row]] = []
    failed = False
    for name in chosen or every:
        print(f"measuring {name} …", file=sys.stderr, flush=True)
        try:
            rows.extend((name, row) for row in every[name]())
        except Exception:  # noqa: BLE001 - one broken measurement must not hide the others
            traceback.print_exc()
            failed = True
    print(table(rows))
    return 1 if failed or not all(row.kept for _, row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
