"""Queries on a view that several bots share."""

from __future__ import annotations

import msgspec

from lanuno.bots.player import is_rightful
from lanuno.rules.engine.actions import Play
from lanuno.rules.engine.state import RoundPhase
from tests.bots.random_views import EVERYWHERE


def test_no_card_that_answers_a_question_is_wrong() -> None:
    """The question decides whether a card may be laid, even if the card does not match."""
    wrong = [
        (seen, action)
        for seen in EVERYWHERE
        for action in seen.legal
        if isinstance(action, Play) and not is_rightful(seen, action)
    ]
    assert wrong
    for seen, action in wrong:
        asked = msgspec.structs.replace(seen, phase=RoundPhase.QUESTION)
        assert is_rightful(asked, action)
