"""The value of one rule of the rulebook, and the marks of who checks it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lanuno.rules.rule import CheckedBy, Rule, WhenChecked, agreed, audited, live


def test_the_marks_of_a_setting_are_the_first_marks_of_a_rule() -> None:
    assert [(each.name, each.value) for each in WhenChecked] == [
        (each.name, each.value) for each in (CheckedBy.LIVE, CheckedBy.AUDIT)
    ]


@pytest.mark.parametrize(
    ("make", "checked"),
    [(live, CheckedBy.LIVE), (audited, CheckedBy.AUDIT), (agreed, CheckedBy.AGREEMENT)],
)
def test_a_rule_has_its_mark_and_its_numbers(make: Callable[..., Rule], checked: CheckedBy) -> None:
    rule = make("uno.hold", hold=2500)
    assert (rule.id, rule.checked, dict(rule.values)) == ("uno.hold", checked, {"hold": 2500})
    assert make("uno.hold").values == {}


def test_the_numbers_of_a_rule_cannot_be_changed() -> None:
    for rule in (live("uno.hold", hold=2500), Rule("uno.hold", CheckedBy.LIVE)):
        with pytest.raises(TypeError):
            rule.values["hold"] = 0  # type: ignore[index]
