"""What a picture of the whole window is made from: a scene, and how it is looked at.

A scene brings the running app into a state by the same snapshots that a table would send it; there
are no stand-ins for controllers. Each file `scenes_*.py` beside this one has a list `SCENES`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lanuno.app.main import Running
from tests.app.pictures.stage import LARGE, SMALL

LANGUAGES = ("en", "es")
SIZES = (SMALL, LARGE)


@dataclass(frozen=True)
class View:
    """One way of looking at a scene."""

    language: str = "en"
    dark: bool = False
    size: tuple[int, int] = SMALL
    players: int = 0
    text_scale: float = 1.0

    @property
    def title(self) -> str:
        """What makes it different, as part of a file's name."""
        players = f"-{self.players}p" if self.players else ""
        large = f"-x{self.text_scale:g}" if self.text_scale != 1 else ""
        theme = "dark" if self.dark else "light"
        return f"{self.language}-{theme}-{self.size[0]}{players}{large}"


@dataclass(frozen=True)
class Scene:
    """One state of the app that is worth a picture."""

    name: str
    """The screen first: pictures of one screen are on one sheet."""
    arrange: Callable[[Running, View], None]
    """Brings the app there; language, theme and size are set already."""
    players: tuple[int, ...] = (0,)
    """Numbers of players with which it looks different."""
    outside: tuple[str, ...] = ()
    """Texts that may be cut: names and files from outside."""
    overlapping: tuple[str, ...] = ()
    """`objectName`s of items that lie over others on purpose, cards in a fan apart."""

    def views(self) -> list[View]:
        """Every way of looking at it."""
        return [
            View(language, dark, size, players)
            for language in LANGUAGES
            for dark in (False, True)
            for size in SIZES
            for players in self.players
        ]


def scenes() -> list[Scene]:
    """All of them, from every file that has some."""
    found: list[Scene] = []
    for path in sorted(Path(__file__).parent.glob("scenes_*.py")):
        module = importlib.import_module(f"tests.app.pictures.{path.stem}")
        found += module.SCENES
    assert len({scene.name for scene in found}) == len(found)
    return found


def pairwise(all_scenes: list[Scene]) -> list[tuple[Scene, View]]:
    """Few pictures in which every scene is seen with every language, theme, size and number, and
    every two of these together somewhere.

    Greedy: of all that are left, take the one with the most pairs that were not seen yet.
    """
    chosen: list[tuple[Scene, View]] = []
    seen: set[frozenset[tuple[str, object]]] = set()
    for scene in all_scenes:
        left = scene.views()
        while left:
            best = max(left, key=lambda view: len(_pairs(scene, view) - seen))
            if not any(("scene", scene.name) in pair for pair in _pairs(scene, best) - seen):
                break
            left.remove(best)
            seen |= _pairs(scene, best)
            chosen.append((scene, best))
    return chosen


def _pairs(scene: Scene, view: View) -> set[frozenset[tuple[str, object]]]:
    facts: list[tuple[str, object]] = [
        ("scene", scene.name),
        ("language", view.language),
        ("dark", view.dark),
        ("size", view.size),
        ("players", view.players),
    ]
    return {
        frozenset((one, other)) for place, one in enumerate(facts) for other in facts[place + 1 :]
    }
