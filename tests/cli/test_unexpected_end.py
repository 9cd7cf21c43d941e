"""An error that nothing catches does not end with 1, the exit code of proven cheating."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lanuno.cli.exits import ExitCode
from tests.cli.replaced_command import ROOT


@pytest.mark.parametrize(
    ("damage", "code"),
    [
        ("raise ImportError('damaged\\nfile')", ExitCode.INTERNAL),
        ("raise MemoryError", ExitCode.INTERNAL),
        (f"import signal; signal.raise_signal({signal.SIGINT:d})", ExitCode.INTERRUPTED),
    ],
)
def test_a_module_that_cannot_be_imported(tmp_path: Path, damage: str, code: ExitCode) -> None:
    (tmp_path / "platformdirs.py").write_text(f"{damage}\n")
    done = subprocess.run(
        [sys.executable, "-m", "lanuno.cli.main", "verify", "x"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code
    lines = r"lanuno: .*\n" if code is ExitCode.INTERNAL else ""
    assert re.fullmatch(lines, done.stderr), done.stderr
