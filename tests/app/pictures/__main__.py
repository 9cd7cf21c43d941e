"""`python -m tests.app.pictures [FOLDER] [--only TEXT]`: render every picture, and contact sheets.

One PNG a picture, and one sheet for each kind (the first word of the names). Ends with 1 if Qt said
anything while rendering.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from pathlib import Path

from PySide6.QtGui import QImage

from tests.app.pictures.gallery import gallery
from tests.app.pictures.sheet import sheet
from tests.app.pictures.stage import Picture, StageError, render


def collected() -> list[Picture]:
    """Everything that there is a picture of."""
    return gallery()


def main(arguments: list[str] | None = None) -> int:
    """Render into the folder; the number of pictures that failed decides the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.app.pictures", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("build", "pictures"))
    parser.add_argument("--only", default="", help="names that contain this text")
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    sheets: dict[str, list[tuple[str, QImage]]] = defaultdict(list)
    failed = 0
    for picture in collected():
        if options.only not in picture.name:
            continue
        try:
            image = render(picture)
        except StageError as fault:
            failed += 1
            sys.stderr.write(f"{picture.name}: {fault}\n")
            for note in getattr(fault, "__notes__", ()):
                sys.stderr.write(f"    {note}\n")
            continue
        image.save(str(options.folder / f"{picture.name}.png"))
        sheets[picture.name.partition("-")[0]].append((picture.name, image))
    for kind, images in sheets.items():
        sheet(images).save(str(options.folder / f"sheet-{kind}.png"))
    made = sum(len(images) for images in sheets.values())
    sys.stdout.write(f"{made} pictures, {failed} failed, in {options.folder}\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
