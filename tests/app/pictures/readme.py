"""The pictures of the README: a few scenes, small, in resources/pictures.

`python -m tests.app.pictures --readme` renders them again. This module selects the scenes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final

from msgspec.structs import replace
from PySide6.QtCore import Qt

from lanuno.app.running import Running
from lanuno.client.find import DiscoveredTables
from lanuno.client.snapshot import TableStage
from lanuno.log.format.bodies import CloseReason
from lanuno.rules.engine.actions import Play
from tests.app.pictures import scenes_entry, scenes_result, scenes_table, scenes_verifier
from tests.app.pictures.rig import app_rig
from tests.app.pictures.scene import Scene, View
from tests.app.pictures.tables import Simulated

FOLDER: Final = Path(__file__).resolve().parents[3] / "resources" / "pictures"
SIZE: Final = (1180, 760)
WIDTH: Final = 900
LARGEST: Final = 150_000
"""The most bytes of one picture."""
NAMES: Final = ("Ana", "Bruno", "Carmen", "David", "Elena", "Felix")


@cache
def game(players: int) -> Simulated:
    """Return a game at the own turn, with several possible plays."""
    return Simulated(players, seed=3, names=NAMES).until(
        lambda seen: (
            seen.decider == 0
            and len(seen.discards) > 2 * players
            and sum(isinstance(each, Play) for each in seen.legal) > 1
        )
    )


def home(running: Running, view: View) -> None:
    """Show three tables on the network."""
    del view
    names = (("Kitchen", "Bruno"), ("Friday night", "Carmen"), ("Upstairs", "Elena"))
    seen = [
        replace(scenes_entry.found_table(number), name=name, host=host, pin=number == 1)
        for number, (name, host) in enumerate(names)
    ]
    scenes_entry.see(running, DiscoveredTables(tuple(seen), None, True))


def table(running: Running, view: View) -> None:
    """Show a table at the own turn."""
    playing = game(view.players)
    scenes_table.put(running, playing, scenes_table.clocked(playing))


def result(running: Running, view: View) -> None:
    """Show the result of a match."""
    ended = Simulated(view.players, seed=5, names=NAMES).rounds(99)
    scenes_result.put(running, ended, TableStage.CLOSED, closed=CloseReason.FINISHED)


MOMENTS: Final[dict[str, tuple[Callable[[Running, View], None], View]]] = {
    "home": (home, View("en", size=SIZE)),
    "table": (table, View("en", size=SIZE, players=4)),
    "table-dark": (table, View("es", dark=True, size=SIZE, players=6)),
    "result": (result, View("en", size=SIZE, players=4)),
    "verifier": (scenes_verifier.timeline, View("en", size=SIZE, players=4)),
}
"""The scene and the view of each picture, by the name of its file."""


def render_readme() -> int:
    """Render all pictures; return 1 if Qt emitted a message, or if a picture is too large."""
    FOLDER.mkdir(exist_ok=True)
    wrong = 0
    with app_rig() as (rig, messages):
        for name, (arrange, view) in MOMENTS.items():
            rig.arrange(Scene(name, arrange), view)
            small = rig.photograph().scaledToWidth(
                WIDTH, Qt.TransformationMode.SmoothTransformation
            )
            path = FOLDER / f"{name}.png"
            small.save(str(path), quality=0)
            size = path.stat().st_size
            wrong += size > LARGEST
            sys.stdout.write(f"{path.name}: {size} bytes\n")
        wrong += len(messages.lines)
        sys.stderr.write("".join(f"{line}\n" for line in messages.lines))
    return 1 if wrong else 0
