"""Checks that the rules of conftest.py are enforced: a separate pytest run violates each one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

BROKEN = {
    "log": """
import logging
def test_it():
    logging.getLogger("lanuno.x").warning("something odd")
""",
    "warning": """
import warnings
def test_it():
    warnings.warn("something wrong", RuntimeWarning)
""",
    "thread": """
import threading
def test_it():
    def crash():
        raise ValueError("in a thread")
    thread = threading.Thread(target=crash)
    thread.start()
    thread.join()
""",
    "unraisable": """
import gc
class Broken:
    def __del__(self):
        raise ValueError("in a finaliser")
def test_it():
    Broken()
    gc.collect()
""",
    "resource": """
import gc
def test_it(tmp_path):
    (tmp_path / "f").open("wb")
    gc.collect()
""",
}

KEPT = {
    "cleared": """
import logging
def test_it(caplog):
    logging.getLogger("lanuno.x").warning("something odd")
    assert "odd" in caplog.text
    caplog.clear()
""",
    "marked": """
import logging
import pytest
@pytest.mark.logs_warnings
def test_it():
    logging.getLogger("lanuno.x").error("something odd")
""",
    "info": """
import logging
def test_it():
    logging.getLogger("lanuno.x").info("something usual")
""",
}


def run(folder: Path, source: str) -> subprocess.CompletedProcess[str]:
    """Run one test file under the project's settings and conftest."""
    conftest = (ROOT / "tests" / "conftest.py").read_text(encoding="utf-8")
    (folder / "conftest.py").write_text(conftest, encoding="utf-8")
    (folder / "test_it.py").write_text(source, encoding="utf-8")
    return subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
            *("-c", str(ROOT / "pyproject.toml"), "--rootdir", str(folder), str(folder)),
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("name", sorted(BROKEN))
def test_silent_trouble_fails_a_test(name: str, tmp_path: Path) -> None:
    done = run(tmp_path, BROKEN[name])
    assert done.returncode == 1, done.stdout + done.stderr


@pytest.mark.parametrize("name", sorted(KEPT))
def test_expected_records_pass(name: str, tmp_path: Path) -> None:
    done = run(tmp_path, KEPT[name])
    assert done.returncode == 0, done.stdout + done.stderr
