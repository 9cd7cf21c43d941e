"""The values and texts of the window equal the recorded golden outputs."""

from __future__ import annotations

import pytest

from lanuno.rules.settings import SETTINGS
from tests.app import golden_screens, golden_wording
from tests.app.golden_kinds import KINDS
from tests.golden.kinds import OF_THE_WINDOW, kinds_of_the_window

TESTED = [(name, case) for name, golden in KINDS.items() for case in golden.cases[: golden.tested]]


@pytest.mark.parametrize(("kind", "case"), TESTED, ids=[f"{kind}-{case}" for kind, case in TESTED])
def test_what_is_shown_is_what_was_recorded(kind: str, case: str) -> None:
    difference = KINDS[kind].difference(case)
    assert not difference, f"{difference}\n`python -m tests.golden record {kind}` declares it right"


def test_every_case_is_recorded_and_nothing_else_is() -> None:
    assert kinds_of_the_window() == KINDS
    assert tuple(KINDS) == OF_THE_WINDOW
    for golden in KINDS.values():
        assert tuple(golden.recorded()) == golden.cases


def test_everything_is_said_in_both_recorded_languages() -> None:
    words = golden_wording.WORDS
    said = {case: "\n".join(words.lines(case)) for case in words.cases}
    for name in golden_wording.SECTIONS:
        english, spanish = (said[f"{name}-{each}"] for each in golden_wording.LANGUAGES)
        assert english.count("\n") == spanish.count("\n")
        assert english != spanish
    values = {line.partition(" = ")[0] for line in said["settings-en"].splitlines()}
    assert set(SETTINGS) <= values


def test_what_is_shown_names_neither_this_computer_nor_the_time() -> None:
    with golden_screens.controllers("en") as here:
        shown = "\n".join(here.lines())
        assert str(here.app.home_folders.data) not in shown
        names = set(here.shown.names())
    assert len(names) > 200
