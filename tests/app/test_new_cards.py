"""The window shows cards that are added to a copy of the project, and asks their questions."""

from __future__ import annotations

import json
from pathlib import Path

from tests.harness.changes_to_a_copy.changed_project import ChangedProject
from tests.harness.changes_to_a_copy.new_cards import ENGLISH, SPANISH, add_cards


def test_a_player_answers_what_new_cards_ask(tmp_path: Path) -> None:
    project = ChangedProject(tmp_path / "copy", "tests/app")
    add_cards(project)
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    program = ("-m", "tests.app.play_new_cards", str(pictures))
    # At exit, Python warns of remaining Qt objects, as it does for every window.
    shown = json.loads(project.python(*program, warnings="error,ignore::ResourceWarning").out)
    assert [each["wrong"] for each in shown.values() if each["wrong"]] == []
    assert len(list(pictures.glob("*.png"))) == len(shown) == 4
    for language, texts in (("en", ENGLISH), ("es", SPANISH)):
        more = shown[f"{language} discard_all"]
        assert more["prompt"] == texts["question.discard_all.own"]
        assert {"Play", "Keep"} == set(more["acts"])
        assert set(shown[f"{language} swap"]["acts"]) == {"Swap"}
        names = " ".join(name for each in shown.values() for name in each["hand"])
        assert texts["rank.discard_all"] in names
