"""Facts about the project that every package needs, and running other programs in a build."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
DIST: Final = ROOT / "dist"
"""The folder of finished packages."""

WORK: Final = ROOT / "build"
"""The folder of everything that can be rebuilt."""

METAINFO: Final = ROOT / "resources" / "desktop" / "org.lanuno.lanuno.metainfo.xml"


class BuildError(Exception):
    """A package cannot be built. The message says what to do about it."""


def version() -> str:
    """Return the version of the checkout."""
    text = (ROOT / "lanuno" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "([^"]+)"$', text, re.MULTILINE)
    if found is None:
        raise BuildError("lanuno/__init__.py states no version")
    return found[1]


def release_date(environment: Mapping[str, str] = os.environ) -> datetime:
    """Return the date for every file in a package: SOURCE_DATE_EPOCH, else the newest release's.

    This keeps two builds of the same sources as equal as possible.
    """
    given = environment.get("SOURCE_DATE_EPOCH", "")
    if given:
        return datetime.fromtimestamp(int(given), UTC)
    dates = [each.attrib["date"] for each in ET.parse(METAINFO).iter("release")]
    return datetime.fromisoformat(max(dates)).replace(tzinfo=UTC)


def portable_name() -> str:
    """Return the name of the folder in the portable archive, and of the archive."""
    return f"lanuno-{version()}-linux-{platform.machine()}"


def say(text: str) -> None:
    """Report progress to the person who builds."""
    sys.stderr.write(f"{text}\n")


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    """Run a program of the build and return its output.

    Raises `BuildError` with the output if the program fails.
    """
    words = [str(word) for word in command]
    epoch = str(int(release_date().timestamp()))
    done = subprocess.run(
        words,
        cwd=cwd,
        env={**os.environ, "SOURCE_DATE_EPOCH": epoch, "PYTHONHASHSEED": "0"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise BuildError(f"{done.stdout}\n{' '.join(words)} failed ({done.returncode})")
    return done.stdout
