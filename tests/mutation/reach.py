"""The lines that each test runs and its duration, measured once before anything is changed.

The measurement runs in a separate process. `trial.py` chooses among the tests.
"""

from __future__ import annotations

import json
import time
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

import coverage
import pytest

from tests.mutation.fork import forked, run_pytest


@dataclass(frozen=True)
class Reach:
    """The measured reach and duration of the tests."""

    seconds: dict[str, float]
    """CPU seconds of each test that passed."""
    tests: dict[str, dict[int, list[str]]]
    """Tests by file and line; lines that run while a module is loaded list no test for that."""

    def of_lines(self, file: str, first: int, last: int) -> set[str]:
        lines = self.tests.get(file, {})
        return {test for line in range(first, last + 1) for test in lines.get(line, ())}

    def of_file(self, file: str) -> set[str]:
        return {test for tests in self.tests.get(file, {}).values() for test in tests}


class _Watch:
    """A pytest plugin that reports to the measurement which test is running."""

    def __init__(self, measured: coverage.Coverage) -> None:
        self.measured = measured
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self.measured.switch_context(item.nodeid)
        begun = time.process_time()
        result = yield
        self.seconds[item.nodeid] = time.process_time() - begun
        self.measured.switch_context("")
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed or report.skipped:
            self.failed.add(report.nodeid)


def measure(root: Path, packages: tuple[str, ...], kept: Path) -> Reach:
    """Run the packages' tests once and write the measurement to `kept`."""

    def run() -> int:
        measured = coverage.Coverage(
            data_file=None, source=[str(root / "lanuno" / each) for each in packages]
        )
        watch = _Watch(measured)
        measured.start()
        code = run_pytest([f"tests/{each}" for each in packages], [watch])
        measured.stop()
        data = measured.get_data()
        seconds = {name: took for name, took in watch.seconds.items() if name not in watch.failed}
        numbers = {name: number for number, name in enumerate(seconds)}
        tests = {
            Path(file).relative_to(root).as_posix(): {
                line: [numbers[name] for name in contexts if name in numbers]
                for line, contexts in data.contexts_by_lineno(file).items()
            }
            for file in data.measured_files()
        }
        kept.write_text(json.dumps({"seconds": seconds, "tests": tests}), encoding="utf-8")
        return code

    ended = forked(run, log=kept.with_suffix(".log")).wait()
    if ended != 0:
        raise SystemExit(f"the tests fail by themselves: see {kept.with_suffix('.log')}")
    return read(kept)


def read(kept: Path) -> Reach:
    """Read the measurement of an earlier run."""
    found = json.loads(kept.read_text(encoding="utf-8"))
    names = list(found["seconds"])
    tests = {
        file: {int(line): [names[number] for number in numbers] for line, numbers in lines.items()}
        for file, lines in found["tests"].items()
    }
    return Reach(found["seconds"], tests)
