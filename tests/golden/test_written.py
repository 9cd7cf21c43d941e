"""Every text that comes out is the one that was recorded, and nothing that can be told is missing.

Which messages no text and no simulated table holds is said here, by their ids.
"""

from __future__ import annotations

import pytest

from lanuno.cli.texts import messages
from tests.golden.texts import WRITTEN
from tests.golden.written import TEXTS, Written

ELSEWHERE = frozenset({"table.leaving", "table.lost", "table.kept"})
"""What is told of a table, but by no narrator: by Ctrl-C, a lost host, and the outcome."""


@pytest.mark.parametrize("written", WRITTEN, ids=[each.name for each in WRITTEN])
def test_what_comes_out_is_what_was_recorded(written: Written) -> None:
    again = f"`python -m tests.golden.written record {written.name}` declares that this is right"
    difference = written.difference()
    assert not difference, f"{difference}\n{again}"


def test_every_text_is_recorded_and_nothing_else_is() -> None:
    there = {path.relative_to(TEXTS).with_suffix("").as_posix() for path in TEXTS.rglob("*.txt")}
    assert there == {each.name for each in WRITTEN}


def test_the_narrator_says_everything_that_it_can() -> None:
    told = (TEXTS / "keys/narrator.txt").read_text("utf-8").split()
    known = {key for key in messages("en") if key.startswith("table.")}
    assert known - set(told) == ELSEWHERE
