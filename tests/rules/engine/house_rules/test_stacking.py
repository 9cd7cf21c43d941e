"""Stacking: which cards pass a penalty on, how they add up, and what the rulebook says of it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from lanuno.rules.cards import Colour
from lanuno.rules.engine.actions import Accept
from lanuno.rules.engine.events import DrawReason, Drew
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.presets import MASTERS_SHORT
from lanuno.rules.ruleset import Ruleset, WildFour
from tests.harness.rounds.table_of_cards import cards
from tests.rules.engine.small_tables import lay, playable, small_table
from tests.rules.told_rules import rules_by_id

TWOS = Ruleset(stack_draw_two=True)
FOURS = Ruleset(stack_wild_four=True)
CROSS = Ruleset(stack_cross=True)


@pytest.mark.parametrize(
    ("rules", "laid", "passing"),
    [
        (TWOS, "r+2", "g+2 b+2"),
        (TWOS, "w4", ""),
        (FOURS, "r+2", None),
        (FOURS, "w4", "w4"),
        (CROSS, "r+2", "g+2 b+2 w4"),
        (CROSS, "w4", "b+2 w4"),
        (replace(TWOS, stack_wild_four=True), "r+2", "g+2 b+2"),
        (replace(TWOS, stack_wild_four=True), "w4", "w4"),
    ],
)
def test_the_cards_that_pass_a_penalty_on(rules: Ruleset, laid: str, passing: str | None) -> None:
    """A Draw Two on a Wild Draw Four needs the named colour, here blue.

    Without any possible answer (None) the seat that is hit draws and loses its turn.
    """
    table = small_table({0: f"{laid} y1 y4", 1: "g+2 b+2 w4"}, rules=rules)
    lay(table, 0, laid, Colour.BLUE if laid == "w4" else None)
    if passing is None:
        assert (table.round.phase, table.round.decider) == (RoundPhase.TURN, 2)
        return
    assert (table.round.phase, table.round.decider) == (RoundPhase.PENALTY, 1)
    faces = table.round.deck.faces
    assert {faces[each] for each in playable(table, 1)} == {faces[each] for each in cards(passing)}


def test_the_cards_add_up_and_the_last_player_draws_them() -> None:
    table = small_table({0: "r+2 y1 y4", 1: "b+2 g4 g5", 2: "y2 y3 y5"}, rules=TWOS)
    lay(table, 0, "r+2")
    lay(table, 1, "b+2")
    assert (table.round.penalty, table.round.decider) == (4, 2)
    events = table.act(2, Accept())
    drew = [event for event in events if isinstance(event, Drew)]
    assert [(event.seat, len(event.slots), event.why) for event in drew] == [
        (2, 4, DrawReason.PENALTY)
    ]
    assert (table.round.phase, table.round.decider) == (RoundPhase.TURN, 0)


@pytest.mark.parametrize(
    ("rules", "told", "not_told"),
    [
        (
            TWOS,
            {"actions.no_stacking_fours", "start.draw_two_passed", "four.guilty"},
            {"actions.no_stacking_twos", "four.guilty_sum", "house.stack_challenge"},
        ),
        (
            FOURS,
            {"actions.no_stacking_twos", "start.draw_two", "four.guilty_sum"},
            {"actions.no_stacking_fours", "start.draw_two_passed", "four.guilty"},
        ),
        (
            CROSS,
            {"start.draw_two_passed", "four.guilty_sum", "house.stack_challenge"},
            {"actions.no_stacking_twos", "actions.no_stacking_fours", "house.stack_strict"},
        ),
        (
            replace(CROSS, wild_four=WildFour.STRICT),
            {"house.stack_strict", "timers.penalty"},
            {"house.stack_challenge"},
        ),
        (
            replace(FOURS, challenge_penalty=0),
            {"four.innocent_only"},
            {"four.innocent", "four.innocent_sum"},
        ),
        (
            replace(FOURS, challenge_penalty=3),
            {"four.innocent_sum"},
            {"four.innocent", "four.innocent_only"},
        ),
        (
            replace(MASTERS_SHORT, stack_draw_two=True),
            {"ending.laps_draws", "ending.laps_no_passing"},
            {"actions.no_stacking"},
        ),
    ],
)
def test_the_rulebook_tells_what_is_passed_on(
    rules: Ruleset, told: set[str], not_told: set[str]
) -> None:
    found = set(rules_by_id(rules))
    assert told | {"actions.two_passed", "house.stack_last", "sources.stacking"} <= found
    assert not (not_told | {"actions.no_stacking", "actions.two", "sources.no_stacking"}) & found


def test_the_extra_cards_of_a_lost_challenge_are_told() -> None:
    rules = rules_by_id(replace(FOURS, challenge_penalty=3))
    assert rules["four.innocent_sum"].values == {"extra": 3}
