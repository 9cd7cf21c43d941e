"""Tests of the texts about a paused table and a void round."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from lanuno.app.controllers.application import Application
from lanuno.app.controllers.standstill import paused_text, void_reason, void_text
from lanuno.app.controllers.table_view import names_of
from lanuno.client.languages import languages
from lanuno.client.snapshot import TableSnapshot, TableStage
from lanuno.log.faults import VoidReason
from lanuno.rules.engine.actions import Action, Draw, Play
from lanuno.rules.engine.state import RoundPhase
from lanuno.table.leave_effect import LeaveEffect, RoundFate
from tests.app.announcements import plain
from tests.app.pictures.tables import Simulated

NAMES = ("Ana", "Ben", "Cleo", "Dora")
"""Ben (seat 1) is a bot."""

GOES_ON = LeaveEffect(round=RoundFate.CONTINUES, continues=True, remaining=(0, 2, 3))

OVER = (TableStage.REVEALING, TableStage.BETWEEN, TableStage.CLOSED)

pytestmark = pytest.mark.usefixtures("english")


def table(seats: int = 4, stage: TableStage = TableStage.PLAYING, **values: Any) -> TableSnapshot:
    return Simulated(seats, names=NAMES).snapshot(stage, **{"without_waited": GOES_ON, **values})


def paused(snapshot: TableSnapshot, *waiting: tuple[int, int]) -> str:
    return plain(paused_text(snapshot, names_of(snapshot), waiting))


def void(snapshot: TableSnapshot) -> str:
    return plain(void_text(snapshot, names_of(snapshot)))


def why(reason: VoidReason, *without: tuple[int, bool]) -> str:
    return plain(void_reason(reason, without, names_of(table())))


def test_a_table_that_is_not_paused_has_no_text() -> None:
    assert paused(table()) == ""


def test_a_countdown_names_the_missing_players_and_the_longest_wait() -> None:
    assert paused(table(), (2, 5), (3, 20)).startswith(
        "Cleo and Dora cannot be reached: 20 seconds left, then the game continues without them."
    )
    assert "one second left," in paused(table(), (2, 1))


def test_a_wait_without_a_countdown_promises_no_time() -> None:
    assert paused(table(), (2, -1)).startswith("Cleo cannot be reached. ")


def test_a_round_that_will_not_count_is_announced() -> None:
    effect = msgspec.structs.replace(GOES_ON, round=RoundFate.VOID)
    assert paused(table(without_waited=effect), (2, 5)).startswith(
        "Cleo cannot be reached: 5 seconds left, then this round does not count, and the game"
        " continues without them. "
    )


@pytest.mark.parametrize(
    "effect", [None, LeaveEffect(remaining=(0,), continues=True), LeaveEffect(remaining=(0, 1))]
)
def test_where_the_match_may_end_nothing_is_said_about_what_follows(
    effect: LeaveEffect | None,
) -> None:
    said = paused(table(without_waited=effect), (2, 5))
    assert said.startswith("Cleo cannot be reached: 5 seconds left. ")


def turn_of(decider: int | None, *legal: Action, phase: RoundPhase = RoundPhase.TURN) -> Any:
    own = Simulated(4, names=NAMES).own
    return msgspec.structs.replace(own, decider=decider, legal=legal, phase=phase)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (
            {"view": turn_of(0, Play(3, False), Draw()), "to_move": True},
            "You can play a card; cards that are drawn wait. No turn's clock runs.",
        ),
        (
            {"view": turn_of(0, Draw()), "to_move": True},
            "You can decide; cards that are drawn wait. No turn's clock runs.",
        ),
        ({"view": turn_of(0), "to_move": False}, "Your next card waits. No turn's clock runs."),
        ({"view": turn_of(2)}, "It is Cleo's turn, so play waits. No turn's clock runs."),
        (
            {"view": turn_of(2, Play(3, False))},
            "You can play a card; cards that are drawn wait. No turn's clock runs.",
        ),
        (
            {"view": turn_of(3)},
            "Dora can play a card; cards that are drawn wait. No turn's clock runs.",
        ),
        ({"view": turn_of(None)}, "The game waits. No turn's clock runs."),
        ({"view": turn_of(3), "seats": (0, 1, 3)}, "This round goes on. No turn's clock runs."),
        ({"stage": TableStage.DEALING, "view": None}, "The deal waits."),
        ({"stage": TableStage.REVEALING}, "The check of this round waits."),
        ({"stage": TableStage.BETWEEN}, "The next round waits."),
    ],
)
def test_a_wait_says_what_it_holds_up_and_what_it_does_not(
    values: dict[str, Any], said: str
) -> None:
    stage = values.get("stage", TableStage.PLAYING)
    seen = {name: value for name, value in values.items() if name != "stage"}
    values = {"to_move": False, "without_waited": GOES_ON, **seen}
    snapshot = Simulated(4, names=NAMES).snapshot(stage, **values)
    assert paused(snapshot, (2, 5)).endswith(f"without them. {said}")


def test_a_missing_host_comes_before_all_other_reasons() -> None:
    away = table(host=2, in_contact=False, short_of=(1, 3), claimable=(3,))
    assert paused(away) == paused(away, (3, 5))
    assert paused(away).startswith("The host's computer (Cleo) does not answer. Nothing can be")


def test_too_few_computers_come_before_a_countdown() -> None:
    said = paused(table(short_of=(1, 3), claimable=(3,)), (3, 5))
    assert said.startswith("Only 1 of the 3 computers needed can be reached. A move counts")


def test_a_player_who_may_end_the_wait_is_told_the_consequence() -> None:
    said = paused(table(seats=3, claimable=(2,)), (2, -1))
    assert said.startswith("There is no sign of Cleo, and nobody can know whose network failed.")
    assert "then the match is over, and Cleo loses it." in said


@pytest.mark.parametrize("stage", OVER)
def test_a_void_round_says_why_once_it_is_over(stage: TableStage) -> None:
    for reason in VoidReason:
        assert void(table(stage=stage, void=reason)) == (
            f"This round is void and does not count: {why(reason)}"
        )
    assert void(table(stage=stage)) == ""


def test_nothing_is_said_about_a_void_round_while_the_next_one_is_played() -> None:
    for stage in set(TableStage) - set(OVER):
        assert void(table(stage=stage, void=VoidReason(1))) == ""


def test_a_void_round_names_who_is_gone_and_who_chose_to_leave() -> None:
    assert why(VoidReason.LOST, (2, True)) == "Cleo chose to leave."
    assert why(VoidReason.LOST, (2, True), (3, True)) == "Cleo and Dora chose to leave."
    assert why(VoidReason.LOST, (2, False)) == "Cleo was gone."
    assert why(VoidReason.LOST, (2, True), (3, False)) == "Cleo and Dora were gone."


@pytest.mark.parametrize("language", languages())
def test_each_reason_has_a_text_of_its_own(app: Application, language: str) -> None:
    app.settings_controller.change("language", language)
    texts = {why(reason) for reason in VoidReason}
    assert len(texts) == len(VoidReason)
    assert "" not in texts
