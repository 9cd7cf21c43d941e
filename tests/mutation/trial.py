"""Trying mutants: which tests run, in which order, and whether one of them fails.

The files are never touched: a forked child loads the program with the one changed file, which
exists in memory only. Tests that reach the changed statement come first: among them, those that
have already caught a fault in the same file, then the quick ones. The file's other tests and the
rest of the package's folder follow. A budget of seconds limits the choice; fixtures that many tests
share are built once, and their time counts towards the first of these tests.
"""

from __future__ import annotations

import enum
import importlib.abc
import importlib.machinery
import os
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

from tests.mutation.fork import TIMED_OUT, bound_time, forked, run_pytest, verdict
from tests.mutation.mutants import Mutant
from tests.mutation.reach import Reach

SPARE = 6.0
"""CPU seconds for fixtures that a test may be the first to build."""


SEEN_NOTHING = (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)


class Outcome(enum.Enum):
    """The result of trying a mutant."""

    KILLED = "killed"
    TIMED_OUT = "timed out"
    """Counts as killed: no test takes ten times as long as it did before."""
    SURVIVED = "survived"


@dataclass(frozen=True)
class Trial:
    """One mutant and the result of trying it."""

    mutant: Mutant
    outcome: Outcome
    by: str
    """The test that failed, if any."""
    tests: int
    """The number of chosen tests."""


class _Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the changed module, and loads it from memory."""

    def __init__(self, mutant: Mutant, root: Path) -> None:
        self.mutant = mutant
        self.file = str(root / mutant.file)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.mutant.module:
            return None
        spec = importlib.machinery.ModuleSpec(fullname, self, origin=self.file)
        spec.has_location = True
        if self.file.endswith("__init__.py"):
            spec.submodule_search_locations = [str(Path(self.file).parent)]
        return spec

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(self.mutant.source, self.file, "exec"), module.__dict__)


class _Chosen:
    """A pytest plugin that runs only these tests, in this order, and notes the first that fails.

    Tests that did not exist at the measurement come last: a fault can change their names.
    """

    def __init__(self, tests: Sequence[str], seconds: Mapping[str, float], caught: Path) -> None:
        self.place = {test: number for number, test in enumerate(tests)}
        self.seconds = seconds
        self.caught = caught

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [
            item for item in items if item.nodeid in self.place or item.nodeid not in self.seconds
        ]
        items.sort(key=lambda item: self.place.get(item.nodeid, len(self.place)))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> None:
        bound_time(SPARE + 10 * self.seconds.get(item.nodeid, 1))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.caught.write_text(report.nodeid, encoding="utf-8")


def _file_of(test: str) -> str:
    return test.partition("::")[0]


def _in_two_goes(tests: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield a few tests from few files first, which detect most faults; then the others."""
    first: list[str] = []
    files: set[str] = set()
    for test in tests:
        if len(first) < 40 and (_file_of(test) in files or len(files) < 3):
            files.add(_file_of(test))
            first.append(test)
    yield first
    rest = [test for test in tests if test not in first]
    if rest:
        yield rest


class Trials:
    """Tries mutants of one tree, several at the same time."""

    def __init__(self, root: Path, reach: Reach, budget: float) -> None:
        self.root = root
        self.reach = reach
        self.budget = budget
        self._caught: defaultdict[str, Counter[str]] = defaultdict(Counter)

    def chosen(self, mutant: Mutant) -> list[str]:
        """Return the tests for a mutant, up to the budget, but at least one."""
        seconds = self.reach.seconds
        here = f"tests/{mutant.file.split('/')[1]}/"
        reaching = self.reach.of_lines(mutant.file, *mutant.statement)
        of_file = self.reach.of_file(mutant.file)
        of_package = {test for test in seconds if test.startswith(here)}
        # Any test may be about code that runs while a module is loaded, however little it reaches.
        groups = (reaching, of_file, of_package) if reaching else (of_file | of_package,)
        caught = self._caught[mutant.file]
        picked: dict[str, None] = {}
        spent = 0.0
        for group in groups:
            known = {test for test, _ in caught.most_common(5)} & group
            for test in sorted(group, key=lambda name: (name not in known, seconds[name])):
                if test not in picked and (not picked or spent + seconds[test] <= self.budget):
                    picked[test] = None
                    spent += seconds[test]
        return list(picked)

    def run(self, mutants: Iterable[Mutant], processes: int) -> Iterator[Trial]:
        """Try all mutants; yield each result when it is ready."""
        running: dict[int, tuple[Mutant, int, Path]] = {}
        with tempfile.TemporaryDirectory(prefix="lanuno-mutation-") as folder:
            for number, mutant in enumerate(mutants):
                while len(running) >= processes:
                    yield self._ended(running)
                tests = self.chosen(mutant)
                caught = Path(folder) / str(number)
                running[self._start(mutant, tests, caught)] = (mutant, len(tests), caught)
            while running:
                yield self._ended(running)

    def _start(self, mutant: Mutant, tests: list[str], caught: Path) -> int:
        def run() -> int:
            sys.meta_path.insert(0, _Changed(mutant, self.root))
            for some in _in_two_goes(tests):
                files = list(dict.fromkeys(map(_file_of, some)))
                code = run_pytest(files, [_Chosen(some, self.reach.seconds, caught)])
                if code not in SEEN_NOTHING:
                    return code
            return 0

        return forked(run, bounded=True).process

    def _ended(self, running: dict[int, tuple[Mutant, int, Path]]) -> Trial:
        process, status = os.wait()
        mutant, tests, caught = running.pop(process)
        code = verdict(status)
        by = caught.read_text(encoding="utf-8") if caught.exists() else ""
        caught.unlink(missing_ok=True)
        if code in SEEN_NOTHING:
            return Trial(mutant, Outcome.SURVIVED, "", tests)
        self._caught[mutant.file].update([by] if by else [])
        return Trial(mutant, Outcome.TIMED_OUT if code == TIMED_OUT else Outcome.KILLED, by, tests)
