"""What the window shows and says is what was recorded."""

from __future__ import annotations

import pytest

from lanuno.app.setting_words import KINDS as SETTINGS
from tests.app import golden_screens, golden_wording
from tests.app.golden_kinds import KINDS
from tests.golden.kinds import OF_THE_WINDOW, kinds_of_the_window
from tests.golden.readable import Readable
from tests.golden.recording import Golden

AS_TEXT = {name: golden for name, golden in KINDS.items() if isinstance(golden, Readable)}


def played(kinds: dict[str, Golden]) -> list[tuple[str, str]]:
    """Kinds, and the cases of them that the test command plays."""
    return [(name, case) for name, kind in kinds.items() for case in kind.cases[: kind.tested]]


@pytest.mark.parametrize(
    ("kind", "case"),
    played({name: golden for name, golden in KINDS.items() if name not in AS_TEXT}),
)
def test_what_is_shown_is_what_was_recorded(kind: str, case: str) -> None:
    golden = KINDS[kind]
    again = f"`python -m tests.golden diff {kind} {case}` shows the first line that differs"
    assert golden.digest(case) == golden.recorded()[case], again


@pytest.mark.parametrize(("kind", "case"), played(dict(AS_TEXT)))
def test_what_is_said_is_what_was_recorded(kind: str, case: str) -> None:
    golden = AS_TEXT[kind]
    recorded = golden.file_of(case).read_text("utf-8")
    assert golden.text(case).splitlines() == recorded.splitlines()


def test_every_case_is_recorded_and_nothing_else_is() -> None:
    assert kinds_of_the_window() == KINDS
    assert tuple(KINDS) == OF_THE_WINDOW
    for golden in KINDS.values():
        assert tuple(golden.recorded()) == golden.cases


def test_everything_is_said_in_both_languages() -> None:
    said = {case: golden_wording.WORDS.text(case) for case in golden_wording.WORDS.cases}
    for name in golden_wording.SECTIONS:
        english, spanish = (said[f"{name}-{each}"] for each in golden_wording.LANGUAGES)
        assert english.count("\n") == spanish.count("\n")
        assert english != spanish
    values = {line.partition(" = ")[0] for line in said["settings-en"].splitlines()}
    assert set(SETTINGS) - values == {"preset"}


def test_what_is_shown_names_neither_this_computer_nor_the_time() -> None:
    with golden_screens.desk("en") as here:
        shown = "\n".join(here.lines())
        assert str(here.app.home_folders.data) not in shown
        names = set(here.shown.names())
    assert len(names) > 200
