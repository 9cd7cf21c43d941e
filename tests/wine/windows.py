"""Windows' own Python under Wine, as `packaging/wine` has made it."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from tests.harness.screens.screen import ROOT

_PYTHON: Final = shlex.split(os.environ.get("LANUNO_WINE_PYTHON", ""))

WHY_NOT: Final = "" if _PYTHON else "only packaging/wine test has a Python of Windows"

COMMAND: Final = ("env", f"PYTHONPATH=Z:{ROOT}", *_PYTHON)
"""The beginning of a command line that runs Windows' Python."""


@contextmanager
def session() -> Iterator[None]:
    """Wine anew: its server keeps the network and the display of the program that began it."""

    def end() -> None:
        subprocess.run(("wineserver", "-k"), check=False, capture_output=True)
        subprocess.run(("wineserver", "-w"), check=True)

    end()
    try:
        yield
    finally:
        end()
