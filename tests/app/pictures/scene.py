"""Scenes and views, of which pictures of the whole window are made.

A scene brings the running app into a state through the same snapshots that a table would send. It
uses the real controllers. Each file `scenes_*.py` in this folder has a list `SCENES`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

from lanuno.app.running import Running
from lanuno.client.languages import languages
from tests.app.pictures.render import LARGE, SMALL

SIZES = (SMALL, LARGE)


@dataclass(frozen=True)
class View:
    """The language, theme, size and other circumstances in which a scene is shown."""

    language: str = "en"
    dark: bool = False
    size: tuple[int, int] = SMALL
    players: int = 0
    text_scale: float = 1.0

    @property
    def title(self) -> str:
        """The part of the file name that tells this view from others."""
        players = f"-{self.players}p" if self.players else ""
        large = f"-x{self.text_scale:g}" if self.text_scale != 1 else ""
        theme = "dark" if self.dark else "light"
        return f"{self.language}-{theme}-{self.size[0]}{players}{large}"


@dataclass(frozen=True)
class Scene:
    """One state of the app that is worth a picture."""

    name: str
    """The name of the scene. It begins with the screen, which selects the contact sheet."""
    arrange: Callable[[Running, View], None]
    """Brings the app to the scene, after language, theme and size have been set."""
    players: tuple[int, ...] = (0,)
    """The numbers of players to show, because the scene looks different with each."""
    outside: tuple[str, ...] = ()
    """Texts that may be cut, such as names and files from outside."""
    often: bool = True
    """Whether the tests inspect the scene, too, and not only the command that renders all."""
    overlapping: tuple[str, ...] = ()
    """The `objectName`s of items that may overlap others, besides cards in a fan."""

    def views(self) -> list[View]:
        """Return all views of the scene."""
        return [
            View(language, dark, size, players)
            for language in languages()
            for dark in (False, True)
            for size in SIZES
            for players in self.players
        ]


def scenes() -> list[Scene]:
    """Return all scenes, from every `scenes_*.py`."""
    found: list[Scene] = []
    for path in sorted(Path(__file__).parent.glob("scenes_*.py")):
        module = importlib.import_module(f"tests.app.pictures.{path.stem}")
        found += module.SCENES
    assert len({scene.name for scene in found}) == len(found)
    return found


def pairwise(all_scenes: list[Scene]) -> list[tuple[Scene, View]]:
    """Select views so that every scene, and every pair of circumstances, occurs at least once.

    The circumstances are the screen, the language, the theme, the size and the number of players.
    The selection is greedy: each scene gets the view with the most new pairs, and then further
    views add the missing pairs. The order keeps the changes from one view to the next small.
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
