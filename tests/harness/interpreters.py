"""The Pythons of this machine on which LanUNO runs."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

MINORS: Final = (11, 12, 13)
"""The versions of Python 3 that pyproject.toml admits."""


@dataclass(frozen=True)
class Interpreter:
    """A Python of this machine; only its standard library can be relied on."""

    path: str
    version: tuple[int, int]


def interpreters() -> Iterator[Interpreter]:
    """Yield those that can be found by name and that start."""
    for minor in MINORS:
        path = shutil.which(f"python3.{minor}")
        if path is None:
            continue
        # What has this name may be a launcher for a version that is not installed.
        code = f"import sys; sys.exit(sys.version_info[:2] != (3, {minor}))"
        started = subprocess.run([path, "-I", "-c", code], capture_output=True, check=False)
        if started.returncode == 0:
            yield Interpreter(path, (3, minor))
