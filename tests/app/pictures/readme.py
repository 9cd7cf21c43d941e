"""The pictures of the README: a few moments, small, in resources/pictures.

Made anew by `python -m tests.app.pictures --readme`; which moments, is decided here.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt

from tests.app.pictures.rig import rigged
from tests.app.pictures.scene import View, scenes

FOLDER: Final = Path(__file__).resolve().parents[3] / "resources" / "pictures"
SIZE: Final = (1180, 760)
WIDTH: Final = 900
LARGEST: Final = 150_000
"""Bytes of one picture."""

MOMENTS: Final = {
    "home": ("home", View("en", size=SIZE)),
    "table": ("table-play", View("en", size=SIZE, players=4)),
    "table-dark-es": ("table-play", View("es", dark=True, size=SIZE, players=10)),
    "result": ("result-match", View("en", size=SIZE, players=4)),
    "verifier": ("verifier-timeline", View("en", size=SIZE)),
}
"""File: scene and view."""


def render_readme() -> int:
    """Make them all; 1 if a moment is missing, or a picture too large."""
    known = {scene.name: scene for scene in scenes()}
    FOLDER.mkdir(exist_ok=True)
    wrong = 0
    with rigged() as (rig, messages):
        for name, (scene, view) in MOMENTS.items():
            if scene not in known:
                sys.stderr.write(f"{name}: there is no scene {scene}\n")
                wrong += 1
                continue
            rig.arrange(known[scene], view)
            small = rig.photograph().scaledToWidth(
                WIDTH, Qt.TransformationMode.SmoothTransformation
            )
            path = FOLDER / f"{name}.png"
            small.save(str(path), "PNG", 0)
            size = path.stat().st_size
            wrong += size > LARGEST
            sys.stdout.write(f"{path.name}: {size} bytes\n")
        wrong += len(messages.lines)
        sys.stderr.write("".join(f"{line}\n" for line in messages.lines))
    return 1 if wrong else 0
