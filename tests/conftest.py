"""Rules that hold for every test: no unexpected log records, no exception that nobody sees.

Warnings, and with them unraisable and thread exceptions, are errors already by the pytest settings
in pyproject.toml; what is added here are log records and the hypothesis profiles. No fixtures of
one package belong here.
"""

from __future__ import annotations

import logging
import os
import signal
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from collections.abc import Iterator

# Support modules that assert things for tests show the values of a failed assertion as tests do.
pytest.register_assert_rewrite(
    "tests.cli.matches",
    "tests.harness.node_world.watched_world",
    "tests.harness.rounds.invariants",
    "tests.net.succession",
)

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts background jobs with SIGINT ignored, and their children inherit that. The tests
    # are about programs that receive Ctrl+C.
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples in every run, so that a failure is a failure of the change under test.
settings.register_profile(
    "ci",
    derandomize=True,
    deadline=None,
    print_blob=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
# New examples in every run, and more of them: HYPOTHESIS_PROFILE=explore packaging/test tests/rules
settings.register_profile("explore", deadline=None, max_examples=1000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

# Nothing that a test starts opens a sound device, unless the test takes this back.
os.environ["LANUNO_SILENT"] = "1"


@pytest.fixture(autouse=True)
def no_unexpected_log(
    request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture
) -> Iterator[None]:
    """Fail a test that logs at WARNING or above, in any phase, without having said so.

    A test that means to provoke such a record looks at it and then calls `caplog.clear()`, or
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
