"""Everything that comes out is what was recorded."""

from __future__ import annotations

import pytest

from tests.golden.kinds import KINDS, OF_THE_WINDOW
from tests.golden.recording import RECORDED, first_difference

TESTED = [(name, case) for name, golden in KINDS.items() for case in golden.cases[: golden.tested]]


@pytest.mark.parametrize(("kind", "case"), TESTED, ids=[f"{kind}-{case}" for kind, case in TESTED])
def test_what_comes_out_is_what_was_recorded(kind: str, case: str) -> None:
    golden = KINDS[kind]
    again = f"`python -m tests.golden diff {kind} {case}` shows the first line that differs"
    assert golden.digest(case) == golden.recorded()[case], again


def test_every_case_is_recorded_and_nothing_else_is() -> None:
    assert {file.stem for file in RECORDED.iterdir()} == {*KINDS, *OF_THE_WINDOW}
    for golden in KINDS.values():
        assert tuple(golden.recorded()) == golden.cases
        assert 0 < golden.tested <= len(golden.cases)


def test_the_first_difference_is_shown() -> None:
    assert first_difference(["a", "b"], ["a", "b"]) == ""
    assert "line 2" in first_difference(["a", "b"], ["a", "c"])
    assert "now: None" in first_difference(["a", "b"], ["a"])
