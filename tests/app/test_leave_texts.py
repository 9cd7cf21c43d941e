"""Tests of what a player is asked before leaving a match."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from lanuno.app.leave_texts import question_at_table
from lanuno.log.format.bodies import DropReason
from lanuno.table.leave_effect import LeaveEffect, RoundFate
from tests.app.announcements import plain
from tests.app.pictures.tables import Simulated

NAMES = ("Ana", "Ben", "Cleo", "Dora")
LATER = "You can come back for a later round, from the first page."

pytestmark = pytest.mark.usefixtures("english")


def asked(effect: LeaveEffect | None, **values: Any) -> str:
    said = question_at_table(effect, Simulated(4, names=NAMES).snapshot(**values))
    return plain(said).removeprefix("Leave this game? ")


def goes_on(fate: RoundFate, **values: Any) -> LeaveEffect:
    return LeaveEffect(round=fate, continues=True, remaining=(1, 2, 3), **values)


@pytest.mark.parametrize(
    ("effect", "said"),
    [
        (LeaveEffect(), "It ends here."),
        (LeaveEffect(remaining=(1, 2)), "Nobody can go on without you: the match ends."),
        (
            LeaveEffect(remaining=(2,), winners=(2,), round=RoundFate.VOID),
            "You and Cleo are the only people still playing: the match ends, and Cleo wins it.",
        ),
        (
            LeaveEffect(remaining=(1, 2, 3), winners=(1, 3), expelled=True),
            "You have spoiled a round before: the match ends, and Ben and Dora win it.",
        ),
        (
            LeaveEffect(remaining=(1, 2), winners=(0,), round=RoundFate.COUNTS),
            "The cards have decided the match already.",
        ),
        (
            goes_on(RoundFate.CONTINUES),
            (
                "The others play on without you. Your cards are opened, and count as if you still"
                f" held them. {LATER}"
            ),
        ),
        (
            goes_on(RoundFate.VOID, hands_over=True),
            (
                "This round then does not count. The others play the next round without you."
                f" Another computer takes over as host. {LATER}"
            ),
        ),
        (
            goes_on(RoundFate.VOID, bot=True),
            (
                "This round then does not count. From the next round on, a bot on the host’s"
                f" computer plays for you. {LATER}"
            ),
        ),
        (
            goes_on(RoundFate.VOID, expelled=True),
            (
                "This round then does not count. The others play the next round without you. You"
                " have spoiled a round before, so you are out of the match."
            ),
        ),
        (
            goes_on(RoundFate.COUNTS),
            f"This round still counts. The others play the next round without you. {LATER}",
        ),
        (goes_on(RoundFate.NONE), f"The others play the next round without you. {LATER}"),
        (None, "Nobody can be reached right now: you can continue it from the first page."),
    ],
)
def test_the_question_says_what_leaving_does(effect: LeaveEffect | None, said: str) -> None:
    assert asked(effect) == said


def test_a_player_who_is_not_in_the_game_is_asked_nothing() -> None:
    assert asked(None, dropped=((0, DropReason.LOST),)) == asked(None, mine=None) == ""


def test_a_player_who_is_back_but_not_in_this_round_opens_no_cards() -> None:
    table = Simulated(4, names=NAMES)
    view = msgspec.structs.replace(table.seen_by(None), seats=(1, 2, 3), counts=(7, 7, 7))
    said = asked(goes_on(RoundFate.CONTINUES), seats=(1, 2, 3), view=view)
    assert said == f"The others play on without you. {LATER}"
    said = asked(goes_on(RoundFate.NONE), expelled=(0,))
    assert said == "The others play the next round without you."
