"""How long bots wait for people: during the deal, and before they punish a missing "UNO"."""

from __future__ import annotations

from typing import get_args, get_type_hints

import pytest
from msgspec.structs import replace

from lanuno.bots.pace import BOTS_ONLY_PACE, PACES, SCORE_SECONDS, UNO_SECONDS, BotDelays, BotPace
from lanuno.cli.options import BOT_SPEEDS
from lanuno.log.replay.times import DEAL_MS
from lanuno.rules.engine.actions import Action, Catch, Draw, Keep, Play, SayUno
from lanuno.rules.ruleset import Ruleset, UnoRule
from lanuno.store.settings import Settings

CATCH = Ruleset(uno=UnoRule.CATCH)
AUTOMATIC = replace(CATCH, uno=UnoRule.AUTOMATIC)
PERSON, BOT = 0, 1


def patience(pace: BotPace) -> BotDelays:
    return BotDelays(pace, lambda seat: seat == PERSON)


def look(waits: BotDelays, number: int, owed: int | None, now: float) -> None:
    """Open a decision while a seat owes "UNO", or none does."""
    waits.uno_owed(number, owed, now)
    waits.decision_opened(number, now)


def test_nothing_is_done_while_a_round_is_dealt() -> None:
    waits = patience(BotPace(deal=3.0))
    look(waits, 1, None, 10.0)
    assert waits.not_before(Draw(), CATCH) == 13.0
    look(waits, 1, None, 12.0)
    assert waits.not_before(Catch(BOT), CATCH) == 13.0
    look(waits, 2, None, 50.0)
    assert waits.not_before(Draw(), CATCH) == 53.0


def test_bots_wait_for_those_who_look_at_the_last_score_and_no_longer() -> None:
    waits = patience(BotPace(deal=3.0))
    for seat in (0, 1):
        waits.note_reader(seat, 1, reading=True)
    look(waits, 2, None, 50.0)
    assert waits.not_before(Draw(), CATCH) == 50.0 + SCORE_SECONDS
    # Saying so again gains no time, and nobody can say it for another player.
    waits.note_reader(1, 1, reading=True)
    waits.note_reader(1, 1, reading=False)
    assert waits.not_before(Draw(), CATCH) == 50.0 + SCORE_SECONDS
    waits.note_reader(0, 1, reading=False)
    assert waits.not_before(Draw(), CATCH) == 53.0
    # Who has never gone on delays no other round; neither does the score of one to come.
    waits.note_reader(0, 1, reading=True)
    waits.note_reader(1, 7, reading=True)
    look(waits, 3, None, 90.0)
    assert waits.not_before(Draw(), CATCH) == 93.0


@pytest.mark.parametrize(
    ("action", "rules", "waits_for_uno"),
    [
        (Catch(PERSON), CATCH, True),
        (Play(3, 3), CATCH, False),
        (Draw(), CATCH, False),
        (Play(3, 3), AUTOMATIC, True),
        (Draw(), AUTOMATIC, True),
        (Keep(), AUTOMATIC, False),
        (SayUno(), CATCH, False),
    ],
)
def test_a_person_has_time_to_say_uno(action: Action, rules: Ruleset, waits_for_uno: bool) -> None:
    waits = patience(BOTS_ONLY_PACE)
    look(waits, 1, None, 0.0)
    look(waits, 1, PERSON, 20.0)
    look(waits, 1, PERSON, 22.0)
    assert waits.not_before(action, rules) == (20.0 + UNO_SECONDS if waits_for_uno else 0.0)
    look(waits, 1, None, 23.0)
    assert waits.not_before(action, rules) == 0.0
    look(waits, 1, PERSON, 30.0)
    assert waits.not_before(action, rules) == (30.0 + UNO_SECONDS if waits_for_uno else 0.0)
    look(waits, 2, PERSON, 40.0)
    assert waits.not_before(action, rules) == (40.0 + UNO_SECONDS if waits_for_uno else 40.0)


def test_a_bot_has_no_more_time_than_the_rules_give() -> None:
    waits = patience(BOTS_ONLY_PACE)
    look(waits, 1, None, 0.0)
    look(waits, 1, BOT, 20.0)
    assert waits.not_before(Catch(BOT), CATCH) == 0.0
    assert waits.not_before(Draw(), AUTOMATIC) == 0.0


def test_every_speed_can_be_set_and_lets_people_see_the_deal() -> None:
    offered = get_args(get_type_hints(Settings)["bot_speed"])
    assert tuple(PACES) == offered == BOT_SPEEDS
    moves = [pace.move for pace in PACES.values()]
    assert moves == sorted(moves, reverse=True)
    assert {pace.deal for pace in PACES.values()} == {DEAL_MS / 1000}
    assert {pace.uno for pace in PACES.values()} == {3.0}
    assert BOTS_ONLY_PACE.deal == 0.0
