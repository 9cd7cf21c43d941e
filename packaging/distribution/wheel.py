"""Builds the source distribution, and from it the wheel."""

from __future__ import annotations

import sys
from pathlib import Path

from distribution.project import DIST, ROOT, run, say


def build() -> Path:
    """Build both into dist/ and return the path of the wheel.

    The wheel is built from the unpacked source distribution. That proves the latter complete, and
    leaves no file in the checkout.
    """
    say("building the wheel and the source distribution …")
    DIST.mkdir(exist_ok=True)
    for pattern in ("lanuno-*.whl", "lanuno-*.tar.gz"):
        for path in DIST.glob(pattern):
            path.unlink()
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", DIST, ROOT)
    (wheel,) = DIST.glob("lanuno-*.whl")
    return wheel


def install() -> Path:
    """Build the wheel, and install it where the build runs, which needs the program's texts."""
    wheel = build()
    pip = (sys.executable, "-m", "pip", "install", "-qq", "--disable-pip-version-check")
    # What it needs has been installed from the lock.
    run(*pip, "--force-reinstall", "--no-deps", wheel)
    return wheel
