"""What a picture of the whole window is made from: a scene, and how it is looked at.

A scene brings the running app into a state by the same snapshots that a table would send it; there
are no stand-ins for controllers. Each file `scenes_*.py` beside this one has a list `SCENES`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

from lanuno.app.running import Running
from tests.app.pictures.render import LARGE, SMALL

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
    often: bool = True
    """Whether the tests look at it, too, and not only the command that renders everything."""
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
    """Every scene once, and every screen in every language, theme, size and number of players, and
    every two of these together somewhere.

    Greedy: each scene is looked at in the way that shows the most pairs that were not seen yet;
    what is missing then is added. Ordered so that the app changes as little as can be from one to
    the next.
    """
    chosen: list[tuple[Scene, View]] = []
    all_scenes = [scene for scene in all_scenes if scene.often]
    everything = [(scene, view) for scene in all_scenes for view in scene.views()]
    wanted = {pair for each in everything for pair in _pairs(*each)}

    def gain(each: tuple[Scene, View]) -> tuple[int, int]:
        scene, view = each
        return len(_pairs(scene, view) & wanted), crc32(f"{scene.name} {view.title}".encode())

    for scene in all_scenes:
        chosen.append(max(((scene, view) for view in scene.views()), key=gain))
        wanted -= _pairs(*chosen[-1])
    while wanted:
        chosen.append(max(everything, key=gain))
        wanted -= _pairs(*chosen[-1])
    return sorted(chosen, key=lambda each: (each[1].language, each[1].dark, each[1].size))


def _pairs(scene: Scene, view: View) -> set[frozenset[tuple[str, object]]]:
    facts: list[tuple[str, object]] = [
        ("screen", scene.name.partition("-")[0]),
        ("language", view.language),
        ("dark", view.dark),
        ("size", view.size),
        ("players", view.players),
    ]
    return {
        frozenset((one, other)) for place, one in enumerate(facts) for other in facts[place + 1 :]
    }
