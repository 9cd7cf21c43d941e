"""The result screen, used by mouse and keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtQuick import QQuickWindow

from lanuno.app.running import Running
from lanuno.client.snapshot import TableStage
from lanuno.log.format.bodies import CloseReason, DropReason
from tests.app.announcements import announced
from tests.app.pictures import scenes_result as scenes
from tests.app.pictures.inspection import spots
from tests.app.pictures.scene import View
from tests.app.user_input import click, find, keyboard_at, press
from tests.app.waiting import drawn, until

PAIR = "\u2068Begoña\u2069 and \u2068Dídac\u2069"


def test_the_next_round_comes_by_itself_or_at_once(running: Running, window: QQuickWindow) -> None:
    scenes.after_a_round(running, View())
    result = running.app.result_controller
    assert result.property("nextText") == "Back to the table in 8 seconds"
    until(lambda: keyboard_at(window) == "goOn")
    press(window, Qt.Key.Key_Return)
    assert running.app.property("page") == "table"
    scenes.after_a_round(running, View())
    for _ in range(8):
        result._tick()
    assert running.app.property("page") == "table"


def test_a_match_that_an_absence_decided_says_so(running: Running, window: QQuickWindow) -> None:
    result = running.app.result_controller
    scenes.after_the_match(running, View())
    assert result.property("closingText") == ""
    scenes.after_an_absence(running, View())
    said = "An absence decided this match, not the cards alone."
    assert result.property("closingText") == said


def test_after_the_agreed_rounds_somebody_has_won(running: Running, window: QQuickWindow) -> None:
    table = scenes.played(4, 1)
    best = table.match.totals.index(max(table.match.totals))
    values = {"closed": CloseReason.STOPPED, "agreed": 1, "winners": (best,)}
    scenes.put(running, table, TableStage.CLOSED, **values)
    result = running.app.result_controller
    assert [row.seat for row in result._standings.rows if row.winner] == [best]
    assert result.property("winnerText").endswith("won the match")
    assert result.property("closingText") == "The rounds that were agreed on have been played."
    # Without an agreed number of rounds nobody wins, and the screen says who ended the match.
    scenes.put(running, table, TableStage.CLOSED, closed=CloseReason.STOPPED)
    assert result.property("winnerText").endswith("was ahead")
    assert not any(row.winner for row in result._standings.rows)
    ended = "\u2068Ana\u2069 ended the match after this round."
    assert result.property("closingText") == ended


@pytest.mark.parametrize(
    ("why", "said"), [(DropReason.LEFT, "chose to leave"), (DropReason.LOST, "did not come back")]
)
def test_a_forfeit_names_its_reason(
    running: Running, window: QQuickWindow, why: DropReason, said: str
) -> None:
    values = {"winners": (1,), "forfeited": (0, 1), "dropped": ((0, why),)}
    scenes.put(
        running, scenes.played(2, 1), TableStage.CLOSED, closed=CloseReason.FINISHED, **values
    )
    result = running.app.result_controller
    assert result.property("closingText") == (
        f"\u2068Ana\u2069 {said}. \u2068Begoña\u2069 was the only other person still playing."
    )


def test_an_invitation_is_shown_and_said_once(running: Running, window: QQuickWindow) -> None:
    scenes.put(running, scenes.played(4, 99), TableStage.CLOSED, closed=CloseReason.FINISHED)
    said = announced(running.app)
    result = running.app.result_controller
    for _ in range(2):
        result.show_invitation("Ben wants to play again")
    assert find(window, "invitation").property("text") == "Ben wants to play again"
    assert said == ["Ben wants to play again"]
    # On another page, a notice shows the invitation.
    running.app.open("rules")
    result.show_invitation("Ben and Cleo want to play again")
    assert [each.text for each in running.app._notices.rows] == ["Ben and Cleo want to play again"]
    running.app.dismiss_all()


def test_the_badge_opens_the_proof(running: Running, window: QQuickWindow) -> None:
    wanted: list[bool] = []
    running.app.result_controller.verifyWanted.connect(lambda: wanted.append(True))
    scenes.after_a_round(running, View())
    assert find(window, "badge").property("text") == "Shuffle verified by 4 of 4 players"
    click(window, "badge")
    assert wanted == [True]


def test_after_the_match_the_same_people_play_again(running: Running, window: QQuickWindow) -> None:
    again: list[bool] = []
    running.app.result_controller.rematchWanted.connect(lambda: again.append(True))
    scenes.after_the_match(running, View())
    until(lambda: keyboard_at(window) == "rematch")
    press(window, Qt.Key.Key_Return)
    click(window, "rematch")
    assert again == [True, True]


def test_points_rounds_and_hands_are_shown_in_turn(running: Running, window: QQuickWindow) -> None:
    scenes.after_a_round(running, View())
    series = find(window, "chart").property("series").toVariant()
    totals = [each.totals for each in running.app.result_controller._rounds.rows]
    assert [line["values"] for line in series] == [
        [0, *(total[seat] for total in totals)] for seat in range(4)
    ]
    find(window, "tabs").forceActiveFocus()
    press(window, Qt.Key.Key_Right)
    assert find(window, "rounds").property("count") == len(totals)
    press(window, Qt.Key.Key_Right)
    assert find(window, "hands").property("count") == 4
    result, bots = running.app.result_controller, [False, True, False, False]
    assert [hand.bot for hand in result._hands.rows] == bots
    assert [line["bots"] for line in result.property("lines")] == [[bot] for bot in bots]
    chart = window.findChild(QObject, "chart")
    assert chart is not None
    assert not chart.property("visible")


def test_every_left_card_can_be_read_with_the_largest_text(
    running: Running, window: QQuickWindow
) -> None:
    running.app.settings_controller.change("text_scale", 1.5)
    scenes.after_a_round(running, View())
    find(window, "tabs").forceActiveFocus()
    for _ in range(2):
        press(window, Qt.Key.Key_Right)
    find(window, "leftCards")
    drawn(window)
    places = [spot.item for spot in spots(window) if spot.item.objectName() == "leftCards"]
    for place in places:
        cards = [each for each in place.childItems() if each.property("rank") is not None]
        assert len(cards) < 2 or place.property("step") >= 0.3 * cards[0].width()
        words = next(each for each in place.childItems() if each.property("text"))
        assert not words.property("truncated")
        assert words.property("contentWidth") <= place.width()


def test_pairs_stand_together(running: Running, window: QQuickWindow) -> None:
    running.app.settings_controller.change("text_scale", 1.5)
    scenes.partners(running, View())
    result = running.app.result_controller
    assert [row.name for row in result._standings.rows] in (
        ["\u2068Ana\u2069 and \u2068Maximiliano de la Fuente y Ortega\u2069", PAIR],
        [PAIR, "\u2068Ana\u2069 and \u2068Maximiliano de la Fuente y Ortega\u2069"],
    )
    assert [line["seats"] for line in result.property("lines")] == [[0, 2], [1, 3]]
    assert find(window, "standings").property("count") == 2
    find(window, "tabs").forceActiveFocus()
    press(window, Qt.Key.Key_Right)
    drawn(window)
    for place in ("standings", "scores"):
        inside = [spot for spot in spots(window) if find(window, place) in spot.above]
        whole = [spot for spot in inside if spot.item.property("truncated") is False]
        texts = {str(spot.item.property("text")) for spot in whole}
        assert {"Ana", "Begoña", "Dídac"} <= texts
