"""Show new cards and their questions in the window, in a copy of the project that has them.

    python -m tests.app.play_new_cards FOLDER

Saves a picture of each question of these cards into the folder. Prints JSON: for each language and
question, the prompt, the hand, the acts that clicks lead to, and the findings about the picture.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from lanuno.app.running import Running
from lanuno.client.languages import languages
from lanuno.rules.cards import Rank
from lanuno.rules.engine.actions import Action, Play
from lanuno.rules.ruleset import Ruleset
from lanuno.rules.view import SeatView
from tests.app.pictures.inspection import inspect
from tests.app.pictures.rig import app_rig
from tests.app.pictures.scene import Scene, View
from tests.app.pictures.scenes_table import OUTSIDE, clocked, put
from tests.app.pictures.tables import Simulated

RULES = Ruleset(deck=116)


def asked(question: str) -> Simulated:
    """Return a game that asks the own seat this question, while it holds the other new card."""

    def true(seen: SeatView) -> bool:
        new = [held for held in seen.hand if held.face.rank > Rank.WILD_FOUR]
        plays = question == "swap" or any(isinstance(each, Play) for each in seen.legal)
        return seen.decider == 0 and seen.question == question and bool(new) and plays

    return Simulated(4, rules=RULES, seed=1, hoard=9).until(true, 50_000)


def clicked(running: Running, table: Simulated) -> list[str]:
    """Give every answer to the question by a click, and return the kinds of act sent."""
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
    """Render both questions in every language, and print the findings."""
    found: dict[str, dict[str, object]] = {}
    games = {question: asked(question) for question in ("discard_all", "swap")}
    with app_rig() as (rig, messages):
        for language in languages():
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
