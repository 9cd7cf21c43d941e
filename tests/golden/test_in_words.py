"""The cards and the rules in words are what was recorded."""

from __future__ import annotations

import pytest

from tests.golden.recording import RECORDED
from tests.golden.written import WRITTEN, Written


@pytest.mark.parametrize("written", WRITTEN, ids=lambda written: written.name)
def test_the_text_is_what_was_recorded(written: Written) -> None:
    assert written.text() == written.file.read_text("utf-8")


def test_each_text_of_the_rules_is_recorded() -> None:
    names = {written.name for written in WRITTEN}
    assert {file.stem for file in RECORDED.glob("*.txt")} >= names
