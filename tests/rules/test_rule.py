"""The value of one rule of the rulebook, and the marks of who checks it."""

from __future__ import annotations

from lanuno.rules.rule import CheckedBy, WhenChecked


def test_the_marks_of_a_setting_are_the_first_marks_of_a_rule() -> None:
    assert [(each.name, each.value) for each in WhenChecked] == [
        (each.name, each.value) for each in (CheckedBy.LIVE, CheckedBy.AUDIT)
    ]
