"""All outputs match the recorded ones."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lanuno.client.languages import SOURCE
from tests.golden.console_cases import CONSOLE_CASES
from tests.golden.kinds import KINDS, OF_THE_WINDOW
from tests.golden.recording import RECORDED, Golden, first_difference, lines_of, write_lines
from tests.harness.catalogues import messages

TESTED = [(name, case) for name, golden in KINDS.items() for case in golden.cases[: golden.tested]]

ELSEWHERE = frozenset(
    {
        "table.kept",
        "table.leaving",
        "table.lost",
        "table.other_host_key",
        "table.other_key",
    }
)
"""Messages about a table that no console renderer shows without people it knows: Ctrl-C, a lost
host, the outcome, and a key other than the known one."""


@pytest.mark.parametrize(("kind", "case"), TESTED, ids=[f"{kind}-{case}" for kind, case in TESTED])
def test_what_comes_out_is_what_was_recorded(kind: str, case: str) -> None:
    difference = KINDS[kind].difference(case)
    assert not difference, f"{difference}\n`python -m tests.golden record {kind}` declares it right"


def test_every_case_is_recorded_and_nothing_else_is() -> None:
    assert {file.stem for file in RECORDED.iterdir()} == {*KINDS, *OF_THE_WINDOW}
    for golden in KINDS.values():
        assert tuple(golden.recorded()) == golden.cases
        assert 0 < golden.tested <= len(golden.cases)


def test_the_console_renderer_says_everything_that_it_can() -> None:
    told = CONSOLE_CASES.file_of("keys").read_text("utf-8").split()
    told += [re.sub(r"\.(?:one|other)$", "", word) for word in told]
    known = {key for key in messages(SOURCE) if key.startswith("table.")}
    assert known - set(told) == ELSEWHERE


# ---- recording and comparing --------------------------------------------------------------------


def test_the_first_difference_is_shown() -> None:
    assert first_difference(["a", "b"], ["a", "b"]) == ""
    assert "line 2" in first_difference(["a", "b"], ["a", "c"])
    assert "now: None" in first_difference(["a", "b"], ["a"])


@pytest.mark.parametrize("as_text", [True, False])
def test_another_line_is_a_difference(
    as_text: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.golden.recording.RECORDED", tmp_path)
    lines = ["one", ""]
    golden = Golden("kind", ("a", "b/c"), lambda case: [case, *lines], 1, as_text=as_text)
    digests = {case: golden.digest(case) for case in golden.cases}
    golden.record(digests)
    assert golden.recorded() == digests
    assert not any(golden.difference(case) for case in golden.cases)
    lines[0] = "another"
    assert all(golden.difference(case) for case in golden.cases)


def test_lines_are_kept_as_they_are(tmp_path: Path) -> None:
    write_lines(tmp_path / "in" / "file.txt", ["a", "", "ñ"])
    assert lines_of(tmp_path / "in" / "file.txt") == ["a", "", "ñ"]
