"""Run in a copy of the project with new cards: the window shows them.

    python -m tests.app.play_new_cards FOLDER

Saves a picture of each question that they ask into the folder. Prints by language and question what
the player is told to do, what they can do by clicking, and what is wrong with the picture, as JSON.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from lanuno.app.running import Running
from lanuno.rules.cards import Rank
from lanuno.rules.engine.actions import Action, Play
from lanuno.rules.ruleset import Ruleset
from lanuno.rules.view import SeatView
from tests.app.pictures.inspection import inspect
from tests.app.pictures.rig import app_rig
from tests.app.pictures.scene import LANGUAGES, Scene, View
from tests.app.pictures.scenes_table import OUTSIDE, clocked, put
from tests.app.pictures.tables import Simulated

RULES = Ruleset(deck=116)


def asked(question: str) -> Simulated:
    """A game in which the own seat is asked this, and holds the other new card."""

    def true(seen: SeatView) -> bool:
        new = [held for held in seen.hand if held.face.rank > Rank.WILD_FOUR]
        plays = question == "swap" or any(isinstance(each, Play) for each in seen.legal)
        return seen.decider == 0 and seen.question == question and bool(new) and plays

    return Simulated(4, rules=RULES, seed=1, hoard=9).until(true, 50_000)


def clicked(running: Running, table: Simulated) -> list[str]:
    """What reaches the table when the player clicks all that answers the question."""
    sent: list[Action] = []
    controller = running.app.table_controller
    controller.acted.connect(sent.append)
    for act in table.own.legal:
        if isinstance(act, Play) and not act.uno:
            controller.play(act.slot)
    if controller.view.can_keep:
        controller.keep()
    for seat in controller.view.swap_seats:
        controller.swapWith(seat)
    controller.acted.disconnect(sent.append)
    legal = [act for act in table.own.legal if not (isinstance(act, Play) and act.uno)]
    assert sorted(map(repr, sent)) == sorted(map(repr, legal))
    return [type(each).__name__ for each in sent]


def main(folder: Path) -> None:
    """Show both questions in every language."""
    found: dict[str, dict[str, object]] = {}
    games = {question: asked(question) for question in ("discard_all", "swap")}
    with app_rig() as (rig, messages):
        for language in LANGUAGES:
            for question, table in games.items():

                def arrange(running: Running, _view: View, table: Simulated = table) -> None:
                    put(running, table, clocked(table))

                heard = len(messages.lines)
                scene = Scene(f"table-{question}", arrange, outside=OUTSIDE)
                rig.arrange(scene, View(language))
                image = rig.photograph()
                image.save(str(folder / f"{question}-{language}.png"))
                controller = rig.running.app.table_controller
                found[f"{language} {question}"] = {
                    "prompt": controller.view.prompt,
                    "hand": [card.name for card in controller.view.hand],
                    "acts": clicked(rig.running, table),
                    "wrong": inspect(rig.window, image, scene) + messages.lines[heard:],
                }
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
