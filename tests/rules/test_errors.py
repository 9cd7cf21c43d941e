"""The exceptions that the rules raise."""

from __future__ import annotations

import pytest

from lanuno.rules.errors import IllegalAction, RulesError
from lanuno.rules.refusals import ActRefusal


def test_an_illegal_act_says_why() -> None:
    with pytest.raises(RulesError, match=r"^UNPLAYABLE$") as caught:
        raise IllegalAction(ActRefusal.UNPLAYABLE)
    assert isinstance(caught.value, IllegalAction)
    assert caught.value.refusal is ActRefusal.UNPLAYABLE
