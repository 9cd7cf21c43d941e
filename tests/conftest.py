"""Rules for every test: no unexpected log records and no unnoticed exceptions.

The pytest settings in pyproject.toml already turn warnings into errors, including unraisable and
thread exceptions. This module adds the check of log records and the hypothesis profiles, and keeps
the suite out of garbage collection. Fixtures of a single package do not belong here.
"""

from __future__ import annotations

import gc
import logging
import os
import signal
from typing import TYPE_CHECKING
from zlib import crc32

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

# Failed assertions in support modules show their values, as those in tests do.
pytest.register_assert_rewrite(
    "tests.cli.matches",
    "tests.harness.node_world.watched_world",
    "tests.harness.rounds.invariants",
    "tests.net.succession",
)

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts background jobs with SIGINT ignored, and child processes inherit that. The
    # programs under test must receive Ctrl+C.
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples in every run, so that a failure is caused by the change under test.
settings.register_profile(
    "ci",
    derandomize=True,
    deadline=None,
    print_blob=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
# Where the system is what is tested, and the examples have passed on another.
settings.register_profile("few", settings.get_profile("ci"), max_examples=5)
# More examples, and new ones in every run: HYPOTHESIS_PROFILE=explore packaging/test tests/rules
settings.register_profile("explore", deadline=None, max_examples=1000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

# No test opens a sound device unless it removes this variable.
os.environ["LANUNO_SILENT"] = "1"


ONE_IN = int(os.environ.get("LANUNO_TESTS_IN", "1"))
"""How many tests there are for each one that is run, the same in every run."""

ALWAYS_ALL = frozenset({"store", "system", "test_chaos.py"})
"""Folders and modules whose tests all run: what they test differs most between systems."""

AT_REAL_SPEED = ("reader", "window")
"""Folders whose tests mostly wait, for a minute or more each, while an app shows a whole round."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with the tests that wait, so that none is left alone at the end of a run."""
    left_out = [each for each in items if not is_chosen(each)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [each for each in items if is_chosen(each)]
    items.sort(key=lambda item: item.path.parent.name not in AT_REAL_SPEED)


def is_chosen(item: pytest.Item) -> bool:
    """Whether a test is one of those to run."""
    return (
        not ALWAYS_ALL.isdisjoint(item.path.parts[-2:]) or crc32(item.nodeid.encode()) % ONE_IN == 0
    )


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Exclude all modules and tests from garbage collection, for they stay to the end.

    Many tests collect garbage to see what they have left open. Each of these collections would scan
    the whole suite, which takes a quarter of a second.
    """
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol() -> Generator[None, object, object]:
    """Collect automatically again, once nothing of a test that had an app exists any more."""
    done = yield
    if not gc.isenabled():
        gc.collect()
        gc.enable()
    return done


@pytest.fixture(autouse=True)
def no_unexpected_log(
    request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture
) -> Iterator[None]:
    """Fail a test that unexpectedly logs at WARNING or above, in any phase.

    A test that provokes such a record on purpose checks it and then calls `caplog.clear()`, or
    carries `@pytest.mark.logs_warnings`.
    """
    yield
    if request.node.get_closest_marker("logs_warnings") is not None:
        return
    records = [
        record
        for phase in ("setup", "call")
        for record in caplog.get_records(phase)
        if record.levelno >= logging.WARNING
    ]
    lines = [f"{record.name}: {record.levelname}: {record.getMessage()}" for record in records]
    assert not lines, "unexpected log records:\n" + "\n".join(lines)
