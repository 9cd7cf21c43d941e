"""Why the players of a lobby cannot play by some rules."""

from __future__ import annotations

import pytest

from lanuno.rules.presets import PAIRS, TOURNAMENT
from lanuno.rules.ruleset import Ruleset
from lanuno.table.lobby.readiness import RulesRefusal, why_not_for


@pytest.mark.parametrize(
    ("ruleset", "capacity", "taken", "bots", "why"),
    [
        (Ruleset(), 2, 2, True, None),
        (Ruleset(), 10, 1, True, None),
        (PAIRS, 4, 4, True, None),
        (TOURNAMENT, 8, 8, False, None),
        (Ruleset(), 1, 1, False, RulesRefusal.UNPLAYABLE),
        (Ruleset(), 11, 1, False, RulesRefusal.UNPLAYABLE),
        (Ruleset(hand_size=99), 4, 1, False, RulesRefusal.UNPLAYABLE),
        (PAIRS, 3, 1, False, RulesRefusal.UNPLAYABLE),
        (Ruleset(), 3, 4, False, RulesRefusal.TOO_MANY),
        (TOURNAMENT, 8, 3, True, RulesRefusal.NO_BOTS),
    ],
)
def test_why_the_players_of_a_lobby_cannot_play_by_some_rules(
    ruleset: Ruleset, capacity: int, taken: int, bots: bool, why: RulesRefusal | None
) -> None:
    assert why_not_for(ruleset, capacity, taken, bots=bots) is why
