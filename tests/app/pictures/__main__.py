"""`python -m tests.app.pictures [FOLDER] [--only TEXT] [--few] [--text SCALE]`: render scenes.

Renders every screen and dialog in every language, theme and size, with few and many players.
Writes one PNG for each, a contact sheet for each screen, and the findings of the inspection to
`findings.txt`. Exits with 1 if there is a finding, or if Qt emitted a message while rendering.

--few renders only the selection for the tests. --text sets the size of the text; 1.5 is the largest
in the settings. --readme renders only the pictures of the README, and --moving its moving picture.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from PySide6.QtGui import QImage

from tests.app.pictures.contact_sheet import sheet
from tests.app.pictures.gallery import gallery
from tests.app.pictures.inspection import inspect
from tests.app.pictures.moving import render_moving
from tests.app.pictures.readme import render_readme
from tests.app.pictures.render import RenderError, render
from tests.app.pictures.rig import app_rig
from tests.app.pictures.scene import Scene, View, pairwise, scenes

Shown = tuple[str, QImage, list[str]]
"""The name of a picture, the picture, and its findings."""


def parts(only: str) -> Iterator[Shown]:
    """Render the pictures of the gallery, which need no app."""
    for picture in gallery():
        if only in picture.name:
            try:
                yield picture.name, render(picture), []
            except RenderError as fault:
                yield picture.name, QImage(), [str(fault)]


def screens(only: str, few: bool, text_scale: float = 1.0) -> Iterator[Shown]:
    """Render every scene in every view, or in few, in an order with small changes between them."""
    found = scenes()
    every = [(scene, view) for scene in found for view in scene.views()]
    chosen = pairwise(found) if few else sorted(every, key=_order)
    with app_rig() as (rig, messages):
        for scene, view in chosen:
            view = replace(view, text_scale=text_scale)
            name = f"{scene.name}-{view.title}"
            if only not in name:
                continue
            heard = len(messages.lines)
            rig.arrange(scene, view)
            image = rig.photograph()
            yield name, image, inspect(rig.window, image, scene) + messages.lines[heard:]


def _order(each: tuple[Scene, View]) -> tuple[object, ...]:
    scene, view = each
    return view.language, view.dark, view.size, scene.name, view.players


def main(arguments: list[str] | None = None) -> int:
    """Render into the folder; return 1 if there is a finding."""
    parser = argparse.ArgumentParser(prog="python -m tests.app.pictures", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("build", "pictures"))
    parser.add_argument("--only", default="", help="names that contain this text")
    parser.add_argument("--few", action="store_true", help="what the tests look at")
    parser.add_argument("--text", type=float, default=1.0, help="size of the text: 0.85 to 1.5")
    parser.add_argument("--readme", action="store_true", help="the pictures of the README")
    parser.add_argument("--moving", action="store_true", help="the moving picture of the README")
    options = parser.parse_args(arguments)
    if options.moving:
        return render_moving()
    if options.readme:
        return render_readme()
    options.folder.mkdir(parents=True, exist_ok=True)
    sheets: dict[str, list[tuple[str, QImage]]] = defaultdict(list)
    findings: list[str] = []
    made = 0
    for shown in (parts(options.only), screens(options.only, options.few, options.text)):
        for name, image, wrong in shown:
            findings += [f"{name}: {each}" for each in wrong]
            if image.isNull():
                continue
            made += 1
            image.save(str(options.folder / f"{name}.png"))
            small = image.scaledToWidth(min(image.width(), 1024))
            sheets[name.partition("-")[0]].append((name, small))
    for kind, images in sheets.items():
        sheet(sorted(images, key=lambda each: each[0]), columns=4).save(
            str(options.folder / f"sheet-{kind}.png")
        )
    text = "".join(f"{each}\n" for each in findings)
    (options.folder / "findings.txt").write_text(text, encoding="utf-8")
    sys.stderr.write(text)
    sys.stdout.write(f"{made} pictures, {len(findings)} findings, in {options.folder}\n")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
