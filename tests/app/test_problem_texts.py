"""Tests of the sentences about problems."""

from __future__ import annotations

import pytest

from lanuno.app.problem_texts import rules_refusal
from lanuno.table.lobby.readiness import RulesRefusal


@pytest.mark.usefixtures("english")
def test_every_refusal_has_a_sentence() -> None:
    assert len({rules_refusal(why) for why in RulesRefusal}) == len(RulesRefusal)
